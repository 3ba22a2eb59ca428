// The page: one model, one view at a time, and the choices that hold for all of them.

// Of a difference each node has its own change: views that put nodes together cannot show it.
const ALL_VIEWS = ['flame', 'time', 'reversed', 'sandwich', 'table', 'source', 'changes'];
let VIEWS = ALL_VIEWS.slice(0, -1);
const HEAT_LEAST_NS = 5e9; // of less, a heat map has too few cells
const PANELS = ['rules', 'about', 'help'];

class App {
	constructor(profile) {
		this.profile = profile;
		this.timed = Boolean(profile.facts.timed);
		if (profile.changes)
			VIEWS = ['flame', 'changes'];
		else if (!this.timed)
			VIEWS = VIEWS.filter((view) => view !== 'time');
		this.source = new SourceState(this);
		if (!this.source.any)
			VIEWS = VIEWS.filter((name) => name !== 'source');
		for (const name of ALL_VIEWS)
			byId(`view-${name}`).hidden = !VIEWS.includes(name);
		byId('do-sandwich').hidden = !VIEWS.includes('sandwich');
		byId('do-source').hidden = byId('source-keys').hidden = !this.source.any;
		this.model = new Model(profile);
		this.looks = new Looks(this.firstColors, Boolean(profile.changes));
		this.looks.setModel(this.model);
		this.view = this.firstView();
		this.flipped = false;
		this.frame = 0; // of the sandwich
		this.flames = [];
		this.zooms = {}; // of each view, as names of frames; over time { from, to }
		this.opened = null; // see openedRuns()
		this.fillHead();
		this.fillChoices();
		this.cards = new Cards(this);
		this.path = new Path(byId('path'));
		this.search = new Search(this);
		const meaning = profile.changes ? 'red: more than before, blue: less, ' +
				`grey: no clear change at ${profile.facts.confidence} %` : '';
		this.legend = new Legend(byId('legend'), this.looks, meaning, () => {
			this.recolor(() => {});
			this.link.write();
		});
		this.rules = new RulesPanel((rules, text) => this.setRules(rules, text));
		this.makeTimeLine();
		this.filters = new Filters(this);
		this.link = new LinkedState(this);
		this.keys = new Keys(this);
		this.printing = new Printing(this);
		this.listen();
	}

	makeTimeLine() {
		const { end } = this.profile.rows;
		const on = {
			say: (text) => {
				byId('heat-axis').textContent = text;
				say(text);
			},
			select: (from, to) => this.choose({ from, to: to >= end ? Infinity : to }),
			card: (card, e) => card && e.pointerType !== 'touch'
				? this.cards.tip.show(card, e.clientX, e.clientY)
				: this.cards.tip.hide(),
			found: () => this.search.foundNodes(),
		};
		this.strip = new Strip(byId('strip'), this.looks, on);
		this.heat = new HeatMap(byId('heat-map'), on);
		byId('heat').hidden = !this.timed;
		byId('heat-toggle').hidden = end < HEAT_LEAST_NS;
		if (!this.timed)
			return;
		this.strip.setModel(this.model);
		this.heat.setModel(this.model);
		byId('heat-toggle').addEventListener('click', () => {
			const heat = byId('heat-map').hidden;
			byId('heat-map').hidden = !heat;
			byId('strip').hidden = heat;
			byId('heat-toggle').setAttribute('aria-pressed', heat);
		});
	}

	showTimeLine() {
		const { from, to } = this.model.choice;
		byId('heat-clear').hidden = from <= 0 && to === Infinity;
		if (this.timed) {
			this.strip.show();
			this.heat.show();
		}
		byId('heat-axis').textContent =
			[this.heatText(), this.strip.scaleText].filter(Boolean).join(' · ');
	}

	// Those of the command line, as facts.view.
	get firstColors() { return this.profile.facts.colors ?? 'category'; }

	firstView() {
		const { view } = this.profile.facts;
		return VIEWS.includes(view) ? view : 'flame';
	}

	// ---- head and choices -----------------------------------------------------------------

