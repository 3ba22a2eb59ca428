// Search, keys, copies and the address of an SVG.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { MATCH, NARROW, STACKS, address, brightness, chip, choose, click, clickOn, cursor, frames,
	make, link, near, open, picture, pressed, search, text, twoFrames } from './svg_page.mjs';

test('svg: a search counts no weight twice', async (t) => {
	await picture(t, 'search', STACKS);
	await search(t.page, '^ext4_|parse');
	const f = await frames(t.page);
	for (const name of ['ext4_read', 'ext4_write', 'parse', 'parse_text', 'Parse_json'])
		assert.equal(f[name].fill, MATCH, name);
	assert.equal(f.parse.ink, 'rgb(255, 255, 255)');
	assert.notEqual(f.server.fill, MATCH);
	assert.equal(await text(t.page, 'matched'), '85.0% matched');
	await t.page.screenshot(join(t.folder, 'search.png'));
	await search(t.page, '');
	assert.notEqual((await frames(t.page)).parse.fill, MATCH);
	assert.equal(await text(t.page, 'matched'), '');
});

test('svg: frames that zoom hides do not count as found', async (t) => {
	await picture(t, 'search-zoom', STACKS);
	await search(t.page, '^ext4_');
	assert.equal(await text(t.page, 'matched'), '55.0% matched');
	await click(t.page, 'read');
	assert.equal(await text(t.page, 'matched'), '75.0% matched');
	await click(t.page, 'ext4_read');
	assert.equal(await text(t.page, 'matched'), '100% matched');
	await clickOn(t.page, '#unzoom');
	assert.equal(await text(t.page, 'matched'), '55.0% matched');
	assert.equal(await text(t.page, 'details'), 'Function: ext4_read (30 samples, 30.00%)');
});

test('svg: matches are selected one after the other, and nothing is zoomed', async (t) => {
	await picture(t, 'next', STACKS);
	await t.page.key('/', 191);
	await t.page.send('Input.insertText', { text: '^ext4_' });
	await t.page.key('Enter', 13);
	assert.equal(await cursor(t.page), 'ext4_read');
	assert.equal(await text(t.page, 'matched'), '1 of 2, 55.0% matched');
	await t.page.key('Enter', 13);
	assert.equal(await cursor(t.page), 'ext4_write');
	await t.page.key('Enter', 13);
	assert.equal(await cursor(t.page), 'ext4_read');
	await t.page.key('Enter', 13, { shift: true });
	assert.equal(await cursor(t.page), 'ext4_write');
	await clickOn(t.page, '#next');
	assert.equal(await cursor(t.page), 'ext4_read');
	near((await frames(t.page)).ext4_read.width, 1180 * .3, 'ext4_read');
	await choose(t.page, 'order', 'weight');
	await t.page.key('r', 82);
	await clickOn(t.page, '#next');
	assert.equal(await cursor(t.page), 'ext4_read', 'in callers, too');
	await picture(t, 'next-small', NARROW);
	await search(t.page, '^m777$');
	await clickOn(t.page, '#next');
	assert.equal(await cursor(t.page), 'm777');
	const outline = await t.page.run(
		'document.getElementById("cursor").getBoundingClientRect().width');
	near(outline, 1180 * 10000 / 1010000, 'it is in the grey box');
	await t.page.run('document.getElementById("frames").focus()');
	await t.page.key('Enter', 13);
	near((await frames(t.page)).m777.width, 1180, 'm777');
});

test('svg: a match out of sight is scrolled to', async (t) => {
	const wide = Array.from({ length: 60 }, (_, i) =>
		`app;${Array.from({ length: i + 1 }, (_, k) => 'f' + k).join(';')} 10`).join('\n') + '\n';
	await t.page.resize(1200, 400);
	await picture(t, 'scroll', wide);
	await search(t.page, '^f55$');
	await clickOn(t.page, '#next');
	const at = await t.page.run(() => {
		const box = document.getElementById('cursor').getBoundingClientRect();
		return { top: box.top, bottom: box.bottom, label: [...document.querySelectorAll(
			'#frames > g:not(.off) text')].some((e) => e.textContent === 'f55') };
	});
	assert.ok(at.top > 0 && at.bottom < 400 && at.label);
});

