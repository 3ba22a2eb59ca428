// The Source view: a function's lines with what each costs and calls, beside it its instructions.
//
// What is open is in SourceState, which the address has too; SourceView is what shows it, made anew
// each time. Costs are shares of the whole recording; bars are shares of the function.

const HOT = 0.05; // of the whole
const CALLERS_SHOWN = 6, NAME_CHARACTERS = 60;

class SourceState {
	constructor(app) {
		this.app = app;
		this.sources = new Sources(app.profile);
		this.number = -1;
		this.missing = ''; // the name of a function that has no source here
		this.forget();
	}

	get any() { return this.sources.any; }

	forget() {
		this.place = null; // { path, line }: what is chosen
		this.address = '';
		this.open = new Set();
		this.pane = 'text';
	}

	// ---- the address ----------------------------------------------------------------------

	values() {
		const { sources, number, place } = this;
		if (this.app.view !== 'source' || !sources.raw || number < 0)
			return {};
		const fn = sources.at(number);
		const isOther = place && place.path !== fn.files[0]?.path;
		return {
			function: linkName(fn.name),
			module: sources.find(linkName(fn.name)) === number ? '' : fn.module,
			line: place ? place.line : '',
			file: isOther ? place.path : '',
			address: this.address,
			open: [...this.open],
			pane: this.pane === 'code' ? 'code' : '',
		};
	}

	async apply(link, missing) {
		if (!this.any || link.text('view') !== 'source')
			return;
		const { sources } = this, name = link.text('function');
		await sources.load();
		this.forget();
		this.missing = '';
		this.number = name ? sources.find(name, link.text('module')) : sources.first();
		if (this.number < 0) {
			missing.push(name);
			this.number = sources.first();
			return;
		}
		const line = Number(link.text('line')), [file] = sources.at(this.number).files;
		if (line > 0)
			this.place = { path: link.text('file') || (file?.path ?? ''), line };
		this.address = link.text('address');
		this.open = new Set(link.path('open'));
		this.pane = link.text('pane') === 'code' ? 'code' : 'text';
	}

	// ---- going ----------------------------------------------------------------------------

	openFrame(frame) {
		if (!this.any)
			return;
		const { name, source } = this.app.model.frames[frame];
		this.go(source ? source - 1 : -1, this.hottestOf(frame), source ? '' : name);
	}

	// The hottest line of a frame's function, { path, line, share }, or null.
	hottestOf(frame) {
		const source = this.app.model.frames[frame]?.source;
		return (this.any && source && this.sources.hottest[source - 1]) || null;
	}

	// In words, for a card.
	hottestText(frame) {
		const hottest = this.hottestOf(frame), { model } = this.app;
		if (!hottest)
			return '';
		const { path, line, share } = hottest;
		const when = model.choosesAll && !model.map ? '' : ', in all of the recording';
		return `hottest line: ${cut(baseName(path), 60)}:${line}, ` +
			`${percent(share, 1)} of it${when} (a: source)`;
	}

	// A step that Back undoes. place: { path, line } to choose.
	go(number, place = null, missing = '') {
		this.forget();
		this.number = number;
		this.place = place;
		this.missing = missing;
		this.app.setView('source');
	}

	show(host) { return new SourceView(this, host); }
}

class SourceView {
	constructor(state, host) {
		this.state = state;
		this.app = state.app;
		this.sources = state.sources;
		this.targets = new Map();
		this.card = element('div', { className: 'card source' },
			element('p', { className: 'empty', textContent: 'Reading …' }));
		host.append(this.card);
		this.ready = this.sources.load().then(() => this.fill());
	}

	close() {
		this.closed = true;
		this.text?.close();
		this.code?.close();
	}

	// ---- making ---------------------------------------------------------------------------

	fill() {
		const { state, card } = this;
		if (this.closed)
			return;
		if (state.number < 0 && !state.missing)
			state.number = this.sources.first();
		if (state.number < 0) {
			card.replaceChildren(this.tools(null), this.absent(state.missing));
			return;
		}
		const fn = this.fn = this.sources.at(state.number);
		this.makeLists(fn);
		this.panes = element('div', { className: 'panes' },
			element('div', { className: 'pane' }, heads('self %', 'total %', 'line'),
				this.text.box),
			element('div', { className: 'pane code' }, ...this.codeParts(fn)));
		card.replaceChildren(this.tools(fn), ...this.warnings(fn), this.callers(fn),
			this.panes);
		this.panes.classList.toggle('no-code', !fn.hasCode);
		this.showPane();
		this.showRows();
		this.showJumps();
		this.begin();
		this.app.search.count();
		this.app.link.write();
	}