	// What the user says, else what the profile is.
	fillHead() {
		const { facts } = this.profile;
		byId('title').textContent = byId('title').title = facts.title;
		byId('subtitle').textContent = byId('subtitle').title =
			facts.headline?.line ?? facts.subtitle ?? '';
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
		this.threads = new ThreadList(this, (thread) => this.choose({ thread }));
		this.select('event',
			[[0, 'all'], ...facts.events.map((e, i) => [i + 1, cut(e.name, 60)])],
			(v) => this.choose({ event: Number(v) }));
		const cpus = [...new Set(rows.cpu)].filter((c) => c > 0).sort((a, b) => a - b);
		this.select('cpu', [[-1, 'all'], ...cpus.map((c) => [c, `CPU ${c - 1}`])],
			(v) => this.choose({ cpu: Number(v) }));
		this.select('order', [['weight', 'by weight'], ['name', 'by name']], (v) => {
			this.model.setOrder(v);
			this.showView();
			this.link.write();
		}, true);
		const colors = [['category', this.profile.changes ? 'by change' : 'by category'],
			['module', 'by module'], ['palette', 'by name']];
		if (this.profile.frames.some((f) => f.package && !f.package.startsWith('[')))
			colors.push(['package', 'by package']);
		if (this.profile.frames.some((f) => f.mix))
			colors.push(['tier', 'by tier']);
		this.select('color', colors, (by) => {
			this.setColors(by);
			this.recolor(() => {});
			this.showTimeLine();
			this.showLegend();
			this.link.write();
		}, true);
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
		this.refresh();
		this.link.write();
		if ('from' in change)
			say(this.heatText());
	}

	// False: the reader wrote others meanwhile.
	async setRules(rules, text) {
		if (!await this.model.setRules(rules))
			return false;
		this.looks.setModel(this.model);
		this.frame = 0;
		this.refresh();
		await this.link.setRules(text);
		return true;
	}

	// An unknown one is the first.
	setColors(by) {
		const { options } = byId('choose-color').querySelector('select');
		const known = [...options].some((o) => o.value === by);
		this.looks.setColors(known ? by : this.firstColors);
	}

	// The selects show what is chosen.
	showChoices() {
		const { choice, order } = this.model;
		this.threads.show();
		this.filters?.count();
		const all = {...choice, order, color: this.looks.by };
		for (const [name, value] of Object.entries(all))
			if (byId(`choose-${name}`)?.querySelector('select'))
				byId(`choose-${name}`).querySelector('select').value = value;
	}

	recolor(change) {
		change();
		this.looks.forget();
		this.flames.forEach((f) => f.draw());
		this.strip.showSoon();
		this.table?.arrange();
	}

	// ---- views ----------------------------------------------------------------------------

	// After a change of what is chosen.
	refresh() {
		this.showChoices();
		this.showTimeLine();
		this.showView();
	}

	heatText() {
		const { from, to } = this.model.choice, { end } = this.profile.rows;
		if (!this.timed)
			return '';
		const last = Math.min(to, end), lasts = (ns) => amountTime(Math.round(ns));
		const text = (ns) => momentIn(end, ns, niceStep(end / 1000));
		return from > 0 || to < Infinity
			? `${text(from)} to ${text(last)} chosen: ${lasts(last - from)}`
			: `${lasts(end)}: drag to choose an interval`;
	}

	showView() {
		for (const flame of this.flames)
			flame.close();
		this.table?.close();
		this.flames = [];
		this.axis = this.table = null;
		byId('view').replaceChildren();
		byId('view').style.removeProperty('--content');
		for (const name of VIEWS) {
			const tab = byId(`view-${name}`), on = name === this.view;
			tab.setAttribute('aria-selected', on);
			tab.tabIndex = on ? 0 : -1;
			if (on)
				byId('views').scrollLeft =
					tab.offsetLeft - byId('views').offsetLeft;
		}
		this.note('');
		this.zoomMissing = null;
		this.cards.close();
		this.search.forget();
		const isOneOf = (...views) => views.includes(this.view);
		byId('choose-order').hidden = isOneOf('time', 'table', 'source', 'changes');
		byId('choose-color').hidden = byId('legend').hidden = isOneOf('source');
		byId('flip').hidden = isOneOf('table', 'sandwich', 'source', 'changes');
		this.describe(null);
		if (this.model.total[0] > 0)
			this[`show_${this.view}`]();
		else
			this.empty('No samples are left: choose more, or change the rules.');
		this.search.count();
		this.legendSoon();
	}