inBoth('svg: lower case ignores case, a capital minds it, and a button turns that over', async (t) => {
	await picture(t, 'case', STACKS);
	await search(t.page, '^parse_');
	assert.equal(await text(t.page, 'matched'), '30.0% matched');
	assert.ok(!await pressed(t.page, 'case'));
	await clickOn(t.page, '#case');
	assert.equal(await text(t.page, 'matched'), '10.0% matched');
	assert.match(await address(t.page), /search=%5Eparse_&case=1/);
	await t.page.key('i', 73, { ctrl: true });
	assert.doesNotMatch(await address(t.page), /case/);
	await search(t.page, '^Parse_');
	assert.ok(await pressed(t.page, 'case'));
	assert.equal(await text(t.page, 'matched'), '20.0% matched');
});

inBoth('svg: Esc undoes one thing at a time', async (t) => {
	await picture(t, 'escape', STACKS);
	await click(t.page, 'server');
	await click(t.page, 'read');
	await search(t.page, 'ext4');
	await t.page.key('?', 191);
	await t.page.moveTo((await frames(t.page)).read);
	const state = () => t.page.run(`[!document.querySelector('.tip').hidden,
		!document.getElementById('help').hidden, document.getElementById('search').value,
		document.getElementById('path').textContent]`);
	assert.deepEqual(await state(), [true, true, 'ext4', 'allservermainread']);
	const then = [[false, true, 'ext4', 'allservermainread'],
		[false, false, 'ext4', 'allservermainread'], [false, false, '', 'allservermainread'],
		[false, false, '', 'allserver'], [false, false, '', 'all']];
	for (const expected of then) {
		await t.page.key('Escape', 27);
		assert.deepEqual(await state(), expected);
	}
});

test('svg: a bad expression is said to be one, and matches nothing', async (t) => {
	await picture(t, 'bad', STACKS);
	await search(t.page, 'ext4');
	await search(t.page, 'ext4(');
	assert.ok(await t.page.run('document.getElementById("search").classList.contains("bad")'));
	assert.match(await t.page.run('document.getElementById("search").title'), /expression/);
	assert.equal(await text(t.page, 'matched'), 'not an expression');
	assert.notEqual((await frames(t.page)).ext4_read.fill, MATCH);
	await search(t.page, 'parse');
	assert.ok(!await t.page.run('document.getElementById("search").classList.contains("bad")'));
});

inBoth('svg: a click on the legend fades a category, with Shift all others', async (t) => {
	await picture(t, 'fade', STACKS);
	await choose(t.page, 'colors', 'category');
	assert.match(await text(t.page, 'legend'), /kernel 40\.0%/);
	await chip(t.page, 'kernel');
	let f = await frames(t.page);
	assert.ok(f.vfs_read.isFaded && f.ext4_read.isFaded && !f.read.isFaded);
	near(f.ext4_read.width, 1180 * .3, 'ext4_read keeps its place');
	assert.match(await address(t.page), /filter=kernel/);
	await open(t.page, await link(t.page));
	assert.ok((await frames(t.page)).ext4_read.isFaded, 'the address says so too');
	await t.page.screenshot(join(t.folder, 'faded.png'));
	await chip(t.page, 'kernel');
	assert.ok(!(await frames(t.page)).ext4_read.isFaded);
	await chip(t.page, 'kernel', true);
	f = await frames(t.page);
	assert.ok(!f.ext4_read.isFaded && f.read.isFaded);
	await chip(t.page, 'kernel', true);
	assert.ok(!(await frames(t.page)).read.isFaded);
	await click(t.page, 'read');
	assert.match(await text(t.page, 'legend'), /^kernel 100%native 0\.0%$/, 'of what is shown');
});

