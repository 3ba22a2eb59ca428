// Source and instructions of functions, as html_source.c in perfold's source writes them. They are
// unpacked when they are first asked for. Their costs are of the whole recording.

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
	constructor(raw, { path = '', found = '', text: texts }, names) {
		this.path = plain(path);
		this.found = plain(found);
		this.note = plain(raw.note ?? '');
		this.shown = raw.shown ?? [];
		this.texts = texts;
		this.costs = weightsBy(raw.costs);
		this.calls = groupBy((raw.calls ?? []).map(([
			line, number, inlined, total, samples, name, module
		]) => ({ line, number: number - 1, inlined: inlined === 1, total, samples,
			name: names[name], module: names[module] })), (call) => call.line);
	}

	text(line) {
		for (let i = 0; i < this.texts.length; i += 2) {
			const at = line - this.texts[i], lines = this.texts[i + 1];
			if (at >= 0 && at < lines.length)
				return plainLine(lines[at]);
		}
		return null;
	}

	get hasText() { return this.shown.length > 0; }

	// How many lines without costs are left out before one of a text; 0: none.
	leftOutBefore(line) {
		for (let i = 2; i < this.shown.length; i += 2)
			if (this.shown[i] === line)
				return line - this.shown[i - 2] - this.shown[i - 1];
		return 0;
	}

	// The lines that are shown, in order; 0 is what no line is known of.
	lines() {
		const numbers = new Set([...this.costs.keys(), ...this.calls.keys()]);
		for (let i = 0; i < this.shown.length; i += 2)
			for (let line = this.shown[i], left = this.shown[i + 1]; left; left--)
				numbers.add(line++);
		return [...numbers].sort((a, b) => (a || Infinity) - (b || Infinity));
	}

	get self() {
		let sum = 0;
		for (const cost of this.costs.values())
			sum += cost.self;
		return sum;
	}
}

// The instructions of a function, or of a part of it. numbers: as in html_code.h.
class SourceCode {
	constructor(raw, { texts, instructions, numbers }) {
		this.name = plain(raw.name ?? '');
		this.module = plain(raw.module ?? '');
		this.note = plain(raw.note ?? '');
		this.found = plain(raw.found ?? '');
		this.start = BigInt(raw.start);
		this.n = raw.n ?? 0;
		if (!this.n)
			return;
		let at = 0;
		numbers.at = raw.from;
		this.instructions = instructions;
		this.number = numbers.column(new Uint32Array(this.n));
		const { sizes } = instructions;
		this.offset = Array.from(this.number, (k) => (at += sizes[k]) - sizes[k]);
		this.jumps = new Map();
		this.outside = new Map();
		this.goesTo = new Map();
		this.costs = new Map();
		this.readTargets(numbers, texts);
		this.readLines(numbers, texts);
		this.rows(numbers, (i) => {
			this.costs.set(i, weightsAt(numbers.column(new Float64Array(WEIGHTS)), 0));
		});
	}

	// Those of a list: each begins with the index of an instruction.
	rows(numbers, read) {
		for (let left = numbers.next(), i = 0; left; left--)
			read(i += numbers.next());
	}

	readTargets(numbers, texts) {
		this.rows(numbers, (i) => {
			this.jumps.set(i, numbers.next());
			this.goesTo.set(i, this.offset[this.jumps.get(i)]);
		});
		this.rows(numbers, (i) => {
			const name = numbers.next();
			if (name)
				this.outside.set(i, texts[name]);
			if (numbers.next())
				this.goesTo.set(i, numbers.difference());
		});
	}

	readLines(numbers, texts) {
		let line = 0, path = '', next = 0;
		this.line = new Uint32Array(this.n);
		this.path = new Array(this.n).fill('');
		const fill = (end) => {
			this.line.fill(line, next, end);
			this.path.fill(path, next, end);
			next = end;
		};
		this.rows(numbers, (i) => {
			fill(i);
			path = texts[numbers.next()];
			line += numbers.difference();
		});
		fill(this.n);
	}

	// "call    0x1139"; below ten, an address is as capstone writes it.
	text(i) {
		const { ops, args } = this.instructions, k = this.number[i];
		let operands = args[k];
		if (!operands && this.goesTo.has(i)) {
			const address = this.start + BigInt(this.goesTo.get(i));
			operands = address < 10n ? String(address) : '0x' + address.toString(16);
		}
		return `${ops[k].padEnd(7)} ${operands}`.trimEnd();
	}

	address(i) { return '0x' + (this.start + BigInt(this.offset[i])).toString(16); }

	// Without what all have: eight digits tell them apart.
	shortAddress(i) { return this.address(i).slice(2).slice(-8); }
}

class SourceFunction {
	constructor(raw, number, page) {
		const { files, texts } = page;
		this.number = number;
		this.name = plain(raw.name ?? '');
		this.module = plain(raw.module ?? '');
		this.cost = weightsAt(raw.cost, 0);
		this.files = raw.files.map((file) => new SourceFile(file, files[file.file], texts));
		this.code = raw.code.map((code) => new SourceCode(code, page));
		this.callers = raw.callers.map(([
			from, inlined, line, total, samples, name, module, path
		]) => ({ number: from - 1, inlined: inlined === 1, line, total, samples,
			name: texts[name], module: texts[module], path: texts[path] }));
	}

	get hasText() { return this.files.some((file) => file.hasText); }

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
		const others = ['lines', 'instructions'].map((id) => document.getElementById(id));
		this.any = Boolean(map && text);
		if (!this.any)
			return;
		const known = JSON.parse(withdraw(map)), list = known.frames;
		for (let i = 0; i < list.length; i += 2)
			frames[list[i]].source = list[i + 1] + 1;
		this.readHottest(known.hottest);
		this.packed = [text, ...others].map(withdraw);
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
		const [json, lines, bytes] = await Promise.all(this.packed.map(inflateAll));
		this.packed = [];
		this.raw = JSON.parse(new TextDecoder().decode(json));
		this.putLines(new TextDecoder().decode(lines).split('\n'));
		const { files, texts, instructions: { ops, args, sizes } } = this.raw;
		this.page = {
			files,
			texts: texts.map(plain),
			instructions: {
				ops: plain(ops).split(';'),
				args: plain(args).split(';'),
				sizes
			},
			numbers: new Numbers(bytes)
		};
		this.names = this.raw.functions.map(({ name = '' }) => plain(name));
		return this;
	}

	// To the files: [first line, how many, ...] becomes [first line, [line, ...], ...].
	putLines(lines) {
		let at = 0;
		for (const { text = [] } of this.raw.files)
			for (let i = 1; i < text.length; i += 2)
				text[i] = lines.slice(at, at += text[i]);
	}

	get length() { return this.raw.functions.length; }

	at(number) {
		return this.known[number] ??=
			new SourceFunction(this.raw.functions[number], number, this.page);
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
		const text = functions.findIndex(({ files }) => files.some((file) => file.shown));
		const code = functions.findIndex((f) => f.code.some((c) => c.n));
		return text >= 0 ? text : Math.max(code, 0);
	}
}
