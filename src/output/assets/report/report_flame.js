// A flame graph on a canvas that is as large as what is in sight: the box around it scrolls.

const ROW = 20, FONT_PX = 12, LEAST_PX = 0.6, LEAST_TIME_PX = 1.5, LABEL_PX = 26, PAD = 5;

const rgb = (color, dim = 1) =>
	`rgb(${[16, 8, 0].map((s) => Math.round((color >> s & 255) * dim)).join()})`;

class Flame {
	// looks: what all flame graphs of the page share (colours, search): see main.
	// on: { hover(box, event), focus(box), zoom(isStep), pan(), resize(), open(box),
	// levels(pixels) }: so high it is, all of it
	constructor(host, label, looks, on) {
		this.looks = looks;
		this.on = on;
		this.flipped = false;
		this.source = null;
		this.boxes = [];
		this.focused = null;
		this.history = [];
		this.scroller = document.createElement('div');
		this.scroller.className = 'scroller';
		this.spacer = document.createElement('div');
		this.spacer.className = 'spacer';
		this.canvas = document.createElement('canvas');
		this.canvas.tabIndex = 0;
		this.canvas.setAttribute('role', 'application');
		this.canvas.setAttribute('aria-roledescription', 'flame graph');
		this.canvas.setAttribute('aria-label', label + '. Arrow keys move among frames.');
		this.scroller.append(this.canvas, this.spacer);
		host.append(this.scroller);
		this.listen();
		this.observer = new ResizeObserver(() => {
			this.draw();
			this.on.resize();
		});
		this.observer.observe(this.scroller);
	}

	listen() {
		const { canvas } = this;
		this.scroller.addEventListener('scroll', () => this.later());
		canvas.addEventListener(
			'pointermove', (e) => this.drag?.move(e) ?? this.hover(this.boxAt(e), e));
		canvas.addEventListener('pointerleave', (e) => this.hover(null, e));
		canvas.addEventListener('pointerdown', (e) => this.press(e));
		canvas.addEventListener('pointerup', (e) => this.release(e));
		canvas.addEventListener('pointercancel', () => { this.drag = null; });
		canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
		canvas.addEventListener('keydown', (e) => this.key(e));
	}

	close() {
		this.observer.disconnect();
		this.scroller.remove();
	}

	// A picture of something else, or of the same after a choice; box: what is zoomed to.
	show(source, box = null) {
		this.source = source;
		this.target = box;
		this.from = box?.start ?? 0;
		this.to = box ? box.start + box.weight : source.total;
		this.history = [];
		this.focused = null;
		this.sized = '';
		this.draw();
		this.scroller.scrollTop = this.flipped ? this.spacer.offsetHeight : 0;
		if (box)
			this.reveal(box);
	}

	later() {
		this.pending ??= requestAnimationFrame(() => {
			this.pending = null;
			this.draw();
		});
	}

	// ---- drawing --------------------------------------------------------------------------

	measure() {
		const width = this.scroller.clientWidth, height = this.scroller.clientHeight;
		const ratio = devicePixelRatio || 1, size = [width, height, ratio].join();
		if (size !== this.sized) {
			this.sized = size;
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
			this.canvas.style.width = width + 'px';
			this.canvas.style.height = height + 'px';
		}
		this.width = width;
		this.height = height;
		return ratio;
	}

	// Read once for each picture: reading it from the page is slower than drawing a box.
	place() {
		this.scrolled = this.scroller.scrollTop;
		this.contentHeight = Math.max(this.source.levels() * ROW, this.height);
	}

	top(level) {
		const y = this.flipped ? this.contentHeight - (level + 1) * ROW : level * ROW;
		return y - this.scrolled;
	}

	draw() {
		if (!this.source)
			return;
		const ratio = this.measure();
		if (!this.width || !this.height)
			return;
		const c = this.canvas.getContext('2d');
		const levels = this.collect();
		this.prepare(c, ratio);
		c.clearRect(0, 0, this.width, this.height);
		for (const box of this.boxes)
			this.drawBox(c, box);
		this.drawOutlines(c);
		if (levels !== this.levels) {
			this.levels = levels;
			this.spacer.style.height = this.source.levels() * ROW + 'px';
			this.on.levels(levels * ROW);
		}
	}

