// Trees as boxes. A source knows the children of each box; visit() walks the visible part.
//
// A box is { id, frame, level, start, weight, up, small, run }: up is the box below it, small the
// number of frames that are too narrow to be drawn one by one, run the frames that are one box
// because they call each other and nothing else is beside them, or null.

const rootBox = (frame, weight) =>
	({ id: 0, frame, level: 0, start: 0, weight, up: null, small: 0 });

const FIRST_RUN_ID = -3, RUN_LEAST = 8;

// The only node of each depth that has any weight, 0: there are several. The root is at the first.
function lonelyNodes(model) {
	const { tree, total } = model, depth = depths(tree);
	const lonely = new Int32Array(model.height[0] + 1);
	const seen = new Uint8Array(lonely.length);
	for (let i = 1; i < tree.n; i++)
		if (total[i] > 0) {
			lonely[depth[i]] = seen[depth[i]] ? 0 : i;
			seen[depth[i]] = 1;
		}
	return lonely;
}

// Runs of nodes which have one child of all their weight each, and none beside them; not the first
// of such a series, which says what it is about, and not the last, which others branch off from.
function findRuns(model) {
	const { total } = model, lonely = lonelyNodes(model), runs = [];
	for (let depth = 1; depth < lonely.length;) {
		const from = depth++;
		while (lonely[from] && lonely[depth] &&
			total[lonely[depth]] === total[lonely[from]])
			depth++;
		const nodes = lonely.subarray(from + 1, depth - 1);
		if (nodes.length >= RUN_LEAST)
			runs.push({ id: FIRST_RUN_ID - runs.length, nodes,
				before: lonely[from], after: lonely[depth - 1] });
	}
	return runs;
}

// The model's tree, the outermost frame at the root. Runs of frames are one box each, unless the
// first of them is opened; all are if nothing is said of that.
class TreeSource {
	constructor(model, opened = null) {
		this.model = model;
		this.total = model.total[0];
		this.unit = model.unit;
		const runs = opened ? findRuns(model) : [];
		this.runs = runs.filter(({ nodes }) => !opened.has(nodes[0]));
		this.byBefore = new Map(this.runs.map((run) => [run.before, run]));
		this.byId = new Map(this.runs.map((run) => [run.id, run]));
	}

	// The run that a node is in.
	runOf(node) { return this.runs.find(({ nodes }) => nodes.includes(node)); }

	root() { return rootBox(0, this.total); }

	levels() {
		return this.model.height[0] + 1 -
			this.runs.reduce((sum, { nodes }) => sum + nodes.length - 1, 0);
	}

	// Calls emit(id, frame, weight, run) for the children in order, until it returns true.
	each(box, emit) {
		const { model } = this, { list } = model.children, { frame } = model.tree;
		const run = this.byBefore.get(box.id), after = this.byId.get(box.id)?.after;
		if (after) {
			emit(after, frame[after], box.weight, null);
			return;
		}
		if (run) {
			emit(run.id, 0, box.weight, Array.from(run.nodes, (node) => frame[node]));
			return;
		}
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
		return box.run ? 1 : first[box.id + 1] - first[box.id];
	}

	// The weight of all children of a box.
	inside(box) {
		return box.run ? box.weight : this.model.total[box.id] - this.model.self[box.id];
	}

	names(box) { return this.model.stackOf(this.byId.get(box.id)?.nodes.at(-1) ?? box.id); }

	// The box of a node, wherever it is; that of the run that it is in.
	boxOf(node) {
		const path = [], ids = new Map();
		for (const { id, nodes } of this.runs)
			nodes.forEach((at) => ids.set(at, id));
		for (let at = node; at > 0; at = this.model.tree.parent[at]) {
			const id = ids.get(at) ?? at;
			if (path.at(-1) !== id)
				path.push(id);
		}
		return boxOfIds(this, path.reverse());
	}
}

// The box with that path of numbers, from the one above the root on; null: there is none.
function boxOfIds(source, path) {
	let box = source.root();
	for (const wanted of path) {
		const up = box;
		let start = up.start;
		source.each(up, (id, frame, weight, run = null) => {
			if (id === wanted)
				box = { id, frame, start, weight, up, run, small: 0,
					level: up.level + 1 };
			start += weight;
			return id === wanted;
		});
		if (box === up)
			return null;
	}
	return box;
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
		const root = this.add(frame, at.length, 0, null);
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

	add(frame, n, level, up) {
		const item = {
			up,
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
			groups.set(frame, this.add(frame, n, item.level + 1, item));
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

	// The outermost items of frames that are wanted, from one on, the heaviest first.
	found(wanted, from = 0) {
		const { tree } = this.model, leads = new Uint8Array(tree.n);
		for (let i = 1; i < tree.n; i++)
			leads[i] = wanted[tree.frame[i]] | (this.upwards && leads[tree.parent[i]]);
		for (let i = tree.n - 1; i > 0 && !this.upwards; i--)
			leads[tree.parent[i]] |= leads[i];
		return heaviestMatches(this.items[from], {
			weight: (item) => item.sum,
			isMatch: (item) => wanted[item.frame],
			kids: (item) =>
				this.expand(item).filter(({ at }) => at.some((i) => leads[i])),
		});
	}

	boxOf(item) {
		const path = [];
		for (; item.up; item = item.up)
			path.unshift(item.id);
		return boxOfIds(this, path);
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

// The names of the frames from the root to a box.
function pathOf(source, box) {
	const names = [], { frames } = source.model;
	for (; box && box.level > 0; box = box.up)
		if (box.run)
			names.push(...box.run.map((f) => linkName(frames[f].name)).reverse());
		else
			names.push(linkName(frames[box.frame].name));
	return names.reverse();
}

// The box at the end of a path of such names, or null.
function boxOfPath(source, names, at = 0, up = source.root()) {
	if (at === names.length)
		return up;
	const { frames } = source.model, found = [];
	let start = up.start;
	source.each(up, (id, frame, weight, run = null) => {
		const inside = run ?? [frame];
		if (inside.every((f, i) => linkName(frames[f].name) === names[at + i]))
			found.push([
				inside.length,
				{ id, frame, level: up.level + 1, start, weight, up, run, small: 0 }
			]);
		start += weight;
		return false;
	});
	for (const [n, box] of found) {
		const end = boxOfPath(source, names, at + n, box);
		if (end)
			return end;
	}
	return null;
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
	source.each(up, (id, frame, weight, run = null) => {
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
			emit({ id, frame, level, start, weight, up, run, small: 0 });
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
