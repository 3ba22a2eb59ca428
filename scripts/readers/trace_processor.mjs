// Perfetto's trace processor: the WebAssembly and the worker around it that its page reads traces with.
// The worker is asked by messages of protobuf, a stream of TraceProcessorRpc, and answers with such:
// https://perfetto.dev/docs/design-docs/trace-processor-architecture
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// enum TraceProcessorMethod
const APPEND_TRACE_DATA = 1, FINALIZE_TRACE_DATA = 2, QUERY_STREAMING = 3;
// Of TraceProcessorRpc, QueryResult and its CellsBatch.
const RPC = { message: 1, request: 2, fatal: 5, append: 101, query: 103, appended: 201, result: 203 };
const RESULT = { column: 1, error: 2, batch: 3 };
const BATCH = { types: 1, integers: 2, doubles: 3, texts: 5 };
// CellsBatch.CellType
const NULL = 1, INTEGER = 2, DOUBLE = 3, TEXT = 4;

// ---- protobuf --------------------------------------------------------------------------------

function varint(n) {
	const bytes = [];

	for (; n > 127; n = Math.floor(n / 128))
		bytes.push(n % 128 + 128);
	return [...bytes, n];
}

const number = (field, n) => Buffer.from([...varint(field * 8), ...varint(n)]);

function bytes(field, content) {
	const data = Buffer.from(content);

	return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(data.length)]), data]);
}

class Reader {
	constructor(data) {
		this.data = Buffer.from(data);
		this.at = 0;
	}

	varint() {
		let value = 0n, shift = 0n, byte;

		do {
			byte = this.data[this.at++];
			value |= BigInt(byte & 127) << shift;
			shift += 7n;
		} while (byte > 127);
		return Number(BigInt.asIntN(64, value));
	}

	take(n) {
		this.at += n;
		return this.data.subarray(this.at - n, this.at);
	}

	// [field, value]: a number, or the bytes of what has a length.
	*fields() {
		while (this.at < this.data.length) {
			const key = this.varint(), type = key & 7;

			yield [key >> 3, type === 0 ? this.varint() : this.take(type === 1 ? 8 : this.varint())];
		}
	}
}

function packed(data, read) {
	const reader = new Reader(data), all = [];

	while (reader.at < data.length)
		all.push(read(reader));
	return all;
}

// ---- the worker ------------------------------------------------------------------------------

// What a worker of a browser has, and this one uses; process says that it is none.
function startWorker(folder, port) {
	const self = { location: { href: '' } }, quiet = { log() {}, warn() {} };
	class XMLHttpRequest {
		open(method, name) { this.name = name; }
		send() { this.response = readFileSync(join(folder, this.name)); }
	}
	const worker = new Function('self', 'importScripts', 'XMLHttpRequest', 'console', 'process',
		readFileSync(join(folder, 'engine_bundle.js'), 'utf8'));

	worker(self, () => {}, XMLHttpRequest, quiet);
	self.onmessage({ data: { enginePort: port } });
}

export class TraceProcessor {
	#port = { postMessage: (data) => this.#receive(data) };
	#answers = [];

	constructor(folder) {
		startWorker(folder, this.#port);
	}

	#receive(data) {
		for (const [, message] of new Reader(data).fields())
			this.#answers.push(...new Reader(message).fields());
	}

	// The fields of all answers to one request; the worker answers before it returns.
	async #ask(method, ...fields) {
		this.#answers = [];
		await this.#port.onmessage({ data: new Uint8Array(bytes(RPC.message,
			Buffer.concat([number(RPC.request, method), ...fields]))) });
		for (const [field, value] of this.#answers)
			if (field === RPC.fatal)
				throw new Error(String(value));
		return this.#answers;
	}

	async load(trace) {
		await new Promise((resolve) => setTimeout(resolve, 0)); // the worker has begun
		const answers = await this.#ask(APPEND_TRACE_DATA, bytes(RPC.append, trace));

		for (const [field, value] of answers)
			if (field === RPC.appended)
				for (const [inner, text] of new Reader(value).fields())
					if (inner === 2)
						throw new Error(String(text));
		await this.#ask(FINALIZE_TRACE_DATA);
	}

	// Rows of objects, by name of column.
	async query(sql) {
		const columns = [], cells = [];

		for (const [field, value] of await this.#ask(QUERY_STREAMING, bytes(RPC.query, bytes(1, sql))))
			if (field === RPC.result)
				readResult(value, columns, cells);
		return Array.from({ length: cells.length / columns.length }, (_, row) => Object.fromEntries(
			columns.map((name, i) => [name, cells[row * columns.length + i]])));
	}
}

function readResult(data, columns, cells) {
	for (const [field, value] of new Reader(data).fields()) {
		if (field === RESULT.column)
			columns.push(String(value));
		else if (field === RESULT.error && value.length)
			throw new Error(String(value));
		else if (field === RESULT.batch)
			cells.push(...readBatch(value));
	}
}

// Cells are separated by type; texts end with a NUL.
function readBatch(data) {
	const batch = Object.fromEntries(new Reader(data).fields());
	const of = (field, read) => packed(batch[field] ?? Buffer.alloc(0), read);
	const types = of(BATCH.types, (r) => r.varint());
	const left = {
		[INTEGER]: of(BATCH.integers, (r) => r.varint()).values(),
		[DOUBLE]: of(BATCH.doubles, (r) => r.take(8).readDoubleLE()).values(),
		[TEXT]: String(batch[BATCH.texts] ?? '').split('\0').values(),
	};

	return types.map((type) => type === NULL ? null : left[type].next().value);
}
