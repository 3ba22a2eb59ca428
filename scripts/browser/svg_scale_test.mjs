// How fast an SVG of half a million stacks is, and what it draws.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cardAt, frames, picture, search, text, twoFrames } from './svg_page.mjs';

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

test('svg: 500,000 stacks are drawn in 16 ms and zoomed in 20 ms', async (t) => {
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
			await t.page.run((k) => {
				const all = document.querySelectorAll('#frames > g:not(.off):not(#plain)');
				all[Math.min(2 + k, all.length - 1)]
					.dispatchEvent(new MouseEvent('click', { bubbles: true }));
			}, i);
			await t.page.key('Home', 36);
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
	const redraw = await least(redraws, 16), zoom = await least(zooms, 20);
	console.log(`        redraw ${redraw.toFixed(1)} ms, zoom ${zoom.toFixed(1)} ms`);
	assert.ok(redraw <= 16, `redraw takes ${redraw} ms`);
	assert.ok(zoom <= 20, `zoom takes ${zoom} ms`);
	await t.page.screenshot(join(t.folder, 'many.png'));
});

inBoth('svg: only what the window shows is drawn, and all of it can be pointed at', async (t) => {
	const stacks = Array.from({ length: 1100 }, (_, i) =>
		`m${i};a;b;${Array.from({ length: 40 }, (_, k) => `f${i}_${k}`).join(';')} 1`);
	await t.page.resize(1200, 300);
	await picture(t, 'window-only', stacks.join('\n') + '\n', '--inverted');
	const elements = () => t.page.run('document.querySelectorAll("#frames *").length');
	assert.ok(await elements() < 200, 'narrow frames of a colour are one path');
	const place = { x: 600, y: (await frames(t.page)).all.y + 4 * 16 };
	const [name] = await cardAt(t.page, place);
	assert.match(name, /^f[0-9]+_0$/);
	await t.page.clickAt(place);
	assert.match(await text(t.page, 'path'), new RegExp(`${name}$`));
	await t.page.key('Home', 36);
	const rows = () => t.page.run(`new Set([...document.querySelectorAll('#plain path')].flatMap((p) =>
		p.getAttribute('d').match(/M[^h]* [^h]*/g).map((m) => m.split(' ')[1]))).size`);
	assert.ok(await rows() < 36, 'rows below the window are not drawn');
	await t.page.run('scrollTo(0, 600)');
	await twoFrames(t.page);
	const [low] = await cardAt(t.page, { x: 600, y: 200 });
	assert.match(low, /^f[0-9]+_[0-9]+$/);
	await search(t.page, 'f999_39$');
	assert.equal(await text(t.page, 'matched'), '0.1% matched');
});
