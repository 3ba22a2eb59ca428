// The page: one model, one view at a time, and the choices that hold for all of them.

// Of a difference each node has its own change: views that put nodes together cannot show it.
const ALL_VIEWS = ['flame', 'time', 'reversed', 'sandwich', 'table', 'changes'];
let VIEWS = ALL_VIEWS.slice(0, -1);

class App {
	constructor(profile) {
		this.profile = profile;
		if (profile.changes)
			VIEWS = ['flame', 'changes'];
		for (const name of ALL_VIEWS)
			byId(`view-${name}`).hidden = !VIEWS.includes(name);
		this.model = new Model(profile);
		this.looks = new Looks();
		this.looks.setModel(this.model);
		this.view = profile.facts.view;
		this.flipped = false;
		this.frame = 0; // of the sandwich
		this.flames = [];
		this.timed = Boolean(profile.facts.timed);
		this.fillHead();
		this.fillChoices();
		this.search = new Search(this);
		this.legend = new Legend(
			byId('legend'), this.looks, () => this.recolor(() => {}));
		this.rules = new RulesPanel((rules) => this.setRules(rules));
		this.heat = new HeatMap(byId('heat-map'), {
			say,
			select: (from, to) =>
				this.choose({ from, to: to >= profile.rows.end ? Infinity : to })
		});
		byId('heat').hidden = !this.timed;
		if (this.timed)
			this.heat.setModel(this.model);
		this.listen();
		this.readAddress();
		this.refresh();
	}

	// ---- head and choices -----------------------------------------------------------------

	fillHead() {
		const { facts } = this.profile;
		byId('title').textContent = facts.title;
		byId('subtitle').textContent = [
			facts.subtitle, facts.event,
			this.profile.changes
				? `red: more than before, blue: less, grey: no clear change at ${
					  facts.confidence} %`
				: facts.samples === undefined
					? ''
					: counted(facts.samples, 'sample'),
			facts.recording.host
		].filter(Boolean).join(' · ');
		fillAbout(this.profile);
	}

	fillChoices() {
		const { facts, rows } = this.profile, { threads } = facts;
		const processes = new Map(); // the first thread of each
		threads.forEach((t, i) => {
			const key = [t.input, t.pid, t.process].join();
			if (!processes.has(key))
				processes.set(key, [i, `${cut(t.process || '?', 60)} (${t.pid})`]);
		});
		this.select('process', [[-1, 'all'], ...[...processes.values()].slice(0, 5000)],
			(v) => this.choose({ process: Number(v), thread: -1 }));
		this.fillThreads();
		this.select('event',
			[[0, 'all'], ...facts.events.map((e, i) => [i + 1, cut(e.name, 60)])],
			(v) => this.choose({ event: Number(v) }));
		const cpus = [...new Set(rows.cpu)].filter((c) => c > 0).sort((a, b) => a - b);
		this.select('cpu', [[-1, 'all'], ...cpus.map((c) => [c, `CPU ${c - 1}`])],
			(v) => this.choose({ cpu: Number(v) }));
		this.select('order', [['weight', 'by weight'], ['name', 'by name']], (v) => {
			this.model.setOrder(v);
			this.showView();
		}, true);
		const colors = [['category', 'by category'], ['module', 'by module'],
			['palette', 'by name']];
		if (this.profile.frames.some((f) => f.mix))
			colors.push(['tier', 'by tier']);
		const recolor = (by) => {
			this.recolor(() => this.looks.setColors(by));
			this.showLegend();
		};
		this.select('color', colors, recolor, true);
	}

	fillThreads() {
		const { threads } = this.profile.facts, { process } = this.model.choice;
		const own = (t) => process < 0 ||
			(t.pid === threads[process].pid && t.input === threads[process].input);
		const wanted = threads.map((t, i) => i).filter((i) => own(threads[i]));
		const label = (t) => `${cut(t.name || '?', 60)} (${t.tid})`;
		const options = wanted.slice(0, 5000).map((i) => [i, label(threads[i])]);
		this.select('thread', [[-1, 'all'], ...options],
			(v) => this.choose({ thread: Number(v) }), wanted.length < threads.length);
	}

	// A choice among one is none, and is not shown.
	select(name, options, on, always = false) {
		const label = byId(`choose-${name}`), select = label.querySelector('select');
		label.hidden = options.length <= 2 && !always;
		select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
		select.onchange = () => on(select.value);
	}

