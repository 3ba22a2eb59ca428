// Samples over time: a column is a step of time, a cell a part of it. From one cell to another is a
// stretch of time that all views can be held to.

const CELL_ROWS = 20, HEAT_PX = 100, LEAST_COLUMN_PX = 5;
const STEPS_NS = [
	1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, 5e9, 1e10, 3e10, 6e10, 3e11, 6e11,
	1.8e12, 3.6e12
];

const seconds = (ns) => (ns / 1e9).toFixed(ns % 1e9 ? 3 : 0) + ' s';

class HeatMap {
	// on: { select(from, to), say(text) }
	constructor(canvas, on) {
		this.canvas = canvas;
		this.on = on;
		this.cursor = null; // a cell's number
		this.anchor = null;
		canvas.addEventListener('pointerdown', (e) => this.press(e));
		canvas.addEventListener('pointermove', (e) => this.move(e));
		canvas.addEventListener('pointerup', () => this.release());
		canvas.addEventListener('keydown', (e) => this.key(e));
		canvas.addEventListener('blur', () => {
			this.cursor = null;
			this.draw();
		});
		new ResizeObserver(() => this.show()).observe(canvas);
	}

	setModel(model) {
		this.model = model;
		this.show();
	}

	// Seconds across where the recording is long enough, else the shortest step that leaves a
	// sample to most cells.
	chooseStep() {
		const { rows } = this.model.profile, end = rows.end || 1;
		const most = Math.max(Math.floor(this.width / LEAST_COLUMN_PX), 1);
		const least = Math.max(end / most, 1.3 * CELL_ROWS * end / rows.n);
		const fits = STEPS_NS.find((step) => step >= least) ?? end / most;
		this.step = end >= 30e9 ? Math.max(fits, 1e9) : fits;
		this.columns = Math.floor(end / this.step) + 1;
		this.cell = this.step / CELL_ROWS;
	}

	show() {
		this.width = this.canvas.clientWidth;
		if (!this.model || !this.width)
			return;
		this.chooseStep();
		this.counts = new Float64Array(this.columns * CELL_ROWS);
		const { rows } = this.model.profile;
		this.model.eachRow(
			(i) => { this.counts[Math.floor(rows.time[i] / this.cell)] += 1; }, true);
		this.most = this.counts.reduce((a, b) => Math.max(a, b), 1);
		this.draw();
	}

	palette() {
		const style = getComputedStyle(document.documentElement);
		const hex = [0, 1, 2, 3].map((i) => style.getPropertyValue(`--heat-${i}`).trim());
		return hex.map((h) => [1, 3, 5].map((at) => parseInt(h.slice(at, at + 2), 16)));
	}

	color(share) {
		const { colors } = this, at = Math.min(share * 3, 2.999), low = Math.floor(at);
		const mix = (v, i) => Math.round(v + (colors[low + 1][i] - v) * (at - low));
		return `rgb(${colors[low].map(mix).join()})`;
	}

	draw() {
		const { canvas, columns } = this;
		if (!this.counts)
			return;
		const ratio = devicePixelRatio || 1, c = canvas.getContext('2d');
		canvas.width = Math.round(this.width * ratio);
		canvas.height = Math.round(HEAT_PX * ratio);
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.colors = this.palette();
		const w = this.width / columns, h = HEAT_PX / CELL_ROWS, gap = w > 6 ? 1 : 0;
		const { from, to } = this.marked();
		for (let i = 0; i < this.counts.length; i++) {
			const inside = i * this.cell >= from && i * this.cell < to;
			c.globalAlpha = inside ? 1 : 0.3;
			c.fillStyle = this.color(this.counts[i]
					? 0.15 + 0.85 * Math.sqrt(this.counts[i] / this.most)
					: 0);
			const column = Math.floor(i / CELL_ROWS), row = i % CELL_ROWS;
			c.fillRect(column * w, HEAT_PX - (row + 1) * h, w - gap, h - (gap ? 1 : 0));
		}
		c.globalAlpha = 1;
		if (this.cursor !== null)
			this.drawCursor(c, w, h);
	}

	drawCursor(c, w, h) {
		const column = Math.floor(this.cursor / CELL_ROWS), row = this.cursor % CELL_ROWS;
		c.strokeStyle =
			getComputedStyle(document.documentElement).getPropertyValue('--accent');
		c.lineWidth = 2;
		c.strokeRect(column * w, HEAT_PX - (row + 1) * h, Math.max(w - 1, 2), h);
	}

	// What is marked: while a stretch is being chosen, that.
	marked() {
		if (this.anchor === null || this.cursor === null)
			return this.model.choice;
		const [low, high] = [this.anchor, this.cursor].sort((a, b) => a - b);
		return { from: low * this.cell, to: (high + 1) * this.cell };
	}

	cellAt(e) {
		const box = this.canvas.getBoundingClientRect();
		const column = Math.floor((e.clientX - box.x) / box.width * this.columns);
		const row = Math.floor((1 - (e.clientY - box.y) / box.height) * CELL_ROWS);
		const clamp = (v, n) => Math.min(Math.max(v, 0), n - 1);
		return clamp(column, this.columns) * CELL_ROWS + clamp(row, CELL_ROWS);
	}

	press(e) {
		this.canvas.setPointerCapture(e.pointerId);
		this.pressed = { x: e.clientX, y: e.clientY, cell: this.cellAt(e) };
	}

	move(e) {
		const { pressed } = this;
		if (!pressed)
			return;
		if (Math.hypot(e.clientX - pressed.x, e.clientY - pressed.y) > DRAG_PX)
			this.anchor = pressed.cell;
		this.cursor = this.cellAt(e);
		this.draw();
	}

	// A click is no interval.
	release() {
		this.pressed = null;
		if (this.anchor === null)
			return;
		const { from, to } = this.marked();
		this.anchor = this.cursor = null;
		this.on.select(from, to);
	}

	key(e) {
		const by = {
			ArrowUp: 1,
			ArrowDown: -1,
			ArrowLeft: -CELL_ROWS,
			ArrowRight: CELL_ROWS
		}[e.key];
		if (by !== undefined) {
			const to = (this.cursor ?? -by) + by;
			if (to >= 0 && to < this.counts.length)
				this.cursor = to;
			const time = seconds(this.cursor * this.cell);
			this.on.say(`${time}: ${counted(this.counts[this.cursor], 'sample')}`);
		} else if (e.key === 'Enter' && this.cursor !== null && this.anchor === null) {
			this.anchor = this.cursor;
			this.on.say('start marked');
		} else if (e.key === 'Enter' && this.cursor !== null) {
			const { from, to } = this.marked();
			this.anchor = null;
			this.on.select(from, to);
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
		this.draw();
	}
}
