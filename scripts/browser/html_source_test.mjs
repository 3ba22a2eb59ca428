// The Source view of a report. testdata/output/html-source is a recording of C++ with inlined
// functions: main() calls step() and mix(); step() has vec::dot() and vec::scale() inlined, and
// calls mix().
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FOLDED, address, report, ready, boxes, click, text, press, fits, test_at, in_both_at } from './html_page.mjs';

const CASE = resolve('testdata/output/html-source');
const DOT = 'vec<unsigned int, 32>::dot', SCALE = 'vec<unsigned int, 32>::scale';

const vectors = (t, name, ...options) => report(t, name, readFileSync(join(CASE, 'input.perf.data')),
	'--from', 'perf.data', '--symfs', join(CASE, 'root'), '--source-dir', join(CASE, 'src'), ...options);

// A function's view, made.
async function open(page, name, more = '') {
	await page.run((hash) => { location.hash = hash; }, `view=source&function=${encodeURIComponent(name)}${more}`);
	await made(page);
}

const made = (page) => page.run(`new Promise((resolve, reject) => {
	let left = 200;
	const look = () => app.table?.text?.rows.length && document.querySelector('.source .line') ? resolve()
		: left-- ? setTimeout(look, 25) : reject(new Error('no source'));
	setTimeout(look, 25);
})`);

// [kind, self, total, line, text] of the rows in sight.
const lines = (page, pane = '') => page.run((p) => [...document.querySelectorAll(`.pane${p} .line`)].map((row) =>
	[row.className.replace(/^line is-(\w+).*/, '$1'), ...[...row.children].map((cell) => cell.textContent.trim())]), pane || ':not(.code)');
const name = (page) => page.run('app.table.fn.name');
const lit = (page, pane) => page.run((p) => app.table[p].rows.filter((row) => row.lit).map((row) => row.line), pane);
const find = (page, pane, kind, line) => page.run((p, k, l) =>
	app.table[p].rows.findIndex((row) => row.kind === k && row.line === l), pane, kind, line);
const choose = (page, pane, row) => page.run((p, r) => app.table[p].choose(r), pane, row);

in_both_at('source: lines say what they cost by themselves and in total', async (t) => {
	await vectors(t, 'source');
	await open(t.page, 'step');
	const all = await lines(t.page);
	const at = (line) => all.find(([kind, , , number]) => kind === 'line' && number === String(line));
	assert.equal(at(18)[4], 'sum += a.dot(b);');
	const [self, total] = await t.page.run(() => ['self', 'total'].map((key) =>
		app.table.fn.files[0].costs.get(18)[key] / app.source.sources.whole * 100));
	assert.equal(at(18)[1], self ? self.toFixed(2) : '');
	assert.equal(at(18)[2], total.toFixed(2));
	assert.match(all[0][1], /^\/src\/main\.cpp/); // which file it is, above the lines
	// The lines of a function cost together what it costs.
	for (let i = 0; i < await t.page.run('app.source.sources.length'); i++)
		assert.ok(await t.page.run((n) => {
			const fn = app.source.sources.at(n);
			return fn.files.reduce((sum, file) => sum + file.self, 0) === fn.cost.self;
		}, i));
	assert.ok(await fits(t.page));
});

in_both_at('source: inlined functions open in place, and links and Back know it', async (t) => {
	const url = await vectors(t, 'source-inlined');
	await open(t.page, 'step');
	const before = (await lines(t.page)).length;
	await t.page.run(() => [...document.querySelectorAll('.line button')]
		.find((b) => b.textContent.includes('inlined vec<unsigned int, 32>::dot')).click());
	const rows = await lines(t.page);
	assert.ok(rows.length > before);
	assert.ok(rows.some(([, , , line, text_]) => line === '9' && text_ === 'sum += v[i] * o.v[i];'));
	const hash = await address(t.page);
	assert.match(hash, /open=18%20vec/);
	await t.page.open('about:blank');
	await t.page.open(url + hash);
	await ready(t.page);
	await made(t.page);
	assert.deepEqual(await lines(t.page), rows);
	await t.page.run(() => [...document.querySelectorAll('.line button')]
		.find((b) => b.getAttribute('aria-label') === 'To vec<unsigned int, 32>::scale').click());
	await made(t.page);
	assert.equal(await name(t.page), SCALE);
	await t.page.run('history.back()');
	await t.page.run('new Promise((r) => setTimeout(r, 300))');
	await made(t.page);
	assert.equal(await name(t.page), 'step');
	assert.deepEqual(await lines(t.page), rows);
});

