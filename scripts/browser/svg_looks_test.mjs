// How an SVG looks and speaks: colours, labels, hostile names, without scripts, on paper, to screen
// readers, on a phone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NARROW, STACKS, brightness, cardAt, choose, click, frames, make, near, open, picture,
	search, text, twoFrames } from './svg_page.mjs';

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

for (const { width, dark } of [{ width: 1200, dark: false }, { width: 420, dark: true }]) {
	const where = `${width} pixels, ${dark ? 'dark' : 'light'}`;

	test(`svg: colours are those of what was chosen, ${where}`, async (t) => {
		await t.page.resize(width, 600);
		await t.page.dark(dark);
		await picture(t, 'colors', STACKS, '--colors', 'js',
			'-e', 'category /^parse/ deps', '-e', 'category /^Parse/ deps');
		const palette = (await frames(t.page)).parse.fill;
		await choose(t.page, 'colors', 'category');
		const f = await frames(t.page);
		assert.equal(f.Parse_json.fill, f.parse.fill);
		assert.notEqual(f.parse.fill, palette);
		assert.match(await text(t.page, 'legend'), /deps/);
		const chip = await t.page.run(`getComputedStyle([...document.querySelectorAll('.chip')]
			.find((c) => c.textContent.startsWith('deps')).firstChild).backgroundColor`);
		assert.equal(chip, f.parse.fill);
		await t.page.screenshot(join(t.folder, `category-${width}.png`));
		await choose(t.page, 'colors', 'palette');
		assert.equal((await frames(t.page)).parse.fill, palette);
		assert.equal(await text(t.page, 'legend'), null);
	});
}

// By hand: 75 of 100 parts TurboFan (98, 181, 143), the rest interpreted (224, 128, 106).
const TIERS = ['main;JS:~fib /srv/app.js:5:13 30', 'main;JS:*fib /srv/app.js:5:13 90',
	'main;JS:^once /srv/app.js:9:1 40', 'main;native 10'].join('\n') + '\n';

test('svg: a function of several tiers has a colour between theirs', async (t) => {
	await picture(t, 'tiers', TIERS);
	await choose(t.page, 'colors', 'tier');
	const f = await frames(t.page);
	assert.equal(f['fib /srv/app.js:5:13'].fill, 'rgb(130, 168, 134)');
	assert.equal(f['once /srv/app.js:9:1'].fill, 'rgb(232, 194, 74)');
	assert.equal(f.native.fill, f.main.fill);
	assert.match(await text(t.page, 'legend'), /TurboFan.*baseline/);
	assert.doesNotMatch(await text(t.page, 'legend'), /interpreted/);
	assert.equal(await t.page.run(`getComputedStyle([...document.querySelectorAll('.chip')]
		.find((c) => c.textContent.startsWith('TurboFan')).firstChild).backgroundColor`),
	'rgb(98, 181, 143)', 'of code of that tier alone');
	const card = await cardAt(t.page, f['fib /srv/app.js:5:13']);
	assert.match(card.join('\n'), /TurboFan 75%, interpreted 25%/);
	await t.page.screenshot(join(t.folder, 'tiers.png'));
});

test('svg: names of several packages are coloured by them, if they are of one category', async (t) => {
	await picture(t, 'packages', ['app;main;net::read 30', 'app;main;net::http::parse 10',
		'app;main;db::Store::get 40', 'app;main;write 20'].join('\n') + '\n');
	const f = await frames(t.page);
	assert.equal(await t.page.run('document.getElementById("colors").value'), 'package');
	assert.equal(f['net::read'].fill, f['net::http::parse'].fill);
	assert.notEqual(f['net::read'].fill, f['db::Store::get'].fill);
	assert.equal(f.write.fill, f.main.fill, 'of no package');
	assert.match(await text(t.page, 'legend'), /^net 40.0%db 40.0%none 20.0%|^db 40.0%net 40.0%none 20.0%/);
});

test('svg: the legend has all colours, those too that only callers have', async (t) => {
	await picture(t, 'callers', 'acme::run;acme::more;nodejs::x;acme::y 60\nacme::run;acme::z 40\n');
	await choose(t.page, 'colors', 'package');
	assert.match(await text(t.page, 'legend'), /acme 100%.*nodejs 0/);
});