	choose(change) {
		this.model.choose(change);
		if ('process' in change)
			this.fillThreads();
		this.refresh();
		if ('from' in change)
			say(this.heatText());
	}

	setRules(rules) {
		this.model.setRules(rules);
		this.looks.setModel(this.model);
		this.frame = 0;
		this.refresh();
	}

	recolor(change) {
		change();
		this.looks.forget();
		this.flames.forEach((f) => f.draw());
		this.table?.draw();
	}

	// ---- views ----------------------------------------------------------------------------

	// After a change of what is chosen.
	refresh() {
		this.search.matches = null;
		byId('heat-axis').textContent = this.heatText();
		const { from, to } = this.model.choice;
		byId('heat-clear').hidden = from <= 0 && to === Infinity;
		if (this.timed)
			this.heat.show();
		this.showView();
	}

	heatText() {
		const { from, to } = this.model.choice, { end } = this.profile.rows;
		if (!this.timed)
			return '';
		const whole = (ns) => seconds(Math.round(ns / 1e6) * 1e6);
		const range = from > 0 || to < Infinity
			? `${whole(from)} to ${whole(Math.min(to, end))} chosen`
			: `${whole(end)}: drag to choose an interval`;
		return `${range}; a column is ${amount(this.heat?.step ?? 0, 'nanoseconds')}`;
	}

	showView() {
		for (const flame of this.flames)
			flame.close();
		this.table?.close();
		this.flames = [];
		this.table = null;
		byId('view').replaceChildren();
		for (const name of VIEWS) {
			const tab = byId(`view-${name}`), on = name === this.view;
			tab.setAttribute('aria-selected', on);
			tab.tabIndex = on ? 0 : -1;
		}
		this.note('');
		byId('choose-order').hidden = ['time', 'table', 'changes'].includes(this.view);
		byId('flip').hidden = ['table', 'sandwich', 'changes'].includes(this.view);
		this.describe(null);
		if (this.model.total[0] > 0)
			this[`show_${this.view}`]();
		else
			this.empty('No samples are left: choose more, or change the rules.');
		this.search.count();
		this.showLegend();
	}

	showLegend() {
		const node = this.view === 'flame' ? this.search.zoomedNode() : 0;
		const source = this.view === 'time' ? this.flames[0]?.source : null;
		const waits = source && this.profile.facts.events.some((e) => e.waits);
		this.legend.show(
			this.model, node, waits ? source.waited() / source.total : null);
	}

	note(text) {
		byId('note').textContent = text;
		byId('note').hidden = !text;
	}

	empty(text) {
		byId('view').append(element('p', { className: 'empty', textContent: text }));
	}

	card(title) {
		const card = element('div', { className: 'card' });
		if (title)
			card.append(element('h2', { textContent: cut(title, 300) }));
		return card;
	}

	flame(host, label, source, flipped = this.flipped) {
		const flame = new Flame(host, label, this.looks, {
			hover: (box) => this.describe(box ?? flame.focused, flame, Boolean(box)),
			focus: (box) => this.focus(box, flame),
			zoom: () => {
				this.search.count();
				this.showLegend();
				this.writeAddress();
			},
		});
		flame.flipped = flipped;
		flame.show(source);
		this.flames.push(flame);
		return flame;
	}

	show_flame() {
		const card = this.card('');
		byId('view').append(card);
		this.flame(card, 'Flame graph', new TreeSource(this.model));
	}

	show_reversed() {
		const card = this.card('');
		byId('view').append(card);
		this.flame(card, 'Reversed flame graph', MergedSource.reversed(this.model));
	}

	show_time() {
		if (!this.timed) {
			this.empty('The input has no sample times.');
			return;
		}
		const { facts } = this.profile, chosen = this.model.threadsChosen();
		const busy = new Set();
		this.model.eachRow((i) => busy.add(this.profile.rows.thread[i]));
		const thread = chosen.findIndex((on, i) => on && busy.has(i));
		if (thread < 0) {
			this.empty('None of the chosen samples are left.');
			return;
		}
		const { name, tid } = facts.threads[thread];
		if (busy.size > 1)
			this.note(`Thread ${cut(name || '?', 60)} (${tid}), the busiest of ` +
				`${busy.size}: choose another above.`);
		const card = this.card('');
		byId('view').append(card);
		this.flame(card, 'Samples in order of time', new TimeSource(this.model, thread));
	}