inBoth('svg: names and stacks are copied', async (t) => {
	await picture(t, 'copy', STACKS);
	await t.page.run(() => {
		window.copied = [];
		Object.defineProperty(navigator, 'clipboard',
			{ value: { writeText: async (text) => { window.copied.push(text); } } });
	});
	assert.equal(await text(t.page, 'copy'), null);
	await click(t.page, 'vfs_read');
	await t.page.key('y', 89);
	await clickOn(t.page, '#copyStack');
	assert.deepEqual(await t.page.run('window.copied'), ['vfs_read', 'server;main;read;vfs_read']);
	assert.match(await t.page.run('document.querySelector(".toast").textContent'), /^Copied: server;/);
	await t.page.key('r', 82);
	await t.page.key('Home', 36);
	await click(t.page, 'ext4_read');
	await clickOn(t.page, '#copy');
	assert.equal(await t.page.run('window.copied.at(-1)'), 'ext4_read');
	await clickOn(t.page, '#copyLink');
	assert.equal(await t.page.run('window.copied.at(-1)'), await link(t.page));
});

inBoth('svg: where the clipboard is refused, a selected field can be copied from', async (t) => {
	await picture(t, 'refused', STACKS);
	await t.page.run(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
	await click(t.page, 'vfs_read');
	for (let i = 0; i < 2; i++) {
		await t.page.key('Y', 89);
		const field = await t.page.run(() => {
			const e = document.querySelector('.copy-field input'), b = e.getBoundingClientRect();
			return { value: e.value, isSeen: b.width > 100 &&
				document.elementFromPoint(b.x + 9, b.y + 9) === e,
				selected: e.selectionEnd - e.selectionStart, isFocused: document.activeElement === e,
				n: document.querySelectorAll('.copy-field').length };
		});
		const value = 'server;main;read;vfs_read';
		assert.deepEqual(field, { value, isSeen: true, selected: value.length, isFocused: true, n: 1 });
		await t.page.screenshot(join(t.folder, 'refused.png'));
		await t.page.key('Escape', 27);
		assert.equal(await t.page.run('document.querySelectorAll(".copy-field").length'), 0);
	}
	assert.match(await text(t.page, 'path'), /vfs_read$/, 'Esc was the field\'s');
});

inBoth('svg: the address brings everything back, at any width', async (t) => {
	await picture(t, 'address', STACKS);
	await click(t.page, 'read');
	await search(t.page, 'EXT4');
	await clickOn(t.page, '#case');
	await choose(t.page, 'colors', 'module');
	await clickOn(t.page, '#dark');
	const hash = await address(t.page);
	assert.equal(hash, '#zoom=server;main;read&search=EXT4&case=0&color=module&dark=1');
	for (const width of [1200, 700]) {
		const url = make(t, 'address-' + width, STACKS, '--width', String(width));
		await open(t.page, url + hash);
		const f = await frames(t.page);
		near(f.read.width, width - 20, 'read');
		near(f.ext4_read.width, (width - 20) * .75, 'ext4_read');
		assert.equal(f.ext4_read.fill, MATCH);
		assert.equal(await text(t.page, 'matched'), '75.0% matched');
		assert.ok(await pressed(t.page, 'dark'));
		assert.match(await text(t.page, 'legend'), /none/);
		assert.equal(await address(t.page), hash);
	}
});

// The first child of the first child is another function there.
const OTHER = 'aaa;aaa;aaa;aaa 500\n' + STACKS.replace('server;main;parse;Parse_json', 'server;a;b;c');

inBoth('svg: a link opens the same function in another recording, or says that it is not there',
	async (t) => {
		await picture(t, 'link', STACKS);
		await click(t.page, 'read');
		const hash = await address(t.page);
		await open(t.page, make(t, 'link-other', OTHER) + hash);
		assert.match(await text(t.page, 'path'), /allservermainread$/);
		assert.equal(await text(t.page, 'missing'), null);
		await open(t.page, make(t, 'link-gone', 'server;main;write 5\n') + hash);
		assert.equal(await text(t.page, 'missing'), 'Not in this profile: server › main › read');
		assert.equal(await address(t.page), hash, 'it is kept');
		await t.page.screenshot(join(t.folder, 'missing.png'));
		await click(t.page, 'write');
		assert.equal(await text(t.page, 'missing'), null);
		assert.match(await address(t.page), /zoom=server;main;write$/);
	});

inBoth('svg: Back and Forward of the browser undo zoom and view', async (t) => {
	const url = await picture(t, 'back', STACKS);
	const go = async (by) => {
		await address(t.page); // the last step is one of the browser, too
		await t.page.run(`new Promise((r) => { addEventListener('popstate', () => setTimeout(r, 20),
			{ once: true }); history.go(${by}); })`);
	};
	await click(t.page, 'server');
	await click(t.page, 'read');
	await search(t.page, 'ext4');
	await t.page.key('Escape', 27);
	await t.page.key('r', 82);
	assert.ok(await pressed(t.page, 'reverse'));
	await go(-1);
	assert.ok(!await pressed(t.page, 'reverse'));
	assert.match(await text(t.page, 'path'), /read$/);
	await go(-1);
	assert.match(await text(t.page, 'path'), /server$/);
	await go(-1);
	assert.equal(await text(t.page, 'path'), 'all');
	assert.equal(await t.page.run('location.href.split("#")[0]'), url, 'the page is still here');
	await go(2);
	assert.match(await text(t.page, 'path'), /read$/);
});

test('svg: the address takes no nonsense', async (t) => {
	const url = make(t, 'nonsense', STACKS);
	for (const hash of ['#zoom=%E0%A4%A&part=9-1&search=%28&color=__proto__&filter=none&order=x',
		'#nth=17.x.-1&part=-&view=x&of=;;', '#=&&zoom', '#zoom=server&nth=0.1.1']) {
		await open(t.page, url + '?keep=1' + hash);
		assert.ok((await frames(t.page)).all.width > 1170, hash);
	}
	await click(t.page, 'main');
	assert.equal(await t.page.run('location.search'), '?keep=1');
});

test('svg: in a page that may not write its address it works without', async (t) => {
	const url = make(t, 'object', STACKS);
	await open(t.page, url);
	await t.page.run(() => {
		history.pushState = history.replaceState = () => { throw new DOMException('no', 'SecurityError'); };
	});
	await click(t.page, 'read');
	near((await frames(t.page)).read.width, 1180, 'read');
	await t.page.key('Escape', 27);
	await t.page.key('Escape', 27);
	near((await frames(t.page)).read.width, 1180 * .4, 'read');
	assert.equal(await address(t.page), '');
});

test('svg: it is dark where the desktop is, or by a key', async (t) => {
	const url = await picture(t, 'dark', STACKS);
	assert.ok(await brightness(t.page) > 200);
	await t.page.dark(true);
	await twoFrames(t.page);
	assert.ok(await brightness(t.page) < 60);
	await t.page.screenshot(join(t.folder, 'dark.png'));
	await t.page.key('d', 68);
	assert.ok(await brightness(t.page) > 200);
	assert.match(await address(t.page), /dark=0/);
	await open(t.page, url + '#dark=1');
	assert.ok(await brightness(t.page) < 60);
	await picture(t, 'yellow', STACKS, '--background', 'yellow');
	assert.ok(!await pressed(t.page, 'dark'));
	assert.equal(await t.page.run('getComputedStyle(document.querySelector("#paper")).fill'),
		'url("#background")');
	await t.page.screenshot(join(t.folder, 'yellow.png'));
});

// Callers are merged as they are looked at: of 3000 leaves most are too narrow to be drawn.
inBoth('svg: the next match of callers may be one that is too narrow to be drawn', async (t) => {
	const lines = Array.from({ length: 3000 }, (_, i) => `app;${i === 2000 ? 'rare' : 'often'};leaf${i} ${i + 1}`);
	await picture(t, 'narrow-callers', lines.join('\n') + '\n', '--reverse');
	await search(t.page, '^rare$');
	await t.page.run('document.getElementById("search").focus()');
	await t.page.key('Enter', 13);
	assert.match(await text(t.page, 'matched'), /^1 of 1, /);
	assert.match(await text(t.page, 'details'), /rare \(2,001 samples/);
	await search(t.page, 'often');
	await t.page.run('document.getElementById("search").focus()');
	await t.page.key('Enter', 13);
	assert.match(await text(t.page, 'matched'), /^1 of 500\+, /);
	assert.match(await text(t.page, 'details'), /often \(3,000 samples/);
});
