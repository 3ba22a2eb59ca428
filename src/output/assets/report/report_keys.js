// The keys of the page, and what a press of Escape ends.

class Keys {
	constructor(app) {
		this.app = app;
		document.addEventListener('keydown', (e) => this.press(e));
		byId('views').addEventListener('keydown', (e) => this.tab(e));
	}

	tab(e) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key], { app } = this;
		if (!by)
			return;
		const to = VIEWS[(VIEWS.indexOf(app.view) + by + VIEWS.length) % VIEWS.length];
		app.setView(to);
		byId(`view-${to}`).focus();
		e.preventDefault();
	}

	press(e) {
		const text = byId('search-text');
		if (e.key === 'Escape') {
			if (this.escape())
				e.preventDefault();
			return;
		}
		const isFind = e.key.toLowerCase() === 'f' && (e.ctrlKey || e.metaKey) && !e.altKey;
		if (isFind && document.activeElement !== text) { // there it is the browser's own
			e.preventDefault();
			text.focus();
			text.select();
			return;
		}
		if (e.ctrlKey || e.altKey || e.metaKey ||
			e.target.closest('input, textarea, select'))
			return;
		const act = this.actOf(e.key);
		if (!act)
			return;
		e.preventDefault();
		act();
	}

	actOf(key) {
		const { app } = this;
		return VIEWS[key - 1] ? () => app.setView(VIEWS[key - 1]) : {
			'/': () => byId('search-text').focus(),
			n: () => app.search.next(1),
			p: () => app.search.next(-1),
			s: () => app.act('sandwich'),
			a: () => app.act('source'),
			h: () => app.table?.hottest?.(1),
			H: () => app.table?.hottest?.(-1),
			y: () => app.act('name'),
			Y: () => app.act('copy'),
			o: () => this.cycle('order'),
			c: () => this.cycle('color'),
			v: () => app.flip(),
			d: () => setTheme(!isDark()),
			Backspace: () => app.flames.some((f) => f.zoomOut()),
		}[key];
	}

	// The next of a choice's options.
	cycle(name) {
		const select = byId(`choose-${name}`).querySelector('select');
		select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
		select.onchange();
	}

	// Ends one thing, what is on top: a card, a panel, the search, a zoom, an interval.
	escape() {
		const { app } = this, { from, to } = app.model.choice;
		if (app.cards.close() || app.closePanel() || app.search.clear())
			return true;
		const zoomed = app.flames.find((f) => f.zoomed);
		if (zoomed) {
			if (!zoomed.zoomOut())
				zoomed.zoomTo(0, zoomed.source.total, false);
			return true;
		}
		if (from <= 0 && to === Infinity)
			return false;
		app.choose({ from: 0, to: Infinity });
		return true;
	}
}
