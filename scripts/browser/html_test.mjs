// The report's behaviour: each view and choice, at the width of a desk and of a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDED = [
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
	']]>--><script>window.hit = 1</script> 10',
	'\u202eright to left\u2066 10',
	'\x1b[31mred\x07\x00\x01 10',
	'日本語の関数名は幅が広いので切られる 10',
	'\u{1f525}'.repeat(300) + ' 10',
	'std::vector<'.repeat(8000) + ' 10',
].join('\n') + '\n';

// 12 s of two threads at 25 Hz each: reading, in the second half parsing. A text of perf script.
function recording() {
	const lines = [];
	for (let i = 0; i < 600; i++) {
		const stack = i >= 300 ? ['parse_json', 'parse', 'main'] :
			i % 3 ? ['ext4_read', 'read', 'main'] : ['read', 'main'];
		const tid = 10 + i % 2;
		lines.push(`server${i % 2 ? '-io' : ''} 10/${tid} [00${i % 2}] ${(1000 + i * 0.02).toFixed(6)}: ` +
			'20000000 cpu-clock: ',
		...stack.map((f) => `\t    7f0000001000 ${f}+0x10 (/lib/${f === 'main' ? 'main' : 'other'})`), '');
	}
	return lines.join('\n') + '\n';
}

async function ready(page) {
	await page.run(`new Promise((resolve, reject) => {
		let left = 400;
		const look = () => app ? resolve() : left-- ? setTimeout(look, 25) : reject(new Error('no report'));
		look();
	})`);
}

async function report({ page, perfold, folder }, name, input, ...options) {
	const file = join(folder, name + '.html');

	perfold(input, ...options, '-o', file);
	const url = pathToFileURL(file).href;
	await page.open(url);
	await ready(page);
	return url;
}

const timed = (t, name) => report(t, name, recording(), '--from', 'perf-script');

// The boxes of the n-th flame graph: name -> { x, y (its middle), left, width }, the widest of a
// name. Drawn anew, so that nothing waits for the next frame.
function boxes(page, n = 0) {
	return page.run((number) => {
		const flame = app.flames[number], all = {};
		flame.draw();
		const at = flame.canvas.getBoundingClientRect();
		for (const box of flame.boxes) {
			const [left, width] = flame.extent(box), name = flame.name(box);
			if (width <= 0 || all[name]?.width >= width)
				continue;
			all[name] = { left, width, whole: flame.width, level: box.level,
				x: at.x + left + width / 2, y: at.y + flame.top(box.level) + 10,
				...(({ r, g, b }) => ({ color: [r, g, b] }))(pixel(flame, left + width - 4, flame.top(box.level) + 3)) };
		}
		return all;
		function pixel(f, x, y) {
			const ratio = devicePixelRatio;
			const [r, g, b] = f.canvas.getContext('2d').getImageData(x * ratio, y * ratio, 1, 1).data;
			return { r, g, b };
		}
	}, n);
}

const text = (page, id) => page.run((i) => document.getElementById(i).textContent.trim(), id);
const press = (page, id) => page.run((i) => document.getElementById(i).click(), id);
const rows = (page) => page.run(() => [...document.querySelectorAll('tbody tr[data-frame]')].map((tr) =>
	[...tr.children].map((td) => td.textContent)));

async function click(page, name, n = 0) {
	await page.run('window.scrollTo(0, 0)');
	const box = (await boxes(page, n))[name];
	await page.run((y) => window.scrollTo(0, Math.max(0, y - innerHeight / 2)), box.y);
	await page.clickAt((await boxes(page, n))[name]);
}

async function type(page, id, value) {
	await page.run((i, v) => {
		const e = document.getElementById(i);
		e.value = v;
		e.dispatchEvent(new Event('input'));
	}, id, value);
}

async function rules(page, value) {
	await page.run((v) => app.rules.set(v), value);
}

async function pick(page, id, label) {
	await page.run((i, l) => {
		const select = document.querySelector(`#${i} select`);
		select.value = [...select.options].find((o) => o.textContent.startsWith(l)).value;
		select.dispatchEvent(new Event('change'));
	}, id, label);
}

function share(box, expected, message) {
	assert.ok(Math.abs(box.width - box.whole * expected) < 0.5,
		`${message}: ${box.width / box.whole}, not ${expected}`);
}