	// Canvases of all rows, at most so many on each, for a page of a width.
	printed(width, rows, most) {
		const saved = {...this }, ratio = 2, canvases = [];
		Object.assign(this, { width, scale: width / (this.to - this.from || 1) });
		this.outlined = 0;
		this.focused = null;
		this.boxes = this.all();
		const levels = this.boxes.reduce((n, box) => Math.max(n, box.level + 1), 0);
		this.contentHeight = levels * ROW;
		for (let row = 0; row < Math.min(levels, most); row += rows) {
			const n = Math.min(rows, levels - row), canvas = element('canvas');
			const c = canvas.getContext('2d');
			canvas.width = width * ratio;
			canvas.height = n * ROW * ratio;
			this.scrolled = row * ROW;
			this.prepare(c, ratio);
			for (const box of this.boxes)
				if (this.top(box.level) >= 0 && this.top(box.level) < n * ROW)
					this.drawBox(c, box);
			canvases.push(canvas);
		}
		Object.assign(this, saved);
		return canvases;
	}

	prepare(c, ratio) {
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.direction = 'ltr';
		c.font = `${FONT_PX}px ${this.looks.font}`;
		c.textBaseline = 'middle';
		this.char = c.measureText('0').width;
	}

	// What is in sight, into this.boxes.
	collect() {
		const scale = this.width / (this.to - this.from || 1);
		this.place();
		const rows = Math.ceil((this.height + this.scrolled) / ROW) + 3;
		const view = {
			from: this.from,
			to: this.to,
			least: (this.source.timed ? LEAST_TIME_PX : LEAST_PX) / scale,
			levels: this.flipped ? Infinity : rows
		};
		this.scale = scale;
		this.boxes = [];
		this.visit(view, (box) => {
			const y = this.top(box.level);
			if (y > -ROW && y < this.height + ROW)
				this.boxes.push(box);
		});
		return this.source.levels();
	}

	visit(view, emit) {
		if (this.source.visit)
			this.source.visit(view, emit);
		else
			visit(this.source, view, emit);
	}

	// All boxes that are wide enough to be drawn, those too that are scrolled out of sight.
	all() {
		const { from, to, scale } = this, all = [];
		const least = (this.source.timed ? LEAST_TIME_PX : LEAST_PX) / scale;
		this.visit({ from, to, least, levels: Infinity }, (box) => all.push(box));
		return all;
	}

	// [left, width] in pixels, of the part in sight.
	extent(box) {
		const left = Math.max((box.start - this.from) * this.scale, 0);
		const right =
			Math.min((box.start + box.weight - this.from) * this.scale, this.width);
		return [left, right - left];
	}

	drawBox(c, box) {
		const [left, width] = this.extent(box), y = this.top(box.level);
		if (width <= 0)
			return;
		const gap = width > 3 ? 1 : 0;
		if (box.small) {
			c.fillStyle = this.looks.smallColor;
			c.fillRect(left, y, width - gap, ROW - 1);
			this.drawLabel(c, this.name(box), left, y, width, this.looks.all.ink);
			return;
		}
		const look = this.look(box), isAbove = this.isAbove(box);
		if (look.faded || isAbove)
			c.globalAlpha = look.faded ? 0.3 : ABOVE;
		c.fillStyle = look.fill;
		c.fillRect(left, y, width - gap, ROW - 1);
		if (look.faded)
			c.globalAlpha = 0.55;
		else
			c.globalAlpha = 1;
		const ink = look.faded ? this.looks.all.ink
			: isAbove      ? this.looks.inkAbove(look)
				       : look.ink;
		if (width >= LABEL_PX)
			this.drawLabel(c, this.name(box), left, y, width, ink);
		c.globalAlpha = 1;
	}

	// Is it only there as the caller of what is zoomed to?
	isAbove(box) {
		return box.start < this.from || box.start + box.weight > this.to
			? box.start <= this.from && box.start + box.weight >= this.to
			: false;
	}

	look(box) {
		if (box.run)
			return {...this.looks.all, fill: this.looks.smallColor };
		if (box.waits)
			return {...this.looks.all, fill: this.looks.hatch() };
		return box.frame ? this.looks.of(box.frame) : this.looks.all;
	}

