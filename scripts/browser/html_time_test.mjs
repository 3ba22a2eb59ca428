// Reports over time: threads, CPUs, intervals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
	FOLDED, recording, report, timed, boxes, text, press, rows, click, type, pick, share, test_at, in_both_at
} from './html_page.mjs';

in_both_at('over time: the order of samples, a track for each thread', async (t) => {
	await timed(t, 'time');
	await press(t.page, 'view-time');
	assert.equal(await t.page.run('app.flames.length'), 2);
	assert.deepEqual(await t.page.run(() => [...document.querySelectorAll('.tracks h2')].map((h) => h.textContent)),
		['server (10) · 50.00 %', 'server-io (11) · 50.00 %']);
	const first = await boxes(t.page), second = await boxes(t.page, 1);
	assert.ok(first.parse.left > first.read.left && 'server' in first && 'server-io' in second);
	share(first.parse, 5.98 / 12, 'parse');
	await click(t.page, 'parse');
	const [a, b] = await t.page.run('app.flames.map((f) => [f.from, f.to])');
	assert.deepEqual(a, b);
	await t.page.key('Escape', 27);
	await pick(t.page, 'choose-thread', 'server-io (11)');
	const f = await boxes(t.page);
	assert.equal(await t.page.run('app.flames.length'), 1);
	share(f.parse, 5.98 / 11.98, 'parse');
	assert.ok('server-io' in f && !('server' in f));
});

const canvasOf = (page, id) => page.run((i) => {
	const b = document.getElementById(i).getBoundingClientRect();
	return { x: b.x, y: b.y, width: b.width, height: b.height };
}, id);

async function drag(page, id, from, to, low = 1) {
	const at = await canvasOf(page, id), y = at.y + at.height / 3;
	await page.drag({ x: at.x + at.width * from, y }, { x: at.x + at.width * to, y: y + low });
}

const near = (a, b, by) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

in_both_at('an interval chosen in the time line holds for all views', async (t) => {
	await timed(t, 'strip');
	const choice = () => t.page.run('app.model.choice');
	await drag(t.page, 'strip', .5, .5, 0);
	assert.equal((await choice()).from, 0, 'a click chooses nothing');
	await drag(t.page, 'strip', .002, .3);
	let f = await boxes(t.page);
	assert.ok('ext4_read' in f && !('parse' in f));
	assert.match(await text(t.page, 'heat-axis'), /^\d\d ms to 3\.\d+ s chosen: 3\.\d+ s$/);
	await press(t.page, 'view-table');
	assert.ok(!(await rows(t.page)).some((r) => r.includes('parse_json')));
	await press(t.page, 'view-flame');
	// By its handle, the end is moved.
	await drag(t.page, 'strip', .3, .8);
	const { from, to } = await choice();
	near(from, .002 * 11.98e9, 6e7);
	near(to, .8 * 11.98e9, 6e7);
	await t.page.key('Escape', 27);
	await t.page.key('Escape', 27);
	f = await boxes(t.page);
	share(f.parse, .25, 'parse of one thread');
});

in_both_at('the heat map is there at a press, and chooses time too', async (t) => {
	await timed(t, 'heat');
	await press(t.page, 'heat-toggle');
	const choice = () => t.page.run('app.model.choice');
	await drag(t.page, 'heat-map', .5, .5, 0);
	assert.equal((await choice()).from, 0, 'a click chooses nothing');
	await drag(t.page, 'heat-map', .01, .3, 20);
	assert.ok((await choice()).to < 5e9);
	await report(t, 'heat-short', recording(100), '--from', 'perf-script');
	assert.equal(await t.page.run('document.getElementById("heat-toggle").hidden'), true);
});

in_both_at('the keyboard chooses time too, and what is there can be read', async (t) => {
	await timed(t, 'heat-keys');
	await t.page.run('document.getElementById("strip").focus()');
	for (let i = 0; i < 3; i++)
		await t.page.key('ArrowRight', 39);
	assert.match(await text(t.page, 'heat-axis'), /^[\d.]+ m?s, [\d.]+ CPUs busy, mostly /);
	assert.equal(await text(t.page, 'spoken'), await text(t.page, 'heat-axis'));
	await t.page.key('Enter', 13);
	await t.page.key('ArrowRight', 39);
	await t.page.key('Enter', 13);
	const { from, to } = await t.page.run('app.model.choice'), bin = await t.page.run('app.strip.bin');
	near(from, bin * 2, 1);
	near(to, bin * 3, 1);
});