test('svg: where most names have no package, colours tell names apart', async (t) => {
	await picture(t, 'few', 'main;a::x;read 30\nmain;b::x;write 20\n');
	assert.equal(await t.page.run("document.querySelector('#colors').value"), 'palette');
	await picture(t, 'seen', 'a::x;a::y;b::z;read 30\na::x;a::y;b::v;write 20\n');
	assert.equal(await t.page.run("document.querySelector('#colors').value"), 'package');
});

test('svg: where no tier is known, none is offered', async (t) => {
	await picture(t, 'no-tiers', STACKS);
	assert.deepEqual(await t.page.run('Array.from(document.getElementById("colors").options, (o) => o.value)'),
		['palette', 'category', 'module']);
});

const luminance = (rgb) => {
	const [r, g, b] = rgb.match(/\d+/g).slice(0, 3).map((v) => v / 255)
		.map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
	return .2126 * r + .7152 * g + .0722 * b;
};
const contrast = (a, b) => {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + .05) / (low + .05);
};

for (const dark of [false, true])
	for (const live of [false, true])
		test(`svg: every label can be read, ${dark ? 'dark' : 'light'}${live ? '' : ', without scripts'}`,
			async (t) => {
				const names = Array.from({ length: 300 }, (_, i) => `main;function_${i}`);
				await t.page.dark(dark);
				if (!live)
					await t.page.withoutScripts();
				const url = make(t, 'contrast', names.join(' 1\n') + ' 1\n', '--width', '24000',
					'--colors', 'hot');
				await (live ? open(t.page, url) : t.page.open(url));
				const all = Object.values(await frames(t.page)).filter((f) => f.label);
				assert.ok(all.length > 290);
				const worst = Math.min(...all.map((f) => contrast(f.fill, f.ink)));
				assert.ok(worst >= 4.5, `contrast ${worst}`);
			});

test('svg: labels are cut to what tells most, and fits', async (t) => {
	await t.page.resize(400, 400);
	await picture(t, 'labels', STACKS + 'std::chrono::Clock<int>::now 30\n');
	const f = await frames(t.page);
	assert.equal(f['std::chrono::Clock<int>::now'].label, 'Clock::now');
	const wide = await t.page.run(() => [...document.querySelectorAll('#frames > g')].filter((g) =>
		(g.querySelector('text')?.getBBox().width ?? 0) >
		(g.querySelector('rect')?.getBBox().width ?? 0)).length);
	assert.equal(wide, 0);
});

inBoth('svg: names cannot leave their place', async (t) => {
	await picture(t, 'hostile', HOSTILE, '--title', '</title><script>window.hit = 1</script>');
	const names = Object.keys(await frames(t.page));
	for (const name of names.filter((n) => n.length < 100)) {
		await click(t.page, name);
		await t.page.key('Home', 36);
	}
	await search(t.page, '<img|\\u202e');
	assert.equal(await t.page.run('window.hit'), undefined);
	assert.equal(await t.page.run('document.querySelectorAll("script").length'), 1);
	assert.equal(await t.page.run('document.querySelectorAll("img, parsererror").length'), 0);
	assert.equal(await t.page.run('document.documentElement.textContent.includes("\\u202e")'), false);
	assert.equal(names.length, 12);
	await t.page.screenshot(join(t.folder, 'hostile.png'));
});

// An image does not know whether the page around it is light, only what the desktop is.
for (const dark of [false, true])
	test(`svg: without scripts it is whole, light, has no buttons, on a ${dark ? 'dark' : 'light'} desktop`,
		async (t) => {
			await t.page.withoutScripts();
			await t.page.dark(dark);
			await t.page.open(make(t, 'static', STACKS, '--subtitle', 'as it is on paper'));
			const f = await frames(t.page);
			assert.equal(f.ext4_read.label, 'ext4_read');
			near(f.all.width, 1180, 'all');
			near(f.worker.left, 10 + 1180 * .75, 'worker');
			assert.equal(await t.page.run('document.querySelectorAll("foreignObject").length'), 0);
			assert.match(await text(t.page, 'footer'), /100 samples/);
			assert.ok(await brightness(t.page) > 200);
			await t.page.screenshot(join(t.folder, dark ? 'static-dark.png' : 'static.png'));
			await t.page.open(make(t, 'static-narrow', NARROW));
			const narrow = await frames(t.page);
			assert.ok('(1000 small)' in narrow);
			near(narrow['(1000 small)'].width, 1180 * 10000 / 1010000, 'the small ones');
			assert.equal(narrow['(1000 small)'].fill, 'rgb(220, 220, 216)');
		});

