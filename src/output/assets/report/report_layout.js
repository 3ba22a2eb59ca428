// Trees as boxes. A source knows the children of each box; visit() walks the visible part.
//
// A box is { id, frame, level, start, weight, up, small }: up is the box below it, small the number
// of frames that are too narrow to be drawn one by one.

const rootBox = (frame, weight) =>
	({ id: 0, frame, level: 0, start: 0, weight, up: null, small: 0 });

// The model's tree, the outermost frame at the root.
class TreeSource {
	constructor(model) {
		this.model = model;
		this.total = model.total[0];
		this.unit = model.unit;
	}

	root() { return rootBox(0, this.total); }

	levels() { return this.model.height[0] + 1; }

	// Calls emit(id, frame, weight) for the children in order, until it returns true.
	each(box, emit) {
		const { model } = this, { list } = model.children;
		const [from, to] = model.childRange(box.id);
		for (let k = from; k < to; k++) {
			const id = list[k];
			if (model.total[id] > 0 && emit(id, model.tree.frame[id], model.total[id]))
				return;
		}
	}

	get narrowing() { return this.model.order === 'weight'; }

	count(box) {
		const { first } = this.model.children;
		return first[box.id + 1] - first[box.id];
	}

	// The weight of all children of a box.
	inside(box) { return this.model.total[box.id] - this.model.self[box.id]; }

	names(box) { return this.model.stackOf(box.id); }

	// The box of a node, wherever it is.
	boxOf(node) {
		const path = [];
		for (let at = node; at > 0; at = this.model.tree.parent[at])
			path.push(at);
		let box = this.root();
		while (path.length) {
			const wanted = path.pop(), up = box;
			let start = up.start;
			this.each(up, (id, frame, weight) => {
				if (id === wanted)
					box = {
						id,
						frame,
						level: up.level + 1,
						start,
						weight,
						up,
						small: 0
					};
				start += weight;
				return id === wanted;
			});
			if (box === up)
				return null;
		}
		return box;
	}
}

// Nodes merged by their function, level by level as they come into sight: callers of what was
// sampled (reversed), callers or callees of a function.
class MergedSource {
	// at: nodes, weight: of each; upwards: towards the callers. frame: of the root, 0 for all.
	constructor(model, { at, weight, frame, upwards }) {
		this.model = model;
		this.upwards = upwards;
		this.unit = model.unit;
		this.items = [];
		this.deepest = 1;
		const root = this.add(frame, at.length, 0);
		for (let k = 0; k < at.length; k++)
			this.put(root, at[k], weight[k]);
		root.items = frame ? null : this.group(root, (node, emit) => emit(node, 0));
		this.total = root.sum;
	}

	static reversed(model) {
		const at = [], weight = [];
		for (let i = 1; i < model.tree.n; i++)
			if (model.self[i] > 0) {
				at.push(i);
				weight.push(model.self[i]);
			}
		return new MergedSource(model, { at, weight, frame: 0, upwards: true });
	}

	static ofFunction(model, frame, upwards) {
		const at = model.nodesOf(frame);
		return new MergedSource(
			model, { at, weight: at.map((node) => model.total[node]), frame, upwards });
	}

	add(frame, n, level) {
		const item = {
			id: this.items.length,
			frame,
			at: new Int32Array(n),
			n: 0,
			level,
			weight: new Float64Array(n),
			sum: 0,
			items: null
		};
		this.items.push(item);
		return item;
	}

	put(item, node, weight) {
		item.at[item.n] = node;
		item.weight[item.n++] = weight;
		item.sum += weight;
	}

	// next(node, emit): calls emit(node of the next level, its weight, or 0: that of this one).
	group(item, next) {
		const { tree } = this.model, counts = new Map(), groups = new Map();
		for (let k = 0; k < item.n; k++)
			next(item.at[k], (node) => {
				const frame = tree.frame[node];
				counts.set(frame, (counts.get(frame) ?? 0) + 1);
			});
		for (const [frame, n] of counts)
			groups.set(frame, this.add(frame, n, item.level + 1));
		for (let k = 0; k < item.n; k++)
			next(item.at[k],
				(node, weight) => this.put(groups.get(tree.frame[node]), node,
					weight || item.weight[k]));
		const { frames, order } = this.model;
		const name = (g) => frames[g.frame].name;
		const byName = (a, b) => name(a) < name(b) ? -1
			: name(a) > name(b)		   ? 1
							   : a.frame - b.frame;
		return [...groups.values()].sort(
			order === 'name' ? byName : (a, b) => b.sum - a.sum || byName(a, b));
	}

	expand(item) {
		const { model } = this, { tree, total } = model, { first, list } = model.children;
		if (!item.items) {
			item.items = this.group(item, this.upwards ? (node, emit) => {
				if (tree.parent[node] > 0)
					emit(tree.parent[node], 0);
			} : (node, emit) => {
				for (let k = first[node]; k < first[node + 1]; k++)
					if (total[list[k]] > 0)
						emit(list[k], total[list[k]]);
			});
			if (item.items.length)
				this.deepest = Math.max(this.deepest, item.level + 2);
		}
		return item.items;
	}

	root() { return rootBox(this.items[0].frame, this.total); }

	levels() { return this.deepest; }

	each(box, emit) {
		for (const item of this.expand(this.items[box.id]))
			if (emit(item.id, item.frame, item.sum))
				return;
	}

	get narrowing() { return this.model.order === 'weight'; }

	count(box) { return this.expand(this.items[box.id]).length; }

	inside(box) {
		return this.expand(this.items[box.id]).reduce((sum, item) => sum + item.sum, 0);
	}

	names(box) {
		const names = [];
		for (; box; box = box.up)
			if (box.frame)
				names.push(this.model.frames[box.frame].name);
		return this.upwards ? names : names.reverse();
	}
}

// The children of a box that are in sight. Those too narrow are one box, at the end where the
// order is by weight, else for each run of them.
function childBoxes(source, up, view, emit) {
	let start = up.start, small = null, seen = 0;
	const level = up.level + 1;
	const flush = () => {
		if (small && small.weight >= view.least)
			emit(small);
		small = null;
	};
	source.each(up, (id, frame, weight) => {
		seen++;
		if (start > view.to)
			return true;
		if (weight < view.least && source.narrowing) {
			small = {
				id: -1,
				frame: 0,
				level,
				start,
				weight: up.start + source.inside(up) - start,
				up,
				small: source.count(up) - seen + 1
			};
			return true;
		}
		if (start + weight < view.from) {
			start += weight;
			return false;
		}
		if (weight < view.least) {
			small ??= { id: -1, frame: 0, level, start, weight: 0, up, small: 0 };
			small.weight += weight;
			small.small++;
		} else {
			flush();
			emit({ id, frame, level, start, weight, up, small: 0 });
		}
		start += weight;
		return false;
	});
	flush();
}

// view: { from, to, least, levels }: what is in sight, the least weight that is drawn.
function visit(source, view, emit) {
	const todo = [source.root()];
	while (todo.length) {
		const box = todo.pop();
		emit(box);
		if (!box.small && box.level + 1 < view.levels)
			childBoxes(source, box, view, (child) => todo.push(child));
	}
}
