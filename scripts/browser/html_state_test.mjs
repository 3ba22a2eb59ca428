// What the reader chooses in a report: zoom, search, keys, the address.
import assert from 'node:assert/strict';
import {
	FOLDED, ready, report, timed, boxes, text, press, rows, click, type, rules, pick, share, test_at, in_both_at,
	address
} from './html_page.mjs';

test_at('a click zooms, Escape goes back', async (t) => {
	await report(t, 'zoom', FOLDED);
	await click(t.page, 'read');
	let f = await boxes(t.page);
	for (const name of ['all', 'server', 'main', 'read', 'vfs_read'])
		share(f[name], 1, name);
	share(f.ext4_read, .75, 'ext4_read');
	assert.ok(!('parse' in f) && !('worker' in f));
	await click(t.page, 'ext4_read');
	assert.match(await text(t.page, 'details-text'),
		/^ext4_read 30 samples, 30\.00 %, 100\.00 % of what is shown/);
	await t.page.key('Escape', 27);
	share((await boxes(t.page)).ext4_read, .75, 'ext4_read');
	await t.page.key('Escape', 27);
	f = await boxes(t.page);
	share(f.ext4_read, .3, 'ext4_read');
});

test_at('a search counts no weight twice, and within what is shown', async (t) => {
	await report(t, 'search', FOLDED);
	await type(t.page, 'search-text', '^ext4_|parse');
	assert.equal(await text(t.page, 'search-result'), '85.00 % matched');
	const f = await boxes(t.page);
	assert.deepEqual(f.parse.color, [0xb0, 0x00, 0xb0]);
	assert.notDeepEqual(f.server.color, [0xb0, 0x00, 0xb0]);
	await click(t.page, 'read');
	assert.equal(await text(t.page, 'search-result'), '75.00 % matched');
	await type(t.page, 'search-text', '(');
	assert.equal(await text(t.page, 'search-result'), 'not an expression');
	await type(t.page, 'search-text', '');
	assert.equal(await text(t.page, 'search-result'), '');
});

in_both_at('a capital makes the search mind case, and so does a button', async (t) => {
	await report(t, 'case', FOLDED);
	const minds = () => t.page.run(() =>
		document.getElementById('search-case').getAttribute('aria-pressed'));
	const matched = async (value) => {
		await type(t.page, 'search-text', value);
		return [await text(t.page, 'search-result'), await minds()];
	};
	assert.deepEqual(await matched('parse_json'), ['20.00 % matched', 'false']);
	assert.deepEqual(await matched('Parse_'), ['20.00 % matched', 'true']);
	assert.deepEqual(await matched('PARSE_'), ['0.00 % matched', 'true']);
	assert.deepEqual(await matched('\\Wx|\\Slo|parse_j'), ['20.00 % matched', 'false']);
	await press(t.page, 'search-case');
	assert.deepEqual([await text(t.page, 'search-result'), await minds()], ['0.00 % matched', 'true']);
	assert.match(await address(t.page), /case=1/);
});

in_both_at('Enter goes from match to match, the heaviest first, and zooms nothing', async (t) => {
	await report(t, 'next', FOLDED);
	await type(t.page, 'search-text', 'ext4');
	await t.page.run('document.getElementById("search-text").focus()');
	const at = async (shift = false) => {
		await t.page.key('Enter', 13, { shift });
		return [await text(t.page, 'search-result'),
			await t.page.run('app.flames.map((f) => f.focused && f.name(f.focused)).join()')];
	};
	assert.deepEqual(await at(), ['55.00 % matched · 1 of 2', 'ext4_read']);
	assert.deepEqual(await at(), ['55.00 % matched · 2 of 2', 'ext4_write']);
	assert.deepEqual(await at(), ['55.00 % matched · 1 of 2', 'ext4_read']);
	assert.deepEqual(await at(true), ['55.00 % matched · 2 of 2', 'ext4_write']);
	share((await boxes(t.page)).ext4_read, .3, 'ext4_read');
	await press(t.page, 'view-reversed');
	assert.deepEqual(await at(), ['55.00 % matched · 1 of 2', 'ext4_read']);
	assert.deepEqual(await at(), ['55.00 % matched · 2 of 2', 'ext4_write']);
	await t.page.run(() => app.openSandwich(app.model.frames.findIndex((f) => f.name === 'main')));
	assert.deepEqual(await at(), ['55.00 % matched · 1 of 2', ',ext4_read']);
	await press(t.page, 'view-table');
	assert.deepEqual((await rows(t.page)).map((r) => r.at(-2)), ['ext4_read', 'ext4_write']);
});

