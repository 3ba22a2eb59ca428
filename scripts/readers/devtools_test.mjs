// Chrome DevTools' own models of CPU profiles and traces.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { add, assertSame, find, selfOf, withoutPlace } = readers;
const NEEDS = ['@paulirish/trace_engine'];

globalThis.DOMRect ??= class {};
const model = (path) =>
	import(pathToFileURL(join(find('@paulirish/trace_engine'), 'models', path)));
const read = (made, format) => JSON.parse(readFileSync(made.file(format)));

async function parseTrace(events) {
	const Trace = await model('trace/trace.js');
	const trace = Trace.TraceModel.Model.createWithAllHandlers();
	await trace.parse(events, { metadata: {} });
	const parsed = trace.parsedTrace();
	return parsed.data ?? parsed;
}

test('DevTools\' model of a CPU profile has its samples', NEEDS, async (made) => {
	const { CPUProfileDataModel } = await model('cpu_profile/cpu_profile.js');
	const profile = new CPUProfileDataModel.CPUProfileDataModel(read(made, 'cpuprofile'));
	const sums = new Map();
	for (const id of profile.samples) {
		// A ";" in a name (of a regular expression) is ":" in folded stacks.
		const name = profile.nodeById(id).functionName.replaceAll(';', ':');
		if (name !== '(idle)' && name !== '(garbage collector)')
			add(sums, name, 1);
	}
	const gc = /(^|;)(v8::internal::(Heap::(CollectGarbage|PerformGarbageCollection|Scavenge|MarkCompact)|Scavenger|MarkCompact|Minor|Incremental|Concurrent|Sweeper))/;
	const expected = selfOf(new Map([...made.samplesOf(22692)].filter(([stack]) => !gc.test(stack))),
		(frame) => frame === '[empty]' ? '(native)' : withoutPlace(frame));
	assertSame(sums, expected);
});

async function opensAndCloses(file) {
	const { CPUProfileDataModel } = await model('cpu_profile/cpu_profile.js');
	const profile = new CPUProfileDataModel.CPUProfileDataModel(file);
	let open = 0, negative = 0, most = 0;
	profile.forEachFrame(() => { most = Math.max(most, ++open); },
		(depth, node, i, start, time, self) => { open--; negative += time < 0 || self < -1e-6; });
	assert.equal(open, 0);
	assert.equal(negative, 0);
	assert.ok(most > 5);
}

test('DevTools\' model of a CPU profile opens and closes every frame', NEEDS,
	(made) => opensAndCloses(read(made, 'cpuprofile')));

test('DevTools\' model of a CPU profile takes what Node.js writes', NEEDS,
	(made) => opensAndCloses(JSON.parse(readFileSync(made.nodes))));

test('DevTools\' model of a CPU profile refuses a damaged one', NEEDS, async (made) => {
	const profile = read(made, 'cpuprofile');
	delete profile.nodes[0].children;
	await assert.rejects(opensAndCloses(profile));
});

test('DevTools\' model of a trace nests all events and has the weight of every stack', NEEDS,
	async (made) => {
		const data = await parseTrace(read(made, 'trace.json'));
		const stacks = new Map();
		assert.ok(data.Meta.traceIsGeneric);
		for (const [, { threads }] of data.Renderer.processes)
			for (const [, thread] of threads)
				for (const entry of thread.entries.filter((e) => e.args?.samples)) {
					const names = [];
					for (let at = data.Renderer.entryToNode.get(entry); at; at = at.parent)
						names.unshift(at.entry.name);
					add(stacks, names.join(';'), entry.args.self);
				}
		assertSame(stacks, made.stacks);
	});
