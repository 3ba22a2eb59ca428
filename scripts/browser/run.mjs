// run.mjs PERFOLD CHROMIUM FIREFOX TEST...: runs the tests one after the other, each in a page of
// its own; FIREFOX is empty where there is none. A test file calls test(name, body) for each test it
// has, inBoth(name, body) for those of what may differ between browsers, which are then made in
// Firefox, too; body is async ({ page, perfold, folder }) => ...
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium.mjs';
import { Firefox } from './firefox.mjs';

const [program, chromium, firefox, ...files] = process.argv.slice(2);
const folder = process.env.KEEP ?? mkdtempSync(join(tmpdir(), 'perfold-pictures-'));
const tests = [];
let made = 0, failed = 0;

// What the command line makes of folded stacks.
function perfold(input, ...options) {
	execFileSync(resolve(program), ['-q', '--from', 'folded', ...options, '-'], { input, cwd: folder });
}

// ONLY: an expression for the names of the tests that are wanted.
const only = new RegExp(process.env.ONLY ?? '');
globalThis.test = (name, body, both = false) => only.test(name) && tests.push({ name, body, both });
globalThis.inBoth = (name, body) => test(name, body, true);
for (const file of files)
	await import(pathToFileURL(resolve(file)));

async function make(browser, { name, body }) {
	made++;
	try {
		const page = await browser.page();
		await body({ page, perfold, folder });
		if (page.errors.length)
			throw new Error('console: ' + page.errors.join('\n'));
		await browser.closePage(page);
		console.log('ok - ' + name);
	} catch (error) {
		failed++;
		console.log('not ok - ' + name + '\n' + error.stack.replace(/^/gm, '# '));
	}
}

async function makeAll(start, list) {
	const browser = list.length ? await start() : null;
	for (const one of list)
		await make(browser, one);
	await browser?.close();
}

const inFirefox = tests.filter((one) => one.both)
	.map(({ name, body }) => ({ name: 'Firefox: ' + name, body }));

mkdirSync(folder, { recursive: true });
await makeAll(async () => new Chromium(chromium), tests);
if (firefox)
	await makeAll(() => Firefox.start(firefox), inFirefox);
else
	for (const { name } of inFirefox) {
		made++;
		console.log(`ok - ${name} # SKIP there is no firefox-esr`);
	}
if (!process.env.KEEP)
	rmSync(folder, { recursive: true });
console.log(`1..${made}`);
process.exit(failed ? 1 : 0);
