// run.mjs PERFOLD CHROMIUM TEST...: runs the tests one after the other, each in a page of its own.
// A test file calls test(name, async ({ page, perfold, folder }) => ...) for each test it has.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium.mjs';

const [program, chromium, ...files] = process.argv.slice(2);
const folder = process.env.KEEP ?? mkdtempSync(join(tmpdir(), 'perfold-pictures-'));
const tests = [];
let failed = 0;

// What the command line makes of folded stacks.
function perfold(input, ...options) {
	execFileSync(resolve(program), ['-q', '--from', 'folded', ...options, '-'], { input, cwd: folder });
}

// ONLY: an expression for the names of the tests that are wanted.
const only = new RegExp(process.env.ONLY ?? '');
globalThis.test = (name, body) => only.test(name) && tests.push({ name, body });
for (const file of files)
	await import(pathToFileURL(resolve(file)));

mkdirSync(folder, { recursive: true });
const browser = new Chromium(chromium);
for (const { name, body } of tests) {
	try {
		const page = await browser.page();
		await body({ page, perfold, folder });
		if (page.errors.length)
			throw new Error('console: ' + page.errors.join('\n'));
		await browser.send('Target.closeTarget', { targetId: page.targetId });
		console.log('ok - ' + name);
	} catch (error) {
		failed++;
		console.log('not ok - ' + name + '\n' + error.stack.replace(/^/gm, '# '));
	}
}
await browser.close();
if (!process.env.KEEP)
	rmSync(folder, { recursive: true });
console.log(`1..${tests.length}`);
process.exit(failed ? 1 : 0);
