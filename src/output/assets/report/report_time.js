// A thread's samples in order of time, as boxes.
//
// A sample is a moment: it lasts until the next one. Where that is more than two periods away, the
// thread waited, and the sample lasts one period. What has a duration of its own (times off the
// CPU) lasts that long, and begins no earlier than what was before it ended. On top of the stack of
// a wait is a box that says so.

const WAIT_ID = -2;

// How a thread is said to wait, by the name that --root state has for it.
const WAITS = {
	blocked: 'waiting', interruptible: 'waiting', disk: 'waiting for disk',
	preempted: 'preempted', stopped: 'stopped', other: 'idle', ended: 'ended'
};

// The median of a number of the first.
function middle(list, of) {
	const numbers = Array.from(list.slice(0, 10000), of).sort((a, b) => a - b);
	return numbers[numbers.length >> 1] || 1;
}

// When rows end, in order of time, and whether each is a wait.
class RowSpans {
	// Within the interval that is chosen.
	constructor(model, numbers) {
		const { profile } = model, { rows, facts } = profile;
		const n = this.n = numbers.length;
		this.from = Float64Array.from(numbers, (i) => rows.time[i]);
		this.until = new Float64Array(n);
		this.waits = Uint8Array.from(numbers, (i) => rows.wait[i]);
		if (facts.durations)
			this.#last(rows, numbers, model.choice);
		else
			this.#guess(facts.period_ns || (facts.unit === 'nanoseconds'
					? middle(numbers, (i) => rows.weight[i])
					: this.#typicalGap()));
	}

	#last(rows, numbers, choice) {
		for (let i = 0, ended = choice.from; i < this.n; i++) {
			const until = this.from[i] + rows.weight[numbers[i]];
			this.from[i] = Math.max(this.from[i], ended);
			this.until[i] = ended = Math.max(Math.min(until, choice.to), this.from[i]);
		}
	}

	#guess(period) {
		for (let i = 0; i < this.n; i++) {
			const next = i + 1 < this.n ? this.from[i + 1] : Infinity;
			this.until[i] = next - this.from[i] > 2 * period ? this.from[i] + period
									 : next;
		}
	}

	#typicalGap() {
		const { from } = this;
		return middle(from.subarray(1), (at, i) => at - from[i]);
	}

	// The first that begins at a time or later.
	search(time) {
		let low = 0, high = this.n;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.from[middle] < time)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
}

class TimeSource {
	constructor(model, thread) {
		this.model = model;
		this.thread = thread;
		this.unit = 'nanoseconds';
		this.timed = true;
		const { rows } = model.profile, all = [];
		model.eachRowOf(thread, (i) => {
			if (model.place(rows.stack[i]) >= 0)
				all.push(i);
		});
		this.node = Int32Array.from(all, (i) => model.place(rows.stack[i]));
		const spans = this.spans = new RowSpans(model, all);
		this.n = spans.n;
		this.within(this.n ? spans.from[0] : 0, this.n ? spans.until[this.n - 1] : 0);
		this.depth = depths(model.tree);
		this.deepest = 0;
		for (let i = 0; i < this.n; i++)
			this.deepest = Math.max(
				this.deepest, this.depth[this.node[i]] + (spans.waits[i] ? 1 : 0));
	}

	// From when to when the picture is.
	within(begin, end) {
		this.begin = begin;
		this.total = end - begin;
	}

	// The time of each kind of wait, by its number in facts.waits.
	waited() {
		const { from, until, waits } = this.spans;
		const sums = new Float64Array(this.model.profile.facts.waits?.length ?? 0);
		waits.forEach((wait, i) => {
			if (wait)
				sums[wait] += until[i] - from[i];
		});
		return sums;
	}

	levels() { return this.deepest + 1; }

	root() { return rootBox(0, this.total); }

	names(box) { return this.model.stackOf(box.id === WAIT_ID ? box.up.id : box.id); }

	// Of samples within one pixel, one is drawn; what lasts longer is drawn by itself.
	visit(view, emit) {
		const { from, until, waits } = this.spans, { begin } = this;
		const open = [], close = (level) => {
			while (open.length > level)
				emit(open.pop());
		};
		emit(this.root());
		let ended = -1, i = Math.max(this.spans.search(begin + view.from) - 1, 0);
		while (i < this.n && from[i] - begin <= view.to) {
			const last = Math.max(this.spans.search(from[i] + view.least) - 2, i);
			const start = from[i] - begin, end = until[last] - begin;
			if (start > ended + view.least)
				close(0);
			this.put(open, close,
				{ node: this.node[i], waits: waits[i], start, end }, view.levels);
			ended = end;
			i = last + 1;
		}
		close(0);
	}

	put(open, close, { node, waits, start, end }, levels) {
		const path = waits ? [WAIT_ID] : [], { parent, frame } = this.model.tree;
		for (let at = node; at > 0; at = parent[at])
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
				frame: path[level] === WAIT_ID ? 0 : frame[path[level]],
				level: level + 1,
				start,
				weight: end - start,
				up: open[level - 1] ?? null,
				waits: path[level] === WAIT_ID ? waits : 0,
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
