// The tree of a profile (packed_reader.js), as a picture walks it.
//
// A view is a tree to draw: root, frame(n), total(n), self(n), parent(n) (-1 above the root),
// kids(n) in the order of names, row(n, byWeight) the same with what they weigh, found(hit, top)
// (below top, the nodes that are hit and have no caller there that is; of callers, as many of the
// heaviest as heaviestMatches() has) and matched(n, hit) (the
// weight in n of stacks with a frame that is hit; none counts twice). hit has a number for each
// frame.

// The nodes, with what follows from how they nest: ends of subtrees and totals.
function withTotals(nodes) {
	const { n, parent, self } = nodes;
	const total = self.slice(), end = new Uint32Array(n);

	parent[0] = -1;
	for (let i = n - 1; i > 0; i--) {
		const up = parent[i], last = end[i] || i + 1;

		end[i] = last;
		total[up] += total[i];
		if (end[up] < last)
			end[up] = last;
	}
	end[0] = n;
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

// By name: in how many places a function is, and its weight (none counts twice).
function placesByName({ n, frame, name, end, total, texts }) {
	const places = new Uint32Array(texts.length), weights = new Float64Array(texts.length);
	const open = new Uint32Array(texts.length);

	for (let i = 1; i < n; i++) {
		const id = name[frame[i]];

		places[id]++;
		if (i >= open[id]) {
			open[id] = end[i];
			weights[id] += total[i];
		}
	}
	return { places, weights };
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

		for (let i = 0; i < n; i++) {
			frames[i] = this.frame(nodes[i]);
			weights[i] = this.total(nodes[i]);
		}
		return { nodes, frames, weights };
	}
}

// The tree as it was recorded.
class Forward extends Rows {
	#search = {};

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

	// All nodes that are found in the tree, and the sum of those before each.
	#results(hit) {
		if (this.#search.hit === hit)
			return this.#search;
		const { frame, end, total, n } = this.tree, nodes = [], sums = [0];

		for (let i = 1; i < n;) {
			const found = hit[frame[i]];

			if (found) {
				sums.push(sums.at(-1) + total[i]);
				nodes.push(i);
			}
			i = found ? end[i] : i + 1;
		}
		this.#search = { hit, nodes, sums };
		return this.#search;
	}

	// The first and the last of what was found in a node.
	#range(n, nodes) {
		const place = (wanted) => {
			let low = 0, high = nodes.length;

			while (low < high) {
				const middle = low + high >> 1;

				if (nodes[middle] < wanted)
					low = middle + 1;
				else
					high = middle;
			}
			return low;
		};

		return [place(n), place(this.tree.end[n])];
	}

	matched(n, hit) {
		const { frame, total, parent } = this.tree, { nodes, sums } = this.#results(hit);
		const [from, to] = this.#range(n, nodes);

		for (let at = parent[n]; at >= 0; at = parent[at])
			if (hit[frame[at]])
				return total[n];
		return sums[to] - sums[from];
	}

	found(hit, top) {
		const { frame, end, parent } = this.tree, { nodes } = this.#results(hit), all = [];

		for (let at = top; at >= 0; at = parent[at])
			if (hit[frame[at]]) { // what is below is not in the results
				for (let i = top; i < end[top];) {
					if (hit[frame[i]])
						all.push(i);
					i = hit[frame[i]] && i !== top ? end[i] : i + 1;
				}
				return all;
			}
		return nodes.slice(...this.#range(top, nodes));
	}
}

// From the innermost frame to those that called it, up to a node (top) and of what is in it. A node
// is a group of recorded ones, made as far as it is looked at.
class Reverse extends Rows {
	#search = {};

	constructor(tree, top) {
		super();
		const { end, self } = tree, nodes = [], weights = [];

		for (let i = top; i < end[top]; i++)
			if (self[i]) {
				nodes.push(i);
				weights.push(self[i]);
			}
		this.tree = tree;
		this.top = top;
		this.root = 0;
		this.groups = [{ frame: 0, parent: -1, nodes, weights, kids: null,
			total: tree.total[top] }];
	}

	frame(n) { return this.groups[n].frame; }
	total(n) { return this.groups[n].total; }
	parent(n) { return this.groups[n].parent; }

	self(n) {
		return this.row(n, false).weights.reduce((rest, w) => rest - w, this.total(n));
	}

	kids(n) {
		const group = this.groups[n], { groups } = this, { texts } = this.tree;

		if (!group.kids) {
			const first = groups.length;
			const kids = Array.from(this.#callers(n)).sort(([a], [b]) =>
				texts[a] < texts[b] ? -1 : 1);

			kids.forEach(([, kid]) => groups.push(kid));
			group.kids = kids.map((kid, i) => first + i);
		}
		return group.kids;
	}

	#callers(n) {
		const { frame, name, parent } = this.tree, { nodes, weights } = this.groups[n];
		const byName = new Map();

		for (let i = 0; i < nodes.length; i++) {
			const node = nodes[i];

			if (node <= 0 || node < this.top) // all callers have been gone through
				continue;
			let kid = byName.get(name[frame[node]]);

			if (!kid) {
				kid = { frame: frame[node], parent: n, nodes: [], weights: [],
					kids: null, total: 0 };
				byName.set(name[frame[node]], kid);
			}
			kid.nodes.push(parent[node]);
			kid.weights.push(weights[i]);
			kid.total += weights[i];
		}
		return byName;
	}

	// For each node: is it, or one that called it, hit?
	#inStack(hit) {
		const { frame, parent, end } = this.tree;

		if (this.#search.hit !== hit) {
			const inStack = new Uint8Array(this.tree.n);

			for (let i = Math.max(this.top, 1); i < end[this.top]; i++)
				inStack[i] = hit[frame[i]] || (i > this.top && inStack[parent[i]]);
			this.#search = { hit, inStack };
		}
		return this.#search.inStack;
	}

	matched(n, hit) {
		const group = this.groups[n], inStack = this.#inStack(hit);

		for (let at = n; at >= 0; at = this.groups[at].parent)
			if (hit[this.groups[at].frame])
				return group.total;
		return group.nodes.reduce((sum, node, i) =>
			sum + (node >= this.top && inStack[node] ? group.weights[i] : 0), 0);
	}

	found(hit, top) {
		const inStack = this.#inStack(hit), { groups } = this;
		const leads = (n) => hit[groups[n].frame] ||
			groups[n].nodes.some((node) => node >= this.top && inStack[node]);

		return heaviestMatches(top, { weight: (n) => groups[n].total,
			isMatch: (n) => hit[groups[n].frame],
			kids: (n) => this.kids(n).filter(leads) });
	}
}