in_both_at('Escape ends one thing at a time, what is on top first', async (t) => {
	await report(t, 'escape', FOLDED);
	await click(t.page, 'read');
	await type(t.page, 'search-text', 'sock');
	await press(t.page, 'help-button');
	await t.page.moveTo((await boxes(t.page)).ext4_read);
	const state = () => t.page.run(() => [!document.querySelector('.tip').hidden,
		!document.getElementById('help').hidden,
		document.getElementById('search-text').value, app.flames[0].zoomed].join());
	const seen = [await state()];
	for (let i = 0; i < 4; i++) {
		await t.page.key('Escape', 27);
		seen.push(await state());
	}
	assert.deepEqual(seen, ['true,true,sock,true', 'false,true,sock,true', 'false,false,sock,true',
		'false,false,,true', 'false,false,,false']);
	assert.ok(!/of what is shown/.test(await text(t.page, 'details-text')));
});

test_at('Ctrl-F searches in the page, and again in the browser', async (t) => {
	await report(t, 'ctrl-f', FOLDED);
	await t.page.run(() => { window.kept = []; addEventListener('keydown', (e) => kept.push(e.defaultPrevented)); });
	await t.page.key('f', 70, { ctrl: true });
	assert.equal(await t.page.run('document.activeElement.id'), 'search-text');
	await t.page.key('f', 70, { ctrl: true });
	assert.deepEqual(await t.page.run('kept'), [true, false]);
});

in_both_at('the keyboard moves among frames, and what has the focus is announced', async (t) => {
	await report(t, 'keys', FOLDED);
	await t.page.run('app.flames[0].canvas.focus()');
	const down = () => t.page.key('ArrowDown', 40);
	await down();
	assert.match(await text(t.page, 'spoken'), /^all 100 samples, 100\.00 %/);
	await down();
	assert.match(await text(t.page, 'spoken'), /^server 75 samples, 75\.00 %/);
	await t.page.key('ArrowRight', 39);
	assert.match(await text(t.page, 'spoken'), /^worker 25 samples/);
	await t.page.key('Enter', 13);
	share((await boxes(t.page)).worker, 1, 'worker');
	await t.page.key('ArrowUp', 38);
	assert.match(await text(t.page, 'spoken'), /^all /);
	await t.page.key('Home', 36);
	share((await boxes(t.page)).worker, .25, 'worker');
	await down();
	await t.page.key('s', 83);
	assert.equal(await t.page.run('app.view'), 'sandwich');
	await t.page.key('1', 49);
	assert.equal(await t.page.run('app.view'), 'flame');
	await t.page.key('o', 79);
	assert.equal(await t.page.run('app.model.order'), 'name');
	await t.page.key('c', 67);
	assert.equal(await t.page.run('app.looks.by'), 'category'); // folded stacks begin by name
	await t.page.key('/', 191);
	assert.equal(await t.page.run('document.activeElement.id'), 'search-text');
});

test_at('the address brings view, function and search back', async (t) => {
	const url = await report(t, 'address', FOLDED);
	await t.page.open('about:blank');
	await t.page.open(url + '#view=sandwich&function=read&search=ext4');
	await ready(t.page);
	assert.equal(await t.page.run('app.model.frames[app.frame].name'), 'read');
	assert.equal(await text(t.page, 'search-result'), '55.00 % matched');
	await t.page.open('about:blank');
	await t.page.open(url + '#view=nonsense&function=%00&search=(');
	await ready(t.page);
	assert.equal(await t.page.run('app.view'), 'flame');
});

