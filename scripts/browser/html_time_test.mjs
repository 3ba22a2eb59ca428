// Reports over time: threads, CPUs, intervals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
	FOLDED, recording, report, timed, boxes, text, press, rows, type, pick, share, test_at
} from './html_page.mjs';

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

test_at('without times, without samples: the page says so', async (t) => {
	await report(t, 'untimed', FOLDED);
	await press(t.page, 'view-time');
	assert.match(await text(t.page, 'view'), /no sample times/);
	assert.equal(await t.page.run('document.getElementById("heat").hidden'), true);
	await report(t, 'nothing', FOLDED, '-e', 'drop-stack /./');
	assert.match(await text(t.page, 'view'), /No samples are left/);
});

// A thread that works for 2 ms and waits for 40 ms, again and again; switches and samples as
// perf script prints them have no durations, so the input is a CPU profile of V8.
test('html: what lasts is drawn as long as it lasts', async (t) => {
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
test('html: a wait lasts as long as it weighs, and is marked as one', async (t) => {
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
			waited: source.waited() };
	});
	assert.equal(drawn.read, 21036610);
	assert.equal(drawn.waits, 21036610 + 3182469 + 5878232 + 4061456);
	assert.equal(drawn.waited, drawn.waits);
	assert.match(await text(t.page, 'legend'), /waiting 7\d\.\d\d %/);
	await t.page.screenshot(join(t.folder, 'html-waits.png'));
});

// perf script without its field time.
test('html: samples without times have neither a time line nor an order', async (t) => {
	const input = recording().replace(/ \d+\.\d+: /g, ' ');
	await report(t, 'no-times', input, '--from', 'perf-script');
	assert.ok(await t.page.run('app.profile.rows.n') > 0);
	assert.equal(await t.page.run('document.getElementById("heat").hidden'), true);
	await press(t.page, 'view-time');
	assert.match(await text(t.page, 'view'), /no sample times/);
});