test('svg: a frame is drawn in the same colour without scripts and with', async (t) => {
	const url = await picture(t, 'same', STACKS, '--colors', 'java');
	const live = await frames(t.page);
	await t.page.withoutScripts();
	await t.page.open(url);
	for (const [name, f] of Object.entries(await frames(t.page)))
		assert.equal(f.fill, live[name].fill, name);
});

// Width and height of the first page in points, and how many pages there are.
function pdfPages(file) {
	const bytes = readFileSync(file, 'latin1');
	return [...bytes.matchAll(/\/Type\s*\/Page\b/g)].length;
}

test('svg: on paper it is light, as wide as the page, with title and legend alone', async (t) => {
	await t.page.resize(1900, 900);
	await t.page.dark(true);
	await picture(t, 'paper', STACKS, '--title', 'Title of all');
	await choose(t.page, 'colors', 'category');
	const print = () => t.page.run(() => {
		dispatchEvent(new Event('beforeprint'));
		const svg = document.documentElement, shown = (s) => getComputedStyle(
			document.querySelector(s)).display !== 'none';
		const look = { viewBox: svg.getAttribute('viewBox').split(' ')[2], buttons: shown('#reverse') &&
			shown('.views'), legend: shown('#legend'), title: shown('#bar strong'),
			paper: getComputedStyle(document.getElementById('paper')).fill,
			right: Math.max(...[...document.querySelectorAll('#frames rect')].map((r) =>
				r.x.baseVal.value + r.width.baseVal.value)) };
		dispatchEvent(new Event('afterprint'));
		return look;
	});
	const look = await print();
	assert.deepEqual({ ...look, right: 0, paper: '' }, { viewBox: '1000', buttons: false,
		legend: true, title: true, right: 0, paper: '' });
	near(look.right, 990, 'the right end');
	assert.ok(look.paper.match(/\d+/g).every((v) => v > 200), look.paper);
	assert.ok(await brightness(t.page) < 60, 'dark again');
	near((await frames(t.page)).all.width, 1880, 'as wide as the window again');
	await t.page.print(join(t.folder, 'paper.pdf'));
	assert.equal(pdfPages(join(t.folder, 'paper.pdf')), 1);
});

test('svg: a picture without scripts says what it is', async (t) => {
	await t.page.withoutScripts();
	await t.page.open(make(t, 'role', STACKS, '--title', 'The server', '--notes', 'A note.'));
	const { nodes } = await t.page.send('Accessibility.getFullAXTree');
	const root = nodes.find((n) => !n.ignored && /image|img/.test(n.role?.value));
	assert.equal(root.name.value, 'The server');
	assert.match(root.description.value, /A note\. 100 samples.*server 75\.00%.*worker 25\.00%/s);
});

test('svg: a screen reader hears a tree, and what keys move to', async (t) => {
	await picture(t, 'tree', STACKS);
	const { nodes } = await t.page.send('Accessibility.getFullAXTree');
	const items = nodes.filter((n) => n.role?.value === 'treeitem').map((n) => n.name.value);
	assert.ok(nodes.some((n) => n.role?.value === 'tree' && /Arrow keys/.test(n.name.value)));
	assert.ok(items.includes('read, 40 samples, 40.00%'), items.join());
	const said = () => t.page.run('document.querySelector("[aria-live]").textContent');
	await t.page.moveTo((await frames(t.page)).read);
	assert.equal(await said(), '');
	await t.page.key('ArrowUp', 38);
	assert.equal(await said(), 'Function: server (75 samples, 75.00%)');
	const active = await t.page.run(`document.getElementById(document.getElementById('frames')
		.getAttribute('aria-activedescendant')).getAttribute('aria-label')`);
	assert.equal(active, 'server, 75 samples, 75.00%');
	assert.equal(await t.page.run('[...document.querySelectorAll("[aria-live]")].length'), 1);
});

