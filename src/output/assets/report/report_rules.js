// Rules as perfold's filters have them (perfold-filter(5)), for the tree in the page. Expressions
// are JavaScript's: most of PCRE2's mean the same there.

const FIELDS = {
	function: (f) => f.name,
	module: (f) => f.module || '[unknown]',
	file: (f) => f.file,
	kind: (f) => f.inlined ? 'inlined' : KINDS[f.kind],
	frame: (f) => `${f.name} (${f.module || '[unknown]'})`,
	tier: (f) => f.tier,
};
const LONGEST = 16 * 1024; // names beyond it match nothing

class RuleError extends Error {}

// ---- reading ----------------------------------------------------------------------------------

const CLOSING = {
	'{': '}',
	'(': ')',
	'[': ']',
	'<': '>'
};

// The text up to a delimiter; "\" escapes one.
function takeDelimited(text, at, open) {
	const close = CLOSING[open] ?? open;
	let out = '', depth = 1;
	for (; at < text.length; at++) {
		const c = text[at];
		if (c === '\\' && at + 1 < text.length) {
			const next = text[++at];
			out += (next === open || next === close) && !CLOSING[open] ? next
										   : c + next;
			continue;
		}
		if (c === close && --depth === 0)
			return [out, at + 1];
		depth += c === open ? 1 : 0;
		out += c;
	}
	throw new RuleError(`no ${close} at the end of the expression`);
}

function toRegExp(source, flags) {
	if (flags.includes('x'))
		source = source.replace(
			/\\.|\[(?:\\.|[^\]])*\]|#[^\n]*|\s+/g, (t) => /^[\s#]/.test(t) ? '' : t);
	source = source.replace(/\\.|\(\?P</g,
		(t) => ({ '\\A': '^',
			'\\z': '$',
			'\\Z': '$',
			'\\h': '[ \\t]',
			'(?P<': '(?<' })[t] ??
			t);
	try {
		return new RegExp(
			source, [...new Set(flags)].filter((f) => 'ism'.includes(f)).join(''));
	} catch (error) { throw new RuleError(error.message); }
}

// [pattern, position after it]: /re/i, m{re}, s/re/text/g
function takePattern(text, at) {
	const substitute = text[at] === 's' && /[^\w\s]/.test(text[at + 1] ?? '');
	if (substitute || (text[at] === 'm' && /[^\w\s]/.test(text[at + 1] ?? '')))
		at++;
	const open = text[at];
	if (!open || /[\w\s"]/.test(open))
		throw new RuleError('an expression like /re/ is missing');
	let source, replacement = null;
	[source, at] = takeDelimited(text, at + 1, open);
	if (substitute) {
		if (CLOSING[open])
			at = text.indexOf(open, at) + 1;
		[replacement, at] = takeDelimited(text, at, open);
	}
	const flags = /^[a-z]*/.exec(text.slice(at))[0];
	const wrong = /[^gimsx]/.exec(flags);
	if (wrong)
		throw new RuleError(`no such flag: ${wrong[0]}`);
	return [
		{ regexp: toRegExp(source, flags), replacement, all: flags.includes('g') },
		at + flags.length
	];
}

function popLabel(text) {
	const quoted = /^"((?:\\.|[^"\\])*)"\s*$/.exec(text);
	if (quoted)
		return quoted[1].replace(/\\(.)/g, '$1');
	if (!/^\S+\s*$/.test(text))
		throw new RuleError(
			text.trim() ? 'one word, or "a text", is the label' : 'a label is missing');
	return text.trim();
}

function parseRule(text) {
	const [, name, rest] = /^([a-z-]+)\s*([^]*)$/.exec(text) ?? [];
	const action = Object.hasOwn(ACTIONS, name ?? '') ? ACTIONS[name] : null;
	if (!action)
		throw new RuleError(name === 'include' ? 'the page has no other filters to include'
						       : `no such action: ${name ?? text}`);
	const field = /^([a-z]+)(?=\s)/.exec(rest)?.[1];
	const known = field && Object.hasOwn(FIELDS, field);
	if (field && !known)
		throw new RuleError(['comm', 'process', 'event'].includes(field)
				? `${field}: choose it above; rules in the page see only frames`
				: `no such field: ${field}`);
	let at = known ? field.length : 0, pattern = null;
	while (/\s/.test(rest[at] ?? ''))
		at++;
	if (at < rest.length || !action.bare)
		[pattern, at] = takePattern(rest, at);
	const after = rest.slice(at);
	if (Boolean(pattern?.replacement !== null && pattern) !== Boolean(action.renames))
		throw new RuleError(action.renames ? 'rename needs s/re/text/'
						   : 'only rename takes s/re/text/');
	const label = action.labels ? popLabel(after.trim()) : null;
	if (!action.labels && after.trim())
		throw new RuleError(`unexpected: ${after.trim()}`);
	return new Rule(action, known ? field : 'function', pattern, label);
}

