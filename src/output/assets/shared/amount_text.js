// amount_text.js: a weight as people read it, in three digits and a unit: 1.92 s, 816 M cycles,
// 1 sample. As the program says it (base/amount.h): testdata/amounts/examples.tsv holds for both.

const AMOUNT_TIMES = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];
const AMOUNT_COUNTS = [['T', 1e12], ['G', 1e9], ['M', 1e6]];

// The largest step first. One is taken from 999.5 of the next smaller one on.
function amountScaled(value, steps) {
	const at = steps.findIndex(([, size], i) => value >= size - (steps[i + 1]?.[1] ?? 0) / 2);
	const [name, size] = steps.at(at), scaled = value / size;
	const digits = size === 1 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
	const least = size / 10 ** digits; // whole numbers of it: halves go up, as in C
	return `${(Math.round(value / least) / 10 ** digits).toFixed(digits)} ${name}`;
}

// Nobody divides 25900 s in their head.
function amountLongTime(ns) {
	const [s, min, h] = [1e9, 60e9, 3600e9].map((size) => Math.round(ns / size));
	if (s < 3600)
		return `${Math.floor(s / 60)} min ${s % 60} s`;
	return min < 6000 ? `${Math.floor(min / 60)} h ${min % 60} min`
			  : `${Math.floor(h / 24)} d ${h % 24} h`;
}

const amountTime = (ns) => ns < 99.95e9 ? amountScaled(ns, AMOUNT_TIMES) : amountLongTime(ns);

function amountText(value, unit = '') {
	if (unit === 'nanoseconds')
		return amountTime(Math.round(value));
	const n = Math.round(value), noun = n === 1 && unit === 'samples' ? 'sample' : unit;
	const number = n < 1e6 ? n.toLocaleString('en-US') : amountScaled(n, AMOUNT_COUNTS);
	return `${number} ${noun}`.trimEnd();
}
