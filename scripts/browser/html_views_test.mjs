// The views of a report, and how they look.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
	FOLDED, recording, report, timed, boxes, text, press, rows, click, pick, share, fits, test_at, in_both_at,
	address
} from './html_page.mjs';

test_at('frames are where their weight says, the heaviest first', async (t) => {
	await report(t, 'plain', FOLDED);
	const f = await boxes(t.page);
	share(f.all, 1, 'all');
	share(f.server, .75, 'server');
	share(f.worker, .25, 'worker');
	share(f.ext4_read, .3, 'ext4_read');
	assert.equal(f.server.left, 0);
	assert.ok(f.server.y > f.all.y && f.main.y > f.server.y);
	assert.equal(await text(t.page, 'title'), 'standard input');
	assert.match(await text(t.page, 'subtitle'), /100 samples/);
	assert.ok(await fits(t.page));
});

test_at('light and dark', async (t, width) => {
	await timed(t, 'colors');
	const paper = () => t.page.run(() => Math.max(...getComputedStyle(document.body)
		.backgroundColor.match(/\d+/g).map(Number)));
	for (const dark of [false, true]) {
		await t.page.dark(dark);
		await t.page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
		assert.ok(dark ? await paper() < 60 : await paper() > 230, `dark: ${dark}, ${await paper()}`);
		for (const view of ['flame', 'time', 'reversed', 'sandwich', 'table']) {
			await press(t.page, `view-${view}`);
			assert.ok(await fits(t.page), view);
			await t.page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
			await t.page.screenshot(join(t.folder,
				`html-${view}-${width}${dark ? '-dark' : ''}.png`));
		}
	}
	await press(t.page, 'theme');
	assert.ok(await paper() > 230);
});

test_at('frames too small to be drawn are counted, and come with a zoom', async (t) => {
	const many = Array.from({ length: 5000 }, (x, i) => `app;many;f${i} 1`).join('\n');
	await report(t, 'small', `app;big 20000\n${many}\n`);
	assert.ok('(5,000 small)' in await boxes(t.page));
	await t.page.run('app.flames[0].zoomTo(20000, 20050)');
	const f = await boxes(t.page);
	assert.equal(Object.keys(f).filter((name) => /^f\d+$/.test(name)).length >= 50, true);
	share(f.f0 ?? Object.values(f).find((b) => b.level === 3), 1 / 50, 'a small one');
});

test_at('reversed: functions that were sampled, then their callers', async (t) => {
	await report(t, 'reversed', FOLDED);
	await press(t.page, 'view-reversed');
	const f = await boxes(t.page);
	share(f.ext4_read, .3, 'ext4_read');
	share(f.vfs_read, .3, 'vfs_read');
	assert.equal(f.ext4_read.level, 1);
	assert.equal(f.vfs_read.level, 2);
	assert.equal(f.server.level, 5);
});

in_both_at('the table sorts and filters', async (t) => {
	await report(t, 'table', FOLDED);
	await press(t.page, 'view-table');
	let r = await rows(t.page);
	assert.deepEqual(r[0].slice(0, 5), ['30', '30.00 %', '30', '30.00 %', 'ext4_read']);
	await t.page.run(() => document.querySelector('th[data-key="total"] button').click());
	r = await rows(t.page);
	assert.deepEqual(r[0].slice(0, 5), ['0', '0.00 %', '95', '95.00 %', 'main']);
	const recursive = r.find((row) => row[4] === 'parse_text');
	assert.deepEqual(recursive.slice(0, 4), ['10', '10.00 %', '10', '10.00 %']);
	assert.equal(await t.page.run('document.querySelector("thead").textContent'),
		'Self samplesSelf %Total samples ↓Total %FunctionModule');
	assert.equal(await t.page.run(() =>
		document.querySelector('th[data-key="total"]').getAttribute('aria-sort')), 'descending');
	await t.page.run(() => {
		const input = document.querySelector('.tools input');
		input.value = 'EXT4';
		input.dispatchEvent(new Event('input'));
	});
	assert.deepEqual((await rows(t.page)).map((row) => row[4]), ['ext4_read', 'ext4_write']);
});

test_at('sandwich: who called a function, and what it called', async (t) => {
	await report(t, 'sandwich', FOLDED);
	await click(t.page, 'read');
	await press(t.page, 'do-sandwich');
	const callers = await boxes(t.page, 0), callees = await boxes(t.page, 1);
	share(callers.read, 1, 'read');
	share(callers.server, 1, 'server');
	assert.ok(callers.main.y < callers.read.y);
	share(callees.vfs_read, 1, 'vfs_read');
	share(callees.ext4_read, .75, 'ext4_read');
	assert.ok(callees.vfs_read.y > callees.read.y);
	assert.match(await address(t.page), /view=sandwich&function=read/);
});

