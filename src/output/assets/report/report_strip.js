// The time line: how much ran when, and of what. Its height is the share of one CPU (of all threads
// together: of as many as were busy at once), in the colours of the legend; of events that take no
// time, how many there were. What a search finds is at the bottom, and the rest is faded. A drag,
// or two presses of Enter, choose an interval that all views are held to; a click does nothing.
//
// Where up to five threads have most of the weight, each has a lane of its own; one with less than
// a twentieth has none.

const STRIP_PX = 56, AXIS_PX = 16, BIN_PX = 2, LANES_MAX = 5, DRAG_PX = 3, HANDLE_PX = 7;
const SEARCH_MS = 60;
const CLOCK_FROM_NS = 120e9;

const LOW_LOAD = 0.5; // CPUs: of less, the height is a part of one
const NICE = [1, 2, 5, 10];

// A step between marks of an axis, at least so long: 1, 2 or 5 times a power of ten, above 20 s
// what clocks have.
function niceStep(least) {
	const clock = [30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400].map((s) => s * 1e9);
	if (least > 20e9)
		return clock.find((step) => step >= least) ?? Math.ceil(least / 864e11) * 864e11;
	const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	return NICE.map((n) => n * power).find((step) => step >= least);
}

// Digits after the point that tell multiples of a step apart.
const decimalsOf = (step) => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));

function clockText(seconds, decimals) {
	const all = Number(seconds.toFixed(decimals)), minutes = Math.floor(all / 60) % 60;
	const two = (n, digits = 0) => n.toFixed(digits).padStart(digits ? digits + 3 : 2, '0');
	const hours = Math.floor(all / 3600);
	return (hours ? `${hours}:${two(minutes)}` : minutes) + ':' + two(all % 60, decimals);
}

// A moment, as exact as steps demand: 12.5 ms, 3.2 s; from two minutes on 2:05, 7:11:11.25. scale:
// of all on one axis, the last.
function momentText(ns, step, scale = ns) {
	if (Math.max(ns, scale) >= CLOCK_FROM_NS)
		return clockText(ns / 1e9, Math.min(decimalsOf(step / 1e9), 9));
	const size = [1e9, 1e6, 1e3].find((unit) => Math.max(scale, step) >= unit) ?? 1;
	const mark = { 1e9: 's', 1e6: 'ms', 1e3: 'µs', 1: 'ns' }[size];
	return `${(ns / size).toFixed(Math.min(decimalsOf(step / size), 9))} ${mark}`;
}

// One of a recording, by itself: of a long one as on its axis, else in its own unit.
const momentIn = (end, ns, step) => momentText(ns, step, end >= CLOCK_FROM_NS ? end : ns);

// Marks of time at the top of a canvas; from: at its left edge.
function drawAxis(c, { from, to, width, top, looks }) {
	const step = niceStep((to - from) * 90 / width);
	c.font = `11px ${looks.font}`;
	c.textBaseline = 'middle';
	c.fillStyle = looks.quiet;
	for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
		const x = (at - from) / (to - from) * width, text = momentText(at, step, to);
		c.fillRect(Math.min(Math.round(x), width - 1), top, 1, 4);
		if (x + 4 + c.measureText(text).width < width)
			c.fillText(text, x + 4, top + AXIS_PX / 2 + 1);
	}
}

// How much of each key ran in each bin of a lane.
class Load {
	constructor(bins, keys) {
		Object.assign(this, { bins, keys });
		this.of = new Float64Array(bins * keys);
	}

	// A part of time, in bins.
	add(key, from, until) {
		const { bins, keys } = this;
		for (let bin = Math.floor(from); bin < bins && bin < until; bin++)
			this.of[bin * keys + key] += Math.min(until, bin + 1) - Math.max(from, bin);
	}

	// In one bin, in all but the last two keys, which are those of waits.
	at(bin) {
		let sum = 0;
		for (let key = 0; key < this.keys - 2; key++)
			sum += this.of[bin * this.keys + key];
		return sum;
	}

	most() {
		let most = 0;
		for (let bin = 0; bin < this.bins; bin++)
			most = Math.max(most, this.at(bin));
		return most;
	}
}

class Strip {
	// on: { select(from, to), say(text), card(card or null, event), found() }; the last says
	// of each node whether its stack has what is searched for; null: nothing is.
	constructor(canvas, looks, on) {
		Object.assign(this, { canvas, looks, on });
		this.cursor = null; // a moment
		this.anchor = null;
		canvas.addEventListener('pointerdown', (e) => this.press(e));
		canvas.addEventListener('pointermove', (e) => this.move(e));
		canvas.addEventListener('pointerup', () => this.release());
		canvas.addEventListener('pointercancel', () => { this.drag = null; });
		canvas.addEventListener('pointerleave', () => this.leave());
		canvas.addEventListener('keydown', (e) => this.key(e));
		canvas.addEventListener('blur', () => this.leave());
		new ResizeObserver(() => this.show()).observe(canvas);
	}

	setModel(model) {
		this.model = model;
		this.end = model.profile.rows.end || 1;
	}

