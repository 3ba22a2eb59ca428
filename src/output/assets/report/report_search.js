// What is searched for, and how much of what is shown has it.

class Search {
	constructor(app) {
		this.app = app;
		this.matches = null;
		this.listen();
	}

	listen() {
		const text = byId('search-text'), button = byId('search-case');
		text.addEventListener('input', () => this.apply());
		text.addEventListener('keydown', (e) => {
			if (e.key === 'Enter')
				this.next(e.shiftKey ? -1 : 1);
		});
		button.addEventListener('click', () => {
			button.setAttribute(
				'aria-pressed', button.getAttribute('aria-pressed') !== 'true');
			this.apply();
		});
	}

	apply() {
		const text = byId('search-text').value, result = byId('search-result');
		const ignoreCase = byId('search-case').getAttribute('aria-pressed') === 'true';
		this.matches = null;
		let pattern = null;
		try {
			pattern = text ? new RegExp(text, ignoreCase ? 'i' : '') : null;
			result.classList.remove('bad');
		} catch {
			result.classList.add('bad');
			result.textContent = 'not an expression';
			return;
		}
		this.app.recolor(() => { this.app.looks.search = pattern; });
		this.count();
		this.app.writeAddress();
	}

	// The share of what is shown that has a match in its stack; none counts twice.
	count() {
		const { model, looks } = this.app, result = byId('search-result');
		if (!looks.search) {
			result.textContent = '';
			return;
		}
		const zoomed = this.app.view === 'flame' ? this.zoomedNode() : 0;
		const found = this.foundFrames();
		const under = new Uint8Array(model.tree.n); // 1: in what is shown, 2: has a match
		let sum = 0;
		under[0] = zoomed === 0 ? 1 : 0;
		for (let i = 1; i < model.tree.n; i++) {
			under[i] = under[model.tree.parent[i]] | (i === zoomed ? 1 : 0) |
				found[model.tree.frame[i]];
			sum += under[i] === 3 ? model.self[i] : 0;
		}
		result.textContent = `${percent(sum, model.total[zoomed])} matched`;
	}

	// For each frame: 2 where it is what is searched for.
	foundFrames() {
		const { looks, model } = this.app;
		return Uint8Array.from(
			model.frames, (f, i) => looks.of(i).fill === looks.match ? 2 : 0);
	}

	// The node whose width the picture has.
	zoomedNode() {
		const [flame] = this.app.flames;
		if (!flame?.zoomed)
			return 0;
		const box = flame.boxes.findLast(
			(b) => !b.small && b.start <= flame.from && b.start + b.weight >= flame.to);
		return box?.id ?? 0;
	}

	// The next match, the heaviest first.
	next(step) {
		const { model, looks } = this.app;
		if (!looks.search || this.app.view !== 'flame' || !this.app.flames.length)
			return;
		if (!this.matches) {
			this.matches = this.findMatches();
			this.at = step > 0 ? -1 : 0;
		}
		if (!this.matches.length)
			return;
		this.at = (this.at + step + this.matches.length) % this.matches.length;
		const [flame] = this.app.flames, box = flame.source.boxOf(this.matches[this.at]);
		if (box) {
			flame.zoomTo(box.start, box.start + box.weight);
			flame.focus(box);
			byId('search-result').textContent =
				`${this.at + 1} of ${this.matches.length}`;
		}
	}

	// The nodes that match and have no caller that does, the heaviest first.
	findMatches() {
		const { model } = this.app, matches = [], frames = this.foundFrames();
		const found = new Uint8Array(model.tree.n);
		for (let i = 1; i < model.tree.n; i++) {
			const up = found[model.tree.parent[i]];
			found[i] = up | frames[model.tree.frame[i]];
			if (found[i] && !up && model.total[i] > 0)
				matches.push(i);
		}
		return matches.sort((a, b) => model.total[b] - model.total[a]);
	}
}
