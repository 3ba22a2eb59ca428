// Where an SVG draws frames: by weight, in any window; zoom and ways back; callers, icicle, order,
// time; long runs and deep stacks; what is too narrow.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { NARROW, STACKS, address, cardAt, choose, click, clickOn, cursor, frames, link, make,
	near, open, picture, pressed, search, text, twoFrames } from './svg_page.mjs';

// What follows from the width and the mode of the window holds in each of these.
for (const { width, dark } of [{ width: 1200, dark: false }, { width: 420, dark: true }]) {
	const where = `${width} pixels, ${dark ? 'dark' : 'light'}`;
	const room = width - 20;

	test(`svg: frames are where their weight says, ${where}`, async (t) => {
		await t.page.resize(width, 600);
		await t.page.dark(dark);
		await picture(t, 'plain', STACKS);
		const f = await frames(t.page);
		near(f.all.left, 10, 'left of all');
		near(f.all.width, room, 'width of all');
		near(f.server.width, room * .75, 'width of server');
		near(f.worker.left, 10 + room * .75, 'left of worker');
		assert.ok(f.server.y < f.all.y && f.main.y < f.server.y);
		assert.match(await text(t.page, 'footer'), /100 samples/);
		await t.page.screenshot(join(t.folder, `plain-${width}.png`));
	});

	test(`svg: a click zooms, ancestors fade, others go, ${where}`, async (t) => {
		await t.page.resize(width, 600);
		await t.page.dark(dark);
		await picture(t, 'zoom', STACKS);
		assert.equal(await text(t.page, 'unzoom'), null);
		await click(t.page, 'read');
		const f = await frames(t.page);
		for (const name of ['all', 'server', 'main', 'read', 'vfs_read'])
			near(f[name].width, room, name);
		for (const name of ['all', 'server', 'main'])
			assert.ok(f[name].isFaded, name + ' is faded');
		assert.ok(!f.read.isFaded);
		assert.ok(!('parse' in f) && !('worker' in f) && !('idle' in f));
		near(f.ext4_read.width, room * .75, 'ext4_read');
		assert.equal(await text(t.page, 'path'), 'allservermainread');
		await t.page.screenshot(join(t.folder, `zoom-${width}.png`));
		await clickOn(t.page, '#unzoom');
		near((await frames(t.page)).ext4_read.width, room * .3, 'ext4_read');
		assert.equal(await text(t.page, 'unzoom'), null);
		assert.equal(await address(t.page), '');
	});
}

inBoth('svg: a frame under the mouse has a card, and all places of its function an outline', async (t) => {
	await picture(t, 'card', STACKS);
	const f = await frames(t.page);
	assert.deepEqual(await cardAt(t.page, f.main), ['main', '70 samples · 70.00 % of all · ' +
		'93.33 % of parent', 'self: none', 'in 2 places, 95.00 % of all']);
	const outlines = await t.page.run('document.getElementById("same").getAttribute("d")');
	assert.equal(outlines.split('M').length - 1, 2);
	const tip = await t.page.run(`(() => { const b = document.querySelector('.tip')
		.getBoundingClientRect(); return { x: b.x, y: b.y }; })()`);
	near(tip.x, f.main.x + 12, 'beside the pointer');
	assert.equal(await cardAt(t.page, { x: 2, y: 2 }), null);
	assert.equal(await t.page.run('document.getElementById("same").getAttribute("d")'), '');
});

inBoth('svg: nanoseconds are told in three digits and a unit', async (t) => {
	await picture(t, 'units', 'a;b 1954659416\na;c 45340584\n', '--count-name', 'nanoseconds');
	const f = await frames(t.page);
	assert.equal((await cardAt(t.page, f.b))[1], '1.95 s · 97.73 % of all · 97.73 % of parent');
	await click(t.page, 'c');
	assert.equal(await text(t.page, 'details'), 'Function: c (45.3 ms, 2.27%), 100% of what is shown');
});

inBoth('svg: the path above the picture leads back', async (t) => {
	await picture(t, 'path', STACKS);
	await click(t.page, 'ext4_read');
	assert.equal(await text(t.page, 'path'), 'allservermainreadvfs_readext4_read');
	await clickOn(t.page, '#path button:nth-of-type(4)');
	near((await frames(t.page)).ext4_read.width, 1180 * .75, 'ext4_read');
	assert.match(await address(t.page), /zoom=server;main;read$/);
});

test('svg: a click on an ancestor zooms out to it', async (t) => {
	await picture(t, 'ancestor', STACKS);
	await click(t.page, 'ext4_read');
	await click(t.page, 'read');
	near((await frames(t.page)).ext4_read.width, 1180 * .75, 'ext4_read');
});

