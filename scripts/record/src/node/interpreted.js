'use strict';
// interpreted.js MILLISECONDS: three functions that stay in the interpreter (run with --no-opt
// --no-sparkplug). Every stack below turns() is turns, then outer, then middle, then inner, never
// in another order.
const end = Date.now() + Number(process.argv[2]);

function inner(n) {
	let sum = 0;

	for (let i = 0; i < n; i++)
		sum += i & 7;
	return sum;
}

function middle(n) {
	let sum = 0;

	for (let i = 0; i < 4; i++)
		sum += inner(n);
	return sum;
}

function outer(n) {
	return middle(n) + middle(n);
}

function turns() {
	while (Date.now() < end)
		outer(2000);
}

turns();