in_both_at('source: lines lead to callees, and functions to their callers', async (t) => {
	await vectors(t, 'source-calls');
	await open(t.page, 'main');
	await t.page.run(() => [...document.querySelectorAll('.is-call button')]
		.find((b) => b.textContent === '→ step').click());
	await made(t.page);
	assert.equal(await name(t.page), 'step');
	assert.match(await t.page.run('document.querySelector(".callers").textContent'), /main main\.cpp:27/);
	await t.page.run('document.querySelector(".callers button").click()');
	await made(t.page);
	assert.equal(await name(t.page), 'main');
	assert.match(await address(t.page), /function=main&line=27/);
	assert.equal(await t.page.run('app.table.chosenRow.text.trim()'), 'sink = step(i & 15);');
});

in_both_at('source: a line lights its instructions, and back', async (t, width) => {
	await vectors(t, 'source-lit');
	await open(t.page, 'step');
	// Of a line with an inlined function: what was inlined, too.
	await choose(t.page, 'text', await find(t.page, 'text', 'line', 18));
	const code = await t.page.run(() => app.table.code.rows.filter((row) => row.lit)
		.map((row) => `${row.path.split('/').pop()}:${row.line}`));
	assert.ok(code.includes('vec.h:9'), code.join());
	assert.ok(!code.includes('vec.h:16') && !code.includes('main.cpp:21'), code.join());
	const number = await t.page.run(() => app.table.code.rows.findIndex((row) => row.line === 16));
	await choose(t.page, 'code', number);
	assert.deepEqual(await lit(t.page, 'text'), [19, 19]); // the line and its call
	const chosen = await t.page.run((n) => app.table.code.rows[n].code.address(app.table.code.rows[n].i), number);
	assert.ok((await address(t.page)).includes(`address=${chosen}`));
	await t.page.run(() => app.table.focusPane('code'));
	await t.page.screenshot(join(t.folder, `html-source-${width}.png`));
	assert.ok(await fits(t.page));
	const box = await t.page.run(() => document.querySelector('.pane.code').getBoundingClientRect().width);
	const both = await t.page.run(() => document.querySelector('.pane:not(.code)').getBoundingClientRect().width > 0);
	assert.ok(box > 0);
	assert.equal(both, width > 900);
});

inBoth('html: source: jumps have arrows, each in a lane of its own', async (t) => {
	await vectors(t, 'source-jumps');
	await open(t.page, 'step');
	const jumps = await t.page.run('app.table.gutter.all');
	assert.ok(jumps.length >= 3);
	for (const a of jumps)
		for (const b of jumps)
			assert.ok(a === b || a.lane !== b.lane || a.high < b.low || b.high < a.low);
	const drawn = await t.page.run(() => {
		const { canvas, all } = app.table.gutter, jump = all[0], ratio = devicePixelRatio;
		app.table.code.box.scrollTop = jump.to * LINE_PX;
		app.table.code.draw();
		const y = ((jump.to + 0.5) * LINE_PX - app.table.code.box.scrollTop) * ratio;
		return canvas.getContext('2d').getImageData(canvas.width - 5 * ratio, y - 1, 3, 3).data
			.some((v) => v > 0);
	});
	assert.ok(drawn);
	const lanes = await t.page.run(() => jumpLanes(new Map([[0, 9], [1, 3], [2, 4], [5, 5]]))
		.map(({ from, lane }) => [from, lane]));
	assert.deepEqual(lanes, [[5, 0], [1, 0], [2, 1], [0, 2]]);
});