// [{ line, text, rule or error }] of the lines that are rules.
function parseRules(text) {
	return text.split('\n')
		.map((line, i) => ({ line: i + 1, text: line.trim() }))
		.filter(({ text: t }) => t && !t.startsWith('#'))
		.map((entry) => {
			try {
				return {...entry, rule: parseRule(entry.text) };
			} catch (error) {
				if (!(error instanceof RuleError))
					throw error;
				return {...entry, error: error.message };
			}
		});
}

// $1, ${1}, ${name}, $0, $$; \U \L \E \u \l
function expand(template, match) {
	let mode = '', once = '', out = '';
	const put = (text) => {
		text = mode === 'U' ? text.toUpperCase() : mode === 'L' ? text.toLowerCase() : text;
		if (once && text)
			text = (once === 'u' ? text[0].toUpperCase() : text[0].toLowerCase()) +
				text.slice(1);
		once = text ? '' : once;
		out += text;
	};
	for (const [token, group, braced] of template.matchAll(
		     /\$(\d+|\$)|\$\{(\w+)\}|\\[ULEul]|\\.|[^$\\]+|[$\\]/gs)) {
		const key = group ?? braced;
		if (key === '$')
			put('$');
		else if (key !== undefined)
			put((/^\d+$/.test(key) ? match[key] : match.groups?.[key]) ?? '');
		else if (/^\\[ULE]$/.test(token))
			mode = token[1] === 'E' ? '' : token[1];
		else if (/^\\[ul]$/.test(token))
			once = token[1];
		else
			put(token.length === 2 && token[0] === '\\' ? token[1] : token);
	}
	return out;
}

// ---- applying ---------------------------------------------------------------------------------

// Makes a tree node by node; siblings of one name are one.
class TreeMaker {
	constructor(n, frames) {
		this.frames = frames;
		this.n = 1;
		this.parent = new Int32Array(n);
		this.frame = new Int32Array(n);
		let size = 16;
		while (size < n * 2)
			size *= 2;
		this.slots = new Int32Array(size);
	}

	child(parent, frame) {
		const name = this.frames.name(frame), mask = this.slots.length - 1;
		let at = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(name, 0x85ebca6b)) >>> 0;
		for (at = (at ^ at >>> 15) & mask; this.slots[at]; at = (at + 1) & mask) {
			const node = this.slots[at];
			if (this.parent[node] === parent &&
				this.frames.name(this.frame[node]) === name)
				return node;
		}
		this.parent[this.n] = parent;
		this.frame[this.n] = frame;
		this.slots[at] = this.n;
		return this.n++;
	}

	tree() {
		const tree = new Tree(this.n);
		tree.parent.set(this.parent.subarray(0, this.n));
		tree.frame.set(this.frame.subarray(0, this.n));
		return tree;
	}
}

class Rule {
	constructor(action, field, pattern, label) {
		Object.assign(this, { action, field, pattern, label });
	}

	match(frame) {
		const text = FIELDS[this.field](frame);
		return text.length <= LONGEST && this.pattern.regexp.test(text);
	}

	// The frames that match, tested once for each: 1 yes, 2 no.
	matcher(frames) {
		const known = new Uint8Array(frames.list.length);
		this.matched = 0;
		return (number) => {
			if (!known[number]) {
				known[number] =
					!this.pattern || this.match(frames.list[number]) ? 1 : 2;
				this.matched += known[number] === 1 ? 1 : 0;
			}
			return known[number] === 1;
		};
	}

	// { tree, map }: the tree as it becomes, and for each node of the old one where the weight
	// of the stacks that end there goes; -1: nowhere. Rules do not see root frames. In slices
	// (report_model.js).
	*applying(tree, frames) {
		const maker = new TreeMaker(tree.n, frames), matches = this.matcher(frames);
		const place = new Int32Array(tree.n), state = new Uint8Array(tree.n);
		const base = new Int32Array(tree.n), map = new Int32Array(tree.n);
		const step = this.action.start({ rule: this, maker, frames, matches });
		for (let i = 1; i < tree.n; i++) {
			const up = tree.parent[i], frame = tree.frame[i];
			if (frames.list[frame].kind === KIND_ROOT) {
				place[i] = base[i] = maker.child(place[up], frame);
				state[i] = state[up];
			} else {
				base[i] = base[up];
				state[i] = state[up];
				place[i] = step(frame, place[up], base[i], state, i, tree);
			}
			map[i] = place[i];
			if (i % SLICE_NODES === 0)
				yield;
		}
		if (this.action.keeps !== undefined)
			for (let i = 0; i < tree.n; i++)
				map[i] = (state[i] === 1) === this.action.keeps ? place[i] : -1;
		return { tree: maker.tree(), map };
	}
}