	absent(name) {
		return element('p', {
			className: 'empty',
			textContent: `${cut(name)} has no source in this page: it is less than ` +
				'0.1 % of the whole. perfold annotate shows any function.'
		});
	}

	makeLists() {
		const on = (side) => ({
			make: (row) => this.cells(row),
			choose: (row) => this.choose(row, side),
			open: (row, act) => this.follow(row, act),
			hover: (row, e) => this.hover(row, e),
			side: (step) => this.focusPane(step > 0 ? 'code' : 'text'),
			drawn: () => side === 'code' && this.drawJumps()
		});
		this.text = new LineList('Source', on('text'));
		this.code = new LineList('Instructions', on('code'));
		this.gutter = new JumpGutter(this.app.looks);
	}

	codeParts(fn) {
		if (!fn.hasCode)
			return [element('p', { className: 'quiet', textContent: fn.whyNoCode })];
		this.code.box.prepend(this.gutter.canvas);
		return [heads('self %', 'instructions'), this.code.box];
	}

	tools(fn) {
		const select = element('select', {}, ...this.options());
		select.setAttribute('aria-label', 'Function');
		select.value = fn ? fn.number : '';
		select.addEventListener('change', () => this.state.go(Number(select.value)));
		const tools = element('div', { className: 'tools' }, select);
		if (!fn)
			return tools;
		const { whole } = this.sources;
		tools.append(element('span', {
			className: 'quiet summary',
			textContent: `self ${percent(fn.cost.self, whole)} · total ` +
				`${percent(fn.cost.total, whole)}` +
				(fn.module ? ` · ${cut(baseName(fn.module), 60)}` : ''),
			title: `${fn.name}\n${fn.module}`
		}), this.paneButtons(fn), ...this.ways(fn));
		return tools;
	}

	options() {
		const { raw, names, whole } = this.sources;
		return names.map((name, i) => new Option(
			`${percent(raw.functions[i].cost[0], whole)}  ${shortName(name)}`, i));
	}

	// On narrow screens one list at a time.
	paneButtons(fn) {
		const make = (pane, label) => {
			const button = element('button', { type: 'button', textContent: label });
			button.dataset.pane = pane;
			button.addEventListener('click', () => this.focusPane(pane));
			return button;
		};
		const group = element('span', { className: 'choose-pane' }, make('text', 'Lines'),
			make('code', 'Instructions'));
		group.setAttribute('role', 'group');
		group.setAttribute('aria-label', 'What is shown');
		group.hidden = !fn.hasCode;
		return group;
	}

	// To the other views of the function.
	ways(fn) {
		const { app } = this, frame = this.frameOf(fn);
		const { name, module } = app.model.frames[frame];
		const make = (label, act) => {
			const button = element('button', { type: 'button', textContent: label });
			button.addEventListener('click', act);
			return button;
		};
		return frame ? [element('span', { className: 'ways' },
			make('In the flame graph', () => app.openHeaviest(name, module || '')),
			make('Callers and callees', () => app.openSandwich(frame)))] : [];
	}

	// The heaviest frame that is the function; 0: the rules left none.
	frameOf(fn) {
		const { model } = this.app;
		return model.functions()
			.filter(({ frame }) => model.frames[frame].source === fn.number + 1)
			.reduce((best, row) => best && best.total >= row.total ? best : row, null)
			?.frame ?? 0;
	}

	warnings(fn) {
		const { model } = this.app, texts = [];
		if (!model.choosesAll || model.map)
			texts.push('Costs are of the whole recording, not of what is chosen.');
		const [file] = fn.files;
		if (file?.hasText && file.note)
			texts.push(`${baseName(file.path)}: ${file.note}`);
		return texts.map(
			(text) => element('p', { className: 'warn', textContent: text }));
	}