	// ---- what ran ------------------------------------------------------------------------

	show() {
		this.width = this.canvas.clientWidth;
		if (!this.model || !this.width)
			return;
		const { facts } = this.model.profile;
		this.bins = Math.max(Math.floor(this.width / BIN_PX), 1);
		this.bin = this.end / this.bins;
		// Else rows are events, of which a time line shows how many there were.
		this.isLoad = facts.durations || facts.period_ns || facts.unit === 'nanoseconds';
		this.keyed = this.looks.legendKeys();
		this.found = this.on.found();
		this.lanes = this.makeLanes();
		this.draw();
	}

	// After a change of the search; soon, as every row is looked at.
	showSoon() {
		this.later();
		clearTimeout(this.timer);
		if (this.found || this.looks.search)
			this.timer = setTimeout(() => this.show(), SEARCH_MS);
	}

	// Keys: what was found, those of the legend, waits that were found, other waits.
	keyOf(i, node) {
		const last = this.keyed.keys.length + 2, isFound = this.found?.[node];
		if (this.model.profile.rows.wait[i])
			return isFound ? last - 1 : last;
		return isFound ? 0 : Math.max(this.keyed.of[this.model.tree.frame[node]], 0) + 1;
	}

	// How long a row lasts.
	duration(i) {
		const { rows, facts } = this.model.profile;
		if (facts.durations || !this.isLoad)
			return facts.durations ? rows.weight[i] : this.bin;
		return facts.period_ns || rows.weight[i];
	}

	makeLanes() {
		const { model } = this, { rows } = model.profile;
		const weights = model.threadWeights(true);
		const sum = (list) => list.reduce((a, b) => a + b, 0), whole = sum(weights);
		const busiest = busiestThreads(weights, LANES_MAX)
					.filter((thread) => weights[thread] * 20 >= whole);
		const apart = busiest.length > 1 &&
			sum(busiest.map((thread) => weights[thread])) * 2 >= whole;
		const keys = this.keyed.keys.length + 3;
		const lanes = (apart ? busiest : [-1]).map((thread) =>
			({ thread, load: new Load(this.bins, keys) }));
		const laneOf = new Map(lanes.map((lane) => [lane.thread, lane.load]));
		model.eachRow((i) => {
			const load = laneOf.get(apart ? rows.thread[i] : -1);
			const node = model.place(rows.stack[i]);
			if (!load || node < 0)
				return;
			const key = this.keyOf(i, node);
			const at = rows.time[i] / this.bin;
			if (this.isLoad)
				load.add(key, at, at + this.duration(i) / this.bin);
			else
				load.add(key, Math.floor(at), Math.floor(at) + 1);
		}, true);
		const most = Math.max(...lanes.map(({ load }) => load.most()));
		this.cpus = !this.isLoad || !most || most > LOW_LOAD
			? apart && this.isLoad ? 1 : Math.max(1, Math.ceil(most - 0.2))
			: Math.min(niceStep(most * 1000) / 1000, 1);
		return lanes;
	}

	// What the height stands for, where it is less than a CPU.
	get scaleText() { return this.cpus < 1 ? `full height: ${this.cpus} CPUs` : ''; }

	// ---- drawing -------------------------------------------------------------------------

	draw() {
		const { canvas, width } = this, ratio = devicePixelRatio || 1;
		if (!this.lanes)
			return;
		const c = canvas.getContext('2d');
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round((STRIP_PX + AXIS_PX) * ratio);
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		const height = STRIP_PX / this.lanes.length;
		this.lanes.forEach(({ load }, i) => this.drawLane(c, load, i * height, height));
		drawAxis(c, { from: 0, to: this.end, width, top: STRIP_PX, looks: this.looks });
		this.drawMarks(c);
	}

	drawLane(c, load, top, height) {
		const { looks } = this, scale = (height - 1) / this.cpus;
		c.fillStyle = looks.all.fill;
		c.globalAlpha = 0.35;
		c.fillRect(0, top, this.width, height - 1);
		const { from, to } = this.marked(), w = this.width / this.bins;
		for (let bin = 0; bin < this.bins; bin++) {
			let y = top + height - 1;
			const middle = (bin + 0.5) * this.bin;
			const alpha = middle >= from && middle < to ? 1 : 0.3;
			for (let key = 0; key < load.keys; key++) {
				const h = Math.min(load.of[bin * load.keys + key] * scale, y - top);
				if (h <= 0)
					continue;
				c.globalAlpha = alpha * (this.isFaded(key) ? 0.35 : 1);
				c.fillStyle = this.fillOf(key);
				c.fillRect(bin * w, y - h, w + 0.3, h);
				y -= h;
			}
		}
		c.globalAlpha = 1;
	}

	isMatch(key) { return key === 0 || key === this.keyed.keys.length + 1; }

	isFaded(key) { return this.found && !this.isMatch(key); }

	fillOf(key) {
		const { looks } = this;
		if (this.isMatch(key))
			return looks.match;
		const of = this.keyed.keys[key - 1];
		if (!of)
			return looks.hatch();
		return looks.off.has(of.key) ? looks.smallColor : rgb(of.color, looks.dim);
	}