test('svg: a tap on a phone zooms, and tells of the frame where it can be seen', async (t) => {
	await t.page.send('Emulation.setDeviceMetricsOverride',
		{ width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
	await t.page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
	await picture(t, 'phone', STACKS);
	await t.page.tapAt((await frames(t.page)).read);
	await twoFrames(t.page);
	near((await frames(t.page)).read.width, 370, 'read');
	const box = await t.page.run(`(() => { const b = document.getElementById('details')
		.getBoundingClientRect(); return { top: b.top, bottom: b.bottom, right: b.right }; })()`);
	assert.ok(box.top >= 0 && box.bottom < 844 && box.right <= 390);
	assert.match(await text(t.page, 'details'), /read \(40 samples/);
	await t.page.screenshot(join(t.folder, 'phone.png'));
});

// What can be touched, and texts: [what, its box]. In a list that scrolls, brought into sight.
const parts = (page, selector) => page.run((all) => [...document.querySelectorAll(all)]
	.filter((e) => getComputedStyle(e).visibility === 'visible' && e.getClientRects().length)
	.map((e) => {
		e.scrollIntoView({ block: 'nearest' });
		const { left, right, top, bottom } = e.getBoundingClientRect();
		const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
		return { name: e.id || e.textContent, left, right, wide: right - left, high: bottom - top,
			isReached: e === at || e.contains(at) };
	}), selector);
const LONG = 'sched:sched_switch_of_a_long_name';

inBoth('svg: at the width of a phone nothing is cut, and all controls can be reached', async (t) => {
	await t.page.resize(390, 844);
	const lines = STACKS.trim().split('\n').flatMap((line, i) => {
		const [, stack, n] = /^(.*) (\d+)$/.exec(line);
		return Array.from({ length: n }, (x, k) => [`server 10/10 [000] ${i}.${100000 + k}: 20000000 ${LONG}: `,
			...stack.split(';').reverse().map((f) => `\t    7f0000001000 ${f}+0x10 (/lib/${f[0]}.so)`), ''].join('\n'));
	});
	await picture(t, 'narrow', lines.join('\n') + '\n', '--from', 'perf-script');
	await search(t.page, 'read');
	await click(t.page, 'parse');
	await t.page.run('document.getElementById("keys").dispatchEvent(new MouseEvent("click"))');
	assert.ok(await t.page.run('document.documentElement.scrollWidth ?? 0') <= 390);
	const all = await parts(t.page, '#bar button, #bar select, #bar input');
	for (const id of ['search', 'case', 'previous', 'next', 'reverse', 'icicle', 'order', 'colors', 'dark',
		'copyLink', 'keys', 'copy', 'copyStack', 'unzoom'])
		assert.ok(all.some(({ name }) => name === id), `${id} is not shown`);
	for (const { name, left, right, wide, high, isReached } of all)
		assert.ok(isReached && left >= 0 && right <= 390 && wide >= 16 && high >= 20,
			`${name}: ${left} to ${right}, ${high} high, ${isReached ? '' : 'not'} reached`);
	for (const { name, left, right } of await parts(t.page, '#bar .names span, #matched, #details, #footer tspan, #footer, #help span'))
		assert.ok(left >= 0 && right <= 390.5, `${name}: ${left} to ${right}`);
	const [bar, top] = await t.page.run(() => [document.querySelector('#bar').getBoundingClientRect().bottom,
		document.querySelector('#frames').getBoundingClientRect().top]);
	assert.ok(bar <= top + 1, 'the bar ends above the frames');
});

test('svg: within a page it works in its place, and leaves the address alone', async (t) => {
	const url = make(t, 'inline', STACKS), svg = readFileSync(new URL(url), 'utf8')
		.replace(/^<\?xml.*\n/, '');
	const file = join(t.folder, 'inline.html');
	writeFileSync(file, '<!DOCTYPE html><meta charset="utf-8"><body style="margin: 0">' +
		`<p style="height: 300px">before</p>${svg}<p style="height: 2000px">after</p>`);
	await t.page.open(pathToFileURL(file).href);
	await t.page.run(`new Promise((done) => setInterval(() =>
		document.querySelector('svg').dataset.ready && done(), 20))`);
	const place = (name) => t.page.run((n) => {
		const b = [...document.querySelectorAll('#frames text')].find((e) => e.textContent === n)
			.parentNode.getBoundingClientRect();
		return { x: b.x + b.width / 2, y: b.y + b.height / 2, width: b.width };
	}, name);
	const read = await place('read');
	assert.ok(read.y > 400);
	assert.equal((await cardAt(t.page, read))[0], 'read');
	await t.page.clickAt(read);
	near((await place('read')).width, 1180, 'read');
	assert.equal(await t.page.run('location.hash'), '');
	await t.page.screenshot(join(t.folder, 'inline.png'));
});