test_at('main is called by both, and called all', async (t) => {
	await report(t, 'both', FOLDED);
	await t.page.run(() => app.openSandwich(app.model.frames.findIndex((f) => f.name === 'main')));
	const callers = await boxes(t.page, 0), callees = await boxes(t.page, 1);
	share(callers.server, 70 / 95, 'server');
	share(callers.worker, 25 / 95, 'worker');
	share(callees.read, 40 / 95, 'read');
});

test_at('roles and names are there for who cannot see', async (t) => {
	await timed(t, 'roles');
	await press(t.page, 'filters-button');
	for (const view of ['flame', 'time', 'reversed', 'sandwich', 'table']) {
		await press(t.page, `view-${view}`);
		const { nodes } = await t.page.send('Accessibility.getFullAXTree');
		const bare = nodes.filter((n) => !n.ignored && ['button', 'combobox', 'textbox', 'searchbox',
			'tab', 'application'].includes(n.role?.value) && !n.name?.value);
		assert.deepEqual(bare.map((n) => n.role.value), [], view);
		const tab = nodes.find((n) => n.role?.value === 'tab' &&
			n.properties?.some((p) => p.name === 'selected' && p.value.value));
		assert.ok(tab, view);
		const flip = nodes.find((n) => n.role?.value === 'button' && n.name?.value === 'Root at the bottom');
		assert.ok(flip || ['sandwich', 'table'].includes(view), view);
	}
	assert.equal(await t.page.run(() =>
		document.querySelector('table').getAttribute('aria-rowcount')), '6');
});

test_at('categories can be faded', async (t) => {
	await report(t, 'legend', FOLDED);
	await pick(t.page, 'choose-color', 'by category');
	await t.page.run('app.showLegend()');
	const before = (await boxes(t.page)).read.color;
	await t.page.run('document.querySelector("#legend button").click()');
	assert.notDeepEqual((await boxes(t.page)).read.color, before);
	await pick(t.page, 'choose-color', 'by name');
});

test('html: --reverse and --flamechart say which view comes first', async (t) => {
	await report(t, 'first', FOLDED, '--reverse');
	assert.equal(await t.page.run('app.view'), 'reversed');
	await report(t, 'first-time', recording(), '--from', 'perf-script', '--flamechart');
	assert.ok('parse' in await boxes(t.page));
	assert.equal(await t.page.run('app.view'), 'time');
});

test('html: a function of several tiers has a colour between theirs', async (t) => {
	await report(t, 'tiers', ['main;JS:~fib /srv/app.js:5:13 30', 'main;JS:*fib /srv/app.js:5:13 90',
		'main;native 10'].join('\n') + '\n');
	await t.page.run(() => {
		const select = document.querySelector('#choose-color select');
		select.value = 'tier';
		select.onchange();
	});
	const f = await boxes(t.page);
	assert.deepEqual(f['fib /srv/app.js:5:13'].color, [130, 168, 134]);
	assert.deepEqual(f.native.color, [207, 207, 203]);
	await t.page.run('app.showLegend()');
	assert.equal(await t.page.run(`getComputedStyle(document.querySelector('#legend .swatch')).backgroundColor`),
		'rgb(98, 181, 143)', 'TurboFan alone');
	await t.page.moveTo(f['fib /srv/app.js:5:13']);
	assert.match(await t.page.run('document.body.textContent'), /TurboFan 75%, interpreted 25%/);
	await t.page.screenshot(join(t.folder, 'html-tiers.png'));
});

test('html: the root goes to the bottom where it is wanted', async (t) => {
	await report(t, 'flip', FOLDED);
	await press(t.page, 'flip');
	const f = await boxes(t.page);
	assert.ok(f.all.y > f.server.y && f.server.y > f.main.y);
	await t.page.run('app.flames[0].canvas.focus()');
	await t.page.key('ArrowUp', 38);
	await t.page.key('ArrowUp', 38);
	assert.match(await text(t.page, 'spoken'), /^server /);
});

const legend = (page) => page.run(() => (app.showLegend(), [...document.querySelectorAll('#legend button')].map((b) =>
	[b.textContent.replace(/ [\d.]+ %$/, ''), b.querySelector('.swatch').style.background])));

inBoth('html: the legend has the colours of the frames, whatever they are by', async (t) => {
	await timed(t, 'legend-colors');
	for (const by of ['by category', 'by module']) {
		await pick(t.page, 'choose-color', by);
		const f = await boxes(t.page), named = new Map(await legend(t.page));
		const [key] = by === 'by module' ? ['main'] : [...named.keys()];
		// Neighbours differ a little.
		const near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) <= 0.08 * b[i] + 1);
		assert.ok(near(f.main.color, named.get(key).match(/\d+/g).map(Number)), by);
	}
	assert.deepEqual((await legend(t.page)).map(([key]) => key).sort(), ['main', 'other']);
	await pick(t.page, 'choose-color', 'by name');
	assert.deepEqual(await legend(t.page), []);
});

