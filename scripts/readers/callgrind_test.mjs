// callgrind_annotate: the cost of each function itself, and of all.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { add, assertSame, selfOf } = readers;

function annotate(made, ...args) {
	return execFileSync('callgrind_annotate', ['--threshold=100', '--auto=no', ...args,
		made.file('callgrind')], { encoding: 'utf8', env: { ...process.env, COLUMNS: '4000' } });
}

// "1,234 (12.3%)  5 (1.0%)  file:function [object]"; names may hold colons, files not after one.
function readFunctions(made, text) {
	const known = [...selfOf(made.stacks).keys()].sort((a, b) => b.length - a.length);
	const sums = new Map();
	for (const line of text.split('\n')) {
		const row = /^ *([\d,]+) \([ \d.]+%\) +[\d,.]+ (?:\([ \d.]+%\))? +(.*)$/.exec(line);
		const name = row && known.find((k) => row[2].endsWith(':' + k) || row[2].includes(':' + k + ' ['));
		if (name)
			add(sums, name, Number(row[1].replaceAll(',', '')));
	}
	return sums;
}

test('callgrind_annotate has the cost of every function', ['callgrind_annotate'], (made) => {
	assertSame(readFunctions(made, annotate(made)), selfOf(made.stacks));
});

test('callgrind_annotate has the whole', ['callgrind_annotate'], (made) => {
	const whole = [...made.stacks.values()].reduce((a, b) => a + b);
	const total = /^ *([\d,]+) .*PROGRAM TOTALS/m.exec(annotate(made))[1];
	assert.equal(Number(total.replaceAll(',', '')), whole);
});

// "120,602,982 (40.68%) 24 (40.68%)  \t\tv = v * 1664525 + sink;": lines of the source.
test('callgrind_annotate has the cost of every line', ['callgrind_annotate'], (made) => {
	const lines = resolve('testdata/names/lines'), to = join(made.folder, 'lines.callgrind');
	execFileSync(made.program, ['-q', '--symfs', 'root', 'input.perf.data', '-o', to], { cwd: lines });
	writeFileSync(to, readFileSync(to, 'utf8').replaceAll('/src/', lines + '/'));
	const text = execFileSync('callgrind_annotate', ['--threshold=100', '--auto=yes',
		'--show-percs=no', to], { encoding: 'utf8', env: { ...process.env, COLUMNS: '4000' } });
	const costs = [...text.matchAll(/^ *([\d,]+) +\d+ +\t\t?(for|v = v)/gm)];
	assert.deepEqual(costs.map((m) => m[1]), ['231,155,750', '65,326,625']);
});
