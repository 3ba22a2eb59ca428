// times.mjs CHROMIUM PICTURE...: how long a picture takes in a headless browser: until something is
// painted, until it answers (both since it was asked for), what CPU time its main thread took until
// then, and the script time of a redraw and of a zoom (performance.now). Of nine, the median and the least;
// OPENINGS says how often it is opened instead.
// As in: scripts/browser/times.mjs chromium big.svg big.html
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium.mjs';

const [chromium, ...pictures] = process.argv.slice(2);
const ROUNDS = 9, OPENINGS = Number(process.env.OPENINGS ?? ROUNDS);

const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];

// What the two kinds of picture call their parts.
const SVG = {
	ready: 'document.documentElement.dataset.ready === "1"',
	redraw: 'dispatchEvent(new Event("resize"))',
	zoom: (i) => `{ const all = document.querySelectorAll("#frames > g:not(.off):not(#plain)");
		all[(2 + ${i}) % all.length].dispatchEvent(new MouseEvent("click", { bubbles: true })); }`,
	back: 'dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }))',
};
const HTML = {
	ready: 'typeof app !== "undefined" && Boolean(app?.flames[0])',
	redraw: 'app.flames[0].draw()',
	zoom: (i) => `{ const f = app.flames[0], wide = f.boxes.filter((b) => b.level > 1 && !b.small);
		f.zoomToBox(wide[${i} % wide.length]); }`,
	back: 'app.flames[0].zoomTo(0, app.flames[0].source.total)',
};

const scriptTime = (page, code) => page.run(`(() => { const from = performance.now(); ${code};
	return performance.now() - from; })()`);

async function open(page, url, kind) {
	await page.open(url);
	while (!await page.run(kind.ready))
		await new Promise((done) => setTimeout(done, 5));
	const answers = await page.run('performance.now()');
	const { metrics } = await page.send('Performance.getMetrics');
	const painted = await page.run(`new Promise((done) => new PerformanceObserver((list) =>
		done(list.getEntries()[0].startTime)).observe({ type: "paint", buffered: true }))`);

	return { painted, answers, spent: 1000 * metrics.find((m) => m.name === 'TaskDuration').value };
}

async function measure(browser, file) {
	const kind = file.endsWith('.svg') ? SVG : HTML, url = pathToFileURL(resolve(file)).href;
	const opened = [], redraws = [], zooms = [];

	for (let i = 0; i < OPENINGS; i++) {
		const page = await browser.page();

		await page.send('Performance.enable', { timeDomain: 'threadTicks' });
		opened.push(await open(page, url, kind));
		if (i === OPENINGS - 1)
			for (let k = 0; k < ROUNDS; k++) {
				redraws.push(await scriptTime(page, kind.redraw));
				zooms.push(await scriptTime(page, kind.zoom(k)));
				await page.run(kind.back);
			}
		await browser.send('Target.closeTarget', { targetId: page.targetId });
	}
	return { painted: opened.map((o) => o.painted), answers: opened.map((o) => o.answers),
		processor: opened.map((o) => o.spent), redraw: redraws, zoom: zooms };
}

const browser = new Chromium(chromium);

for (const file of pictures)
	for (const [what, all] of Object.entries(await measure(browser, file)))
		console.log(`${file} ${what.padEnd(9)} ${median(all).toFixed(1).padStart(8)} ms, least ` +
			`${all[0].toFixed(1).padStart(8)} ms`);
await browser.close();
