// go tool pprof -peek: the callers and callees of functions, against perfold top --callers, --callees and
// --paths, of three profiles: JavaScript and C++, copied stacks with inlined functions, and folded stacks.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const PROFILES = [
	{ in: 'testdata/node/server', args: ['--symfs', 'root', 'input.perf.data'] },
	{ in: 'testdata/names/lines', args: ['--symfs', 'root', 'input.perf.data'] },
	{ in: 'testdata/top/callers', args: ['input.folded'] },
];
const FUNCTIONS = 15; // those that cost most

function perfold(made, profile, ...args) {
	return execFileSync(made.program, [...args, '-q', '--root', 'none', '--weight', 'samples', ...profile.args],
		{ cwd: profile.in, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

// A function between its callers and its callees, as lines of "  12 66.67% |   name".
function readPeek(text) {
	const blocks = new Map();
	for (const block of text.split(/^-+\+-+$/m).slice(1)) {
		const of = { callers: {}, callees: {} };
		let at = of.callers, name;
		for (const line of block.split('\n')) {
			const own = /^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% +\| (\S.*)$/.exec(line);
			const edge = /^ +(\d+) +[\d.]+% \|   (.*?)(?: \(inline\))?$/.exec(line);
			if (own) {
				[name, of.self, of.total, at] = [own[3], Number(own[1]), Number(own[2]), of.callees];
			} else if (edge) {
				at[edge[2]] = Number(edge[1]);
			}
		}
		if (name)
			blocks.set(name, of);
	}
	return blocks;
}

function pprofPeek(made, file) {
	return readPeek(execFileSync('go', ['tool', 'pprof', '-symbolize=none', '-functions', '-trim=false', '-nodefraction=0',
		'-edgefraction=0', '-peek', '.', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
		maxBuffer: 1 << 28, env: { ...process.env, PPROF_TMPDIR: made.folder,
			HOME: process.env.HOME ?? made.folder } }));
}

// The nodes next to the function: what calls it, or what it calls.
function around(made, profile, which, name) {
	const { tree } = JSON.parse(perfold(made, profile, 'top', '--json', '--min-percent', '0', which, name));
	const of = {};
	for (const node of tree.filter((n) => n.depth === 2))
		of[node.name] = (of[node.name] ?? 0) + node.total.weight;
	return { total: tree[0].total.weight, of, paths: tree.reduce((sum, n) => sum + n.self.weight, 0) };
}

// In a recursion pprof counts the edge from a function to itself; perfold asks what calls it from outside.
function isRecursive(stacks, name) {
	return [...stacks.keys()].some((stack) => stack.split(';').filter((frame) => frame === name).length > 1);
}

for (const [i, profile] of PROFILES.entries()) {
	test(`pprof -peek has the callers and callees of ${profile.in}`, ['go'], (made) => {
		const file = join(made.folder, `peek-${i}.pb.gz`), folded = join(made.folder, `peek-${i}.folded`);
		perfold(made, profile, '-o', resolve(file), '-o', resolve(folded));
		const peeked = pprofPeek(made, file), stacks = readers.readFolded(folded);
		const { rows } = JSON.parse(perfold(made, profile, 'top', '--json', '--by', 'total'));
		const names = [...new Set(rows.map((row) => row.name))]
			.filter((name) => /^\S/.test(name) && !isRecursive(stacks, name)); // pprof cuts blanks off
		let compared = 0;
		for (const name of names.slice(0, FUNCTIONS)) {
			const theirs = peeked.get(name);
			assert.ok(theirs, `${name} is not in pprof's`);
			const callers = around(made, profile, '--callers', name);
			const callees = around(made, profile, '--callees', name);
			assert.equal(callers.total, theirs.total, name);
			assert.equal(callers.paths, theirs.total, name);
			assert.deepEqual(callers.of, theirs.callers, `callers of ${name}`);
			assert.deepEqual(callees.of, theirs.callees, `callees of ${name}`);
			compared += Object.keys(callers.of).length + Object.keys(callees.of).length;
		}
		assert.ok(compared > 5, `only ${compared} edges`);
	});
}