	// As much of a text as tells most: labels.js.
	drawLabel(c, text, left, y, width, ink) {
		const room = width - 2 * PAD;
		if (room < 2 * this.char)
			return;
		const fits = (part) => part.length * this.char <= room ||
			(part.length * this.char < 3 * room && /[^\x20-\x7e…]/.test(part) &&
				c.measureText(part).width <= room);
		const label = fits(text) && !/[^\x20-\x7e…]/.test(text)
			? text
			: labelThatFits(text, (part) => fits(part) && this.isNarrow(c, part, room),
				this.looks.steps(text));
		if (!label)
			return;
		c.fillStyle = ink;
		c.fillText(label, left + PAD, y + ROW / 2);
	}

	// Characters of other scripts may be wider than the font's.
	isNarrow(c, text, room) {
		return !/[^\x20-\x7e…]/.test(text) || c.measureText(text).width <= room;
	}

	drawOutlines(c) {
		for (const box of this.boxes)
			if (this.outlined && box.frame === this.outlined && !box.small)
				this.drawOutline(c, box, this.looks.all.ink, 1);
		const focus = this.find(this.focused) ?? this.focused;
		if (focus)
			this.drawOutline(c, focus, this.looks.focusColor, 2);
	}

	drawOutline(c, box, color, width) {
		const [left, wide] = this.extent(box);
		if (wide <= 0)
			return;
		c.strokeStyle = color;
		c.lineWidth = width;
		c.strokeRect(left + width / 2, this.top(box.level) + width / 2,
			Math.max(wide - 1 - width, 1), ROW - 1 - width);
	}

	// All places of a function; 0: none.
	outline(frame) {
		if (this.outlined === frame)
			return;
		this.outlined = frame;
		this.later();
	}

	name(box) {
		return box.small ? `(${box.small.toLocaleString('en-US')} small)`
			: box.run ? `⋯ ${counted(box.run.length, 'frame')}`
			: box.waits ? `${this.waitOf(box)} ${amountTime(box.weight)}`
			: box.frame ? this.source.model.frames[box.frame].name
				    : 'all';
	}

	waitOf({ waits }) { return WAITS[this.source.model.profile.facts.waits[waits]]; }

	// ---- finding --------------------------------------------------------------------------

	boxAt({ offsetX: x, offsetY: y }) {
		return this.boxes.findLast((box) => {
			const [left, width] = this.extent(box), top = this.top(box.level);
			return x >= left && x < left + Math.max(width, 1) && y >= top &&
				y < top + ROW;
		}) ?? null;
	}

	// A box of an earlier picture in this one.
	find(box) {
		return box &&
			this.boxes.find((b) => b.id === box.id && b.level === box.level &&
					(!this.source.timed ||
						(b.start <= box.start &&
							b.start + b.weight > box.start)));
	}

	hover(box, e) {
		this.canvas.style.cursor = box ? 'pointer' : 'default';
		this.on.hover(box, e);
	}

	focus(box) {
		this.focused = box;
		this.on.focus(box);
		if (box)
			this.reveal(box);
		this.later();
	}

	reveal(box) {
		this.place();
		const y = this.top(box.level);
		if (y < 0)
			this.scroller.scrollTop += y - ROW;
		else if (y + ROW > this.height)
			this.scroller.scrollTop += y + 2 * ROW - this.height;
	}

	// ---- zoom -----------------------------------------------------------------------------

	zoomTo(from, to, remember = true) {
		const least = this.source.total / 1e9;
		if (to - from < least)
			return;
		if (remember)
			this.history.push([this.from, this.to]);
		this.from = Math.max(from, 0);
		this.to = Math.min(to, this.source.total);
		this.draw();
		this.on.zoom(remember);
	}

	// The narrowest box that is as wide as the picture: what is zoomed to.
	shownBox() {
		if (!this.zoomed)
			return null;
		if (this.target && this.isExactly(this.target))
			return this.target;
		const { from, to } = this, edge = (to - from) / 1e6;
		let found = null;
		this.visit({ from, to, least: (to - from) / 2, levels: Infinity }, (box) => {
			const around = !box.small && box.start <= from + edge &&
				box.start + box.weight >= to - edge;
			if (around && (!found || box.weight < found.weight ||
					      (box.weight === found.weight &&
						      box.level < found.level)))
				found = box;
		});
		return found;
	}