	show_table() {
		const card = this.card('');
		byId('view').append(card);
		this.makeTable(card);
	}

	show_changes() {
		const card = this.card('');
		byId('view').append(card);
		new ChangeTable(card, this.profile.facts.changes);
	}

	show_sandwich() {
		const list = this.card('Functions'), stack = element('div', { className: 'stack' });
		list.classList.add('beside');
		byId('view').append(list, stack);
		this.stack = stack;
		this.makeTable(list);
		this.showSandwich(this.frame || this.table.shown[0]?.frame);
	}

	makeTable(host) {
		const open = (frame) => this.view === 'sandwich' ? this.showSandwich(frame)
								 : this.openSandwich(frame);
		this.table = new FunctionTable(host, this.looks, {
			open,
			choose: (frame) => this.view === 'sandwich' && this.showSandwich(frame)
		});
		this.table.show(this.model);
	}

	openSandwich(frame) {
		this.frame = frame;
		this.setView('sandwich');
	}

	showSandwich(frame) {
		this.frame = frame;
		this.flames.forEach((f) => f.close());
		this.flames = [];
		this.stack.replaceChildren();
		if (!frame)
			return;
		this.table.chosen = frame;
		this.table.draw();
		const { name } = this.model.frames[frame];
		const callers = this.card(`Callers of ${name}`),
		      callees = this.card(`What ${name} called`);
		this.stack.append(callers, callees);
		this.flame(
			callers, 'Callers', MergedSource.ofFunction(this.model, frame, true), true);
		this.flame(callees, 'Callees', MergedSource.ofFunction(this.model, frame, false),
			false);
		this.writeAddress();
	}

	setView(view) {
		this.view = view;
		this.showView();
		this.writeAddress();
	}

	// ---- what is under the mouse, what has the focus --------------------------------------

	focus(box, flame) {
		for (const other of this.flames)
			if (other !== flame && other.focused) {
				other.focused = null;
				other.later();
			}
		this.describe(box, flame);
		if (box)
			say(byId('details-text').textContent);
	}

	// Rules make another tree, of which only the widths are known.
	changeOf(box, source) {
		const { changes } = this.profile;
		const known = changes && !this.model.map && source instanceof TreeSource &&
			!box.small;
		return known ? changeText(changes, box.id) : '';
	}

	// shown: it is only under the mouse.
	describe(box, flame = null, hovered = false) {
		const line = byId('details-text');
		byId('details-buttons').hidden = !flame?.focused;
		this.about = flame?.focused ? { flame, box: flame.focused } : null;
		line.replaceChildren();
		if (!box || !flame) {
			line.append(element('span', { className: 'quiet', textContent: '\u00a0' }));
			return;
		}
		const { source } = flame, frame = this.model.frames[box.frame];
		line.append(element('b', { textContent: cut(flame.name(box), 400) }),
			` ${amount(box.weight, source.unit)}`,
			source.unit === 'nanoseconds' ? '' : ` ${source.unit}`,
			`, ${percent(box.weight, source.total)}`);
		const change = this.changeOf(box, source);
		if (change)
			line.append(` · ${change}`);
		if (flame.zoomed)
			line.append(
				`, ${percent(box.weight, flame.to - flame.from)} of what is shown`);
		const place = frame.file + (frame.line ? `:${frame.line}` : '');
		const where = box.frame
			? [frame.module, frame.file && place, frame.mix].filter(Boolean)
			: [];
		if (where.length)
			line.append(element('span', {
				className: 'quiet',
				textContent: ` · ${cut(where.join(' · '), 300)}`
			}));
		line.title = hovered ? '' : cut(line.textContent, 1000);
	}

	act(what) {
		if (!this.about)
			return;
		const { flame, box } = this.about, { name } = this.model.frames[box.frame];
		const acts = {
			sandwich: () => box.frame && this.openSandwich(box.frame),
			name: () => copy(name),
			copy: () => copy(flame.source.names(box).join(';')),
			root: () => box.frame && this.addRule(`root ${exactly(name)}`),
			drop: () => box.frame && this.addRule(`drop ${exactly(name)}`),
		};
		acts[what]();
	}