test('svg: what was too small to be drawn is there after zoom', async (t) => {
	await picture(t, 'narrow', NARROW);
	const middleOfAll = { x: 600, y: (await frames(t.page)).all.y - 2 * 16 };
	assert.equal((await cardAt(t.page, middleOfAll))[0], '(1,000 small)');
	await t.page.clickAt(middleOfAll);
	const f = await frames(t.page);
	assert.match(await address(t.page), /zoom=all&part=500000-510000/);
	assert.ok(!('a' in f));
	const middle = { x: 10 + 1180 * .5005, y: f.all.y - 2 * 16 };
	assert.equal((await cardAt(t.page, middle))[0], 'm500');
	await t.page.screenshot(join(t.folder, 'narrow.png'));
	await search(t.page, 'm5..');
	assert.equal(await text(t.page, 'matched'), '10.0% matched');
	await t.page.clickAt(middle);
	near((await frames(t.page)).deep.width, 1180, 'what it calls');
});

inBoth('svg: the keyboard walks from frame to frame', async (t) => {
	await picture(t, 'walk', STACKS);
	for (const expected of ['server', 'main', 'read']) {
		await t.page.key('ArrowUp', 38);
		assert.equal(await cursor(t.page), expected);
	}
	assert.match(await text(t.page, 'details'), /^Function: read \(40 samples, 40\.00%\)/);
	await t.page.key('ArrowLeft', 37);
	assert.equal(await cursor(t.page), 'parse');
	await t.page.key('ArrowRight', 39);
	assert.equal(await cursor(t.page), 'read');
	await t.page.key('Enter', 13);
	near((await frames(t.page)).read.width, 1180, 'read');
	await t.page.key('ArrowDown', 40);
	assert.equal(await cursor(t.page), 'main');
	await t.page.key('Enter', 13);
	near((await frames(t.page)).read.width, 1180 * 40 / 70, 'read');
	await t.page.key('Backspace', 8);
	near((await frames(t.page)).read.width, 1180, 'the last zoom is undone');
	await t.page.key('Home', 36);
	near((await frames(t.page)).all.width, 1180, 'all');
	assert.equal(await address(t.page), '');
});

inBoth('svg: callers of what is zoomed to, the heaviest first', async (t) => {
	await picture(t, 'callers', STACKS);
	await clickOn(t.page, '#reverse');
	let f = await frames(t.page);
	near(f.ext4_read.left, 10, 'by weight: ext4_read 30, ext4_write 25, Parse_json 20, ...');
	near(f.ext4_write.left, 10 + 1180 * .3, 'ext4_write');
	await search(t.page, '^server$');
	assert.equal(await text(t.page, 'matched'), '75.0% matched');
	await click(t.page, 'parse_text');
	f = await frames(t.page);
	near(f.server.width, 1180, 'its caller');
	assert.equal(await text(t.page, 'matched'), '100% matched');
	await t.page.screenshot(join(t.folder, 'callers.png'));
	await t.page.key('r', 82);
	near((await frames(t.page)).server.width, 1180 * .75, 'as it was');
	await search(t.page, '');
	await click(t.page, 'read');
	await t.page.key('r', 82);
	f = await frames(t.page);
	near(f.ext4_read.width, 1180 * .75, 'of the 40 samples in read');
	near(f.sock_read.left, 10 + 1180 * .75, 'sock_read');
	assert.ok(!('parse' in f) && !('main' in f), 'what read is called by is not in it');
	assert.match(await address(t.page), /view=callers&of=server;main;read/);
	await open(t.page, await link(t.page));
	near((await frames(t.page)).ext4_read.width, 1180 * .75, 'so says the address');
	await t.page.key('r', 82);
	near((await frames(t.page)).ext4_read.width, 1180 * .75, 'read is zoomed to again');
	assert.match(await text(t.page, 'path'), /read$/);
});

test('svg: --reverse begins with callers', async (t) => {
	await picture(t, 'reverse', STACKS, '--reverse');
	assert.ok(await pressed(t.page, 'reverse'));
	near((await frames(t.page)).ext4_write.width, 1180 * .25, 'ext4_write');
	await t.page.key('r', 82);
	near((await frames(t.page)).server.width, 1180 * .75, 'server');
	assert.match(await address(t.page), /view=flame/);
});

test('svg: an icicle hangs from the top', async (t) => {
	await picture(t, 'icicle', STACKS, '--inverted', '--subtitle', 'from the top');
	let f = await frames(t.page);
	assert.ok(f.all.y < f.server.y && f.server.y < f.main.y);
	assert.match(await text(t.page, 'bar'), /from the top/);
	await click(t.page, 'read');
	assert.ok((await frames(t.page)).server.isFaded);
	await t.page.screenshot(join(t.folder, 'icicle.png'));
	await clickOn(t.page, '#icicle');
	f = await frames(t.page);
	assert.ok(f.all.y > f.server.y && f.server.y > f.main.y);
	assert.match(await address(t.page), /icicle=0/);
	await t.page.key('i', 73);
	assert.ok(await pressed(t.page, 'icicle'));
});

// A tower of calls of itself, and one wide sibling.
const tower = (depth) => 'app;main;flat 900\n' +
	`app;main;${Array.from({ length: depth }, (_, i) => i % 2 ? 'even' : 'odd').join(';')} 100\n`;

