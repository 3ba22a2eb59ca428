// What the tests of SVGs share: pictures to look at, and how to look at them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const STACKS = [
	'server;main;read;vfs_read_[k];ext4_read_[k] 30',
	'server;main;read;vfs_read_[k];sock_read_[k] 10',
	'server;main;parse;Parse_json 20',
	'server;main;parse;parse_text;parse_text 10',
	'server;idle 5',
	'worker;main;write;ext4_write 25',
].join('\n') + '\n';
// Two wide frames, and between them a thousand that are a tenth of a pixel together.
export const NARROW = ['all;a 500000', 'all;z 500000',
	...Array.from({ length: 1000 }, (_, i) => `all;m${String(i).padStart(3, '0')};deep 10`)]
	.join('\n') + '\n';
export const MATCH = 'rgb(176, 0, 176)';

async function settle(page) {
	for (let i = 0; i < 200; i++) {
		if (await page.run('document.documentElement.dataset.ready === "1"'))
			return;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	throw new Error('the picture did not come to life');
}

export async function open(page, url) {
	await page.open('about:blank'); // an address that differs after # alone loads nothing
	await page.open(url);
	await settle(page);
}

export function make({ perfold, folder }, name, stacks, ...options) {
	const file = join(folder, name + '.svg');

	perfold(stacks, ...options, '-o', file);
	return pathToFileURL(file).href;
}

export async function picture(t, name, stacks, ...options) {
	const url = make(t, name, stacks, ...options);

	await open(t.page, url);
	return url;
}

// The frames that are shown: name -> what can be seen of it, the first of a name. Without a script
// the name is the title, else on the card of the pointer. Of those below four pixels only width is
// known: nameAt() has the rest.
export function frames(page) {
	return page.run(() => {
		const all = {}, isLive = document.documentElement.dataset.ready === '1';
		const point = (g, type, box) => g.querySelector('rect').dispatchEvent(
			new PointerEvent(type, { bubbles: true, pointerType: 'mouse',
				clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));
		const nameOf = (g, box) => {
			if (!isLive)
				return g.querySelector('title').textContent.replace(/ \([^(]*\)$/, '');
			point(g, 'pointermove', box);
			return document.querySelector('.tip b').textContent;
		};
		for (const g of document.querySelectorAll('#frames > *')) {
			const rect = g.querySelector('rect') ?? g, box = rect.getBoundingClientRect();
			if (getComputedStyle(g).display === 'none' || g.id === 'plain')
				continue;
			const name = nameOf(g, box), style = getComputedStyle(rect);
			if (name in all)
				continue;
			all[name] = { x: box.x + box.width / 2, y: box.y + box.height / 2,
				left: box.x, width: box.width, fill: style.fill,
				label: g.querySelector('text')?.textContent ?? '',
				ink: g.querySelector('text') && getComputedStyle(g.querySelector('text')).fill,
				isFaded: style.fillOpacity < .5 };
		}
		document.querySelector('#frames').dispatchEvent(new PointerEvent('pointerleave'));
		return all;
	});
}

// What the card at the pointer says of a place, a line each; null: there is no card.
export async function cardAt(page, place) {
	await page.moveTo(place);
	return page.run(() => {
		const tip = document.querySelector('.tip');
		return tip.hidden ? null : [...tip.children].map((line) => line.textContent);
	});
}

export const text = (page, id) => page.run((i) => {
	const e = document.getElementById(i), style = getComputedStyle(e);
	return style.display === 'none' || style.visibility === 'hidden' ? null : e.textContent;
}, id);
export const twoFrames = (page) =>
	page.run('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
export const pressed = (page, id) => page.run((i) =>
	document.getElementById(i).getAttribute('aria-pressed') === 'true', id);
// The frame that keys and copies are about.
export const cursor = async (page) =>
	/^(?:Function: )?(.*) \([^(]*\)/.exec(await text(page, 'details') ?? '')?.[1];
// The address is written when the picture is on the screen.
export const link = async (page) => (await twoFrames(page), page.run('location.href'));
export const address = async (page) => (await link(page)).replace(/^[^#]*/, '');

export async function click(page, name) {
	await page.clickAt((await frames(page))[name]);
}

export async function clickOn(page, selector, options) {
	await page.clickAt(await page.run((s) => {
		const b = document.querySelector(s).getBoundingClientRect();
		return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
	}, selector), options);
}

export async function choose(page, id, value) {
	await page.run((i, v) => {
		const e = document.getElementById(i);
		e.value = v;
		e.dispatchEvent(new Event('change'));
	}, id, value);
}

export async function search(page, term) {
	await page.run((v) => {
		const e = document.getElementById('search');
		e.value = v;
		e.dispatchEvent(new Event('input'));
	}, term);
}

export const chip = (page, name, shiftKey = false) => page.run((n, shift) => {
	const all = [...document.querySelectorAll('.chip')];
	all.find((c) => c.textContent.startsWith(n))
		.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: shift }));
}, name, shiftKey);

export const brightness = (page) => page.run(() => {
	const c = getComputedStyle(document.querySelector('#paper')).fill;
	return Math.max(...(c.match(/\d+/g) ?? [255]).map(Number));
});

export function near(actual, expected, message) {
	assert.ok(Math.abs(actual - expected) < 0.8, `${message}: ${actual}, not ${expected}`);
}
