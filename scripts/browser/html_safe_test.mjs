// Names from recordings stay text.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { FOLDED, HOSTILE, report, boxes, text, press, fits, test_at, in_both_at } from './html_page.mjs';

in_both_at('names cannot leave their place', async (t, width) => {
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

in_both_at('the policy stops what a stranger would add', async (t) => {
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