inBoth('svg: a tall picture opens as an icicle, a lower one at its root', async (t) => {
	const inSight = () => t.page.run(`[...document.querySelectorAll('#frames > g:not(.off) text')]
		.some((e) => e.textContent === 'all' && e.getBoundingClientRect().bottom < innerHeight &&
			e.getBoundingClientRect().top > 0)`);
	await t.page.resize(1200, 400);
	const branching = Array.from({ length: 90 }, (_, i) =>
		`app;${Array.from({ length: i }, (_, k) => 'f' + k).join(';')};leaf 10`).join('\n') + '\n';
	await picture(t, 'tall', branching);
	assert.ok(await pressed(t.page, 'icicle') && await inSight());
	await picture(t, 'lower', branching.split('\n').slice(0, 35).join('\n') + '\n');
	assert.ok(!await pressed(t.page, 'icicle') && await inSight());
	assert.ok(await t.page.run('scrollY > 0'));
	await t.page.screenshot(join(t.folder, 'lower.png'));
});

inBoth('svg: a long run of calls is one frame, until a click opens it', async (t) => {
	await picture(t, 'tower', tower(500));
	let f = await frames(t.page);
	const run = '⋯ 498 frames'; // all but the first, where others branch off, and the last
	near(f[run].width, 118, 'the run');
	assert.ok(await t.page.run('document.getElementById("footer").y.baseVal[0].value < 400'));
	assert.match((await cardAt(t.page, f[run])).at(-1), /click/);
	await t.page.screenshot(join(t.folder, 'tower.png'));
	await click(t.page, run);
	f = await frames(t.page);
	assert.ok(!(run in f) && 'odd' in f);
	assert.ok(await t.page.run('document.getElementById("footer").y.baseVal[0].value > 8000'));
	await picture(t, 'tower-short', tower(7));
	assert.ok(!Object.keys(await frames(t.page)).some((name) => name.includes('⋯')));
	await picture(t, 'tower-search', tower(500));
	await search(t.page, '^even$');
	await t.page.run('document.getElementById("search").focus()');
	await t.page.key('Enter', 13);
	assert.equal(await cursor(t.page), 'even');
	assert.ok('even' in await frames(t.page), 'what is selected is seen');
});

test('svg: a flame chart keeps the order of time, and its gaps', async (t) => {
	const sample = (ms, ...frames) => [`app 1 1.${String(ms).padStart(3, '0')}000: 1 cycles: `,
		...frames.reverse().map((name, i) => `\t    ${i + 1}0 ${name} (/bin/app)`), '', ''];
	const text = [sample(0, 'main', 'zebra'), sample(1, 'main'), sample(2, 'main', 'ant'),
		sample(3, 'main', 'zebra', 'ant')].flat().join('\n');
	await picture(t, 'chart', text, '--from', 'perf-script', '--flamechart');
	let f = await frames(t.page);
	near(f.zebra.left, 10, 'zebra was first');
	near(f.zebra.width, 295, 'zebra');
	near(f.ant.left, 10 + 590, 'ant, after a gap');
	assert.equal(await t.page.run('getComputedStyle(document.getElementById("reverse")).display'),
		'none');
	await click(t.page, 'ant');
	near((await frames(t.page)).ant.width, 1180, 'ant');
	await t.page.key('Home', 36);
	f = await frames(t.page);
	near(f.ant.left, 10 + 590, 'ant as it was');
	assert.deepEqual(Object.keys(f).sort(), ['all', 'ant', 'app', 'main', 'zebra']);
	// The second zebra: the address says which.
	await t.page.clickAt({ x: 10 + 1180 * .9, y: f.zebra.y });
	assert.match(await address(t.page), /zoom=app;main;zebra&nth=/);
	await open(t.page, await link(t.page));
	near((await frames(t.page)).ant.width, 1180, 'the zebra with an ant');
});

test('svg: by weight the heaviest comes first', async (t) => {
	await picture(t, 'order', STACKS);
	let f = await frames(t.page);
	assert.ok(f.idle.left < f.read.left && f.parse.left < f.read.left);
	await choose(t.page, 'order', 'weight');
	f = await frames(t.page);
	assert.ok(f.read.left < f.parse.left && f.parse.left < f.idle.left);
	near(f.read.left, 10, 'read');
	assert.match(await address(t.page), /order=weight/);
});

inBoth('svg: without --width it takes the width of the window', async (t) => {
	await t.page.resize(900, 600);
	await picture(t, 'window', STACKS);
	near((await frames(t.page)).server.width, 880 * .75, 'server');
	await click(t.page, 'read');
	await t.page.resize(1500, 600);
	await twoFrames(t.page);
	near((await frames(t.page)).ext4_read.width, 1480 * .75, 'ext4_read');
	assert.match(await address(t.page), /zoom=server;main;read/);
	await t.page.screenshot(join(t.folder, 'window.png'));
});

test('svg: without samples it says so', async (t) => {
	await t.page.open(make(t, 'empty', STACKS, '-e', 'drop-stack /./'));
	assert.match(await t.page.run('document.documentElement.textContent'), /nothing to draw/);
	await t.page.screenshot(join(t.folder, 'empty.png'));
});