	// After the picture.
	legendSoon() {
		this.path.show(this.view, this.flames[0]);
		this.legendDue ??= setTimeout(() => this.showLegend());
	}

	showLegend() {
		this.legendDue = null;
		const node = this.shownNode();
		const sources = this.view === 'time' ? this.flames.map((f) => f.source) : [];
		this.legend.show(this.model, node, waitShares(this.profile, sources));
	}

	note(text) {
		byId('note').textContent = text;
		byId('note').hidden = !text;
	}

	empty(text) {
		byId('view').append(element('p', { className: 'empty', textContent: text }));
	}

	// aside: what is said after the title, however long that is.
	card(title, aside = '') {
		const card = element('div', { className: 'card' });
		if (title)
			card.append(element('h2', {},
				element('span', { textContent: cut(title, 300) }),
				element('span', { textContent: aside })));
		return card;
	}

	flame(host, label, source, flipped = this.flipped) {
		const flame = new Flame(host, label, this.looks, {
			hover: (box, e) => this.cards.hover(box, flame, e),
			focus: (box) => this.focus(box, flame),
			zoom: (isStep) => this.zoomed(flame, isStep),
			pan: () => this.syncTracks(flame),
			resize: () => this.syncTracks(flame),
			levels: (pixels) => this.fitView(pixels),
			open: (box) => this.openRun(source.byId.get(box.id)),
		});
		flame.flipped = flipped;
		flame.show(source, this.zoomedBox(source));
		this.flames.push(flame);
		return flame;
	}

	// A view of one low flame graph ends where it does: the legend is right below.
	fitView(pixels) {
		if (['flame', 'reversed'].includes(this.view))
			byId('view').style.setProperty('--content', `${pixels + 2}px`);
	}

	// What the view was zoomed to when it was last shown, or what the link says.
	zoomedBox(source) {
		const zoom = this.zooms[this.view];
		if (!zoom || this.view === 'sandwich')
			return null;
		if (source.timed) {
			const start = Math.max(zoom.from - source.begin, 0);
			const end = Math.min(zoom.to - source.begin, source.total);
			return end > start ? {...source.root(), start, weight: end - start } : null;
		}
		if (!zoom.length)
			return null;
		const box = boxOfPath(source, zoom);
		if (!box)
			this.zoomMissing = zoom;
		return box;
	}

	zoomed(flame, isStep) {
		const { source } = flame;
		this.zooms[this.view] = !flame.zoomed ? undefined
			: source.timed
				? { from: source.begin + flame.from, to: source.begin + flame.to }
				: pathOf(source, flame.shownBox());
		this.cards.close();
		this.syncTracks(flame);
		this.describe(flame.focused, flame);
		this.search.forget();
		this.search.count();
		this.legendSoon();
		this.link.write(isStep);
	}

	// The node whose width the picture has.
	shownNode() {
		const [flame] = this.flames;
		return this.view === 'flame' ? Math.max(flame?.shownBox()?.id ?? 0, 0) : 0;
	}

	// The first nodes of the runs that are drawn frame by frame; of another tree none is.
	openedRuns() {
		const { tree } = this.model;
		if (this.opened?.tree !== tree)
			this.opened = { tree, nodes: new Set() };
		return this.opened.nodes;
	}

	openRun(run) {
		this.openedRuns().add(run.nodes[0]);
		this.showView();
	}

