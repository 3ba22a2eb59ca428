// Differences as SVG and as a report: colours, the lane of what is gone, texts, the table.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ready } from './html_page.mjs';
import { open as openSvg } from './svg_page.mjs';

const BEFORE = [
	'server;main;parse 1000', 'server;main;same 500', 'server;main;gone;deep 250',
	'server;main;less;x 300', 'server;main;less;y 178',
].join('\n') + '\n';
const AFTER = [
	'server;main;parse 1200', 'server;main;same 450', 'server;main;less;x 100',
	'server;main;</script><img src=x onerror="window.hit = 1"> 160',
].join('\n') + '\n';
const program = resolve(process.argv[2]);

function make(folder, name, ...options) {
	writeFileSync(join(folder, 'before.folded'), BEFORE);
	writeFileSync(join(folder, 'after.folded'), AFTER);
	execFileSync(program, ['diff', '-q', 'before.folded', 'after.folded', ...options, '-o', name],
		{ cwd: folder });
	return pathToFileURL(join(folder, name)).href;
}

// name -> [{ left, width, fill }], of the frames in sight.
function frames(page) {
	return page.run(() => {
		const all = {};
		for (const g of document.querySelectorAll('#frames > g[aria-label]')) {
			const rect = g.querySelector('rect'), box = rect.getBoundingClientRect();
			const name = g.getAttribute('aria-label').replace(/, (before|[0-9,]+ samples).*/, '');
			if (getComputedStyle(g).display !== 'none')
				(all[name] ??= []).push({ left: box.left,
					y: box.top + box.height / 2, width: box.width,
					fill: getComputedStyle(rect).fill });
		}
		return all;
	});
}

const rgb = (fill) => fill.match(/\d+/g).map(Number);
const isRed = (box) => rgb(box.fill)[0] > rgb(box.fill)[2] + 30;
const isBlue = (box) => rgb(box.fill)[2] > rgb(box.fill)[0] + 30;
const isGrey = (box) => !isRed(box) && !isBlue(box);

test('a difference colours each node by its own change', async ({ page, folder }) => {
	await openSvg(page, make(folder, 'diff.svg'));
	const all = await frames(page);
	assert(isRed(all.parse[0]), 'more is red');
	assert(isBlue(all.less[0]) && isBlue(all.x[0]), 'less is blue, callers of less too');
	assert(isGrey(all.same[0]) && isGrey(all.main[0]), 'no clear change is grey');
});

test('what is gone is in a lane at the right, on its callers', async ({ page, folder }) => {
	await openSvg(page, make(folder, 'diff.svg'));
	const all = await frames(page), lane = all['▸ gone: was there before'][0];
	assert(lane.left > all.server[0].left + all.server[0].width - 1);
	assert(isBlue(all.gone[0]) && isBlue(all.deep[0]) && isBlue(all.y[0]));
	assert(all.gone[0].left >= lane.left - 1);
	assert.equal(all.main.length, 2);
	// 250 of 2228 before are as wide as that part of 1910 after.
	const scale = all.server[0].width / 1910;
	assert(Math.abs(all.gone[0].width - 250 * 1910 / 2228 * scale) < 2);
});

test('by --widths before, the lane has what is new', async ({ page, folder }) => {
	await openSvg(page, make(folder, 'before.svg', '--widths', 'before'));
	const all = await frames(page);
	assert(all['▸ new: was not there before']);
	assert(isBlue(all.gone[0]) && all.gone[0].width > 50);
	const added = Object.keys(all).find((name) => name.includes('onerror'));
	assert(isRed(all[added][0]));
	assert.equal(await page.run('window.hit'), undefined);
});

test('a frame of a difference shows both sides', async ({ page, folder }) => {
	await openSvg(page, make(folder, 'diff.svg'));
	const text = await page.run(() => {
		const g = [...document.querySelectorAll('#frames > g')]
			.find((one) => one.getAttribute('aria-label')?.startsWith('parse, before 44.88%'));
		const box = g.querySelector('rect').getBoundingClientRect();
		g.querySelector('rect').dispatchEvent(new PointerEvent('pointermove',
			{ bubbles: true, clientX: box.left + 5, clientY: box.top + 5 }));
		return document.querySelector('.tip').textContent;
	});
	assert.match(text, /before 44\.88%, after 62\.83%: \+17\.94 points, 1\.40 times/);
});

