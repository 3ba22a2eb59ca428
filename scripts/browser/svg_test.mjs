// The SVG's behaviour: zoom, search, address, keyboard, width of the window, dark, hostile names.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const STACKS = [
	'server;main;read;vfs_read;ext4_read 30',
	'server;main;read;vfs_read;sock_read 10',
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
	'&lt &amp &#0 &unknown 10',
	'\u202eright to left\u2066 10',
	'\x1b[31mred\x07\x00\x01 10',
	'日本語の関数名は幅が広いので切られる 10',
	'\u{1f525}'.repeat(300) + ' 10',
	'x'.repeat(100000) + ' 10',
].join('\n') + '\n';

async function picture({ page, perfold, folder }, name, stacks, ...options) {
	const file = join(folder, name + '.svg');

	perfold(stacks, ...options, '-o', file);
	const url = pathToFileURL(file).href;
	await page.open(url);
	return url;
}

// The frames that are shown: name -> { x, width, fill, label, classes }, the first of a name.
function frames(page) {
	return page.run(() => {
		const all = {};
		for (const g of document.querySelectorAll('#frames > g')) {
			const rect = g.querySelector('rect'), box = rect.getBoundingClientRect();
			const name = g.querySelector('title').textContent.replace(/ \([^(]*\)$/, '');
			if (getComputedStyle(g).display === 'none' || name in all)
				continue;
			all[name] = { x: box.x + box.width / 2, y: box.y + box.height / 2,
				left: box.x, width: box.width, fill: getComputedStyle(rect).fill,
				label: g.querySelector('text').textContent,
				faded: getComputedStyle(g).opacity < 1 };
		}
		return all;
	});
}

const text = (page, id) => page.run((i) => {
	const e = document.getElementById(i);
	return getComputedStyle(e).display === 'none' ? null : e.textContent;
}, id);

async function click(page, name) {
	await page.clickAt((await frames(page))[name]);
}

async function clickOn(page, id) {
	await page.clickAt(await page.run((i) => {
		const b = document.getElementById(i).getBoundingClientRect();
		return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
	}, id));
}

function near(actual, expected, message) {
	assert.ok(Math.abs(actual - expected) < 0.2, `${message}: ${actual}, not ${expected}`);
}

const MATCH = 'rgb(230, 0, 230)';

test('svg: frames lie where their weight says', async (t) => {
	await picture(t, 'plain', STACKS);
	const f = await frames(t.page);
	near(f.all.left, 10, 'left of all');
	near(f.all.width, 1180, 'width of all');
	near(f.server.width, 1180 * .75, 'width of server');
	near(f.worker.left, 10 + 1180 * .75, 'left of worker');
	assert.equal(f.ext4_read.label, 'ext4_read');
	await t.page.screenshot(join(t.folder, 'plain.png'));
});

test('svg: a frame under the mouse is described', async (t) => {
	await picture(t, 'hover', STACKS);
	await t.page.moveTo((await frames(t.page)).vfs_read);
	assert.equal(await text(t.page, 'details'), 'Function: vfs_read (40 samples, 40.00%)');
	await t.page.moveTo({ x: 2, y: 2 });
	assert.equal(await text(t.page, 'details'), ' ');
});

test('svg: a click zooms, ancestors fade, others go', async (t) => {
	await picture(t, 'zoom', STACKS);
	await click(t.page, 'read');
	const f = await frames(t.page);
	for (const name of ['all', 'server', 'main', 'read', 'vfs_read'])
		near(f[name].width, 1180, name);
	for (const name of ['all', 'server', 'main'])
		assert.ok(f[name].faded, name + ' is faded');
	assert.ok(!f.read.faded);
	assert.ok(!('parse' in f) && !('worker' in f) && !('idle' in f));
	near(f.ext4_read.width, 1180 * .75, 'ext4_read');
	await t.page.screenshot(join(t.folder, 'zoom.png'));
	await t.page.moveTo(f.ext4_read);
	assert.equal(await text(t.page, 'details'),
		'Function: ext4_read (30 samples, 30.00%), 75.00% of what is shown');
});

test('svg: a click on an ancestor zooms out to it, Reset Zoom to all', async (t) => {
	await picture(t, 'ancestor', STACKS);
	assert.equal(await text(t.page, 'unzoom'), null);
	await click(t.page, 'ext4_read');
	await click(t.page, 'read');
	near((await frames(t.page)).ext4_read.width, 1180 * .75, 'ext4_read');
	assert.equal(await text(t.page, 'unzoom'), 'Reset Zoom');
	await clickOn(t.page, 'unzoom');
	near((await frames(t.page)).ext4_read.width, 1180 * .3, 'ext4_read');
	assert.equal(await text(t.page, 'unzoom'), null);
	assert.equal(await t.page.run('location.search'), '');
});

test('svg: a search counts no weight twice', async (t) => {
	await picture(t, 'search', STACKS);
	t.page.answers.push('^ext4_|parse');
	await clickOn(t.page, 'search');
	const f = await frames(t.page);
	for (const name of ['ext4_read', 'ext4_write', 'parse', 'parse_text'])
		assert.equal(f[name].fill, MATCH, name);
	assert.notEqual(f.Parse_json.fill, MATCH);
	assert.notEqual(f.server.fill, MATCH);
	assert.equal(await text(t.page, 'matched'), 'Matched: 85.0%');
	await t.page.screenshot(join(t.folder, 'search.png'));
	await clickOn(t.page, 'search');
	assert.notEqual((await frames(t.page)).parse.fill, MATCH);
	assert.equal(await text(t.page, 'matched'), null);
});

test('svg: frames that zoom hides do not count as found', async (t) => {
	await picture(t, 'search-zoom', STACKS);
	t.page.answers.push('^ext4_');
	await t.page.key('F3', 114);
	assert.equal(await text(t.page, 'matched'), 'Matched: 55.0%');
	await click(t.page, 'read');
	assert.equal(await text(t.page, 'matched'), 'Matched: 75.0%');
	await click(t.page, 'ext4_read');
	assert.equal(await text(t.page, 'matched'), 'Matched: 100%');
	await clickOn(t.page, 'unzoom');
	assert.equal(await text(t.page, 'matched'), 'Matched: 55.0%');
});

test('svg: the keyboard searches, ignores case and zooms out', async (t) => {
	await picture(t, 'keyboard', STACKS);
	t.page.answers.push('^parse_');
	await t.page.key('f', 70, { ctrl: true });
	assert.equal(await text(t.page, 'matched'), 'Matched: 10.0%');
	await t.page.key('i', 73, { ctrl: true });
	assert.equal(await text(t.page, 'matched'), 'Matched: 30.0%');
	await t.page.key('i', 73, { ctrl: true });
	assert.equal(await text(t.page, 'matched'), 'Matched: 10.0%');
	await click(t.page, 'idle');
	await t.page.key('Escape', 27);
	near((await frames(t.page)).idle.width, 1180 * .05, 'idle');
});

test('svg: a bad expression is said to be one and changes nothing', async (t) => {
	await picture(t, 'bad', STACKS);
	t.page.answers.push('ext4', '(');
	await t.page.key('F3', 114);
	await t.page.key('F3', 114);
	assert.equal(t.page.dialogs.length, 3);
	assert.match(t.page.dialogs[2], /expression/);
	assert.equal(await text(t.page, 'matched'), 'Matched: 55.0%');
});

test('svg: the address brings zoom and search back, at any width', async (t) => {
	await picture(t, 'address', STACKS);
	await click(t.page, 'read');
	t.page.answers.push('EXT4');
	await t.page.key('i', 73, { ctrl: true });
	await t.page.key('F3', 114);
	const search = await t.page.run('location.search');
	assert.match(search, /x=35&y=3/);
	assert.match(search, /s=EXT4/);
	for (const width of [1200, 700]) {
		const url = await picture(t, 'address-' + width, STACKS, '--width', String(width));
		await t.page.open(url + search);
		const f = await frames(t.page);
		near(f.read.width, width - 20, 'read');
		near(f.ext4_read.width, (width - 20) * .75, 'ext4_read');
		assert.equal(f.ext4_read.fill, MATCH);
		assert.equal(await text(t.page, 'matched'), 'Matched: 75.0%');
	}
});

test('svg: the address keeps what others put into it, and takes no nonsense', async (t) => {
	const url = await picture(t, 'nonsense', STACKS);
	await t.page.open(url + '?keep=1&x=17&y=99&s=%28');
	near((await frames(t.page)).all.width, 1180, 'all');
	assert.equal(t.page.dialogs.length, 1);
	await click(t.page, 'read');
	assert.match(await t.page.run('location.search'), /keep=1/);
});

test('svg: without --width it takes the width of the window', async (t) => {
	await t.page.resize(900, 600);
	await picture(t, 'window', STACKS);
	near((await frames(t.page)).server.width, 880 * .75, 'server');
	await click(t.page, 'read');
	await t.page.resize(1500, 600);
	await t.page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
	near((await frames(t.page)).ext4_read.width, 1480 * .75, 'ext4_read');
	assert.match(await t.page.run('location.search'), /x=35&y=3/);
	await t.page.screenshot(join(t.folder, 'window.png'));
});

test('svg: labels are cut to what fits', async (t) => {
	await t.page.resize(400, 400);
	await picture(t, 'labels', STACKS);
	const { label } = (await frames(t.page)).ext4_write;
	assert.ok('ext4_write'.startsWith(label.replace(/\.\.$/, '')));
	const wide = await t.page.run(() => [...document.querySelectorAll('#frames > g')].filter((g) =>
		g.querySelector('text').getBBox().width > g.querySelector('rect').getBBox().width).length);
	assert.equal(wide, 0);
});

test('svg: an icicle hangs from the top', async (t) => {
	await picture(t, 'icicle', STACKS, '--inverted', '--subtitle', 'from the top');
	const f = await frames(t.page);
	assert.ok(f.all.y < f.server.y && f.server.y < f.main.y);
	await click(t.page, 'read');
	assert.ok((await frames(t.page)).server.faded);
	await t.page.screenshot(join(t.folder, 'icicle.png'));
});

test('svg: names cannot leave their place', async (t) => {
	await picture(t, 'hostile', HOSTILE, '--title', '</title><script>window.hit = 1</script>');
	assert.equal(await t.page.run('window.hit'), undefined);
	assert.equal(await t.page.run('document.querySelectorAll("script").length'), 1);
	assert.equal(await t.page.run('document.querySelectorAll("img, parsererror").length'), 0);
	assert.equal(await t.page.run('document.querySelectorAll("#frames > g").length'), 11);
	await t.page.moveTo((await frames(t.page)).all);
	await t.page.screenshot(join(t.folder, 'hostile.png'));
});

test('svg: a picture without scripts is whole and shows no buttons', async (t) => {
	await t.page.withoutScripts();
	await picture(t, 'static', STACKS);
	const f = await frames(t.page);
	assert.equal(f.ext4_read.label, 'ext4_read');
	near(f.all.width, 1180, 'all');
	assert.equal(await t.page.run(
		'getComputedStyle(document.getElementById("search")).visibility'), 'hidden');
	await t.page.screenshot(join(t.folder, 'static.png'));
});

test('svg: it is dark where the desktop is', async (t) => {
	const brightness = () => t.page.run(() => {
		const c = getComputedStyle(document.querySelector('#background stop')).stopColor;
		return Math.max(...c.match(/\d+/g).map(Number));
	});
	await picture(t, 'dark', STACKS);
	assert.ok(await brightness() > 200);
	await t.page.dark(true);
	assert.ok(await brightness() < 60);
	await t.page.screenshot(join(t.folder, 'dark.png'));
	await picture(t, 'yellow', STACKS, '--background', 'yellow');
	assert.ok(await brightness() > 200);
});

test('svg: without samples it says so', async (t) => {
	await picture(t, 'empty', STACKS, '-e', 'drop-stack /./');
	assert.match(await t.page.run('document.documentElement.textContent'), /nothing to draw/);
	await t.page.screenshot(join(t.folder, 'empty.png'));
});
