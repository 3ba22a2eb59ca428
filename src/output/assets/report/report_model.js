// What is chosen, summed up: weights of the nodes of a tree, children in order, functions.
//
// Rules make another tree. Of a large one that takes seconds, so what makes it are generators that
// yield now and then, and inSlices() gives the browser a turn in between. Until the new tree is
// whole, the old one stays.

const SLICE_NODES = 1 << 14, SLICE_MS = 10;

// What a generator returns, run in slices; undefined: isWanted() said no in between.
async function inSlices(generator, isWanted) {
	for (;;) {
		const until = performance.now() + SLICE_MS;
		while (performance.now() < until) {
			const { done, value } = generator.next();
			if (done)
				return value;
		}
		await new Promise((next) => setTimeout(next));
		if (!isWanted())
			return undefined;
	}
}

// Or at once.
function atOnce(generator) {
	for (;;) {
		const { done, value } = generator.next();
		if (done)
			return value;
	}
}

// Children of all nodes as one array: those of node i are list[first[i]] .. list[first[i + 1] - 1].
function childrenOf(tree) {
	const first = new Int32Array(tree.n + 1), list = new Int32Array(Math.max(tree.n - 1, 0));
	for (let i = 1; i < tree.n; i++)
		first[tree.parent[i] + 1]++;
	for (let i = 0; i < tree.n; i++)
		first[i + 1] += first[i];
	const at = first.slice();
	for (let i = 1; i < tree.n; i++)
		list[at[tree.parent[i]]++] = i;
	return { first, list };
}

// For each node: is the same function among its callers? Such a node is left out of the function's
// total, which would count it twice.
function *findOutermost(tree, children, nFrames) {
	const outermost = new Uint8Array(tree.n), open = new Int32Array(nFrames);
	const { first, list } = children;
	const at = first.slice(), path = [0];
	while (path.length) {
		const node = path[path.length - 1];
		if (at[node] < first[node + 1]) {
			const child = list[at[node]++];
			outermost[child] = open[tree.frame[child]]++ === 0 ? 1 : 0;
			path.push(child);
			if (child % SLICE_NODES === 0)
				yield;
		} else {
			path.pop();
			if (node)
				open[tree.frame[node]]--;
		}
	}
	return outermost;
}

// A tree as the rules leave it, with the weights of what is chosen.
class Model {
	constructor(profile) {
		this.profile = profile;
		this.choice = { from: 0, to: Infinity, process: -1, thread: -1, event: 0, cpu: -1 };
		this.order = 'weight';
		this.use(atOnce(this.building([])));
	}

	get unit() { return this.profile.facts.unit; }

	// rules: see report_rules.js. Each learns how many frames it matched. False: others were
	// set before these were done.
	async setRules(rules) {
		const mine = this.latest = Symbol(), choice = JSON.stringify(this.choice);
		const built = await inSlices(this.building(rules), () => this.latest === mine);
		if (!built)
			return false;
		this.use(built);
		if (choice !== JSON.stringify(this.choice)) // made meanwhile
			this.use(atOnce(this.summing(this)));
		return true;
	}

	*building(rules) {
		const { profile } = this;
		let tree = profile.tree, map = null;
		const frames = new Frames(profile.frames);
		for (const rule of rules) {
			const step = yield *rule.applying(tree, frames);
			map = map ? map.map((node) => node < 0 ? -1 : step.map[node]) : step.map;
			tree = step.tree;
		}
		yield;
		const children = childrenOf(tree), { list } = frames;
		yield;
		const outermost = yield *findOutermost(tree, children, list.length);
		const built = { frames: list, tree, map, children, outermost };
		return Object.assign(built, yield *this.summing(built));
	}

	choose(change) {
		Object.assign(this.choice, change);
		this.use(atOnce(this.summing(this)));
	}

