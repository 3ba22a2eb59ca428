// The SVG's behaviour: what is drawn, zoom, search, views, colours, keyboard, copies, address,
// width of the window, dark, hostile names, speed; with and without scripts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const STACKS = [
	'server;main;read;vfs_read_[k];ext4_read_[k] 30',
	'server;main;read;vfs_read_[k];sock_read_[k] 10',
	'server;main;parse;Parse_json 20',
	'server;main;parse;parse_text;parse_text 10',
	'server;idle 5',
	'worker;main;write;ext4_write 25',
].join('\n') + '\n';
const HOSTILE = [
	'</script><script>window.hit = 1</script> 10',
	'<img src=x onerror="window.hit = 1"/> 10',
	']]><script>window.hit = 1</script> 10',
	"a' onmouseover='window.hit = 1 10",
	'</metadata></svg><svg onload="window.hit = 1"> 10',
	'&lt &amp &#0 &unknown 10',
	'\u202eright to left\u2066 10',
	'\x1b[31mred\x07\x00\x01 10',
	'日本語の関数名は幅が広いので切られる 10',
	'\u{1f525}'.repeat(300) + ' 10',
	'x'.repeat(100000) + ' 10',
].join('\n') + '\n';
// Two wide frames, and between them a thousand that are a tenth of a pixel together.
const NARROW = ['all;a 500000', 'all;z 500000',
	...Array.from({ length: 1000 }, (_, i) => `all;m${String(i).padStart(3, '0')};deep 10`)]
	.join('\n') + '\n';

async function settle(page) {
	for (let i = 0; i < 200; i++) {
		if (await page.run('document.documentElement.dataset.ready === "1"'))
			return;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	throw new Error('the picture did not come to life');
}

async function open(page, url) {
	await page.open(url);
	await settle(page);
}

function make({ perfold, folder }, name, stacks, ...options) {
	const file = join(folder, name + '.svg');

	perfold(stacks, ...options, '-o', file);
	return pathToFileURL(file).href;
}

async function picture(t, name, stacks, ...options) {
	const url = make(t, name, stacks, ...options);

	await open(t.page, url);
	return url;
}

// The frames that are shown: name -> what can be seen of it, the first of a name. What has no label
// has its name where it is pointed at.
function frames(page) {
	return page.run(() => {
		const all = {};
		const pointAt = (g) => {
			const rect = g.querySelector('rect') ?? g;
			rect.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
			rect.dispatchEvent(new MouseEvent('mouseout', { bubbles: true }));
			return g.querySelector('title').textContent.replace(/^Function: /, '')
				.replace(/, [0-9.]+% of what is shown$/, '').replace(/ \([^(]*\)$/, '');
		};
		for (const g of document.querySelectorAll('#frames > *')) {
			const rect = g.querySelector('rect') ?? g, box = rect.getBoundingClientRect();
			if (getComputedStyle(g).display === 'none')
				continue;
			const name = g.getAttribute('aria-label') || pointAt(g);
			if (name in all)
				continue;
			all[name] = { x: box.x + box.width / 2, y: box.y + box.height / 2,
				left: box.x, width: box.width, fill: getComputedStyle(rect).fill,
				label: g.querySelector('text')?.textContent ?? '',
				faded: g.classList.contains('above') &&
					getComputedStyle(rect).fillOpacity < .5,
				cursor: g.classList.contains('cursor') };
		}
		return all;
	});
}

const text = (page, id) => page.run((i) => {
	const e = document.getElementById(i);
	const style = getComputedStyle(e);
	return style.display === 'none' || style.visibility === 'hidden' ? null : e.textContent;
}, id);
const twoFrames = (page) =>
	page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
const pressed = (page, id) => page.run((i) =>
	document.getElementById(i).getAttribute('aria-pressed') === 'true', id);
const cursor = async (page) =>
	Object.entries(await frames(page)).find(([, f]) => f.cursor)?.[0];
const address = (page) => page.run('location.search');

async function click(page, name) {
	await page.clickAt((await frames(page))[name]);
}

async function clickOn(page, selector) {
	await page.clickAt(await page.run((s) => {
		const b = document.querySelector(s).getBoundingClientRect();
		return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
	}, selector));
}

async function choose(page, id, value) {
	await page.run((i, v) => {
		const e = document.getElementById(i);
		e.value = v;
		e.dispatchEvent(new Event('change'));
	}, id, value);
}

async function search(page, term) {
	await page.run((v) => {
		const e = document.getElementById('search');
		e.value = v;
		e.dispatchEvent(new Event('input'));
	}, term);
}

function near(actual, expected, message) {
	assert.ok(Math.abs(actual - expected) < 0.8, `${message}: ${actual}, not ${expected}`);
}

const MATCH = 'rgb(230, 0, 230)';

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
			assert.ok(f[name].faded, name + ' is faded');
		assert.ok(!f.read.faded);
		assert.ok(!('parse' in f) && !('worker' in f) && !('idle' in f));
		near(f.ext4_read.width, room * .75, 'ext4_read');
		await t.page.moveTo(f.ext4_read);
		assert.equal(await text(t.page, 'details'),
			'Function: ext4_read (30 samples, 30.00%), 75.00% of what is shown');
		await t.page.screenshot(join(t.folder, `zoom-${width}.png`));
		await clickOn(t.page, '#unzoom');
		near((await frames(t.page)).ext4_read.width, room * .3, 'ext4_read');
		assert.equal(await text(t.page, 'unzoom'), null);
		assert.equal(await address(t.page), '');
	});

	test(`svg: colours are those of what was chosen, ${where}`, async (t) => {
		await t.page.resize(width, 600);
		await t.page.dark(dark);
		await picture(t, 'colors', STACKS, '--colors', 'js',
			'-e', 'category /^parse/ deps', '-e', 'category /^Parse/ deps');
		const palette = (await frames(t.page)).parse.fill;
		await choose(t.page, 'colors', 'category');
		const f = await frames(t.page);
		assert.equal(f.parse.fill, 'rgb(124, 197, 184)');
		assert.equal(f.Parse_json.fill, f.parse.fill);
		assert.notEqual(f.parse.fill, palette);
		assert.match(await text(t.page, 'legend'), /deps/);
		await t.page.screenshot(join(t.folder, `category-${width}.png`));
		await choose(t.page, 'colors', 'palette');
		assert.equal((await frames(t.page)).parse.fill, palette);
		assert.equal(await text(t.page, 'legend'), null);
	});
}