	callers(fn) {
		const list = element('div', { className: 'callers' });
		const more = (from) => fn.callers.slice(from).map((caller) => this.caller(caller));
		if (!fn.callers.length)
			list.hidden = true;
		list.append(element('span', { className: 'quiet', textContent: 'Called from' }),
			...more(0).slice(0, CALLERS_SHOWN));
		if (fn.callers.length > CALLERS_SHOWN) {
			const button = element('button', { type: 'button',
				textContent: `${fn.callers.length - CALLERS_SHOWN} more` });
			button.addEventListener('click',
				() => button.replaceWith(...more(CALLERS_SHOWN)));
			list.append(button);
		}
		return list;
	}

	caller({ number, inlined, line, total, name, module, path }) {
		const { whole } = this.sources, isHere = number >= 0;
		const joined = (by, ...texts) => texts.filter(Boolean).join(by);
		const at = line ? `:${line}` : '', weight = amountText(total, this.app.model.unit);
		const facts = joined(' · ', path && baseName(path) + at, inlined && 'inlined',
			percent(total, whole));
		const chip = element(isHere ? 'button' : 'span', {
			className: 'chip',
			title: cut(joined('\n', name, module, path && path + at, weight), 1000)
		}, element('b', { textContent: shortName(name) }), ` ${facts}`);
		if (!isHere)
			return chip;
		chip.type = 'button';
		chip.addEventListener('click',
			() => this.state.go(number, line ? { path, line } : null));
		return chip;
	}

	// ---- rows -----------------------------------------------------------------------------

	showRows() {
		const { fn, sources, state } = this;
		const rows = new SourceRows(sources, state.open).ofFunction(fn, this.declared(fn));
		this.text.show(rows, widest(rows));
	}

	// Where generated code says that the function begins: { path, line }, or null. Its lines
	// are those of inlined functions, too.
	declared({ number }) {
		const { kind, file, line } =
			this.app.profile.frames.find(({ source }) => source === number + 1) ?? {};
		return kind === KIND_JIT && line ? { path: file, line } : null;
	}

	showJumps() {
		const rows = codeRows(this.fn);
		this.gutter.show(rowJumps(rows));
		this.code.box.style.setProperty('--gutter', this.gutter.width + 'px');
		this.code.show(rows, widest(rows));
	}

	drawJumps() {
		if (this.gutter.all.length || this.gutter.width)
			this.gutter.draw(this.code, this.jumper ?? this.code.chosen);
	}

	cells(row) {
		if (row.kind === 'code')
			return this.codeCells(row);
		if (row.kind === 'line')
			return [
				this.share(row.cost?.self, row.fn),
				this.share(row.cost?.total, row.fn),
				cell('number', row.line || ''),
				this.indented(row, ...markedText(row.text, this.app.looks.search))
			];
		if (row.kind === 'call')
			return this.callCells(row);
		if (row.kind === 'more') {
			const [indent] = /^\s*/.exec(row.text), textContent = row.text.trim();
			const button = element('button', { type: 'button', textContent });
			return [blank(), blank(), cell('number', ''),
				this.indented(row, indent, button)];
		}
		const about = cell('about', row.text);
		about.style.setProperty('--depth', row.depth ?? 0);
		about.classList.toggle('deep', row.depth > 0);
		return [about];
	}

	share(weight, fn) {
		const { whole } = this.sources, box = cell('share', '');
		if (!weight)
			return box;
		const bar = element('i');
		bar.style.width = `${Math.min(100 * weight / (fn.cost.total || 1), 100)}%`;
		box.classList.toggle('hot', weight >= HOT * whole);
		box.append(bar, element('b', { textContent: bareShare(weight, whole) }));
		return box;
	}

	indented({ depth = 0 }, ...parts) {
		const box = cell('text', '');
		box.append(...parts);
		box.style.paddingLeft = `${8 + 16 * depth}px`;
		return box;
	}

