// In headless Chromium: the speedscope app, and the Performance panel of DevTools that Chromium has.
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Chromium } from '../browser/chromium.mjs';

const { find } = readers;
const WAIT_MS = 30000;

async function withPage(flags, body) {
	const browser = new Chromium(find('chromium'), ...flags);
	try {
		return await body(await browser.page(1400, 900), browser);
	} finally {
		await browser.close();
	}
}

async function until(what, ask) {
	for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
		const answer = await ask();
		if (answer)
			return answer;
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
	throw new Error(what + ' did not come');
}

// ---- speedscope ----

// As the command `speedscope FILE` opens it: a script beside the page brings the file.
async function speedscope(made, page, name, content) {
	const script = join(made.folder, name + '.js');
	writeFileSync(script, 'speedscope.loadFileFromBase64(' + JSON.stringify(name) + ', ' +
		JSON.stringify(content.toString('base64')) + ')');
	await page.open(pathToFileURL(join(find('speedscope'), 'dist/release/index.html')).href +
		'#localProfilePath=' + script);
	return () => page.run('document.body.innerText');
}

// "531.49ms", as speedscope writes nanoseconds.
const shown = (ns) => ns >= 1e9 ? (ns / 1e9).toFixed(2) + 's' : ns >= 1e6 ? (ns / 1e6).toFixed(2) + 'ms' :
	(ns / 1e3).toFixed(2) + '\u00b5s';

// The functions of the busiest thread that cost most, from the file itself: totals_test.c holds it
// against folded stacks.
function costliest(path) {
	const { shared, profiles } = JSON.parse(readFileSync(path));
	const sums = new Map();
	profiles[0].samples.forEach((stack, i) => {
		if (stack.length)
			readers.add(sums, stack.at(-1), profiles[0].weights[i]);
	});
	return [...sums].sort((a, b) => b[1] - a[1]).slice(0, 5)
		.map(([frame, ns]) => [shared.frames[frame].name, shown(ns)]);
}

test('speedscope shows the functions that cost most, with their costs', ['speedscope', 'chromium'],
	(made) => withPage(['--allow-file-access-from-files'], async (page) => {
		const text = await speedscope(made, page, 'all.speedscope.json',
			readFileSync(made.file('speedscope.json')));
		await until('the profile', async () => (await text()).includes('(1/5)'));
		await page.run(() => [...document.querySelectorAll('div')]
			.find((e) => !e.querySelector('div') && /Sandwich/.test(e.innerText)).click());
		// Its rows come after its head.
		for (const cell of costliest(made.file('speedscope.json')).flat())
			await until(cell, async () => (await text()).includes(cell));
		assert.deepEqual(page.errors, []);
	}));

const ours = (format) => [format, (made) => made.file(format)];
const PROFILES = [ours('cpuprofile'), ours('trace.json'), ['what Node.js writes', (made) => made.nodes]];

for (const [what, path] of PROFILES)
	test('speedscope takes ' + what, ['speedscope', 'chromium'],
		(made) => withPage(['--allow-file-access-from-files'], async (page) => {
			const text = await speedscope(made, page, basename(path(made)), readFileSync(path(made)));
			await until('the profile', async () => /Left Heavy/.test(await text()) &&
				!/Loading/.test(await text()) && !/drag and drop/i.test(await text()));
			assert.deepEqual(page.errors, []);
		}));

// ---- the Performance panel ----

// Elements are in trees within trees.
const SEARCH = `function search(node, fits) {
	const all = [...node.children ?? []];
	if (node.shadowRoot)
		all.push(...node.shadowRoot.children);
	for (const child of all) {
		const found = fits(child) ? child : search(child, fits);
		if (found)
			return found;
	}
	return null;
}`;

const TEXT = `function text(node) {
	if (node.nodeType === Node.TEXT_NODE)
		return node.data.trim() ? node.data + ' | ' : '';
	if (/^(STYLE|SCRIPT)$/.test(node.tagName))
		return '';
	return [...node.shadowRoot?.childNodes ?? [], ...node.childNodes].map(text).join('');
}`;

async function panel(page, browser, file) {
	const base = '127.0.0.1:' + await browser.port();
	const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
	await page.send('Page.bringToFront'); // a page behind another draws nothing
	await page.open(`http://${base}/devtools/devtools_app.html?panel=timeline&ws=${base}/devtools/page/${targetId}`);
	const input = await until('the panel', async () => (await page.send('Runtime.evaluate', {
		expression: `(${SEARCH})(document.body, (e) => e.tagName === 'INPUT' && e.type === 'file')`,
	})).result.objectId);
	await until('its button', () => page.run(`!!(${SEARCH})(document.body,
		(e) => /^load (profile|trace)/i.test(e.getAttribute('aria-label') ?? e.title ?? ''))`));
	await page.send('DOM.setFileInputFiles', { files: [file], objectId: input });
	return () => page.run(`(${TEXT})(document.body)`);
}

const REJECTED = /malformed timeline data|could not be loaded|failed to (load|parse)|unexpected end/i;
// An accepted but unusable file shows no ruler.
const RULER = /\d\sms \| [\d,]+\sms \| [\d,]+\sms/;

for (const [what, path] of PROFILES)
	test('the Performance panel draws ' + what, ['chromium'],
		(made) => withPage(['--remote-debugging-port=0', '--remote-allow-origins=*'],
			async (page, browser) => {
				const text = await panel(page, browser, path(made));
				const end = await until('the picture', async () => {
					const all = await text();
					return (RULER.test(all) || REJECTED.test(all)) && all;
				});
				assert.doesNotMatch(end, REJECTED);
			}));

test('the Performance panel draws nothing of a damaged file', ['chromium'],
	(made) => withPage(['--remote-debugging-port=0', '--remote-allow-origins=*'],
		async (page, browser) => {
			const cut = join(made.folder, 'cut.cpuprofile');
			writeFileSync(cut, readFileSync(made.file('cpuprofile')).subarray(0, 9000));
			const text = await panel(page, browser, cut);
			await new Promise((resolve) => setTimeout(resolve, 6000));
			assert.doesNotMatch(await text(), RULER);
		}));
