// The tree of a profile (packed_reader.js), as a picture walks it.
//
// A view is a tree to draw: root, frame(n), total(n), self(n), parent(n) (-1 above the root),
// kids(n) in the order of names, row(n, byWeight) the same with what they weigh, matched(n, hit)
// (the weight in n of stacks with a frame that is hit; none counts twice) and hit, one number for
// each frame.

// The nodes, with what follows from how they nest: ends of subtrees and totals.
function withTotals(nodes) {
	const { n, parent, self } = nodes;
	const total = self.slice(), end = new Uint32Array(n);

	for (let i = n - 1; i >= 0; i--) {
		end[i] = Math.max(end[i], i + 1);
		if (i) {
			total[parent[i]] += total[i];
			end[parent[i]] = Math.max(end[parent[i]], end[i]);
		}
	}
	parent[0] = -1;
	return Object.assign(nodes, { total, end });
}

async function readTree(text) {
	const numbers = await unpack(text), tables = readTables(numbers);
	const nodes = withTotals(readNodes(numbers));

	for (const column of ["before", "after", "selfBefore", "selfAfter"])
		if (nodes.changes)
			nodes.changes[column] = nodes.changes[column].map((share) => share / 1e6);
	return Object.assign(tables, nodes);
}

// The children of a node, as columns. They are kept: some roots have a hundred thousand, each at
// another place in memory.
class Rows {
	#known = [new Map(), new Map()];

	row(n, byWeight) {
		const known = this.#known[Number(byWeight)];
		let row = known.get(n);

		if (!row)
			known.set(n, row = this.#make(n, byWeight));
		return row;
	}

	#make(up, byWeight) {
		const nodes = byWeight ? this.kids(up).slice().sort((a, b) =>
			this.total(b) - this.total(a) || a - b) : this.kids(up);
		const n = nodes.length, frames = new Uint32Array(n), weights = new Float64Array(n);

		nodes.forEach((k, i) => {
			frames[i] = this.frame(k);
			weights[i] = this.total(k);
		});
		return { nodes, frames, weights };
	}
}

// The tree as it was recorded.
class Forward extends Rows {
	constructor(tree) {
		super();
		this.tree = tree;
		this.root = 0;
	}

	frame(n) { return this.tree.frame[n]; }
	total(n) { return this.tree.total[n]; }
	self(n) { return this.tree.self[n]; }
	parent(n) { return this.tree.parent[n]; }

	// Of a difference: shares of the whole before and after, in total and by itself.
	change(n) {
		const c = this.tree.changes;

		return c && { before: c.before[n], after: c.after[n], clear: c.clear[n],
			selfBefore: c.selfBefore[n], selfAfter: c.selfAfter[n] };
	}

	kids(n) {
		const end = this.tree.end, kids = [];

		for (let k = n + 1; k < end[n]; k = end[k])
			kids.push(k);
		return kids;
	}

	matched(n, hit) {
		const { frame, total, end, parent } = this.tree;
		let sum = 0;

		for (let at = parent[n]; at >= 0; at = parent[at])
			if (hit[frame[at]])
				return total[n];
		for (let i = n; i < end[n];) {
			const found = hit[frame[i]];

			sum += found ? total[i] : 0;
			i = found ? end[i] : i + 1;
		}
		return sum;
	}

	// The nodes that are hit and have no caller that is, in the order of names.
	found(hit) {
		const { frame, end, n } = this.tree, all = [];

		for (let i = 1; i < n;) {
			if (hit[frame[i]])
				all.push(i);
			i = hit[frame[i]] ? end[i] : i + 1;
		}
		return all;
	}
}

// A tree in which a node is a group of recorded ones, made as far as it is looked at.
// step(node, weight, emit) calls emit(shown, next, weight) for each child of a node.
class Groups extends Rows {
	constructor(tree, nodes, weights, step) {
		super();
		this.tree = tree;
		this.step = step;
		this.root = 0;
		this.groups = [{ frame: 0, parent: -1, nodes, weights, kids: null,
			total: weights.reduce((sum, w) => sum + w, 0) }];
	}

	frame(n) { return this.groups[n].frame; }
	total(n) { return this.groups[n].total; }
	parent(n) { return this.groups[n].parent; }

	self(n) {
		return this.row(n, false).weights.reduce((rest, w) => rest - w, this.total(n));
	}

	kids(n) {
		const group = this.groups[n], { tree, groups } = this, byName = new Map();

		if (group.kids)
			return group.kids;
		const emit = (shown, next, weight) => {
			const name = tree.name[tree.frame[shown]];
			let kid = byName.get(name);

			if (!kid) {
				kid = { frame: tree.frame[shown], parent: n, nodes: [],
					weights: [], kids: null, total: 0 };
				byName.set(name, kid);
			}
			kid.nodes.push(next);
			kid.weights.push(weight);
			kid.total += weight;
		};
		group.nodes.forEach((node, i) => this.step(node, group.weights[i], emit));
		const first = groups.length;
		const kids = Array.from(byName.entries()).sort(([a], [b]) =>
			tree.texts[a] < tree.texts[b] ? -1 : 1);
		kids.forEach(([, kid]) => groups.push(kid));
		group.kids = kids.map((kid, i) => first + i);
		return group.kids;
	}