// By hand: 75 of 100 parts TurboFan (124, 197, 184), the rest interpreted (238, 159, 115).
const TIERS = ['main;JS:~fib /srv/app.js:5:13 30', 'main;JS:*fib /srv/app.js:5:13 90',
	'main;JS:^once /srv/app.js:9:1 40', 'main;native 10'].join('\n') + '\n';

test('svg: a function of several tiers has a colour between theirs', async (t) => {
	await picture(t, 'tiers', TIERS);
	await choose(t.page, 'colors', 'tier');
	const f = await frames(t.page);
	assert.equal(f['fib /srv/app.js:5:13'].fill, 'rgb(153, 188, 167)');
	assert.equal(f['once /srv/app.js:9:1'].fill, 'rgb(233, 196, 106)');
	assert.equal(f.native.fill, f.main.fill);
	assert.match(await text(t.page, 'legend'), /TurboFan.*baseline/);
	assert.doesNotMatch(await text(t.page, 'legend'), /interpreted/);
	await t.page.moveTo(f['fib /srv/app.js:5:13']);
	assert.match(await text(t.page, 'module'), /TurboFan 75%, interpreted 25%/);
	assert.match(await address(t.page), /c=tier/);
	await t.page.screenshot(join(t.folder, 'tiers.png'));
});

test('svg: where no tier is known, none is offered', async (t) => {
	await picture(t, 'no-tiers', STACKS);
	assert.deepEqual(await t.page.run('Array.from(document.getElementById("colors").options, (o) => o.value)'),
		['palette', 'category', 'module']);
});

test('svg: a frame under the mouse is described', async (t) => {
	await picture(t, 'hover', STACKS);
	await t.page.moveTo((await frames(t.page)).vfs_read);
	assert.equal(await text(t.page, 'details'), 'Function: vfs_read (40 samples, 40.00%)');
	await t.page.moveTo({ x: 2, y: 2 });
	assert.equal(await text(t.page, 'details'), '');
});

test('svg: a click on an ancestor zooms out to it', async (t) => {
	await picture(t, 'ancestor', STACKS);
	await click(t.page, 'ext4_read');
	await click(t.page, 'read');
	near((await frames(t.page)).ext4_read.width, 1180 * .75, 'ext4_read');
});

