// Weights as people read them, by the table that the program follows, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const code = readFileSync(new URL('src/output/assets/shared/amount_text.js', ROOT), 'utf8');
const { amountText } = new Function(code + '\nreturn { amountText };')();
const examples = readFileSync(new URL('testdata/amounts/examples.tsv', ROOT), 'utf8')
	.trimEnd().split('\n').map((line) => line.split('\t'));

test('amounts: three digits and a unit, as the program writes them', async () => {
	const wrong = examples.map(([value, unit, expected]) => ({ value, unit, expected,
		is: amountText(Number(value), unit) }));
	assert.ok(examples.length > 50);
	assert.deepEqual(wrong.filter(({ expected, is }) => expected !== is), []);
});
