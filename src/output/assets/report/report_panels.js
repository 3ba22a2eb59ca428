// The panels around the views: facts of the recording, rules.

const byId = (id) => document.getElementById(id);

// ---- about this recording ---------------------------------------------------------------------

function factList(pairs) {
	const list = element('dl', { className: 'facts' });
	for (const [name, value] of pairs)
		if (value)
			list.append(element('dt', { textContent: name }),
				element('dd', { textContent: cut(String(value), 2000) }));
	return list;
}

function textList(title, texts) {
	if (!texts.length)
		return [];
	return [
		element('h2', { textContent: title }),
		element('ul', {}, ...texts.map((t) => element('li', { textContent: cut(t, 2000) })))
	];
}

const REASONS = {
	no_mapping: 'nothing was mapped there',
	no_file: 'the file is not here',
	file_refused: 'a file is here, but not the recorded one',
	no_symbol: 'no symbol covers the address',
	no_jit_map: 'no map of the generated code',
	not_in_jit_map: 'not in the map of the generated code',
	no_kernel_symbols: 'no list of the kernel\'s symbols',
	unknown_in_text: 'the input had no name',
};

// Of a difference only the headline knows both sides; all else is of the recording after.
function recordingFacts(facts, rows) {
	const r = facts.recording, h = facts.headline ?? {};
	const number = (n) => n.toLocaleString('en-US'), isDifference = Boolean(facts.changes);
	const cpus = r.processors ? counted(r.processors, 'CPU') : '';
	const named = `${percent(facts.named, facts.frames)} of ${number(facts.frames)}`;
	const samples = isDifference || facts.samples === undefined ? '' : number(facts.samples);
	return [
		[isDifference ? 'Compared' : 'Profile of', h.title],
		['Shows', h.kind],
		['Weight', h.weight],
		['Chosen', h.during],
		['Recorded', h.recorded],
		[isDifference ? 'Command after' : 'Command', r.command],
		['Source', isDifference && 'none in a difference; that of one side may have it'],
		['Host', r.host],
		['Kernel', r.kernel],
		['Processor', [r.processor, r.architecture, cpus].filter(Boolean).join(', ')],
		['Recorded by', r.perf && `perf ${r.perf}`],
		['Input', r.format],
		['Event', facts.events.map((e) => e.name).join(', ') || facts.event],
		['Weights count', facts.unit],
		['Samples', samples],
		['Duration', rows.n ? amountTime(rows.end) : ''],
		['Frames with a name', facts.frames ? named : ''],
		['Notes', facts.notes],
		['Made by', facts.perfold && `perfold ${facts.perfold}`],
	];
}

function fillAbout({ facts, rows }) {
	const number = (n) => n.toLocaleString('en-US');
	const loss = (l) => `${number(l.count)} ${l.text}` + (l.hint ? ` (${l.hint})` : '');
	const gap = (u) => `${number(u.frames)} in ${u.module || '[unknown]'}: ` +
		(REASONS[u.reason] ?? u.reason);
	const rule = (u) => `${u.rule} (${u.place}: ${counted(u.hits, 'hit')})`;
	byId('about').replaceChildren(
		element('h2', { textContent: 'About this recording' }),
		factList(recordingFacts(facts, rows)),
		...textList('Lost or damaged', facts.losses.map(loss)),
		...textList('Frames without a name', facts.unresolved.slice(0, 20).map(gap)),
		...textList('Rules that made it', facts.rules.map(rule)),
		...textList('Advice', facts.advice));
}

// ---- rules ------------------------------------------------------------------------------------

// on(rules): the rules that could be read.
class RulesPanel {
	constructor(on) {
		this.on = on;
		this.text = byId('rules-text');
		this.result = byId('rules-result');
		this.text.addEventListener('input', () => this.soon());
		byId('rules-clear').addEventListener('click', () => this.set(''));
		byId('rules-copy').addEventListener(
			'click', () => copyText(this.file(), document.body));
		byId('rules-save').addEventListener('click', () => this.save());
	}

	soon() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.apply(), 200);
	}

	set(text) {
		this.text.value = text;
		return this.apply();
	}

	append(line) {
		const before = this.text.value.replace(/\s*$/, '');
		this.set((before ? before + '\n' : '') + line + '\n');
	}

	async apply() {
		const read = parseRules(this.text.value);
		const bad = read.find((r) => r.error);
		this.result.classList.toggle('bad', Boolean(bad));
		if (bad) {
			this.result.textContent = `line ${bad.line}: ${bad.error}`;
			return;
		}
		this.result.textContent = 'working…';
		if (!await this.on(read.map((r) => r.rule), this.text.value))
			return;
		const said = ({ matched: n }) =>
			n === 0 ? 'matches nothing' : `matches ${counted(n, 'function')}`;
		this.result.textContent =
			read.map((r) => `line ${r.line}: ${said(r.rule)}`).join('\n');
	}

	file() {
		const text = this.text.value.trim();
		return `# Tried in the report "${document.title.replace(/\s+/g, ' ')}"\n${text}\n`;
	}

	save() {
		const url = URL.createObjectURL(new Blob([this.file()], { type: 'text/plain' }));
		element('a', { href: url, download: 'page.rules' }).click();
		setTimeout(() => URL.revokeObjectURL(url), 1000);
	}
}

// A rule for the functions of a name and of no other.
const exactly = (name) => `/^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$/`;

const say = (text) => { byId('spoken').textContent = text; };
