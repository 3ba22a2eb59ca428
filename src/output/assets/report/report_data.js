// The data of the page: facts (JSON), the tree (packed_reader.js) and the rows (html_data.h in
// perfold's source). All texts go into text nodes and onto canvases alone.

const KINDS = ['unknown', 'user', 'kernel', 'jit', 'root', 'label'];
const KIND_JIT = 3, KIND_ROOT = 4, KIND_LABEL = 5;
const TIERS = ['', 'interpreted', 'baseline', 'maglev', 'turbofan',
	'quick', 'optimized', 'prebuilt'];

// Control characters are drawn as boxes, or not at all.
function plain(text) {
	// eslint-disable-next-line no-control-regex
	return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd');
}

// A tree of frames: for each node its parent, which has a lower number, and its frame; node 0 is
// the root. The weights are apart: they depend on what is chosen.
class Tree {
	constructor(n, parent = new Int32Array(n), frame = new Int32Array(n)) {
		this.n = n;
		this.parent = parent;
		this.frame = frame;
	}
}

function framesOf(tables) {
	const { texts, modules, categories, packages, mixes } = tables;
	const list = [];
	for (let i = 0; i < tables.nFrames; i++) {
		const module = tables.module[i], category = tables.category[i], mix = tables.mix[i];
		const package_ = tables.package[i];
		list.push({
			name: texts[tables.name[i]],
			module: modules.names[module],
			file: texts[tables.file[i]],
			line: tables.line[i],
			category: categories.names[category],
			package: packages.names[package_],
			kind: tables.kind[i] & 7,
			inlined: (tables.kind[i] & 8) !== 0,
			tier: TIERS[tables.tier[i]] ?? '',
			mix: mixes.names[mix], // the share of each tier
			mixTier: TIERS[mixes.tiers[mix]] ?? '',
			color: tables.color[i],
			moduleColor: modules.colors[module],
			categoryColor: categories.colors[category],
			packageColor: packages.colors[package_],
			mixColor: mixes.colors[mix],
			tierColor: mixes.tierColors[mixes.tiers[mix]]
		});
	}
	return list;
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
		this.wait = new Uint8Array(n); // 0: it ran; else in facts.waits
		this.cpu = new Int16Array(n); // plus 1
		this.end = 0;
	}

	// kinds: of events, and one that is not known.
	read(numbers, at, kinds) {
		const n = numbers.next(), coded = new Uint32Array(n);
		const part = (column) => column.subarray(at, at + n);
		numbers.differences(part(this.thread), 0);
		numbers.differences(part(this.time), 0);
		numbers.differences(part(this.stack), 0);
		numbers.differences(part(this.weight), 0);
		numbers.column(coded);
		numbers.column(part(this.cpu));
		for (let i = 0; i < n; i++) {
			this.event[at + i] = coded[i] % kinds;
			this.wait[at + i] = coded[i] / kinds;
			this.end = Math.max(this.end, this.time[at + i]);
		}
		return at + n;
	}

	// The number of a thread's first row.
	first(thread) { return this.search(thread, -Infinity); }

	// Of a thread's first row at a time or later.
	search(thread, time) {
		let low = 0, high = this.n;
		while (low < high) {
			const middle = (low + high) >> 1, is = this.thread[middle];
			if (is < thread || (is === thread && this.time[middle] < time))
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
}

// The text of an element, which the page keeps no longer.
function withdraw(element) {
	element.remove();
	return element.textContent;
}

async function readProfile() {
	const facts = JSON.parse(document.getElementById('facts').textContent);
	const [first, ...blocks] = document.querySelectorAll('script.packed');
	const numbers = await unpack(withdraw(first));
	const frames = framesOf(readTables(numbers, plain));
	const { n, parent, frame, self, changes } = readNodes(numbers);
	const rows = new Rows(facts.rows);
	let at = 0;
	for (const block of blocks)
		at = rows.read(await unpack(withdraw(block)), at, facts.events.length + 1);
	if (facts.durations)
		for (let i = 0; i < rows.n; i++)
			rows.end = Math.max(rows.end, rows.time[i] + rows.weight[i]);
	return { facts, frames, tree: new Tree(n, parent, frame), self, rows, changes };
}

// ---- texts for people -------------------------------------------------------------------------

const cut = (text, n = 300) => text.length > n ? text.slice(0, n) + '…' : text;

// 1 sample, 1,234 samples
const counted = (n, noun, many = `${noun}s`) =>
	`${n.toLocaleString('en-US')} ${n === 1 ? noun : many}`;

const percent = (part, whole) => whole ? (100 * part / whole).toFixed(2) + ' %' : '0 %';
