// The legend: what the colours mean, with the share of self weight of each. A click fades one, with
// Shift all others.

const LEGEND_MAX = 24;

// The number of each frame's key, and the keys: { key, color }. -1: in no legend.
function legendKeys(frames, looks) {
	const numbers = new Map(), keys = [], of = new Int32Array(frames.length).fill(-1);
	for (let i = 1; i < frames.length; i++) {
		if (frames[i].kind === KIND_ROOT)
			continue;
		const { key, color, keyColor = color } =
			looks.by === 'palette' ? looks.anyName : looks.keyOf(frames[i]);
		if (!numbers.has(key)) {
			numbers.set(key, keys.length);
			keys.push({ key, color: keyColor });
		}
		of[i] = numbers.get(key);
	}
	return { of, keys };
}

// [{ key, color, self }], the heaviest first: of the stacks through a node.
function legendShares(model, looks, node) {
	const { tree, self, total } = model, { of, keys } = looks.legendKeys();
	const under = new Uint8Array(tree.n);
	const sums = new Float64Array(keys.length), there = new Uint8Array(keys.length);
	under[node] = 1;
	for (let i = node; i < tree.n; i++) {
		if (i > node)
			under[i] = under[tree.parent[i]];
		const key = of[tree.frame[i]];
		if (under[i] && key >= 0 && total[i] > 0) {
			sums[key] += self[i];
			there[key] = 1;
		}
	}
	return keys.map(({ key, color }, i) => ({ key, color, self: sums[i], there: there[i] }))
		.filter((entry) => entry.there && (entry.self > 0 || entry.key !== 'label'))
		.sort((a, b) => b.self - a.self);
}

// What shares of the time on show was spent on a CPU and in each kind of wait.
function waitShares({ facts }, sources) {
	const whole = sources.reduce((sum, { total }) => sum + total, 0), of = new Map();
	if (!facts.waits || !whole)
		return [];
	for (const source of sources)
		source.waited().forEach((time, wait) => {
			const text = WAITS[facts.waits[wait]];
			if (time)
				of.set(text, (of.get(text) ?? 0) + time / whole);
		});
	const waited = [...of].sort((a, b) => b[1] - a[1]);
	return [['on CPU', waited.reduce((rest, [, share]) => rest - share, 1)], ...waited];
}

class Legend {
	// meaning: what else is to be said of the colours. changed(): a category was faded, or is
	// no longer.
	constructor(host, looks, meaning, changed) {
		Object.assign(this, { host, looks, meaning, changed });
	}

	// waits: [[text, its share of the time]] of what is drawn; the first is what ran.
	show(model, node, waits = []) {
		const { looks } = this, whole = model.total[node];
		if (looks.by === 'palette') {
			this.host.replaceChildren(element('span', {
				className: 'quiet',
				textContent: 'Colours tell names apart, and mean nothing else.'
			}), ...this.waits(waits));
			return;
		}
		const shares = legendShares(model, looks, node);
		this.keys = shares.map(({ key }) => key);
		const entries = shares.slice(0, LEGEND_MAX).map((s) => this.entry(s, whole));
		if (shares.length > LEGEND_MAX)
			entries.push(element('span', {
				className: 'quiet',
				textContent: `and ${shares.length - LEGEND_MAX} more`
			}));
		if (this.meaning)
			entries.push(element(
				'span', { className: 'item quiet', textContent: this.meaning }));
		this.host.replaceChildren(...entries, ...this.waits(waits));
	}

	entry({ key, color, self }, whole) {
		const { looks } = this, swatch = element('span', { className: 'swatch' });
		swatch.style.background = rgb(color, looks.dim);
		const button = element('button', { type: 'button' }, swatch,
			`${cut(key || 'other', 40)} ${percent(self, whole)}`);
		button.title = 'Click: fade it. Shift and click: only this one';
		button.setAttribute('aria-pressed', !looks.off.has(key));
		button.addEventListener('click', (e) => {
			if (e.shiftKey)
				looks.only(key, this.keys);
			else
				looks.toggle(key);
			this.mark();
			this.changed();
		});
		button.dataset.key = key;
		return button;
	}

	waits(shares) {
		const item = (className, text) => element('span', { className: 'item' },
			element('span', { className }), text);
		return shares.map(([text, share], i) =>
			item(i ? 'swatch hatched' : 'swatch', `${text} ${percent(share, 1)}`));
	}

	mark() {
		for (const b of this.host.querySelectorAll('button'))
			b.setAttribute('aria-pressed', !this.looks.off.has(b.dataset.key));
	}
}