// What a page shows, as its reader would say it.
const shown = (page) => page.run(() => ({
	view: app.view, zoom: app.zooms[app.view] ?? [], search: document.getElementById('search-text').value,
	minds: app.search.choice, choice: JSON.stringify(app.model.choice), off: [...app.looks.off],
	order: app.model.order, color: app.looks.by, nodes: app.model.tree.n,
	rules: document.getElementById('rules-text').value,
}));

inBoth('html: a link shows all that was chosen', async (t) => {
	const url = await timed(t, 'link');
	await rules(t.page, 'drop /^ext4/');
	await pick(t.page, 'choose-color', 'by module');
	await pick(t.page, 'choose-order', 'by name');
	await t.page.run('app.choose({ from: 1e9, to: 8.5e9, thread: 1, cpu: 2 })');
	await t.page.run('document.querySelector("#legend button[data-key=main]").click()');
	await type(t.page, 'search-text', 'json');
	await press(t.page, 'search-case');
	await click(t.page, 'parse');
	const before = await shown(t.page), hash = await address(t.page);
	assert.deepEqual(before.zoom, ['server-io', 'main', 'parse']);
	assert.deepEqual(before.off, ['main']);
	await t.page.open('about:blank');
	await t.page.open(url + hash);
	await ready(t.page);
	assert.deepEqual(await shown(t.page), before);
	share((await boxes(t.page)).parse, 1, 'parse');
	assert.equal(await address(t.page), hash);
});

test('html: a link to what is not in this profile says so', async (t) => {
	const url = await report(t, 'link-missing', FOLDED);
	await t.page.open('about:blank');
	await t.page.open(url + '#zoom=server;main;gone%3Bx&thread=77');
	await ready(t.page);
	assert.equal(await text(t.page, 'note'), 'Not in this profile: thread 77, server;main;gone;x');
	assert.equal(await t.page.run('document.getElementById("note").hidden'), false);
	share((await boxes(t.page)).all, 1, 'all');
	await t.page.open('about:blank');
	await t.page.open(url + '#zoom=server;main;parse');
	await ready(t.page);
	assert.equal(await t.page.run('document.getElementById("note").hidden'), true);
	share((await boxes(t.page)).parse, 1, 'parse');
});

inBoth('html: Back undoes a zoom and a change of view', async (t) => {
	await report(t, 'back', FOLDED);
	const back = async (want) => {
		await address(t.page); // that it was written
		await t.page.run('history.back()');
		for (let i = 0; i < 100 && (await shown(t.page)).zoom.join() !== want; i++)
			await new Promise((done) => setTimeout(done, 20));
		const { view, zoom } = await shown(t.page);
		return [view, zoom.join()];
	};
	await click(t.page, 'main');
	await address(t.page);
	await click(t.page, 'read');
	await address(t.page);
	await press(t.page, 'view-reversed');
	assert.deepEqual(await back('server,main,read'), ['flame', 'server,main,read']);
	assert.deepEqual(await back('server,main'), ['flame', 'server,main']);
	assert.deepEqual(await back(''), ['flame', '']);
	share((await boxes(t.page)).server, .75, 'server');
});

inBoth('html: a zoom is kept when the view is left, the order changed or a rule added', async (t) => {
	await report(t, 'keep-zoom', FOLDED);
	await click(t.page, 'read');
	await press(t.page, 'view-reversed');
	await press(t.page, 'view-flame');
	share((await boxes(t.page)).vfs_read, 1, 'vfs_read');
	await t.page.key('o', 79);
	share((await boxes(t.page)).vfs_read, 1, 'vfs_read');
	await rules(t.page, 'drop /^sock/');
	share((await boxes(t.page)).vfs_read, 1, 'vfs_read');
});