inBoth('html: source: from the flame graph, the table and a key', async (t) => {
	await vectors(t, 'source-ways');
	await click(t.page, 'step');
	assert.match(await text(t.page, 'details'), /Source/);
	await press(t.page, 'do-source');
	await made(t.page);
	assert.equal(await name(t.page), 'step');
	await press(t.page, 'view-flame');
	await click(t.page, 'mix');
	await t.page.key('a', 65);
	await made(t.page);
	assert.equal(await name(t.page), 'mix');
	await press(t.page, 'view-table');
	await t.page.run(() => [...document.querySelectorAll('tr')].find((tr) => tr.textContent.includes('::dot'))
		.querySelector('.to-source').click());
	await made(t.page);
	assert.equal(await name(t.page), DOT);
	await press(t.page, 'view-table');
	await t.page.run(() => app.table.choose(app.table.shown.find(({ frame }) =>
		/libc/.test(app.model.frames[frame].name)).frame, false));
	await t.page.key('a', 65);
	await t.page.run('app.table.ready');
	assert.equal(await t.page.run('app.view'), 'source');
});

inBoth('html: source: cards of frames name the hottest line, and lead there', async (t) => {
	await vectors(t, 'source-hottest');
	await t.page.moveTo((await boxes(t.page)).step);
	const card = await t.page.run('document.querySelector(".tooltip, #tooltip, [role=tooltip]")?.textContent ?? ""');
	assert.match(card, /hottest line: main\.cpp:18, 51\.80 % of it \(a: source\)/);
	await click(t.page, 'step');
	assert.equal(await text(t.page, 'do-source'), 'Source main.cpp:18');
	await press(t.page, 'do-source');
	await made(t.page);
	assert.equal(await t.page.run('app.table.chosenRow.line'), 18);
	assert.match(await address(t.page), /view=source&function=step&line=18/);
	await t.page.run('history.back()');
	await t.page.run('new Promise((r) => setTimeout(r, 300))');
	assert.equal(await t.page.run('app.view'), 'flame');
});

// What jitdumps say of lines of inlined functions is that they are the caller's.
test('html: source: generated code has the lines of what was inlined', async (t) => {
	await vectors(t, 'source-begin');
	const texts = await t.page.run(async () => {
		const sources = await app.source.sources.load(), fn = sources.at(sources.find('step'));
		const of = (begin) => new SourceRows(sources, new Set()).ofFunction(fn, begin)
			.filter(({ kind }) => kind === 'note').map((row) => row.text);
		return [of(null), of({ path: '/src/main.cpp', line: 13 }), of({ path: '/src/main.cpp', line: 20 })];
	});
	assert.deepEqual(texts, [[], [], ['It begins in line 20: lines before that are of functions inlined into it']]);
});

inBoth('html: source: keys move, and go to the hottest', async (t) => {
	await vectors(t, 'source-keys');
	await open(t.page, 'step');
	const row = () => t.page.run('app.table.chosenRow?.line');
	await t.page.key('h', 72);
	const hottest = await t.page.run(() => app.table.text.rows.filter((r) => r.cost?.self)
		.sort((a, b) => b.cost.self - a.cost.self)[0].line);
	assert.equal(await row(), hottest);
	await t.page.key('ArrowDown', 40);
	assert.ok(await row() >= hottest);
	await t.page.key('ArrowRight', 39);
	assert.ok(await t.page.run('document.activeElement === app.table.code.box'));
	await t.page.key('Home', 36);
	await t.page.key('ArrowDown', 40);
	assert.equal(await t.page.run('app.table.code.chosen'), 1);
});

