// All that the reader has chosen, to and from the address: link_state.js.
//
// Threads, processes and events are in it by number or name, and a zoom by the names of frames: a
// link means the same in another recording. What is missing there is said above the view.

// From and to, in seconds.
const intervalText = ({ from, to }) => `${from / 1e9},${to === Infinity ? '' : to / 1e9}`;

function interval(text) {
	const [from, to] = text.split(',').map((s) => Math.round(parseFloat(s) * 1e9));
	return from >= 0 || to > 0 ? { from: from || 0, to: to || Infinity } : undefined;
}

class LinkedState {
	constructor(app) {
		this.app = app;
		this.packed = ''; // the rules
		this.busy = 0;
		this.address = new Address((link) => this.apply(link));
	}

	read() { return this.apply(this.address.read()); }

	// step: the browser's Back undoes it.
	write(step = false) {
		if (!this.busy)
			this.address.write(this.values(), step);
	}

	async setRules(text) {
		this.packed = text.trim() ? await linkPacked(text) : '';
		this.write();
	}

	values() {
		const { app } = this, { model, looks, search } = app, c = model.choice;
		const { facts } = app.profile, { threads } = facts;
		const zoom = app.zooms[app.view];
		const function_ = app.view === 'sandwich' && app.frame
			? linkName(model.frames[app.frame].name)
			: '';
		return {
			view: app.view === facts.view ? '' : app.view,
			function: function_,
			zoom: Array.isArray(zoom) ? zoom : '',
			span: zoom?.to ? intervalText(zoom) : '',
			search: search.text,
			case: search.choice,
			time: c.from > 0 || c.to < Infinity ? intervalText(c) : '',
			process: c.process < 0 ? '' : threads[c.process].pid,
			thread: c.thread < 0 ? '' : threads[c.thread].tid,
			event: c.event ? facts.events[c.event - 1].name : '',
			cpu: c.cpu < 0 ? '' : c.cpu - 1,
			filter: [...looks.off].map((key) => key || 'other'),
			order: model.order === 'weight' ? '' : model.order,
			color: looks.by === app.firstColors ? '' : looks.by,
			rules: this.packed,
			...app.source.values(),
		};
	}

	// The numbers of a choice, from what the link says; what is not there goes to missing.
	choiceOf(link, missing) {
		const { facts } = this.app.profile;
		const find = (key, list, of, none) => {
			if (!link.has(key))
				return none;
			const at = list.findIndex((one) => String(of(one)) === link.text(key));
			if (at < 0)
				missing.push(`${key} ${link.text(key)}`);
			return at < 0 ? none : at;
		};
		return {
			process: find('process', facts.threads, (t) => t.pid, -1),
			thread: find('thread', facts.threads, (t) => t.tid, -1),
			event: find('event', facts.events, (e) => e.name, -1) + 1,
			cpu: /^\d+$/.test(link.text('cpu')) ? Number(link.text('cpu')) + 1 : -1,
			...interval(link.text('time')) ?? { from: 0, to: Infinity },
		};
	}

	async apply(link) {
		const { app } = this, { model, looks } = app, missing = [];
		this.busy++;
		try {
			const view = link.text('view');
			app.view = VIEWS.includes(view) ? view : app.firstView();
			const choice = this.choiceOf(link, missing);
			if (Object.keys(choice).some((key) => model.choice[key] !== choice[key]))
				model.choose(choice);
			model.setOrder(link.text('order') === 'name' ? 'name' : 'weight');
			app.setColors(link.text('color'));
			looks.off = new Set(
				link.path('filter').map((key) => key === 'other' ? '' : key));
			looks.forget();
			app.search.set(link.text('search'), link.text('case'));
			await this.applyRules(link.text('rules'));
			await app.source.apply(link, missing);
			if (app.view !== 'source')
				this.applyFunction(link.text('function'), missing);
			app.zooms[app.view] = app.view === 'time'
				? interval(link.text('span'))
				: link.path('zoom');
			app.refresh();
			app.search.apply();
		} finally {
			this.busy--;
		}
		const path = app.zoomMissing;
		if (path)
			missing.push(path.length ? path.join(';') : 'what the link zooms to');
		if (missing.length)
			app.note(`Not in this profile: ${cut(missing.join(', '), 500)}`);
	}

	async applyRules(packed) {
		if (packed === this.packed)
			return;
		this.packed = packed;
		const text = packed ? await linkUnpacked(packed) : '';
		this.app.openPanel('rules', Boolean(text));
		await this.app.rules.set(text);
	}

	applyFunction(name, missing) {
		const { model } = this.app;
		if (!name)
			return;
		const found = model.functions().find(
			({ frame }) => linkName(model.frames[frame].name) === name);
		this.app.frame = found?.frame ?? 0;
		if (!found)
			missing.push(name);
	}
}