// start(context) gives what a rule does to a frame: (frame, where the frame below it went, where
// root frames end, state by node, node, tree) -> where it goes. A node begins with the state of
// the one below it.
const whole = ({ maker, matches }) => (frame, up, base, state, i) => {
	state[i] = state[i] || (matches(frame) ? 1 : 0);
	return maker.child(up, frame);
};
const remade = (change) => (context) => {
	const made = [];
	return (frame, up) => {
		if (made[frame] === undefined)
			made[frame] = context.matches(frame) ? change(context, frame) : frame;
		return context.maker.child(up, made[frame]);
	};
};

// V8's functions are the same in whatever tier: JS:~fib, JS:*fib.
const V8_MARK = /^((?:LazyCompile|Function|Eval|Script|JS|InterpretedFunction):)(?:o?[+*]|[~^])'?/;
const sameFunction = (a, b) =>
	a.name === b.name || a.name.replace(V8_MARK, '$1') === b.name.replace(V8_MARK, '$1');

const LABEL_COLOR = 0xc0a6e0;
const CATEGORY_COLORS = [0xa7c7e7, 0xf0b98d, 0xb5d99c, 0xd7b8e0, 0xe6d58a, 0x97d3cd, 0xefacb4];

function labelFrame({ frames, rule }) {
	return frames.add({
		name: rule.label,
		module: '',
		file: '',
		line: 0,
		category: 'label',
		kind: KIND_LABEL,
		inlined: false,
		tier: '',
		mix: '',
		color: LABEL_COLOR,
		moduleColor: LABEL_COLOR,
		categoryColor: LABEL_COLOR,
		package: '',
		packageColor: LABEL_COLOR,
		mixColor: LABEL_COLOR
	});
}

function renamed({ frames, rule }, number) {
	const { regexp, replacement, all } = rule.pattern;
	const field = rule.field === 'function' ? 'name' : rule.field;
	const pattern = new RegExp(regexp.source, regexp.flags + (all ? 'g' : ''));
	const text = frames.list[number][field].replace(pattern, (...found) => {
		const groups =
			typeof found[found.length - 1] === 'object' ? found.pop() : undefined;
		return expand(replacement, Object.assign(found.slice(0, -2), { groups }));
	});
	return text ? frames.changed(number, { [field]: text }) : number;
}

function recolored({ frames, rule }, number) {
	let color = frames.list.find((f) => f.category === rule.label)?.categoryColor;
	if (color === undefined)
		color = CATEGORY_COLORS[
			[...rule.label].reduce((sum, c) => sum * 31 + c.charCodeAt(0) >>> 0, 7) %
			CATEGORY_COLORS.length];
	return frames.changed(number, { category: rule.label, categoryColor: color });
}

const ACTIONS = {
	drop: {
		start: ({ maker, matches }) => (frame, up) =>
			matches(frame) ? up : maker.child(up, frame)
	},
	keep: {
		start: ({ maker, matches }) => (frame, up) =>
			matches(frame) ? maker.child(up, frame) : up
	},
	'drop-stack': { keeps: false, start: whole },
	'keep-stack': { keeps: true, start: whole },
	rename: { renames: true, start: remade(renamed) },
	category: { labels: true, start: remade(recolored) },
	group: {
		labels: true,
		start: (context) => {
			const label = labelFrame(context);
			return (frame, up, base, state, i) => {
				const inRun = state[i] === 1;
				state[i] = context.matches(frame) ? 1 : 0;
				if (!state[i])
					return context.maker.child(up, frame);
				return inRun ? up : context.maker.child(up, label);
			};
		}
	},
	label: {
		labels: true,
		start: (context) => {
			const label = labelFrame(context);
			return (frame, up, base, state, i) => {
				if (state[i])
					return up;
				state[i] = context.matches(frame) ? 1 : 0;
				return context.maker.child(up, state[i] ? label : frame);
			};
		}
	},
	root: {
		start: ({ maker, matches }) => (frame, up, base, state, i) => {
			if (state[i] || !matches(frame))
				return maker.child(up, frame);
			state[i] = 1;
			return maker.child(base, frame);
		}
	},
	leaf: {
		start: ({ maker, matches }) => (frame, up, base, state, i) => {
			if (state[i])
				return up;
			state[i] = matches(frame) ? 1 : 0;
			return maker.child(up, frame);
		}
	},
	'fold-recursion': {
		bare: true,
		start: ({ maker, frames, matches }) => (frame, up, base, state, i, tree) => {
			const below = tree.frame[tree.parent[i]];
			const run = tree.parent[i] > 0 && frames.list[below].kind !== KIND_ROOT &&
				matches(frame) &&
				sameFunction(frames.list[frame], frames.list[below]);
			return run ? up : maker.child(up, frame);
		}
	},
};