	drawMarks(c) {
		const { from, to } = this.marked(), { width, end, looks } = this;
		const line = (at, wide) => {
			const x = Math.min(Math.max(at / end * width, 0), width);
			c.fillRect(x - 1, 0, 2, STRIP_PX);
			if (wide)
				c.fillRect(x - HANDLE_PX / 2, STRIP_PX / 2 - 9, HANDLE_PX, 18);
		};
		c.fillStyle = looks.focusColor;
		if (from > 0 || to < end) {
			line(from, true);
			line(Math.min(to, end), true);
		}
		c.fillStyle = looks.all.ink;
		if (this.cursor !== null && !this.drag)
			line(this.cursor, false);
	}

	// What is chosen, or is being chosen.
	marked() {
		if (this.anchor === null || this.cursor === null)
			return this.model.choice;
		const [from, to] = [this.anchor, this.cursor].sort((a, b) => a - b);
		return { from, to };
	}

	// ---- pointer -------------------------------------------------------------------------

	moment(e) {
		const box = this.canvas.getBoundingClientRect();
		const share = Math.min(Math.max((e.clientX - box.x) / box.width, 0), 1);
		return share * this.end;
	}

	// A drag of a handle moves that end of the interval.
	press(e) {
		const { from, to } = this.model.choice, at = this.moment(e);
		const near = (moment) => Math.abs(moment - at) / this.end * this.width <= HANDLE_PX;
		const other = to < Infinity && near(to) ? from
			: from > 0 && near(from) ? Math.min(to, this.end)
						 : null;
		this.canvas.setPointerCapture(e.pointerId);
		this.drag = { x: e.clientX, anchor: other ?? at };
		this.on.card(null);
	}

	move(e) {
		this.cursor = this.moment(e);
		if (this.drag && Math.abs(e.clientX - this.drag.x) > DRAG_PX)
			this.anchor = this.drag.anchor;
		if (!this.drag)
			this.on.card(this.cardAt(this.cursor), e);
		this.later();
	}

	release() {
		const { from, to } = this.marked(), isDrag = this.drag && this.anchor !== null;
		this.drag = null;
		this.anchor = null;
		if (isDrag)
			this.on.select(from, to);
		else
			this.later();
	}

	leave() {
		if (this.drag)
			return;
		this.cursor = this.anchor = null;
		this.on.card(null);
		this.later();
	}

	later() {
		this.pending ??= requestAnimationFrame(() => {
			this.pending = null;
			this.draw();
		});
	}

	// ---- what is said --------------------------------------------------------------------

	cardAt(moment) {
		const bin = Math.min(Math.floor(moment / this.bin), this.bins - 1);
		const busy = this.lanes.reduce((sum, { load }) => sum + load.at(bin), 0);
		const top = this.topAt(bin * this.bin, (bin + 1) * this.bin);
		return {
			title: momentIn(this.end, bin * this.bin, this.bin),
			lines: [
				this.isLoad ? `${busy.toFixed(2)} CPUs busy`
					    : counted(busy, 'sample'),
				top && (busy ? 'mostly ' : 'waiting: ') + cut(top, 200)
			].filter(Boolean)
		};
	}

	// The function that most of an interval was spent in.
	topAt(from, to) {
		const { model } = this, { rows } = model.profile, sums = new Map();
		const weights = model.threadWeights(true);
		for (let thread = 0; thread < weights.length; thread++)
			for (let i = weights[thread] ? rows.search(thread, to) - 1 : -1;
				i >= 0 && rows.thread[i] === thread; i--) {
				const until = rows.time[i] + this.duration(i);
				if (until <= from)
					break;
				const node = model.place(rows.stack[i]);
				if (node < 0)
					continue;
				const frame = model.tree.frame[node];
				sums.set(frame, (sums.get(frame) ?? 0) +
					Math.min(until, to) - Math.max(rows.time[i], from));
			}
		const [most] = [...sums].sort((a, b) => b[1] - a[1]);
		return most ? model.frames[most[0]].name : '';
	}

	// ---- keyboard ------------------------------------------------------------------------

	key(e) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (by !== undefined) {
			const step = by * this.bin * (e.shiftKey ? 20 : 1);
			const to = (this.cursor ?? -step) + step;
			this.cursor = Math.min(Math.max(to, 0), this.end);
			const { title, lines } = this.cardAt(this.cursor);
			this.on.say([title, ...lines].join(', '));
		} else if (e.key === 'Enter' && this.cursor !== null && this.anchor === null) {
			this.anchor = this.cursor;
			this.on.say('Start marked: Enter marks the end');
		} else if (e.key === 'Enter' && this.cursor !== null) {
			const { from, to } = this.marked();
			this.anchor = null;
			if (to > from)
				this.on.select(from, to);
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
		this.draw();
	}
}

// The threads of most weight, the busiest first.
function busiestThreads(weights, most) {
	const all = [];
	weights.forEach((weight, thread) => weight > 0 && all.push(thread));
	return all.sort((a, b) => weights[b] - weights[a] || a - b).slice(0, most);
}