	get choosesAll() {
		const c = this.choice;
		return c.from <= 0 && c.to === Infinity && c.process < 0 && c.thread < 0 &&
			!c.event && c.cpu < 0;
	}

	// The threads of the choice.
	threadsChosen() {
		const { threads } = this.profile.facts, c = this.choice;
		return threads.map((t, i) => (c.thread < 0 || c.thread === i) &&
				(c.process < 0 ||
					threads[c.process].process === t.process &&
						threads[c.process].pid === t.pid &&
						threads[c.process].input === t.input));
	}

	// Those of the process of a thread; -1: all.
	threadsOf(process) {
		const { threads } = this.profile.facts, same = threads[process];
		return [...threads.keys()].filter((t) => process < 0 ||
			(threads[t].pid === same.pid && threads[t].input === same.input));
	}

	// By thread, what is chosen: of all times where anyTime, else of all threads of the
	// process.
	threadWeights(anyTime) {
		const key = anyTime ? 'inAll' : 'inChoice';
		if (this.weightsOf[key])
			return this.weightsOf[key];
		const { rows, facts } = this.profile, { thread } = this.choice;
		const weights = new Float64Array(facts.threads.length);
		if (!anyTime)
			this.choice.thread = -1;
		this.eachRow((i) => {
			if (this.place(rows.stack[i]) >= 0)
				weights[rows.thread[i]] +=
					anyTime ? rows.weight[i] : this.weightOf(i);
		}, anyTime);
		this.choice.thread = thread;
		return this.weightsOf[key] = weights;
	}

	// Calls visit(row) for each row that is chosen; all times where anyTime.
	eachRow(visit, anyTime = false) {
		const { rows } = this.profile, c = this.choice, wanted = this.threadsChosen();
		const from = anyTime ? -Infinity : c.from, to = anyTime ? Infinity : c.to;
		for (let i = 0; i < rows.n; i++)
			if (wanted[rows.thread[i]] && this.rowIsIn(i, from, to) &&
				(!c.event || rows.event[i] === c.event) &&
				(c.cpu < 0 || rows.cpu[i] === c.cpu))
				visit(i);
	}

	// What lasts is in an interval with a part of it.
	rowIsIn(i, from, to) {
		const { rows, facts } = this.profile, begin = rows.time[i];
		return begin < to && (begin >= from ||
			(facts.durations && begin + rows.weight[i] > from));
	}

	// The weight of a row in the interval that is chosen.
	weightOf(i) {
		const { rows, facts } = this.profile, { from, to } = this.choice;
		if (!facts.durations)
			return rows.weight[i];
		const end = rows.time[i] + rows.weight[i];
		return Math.min(end, to) - Math.max(rows.time[i], from);
	}

	// The rows of a thread that are chosen.
	eachRowOf(thread, visit) {
		const { rows } = this.profile, c = this.choice;
		for (let i = rows.first(thread), end = rows.first(thread + 1); i < end; i++)
			if (this.rowIsIn(i, c.from, c.to) &&
				(!c.event || rows.event[i] === c.event) &&
				(c.cpu < 0 || rows.cpu[i] === c.cpu))
				visit(i);
	}

	// Where a stack of the recording is in the tree; -1: the rules left it out.
	place(node) { return this.map ? this.map[node] : node; }

	// What is chosen, in a tree that was built: { self, total, height }, by node.
	*summing({ tree, map }) {
		const { profile } = this, { rows } = profile;
		const self = new Float64Array(tree.n), place = (node) => map ? map[node] : node;
		if (this.choosesAll || !rows.n)
			for (let i = 0; i < profile.tree.n; i++) {
				const node = place(i);
				if (node >= 0)
					self[node] += profile.self[i];
			}
		else
			this.eachRow((i) => {
				const node = place(rows.stack[i]);
				if (node >= 0)
					self[node] += this.weightOf(i);
			});
		yield;
		const total = self.slice();
		for (let i = tree.n - 1; i > 0; i--)
			total[tree.parent[i]] += total[i];
		yield;
		return { self, total, height: heights(tree, total) };
	}