// A browser lets a page be as wide as its widest part: nothing may stick out.
const fits = (page) => page.run('document.documentElement.scrollWidth <= innerWidth');

for (const width of [1200, 400]) {
	const test_at = (name, body) => test(`html: ${name} (${width} pixels)`, async (t) => {
		await t.page.resize(width, 800);
		await body(t);
	});

	test_at('frames are where their weight says, the heaviest first', async (t) => {
		await report(t, 'plain', FOLDED);
		const f = await boxes(t.page);
		share(f.all, 1, 'all');
		share(f.server, .75, 'server');
		share(f.worker, .25, 'worker');
		share(f.ext4_read, .3, 'ext4_read');
		assert.equal(f.server.left, 0);
		assert.ok(f.server.y > f.all.y && f.main.y > f.server.y);
		assert.equal(await text(t.page, 'title'), 'Profile');
		assert.ok(await fits(t.page));
	});

	test_at('light and dark', async (t) => {
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

	test_at('frames too small to be drawn are counted, and come with a zoom', async (t) => {
		const many = Array.from({ length: 5000 }, (x, i) => `app;many;f${i} 1`).join('\n');
		await report(t, 'small', `app;big 20000\n${many}\n`);
		assert.ok('(5000 small)' in await boxes(t.page));
		await t.page.run('app.flames[0].zoomTo(20000, 20050)');
		const f = await boxes(t.page);
		assert.equal(Object.keys(f).filter((name) => /^f\d+$/.test(name)).length >= 50, true);
		share(f.f0 ?? Object.values(f).find((b) => b.level === 3), 1 / 50, 'a small one');
	});

	test_at('a search counts no weight twice, and within what is shown', async (t) => {
		await report(t, 'search', FOLDED);
		await type(t.page, 'search-text', '^EXT4_|parse');
		assert.equal(await text(t.page, 'search-result'), '85.00 % matched');
		const f = await boxes(t.page);
		assert.deepEqual(f.parse.color, [0xd6, 0x3b, 0xd8]);
		assert.notDeepEqual(f.server.color, [0xd6, 0x3b, 0xd8]);
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

	test_at('the table sorts and filters', async (t) => {
		await report(t, 'table', FOLDED);
		await press(t.page, 'view-table');
		let r = await rows(t.page);
		assert.equal(r[0][2], 'ext4_read');
		assert.equal(r[0][0], '30.00 %');
		await t.page.run(() => document.querySelector('th[data-key="total"] button').click());
		r = await rows(t.page);
		assert.deepEqual(r[0].slice(0, 3), ['0.00 %', '95.00 %', 'main']);
		const recursive = r.find((row) => row[2] === 'parse_text');
		assert.deepEqual(recursive.slice(0, 2), ['10.00 %', '10.00 %']);
		assert.equal(await t.page.run(() =>
			document.querySelector('th[data-key="total"]').getAttribute('aria-sort')), 'descending');
		await t.page.run(() => {
			const input = document.querySelector('.tools input');
			input.value = 'EXT4';
			input.dispatchEvent(new Event('input'));
		});
		assert.deepEqual((await rows(t.page)).map((row) => row[2]), ['ext4_read', 'ext4_write']);
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
		assert.match(await t.page.run('location.hash'), /view=sandwich&function=read/);
	});

	test_at('main is called by both, and called all', async (t) => {
		await report(t, 'both', FOLDED);
		await t.page.run(() => app.openSandwich(app.model.frames.findIndex((f) => f.name === 'main')));
		const callers = await boxes(t.page, 0), callees = await boxes(t.page, 1);
		share(callers.server, 70 / 95, 'server');
		share(callers.worker, 25 / 95, 'worker');
		share(callees.read, 40 / 95, 'read');
	});

	test_at('over time: the order of samples, a thread at a time', async (t) => {
		await timed(t, 'time');
		await press(t.page, 'view-time');
		let f = await boxes(t.page);
		assert.ok(f.parse.left > f.read.left);
		share(f.parse, .5, 'parse');
		assert.match(await text(t.page, 'note'), /busiest of 2/);
		await pick(t.page, 'choose-thread', 'server-io (11)');
		assert.equal(await t.page.run('document.getElementById("note").hidden'), true);
		f = await boxes(t.page);
		share(f.parse, .5, 'parse');
		assert.ok('server-io' in f && !('server' in f));
	});

	test_at('a stretch of time chosen in the heat map holds for all views', async (t) => {
		await timed(t, 'heat');
		const at = await t.page.run(() => {
			const b = document.getElementById('heat-map').getBoundingClientRect();
			return { x: b.x, y: b.y, width: b.width, height: b.height };
		});
		const mouse = (type, x, y) => t.page.send('Input.dispatchMouseEvent',
			{ type, x: at.x + x, y: at.y + y, button: 'left', clickCount: 1 });
		await mouse('mousePressed', 1, at.height - 2);
		await mouse('mouseMoved', at.width * .3, 2);
		await mouse('mouseReleased', at.width * .3, 2);
		let f = await boxes(t.page);
		assert.ok('ext4_read' in f && !('parse' in f));
		assert.match(await text(t.page, 'heat-axis'), /0 s to .* chosen/);
		await press(t.page, 'view-table');
		assert.ok(!(await rows(t.page)).some((r) => r[2] === 'parse_json'));
		await press(t.page, 'view-flame');
		await t.page.key('Escape', 27);
		f = await boxes(t.page);
		share(f.parse, .25, 'parse of one thread');
	});

	test_at('the keyboard chooses time too', async (t) => {
		await timed(t, 'heat-keys');
		await t.page.run('document.getElementById("heat-map").focus()');
		for (let i = 0; i < 3; i++)
			await t.page.key('ArrowRight', 39);
		assert.match(await text(t.page, 'spoken'), /^[\d.]+ s: \d+ samples$/);
		await t.page.key('Enter', 13);
		await t.page.key('ArrowRight', 39);
		await t.page.key('Enter', 13);
		const { from, to } = await t.page.run('app.model.choice');
		const step = await t.page.run('app.heat.step');
		assert.equal(from, step * 2);
		assert.equal(Math.round(to), Math.round(step * 3 + step / 20));
	});

	test_at('threads and processors are selectors', async (t) => {
		await timed(t, 'choices');
		await pick(t.page, 'choose-thread', 'server-io');
		let f = await boxes(t.page);
		share(f['server-io'], 1, 'server-io');
		assert.equal(await t.page.run('app.model.total[0]'), 6e9);
		await pick(t.page, 'choose-thread', 'all');
		await pick(t.page, 'choose-cpu', 'CPU 0');
		f = await boxes(t.page);
		share(f.server, 1, 'server');
		assert.equal(await t.page.run('document.getElementById("choose-event").hidden'), true);
	});

	test_at('rules change the picture as they are written', async (t) => {
		await report(t, 'rules', FOLDED);
		const tried = async (rule) => {
			await rules(t.page, rule);
			return boxes(t.page);
		};
		let f = await tried('drop /^vfs_/');
		assert.ok(!('vfs_read' in f));
		assert.equal(f.ext4_read.level, f.read.level + 1);
		f = await tried('keep /read/');
		assert.deepEqual(Object.keys(f).sort(), ['all', 'ext4_read', 'read', 'sock_read', 'vfs_read']);
		f = await tried('drop-stack /idle/');
		share(f.server, 70 / 95, 'server');
		f = await tried('keep-stack /ext4/');
		share(f.ext4_read, 30 / 55, 'ext4_read');
		f = await tried('root /^parse$/');
		assert.equal(f.parse.level, 1);
		assert.equal(f.idle.level, 2);
		f = await tried('leaf /^read$/');
		share(f.read, .4, 'read');
		assert.ok(!('vfs_read' in f));
		f = await tried('rename s/^(ext4|sock)_(\\w+)$/${2}_\\U$1/');
		assert.ok('read_EXT4' in f && 'read_SOCK' in f);
		f = await tried('group /^(vfs|ext4|sock)_/ "the kernel"');
		share(f['the kernel'], .4, 'the kernel');
		assert.equal(f['the kernel'].level, f.read.level + 1);
		f = await tried('label /^parse$/ parsing');
		share(f.parsing, .3, 'parsing');
		assert.ok(!('Parse_json' in f));
		f = await tried('fold-recursion');
		assert.equal(await t.page.run('app.profile.tree.n - app.model.tree.n'), 1);
		share(f.parse_text, .1, 'parse_text');
		await tried('category /^ext4/ disk');
		assert.match(await text(t.page, 'legend'), /disk 55\.00 %/);
		f = await tried('# a comment\n\nrename s/^ext4_//\ndrop /^vfs/\nroot m{^read$}');
		assert.equal(f.read.level, 1);
		await t.page.screenshot(join(t.folder, `html-rules-${width}.png`));
	});

	test_at('rules do what those of the command line do', async (t) => {
		const stacks = async () => (await t.page.run(() => {
			const { model } = app, lines = [];
			for (let i = 0; i < model.tree.n; i++)
				if (model.self[i] > 0)
					lines.push(`${model.stackOf(i).join(';') || '[empty]'} ${model.self[i]}`);
			return lines;
		})).sort();
		const input = recording().replaceAll('main', 'std::main<int>');
		await report(t, 'same', input, '--from', 'perf-script', '--weight', 'samples');
		for (const rule of ['drop /read/', 'keep /read/', 'drop-stack /^ext4/', 'keep-stack /^ext4|json/',
			'root /^read$/', 'leaf /^(read|parse)$/', 'rename s/^std::(\\w+)<(.*)>/$2 ${1}\\U!$1/',
			'group /_|^read/ "x y"', 'label module /other/ other', 'fold-recursion /read|parse/',
			'drop module m,/other$,', 'keep frame /main.*main/', 'drop kind /^user$/', 'drop /READ/i',
			'rename s/(?P<first>[a-z])([a-z]+)/\\u${first}$2/g']) {
			t.perfold(input, '--from', 'perf-script', '--weight', 'samples', '-e', rule, '-o', 'same.folded');
			await rules(t.page, rule);
			assert.equal(await text(t.page, 'rules-result').then((r) => /matches \d/.test(r)), true, rule);
			assert.deepEqual(await stacks(),
				readFileSync(join(t.folder, 'same.folded'), 'utf8').trim().split('\n').sort(), rule);
		}
	});

	test_at('a rule that cannot be read is said to be one, with its line', async (t) => {
		await report(t, 'bad-rules', FOLDED);
		const complaint = async (rule) => {
			await rules(t.page, rule);
			return text(t.page, 'rules-result');
		};
		assert.match(await complaint('drop /a/\ndrop /(/'), /^line 2: /);
		assert.match(await complaint('delete /a/'), /no such action: delete/);
		assert.match(await complaint('drop colour /a/'), /no such field: colour/);
		assert.match(await complaint('group /a/'), /a label is missing/);
		assert.match(await complaint('rename /a/'), /rename needs/);
		assert.match(await complaint('drop'), /an expression like/);
		assert.match(await complaint('include x'), /no other filters/);
		assert.match(await complaint('drop /nowhere/'), /matches nothing/);
		await t.page.run('app.openPanel("rules", true)');
		await rules(t.page, 'drop /^idle$/');
		assert.equal(await t.page.run('app.rules.file()'),
			'# Tried in the report "Profile"\ndrop /^idle$/\n');
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

	test_at('roles and names are there for who cannot see', async (t) => {
		await timed(t, 'roles');
		for (const view of ['flame', 'time', 'reversed', 'sandwich', 'table']) {
			await press(t.page, `view-${view}`);
			const { nodes } = await t.page.send('Accessibility.getFullAXTree');
			const bare = nodes.filter((n) => !n.ignored && ['button', 'combobox', 'textbox', 'searchbox',
				'tab', 'application'].includes(n.role?.value) && !n.name?.value);
			assert.deepEqual(bare.map((n) => n.role.value), [], view);
			const tab = nodes.find((n) => n.role?.value === 'tab' &&
				n.properties?.some((p) => p.name === 'selected' && p.value.value));
			assert.ok(tab, view);
		}
		assert.equal(await t.page.run(() =>
			document.querySelector('table').getAttribute('aria-rowcount')), '6');
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

	test_at('names cannot leave their place', async (t) => {
		await report(t, 'hostile', HOSTILE, '--title', '</title><script>window.hit = 1</script>',
			'--notes', '<img src=x onerror="window.hit = 1">');
		for (const view of ['flame', 'reversed', 'sandwich', 'table']) {
			await press(t.page, `view-${view}`);
			for (const n of await t.page.run('app.flames.map((f, i) => i)'))
				for (const box of Object.values(await boxes(t.page, n)))
					await t.page.moveTo(box);
			assert.ok(await fits(t.page), view);
		}
		await press(t.page, 'about-button');
		assert.equal(await t.page.run('window.hit'), undefined);
		assert.equal(await t.page.run('document.querySelectorAll("img").length'), 0);
		assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(await t.page.run('document.body.innerText')));
		await t.page.screenshot(join(t.folder, `html-hostile-${width}.png`));
	});

	test_at('the policy stops what a stranger would add', async (t) => {
		await report(t, 'policy', FOLDED);
		const before = t.page.errors.length;
		const refused = await t.page.run(() => new Promise((resolve) => setTimeout(() => {
			const attempts = [
				() => { document.createElement('script').text = 'window.hit = 1'; },
				() => { document.body.innerHTML = '<img src=x onerror="window.hit = 1">'; },
				() => (0, eval)('window.hit = 1'),
				() => new Function('window.hit = 1')(),
			];
			resolve(attempts.map((attempt) => {
				try {
					attempt();
					return false;
				} catch {
					return true;
				}
			}));
		})));
		assert.deepEqual(refused, [true, true, true, true]);
		assert.equal(await t.page.run('fetch("data:,x").then(() => "read", () => "refused")'), 'refused');
		assert.equal(await t.page.run('window.hit'), undefined);
		t.page.errors.splice(before);
	});

	test_at('categories can be faded', async (t) => {
		await report(t, 'legend', FOLDED);
		const before = (await boxes(t.page)).read.color;
		await t.page.run('document.querySelector("#legend button").click()');
		assert.notDeepEqual((await boxes(t.page)).read.color, before);
		await pick(t.page, 'choose-color', 'by name');
	});

	test_at('without times, without samples: the page says so', async (t) => {
		await report(t, 'untimed', FOLDED);
		await press(t.page, 'view-time');
		assert.match(await text(t.page, 'view'), /no sample times/);
		assert.equal(await t.page.run('document.getElementById("heat").hidden'), true);
		await report(t, 'nothing', FOLDED, '-e', 'drop-stack /./');
		assert.match(await text(t.page, 'view'), /No samples are left/);
	});
}

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
	assert.deepEqual(f['fib /srv/app.js:5:13'].color, [153, 188, 167]);
	assert.deepEqual(f.native.color, [207, 207, 203]);
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

test('html: half a million stacks are drawn and zoomed at once', async (t) => {
	let state = 1;
	const random = (n) => (state = (state * 48271) % 2147483647) % n;
	const lines = [];
	for (let i = 0; i < 500000; i++)
		lines.push(`app;m${random(5)};n${random(40)};o${random(400)};p${random(3000)};q${i % 7919};r${i} ${1 + random(9)}`);
	await report(t, 'large', lines.join('\n') + '\n');
	const median = async (code) => {
		const times = [];
		for (let i = 0; i < 9; i++)
			times.push(await t.page.run(`(() => { const from = performance.now(); ${code};
				return performance.now() - from; })()`));
		return times.sort((a, b) => a - b)[4];
	};
	const redraw = await median('app.flames[0].draw()');
	const zoom = await median(`const f = app.flames[0];
		const wide = f.boxes.filter((b) => b.level === 3 && !b.small);
		f.zoomed ? f.zoomTo(0, f.source.total) : f.zoomToBox(wide[Math.floor(wide.length / 2)])`);
	const paint = await t.page.run('performance.getEntriesByName("first-contentful-paint")[0].startTime');
	console.log(`        redraw ${redraw.toFixed(1)} ms, zoom ${zoom.toFixed(1)} ms, ` +
		`first paint ${paint.toFixed(0)} ms, ${await t.page.run('app.model.tree.n')} nodes`);
	assert.ok(redraw <= 16, `redraw: ${redraw} ms`);
	assert.ok(zoom <= 50, `zoom: ${zoom} ms`);
	assert.ok(paint < 1000, `first paint: ${paint} ms`);
});