	// A function that a line calls, or that is inlined there.
	callCells(row) {
		const { call, indent, canOpen, isOpen } = row, parts = [`${indent}  `];
		const name = markedText(shortName(call.name), this.app.looks.search);
		const title = cut(call.name, 1000);
		const button = (act, ...content) => {
			const b = element('button', { type: 'button', title }, ...content);
			b.dataset.act = act;
			return b;
		};
		if (canOpen) {
			const toggle = button('toggle', `${isOpen ? '▾' : '▸'} inlined `, ...name);
			const go = button('go', '→');
			toggle.setAttribute('aria-expanded', isOpen);
			go.setAttribute('aria-label', `To ${cut(call.name, 200)}`);
			parts.push(toggle, ' ', go);
		} else if (call.number >= 0) {
			parts.push(button('go', call.inlined ? 'inlined ' : '→ ', ...name));
		} else {
			parts.push(element('span', { className: 'quiet', title },
				call.inlined ? 'inlined ' : '→ ', ...name));
		}
		const isAll = call.total === row.file.costs.get(row.line)?.total;
		return [
			blank(), isAll ? blank() : this.share(call.total, row.fn),
			cell('number', ''), this.indented(row, ...parts)
		];
	}

	codeCells(row) {
		const { code, i, call, line, path } = row, { search } = this.app.looks;
		const text = cell('text', '');
		text.append(...markedText(row.text, search));
		if (call) {
			const name = ['→ ', ...markedText(shortName(call), search)];
			text.append('  ', this.targetOf(call)
				? element('button', { type: 'button' }, ...name)
				: element('span', { className: 'quiet' }, ...name));
		}
		const before = i ? code.line[i - 1] !== line || code.path[i - 1] !== path : true;
		return [this.share(row.cost?.self, row.fn), cell('gutter', ''),
			cell('address', code.shortAddress(i)), text,
			cell('place', line && before ? `${baseName(path)}:${line}` : '')];
	}

	// The function that a call's target is: { number } of one with source, or { frame }.
	targetOf(call) {
		if (!this.targets.has(call))
			this.targets.set(call, this.findTarget(call));
		return this.targets.get(call);
	}

	findTarget(call) {
		const name = call.replace(/[+@].*$/, '');
		const number = this.sources.names.findIndex((n) => n === call || n === name);
		if (number >= 0)
			return { number };
		const { model } = this.app;
		const row = model.functions().find(({ frame }) =>
			[call, name].includes(model.frames[frame].name));
		return row ? { frame: row.frame } : null;
	}

	// ---- choosing -------------------------------------------------------------------------

	// What the address says, else the hottest line.
	begin() {
		const { place, address } = this.state;
		const line = place ? this.text.rows.findIndex((row) => isAt(row, place)) : -1;
		const code = address ? this.code.rows.findIndex((row) =>
			row.kind === 'code' && row.code.address(row.i) === address) : -1;
		if (code >= 0)
			this.settle(this.code, code);
		else if (line >= 0)
			this.settle(this.text, line);
		else
			for (const list of [this.text, this.code])
				list.reveal(this.ranked(list)[0] ?? -1);
		this.text.draw();
		this.code.draw();
	}

	settle(list, number) {
		list.chosen = number;
		list.reveal(number);
		this.light(list.rows[number], true);
	}

	choose(row, side) {
		const { state } = this, isCode = row?.kind === 'code';
		this[side === 'code' ? 'text' : 'code'].chosen = -1;
		state.place = row?.line ? { path: row.path, line: row.line } : null;
		state.address = isCode ? row.code.address(row.i) : '';
		this.light(row, true);
		this.describe(row);
		this.app.link.write();
	}

	// The lines and instructions of a row; reveal: in the other list too.
	light(row, reveal = false) {
		const places = this.placesOf(row), isText = row && row.kind !== 'code';
		const isLit = (one) => one.kind === 'code' ? places.has(one.at)
			: isText ? isAt(one, row)
				 : areShared(places, this.placesOf(one));
		for (const list of [this.text, this.code]) {
			const found = [];
			list.rows.forEach((one, i) => {
				one.lit = places.size > 0 && isLit(one);
				if (one.lit)
					found.push(i);
			});
			const isOwn = list.rows.includes(row);
			if (reveal && !isOwn && !found.some((i) => list.isInSight(i)))
				list.reveal(found[0] ?? -1);
		}
		this.text.draw();
		this.code.draw();
	}

