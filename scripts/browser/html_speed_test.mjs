// Large reports stay quick. What is limited is CPU time of the page's main thread, as the time of
// the clock is that of all programs of a busy machine.
import assert from 'node:assert/strict';
import { report } from './html_page.mjs';

// CPU time of the main thread until now, in milliseconds.
async function spent(page) {
	const { metrics } = await page.send('Performance.getMetrics');
	return 1000 * metrics.find((m) => m.name === 'TaskDuration').value;
}

test('html: half a million stacks are drawn and zoomed at once', async (t) => {
	let state = 1;
	const random = (n) => (state = (state * 48271) % 2147483647) % n;
	const lines = [];
	for (let i = 0; i < 500000; i++)
		lines.push(`app;m${random(5)};n${random(40)};o${random(400)};p${random(3000)};q${i % 7919};r${i} ${1 + random(9)}`);
	await t.page.send('Performance.enable', { timeDomain: 'threadTicks' });
	await t.page.send('Page.addScriptToEvaluateOnNewDocument', { source: `
		const look = setInterval(() => {
			if (typeof app === 'undefined' || !app)
				return;
			window.answeredAt = performance.now();
			clearInterval(look);
		}, 5);` });
	await report(t, 'large', lines.join('\n') + '\n');
	const opened = await spent(t.page);
	const median = async (code) => {
		const times = [];
		for (let i = 0; i < 9; i++) {
			const from = await spent(t.page);
			await t.page.run(`{ ${code} }`);
			times.push(await spent(t.page) - from);
		}
		return times.sort((a, b) => a - b)[4];
	};
	const redraw = await median('app.flames[0].draw()');
	const zoom = await median(`const f = app.flames[0];
		const wide = f.boxes.filter((b) => b.level === 3 && !b.small);
		f.zoomed ? f.zoomTo(0, f.source.total) : f.zoomToBox(wide[Math.floor(wide.length / 2)])`);
	const paint = await t.page.run('performance.getEntriesByName("first-contentful-paint")[0].startTime');
	const answered = await t.page.run('answeredAt');
	console.log(`        redraw ${redraw.toFixed(1)} ms, zoom ${zoom.toFixed(1)} ms, opened ` +
		`${opened.toFixed(0)} ms of CPU time, painted after ${paint.toFixed(0)} of ` +
		`${answered.toFixed(0)} ms, ${await t.page.run('app.model.tree.n')} nodes`);
	const rule = await t.page.run(async () => {
		let longest = 0, said = '';
		new PerformanceObserver((list) => list.getEntries().forEach((e) => {
			longest = Math.max(longest, e.duration);
		})).observe({ type: 'longtask' });
		const result = document.getElementById('rules-result'), from = performance.now();
		const done = app.rules.set('drop /^q1/\nfold-recursion');
		await new Promise((next) => setTimeout(next, 30));
		said = result.textContent;
		await done;
		const took = performance.now() - from;
		await new Promise((next) => setTimeout(next, 100));
		return { longest, said, took, result: result.textContent };
	});
	console.log(`        two rules ${rule.took.toFixed(0)} ms, longest task ${rule.longest.toFixed(0)} ms`);
	assert.equal(rule.said, 'working…');
	assert.match(rule.result, /matches \d+/);
	assert.ok(rule.longest < rule.took / 2, `one task of ${rule.longest} ms`);
	assert.ok(redraw <= 16, `redraw: ${redraw} ms`);
	assert.ok(zoom <= 50, `zoom: ${zoom} ms`);
	assert.ok(paint < answered / 2, `painted after ${paint} ms, read after ${answered} ms`);
	assert.ok(opened < 1500, `opened: ${opened} ms`);
});