test('callers are no view of a difference', async ({ page, folder }) => {
	await openSvg(page, make(folder, 'diff.svg'));
	assert.equal(await page.run('document.getElementById("reverse").hidden'), true);
});

test('a report of a difference has a table of changes', async ({ page, folder }) => {
	const url = make(folder, 'diff.html');
	assert.doesNotMatch(readFileSync(fileURLToPath(url), 'utf8'),
		/role="tab" id="view-(?!flame)[^>]*(?<! hidden)>/); // until it is known which there are
	await page.open(url);
	await ready(page);
	const tabs = await page.run(() => [...document.querySelectorAll('#views [role=tab]')]
		.filter((tab) => tab.offsetParent).map((tab) => tab.textContent));
	assert.deepEqual(tabs, ['Flame graph', 'Changes']);
	await page.run('document.getElementById("view-changes").click()');
	const rows = await page.run(() => [...document.querySelectorAll('.changes tbody tr')]
		.map((tr) => [...tr.children].map((td) => td.textContent)));
	const row = (name) => rows.find((r) => r[6] === name);
	assert.deepEqual(row('parse').slice(3, 6), ['44.88 %', '62.83 %', '+17.94 pp']);
	assert.deepEqual(row('gone').slice(3, 6), ['11.22 %', '–', '−11.22 pp']);
	assert.deepEqual(row('deep').slice(0, 3), ['11.22 %', '–', '−11.22 pp']);
	assert(row('</script><img src=x onerror="window.hit = 1">'));
	assert.equal(await page.run('window.hit'), undefined);
	assert.equal(await page.run(() => document.querySelector('.changes tbody .grown') !== null),
		true);
});

inBoth('a row of the changes leads to the heaviest place of the function', async ({ page, folder }) => {
	await page.open(make(folder, 'diff-open.html'));
	await ready(page);
	const opened = (name) => page.run((wanted) => {
		app.setView('changes');
		[...document.querySelectorAll('.changes tbody tr')].find((tr) =>
			tr.dataset.name === wanted).click();
		const [flame] = app.flames;
		return [app.view, flame.name(flame.focused), flame.zoomed, ...app.zooms.flame];
	}, name);
	assert.deepEqual(await opened('x'), ['flame', 'x', true, 'server', 'main', 'less', 'x']);
	const gone = await opened('deep');
	assert.deepEqual(gone.slice(0, 3), ['flame', 'deep', true]);
	assert.match(gone[3], /gone/);
});

inBoth('a report of a difference names both sides, with the samples of each', async ({ page, folder }) => {
	await page.open(make(folder, 'diff-names.html'));
	await ready(page);
	const of = (id) => page.run((i) => document.getElementById(i).textContent, id);
	assert.equal(await of('title'), 'before.folded → after.folded');
	assert.match(await of('subtitle'), /2,228 samples → 1,910 samples/);
	assert.match(await of('legend'), /red: more than before, blue: less/);
	assert.match(await of('about'), /before\.folded → after\.folded/);
	assert.doesNotMatch(await of('about'), /Samples\s*0/);
	assert.match(await of('about'), /Source\s*none in a difference/);
});

test('the colours of a difference are called by what they say', async ({ page, folder }) => {
	await openSvg(page, make(folder, 'colours.svg'));
	const chosen = (select) => page.run((s) => document.querySelector(s).selectedOptions[0].textContent, select);
	assert.equal(await chosen('#colors'), 'change');
	await page.open(make(folder, 'colours.html'));
	await ready(page);
	assert.equal(await chosen('#choose-color select'), 'by change');
});

test('labels of a report of a difference have one colour on one colour', async ({ page, folder }) => {
	await page.open(make(folder, 'diff-ink.html'));
	await ready(page);
	const mixed = await page.run(() => {
		const inks = new Map();
		app.model.frames.forEach((frame, i) => {
			const of = inks.get(frame.categoryColor) ?? new Set();
			inks.set(frame.categoryColor, of.add(app.looks.of(i).ink + app.looks.of(i).fill));
		});
		return [...inks.values()].filter((all) => all.size > 1).length;
	});
	assert.equal(mixed, 0);
	await page.run('app.flames[0].focus(app.flames[0].source.boxOf(1))');
	await page.key('s', 83);
	assert.equal(await page.run('app.view'), 'flame');
});
