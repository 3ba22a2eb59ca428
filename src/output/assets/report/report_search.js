// What is searched for, how much of what is shown has it, and the way from match to match.

class Search {
	constructor(app) {
		this.app = app;
		this.choice = ''; // of case: see search_text.js
		this.forget();
		const text = byId('search-text'), button = byId('search-case');
		text.addEventListener('input', () => {
			if (!text.value)
				this.choice = '';
			this.apply();
		});
		text.addEventListener('keydown', (e) => {
			if (e.key === 'Enter')
				this.next(e.shiftKey ? -1 : 1);
		});
		button.addEventListener('click', () => {
			this.choice = searchMindsCase(this.text, this.choice) ? '0' : '1';
			this.apply();
		});
	}

	get text() { return byId('search-text').value; }

	// Without a word to the address.
	set(text, choice = '') {
		byId('search-text').value = text;
		this.choice = choice;
	}

	forget() {
		this.matches = null;
		this.at = -1;
	}

	apply() {
		const result = byId('search-result'), { app, text } = this;
		let pattern = null, bad = false;
		try {
			pattern = searchExpression(text, this.choice);
		} catch {
			bad = true;
		}
		byId('search-case').setAttribute(
			'aria-pressed', searchMindsCase(text, this.choice));
		app.recolor(() => { app.looks.search = pattern; });
		this.forget();
		this.count();
		result.classList.toggle('bad', bad);
		if (bad)
			result.textContent = 'not an expression';
		app.link.write();
	}

	// False: there was nothing to clear.
	clear() {
		if (!this.text)
			return false;
		this.set('');
		this.apply();
		return true;
	}

	// The share of what is shown that has a match in its stack; none counts twice.
	count() {
		const { model, looks } = this.app, result = byId('search-result');
		if (!looks.search) {
			result.textContent = '';
			return;
		}
		if (this.app.table?.matchText) {
			result.textContent = this.app.table.matchText();
			return;
		}
		const zoomed = this.app.shownNode();
		const found = this.foundFrames();
		const under = new Uint8Array(model.tree.n); // 1: in what is shown, 2: has a match
		let sum = 0;
		under[0] = zoomed === 0 ? 1 : 0;
		for (let i = 1; i < model.tree.n; i++) {
			under[i] = under[model.tree.parent[i]] | (i === zoomed ? 1 : 0) |
				found[model.tree.frame[i]];
			sum += under[i] === 3 ? model.self[i] : 0;
		}
		result.textContent = `${percent(sum, model.total[zoomed])} matched` +
			(this.at >= 0 ? ` · ${this.at + 1} of ${this.matches.length}` : '') +
			(this.at >= 0 && this.more ? '+' : '');
	}

	// For each node whether its stack has a match; null: nothing is searched for.
	foundNodes() {
		const { model, looks } = this.app;
		if (!looks.search)
			return null;
		const frames = this.foundFrames(), { parent, frame, n } = model.tree;
		const found = new Uint8Array(n);
		for (let i = 1; i < n; i++)
			found[i] = found[parent[i]] | frames[frame[i]];
		return found;
	}

	// For each frame: 2 where it is what is searched for.
	foundFrames() {
		const { looks, model } = this.app;
		return Uint8Array.from(
			model.frames, (f, i) => looks.of(i).fill === looks.match ? 2 : 0);
	}

	// Moves what has the focus to the next match; what is shown stays as it is.
	next(step) {
		const { app } = this;
		if (!app.looks.search)
			return;
		if (!app.flames.length) {
			app.table?.move(step);
			return;
		}
		if (!this.matches) {
			const found = this.foundFrames();
			const lists = app.flames.map((flame) => this.matchesOf(flame, found));
			this.matches = lists.flat();
			this.more = lists.some(({ more }) => more);
			this.at = step > 0 ? -1 : 0;
		}
		const { length } = this.matches;
		if (!length)
			return;
		this.at = (this.at + step + length) % length;
		const { matches, at } = this, { flame, find } = matches[at], box = find();
		if (box)
			(flame ?? app.flames[0]).focus(box);
		Object.assign(this, { matches, at }); // a run that was opened is another view
		this.count();
	}

	// Those of what is shown that have no match below them: in order of time, else the heaviest
	// first.
	matchesOf(flame, found) {
		const { source } = flame;
		if (source instanceof TreeSource)
			return this.findNodes(found, this.app.shownNode())
				.map((node) => ({ find: () => this.app.boxOf(node) }));
		if (source instanceof MergedSource) {
			const items = source.found(found, flame.shownBox()?.id);
			const all = items.map((i) => ({ flame, find: () => source.boxOf(i) }));
			return Object.assign(all, { more: items.more });
		}
		const all = flame.all().filter((box) => found[box.frame] && !box.small);
		const below = (box) => box.up && (found[box.up.frame] || below(box.up));
		return all.filter((box) => !below(box))
			.sort((a, b) => a.start - b.start)
			.map((box) => ({ flame, find: () => box }));
	}

	findNodes(frames, shown) {
		const { model } = this.app, { parent, frame, n } = model.tree, matches = [];
		const found = new Uint8Array(n), inside = new Uint8Array(n);
		inside[shown] = 1;
		for (let i = 1; i < n; i++) {
			const up = found[parent[i]];
			inside[i] |= inside[parent[i]];
			found[i] = up | frames[frame[i]];
			if (found[i] && !up && inside[i] && model.total[i] > 0)
				matches.push(i);
		}
		return matches.sort((a, b) => model.total[b] - model.total[a]);
	}
}
