// Source and instructions of functions, as html_source.c in perfold's source writes them. They are
// unpacked when they are first asked for. Their costs are of the whole recording.

const KIND_CALL = 3; // enum instruction_kind
const WEIGHTS = 4; // self, its samples, total, its samples

const weightsAt = (list, at) => ({
	self: list[at],
	selfSamples: list[at + 1],
	total: list[at + 2],
	totalSamples: list[at + 3]
});

// By the number that comes before each: a line or an instruction.
function weightsBy(list) {
	const by = new Map();
	for (let i = 0; i < list.length; i += 1 + WEIGHTS)
		by.set(list[i], weightsAt(list, i + 1));
	return by;
}

// Tabs stay.
// eslint-disable-next-line no-control-regex
const plainLine = (text) => text.replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/g, '\ufffd');

function groupBy(list, keyOf) {
	const by = new Map();
	for (const one of list) {
		const key = keyOf(one);
		if (!by.has(key))
			by.set(key, []);
		by.get(key).push(one);
	}
	return by;
}

// The lines of a function in a file. texts: [first line, [line, ...], ...] of the whole file.
class SourceFile {
	constructor(raw, { path = '', found = '', text: texts }) {
		this.path = plain(path);
		this.found = plain(found);
		this.note = plain(raw.note ?? '');
		this.first = raw.first ?? 0;
		this.n = raw.n ?? 0;
		this.texts = texts;
		this.costs = weightsBy(raw.costs);
		this.calls = groupBy((raw.calls ?? []).map(([
			line, number, inlined, total, samples, name, module
		]) => ({ line, number: number - 1, inlined: inlined === 1, total, samples,
			name: plain(name), module: plain(module) })), (call) => call.line);
	}

	text(line) {
		for (let i = 0; i < this.texts.length; i += 2) {
			const at = line - this.texts[i], lines = this.texts[i + 1];
			if (at >= 0 && at < lines.length)
				return plainLine(lines[at]);
		}
		return null;
	}

	// The lines that are shown, in order; 0 is what no line is known of.
	lines() {
		const numbers = new Set([...this.costs.keys(), ...this.calls.keys()]);
		for (let i = 0; i < this.n; i++)
			numbers.add(this.first + i);
		return [...numbers].sort((a, b) => (a || Infinity) - (b || Infinity));
	}

	get self() {
		let sum = 0;
		for (const cost of this.costs.values())
			sum += cost.self;
		return sum;
	}
}

// The instructions of a function, or of a part of it.
class SourceCode {
	constructor(raw) {
		this.name = plain(raw.name ?? '');
		this.module = plain(raw.module ?? '');
		this.note = plain(raw.note ?? '');
		this.found = plain(raw.found ?? '');
		this.start = BigInt(raw.start);
		this.n = raw.kinds?.length ?? 0;
		if (!this.n)
			return;
		let sum = 0;
		this.offset = raw.at.split(';').map((difference) => sum += Number(difference));
		this.ops = plain(raw.ops).split(';');
		this.args = plain(raw.args).split(';');
		this.kinds = [...raw.kinds].map(Number);
		this.costs = weightsBy(raw.costs);
		this.jumps = new Map();
		for (let i = 0; i < raw.jumps.length; i += 2)
			this.jumps.set(raw.jumps[i], raw.jumps[i + 1]);
		this.outside = new Map();
		for (let i = 0; i < raw.outside.length; i += 2)
			this.outside.set(raw.outside[i], plain(raw.outside[i + 1]));
		this.readLines(raw);
	}

	readLines({ lines, paths }) {
		const of = paths.map(plain);
		this.line = new Uint32Array(this.n);
		this.path = new Array(this.n).fill('');
		for (let k = 0; k < lines.length; k += 3) {
			const end = k + 3 < lines.length ? lines[k + 3] : this.n;
			for (let i = lines[k]; i < end; i++) {
				this.path[i] = of[lines[k + 1] - 1] ?? '';
				this.line[i] = lines[k + 2];
			}
		}
	}

	address(i) { return '0x' + (this.start + BigInt(this.offset[i])).toString(16); }

	// Without what all have: eight digits tell them apart.
	shortAddress(i) { return this.address(i).slice(2).slice(-8); }
}

class SourceFunction {
	constructor(raw, number, files) {
		this.number = number;
		this.name = plain(raw.name ?? '');
		this.module = plain(raw.module ?? '');
		this.cost = weightsAt(raw.cost, 0);
		this.files = raw.files.map((file) => new SourceFile(file, files[file.file]));
		this.code = raw.code.map((code) => new SourceCode(code));
		this.callers = raw.callers.map(([
			from, inlined, line, total, samples, name, module, path
		]) => ({ number: from - 1, inlined: inlined === 1, line, total, samples,
			name: plain(name), module: plain(module), path: plain(path) }));
	}

	get hasText() { return this.files.some((file) => file.n); }

	get hasCode() { return this.code.some((code) => code.n); }

	// Why there is none, in words.
	get whyNoCode() {
		const note = this.code.find((code) => code.note)?.note;
		return note ? `No instructions: ${note}.`
			: this.callers.length && this.callers.every(({ inlined }) => inlined)
			? 'Inlined wherever it ran: its instructions are among its callers\'.'
			: 'No instructions: no machine code of it is known.';
	}
}

// All of the page. any: is there some?
class Sources {
	constructor({ frames, self }) {
		const map = document.getElementById('source-frames');
		const text = document.getElementById('source');
		this.any = Boolean(map && text);
		if (!this.any)
			return;
		const known = JSON.parse(withdraw(map)), list = known.frames;
		for (let i = 0; i < list.length; i += 2)
			frames[list[i]].source = list[i + 1] + 1;
		this.readHottest(known.hottest);
		this.packed = withdraw(text);
		this.whole = self.reduce((sum, weight) => sum + weight, 0);
		this.known = [];
	}

	// By function, the line that most of its weight passes through.
	readHottest(list) {
		this.hottest = [];
		for (let i = 0; i < list.length; i += 5)
			this.hottest[list[i]] = { path: plain(list[i + 1]), line: list[i + 2],
				share: list[i + 4] ? list[i + 3] / list[i + 4] : 0 };
	}

	load() { return this.loading ??= this.unpack(); }

	async unpack() {
		const text = new TextDecoder().decode(await inflate(this.packed.trim()));
		this.packed = '';
		this.raw = JSON.parse(text);
		this.names = this.raw.functions.map(({ name = '' }) => plain(name));
		return this;
	}

	get length() { return this.raw.functions.length; }

	at(number) {
		const { files, functions } = this.raw;
		return this.known[number] ??=
			new SourceFunction(functions[number], number, files);
	}

	// The number of a function of a name, as links have it; -1: there is none.
	find(name, module = '') {
		const same = this.names.flatMap((n, i) => linkName(n) === name ? [i] : []);
		return same.find((i) => plain(this.raw.functions[i].module ?? '') === module) ??
			same[0] ?? -1;
	}

	// The heaviest that has text, or else code.
	first() {
		const { functions } = this.raw;
		const text = functions.findIndex(({ files }) => files.some((file) => file.n));
		const code = functions.findIndex((f) => f.code.some((c) => c.at));
		return text >= 0 ? text : Math.max(code, 0);
	}
}
