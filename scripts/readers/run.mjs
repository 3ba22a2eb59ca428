// run.mjs PERFOLD TEST...: makes one recording into all formats, then runs the tests one after the
// other; a profile that Node.js wrote itself is the control. A test file calls
// test(name, needs, async (made) => ...) for each test it has; one that needs what is not here is
// skipped. needs: package names, or programs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, ...files] = process.argv.slice(2);
const PACKAGES = resolve('build/readers/node_modules');
const CASE = resolve('testdata/node/server');
const folder = mkdtempSync(join(tmpdir(), 'perfold-readers-'));
const FORMATS = ['folded', 'cpuprofile', 'speedscope.json', 'trace.json', 'firefox.json', 'pb.gz',
	'callgrind'];

// The place of a program in $PATH, or of a package; nothing where it is not here.
function find(name) {
	const inPackages = join(PACKAGES, name);
	if (existsSync(inPackages))
		return inPackages;
	return process.env.PATH.split(':').map((dir) => join(dir, name)).find(existsSync);
}

// A profile that Node.js wrote itself, which readers must take.
function makeNodes() {
	const program = join(folder, 'work.js');
	writeFileSync(program, `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
for (const end = Date.now() + 300; Date.now() < end;) fib(20);`);
	execFileSync(process.execPath, ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-name',
		'node.cpuprofile', program]);
	return join(folder, 'node.cpuprofile');
}

// Stacks without root frames, by period and by number: text -> sum.
function makeAll() {
	const at = (name, format) => join(folder, name + '.' + format);
	const run = (...options) => execFileSync(resolve(program), ['-q', '--symfs', 'root', '--root',
		'none', 'input.perf.data', ...options], { cwd: CASE });

	run('--time', '0,50%', '-o', at('all.early', 'pb.gz'));
	run('--time', '50%,', '-o', at('all.late', 'pb.gz'));
	run(...FORMATS.flatMap((format) => ['-o', at('all', format)]));
	run('--weight', 'samples', '-o', at('samples', 'folded'));
	run('--weight', 'samples', '--split', 'thread', '-o', join(folder, 'thread-%t.folded'));
	return {
		folder,
		program: resolve(program),
		file: (format) => at('all', format),
		nodes: makeNodes(),
		stacks: readFolded(at('all', 'folded')),
		samples: readFolded(at('samples', 'folded')),
		samplesOf: (tid) => readFolded(join(folder, `thread-${tid}.folded`)),
	};
}

function readFolded(path) {
	const stacks = new Map();
	for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
		const end = line.lastIndexOf(' ');
		stacks.set(line.slice(0, end), Number(line.slice(end + 1)));
	}
	return stacks;
}

const add = (map, key, n) => map.set(key, (map.get(key) ?? 0) + n);

// What a function has itself.
function selfOf(stacks, name = (frame) => frame) {
	const sums = new Map();
	for (const [stack, n] of stacks)
		add(sums, name(stack.slice(stack.lastIndexOf(';') + 1)), n);
	return sums;
}

// "fib /srv/app.js:5:13" is called "fib" where the place is separate, and what has no name nothing.
function withoutPlace(frame) {
	const js = /^(.*?)(?:^| )(?:\/|node:|file:)\S*:\d+(?::\d+)?$/;
	return frame.replace(js, (_, name) => name === '(anonymous)' ? '' : name);
}

function assertSame(got, expected) {
	const all = new Set([...got.keys(), ...expected.keys()]);
	const wrong = [...all].filter((key) => (got.get(key) ?? 0) !== (expected.get(key) ?? 0));
	if (!expected.size || wrong.length)
		throw new Error(wrong.slice(0, 5).map((key) =>
			`${key}: ${got.get(key)}, not ${expected.get(key)}`).join('\n') || 'nothing');
}

const tests = [];
globalThis.test = (name, needs, body) => tests.push({ name, needs, body });
globalThis.readers = { find, add, readFolded, selfOf, withoutPlace, assertSame };
for (const file of files)
	await import(pathToFileURL(resolve(file)));

const made = makeAll();
let failed = 0;
for (const { name, needs, body } of tests) {
	const missing = needs.filter((what) => !find(what));
	if (missing.length) {
		console.log(`ok - ${name} # SKIP needs ${missing.join(', ')}`);
		continue;
	}
	try {
		await body(made);
		console.log('ok - ' + name);
	} catch (error) {
		failed++;
		console.log('not ok - ' + name + '\n' + error.stack.replace(/^/gm, '# '));
	}
}
rmSync(folder, { recursive: true });
console.log(`1..${tests.length}`);
process.exit(failed ? 1 : 0);
