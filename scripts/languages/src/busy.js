// busy.js SECONDS: for Node.js, Deno, Bun and browsers.
function heavy(n) { let s = 0; for (let i = 1; i < n; i++) s += i % 7 * (s % 1013); return s; }
function middle(n) {
	const m = new Map();
	for (let i = 0; i < n; i++) m.set("k" + i % 997, i);
	return JSON.stringify([...m]).length;
}
function light(n) { let s = 0; for (let i = 1; i < n; i++) s ^= i * 31; return s; }

// Seconds of the CPU, where they are known.
const now = () => typeof process === "undefined" ? performance.now() / 1000 : process.cpuUsage().user / 1e6;

function run(seconds) {
	const end = now() + seconds;
	let sum = 0;
	while (now() < end)
		sum += heavy(200000) + middle(5000) + light(400000);
	return sum;
}

if (typeof process === "undefined")
	document.title = run(4);
else
	console.log("sum", run(Number(process.argv[2])));