	// The tree with its runs, but for those that hide what is zoomed to.
	treeSource() {
		const folded = new TreeSource(this.model, this.openedRuns());
		const zoom = this.zooms.flame;
		if (!zoom?.length || !folded.runs.length || boxOfPath(folded, zoom))
			return folded;
		const whole = new TreeSource(this.model), box = boxOfPath(whole, zoom);
		const run = box && folded.runOf(box.id);
		if (!run)
			return folded;
		this.openedRuns().add(run.nodes[0]);
		return new TreeSource(this.model, this.openedRuns());
	}

	// A node's box in the flame graph, out of a run if it is in one.
	boxOf(node) {
		const { source } = this.flames[0];
		const run = source.runOf(node);
		if (run)
			this.openRun(run);
		return this.flames[0].source.boxOf(node);
	}

	show_flame() {
		const card = this.card('');
		byId('view').append(card);
		this.flame(card, 'Flame graph', this.treeSource());
	}

	show_reversed() {
		const card = this.card('');
		byId('view').append(card);
		this.flame(card, 'Reversed flame graph', MergedSource.reversed(this.model));
	}

	show_time() {
		const { all, busy, share } = trackSources(this.model);
		if (!all.length) {
			this.empty('None of the chosen samples are left.');
			return;
		}
		if (this.model.choice.thread < 0 && busy > all.length)
			this.note(`The ${all.length} busiest of ${busy.toLocaleString('en-US')} ` +
				'threads: choose others above.');
		const stack = element('div', { className: 'stack tracks' });
		byId('view').append(stack);
		const axis = new TimeAxis(stack, this.looks);
		for (const source of all) {
			const title = `${this.threads.label(source.thread)} · ` +
				percent(share(source), 1);
			const card = this.card(busy > 1 ? title : '');
			const whole = source.levels() * ROW + TRACK_HEAD_PX;
			card.style.flexGrow = 100 * share(source);
			card.style.maxHeight = `${whole}px`;
			if (source === all[0])
				card.style.flexBasis = `${Math.min(whole, FIRST_TRACK_PX)}px`;
			stack.append(card);
			this.flame(card, `Samples in order of time: ${title}`, source);
		}
		this.axis = axis;
		this.syncTracks(this.flames[0]);
	}

	// All tracks show the same time.
	syncTracks(flame) {
		if (!flame.source.timed || !this.axis)
			return;
		for (const other of this.flames)
			if (other !== flame) {
				other.from = flame.from;
				other.to = flame.to;
				other.later();
			}
		this.axis.draw(flame);
	}

	show_table() {
		const card = this.card('');
		byId('view').append(card);
		this.makeTable(card);
	}

	show_source() { this.table = this.source.show(byId('view')); }

	show_changes() {
		const card = this.card('');
		byId('view').append(card);
		const open = (name, module) => this.openHeaviest(name, module);
		const { changes } = this.profile.facts;
		this.table = new ChangeTable(card, changes, this.looks, { open });
	}

	// Where most of a function is: as it is now, or (in the lane of what is gone) as it was.
	openHeaviest(name, module) {
		const { model } = this, { frame, n } = model.tree;
		const same = model.frames.map(
			(f) => f.name === name && (f.module || '') === module);
		let most = 0;
		for (let i = 1; i < n; i++)
			if (same[frame[i]] && model.total[i] > (most ? model.total[most] : 0))
				most = i;
		this.zooms.flame = [];
		this.setView('flame');
		const box = most ? this.boxOf(most) : null;
		if (!box) {
			this.note(`${cut(name, 300)} is too small to be in the picture.`);
			return;
		}
		this.flames[0].zoomToBox(box);
		this.flames[0].focus(box);
	}

	show_sandwich() {
		const list = this.card('Functions'), stack = element('div', { className: 'stack' });
		list.classList.add('beside');
		byId('view').append(list, stack);
		this.stack = stack;
		this.makeTable(list);
		this.showSandwich(this.frame || this.table.shown[0]?.frame || 0);
	}