	// Where the code of a row is from: its line, and what is inlined there.
	placesOf(row) {
		if (!row?.line)
			return NO_PLACES;
		if (row.places)
			return row.places;
		if (row.kind === 'code')
			return new Set([row.at]);
		row.places = new Set(row.kind === 'line' ? [placeKey(row.path, row.line)] : []);
		const calls = row.kind === 'call' ? [row.call]
						  : row.file.calls.get(row.line) ?? [];
		this.addInlined(row.places, calls, 0);
		return row.places;
	}

	addInlined(places, calls, depth) {
		for (const { inlined, number } of calls) {
			if (!inlined || number < 0 || depth > INLINED_DEPTH)
				continue;
			for (const file of this.sources.at(number).files)
				for (const line of file.lines()) {
					const key = placeKey(file.path, line);
					if (places.has(key))
						continue;
					places.add(key);
					this.addInlined(
						places, file.calls.get(line) ?? [], depth + 1);
				}
		}
	}

	get chosenRow() {
		return this.text.rows[this.text.chosen] ?? this.code.rows[this.code.chosen] ?? null;
	}

	hover(row, e) {
		const { tip } = this.app.cards;
		if (row !== this.over) {
			this.over = row;
			this.jumper = row?.kind === 'code' ? this.code.rows.indexOf(row) : null;
			this.light(row ?? this.chosenRow);
		}
		const card = row && e.pointerType !== 'touch' ? this.about(row) : null;
		if (card)
			tip.show(card, e.clientX, e.clientY);
		else
			tip.hide();
	}

	// { title, lines } of a row, for the card and the line below the view.
	about(row) {
		const { unit } = this.app.model, { whole } = this.sources;
		if (!row.fn)
			return null;
		const isCall = row.kind === 'call';
		const cost = isCall ? { total: row.call.total, totalSamples: row.call.samples }
				    : row.cost;
		const { name, cost: { total: all } } = row.fn;
		const text = (key) => [
			`${key}: ${cost[key] ? amountText(cost[key], unit) : 'none'}`,
			cost[key] && `${percent(cost[key], whole)} of all`,
			cost[key] && all && `${percent(cost[key], all)} of ${shortName(name)}`,
			cost[key] && counted(cost[`${key}Samples`], 'sample')
		].filter(Boolean).join(' · ');
		const known = ['self', 'total'].filter((key) => cost?.[key] !== undefined);
		const place = row.line ? `${baseName(row.path)}:${row.line}` : '';
		const title = isCall ? cut(row.call.name, 200)
			: row.kind === 'code' ? `${row.code.address(row.i)}  ${row.text}`
					      : place || 'line not known';
		const costs = known.length ? known.map(text) : ['no samples'];
		return { title, lines: row.kind === 'line' || !place ? costs : [...costs, place] };
	}

	describe(row) {
		const card = row && this.about(row), line = byId('details-text');
		byId('details').classList.toggle('open', Boolean(card));
		if (!card) {
			line.replaceChildren('\u00a0');
			return;
		}
		line.replaceChildren(element('b', { textContent: cut(card.title) }),
			` ${card.lines.join(' · ')}`);
		line.title = line.textContent;
		say(line.textContent);
	}

	// ---- going on -------------------------------------------------------------------------

	// button: which one of the row was pressed, if any.
	follow(row, button = null) {
		const { state } = this;
		const act = button?.dataset.act ?? (row.canOpen ? 'toggle' : 'go');
		if (row.kind === 'more' || (row.kind === 'call' && act === 'toggle'))
			this.toggle(row.key);
		else if (row.kind === 'call' && row.call.number >= 0)
			state.go(row.call.number);
		else if (row.kind === 'code')
			this.followCode(row);
		else if (row.kind === 'line')
			this.followLine(row);
	}

	followLine(row) {
		const call = this.text.rows.find((one) => one.kind === 'call' &&
			one.file === row.file && one.line === row.line && one.depth === row.depth);
		if (call)
			this.follow(call);
	}

	followCode(row) {
		const target = row.call ? this.targetOf(row.call) : null;
		if (row.target >= 0)
			this.code.choose(row.target);
		else if (target?.frame)
			this.app.openSandwich(target.frame);
		else if (target)
			this.state.go(target.number);
	}