inBoth('html: a click on the legend fades one, with Shift all others', async (t) => {
	await timed(t, 'legend-only');
	await pick(t.page, 'choose-color', 'by module');
	const before = await boxes(t.page);
	const click = (key, shiftKey) => t.page.run((k, s) => [...document.querySelectorAll('#legend button')]
		.find((b) => b.dataset.key === k).dispatchEvent(new MouseEvent('click', { shiftKey: s })), key, shiftKey);
	await click('main', true);
	let f = await boxes(t.page);
	assert.deepEqual(f.main.color, before.main.color);
	assert.notDeepEqual(f.read.color, before.read.color);
	await click('main', true);
	assert.deepEqual((await boxes(t.page)).read.color, before.read.color);
	await click('main', false);
	f = await boxes(t.page);
	assert.notDeepEqual(f.main.color, before.main.color);
	assert.deepEqual(f.read.color, before.read.color);
});

test('html: labels can be read on what they are written on', async (t) => {
	await report(t, 'contrast', FOLDED);
	for (const dark of [false, true]) {
		await t.page.dark(dark);
		const worst = await t.page.run(() => {
			const { looks } = app;
			const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
			const of = (css) => luminance(css.startsWith('#') ? parseInt(css.slice(1), 16) :
				css.match(/\d+/g).reduce((all, v) => all << 8 | v, 0));
			const pairs = [[looks.match, '#ffffff'], [looks.smallColor, looks.all.ink]];
			for (const category of [0x2a62ad, 0xb3361f, 0xe0806a, 0x3c5a99])
				pairs.push(((l) => [l.fill, l.ink])(looks.look({ name: '', category: '',
					categoryColor: category }, 0)));
			return Math.min(...pairs.map(([fill, ink]) => ratio(of(fill), of(ink))));
		});
		assert.ok(worst >= 4.5, `dark ${dark}: ${worst}`);
	}
});

inBoth('html: the table has one unit for a column, small enough to tell rows apart', async (t) => {
	await timed(t, 'table-units');
	await press(t.page, 'view-table');
	const heads = await t.page.run('[...document.querySelectorAll("thead th")].map((h) => h.textContent)');
	assert.deepEqual(heads.slice(0, 4), ['Self ms ↓', 'Self %', 'Total ms', 'Total %']);
	assert.deepEqual((await rows(t.page))[0].slice(0, 5), ['6,000.00', '50.00 %', '6,000.00', '50.00 %', 'parse_json']);
	assert.deepEqual(await t.page.run(() => [[5e9, 'nanoseconds'], [3e12, 'nanoseconds'], [900, 'nanoseconds'],
		[3e12, 'cycles'], [500, 'samples']].map((a) => columnUnit(...a).mark)), ['ms', 's', 'ns', 'G cycles', 'samples']);
});

inBoth('html: the page says what it is a profile of', async (t) => {
	await timed(t, 'headline');
	assert.equal(await text(t.page, 'title'), 'server');
	assert.equal(await t.page.run('document.title'), 'server');
	assert.match(await text(t.page, 'subtitle'), /CPU time · 12\.0 s in 600 samples/);
	await press(t.page, 'about-button');
	assert.match(await text(t.page, 'about'), /Shows\s*CPU time/);
	await report(t, 'headline-own', FOLDED, '--title', 'Mine', '--subtitle', 'of today');
	assert.equal(await text(t.page, 'title'), 'Mine');
	assert.match(await text(t.page, 'subtitle'), /^of today/);
	await report(t, 'headline-lines', 'a;b 100\na;c 186\n');
	assert.match(await text(t.page, 'subtitle'), /286 samples/);
	assert.match(await text(t.page, 'about'), /Samples\s*286/);
});

test('html: on paper it is light, as wide as the page, and has no buttons', async (t) => {
	await t.page.resize(1900, 800);
	await timed(t, 'print');
	await pick(t.page, 'choose-color', 'by category');
	await t.page.dark(true);
	await t.page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
	assert.equal(await t.page.run('isDark()'), true);
	await t.page.run('dispatchEvent(new Event("beforeprint"))');
	await t.page.send('Emulation.setEmulatedMedia', { media: 'print' });
	await t.page.resize(720, 1000);
	const paper = await t.page.run(() => {
		const shown = (e) => e.getClientRects().length > 0;
		const canvas = document.querySelector('.printed canvas').getBoundingClientRect();
		return { dark: isDark(), wide: canvas.left >= 0 && canvas.right <= innerWidth,
			buttons: [...document.querySelectorAll('button')].filter(shown).every((b) => b.closest('#legend')),
			legend: shown(document.querySelector('#legend button')), title: shown(document.getElementById('title')),
			scroller: shown(document.querySelector('.scroller')) };
	});
	assert.deepEqual(paper, { dark: false, wide: true, buttons: true, legend: true, title: true, scroller: false });
	const { data } = await t.page.send('Page.printToPDF', { preferCSSPageSize: true });
	assert.match(Buffer.from(data, 'base64').toString('latin1'), /^%PDF/);
	await t.page.run('dispatchEvent(new Event("afterprint"))');
	assert.equal(await t.page.run('document.querySelectorAll(".printed").length'), 0);
});

