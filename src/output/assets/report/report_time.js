// A thread's samples in order of time. A sample lasts until the next one; where that is more than
// two periods away the thread waited: then it lasts one period.

class TimeSource {
	constructor(model, thread) {
		this.model = model;
		this.unit = 'nanoseconds';
		this.timed = true;
		const { rows, facts } = model.profile, { choice } = model, all = [];
		for (let i = 0; i < rows.n; i++)
			if (rows.thread[i] === thread && rows.time[i] >= choice.from &&
				rows.time[i] < choice.to &&
				(!choice.event || rows.event[i] === choice.event) &&
				(choice.cpu < 0 || rows.cpu[i] === choice.cpu) &&
				model.place(rows.stack[i]) >= 0)
				all.push(i);
		this.n = all.length;
		this.time = Float64Array.from(all, (i) => rows.time[i]);
		this.node = Int32Array.from(all, (i) => model.place(rows.stack[i]));
		this.period = facts.period_ns || this.typicalGap();
		this.begin = this.n ? this.time[0] : 0;
		this.total = this.n ? this.time[this.n - 1] + this.period - this.begin : 0;
		this.depth = depths(model.tree);
		this.deepest = 0;
		for (const node of this.node)
			this.deepest = Math.max(this.deepest, this.depth[node]);
	}

	typicalGap() {
		const gaps = [];
		for (let i = 1; i < this.n && i < 10000; i++)
			gaps.push(this.time[i] - this.time[i - 1]);
		gaps.sort((a, b) => a - b);
		return gaps[gaps.length >> 1] || 1;
	}

	levels() { return this.deepest + 1; }

	root() { return rootBox(0, this.total); }

	// The first sample at a time or later.
	search(time) {
		let low = 0, high = this.n;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.time[middle] < time)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	until(i) {
		const own = this.time[i] + this.period;
		if (i + 1 >= this.n)
			return own;
		return this.time[i + 1] - this.time[i] > 2 * this.period ? own : this.time[i + 1];
	}

	names(box) { return this.model.stackOf(box.id); }

	// Of samples within one pixel, one is drawn.
	visit(view, emit) {
		const open = [], close = (level) => {
			while (open.length > level)
				emit(open.pop());
		};
		emit(this.root());
		let i = Math.max(this.search(this.begin + view.from) - 1, 0), ended = -1;
		while (i < this.n && this.time[i] - this.begin <= view.to) {
			const start = this.time[i] - this.begin;
			let next = Math.max(i + 1, this.search(this.time[i] + view.least));
			if (next > i + 1 &&
				this.time[next - 1] + this.period < this.time[i] + view.least)
				next = Math.max(next - 1, i + 1);
			const end = Math.max(this.until(next - 1) - this.begin, start);
			if (start > ended + view.least)
				close(0);
			this.put(open, close, this.node[i], start, end, view.levels);
			ended = end;
			i = next;
		}
		close(0);
	}

	put(open, close, node, start, end, levels) {
		const path = [];
		for (let at = node; at > 0; at = this.model.tree.parent[at])
			path.push(at);
		path.reverse();
		let same = 0;
		for (; same < open.length && same < path.length && open[same].id === path[same];
			same++)
			open[same].weight = end - open[same].start;
		close(same);
		for (let level = same; level < path.length && level + 1 < levels; level++)
			open.push({
				id: path[level],
				frame: this.model.tree.frame[path[level]],
				level: level + 1,
				start,
				weight: end - start,
				up: open[level - 1] ?? null,
				small: 0
			});
	}
}

function depths(tree) {
	const depth = new Int32Array(tree.n);
	for (let i = 1; i < tree.n; i++)
		depth[i] = depth[tree.parent[i]] + 1;
	return depth;
}