inBoth('html: source: the search is in both lists', async (t) => {
	await vectors(t, 'source-search');
	await open(t.page, 'step', '&search=mix');
	const found = await t.page.run('app.table.matches().map(([list, i]) => [list === app.table.code, list.rows[i].text])');
	assert.ok(found.some(([code]) => code) && found.some(([code]) => !code), JSON.stringify(found));
	assert.equal(await text(t.page, 'search-result'), `${found.length} lines matched`);
	assert.ok(await t.page.run('document.querySelectorAll(".line mark").length') >= 2);
	await t.page.run('app.search.next(1)');
	assert.equal(await t.page.run('app.table.chosenRow.text'), found[0][1]);
	await t.page.run('app.search.next(-1)');
	assert.equal(await t.page.run('app.table.chosenRow.text'), found.at(-1)[1]);
});

inBoth('html: source: another text than what was compiled is warned of, and stays text', async (t) => {
	const folder = join(t.folder, 'changed');
	cpSync(join(CASE, 'src'), folder, { recursive: true });
	const file = join(folder, 'main.cpp');
	writeFileSync(file, readFileSync(file, 'utf8').replace('unsigned sum = 0;',
		'</script><img src=x onerror="window.hit = 1"> \u202eback\x1b[31m'));
	await report(t, 'source-hostile', readFileSync(join(CASE, 'input.perf.data')), '--from', 'perf.data',
		'--symfs', join(CASE, 'root'), '--source-dir', folder);
	await open(t.page, 'step');
	assert.match(await t.page.run('document.querySelector(".warn").textContent'), /^main\.cpp: /);
	const row = await t.page.run('app.table.text.rows.find((r) => r.line === 15).text');
	assert.equal(row, '\t</script><img src=x onerror="window.hit = 1"> \ufffdback\ufffd[31m');
	assert.equal(await t.page.run('window.hit'), undefined);
	assert.equal(await t.page.run('document.querySelectorAll("img").length'), 0);
});

inBoth('html: source: why there is no text, no code, no function', async (t) => {
	await report(t, 'source-none', readFileSync(join(CASE, 'input.perf.data')), '--from', 'perf.data',
		'--symfs', join(CASE, 'root'));
	await open(t.page, 'step');
	assert.match((await lines(t.page)).flat().join('\n'), /No text: .*--source-dir/);
	await open(t.page, DOT);
	assert.match(await t.page.run('document.querySelector(".pane.code").textContent'), /^Inlined wherever it ran/);
	assert.ok(await t.page.run(() => document.querySelector('.pane.code').getBoundingClientRect().bottom <=
		document.querySelector('.pane:not(.code)').getBoundingClientRect().top)); // where it is seen
	await t.page.run('app.source.go(-1, null, "tiny")');
	await t.page.run('app.table.ready');
	assert.match(await t.page.run('document.querySelector(".source").textContent'), /tiny has no source in this page/);
	await t.page.run('location.hash = "view=source&function=gone"');
	await t.page.run('new Promise((r) => setTimeout(r, 300))');
	assert.match(await text(t.page, 'note'), /Not in this profile: gone/);
});

inBoth('html: source: costs are of the whole recording, and say so', async (t) => {
	await vectors(t, 'source-chosen');
	await open(t.page, 'step');
	assert.equal(await t.page.run('document.querySelectorAll(".warn").length'), 0);
	await t.page.run('app.choose({ from: 0, to: 1e8 })');
	await made(t.page);
	assert.match(await t.page.run('document.querySelector(".warn").textContent'), /of the whole recording/);
	await t.page.key('Escape', 27); // ends the interval
	await made(t.page);
	assert.equal(await t.page.run('document.querySelectorAll(".warn").length'), 0);
	await t.page.run('app.rules.set("drop /mix/")');
	await made(t.page);
	assert.match(await t.page.run('document.querySelector(".warn").textContent'), /of the whole recording/);
	assert.match(await t.page.run('app.source.hottestText(app.model.frames.findIndex(({ name }) => name === "step"))'),
		/in all of the recording/);
});