inBoth('html: the time line says what ran, and how much of a CPU', async (t) => {
	await timed(t, 'strip-load');
	const load = await t.page.run(() => {
		const { strip } = app;
		return { lanes: strip.lanes.length, loads: strip.lanes.map(({ load }) =>
			load.of.reduce((sum, part) => sum + part * strip.bin, 0)),
		early: strip.topAt(2e9, 3e9), late: strip.topAt(8e9, 9e9) };
	});
	assert.equal(load.lanes, 2);
	// 300 samples of 20 ms each.
	load.loads.forEach((sum) => near(sum, 6e9, 4e7));
	assert.deepEqual([load.early, load.late], ['ext4_read', 'parse_json']);
	const at = await canvasOf(t.page, 'strip');
	assert.ok(at.height <= 56 + 16);
	await t.page.moveTo({ x: at.x + at.width * .75, y: at.y + 20 });
	assert.match(await t.page.run('document.querySelector(".tip").textContent'), /^[89]\.\d+ s.*busymostly parse_json/);
});

test('html: moments are as exact as their steps', async (t) => {
	await report(t, 'moments', FOLDED);
	assert.deepEqual(await t.page.run(() => [momentText(25871356e6, 1e9), momentText(5e6, 1e3), momentText(1498e6, 2e6),
		momentText(650e9, 1e9), momentText(0, 5e6, 2e7), niceStep(3e9), niceStep(70e9), niceStep(1),
		momentText(90e9, 30e9, 600e9), momentText(90e9, 1e9), momentText(119.96e9, 1e8, 600e9),
		momentText(4207.5e9, 5e8), niceStep(21e9)]),
	['7:11:11', '5.000 ms', '1.498 s', '10:50', '0 ms', 5e9, 120e9, 1,
		'1:30', '90 s', '2:00.0', '1:10:07.5', 30e9]);
});