test('html: on a phone, what is touched is described where it can be seen', async (t) => {
	await t.page.send('Emulation.setDeviceMetricsOverride', { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
	await t.page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
	await timed(t, 'phone');
	assert.ok(await fits(t.page));
	const { x, y } = (await boxes(t.page)).main;
	await t.page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
	await t.page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
	const sheet = await t.page.run(() => {
		const box = document.getElementById('details').getBoundingClientRect();
		return { top: box.top > 0, bottom: box.bottom <= innerHeight, height: box.height > 40,
			text: document.getElementById('details-text').textContent };
	});
	assert.ok(sheet.top && sheet.bottom && sheet.height);
	assert.match(sheet.text, /^main /);
	assert.equal(await t.page.run('document.querySelector(".tip").hidden'), true);
	await t.page.screenshot(join(t.folder, 'html-phone.png'));
});

// The letters after the names say what a frame is of; one category alone tells nothing.
inBoth('html: folded stacks have colours, by category where they are of several', async (t) => {
	await report(t, 'folded-colours', 'app;main;read_[k] 30\napp;main;parse_[j] 30\napp;main;sort 40\n');
	let f = await boxes(t.page);
	assert.notDeepEqual(f.read.color, f.parse.color);
	assert.notDeepEqual(f.parse.color, f.sort.color);
	assert.match(await text(t.page, 'legend'), /kernel 30.00 %/);
	await report(t, 'folded-packages', 'app;net::read 30\napp;net::parse 30\napp;db::get 40\n');
	f = await boxes(t.page);
	assert.notDeepEqual(f['net::read'].color, f['db::get'].color);
	assert.match(await text(t.page, 'legend'), /^net 60.00 %\s*db 40.00 %/);
	await report(t, 'folded-one', 'app;main;read 30\napp;main;parse 30\napp;main;sort 40\n');
	f = await boxes(t.page);
	assert.notDeepEqual(f.read.color, f.parse.color);
});

test('html: a low flame graph ends where it does, with the legend below', async (t) => {
	for (const width of [1400, 390]) {
		await t.page.resize(width, 1000);
		await report(t, 'low', FOLDED);
		const [card, legend] = await t.page.run(`['.card', '#foot'].map((s) =>
			document.querySelector(s).getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom }))`);
		assert.ok(card.bottom - card.top < 200, `${card.bottom - card.top} pixels`);
		assert.ok(legend.top - card.bottom < 20 && legend.bottom < 1000);
		assert.ok(await fits(t.page));
		await press(t.page, 'view-table');
		assert.ok(await t.page.run(`document.querySelector('.card').offsetHeight > 400`));
	}
});

test('html: callers say in how many places a function is', async (t) => {
	await report(t, 'places', 'main;a;read 3\nmain;b;read 2\nmain;a 1\n');
	await press(t.page, 'view-table');
	await t.page.run(`[...document.querySelectorAll('tbody tr')].find((tr) => tr.textContent.includes('read')).click()`);
	assert.equal(await t.page.run(`document.querySelector('.stack h2').textContent`), 'Callers of read · in 2 places');
});

test('html: where a table has no room, the telling end of a name stays', async (t) => {
	const name = (i) => `acme::internal::serialization::Stringifier::step_${i}`;
	await t.page.resize(390, 844);
	await report(t, 'ends', Array.from({ length: 3 }, (x, i) => `main;${name(i)} ${10 - i}\n`).join(''));
	await press(t.page, 'view-table');
	const cells = () => t.page.run(() => [...document.querySelectorAll('tr[data-frame] td.name')].map((td) =>
		[td.textContent, td.scrollWidth - td.clientWidth, td.title]));
	assert.deepEqual((await cells()).slice(0, 3).map(([text, over, title]) => [/(^|::)step_\d$/.test(text), over, title]),
		[0, 1, 2].map((i) => [true, 0, name(i)]));
	await t.page.resize(1400, 900);
	await t.page.run('new Promise((done) => setTimeout(done, 200))');
	assert.equal((await cells())[0][0], name(0));
});