test('html: source: what is between functions of one name is left out', async (t) => {
	const dir = resolve('testdata/annotate/gaps');
	await report(t, 'source-gaps', readFileSync(join(dir, 'input.perf.data.zst')),
		'--from', 'perf.data', '--symfs', join(dir, 'root'), '--source-dir', join(dir, 'src'));
	await open(t.page, 'spin');
	const rows = (await lines(t.page)).map(([kind, ...cells]) => kind === 'line' ? Number(cells[2]) : `${kind} ${cells.join('')}`);
	assert.deepEqual(rows.slice(1, -5), [5, 6, 7, 8, 9, 'note … 603 lines']);
	assert.deepEqual(rows.slice(-5), [613, 614, 615, 616, 617]);
	await t.page.screenshot(join(t.folder, 'html-source-gaps.png'));
});

test('html: source: pages without it have no such view', async (t) => {
	await report(t, 'source-folded', FOLDED);
	assert.equal(await t.page.run('document.getElementById("view-source").hidden'), true);
	await vectors(t, 'source-off', '--source-limit', '0');
	assert.equal(await t.page.run('document.getElementById("view-source").hidden'), true);
	assert.equal(await t.page.run('document.getElementById("do-source").hidden'), true);
	await vectors(t, 'source-small', '--source-limit', '100');
	await t.page.run('app.setView("source")');
	await made(t.page);
	assert.ok(await t.page.run(() => app.source.sources.raw.functions.some(({ files }) =>
		files.some(({ note = '' }) => /limit/.test(note)))));
});

test_at('source: light, dark and on paper', async (t, width) => {
	await vectors(t, 'source-looks');
	await open(t.page, 'step', '&line=18');
	for (const dark of [false, true]) {
		await t.page.dark(dark);
		await t.page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
		const worst = await t.page.run(() => {
			const of = (css) => luminance(css.match(/\d+/g).slice(0, 3).reduce((all, v) => all << 8 | v, 0));
			const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
			const ground = (e) => {
				const color = getComputedStyle(e).backgroundColor;
				return /, 0\)$/.test(color) ? ground(e.parentElement) : color;
			};
			const texts = [...document.querySelectorAll('.source .line span, .source .line b, .source button, ' +
				'.source .quiet, .heads span')].filter((e) => e.textContent.trim() && e.getClientRects().length);
			return Math.min(...texts.map((e) => ratio(of(getComputedStyle(e).color), of(ground(e)))));
		});
		assert.ok(worst >= 4.5, `dark ${dark}: ${worst}`);
		await t.page.screenshot(join(t.folder, `html-source-${width}${dark ? '-dark' : ''}.png`));
	}
	await t.page.run('dispatchEvent(new Event("beforeprint"))');
	await t.page.send('Emulation.setEmulatedMedia', { media: 'print' });
	const paper = await t.page.run(() => {
		const rows = [...document.querySelectorAll('.pane:not(.code) .line')];
		return { all: rows.length === app.table.text.rows.length, dark: isDark(),
			apart: rows.every((row, i) => !i || row.getBoundingClientRect().top >
				rows[i - 1].getBoundingClientRect().top),
			inside: rows.at(-1).getBoundingClientRect().bottom <=
				rows[0].closest('.card').getBoundingClientRect().bottom + 1 };
	});
	assert.deepEqual(paper, { all: true, dark: false, apart: true, inside: true });
	const { data } = await t.page.send('Page.printToPDF', { preferCSSPageSize: true });
	writeFileSync(join(t.folder, `html-source-${width}.pdf`), Buffer.from(data, 'base64'));
	await t.page.run('dispatchEvent(new Event("afterprint"))');
});

test('html: source: on a phone all views can be reached without scrolling', async (t) => {
	await t.page.resize(390, 844);
	await vectors(t, 'tabs');
	const tabs = await t.page.run(`[...document.querySelectorAll('#views [role=tab]:not([hidden])')].map((e) =>
		[e.textContent, e.scrollWidth - e.clientWidth, e.getBoundingClientRect().right])`);
	assert.equal(tabs.length, 6);
	for (const [name, cut, right] of tabs)
		assert.ok(cut <= 0 && right <= 390, `${name}: ${cut} cut, to ${right}`);
	assert.ok(await fits(t.page));
});
