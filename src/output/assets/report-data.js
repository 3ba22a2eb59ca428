'use strict';
// What the page carries, read: facts (JSON), the tree and the rows (packed.h, html.h in perfold's
// source). All texts go into text nodes and onto canvases alone.

const KINDS = ['unknown', 'user', 'kernel', 'jit', 'root', 'label'];
const KIND_ROOT = 4, KIND_LABEL = 5;
const TIERS = ['', 'interpreted', 'baseline', 'maglev', 'turbofan',
	'quick', 'optimized', 'prebuilt'];

function bytesOfBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const raw = atob(text), bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

async function inflate(element) {
	const stream = new Blob([
		bytesOfBase64(element.textContent)
	]).stream().pipeThrough(new DecompressionStream('deflate'));
	element.remove();
	return new Numbers(new Uint8Array(await new Response(stream).arrayBuffer()));
}

// Varints, one after the other.
class Numbers {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	next() {
		const { bytes } = this;
		let byte = bytes[this.at++];
		if (byte < 128)
			return byte;
		let value = byte & 127, scale = 128;
		do {
			byte = bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte >= 128);
		return value;
	}

	change() {
		const v = this.next();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}

	column(into) {
		for (let i = 0; i < into.length; i++)
			into[i] = this.next();
		return into;
	}

	// Differences, from a value to start from.
	changes(into, value) {
		for (let i = 0; i < into.length; i++)
			into[i] = value += this.change();
		return into;
	}

	texts() {
		const lengths = this.column(new Uint32Array(this.next())),
		      decoder = new TextDecoder();
		const texts = [];
		for (const n of lengths) {
			texts.push(
				plain(decoder.decode(this.bytes.subarray(this.at, this.at + n))));
			this.at += n;
		}
		return texts;
	}

	// Modules and categories: their texts, and a colour for each.
	named(texts) {
		const n = this.next(), named = [];
		for (let i = 0; i < n; i++)
			named.push({ name: texts[this.next()] });
		for (const one of named)
			one.color = this.next();
		return named;
	}
}

// Control characters are drawn as boxes, or not at all.
function plain(text) {
	// eslint-disable-next-line no-control-regex
	return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd');
}

// A tree of frames: for each node its parent, which has a lower number, and its frame; node 0 is
// the root. The weights are apart: they depend on what is chosen.
class Tree {
	constructor(n) {
		this.n = n;
		this.parent = new Int32Array(n);
		this.frame = new Int32Array(n);
	}
}

function readFrames(numbers) {
	const texts = numbers.texts();
	const modules = numbers.named(texts), categories = numbers.named(texts);
	const mixes = numbers.named(texts);
	numbers.column(new Uint32Array(mixes.length)); // the tiers of most samples
	const n = numbers.next();
	const columns = [];
	for (let c = 0; c < 9; c++)
		columns.push(numbers.column(new Uint32Array(n)));
	const [name, module, file, line, category, kind, tier, mix, color] = columns;
	const list = [];
	for (let i = 0; i < n; i++)
		list.push({
			name: texts[name[i]],
			module: modules[module[i]].name,
			file: texts[file[i]],
			line: line[i],
			category: categories[category[i]].name,
			kind: kind[i] & 7,
			inlined: (kind[i] & 8) !== 0,
			tier: TIERS[tier[i]] ?? '',
			mix: mixes[mix[i]].name, // the share of each tier
			color: color[i],
			moduleColor: modules[module[i]].color,
			categoryColor: categories[category[i]].color,
			mixColor: mixes[mix[i]].color
		});
	return list;
}

function readTree(numbers) {
	const n = numbers.next(), unit = numbers.next();
	const tree = new Tree(n), self = new Float64Array(n), path = [0];
	numbers.column(tree.frame);
	for (let i = 0; i < n; i++)
		self[i] = numbers.next() * unit;
	numbers.next(); // the root's
	for (let i = 1, depth = 0; i < n; i++) {
		depth += 1 - numbers.next();
		tree.parent[i] = path[depth - 1];
		path[depth] = i;
	}
	return { tree, self };
}

// Of a difference: for each node its shares of the whole, in millionths.
function readChanges(numbers, n) {
	const column = () => numbers.column(new Float64Array(n));
	return { before: column(), after: column(), selfBefore: column(), selfAfter: column(),
		clear: column() };
}

// Rows, in columns; by thread, then time.
class Rows {
	constructor(n) {
		this.n = n;
		this.thread = new Uint32Array(n);
		this.time = new Float64Array(n); // in nanoseconds since the first sample
		this.stack = new Int32Array(n);
		this.weight = new Float64Array(n);
		this.event = new Uint16Array(n); // plus 1
		this.cpu = new Int16Array(n); // plus 1
		this.end = 0;
	}

	read(numbers, at) {
		const n = numbers.next();
		const part = (column) => column.subarray(at, at + n);
		numbers.changes(part(this.thread), 0);
		numbers.changes(part(this.time), 0);
		numbers.changes(part(this.stack), 0);
		numbers.changes(part(this.weight), 0);
		numbers.column(part(this.event));
		numbers.column(part(this.cpu));
		for (let i = at; i < at + n; i++)
			this.end = Math.max(this.end, this.time[i]);
		return at + n;
	}
}

async function readProfile() {
	const facts = JSON.parse(document.getElementById('facts').textContent);
	const [first, ...blocks] = document.querySelectorAll('script.packed');
	const numbers = await inflate(first);
	const frames = readFrames(numbers);
	const { tree, self } = readTree(numbers);
	const changes = facts.changes ? readChanges(numbers, tree.n) : null;
	const rows = new Rows(facts.rows);
	let at = 0;
	for (const block of blocks)
		at = rows.read(await inflate(block), at);
	return { facts, frames, tree, self, rows, changes };
}

// ---- texts for people -------------------------------------------------------------------------

const cut = (text, n = 300) => text.length > n ? text.slice(0, n) + '…' : text;

// 1 sample, 1,234 samples
const counted = (n, noun, many = `${noun}s`) =>
	`${n.toLocaleString('en-US')} ${n === 1 ? noun : many}`;

// 12345678 cycles: 12.3 M; nanoseconds: 12.3 ms
function amount(value, unit) {
	const steps = unit === 'nanoseconds'
		? [[1e9, ' s'], [1e6, ' ms'], [1e3, ' µs'], [1, ' ns']]
		: [[1e12, ' T'], [1e9, ' G'], [1e6, ' M'], [1, '']];
	if (unit !== 'nanoseconds' && value < 1e6)
		return value.toLocaleString('en-US');
	for (const [size, mark] of steps)
		if (value >= size)
			return (value / size).toPrecision(value / size >= 1000 ? 4 : 3) + mark;
	return '0';
}

const percent = (part, whole) => whole ? (100 * part / whole).toFixed(2) + ' %' : '0 %';
