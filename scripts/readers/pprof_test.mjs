// go tool pprof: stacks of -raw, and its sums.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';

const { add, assertSame } = readers;

function pprof(made, ...args) {
	return execFileSync('go', ['tool', 'pprof', ...args], { cwd: made.folder, encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PPROF_TMPDIR: made.folder,
			HOME: process.env.HOME ?? made.folder } });
}

// "    12   120000: 4 3 2" and "     4: 0x0 M=1 main x.c:5:0 s=5", lines of inlined ones below.
function readRaw(text) {
	const [head, rest] = text.split('\nLocations\n');
	const names = new Map(), stacks = new Map();
	let id;
	for (const line of rest.split('\nMappings')[0].split('\n').filter(Boolean)) {
		const place = /^ *(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)$/.exec(line);
		if (place)
			names.set(id = place[1], []);
		names.get(id).unshift((place ? place[2] : line.trim()).replace(/ \S*:\d+(?::\d+)? s=\d+\(.*\)$/, ''));
	}
	for (const line of head.split('\n')) {
		const sample = /^ *(\d+) +(\d+): ([\d ]+)$/.exec(line);
		if (sample)
			add(stacks, sample[3].trim().split(' ').reverse().flatMap((id) => names.get(id)).join(';'),
				Number(sample[2]));
	}
	return stacks;
}

test('pprof has the weight of every stack', ['go'], (made) => {
	assertSame(readRaw(pprof(made, '-raw', made.file('pb.gz'))), made.stacks);
});

test('pprof merges two files to twice the weight', ['go'], (made) => {
	const merged = join(made.folder, 'merged.pb.gz');
	pprof(made, '-proto', '-output', merged, made.file('pb.gz'), made.file('pb.gz'));
	assertSame(readRaw(pprof(made, '-raw', merged)),
		new Map([...made.stacks].map(([stack, n]) => [stack, 2 * n])));
});

test('pprof merges the two halves of a recording to the whole', ['go'], (made) => {
	const merged = join(made.folder, 'halves.pb.gz');
	pprof(made, '-proto', '-output', merged, made.file('early.pb.gz'), made.file('late.pb.gz'));
	assertSame(readRaw(pprof(made, '-raw', merged)), made.stacks);
});

test('pprof knows threads and build-ids', ['go'], (made) => {
	assert.match(pprof(made, '-tags', made.file('pb.gz')), / tid: Total /);
	assert.match(pprof(made, '-raw', made.file('pb.gz')), /\nMappings\n1: .*\/node [0-9a-f]{40} \[FN\]/);
});

// "  231.16ms   231.16ms      8:	for (...": the lines of a function that have a cost of their own.
test('pprof lists the lines of inlined functions', ['go'], (made) => {
	const lines = resolve('testdata/names/lines'), to = join(made.folder, 'lines.pb.gz');
	execFileSync(made.program, ['-q', '--symfs', 'root', 'input.perf.data', '-o', to], { cwd: lines });
	const listed = pprof(made, '-list', '^(mix|floor_of)$', '-source_path', lines, '-trim_path',
		'/src', to);
	const costs = [...listed.matchAll(/^ *([\d.]+m?s) .* (\d+):/gm)].map((m) => `${m[2]} ${m[1]}`);
	assert.deepEqual(costs, ['8 231.16ms', '9 65.33ms']);
	assert.match(listed, /^ +\. +140\.70ms +15:/m);
	assert.match(listed, /^ +\. +155\.78ms +17:/m);
});

test('pprof refuses a damaged file', ['go'], (made) => {
	const cut = join(made.folder, 'cut.pb.gz');
	writeFileSync(cut, readFileSync(made.file('pb.gz')).subarray(0, 4000));
	assert.throws(() => pprof(made, '-top', cut));
});