inBoth('html: threads are listed by weight, with a search', async (t) => {
	const lines = [];
	for (let i = 0; i < 1000; i++)
		for (let k = 0; k <= (i === 500 ? 9 : 0); k++)
			lines.push(`worker-${i} 10/${1000 + i} [000] ${(1 + i / 100 + k / 1000).toFixed(6)}: 1000 cpu-clock: `,
				'\t    7f0000001000 main+0x10 (/lib/main)', '');
	await report(t, 'many-threads', lines.join('\n') + '\n', '--from', 'perf-script');
	const options = () => t.page.run(() => [...document.querySelectorAll('#threads [role=option]')].map((o) =>
		[...o.children].map((e) => e.textContent).join('|')));
	await press(t.page, 'thread-button');
	let all = await options();
	assert.deepEqual(all.slice(0, 2), ['all|', 'worker-500 (1500)|0.99 %']);
	assert.equal(all.length, 200);
	assert.match(await text(t.page, 'threads'), /and 801 more$/);
	await t.page.run(() => {
		const field = document.querySelector('#threads input');
		field.value = 'r-77 ';
		field.dispatchEvent(new Event('input'));
	});
	all = await options();
	assert.equal(all[0], 'worker-77 (1077)|0.10 %');
	await t.page.key('Enter', 13);
	assert.equal(await text(t.page, 'thread-button'), 'worker-77 (1077)');
	assert.equal(await t.page.run('app.model.total[0]'), await t.page.run('app.profile.rows.weight[0]'));
	assert.equal(await t.page.run('document.getElementById("threads").hidden'), true);
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

const hiddenOf = (page, ...ids) => page.run((all) => all.map((id) => document.getElementById(id).hidden), ids);

test_at('without times, without samples: the page says so', async (t) => {
	await report(t, 'untimed', FOLDED);
	assert.deepEqual(await hiddenOf(t.page, 'view-time', 'heat', 'view-reversed'), [true, true, false]);
	await report(t, 'nothing', FOLDED, '-e', 'drop-stack /./');
	assert.match(await text(t.page, 'view'), /No samples are left/);
});

// A thread that works for 2 ms and waits for 40 ms, again and again; switches and samples as
// perf script prints them have no durations, so the input is a CPU profile of V8.
inBoth('html: what lasts is drawn as long as it lasts', async (t) => {
	const profile = { nodes: [
		{ id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1 }, children: [2, 3] },
		{ id: 2, callFrame: { functionName: 'short', url: '', lineNumber: 1 } },
		{ id: 3, callFrame: { functionName: 'long', url: '', lineNumber: 2 } },
	], startTime: 1000000, endTime: 1046000, samples: [2, 3, 2, 2], timeDeltas: [0, 2000, 40000, 2000] };
	await report(t, 'lasting', JSON.stringify(profile), '--from', 'cpuprofile');
	await press(t.page, 'view-time');
	const f = await boxes(t.page);
	const long = Object.entries(f).find(([name]) => name.startsWith('long'))[1];
	share(long, 40 / 46, 'long');
});

// The recording of testdata/trace/off-cpu: its first thread reads a file, waiting 21 ms in all.
inBoth('html: a wait lasts as long as it weighs, and is marked as one', async (t) => {
	const folder = 'testdata/trace/off-cpu', input = readFileSync(`${folder}/input.perf.data.zst`);
	await report(t, 'waits', input, '--from', 'perf.data', '--symfs', resolve(`${folder}/root`),
		'--wall', '--root', 'comm-pid/tid');
	await press(t.page, 'view-time');
	const drawn = await t.page.run(() => {
		const [{ source }] = app.flames, all = [];
		source.visit({ from: 0, to: source.total, least: 1, levels: Infinity }, (b) => all.push(b));
		const sum = (list) => list.reduce((total, b) => total + b.weight, 0);
		const named = (name) => all.filter((b) => source.model.frames[b.frame].name === name);
		return { read: sum(named('read_config')), waits: sum(all.filter((b) => b.waits)),
			waited: source.waited().reduce((a, b) => a + b),
			labels: all.filter((b) => b.waits).map((b) => app.flames[0].name(b)) };
	});
	assert.equal(drawn.read, 21036610);
	assert.equal(drawn.waits, 21036610 + 3182469 + 5878232 + 4061456);
	assert.equal(drawn.waited, drawn.waits);
	for (const label of ['waiting 5.08 ms', 'preempted 5.83 ms'])
		assert.ok(drawn.labels.includes(label), drawn.labels.join());
	assert.match(await text(t.page, 'legend'),
		/on CPU 10\.\d\d %waiting 77\.\d\d %preempted 11\.\d\d %/);
	await t.page.screenshot(join(t.folder, 'html-waits.png'));
});

// perf script without its field time.
inBoth('html: samples without times have neither a time line nor an order', async (t) => {
	const input = recording().replace(/ \d+\.\d+: /g, ' ');
	await report(t, 'no-times', input, '--from', 'perf-script');
	assert.ok(await t.page.run('app.profile.rows.n') > 0);
	assert.equal(await t.page.run('document.getElementById("heat").hidden'), true);
	assert.equal(await t.page.run('document.getElementById("view-time").hidden'), true);
	assert.equal(await text(t.page, 'note'), '');
});

test('html: an interval has the part of a wait that is in it, as --time has', async (t) => {
	const folder = 'testdata/trace/off-cpu', input = readFileSync(`${folder}/input.perf.data.zst`);
	const options = ['--from', 'perf.data', '--symfs', resolve(`${folder}/root`), '--off-cpu'];
	await report(t, 'waits-part', input, ...options);
	const from = 6e6, to = 20e6;
	t.perfold(input, ...options, '--time', `${from / 1e9},${to / 1e9}`, '-o', 'part.folded');
	const line = readFileSync(join(t.folder, 'part.folded'), 'utf8').trim().split('\n');
	const sum = line.reduce((all, one) => all + Number(one.slice(one.lastIndexOf(' '))), 0);
	await t.page.run(`app.choose({ from: ${from}, to: ${to} })`);
	assert.equal(await t.page.run('app.model.total[0]'), sum);
});

// How much of the time line has the colour of a match, by tenths of its width.
const found = (page) => page.run(() => {
	const strip = document.getElementById('strip'), { width } = strip, height = 56 * devicePixelRatio;
	const { data } = strip.getContext('2d').getImageData(0, 0, width, height), of = Array(10).fill(0);
	for (let i = 0; i < data.length; i += 4)
		if (data[i] > 130 && data[i + 1] < 60 && data[i + 2] > 130)
			of[Math.floor(i / 4 % width / width * 10)]++;
	return of.map((n) => n > 300); // not for one bin
});

test_at('the time line shows when it ran what is searched for, in every view', async (t) => {
	const soon = () => t.page.run('new Promise((done) => setTimeout(done, 200))');
	await timed(t, 'found');
	assert.ok(!(await found(t.page)).includes(true));
	await type(t.page, 'search-text', 'parse_json');
	await soon();
	assert.deepEqual(await found(t.page), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1].map(Boolean));
	await press(t.page, 'view-table');
	await type(t.page, 'search-text', 'ext4');
	await soon();
	assert.deepEqual(await found(t.page), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0].map(Boolean));
	await type(t.page, 'search-text', '');
	await soon();
	assert.ok(!(await found(t.page)).includes(true));
});

test('over time: the busiest thread has most room, and the others some', async (t) => {
	const lines = [], name = (f) => `\t    7f0000001000 ${f}+0x10 (/lib/main)`;
	for (let i = 0; i < 400; i++)
		lines.push(`server 10/${i % 50 ? 10 : 11 + i / 50 % 4} [000] ${(10 + i * .01).toFixed(6)}: 10000000 cpu-clock: `,
			...Array.from({ length: 30 }, (x, k) => name(`f${30 - k}`)), '');
	await t.page.resize(1400, 900);
	await report(t, 'tracks', lines.join('\n') + '\n', '--from', 'perf-script');
	await press(t.page, 'view-time');
	const [first, ...others] = await t.page.run(
		`[...document.querySelectorAll('.tracks .card')].map((card) => card.offsetHeight)`);
	assert.equal(others.length, 4);
	assert.ok(first > 300 && others.every((height) => height >= 70 && height < 100), `${first} ${others}`);
});