	toggle(key) {
		const { open } = this.state, { scrollTop } = this.text.box;
		if (!open.delete(key))
			open.add(key);
		const chosen = this.text.rows[this.text.chosen];
		this.showRows();
		this.text.chosen =
			chosen ? this.text.rows.findIndex((row) => isSame(row, chosen)) : -1;
		this.text.box.scrollTop = scrollTop;
		this.light(this.chosenRow);
		this.app.link.write();
	}

	showPane() {
		const { pane } = this.state;
		this.panes.dataset.pane = this.fn.hasCode ? pane : 'text';
		for (const button of this.card.querySelectorAll('[data-pane]'))
			if (button.type === 'button')
				button.setAttribute('aria-pressed', button.dataset.pane === pane);
		this.text.draw();
		this.code.draw();
	}

	focusPane(pane) {
		if (pane === 'code' && !this.fn.hasCode)
			return;
		this.state.pane = pane;
		this.showPane();
		(pane === 'code' ? this.code : this.text).box.focus({ preventScroll: true });
		this.app.link.write();
	}

	// Rows with costs of their own, the most expensive first.
	ranked({ rows }) {
		return [...rows.keys()].filter((i) => rows[i].cost?.self > 0)
			.sort((a, b) => rows[b].cost.self - rows[a].cost.self || a - b);
	}

	// The next hottest line or instruction, or the one before.
	hottest(step) {
		const isCode = document.activeElement === this.code?.box;
		const list = isCode ? this.code : this.text, ranked = list ? this.ranked(list) : [];
		if (!ranked.length)
			return;
		const at = ranked.indexOf(list.chosen);
		list.choose(ranked[at < 0 ? 0 : (at + step + ranked.length) % ranked.length]);
		list.box.focus({ preventScroll: true });
	}

	// ---- what the page asks of a view with rows -------------------------------------------

	// Colours, or what is searched for, are others.
	arrange() {
		this.text?.draw();
		this.code?.draw();
	}

	print(most) {
		this.text?.print(most && PRINTED_ROWS_MAX);
		this.code?.print(most && PRINTED_ROWS_MAX);
	}

	// [list, row] of all that has what is searched for.
	matches() {
		const { search } = this.app.looks;
		const textOf = (row) => row.kind === 'code' ? `${row.text} ${row.call}` : row.text;
		const found = (list) => [...list.rows.entries()]
			.filter(([, row]) => row.fn && search.test(textOf(row)))
			.map(([i]) => [list, i]);
		return [...found(this.text), ...found(this.code)];
	}

	matchText() { return this.fn ? `${counted(this.matches().length, 'line')} matched` : ''; }

	// To the next match, or the one before.
	move(step) {
		const all = this.fn ? this.matches() : [];
		if (!all.length)
			return;
		const at = all.findIndex(([list, i]) => list.chosen === i);
		const [list, i] = all[at < 0 ? (step > 0 ? 0 : all.length - 1)
			: (at + step + all.length) % all.length];
		this.state.pane = list === this.code ? 'code' : 'text';
		this.showPane();
		list.choose(i);
	}
}

// As much of a name as can be read beside others.
const shortName = (name) => labelThatFits(name, (part) => part.length <= NAME_CHARACTERS);

const NO_PLACES = new Set(), INLINED_DEPTH = 8;

function areShared(some, others) {
	const [few, many] = some.size < others.size ? [some, others] : [others, some];
	for (const one of few)
		if (many.has(one))
			return true;
	return false;
}

// Below a head that says %.
const bareShare = (part, whole) => percent(part, whole).replace(' %', '');

// The heads of columns.
const heads = (...names) => element('div', { className: 'heads' },
	...names.map((name) => element('span', { textContent: name })));

const blank = () => cell('share', '');

function cell(kind, text) {
	const e = element('span', { className: kind, textContent: text });
	e.setAttribute('role', 'cell');
	return e;
}

// Are two rows, made one after the other, the same?
const isSame = (a, b) => a.kind === b.kind && a.line === b.line && a.path === b.path &&
	a.depth === b.depth && a.key === b.key;

// Is a row of this line? Calls are below it, and are not.
const isAt = (row, { path, line }) =>
	row.kind === 'line' && row.line === line && row.path === path;
