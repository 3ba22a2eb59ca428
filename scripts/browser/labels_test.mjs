// Labels, by the table that pictures without scripts follow, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const code = readFileSync(new URL('src/output/assets/shared/labels.js', ROOT), 'utf8');
const { labelThatFits } = new Function(code + '\nreturn { labelThatFits };')();
const examples = readFileSync(new URL('testdata/labels/examples.tsv', ROOT), 'utf8')
	.trimEnd().split('\n').map((line) => line.split('\t'));

test('labels: what tells least of a name goes first', async () => {
	const wrong = examples.map(([name, room, label]) => ({ name, room, label,
		is: labelThatFits(name, (text) => [...text].length <= Number(room)) }));
	assert.ok(examples.length > 50);
	assert.deepEqual(wrong.filter(({ label, is }) => label !== is), []);
});

test('labels: a very long name takes no time', async () => {
	const from = performance.now();
	for (const name of ['('.repeat(1e6), 'a::'.repeat(1e6), 'a<'.repeat(1e3), 'x'.repeat(1e6)])
		assert.ok([...labelThatFits(name, (text) => [...text].length <= 9)].length <= 9);
	assert.ok(performance.now() - from < 1000);
});
