// What the reader chooses in a report: zoom, search, keys, the address.
import assert from 'node:assert/strict';
import {
	FOLDED, ready, report, boxes, text, press, click, type, share, test_at
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
	await type(t.page, 'search-text', '^EXT4_|parse');
	assert.equal(await text(t.page, 'search-result'), '85.00 % matched');
	const f = await boxes(t.page);
	assert.deepEqual(f.parse.color, [0xb0, 0x00, 0xb0]);
	assert.notDeepEqual(f.server.color, [0xb0, 0x00, 0xb0]);
	await press(t.page, 'search-case');
	assert.equal(await text(t.page, 'search-result'), '30.00 % matched');
	await press(t.page, 'search-case');
	await click(t.page, 'read');
	assert.equal(await text(t.page, 'search-result'), '75.00 % matched');
	await type(t.page, 'search-text', '(');
	assert.equal(await text(t.page, 'search-result'), 'not an expression');
	await type(t.page, 'search-text', '');
	assert.equal(await text(t.page, 'search-result'), '');
});

test_at('Enter goes from match to match, the heaviest first', async (t) => {
	await report(t, 'next', FOLDED);
	await type(t.page, 'search-text', 'ext4');
	await t.page.run('document.getElementById("search-text").focus()');
	await t.page.key('Enter', 13);
	assert.equal(await text(t.page, 'search-result'), '1 of 2');
	share((await boxes(t.page)).ext4_read, 1, 'ext4_read');
	await t.page.key('Enter', 13);
	share((await boxes(t.page)).ext4_write, 1, 'ext4_write');
});

test_at('the keyboard moves among frames, and what has the focus is announced', async (t) => {
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
	assert.equal(await t.page.run('app.looks.by'), 'module');
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