	use(built) {
		Object.assign(this, built);
		this.sorted = new Uint8Array(this.tree.n);
		this.functionTable = null;
		this.weightsOf = {};
	}

	setOrder(order) {
		this.order = order;
		this.sorted.fill(0);
	}

	// The children of a node with any weight, in the order that is chosen, as numbers in
	// children.list: sorted when they are first looked at.
	childRange(node) {
		const { first, list } = this.children;
		if (!this.sorted[node]) {
			this.sorted[node] = 1;
			if (first[node + 1] - first[node] > 1)
				list.subarray(first[node], first[node + 1]).sort(this.compare());
		}
		return [first[node], first[node + 1]];
	}

	compare() {
		const { total, frames, tree } = this;
		const byName = (a, b) => {
			const x = frames[tree.frame[a]].name, y = frames[tree.frame[b]].name;
			return x < y ? -1 : x > y ? 1 : a - b;
		};
		return this.order === 'name' ? byName
					     : (a, b) => total[b] - total[a] || byName(a, b);
	}

	// [{ frame, self, total, places }], of all functions with any weight.
	functions() {
		if (this.functionTable)
			return this.functionTable;
		const { tree, frames } = this;
		const self = new Float64Array(frames.length),
		      total = new Float64Array(frames.length),
		      places = new Uint32Array(frames.length);
		for (let i = 1; i < tree.n; i++) {
			const frame = tree.frame[i];
			self[frame] += this.self[i];
			if (this.outermost[i] && this.total[i] > 0) {
				total[frame] += this.total[i];
				places[frame]++;
			}
		}
		this.functionTable = [];
		this.rowOfFrame = [];
		for (let frame = 1; frame < frames.length; frame++)
			if (total[frame] > 0 && frames[frame].kind !== KIND_ROOT)
				this.functionTable.push(this.rowOfFrame[frame] = {
					frame,
					self: self[frame],
					total: total[frame],
					places: places[frame]
				});
		return this.functionTable;
	}

	functionOf(frame) {
		this.functions();
		return this.rowOfFrame[frame] ?? null;
	}

	// The nodes of a function that have no caller of the same function.
	nodesOf(frame) {
		const nodes = [];
		for (let i = 1; i < this.tree.n; i++)
			if (this.tree.frame[i] === frame && this.outermost[i] && this.total[i] > 0)
				nodes.push(i);
		return nodes;
	}

	stackOf(node) {
		const names = [];
		for (; node > 0; node = this.tree.parent[node])
			names.push(this.frames[this.tree.frame[node]].name);
		return names.reverse();
	}
}

// For each node: the number of levels above it.
function heights(tree, total) {
	const height = new Int32Array(tree.n);
	for (let i = tree.n - 1; i > 0; i--)
		if (total[i] > 0)
			height[tree.parent[i]] = Math.max(height[tree.parent[i]], height[i] + 1);
	return height;
}

// The frames of the recording and those that rules make of them; each once.
class Frames {
	constructor(list) {
		this.list = list.slice();
		this.made = new Map();
		this.names = new Map();
		this.nameOf = [];
	}

	// The frame as change would have it.
	changed(number, change) { return this.add({...this.list[number], ...change }); }

	add(frame) {
		const key = [
			frame.name, frame.module, frame.file, frame.line, frame.kind, frame.category
		].join('\0');
		if (!this.made.has(key)) {
			this.made.set(key, this.list.length);
			this.list.push(frame);
		}
		return this.made.get(key);
	}

	// Frames of one name have one number: as siblings they are one.
	name(number) {
		if (this.nameOf[number] === undefined) {
			const { name } = this.list[number];
			if (!this.names.has(name))
				this.names.set(name, this.names.size);
			this.nameOf[number] = this.names.get(name);
		}
		return this.nameOf[number];
	}
}
