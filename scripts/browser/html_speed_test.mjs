// Large reports stay quick.
import assert from 'node:assert/strict';
import { report, boxes } from './html_page.mjs';

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