	addRule(line) {
		this.openPanel('rules', true);
		this.rules.append(line);
	}

	// ---- the address ----------------------------------------------------------------------

	writeAddress() {
		const state = new URLSearchParams();
		if (this.view !== this.profile.facts.view)
			state.set('view', this.view);
		if (this.view === 'sandwich' && this.frame)
			state.set('function', cut(this.model.frames[this.frame].name, 200));
		if (byId('search-text').value)
			state.set('search', byId('search-text').value);
		history.replaceState(null, '', '#' + state);
	}

	readAddress() {
		const state = new URLSearchParams(location.hash.slice(1));
		if (VIEWS.includes(state.get('view')))
			this.view = state.get('view');
		const name = state.get('function');
		if (name)
			this.frame = Math.max(
				this.model.functions()
						.find((f) => cut(this.model.frames[f.frame].name,
								     200) === name)
						?.frame ??
					0,
				0);
		byId('search-text').value = state.get('search') ?? '';
		if (byId('search-text').value)
			this.search.apply();
	}

	// ---- listening ------------------------------------------------------------------------

	openPanel(name, open) {
		byId(name).hidden = !open;
		byId(`${name}-button`).setAttribute('aria-expanded', open);
	}

	listen() {
		for (const name of ['rules', 'about', 'help'])
			byId(`${name}-button`)
				.addEventListener(
					'click', () => this.openPanel(name, byId(name).hidden));
		for (const name of VIEWS)
			byId(`view-${name}`).addEventListener('click', () => this.setView(name));
		byId('views').addEventListener('keydown', (e) => this.tabKey(e));
		byId('theme').addEventListener('click', () => setTheme(!isDark()));
		byId('flip').addEventListener('click', () => this.flip());
		byId('heat-clear')
			.addEventListener('click', () => this.choose({ from: 0, to: Infinity }));
		for (const what of ['sandwich', 'copy', 'root', 'drop'])
			byId(`do-${what}`).addEventListener('click', () => this.act(what));
		document.addEventListener('keydown', (e) => this.key(e));
		document.addEventListener('themechange', () => {
			this.looks.theme();
			this.recolor(() => {});
			this.heat.draw();
		});
	}

	flip() {
		this.flipped = !this.flipped;
		byId('flip').setAttribute('aria-pressed', this.flipped);
		this.showView();
	}

	tabKey(e) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (!by)
			return;
		const to = VIEWS[(VIEWS.indexOf(this.view) + by + VIEWS.length) % VIEWS.length];
		this.setView(to);
		byId(`view-${to}`).focus();
		e.preventDefault();
	}

	key(e) {
		if (e.key === 'Escape') {
			this.escape();
			return;
		}
		if (e.ctrlKey || e.altKey || e.metaKey ||
			e.target.closest('input, textarea, select'))
			return;
		const act = VIEWS[e.key - 1] ? () => this.setView(VIEWS[e.key - 1]) : {
			'/': () => byId('search-text').focus(),
			n: () => this.search.next(1),
			p: () => this.search.next(-1),
			s: () => this.act('sandwich'),
			y: () => this.act('name'),
			Y: () => this.act('copy'),
			o: () => this.cycle('order'),
			c: () => this.cycle('color'),
			v: () => this.flip(),
			d: () => setTheme(!isDark()),
			Backspace: () => this.flames.some((f) => f.zoomOut()),
		}[e.key];
		if (!act)
			return;
		e.preventDefault();
		act();
	}

	// The next of a choice's options.
	cycle(name) {
		const select = byId(`choose-${name}`).querySelector('select');
		select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
		select.onchange();
	}

	// Undoes one thing: a zoom, a search, a stretch of time.
	escape() {
		const text = byId('search-text');
		if (this.flames.some((f) => f.zoomed &&
				    (f.zoomOut() || (f.zoomTo(0, f.source.total, false), true))))
			return;
		if (text.value) {
			text.value = '';
			this.search.apply();
		} else if (this.model.choice.from > 0 || this.model.choice.to < Infinity) {
			this.choose({ from: 0, to: Infinity });
		}
	}
}

let app = null;

readProfile().then((profile) => { app = new App(profile); }).catch((error) => {
	byId('view').replaceChildren(element('p', {
		className: 'empty',
		textContent: `The report cannot be shown: ${error.message}`
	}));
	throw error;
});