	hitAbove(n, hit) {
		for (; n >= 0; n = this.groups[n].parent)
			if (hit[this.groups[n].frame])
				return true;
		return false;
	}
}

// Frames for which hidden has a number are left out, and replaced by their children.
class Without extends Groups {
	constructor(tree, hidden) {
		const { end, frame, total } = tree;

		super(tree, [0], [tree.total[0]], function step(node, weight, emit) {
			for (let k = node + 1; k < end[node];) {
				const gone = hidden[frame[k]];

				if (!gone)
					emit(k, k, total[k]);
				k = gone ? k + 1 : end[k];
			}
		});
		this.forward = new Forward(tree);
	}

	matched(n, hit) {
		if (this.hitAbove(n, hit))
			return this.total(n);
		return this.groups[n].nodes.reduce((sum, node) =>
			sum + this.forward.matched(node, hit), 0);
	}
}

// From the innermost frame to those that called it.
class Reverse extends Groups {
	constructor(tree, hidden) {
		const { frame, parent, self } = tree, nodes = [], weights = [];

		for (let i = 0; i < tree.n; i++) {
			// The gaps of a flame chart are no frames.
			if (self[i] && (frame[i] || !i)) {
				nodes.push(i);
				weights.push(self[i]);
			} else if (self[i]) {
				nodes.push(parent[i]);
				weights.push(self[i]);
			}
		}
		super(tree, nodes, weights, function step(node, weight, emit) {
			while (node > 0 && hidden[frame[node]])
				node = parent[node];
			if (node > 0)
				emit(node, parent[node], weight);
		});
	}

	matched(n, hit) {
		const { frame, parent } = this.tree, group = this.groups[n];
		const inStack = new Uint8Array(this.tree.n);

		if (this.hitAbove(n, hit))
			return group.total;
		for (let i = 1; i < this.tree.n; i++)
			inStack[i] = hit[frame[i]] || inStack[parent[i]];
		return group.nodes.reduce((sum, node, i) =>
			sum + (inStack[node] ? group.weights[i] : 0), 0);
	}
}

// What is drawn of a view: boxes in the order of depth and place, x and w in pixels. zoom is
// {node, from, to}: a node, and the part of its weight that fills the width. What is narrower
// than minimum is one box with its number of frames, together with its neighbours.
function layout(view, zoom, width, minimum, byWeight) {
	const boxes = [], scale = width / (zoom.to - zoom.from), path = [];

	for (let n = zoom.node; n >= 0; n = view.parent(n))
		path.push(n);
	path.reverse().forEach((node, depth) => boxes.push({ node, depth, x: 0, w: width,
		weight: view.total(node), small: 0,
		above: node !== zoom.node || zoom.to - zoom.from < view.total(node) }));
	const todo = [{ node: zoom.node, depth: path.length - 1, start: -zoom.from }];
	for (const at of todo) { // grows while it is gone through
		rowOf(view, at, { scale, width, minimum, byWeight }).forEach((b) => {
			boxes.push(b);
			if (!b.small)
				todo.push({ node: b.node, depth: b.depth, start: b.start });
		});
	}
	return boxes;
}

// Those that are wide enough and in sight.
function rowOf(view, up, { scale, width, minimum, byWeight }) {
	const { nodes, frames, weights } = view.row(up.node, byWeight);
	const row = [], depth = up.depth + 1;
	let start = up.start, small = null;

	if (!byWeight && nodes.length)
		start += view.self(up.node);
	function isSeen(from, weight) {
		return weight * scale >= minimum && (from + weight) * scale > .001 &&
			from * scale < width - .001;
	}
	function addSmall() {
		if (small && isSeen(small.start, small.weight))
			row.push({ node: up.node, depth, start: small.start, weight: small.weight,
				x: small.start * scale, w: small.weight * scale,
				small: small.count, from: small.start - up.start });
		small = null;
	}
	for (let i = 0; i < nodes.length; i++) {
		const weight = weights[i];

		if (!frames[i]) { // a gap in a flame chart
			addSmall();
		} else if (weight * scale < minimum) {
			small = small || { start, weight: 0, count: 0 };
			small.weight += weight;
			small.count++;
		} else {
			addSmall();
			if (isSeen(start, weight))
				row.push({ node: nodes[i], depth, start, weight, x: start * scale,
					w: weight * scale, small: 0 });
		}
		start += weight;
	}
	addSmall();
	return row;
}