	zoomToBox(box) {
		this.target = box;
		if (!this.isExactly(box))
			this.zoomTo(box.start, box.start + box.weight);
	}

	isExactly(box) { return box.start === this.from && box.start + box.weight === this.to; }

	// False: there was nothing to undo.
	zoomOut() {
		const last = this.history.pop();
		if (last)
			this.zoomTo(last[0], last[1], false);
		return Boolean(last);
	}

	get zoomed() { return this.source && (this.from > 0 || this.to < this.source.total); }

	// Around a place, by a factor.
	scaleAt(x, factor) {
		const at = this.from + x / this.scale;
		const from = at - (at - this.from) * factor, to = at + (this.to - at) * factor;
		this.zoomTo(Math.max(from, 0), Math.min(to, this.source.total), false);
	}

	wheel(e) {
		if (!e.ctrlKey && !e.shiftKey && Math.abs(e.deltaX) <= Math.abs(e.deltaY))
			return;
		e.preventDefault();
		if (e.ctrlKey)
			this.scaleAt(e.offsetX, 1.0015 ** e.deltaY);
		else
			this.pan(e.deltaX || e.deltaY);
	}

	pan(pixels) {
		const by = Math.min(
			Math.max(pixels / this.scale, -this.from), this.source.total - this.to);
		this.from += by;
		this.to += by;
		this.later();
		this.on.pan();
	}

	press(e) {
		let { clientX: x, clientY: y } = e, moved = 0;
		this.canvas.setPointerCapture(e.pointerId);
		this.drag = {
			move: (to) => {
				moved += Math.abs(to.clientX - x) + Math.abs(to.clientY - y);
				if (moved > 4 && e.pointerType === 'mouse') {
					this.pan(x - to.clientX);
					this.scroller.scrollTop += y - to.clientY;
				}
				[x, y] = [to.clientX, to.clientY];
				return true;
			},
			get moved() { return moved > 4; },
		};
	}

	release(e) {
		const { drag } = this;
		this.drag = null;
		if (!drag || drag.moved || e.button)
			return;
		const box = this.boxAt(e);
		if (!box)
			return;
		if (box.run) {
			this.on.open(box);
			return;
		}
		this.zoomToBox(box);
		if (!box.small)
			this.focus(box);
	}

	// ---- keyboard -------------------------------------------------------------------------

	key(e) {
		const act = {
			ArrowDown: () => this.move(this.flipped ? 'up' : 'down'),
			ArrowUp: () => this.move(this.flipped ? 'down' : 'up'),
			ArrowLeft: () => this.move('left'),
			ArrowRight: () => this.move('right'),
			Enter: () => this.enter(this.find(this.focused) ?? this.focused),
			Home: () => this.zoomTo(0, this.source.total),
			'+': () => this.scaleAt(this.width / 2, 0.5),
			'=': () => this.scaleAt(this.width / 2, 0.5),
			'-': () => this.scaleAt(this.width / 2, 2),
		}[e.key];
		if (!act || e.ctrlKey || e.altKey || e.metaKey)
			return;
		e.preventDefault();
		act();
	}

	enter(box) {
		if (box?.run)
			this.on.open(box);
		else if (box)
			this.zoomToBox(box);
	}

	move(where) {
		const now = this.find(this.focused);
		const drawn = this.boxes.filter((b) => !b.small);
		let next = null;
		if (!now)
			next = this.source.root();
		else if (where === 'up')
			next = now.up;
		else if (where === 'down')
			next = drawn.filter((b) => b.up && b.up.id === now.id &&
						    b.level === now.level + 1 &&
						    b.start >= now.start &&
						    b.start < now.start + now.weight)
				       .reduce((best, b) =>
						       best && best.weight >= b.weight ? best : b,
					       null);
		else
			next = this.beside(drawn.filter((b) => b.level === now.level), now, where);
		if (next)
			this.focus(next);
	}

	beside(row, now, where) {
		row.sort((a, b) => a.start - b.start);
		return row[row.indexOf(now) + (where === 'left' ? -1 : 1)] ?? null;
	}
}
