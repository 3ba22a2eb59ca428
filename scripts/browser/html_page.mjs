// What the tests of reports share: inputs, opening a report, where its frames are.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const FOLDED = [
	'server;main;read;vfs_read;ext4_read 30',
	'server;main;read;vfs_read;sock_read 10',
	'server;main;parse;Parse_json 20',
	'server;main;parse;parse_text;parse_text 10',
	'server;idle 5',
	'worker;main;write;ext4_write 25',
].join('\n') + '\n';
export const HOSTILE = [
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
export function recording(samples = 600) {
	const lines = [];
	for (let i = 0; i < samples; i++) {
		const stack = i >= 300 ? ['parse_json', 'parse', 'main'] :
			i % 3 ? ['ext4_read', 'read', 'main'] : ['read', 'main'];
		const tid = 10 + i % 2;
		lines.push(`server${i % 2 ? '-io' : ''} 10/${tid} [00${i % 2}] ${(1000 + i * 0.02).toFixed(6)}: ` +
			'20000000 cpu-clock: ',
		...stack.map((f) => `\t    7f0000001000 ${f}+0x10 (/lib/${f === 'main' ? 'main' : 'other'})`), '');
	}
	return lines.join('\n') + '\n';
}

export async function ready(page) {
	await page.run(`new Promise((resolve, reject) => {
		let left = 400;
		const look = () => app ? resolve() : left-- ? setTimeout(look, 25) : reject(new Error('no report'));
		look();
	})`);
}

export async function report({ page, perfold, folder }, name, input, ...options) {
	const file = join(folder, name + '.html');

	perfold(input, ...options, '-o', file);
	const url = pathToFileURL(file).href;
	await page.open(url);
	await ready(page);
	return url;
}

export const timed = (t, name) => report(t, name, recording(), '--from', 'perf-script');

// The boxes of the n-th flame graph: name -> { x, y (its middle), left, width }, the widest of a
// name. Drawn anew, so that nothing waits for the next frame.
export function boxes(page, n = 0) {
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
			const [...rgba] = f.canvas.getContext('2d').getImageData(x * ratio, y * ratio, 1, 1).data;
			const [r, g, b] = rgba.map((v) => Math.round(v * rgba[3] / 255 + 255 - rgba[3])); // on white
			return { r, g, b };
		}
	}, n);
}

// The address is written when the picture is on the screen.
export const address = (page) => page.run(`new Promise((done) => requestAnimationFrame(() =>
	setTimeout(() => setTimeout(() => done(location.hash)))))`);
export const text = (page, id) => page.run((i) => document.getElementById(i).textContent.trim(), id);
export const press = (page, id) => page.run((i) => document.getElementById(i).click(), id);
export const rows = (page) => page.run(() => [...document.querySelectorAll('tbody tr[data-frame]')].map((tr) =>
	[...tr.children].map((td) => td.textContent)));

export async function click(page, name, n = 0) {
	await page.run('window.scrollTo(0, 0)');
	const box = (await boxes(page, n))[name];
	await page.run((y) => window.scrollTo(0, Math.max(0, y - innerHeight / 2)), box.y);
	await page.clickAt((await boxes(page, n))[name]);
}

export async function type(page, id, value) {
	await page.run((i, v) => {
		const e = document.getElementById(i);
		e.value = v;
		e.dispatchEvent(new Event('input'));
	}, id, value);
}

export async function rules(page, value) {
	await page.run((v) => app.rules.set(v), value);
}

export async function pick(page, id, label) {
	await page.run((i, l) => {
		if (i === 'choose-thread') {
			document.getElementById('thread-button').click();
			const options = [...document.querySelectorAll('#threads [role=option]')];
			options.find((o) => o.textContent.startsWith(l)).click();
			return;
		}
		const select = document.querySelector(`#${i} select`);
		select.value = [...select.options].find((o) => o.textContent.startsWith(l)).value;
		select.dispatchEvent(new Event('change'));
	}, id, label);
}

export function share(box, expected, message) {
	assert.ok(Math.abs(box.width - box.whole * expected) < 0.5,
		`${message}: ${box.width / box.whole}, not ${expected}`);
}

// A browser lets a page be as wide as its widest part: nothing may stick out.
export const fits = (page) => page.run('document.documentElement.scrollWidth <= innerWidth');

// The same test at the width of a desk and of a phone; in Firefox only the first.
export const test_at = (name, body, both = false) => {
	for (const width of [1200, 400])
		test(`html: ${name} (${width} pixels)`, async (t) => {
			await t.page.resize(width, 800);
			await body(t, width);
		}, both && width > 400);
};
export const in_both_at = (name, body) => test_at(name, body, true);