inBoth('html: a link is copied, by hand where the clipboard is refused', async (t) => {
	await report(t, 'copy-link', FOLDED);
	await t.page.run(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
	await click(t.page, 'read');
	await press(t.page, 'link-button');
	assert.match(await t.page.run('document.querySelector(".copy-field input").value'), /#zoom=server;main;read$/);
});

inBoth('html: a card at the pointer says what is there, and where else it is', async (t) => {
	await report(t, 'card', FOLDED);
	const card = (name) => boxes(t.page).then((f) => t.page.moveTo(f[name])).then(() => t.page.run(() => {
		const tip = document.querySelector('.tip');
		return tip.hidden ? null : [...tip.children].map((e) => e.textContent);
	}));
	assert.deepEqual(await card('main'), ['main', '70 samples · 70.00 % of all · 93.33 % of parent',
		'self: none', 'in 2 places, 95.00 % together']);
	assert.deepEqual(await card('idle'), ['idle', '5 samples · 5.00 % of all · 6.67 % of parent',
		'self: 5 samples · 5.00 % of all']);
	const place = await t.page.run(() => {
		const b = document.querySelector('.tip').getBoundingClientRect();
		return [b.left >= 0, b.top >= 0, b.right <= innerWidth, b.bottom <= innerHeight, b.width <= 520];
	});
	assert.deepEqual(place, [true, true, true, true, true]);
	// Both places of main are outlined: no fill is as dark as the line.
	await card('main');
	const edges = await t.page.run(() => {
		const [flame] = app.flames, c = flame.canvas.getContext('2d');
		flame.draw();
		return flame.boxes.filter((b) => flame.name(b) === 'main').map((b) => {
			const [left] = flame.extent(b);
			const { data } = c.getImageData(Math.floor(left), flame.top(b.level) + 10, 2, 1);
			return Math.min(data[0], data[4]);
		});
	});
	assert.equal(edges.length, 2);
	assert.ok(edges.every((red) => red < 120), edges.join());
});

inBoth('html: a run of frames that are all as wide as the picture is one, and opens', async (t) => {
	const deep = Array.from({ length: 500 }, (x, i) => `f${i}`).join(';');
	const url = await report(t, 'deep', `${deep};a;b 30\n${deep};c 10\n`);
	let f = await boxes(t.page);
	assert.deepEqual(Object.keys(f).sort(), ['a', 'all', 'b', 'c', 'f0', 'f499', '⋯ 498 frames']);
	await click(t.page, 'a');
	share((await boxes(t.page)).b, 1, 'b');
	const hash = await address(t.page);
	await t.page.open('about:blank');
	await t.page.open(url + hash);
	await ready(t.page);
	share((await boxes(t.page)).b, 1, 'b');
	await click(t.page, '⋯ 498 frames');
	f = await boxes(t.page);
	assert.ok(!('⋯ 498 frames' in f));
	assert.equal(await t.page.run('app.flames[0].source.levels()'), 503);
	await t.page.open('about:blank');
	await t.page.open(url);
	await ready(t.page);
	await type(t.page, 'search-text', 'f250');
	await t.page.run('app.search.next(1)');
	assert.equal(await t.page.run('app.flames[0].name(app.flames[0].focused)'), 'f250');
});

// Between the forks, runs of frames that nothing is beside.
function forks() {
	const deep = Array.from({ length: 500 }, (x, i) => `f${i}`), to = (n) => deep.slice(0, n).join(';');
	return `${to(500)} 50\n${to(100)};a;b 20\n${to(300)};c 30\n`;
}

inBoth('html: frames that nothing is beside are one, however narrow, and open one by one', async (t) => {
	const url = await report(t, 'forks', forks());
	let f = await boxes(t.page);
	assert.deepEqual(Object.keys(f).sort(), ['a', 'all', 'b', 'c', 'f0', 'f100', 'f101', 'f102', 'f299',
		'f300', 'f301', 'f499', 'f99', '⋯ 196 frames', '⋯ 197 frames', '⋯ 98 frames']);
	share(f['⋯ 197 frames'], .5, 'the last');
	assert.equal(await t.page.run('app.flames[0].source.levels()'), 13);
	await click(t.page, '⋯ 196 frames');
	f = await boxes(t.page);
	assert.ok(!('⋯ 196 frames' in f) && '⋯ 98 frames' in f);
	await t.page.run(`app.flames[0].zoomToBox(app.boxOf(app.model.nodesOf(
		app.model.frames.findIndex((f) => f.name === 'f250'))[0]))`);
	const hash = await address(t.page);
	await t.page.open('about:blank');
	await t.page.open(url + hash);
	await ready(t.page);
	f = await boxes(t.page);
	share(f.f250, 1, 'f250');
	assert.equal(await text(t.page, 'note'), '');
	assert.ok(!('⋯ 196 frames' in f), 'the run of what is zoomed to is open');
});

inBoth('html: the path above a zoomed picture leads back', async (t) => {
	await report(t, 'path', FOLDED);
	assert.equal(await text(t.page, 'path'), 'all');
	await click(t.page, 'ext4_read');
	assert.equal(await text(t.page, 'path'), 'allservermainreadvfs_readext4_read');
	await t.page.run('document.querySelector("#path button:nth-of-type(3)").click()');
	share((await boxes(t.page)).ext4_read, 3 / 7, 'of main');
	assert.equal(await text(t.page, 'path'), 'allservermain');
	await press(t.page, 'view-reversed');
	await click(t.page, 'ext4_write');
	assert.equal(await text(t.page, 'path'), 'allext4_write');
	await t.page.run('document.querySelector("#path button").click()');
	share((await boxes(t.page)).ext4_write, 0.25, 'of all');
	await press(t.page, 'view-table');
	assert.equal(await t.page.run('document.getElementById("path").hidden'), true);
});

// Callers are merged as they are looked at: of 3000 leaves most are too narrow to be drawn.
inBoth('html: the next match of callers may be one that is too narrow to be drawn', async (t) => {
	const lines = Array.from({ length: 3000 }, (_, i) => `app;${i === 2000 ? 'rare' : 'often'};leaf${i} ${i + 1}`);
	await report(t, 'narrow-callers', lines.join('\n') + '\n');
	for (const view of ['reversed', 'sandwich']) {
		await press(t.page, `view-${view}`);
		if (view === 'sandwich')
			await t.page.run(`app.showSandwich(app.model.frames.findIndex((f) => f.name === 'leaf2000'))`);
		await type(t.page, 'search-text', '^rare$');
		await t.page.run('app.search.next(1)');
		assert.match(await text(t.page, 'search-result'), / · 1 of 1$/, view);
		assert.match(await text(t.page, 'details-text'), /^rare 2,001 samples/, view);
	}
	await press(t.page, 'view-reversed');
	await type(t.page, 'search-text', 'often');
	await t.page.run('app.search.next(1)');
	assert.match(await text(t.page, 'search-result'), / · 1 of 500\+$/);
	assert.match(await text(t.page, 'details-text'), /^often 3,000 samples/);
});

test('html: on a phone the choices are behind a button that counts them', async (t) => {
	await t.page.resize(390, 844);
	await timed(t, 'phone-filters');
	const seen = (id) => t.page.run((i) => document.getElementById(i).getBoundingClientRect().height > 0, id);
	assert.deepEqual([await seen('choose-thread'), await seen('flip')], [false, false]);
	assert.equal(await text(t.page, 'filters-button'), 'Filters');
	await press(t.page, 'filters-button');
	assert.deepEqual([await seen('choose-thread'), await seen('flip')], [true, true]);
	await pick(t.page, 'choose-thread', 'server-io');
	assert.equal(await text(t.page, 'filters-button'), 'Filters (1)');
	await t.page.resize(1200, 800);
	assert.deepEqual([await seen('filters-button'), await seen('choose-thread')], [false, true]);
});