test('svg: what was too small to be drawn is there after zoom', async (t) => {
	await picture(t, 'narrow', NARROW);
	let f = await frames(t.page);
	assert.ok(!('m500' in f));
	near(f['(1,000 small)'].width, 1180 * 10000 / 1010000, 'the small ones');
	await click(t.page, '(1,000 small)');
	f = await frames(t.page);
	assert.match(await address(t.page), /z=0&w=500000-510000/);
	assert.ok('m500' in f && 'm999' in f && !('a' in f));
	near(f.m500.width, 1180 / 1000, 'one of them');
	await t.page.screenshot(join(t.folder, 'narrow.png'));
	await search(t.page, 'm5..');
	assert.equal(await text(t.page, 'matched'), '10.0% matched');
	await click(t.page, 'm500');
	near((await frames(t.page)).deep.width, 1180, 'what it calls');
});

test('svg: a search counts no weight twice', async (t) => {
	await picture(t, 'search', STACKS);
	await search(t.page, '^ext4_|parse');
	const f = await frames(t.page);
	for (const name of ['ext4_read', 'ext4_write', 'parse', 'parse_text'])
		assert.equal(f[name].fill, MATCH, name);
	assert.notEqual(f.Parse_json.fill, MATCH);
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

test('svg: matches are visited one after the other, and zoomed to where they are not seen',
	async (t) => {
		await picture(t, 'next', STACKS);
		await search(t.page, '^ext4_');
		await clickOn(t.page, '#next');
		assert.equal(await cursor(t.page), 'ext4_read');
		assert.equal(await text(t.page, 'matched'), '1 of 2, 55.0% matched');
		await clickOn(t.page, '#next');
		assert.equal(await cursor(t.page), 'ext4_write');
		await clickOn(t.page, '#next');
		assert.equal(await cursor(t.page), 'ext4_read');
		await clickOn(t.page, '#previous');
		assert.equal(await cursor(t.page), 'ext4_write');
		await picture(t, 'next-small', NARROW);
		await search(t.page, '^m777$');
		await clickOn(t.page, '#next');
		assert.equal(await cursor(t.page), 'm777');
		near((await frames(t.page)).m777.width, 1180, 'm777');
	});

test('svg: the keyboard searches, ignores case and zooms out', async (t) => {
	await picture(t, 'keyboard', STACKS);
	await t.page.key('f', 70, { ctrl: true });
	await t.page.send('Input.insertText', { text: '^parse_' });
	assert.equal(await text(t.page, 'matched'), '10.0% matched');
	await t.page.key('i', 73, { ctrl: true });
	assert.equal(await text(t.page, 'matched'), '30.0% matched');
	assert.ok(await pressed(t.page, 'ignorecase'));
	await t.page.key('i', 73, { ctrl: true });
	assert.equal(await text(t.page, 'matched'), '10.0% matched');
	await t.page.key('Escape', 27);
	await click(t.page, 'idle');
	await t.page.key('Escape', 27);
	near((await frames(t.page)).idle.width, 1180 * .05, 'idle');
});

test('svg: the keyboard walks from frame to frame', async (t) => {
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
	await t.page.key('Backspace', 8);
	near((await frames(t.page)).main.width, 1180, 'main');
	near((await frames(t.page)).read.width, 1180 * 40 / 70, 'read');
});

test('svg: a bad expression is said to be one and changes nothing', async (t) => {
	await picture(t, 'bad', STACKS);
	await search(t.page, 'ext4');
	await search(t.page, 'ext4(');
	assert.ok(await t.page.run('document.getElementById("search").classList.contains("bad")'));
	assert.match(await t.page.run('document.getElementById("search").title'), /expression/);
	assert.equal(await text(t.page, 'matched'), '55.0% matched');
	await search(t.page, 'parse');
	assert.ok(!await t.page.run('document.getElementById("search").classList.contains("bad")'));
});

test('svg: callers of a function', async (t) => {
	await picture(t, 'callers', STACKS);
	await clickOn(t.page, '#reverse');
	let f = await frames(t.page);
	near(f.ext4_read.width, 1180 * .3, 'ext4_read');
	near(f.ext4_write.left, 10 + 1180 * .5, 'by name: Parse_json, ext4_read, ext4_write');
	await search(t.page, '^server$');
	assert.equal(await text(t.page, 'matched'), '75.0% matched');
	await click(t.page, 'parse_text');
	f = await frames(t.page);
	near(f.server.width, 1180, 'its caller');
	assert.equal(await text(t.page, 'matched'), '100% matched');
	await t.page.screenshot(join(t.folder, 'callers.png'));
	await t.page.key('r', 82);
	near((await frames(t.page)).server.width, 1180 * .75, 'as it was');
});

test('svg: --reverse begins with callers', async (t) => {
	await picture(t, 'reverse', STACKS, '--reverse');
	assert.ok(await pressed(t.page, 'reverse'));
	near((await frames(t.page)).ext4_write.width, 1180 * .25, 'ext4_write');
	await t.page.key('r', 82);
	near((await frames(t.page)).server.width, 1180 * .75, 'server');
	assert.match(await address(t.page), /r=0/);
});

test('svg: an icicle hangs from the top', async (t) => {
	await picture(t, 'icicle', STACKS, '--inverted', '--subtitle', 'from the top');
	let f = await frames(t.page);
	assert.ok(f.all.y < f.server.y && f.server.y < f.main.y);
	assert.match(await text(t.page, 'bar'), /from the top/);
	await click(t.page, 'read');
	assert.ok((await frames(t.page)).server.faded);
	await t.page.screenshot(join(t.folder, 'icicle.png'));
	await clickOn(t.page, '#icicle');
	f = await frames(t.page);
	assert.ok(f.all.y > f.server.y && f.server.y > f.main.y);
	assert.match(await address(t.page), /v=0/);
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
	await t.page.key('Escape', 27);
	f = await frames(t.page);
	near(f.ant.left, 10 + 590, 'ant as it was');
	assert.deepEqual(Object.keys(f).sort(), ['all', 'ant', 'app', 'main', 'zebra']);
});

test('svg: by weight the heaviest comes first', async (t) => {
	await picture(t, 'order', STACKS);
	let f = await frames(t.page);
	assert.ok(f.idle.left < f.read.left && f.parse.left < f.read.left);
	await choose(t.page, 'order', 'weight');
	f = await frames(t.page);
	assert.ok(f.read.left < f.parse.left && f.parse.left < f.idle.left);
	near(f.read.left, 10, 'read');
	assert.match(await address(t.page), /o=weight/);
});

test('svg: a category is taken out and put back', async (t) => {
	await picture(t, 'hide', STACKS);
	await t.page.key('c', 67);
	assert.match(await text(t.page, 'legend'), /kernel/);
	const chip = () => t.page.run(() => {
		[...document.querySelectorAll('.chip')].find((c) => c.textContent === 'kernel').click();
	});
	await chip();
	let f = await frames(t.page);
	assert.ok(!('vfs_read' in f) && !('ext4_read' in f));
	near(f.read.width, 1180 * .4, 'read keeps its weight');
	await search(t.page, 'ext4_');
	assert.equal(await text(t.page, 'matched'), '25.0% matched');
	assert.match(await address(t.page), /h=kernel/);
	await open(t.page, await t.page.run('location.href'));
	assert.ok(!('ext4_read' in await frames(t.page)), 'the address says so too');
	await t.page.screenshot(join(t.folder, 'hidden.png'));
	await t.page.key('r', 82);
	f = await frames(t.page);
	near(f.read.width, 1180 * .4, 'what ends in the kernel ends in its caller');
	await t.page.key('r', 82);
	await chip();
	near((await frames(t.page)).ext4_read.width, 1180 * .3, 'ext4_read');
});

test('svg: names and stacks are copied', async (t) => {
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
	await t.page.key('r', 82);
	await click(t.page, 'parse_text');
	await clickOn(t.page, '#copy');
	assert.equal(await t.page.run('window.copied.at(-1)'), 'parse_text');
});

test('svg: the address brings everything back, at any width', async (t) => {
	await picture(t, 'address', STACKS);
	await click(t.page, 'read');
	await search(t.page, 'EXT4');
	await t.page.key('i', 73, { ctrl: true });
	await choose(t.page, 'colors', 'category');
	await clickOn(t.page, '#dark');
	const query = await address(t.page);
	assert.match(query, /z=0\.1\.1/);
	assert.match(query, /s=EXT4/);
	for (const width of [1200, 700]) {
		const url = make(t, 'address-' + width, STACKS, '--width', String(width));
		await open(t.page, url + query);
		const f = await frames(t.page);
		near(f.read.width, width - 20, 'read');
		near(f.ext4_read.width, (width - 20) * .75, 'ext4_read');
		assert.equal(f.ext4_read.fill, MATCH);
		assert.equal(await text(t.page, 'matched'), '75.0% matched');
		assert.ok(await pressed(t.page, 'dark'));
		assert.match(await text(t.page, 'legend'), /native/);
		assert.equal(await address(t.page), query);
	}
});

test('svg: the address keeps what others put into it, and takes no nonsense', async (t) => {
	const url = make(t, 'nonsense', STACKS);
	await open(t.page, url + '?keep=1&z=17.x.-1&w=9-1&s=%28&c=__proto__&h=none&o=x');
	near((await frames(t.page)).all.width, 1180, 'all');
	await click(t.page, 'read');
	assert.match(await address(t.page), /keep=1/);
});

test('svg: without --width it takes the width of the window', async (t) => {
	await t.page.resize(900, 600);
	await picture(t, 'window', STACKS);
	near((await frames(t.page)).server.width, 880 * .75, 'server');
	await click(t.page, 'read');
	await t.page.resize(1500, 600);
	await twoFrames(t.page);
	near((await frames(t.page)).ext4_read.width, 1480 * .75, 'ext4_read');
	assert.match(await address(t.page), /z=0\.1\.1/);
	await t.page.screenshot(join(t.folder, 'window.png'));
});

test('svg: labels are cut to what fits', async (t) => {
	await t.page.resize(400, 400);
	await picture(t, 'labels', STACKS);
	const { label } = (await frames(t.page)).ext4_write;
	assert.ok('ext4_write'.startsWith(label.replace(/\.\.$/, '')));
	const wide = await t.page.run(() => [...document.querySelectorAll('#frames > g')].filter((g) =>
		(g.querySelector('text')?.getBBox().width ?? 0) > g.querySelector('rect').getBBox().width).length);
	assert.equal(wide, 0);
});

test('svg: names cannot leave their place', async (t) => {
	await picture(t, 'hostile', HOSTILE, '--title', '</title><script>window.hit = 1</script>');
	const names = Object.keys(await frames(t.page));
	for (const name of names.filter((n) => n.length < 100)) {
		await click(t.page, name);
		await t.page.key('Escape', 27);
	}
	await search(t.page, '<img|\\u202e');
	assert.equal(await t.page.run('window.hit'), undefined);
	assert.equal(await t.page.run('document.querySelectorAll("script").length'), 1);
	assert.equal(await t.page.run('document.querySelectorAll("img, parsererror").length'), 0);
	assert.equal(await t.page.run('document.documentElement.textContent.includes("\\u202e")'), false);
	assert.equal(names.length, 12);
	await t.page.screenshot(join(t.folder, 'hostile.png'));
});

for (const dark of [false, true])
	test(`svg: without scripts it is whole and has no buttons, ${dark ? 'dark' : 'light'}`, async (t) => {
		await t.page.withoutScripts();
		await t.page.dark(dark);
		await t.page.open(make(t, 'static', STACKS, '--subtitle', 'as it is on paper'));
		const f = await frames(t.page);
		assert.equal(f.ext4_read.label, 'ext4_read');
		near(f.all.width, 1180, 'all');
		near(f.worker.left, 10 + 1180 * .75, 'worker');
		assert.equal(await t.page.run('document.querySelectorAll("foreignObject").length'), 0);
		assert.match(await text(t.page, 'footer'), /100 samples/);
		assert.ok((await brightness(t.page) < 60) === dark);
		await t.page.screenshot(join(t.folder, dark ? 'static-dark.png' : 'static.png'));
		await t.page.open(make(t, 'static-narrow', NARROW));
		const narrow = await frames(t.page);
		assert.ok('(1000 small)' in narrow);
		near(narrow['(1000 small)'].width, 1180 * 10000 / 1010000, 'the small ones');
		assert.equal(narrow['(1000 small)'].fill, dark ? 'rgb(86, 90, 97)' : 'rgb(220, 220, 216)');
	});

test('svg: a frame is drawn in the same colour without scripts and with', async (t) => {
	const url = await picture(t, 'same', STACKS, '--colors', 'java');
	const live = await frames(t.page);
	await t.page.withoutScripts();
	await t.page.open(url);
	for (const [name, f] of Object.entries(await frames(t.page)))
		assert.equal(f.fill, live[name].fill, name);
});

const brightness = (page) => page.run(() => {
	const c = getComputedStyle(document.querySelector('#paper')).fill;
	return Math.max(...(c.match(/\d+/g) ?? [255]).map(Number));
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
	assert.match(await address(t.page), /d=0/);
	await open(t.page, url + '?d=1');
	assert.ok(await brightness(t.page) < 60);
	await picture(t, 'yellow', STACKS, '--background', 'yellow');
	assert.ok(!await pressed(t.page, 'dark'));
	assert.equal(await t.page.run('getComputedStyle(document.querySelector("#paper")).fill'),
		'url("#background")');
	await t.page.screenshot(join(t.folder, 'yellow.png'));
});

// Callers and callees as in a program: most calls are of few functions, stacks share their roots.
function manyStacks(n) {
	const names = Array.from({ length: 20000 }, (_, i) => `module${i % 37}::function_${i}`);
	const lines = new Set();
	let seed = 1, stack = [];
	const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;

	while (lines.size < n) {
		stack.length = Math.min(stack.length, 2 + Math.floor(random() * 24));
		for (let k = Math.ceil(random() * 4); k > 0; k--)
			stack.push(names[Math.floor(random() ** 4 * names.length)]);
		lines.add('server;' + stack.join(';'));
	}
	return [...lines].map((line, i) => line + ' ' + (i % 97 + 1)).join('\n') + '\n';
}

test('svg: 500,000 stacks are drawn in 16 ms and zoomed in 50 ms', async (t) => {
	await picture(t, 'many', manyStacks(500000));
	const durations = (name) => t.page.run((n) => {
		const all = performance.getEntriesByName(n).map((e) => e.duration);
		performance.clearMeasures(n);
		return all;
	}, name);
	const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
	const redraws = async () => {
		for (let i = 0; i < 9; i++)
			await t.page.run('dispatchEvent(new Event("resize"))');
		return median(await durations('draw'));
	};
	const zooms = async () => {
		for (let i = 0; i < 9; i++) {
			await t.page.run((k) => document.querySelectorAll('#frames > g:not(.off)')[2 + k]
				.dispatchEvent(new MouseEvent('click', { bubbles: true })), i);
			await t.page.key('Escape', 27);
		}
		return median(await durations('zoom'));
	};
	// The least of some rounds: others use this machine too.
	const least = async (measure, limit) => {
		let best = Infinity;
		for (let round = 0; round < 5 && best > limit; round++) {
			await durations('draw');
			await durations('zoom');
			best = Math.min(best, await measure());
		}
		return best;
	};
	const redraw = await least(redraws, 16), zoom = await least(zooms, 50);
	console.log(`        redraw ${redraw.toFixed(1)} ms, zoom ${zoom.toFixed(1)} ms`);
	assert.ok(redraw <= 16, `redraw takes ${redraw} ms`);
	assert.ok(zoom <= 50, `zoom takes ${zoom} ms`);
	await t.page.screenshot(join(t.folder, 'many.png'));
});

test('svg: many boxes are drawn some at a time, and those that are asked for at once', async (t) => {
	const stacks = Array.from({ length: 1100 }, (_, i) => `m${i};a;b;last${i} 1`);
	await picture(t, 'slices', stacks.join('\n') + '\n');
	const shown = () => t.page.run('document.querySelectorAll("#frames > g:not(.off)").length');
	for (let i = 0; i < 100 && await shown() < 4401; i++)
		await twoFrames(t.page);
	assert.equal(await shown(), 4401);
	await search(t.page, 'last999$');
	const found = await t.page.run(() => {
		dispatchEvent(new Event('resize'));
		const before = document.querySelectorAll('#frames > g:not(.off)').length;
		dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }));
		return { before, cursor: document.querySelectorAll('#frames > .cursor').length,
			details: document.getElementById('details').textContent };
	});
	assert.ok(found.before < 4401);
	assert.equal(found.cursor, 1);
	assert.match(found.details, /last999 \(1 samples/);
});

test('svg: without samples it says so', async (t) => {
	await t.page.open(make(t, 'empty', STACKS, '-e', 'drop-stack /./'));
	assert.match(await t.page.run('document.documentElement.textContent'), /nothing to draw/);
	await t.page.screenshot(join(t.folder, 'empty.png'));
});
