// VS Code's viewer of CPU profiles: the model that its tables and flame charts are made of.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { add, assertSame, find } = readers;
const NEEDS = ['../vscode/packages/vscode-js-profile-core', 'esbuild'];

async function buildModel(made, path) {
	const bundle = join(made.folder, 'vscode.mjs');
	execFileSync(join(find('esbuild'), '..', '.bin', 'esbuild'), ['--bundle', '--format=esm',
		'--platform=node', '--log-level=error', '--outfile=' + bundle,
		join(find(NEEDS[0]), 'src/cpu/model.ts')]);
	return (await import(pathToFileURL(bundle))).buildModel(JSON.parse(readFileSync(path)));
}

// Self times from the file itself: a sample lasts until the next one, the last one to the end.
function selfTimes(path) {
	const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(readFileSync(path));
	const names = new Map(nodes.map((n) => [n.id, n.callFrame.functionName || '(anonymous)']));
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

for (const [what, path] of [['a CPU profile', (made) => made.file('cpuprofile')],
	['what Node.js writes', (made) => made.nodes]])
	test('VS Code\'s model has the time of every function of ' + what, NEEDS, async (made) => {
		const { locations, nodes, duration } = await buildModel(made, path(made));
		const sums = new Map();
		for (const { callFrame, selfTime } of locations)
			if (selfTime)
				add(sums, callFrame.functionName, selfTime);
		assertSame(sums, selfTimes(path(made)));
		assert.equal(nodes.filter((n) => n.parent === undefined).length, 1);
		assert.ok(nodes[0].aggregateTime <= duration);
	});
