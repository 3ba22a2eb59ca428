// Runs for as many seconds as it is told to: code that V8 optimizes, and calls of builtins.
function fib(n) {
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

function sorted() {
	const a = [];
	for (let i = 0; i < 20000; i++)
		a.push(Math.sin(i) * 1e6 | 0);
	return a.sort((x, y) => x - y)[0];
}

function json() {
	return JSON.parse(JSON.stringify({ a: [1, 2, 3], b: 'x'.repeat(500) })).b.length;
}

const end = Date.now() + 1000 * process.argv[2];
let sum = 0;

function turn() {
	for (let i = 0; i < 3; i++)
		sum += fib(20) + sorted() + json();
	if (Date.now() < end)
		setImmediate(turn);
}

turn();