	makeTable(host) {
		const open = (frame) => this.view === 'sandwich' ? this.showSandwich(frame)
								 : this.openSandwich(frame);
		this.table = new FunctionTable(host, this.looks, {
			open,
			source: (frame) => this.source.openFrame(frame),
			choose: (frame) => this.view === 'sandwich' && this.showSandwich(frame)
		});
		this.table.show(this.model);
	}

	openSandwich(frame) {
		if (!VIEWS.includes('sandwich'))
			return;
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
		const { places } = this.model.functionOf(frame) ?? { places: 0 };
		const aside = ` · in ${counted(places, 'place')}`;
		const callers = this.card(`Callers of ${name}`, aside),
		      callees = this.card(`What ${name} called`);
		this.stack.append(callers, callees);
		this.flame(
			callers, 'Callers', MergedSource.ofFunction(this.model, frame, true), true);
		this.flame(callees, 'Callees', MergedSource.ofFunction(this.model, frame, false),
			false);
		this.search.forget();
		this.search.count();
		this.link.write();
	}

	setView(view) {
		this.view = view;
		this.showView();
		this.link.write(true);
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

	describe(box, flame = null) {
		this.about = box && flame ? { flame, box } : null;
		this.cards.describe(box, flame);
	}

	// On what has the focus, or is under the pointer.
	act(what) {
		const on = this.cards.over ?? this.about;
		if (!on && what === 'source' && this.table?.chosen)
			this.source.openFrame(this.table.chosen);
		if (!on)
			return;
		const { flame, box } = on, { name } = this.model.frames[box.frame];
		const acts = {
			sandwich: () => box.frame && this.openSandwich(box.frame),
			source: () => box.frame && this.source.openFrame(box.frame),
			name: () => copyText(flame.name(box), document.body),
			copy: () => copyText(flame.source.names(box).join(';'), document.body),
			root: () => box.frame && this.addRule(`root ${exactly(name)}`),
			drop: () => box.frame && this.addRule(`drop ${exactly(name)}`),
		};
		acts[what]();
	}

	addRule(line) {
		this.openPanel('rules', true);
		this.rules.append(line);
	}

	// ---- listening ------------------------------------------------------------------------

	openPanel(name, open) {
		byId(name).hidden = !open;
		byId(`${name}-button`).setAttribute('aria-expanded', open);
	}

	// False: none was open.
	closePanel() {
		if (!byId('threads').hidden) {
			this.threads.open(false);
			byId('thread-button').focus();
			return true;
		}
		const open = PANELS.find((name) => !byId(name).hidden);
		if (open) {
			this.openPanel(open, false);
			byId(`${open}-button`).focus();
		}
		return Boolean(open);
	}

	listen() {
		for (const name of PANELS)
			byId(`${name}-button`)
				.addEventListener(
					'click', () => this.openPanel(name, byId(name).hidden));
		for (const name of VIEWS)
			byId(`view-${name}`).addEventListener('click', () => this.setView(name));
		byId('theme').addEventListener('click', () => setTheme(!isDark()));
		byId('flip').addEventListener('click', () => this.flip());
		byId('heat-clear')
			.addEventListener('click', () => this.choose({ from: 0, to: Infinity }));
		for (const what of ['sandwich', 'source', 'copy', 'root', 'drop'])
			byId(`do-${what}`).addEventListener('click', () => this.act(what));
		byId('link-button')
			.addEventListener('click', () => {
				this.link.address.flush();
				copyText(location.href, document.body);
			});
		document.addEventListener('themechange', () => {
			this.looks.theme();
			this.recolor(() => {});
			this.showTimeLine();
			this.showLegend();
			if (this.axis)
				this.syncTracks(this.flames[0]);
		});
	}

	flip() {
		this.flipped = !this.flipped;
		byId('flip').setAttribute('aria-pressed', this.flipped);
		this.showView();
	}
}

let app = null;

readProfile().then(async (profile) => {
	const page = new App(profile);
	await page.link.read();
	app = page;
}).catch((error) => {
	byId('view').replaceChildren(element('p', {
		className: 'empty',
		textContent: `The report cannot be shown: ${error.message}`
	}));
	throw error;
});
