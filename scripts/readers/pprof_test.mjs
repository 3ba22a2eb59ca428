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
	assert.match(pprof(made, '-raw', made.file('pb.gz')), /\nMappings\n1: 0x[0-9a-f]+\/0x[0-9a-f]+\/0x[0-9a-f]+ .*\/node [0-9a-f]{40} \[FN\]/);
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

// "35.18ms    35.18ms        77e: MOVL ...    ;tower tower.cpp:24": what instructions cost themselves.
test('pprof finds the instructions that ran', ['go', 'objdump'], (made) => {
	const lines = resolve('testdata/names/lines'), to = join(made.folder, 'lines.pb.gz');
	execFileSync(made.program, ['-q', '--symfs', 'root', 'input.perf.data', '-o', to], { cwd: lines });
	const shown = pprof(made, '-disasm', '.', join(lines, 'root/tmp/perfold/bin/tower'), to);
	const costs = [...shown.matchAll(/^ *([\d.]+)ms .* ([0-9a-f]+): (\w+).*;tower tower.cpp:(\d+)/gm)];
	assert.ok(costs.some((m) => m[2] === '786' && m[3] === 'SUBL' && m[4] === '24'), shown);
	const whole = Number(/^Total: ([\d.]+)ms/m.exec(shown)[1]);
	const sum = costs.reduce((all, m) => all + Number(m[1]), 0);
	assert.ok(Math.abs(sum - whole) < 0.1, `${sum}, not ${whole}`);
});

// What `go build -pgo` makes of a profile: caller, callee, line from the caller's first one, weight.
test('Go finds the hot calls of a profile', ['go'], (made) => {
	const lines = resolve('testdata/names/lines'), to = join(made.folder, 'lines.pb.gz');
	execFileSync(made.program, ['-q', '--symfs', 'root', 'input.perf.data', '-o', to], { cwd: lines });
	const edges = to.replace('.pb.gz', '.preprofile');
	execFileSync('go', ['tool', 'preprofile', '-i', to, '-o', edges]);
	assert.equal(readFileSync(edges, 'utf8'), ['GO PREPROFILE V1', 'tower', 'floor_of', '4 59', 'tower',
		'tower', '2 40', 'floor_of', 'mix', '4 31', 'floor_of', 'mix', '2 28', 'main', 'tower', '6 19',
		''].join('\n'));
});

test('pprof refuses a damaged file', ['go'], (made) => {
	const cut = join(made.folder, 'cut.pb.gz');
	writeFileSync(cut, readFileSync(made.file('pb.gz')).subarray(0, 4000));
	assert.throws(() => pprof(made, '-top', cut));
});
