// The table of functions: sorted by a column, filtered by text. Only the rows in sight are there.

const ROW_PX = 24;
// Key, title, class; key of the row or frame that it is sorted by.
const COLUMNS = [
	['self', 'Self', 'number weight', 'self'], ['self-share', 'Self %', 'number', 'self'],
	['total', 'Total', 'number weight', 'total'],
	['total-share', 'Total %', 'number', 'total'], ['name', 'Function', 'name', 'name'],
	['module', 'Module', 'module', 'module']
];

// One unit for all of a column, so that its numbers can be compared at a glance: { mark, text }.
function columnUnit(whole, unit) {
	const steps = unit === 'nanoseconds'
		? [[1e11, 1e9, 's'], [1e7, 1e6, 'ms'], [1e4, 1e3, 'µs'], [0, 1, 'ns']]
		: [[1e14, 1e12, 'T'], [1e11, 1e9, 'G'], [1e8, 1e6, 'M'], [0, 1, '']];
	const [, size, mark] = steps.find(([least]) => whole >= least);
	const digits = size > 1 ? 2 : 0;
	const text = (value) => (value / size).toLocaleString('en-US',
		{ minimumFractionDigits: digits, maximumFractionDigits: digits });
	return { mark: unit === 'nanoseconds' ? mark : `${mark} ${unit ?? ''}`.trim(), text };
}

function element(tag, properties = {}, ...children) {
	const e = Object.assign(document.createElement(tag), properties);
	e.append(...children);
	return e;
}

function filterField() {
	const filter = element('input', {
		type: 'search',
		placeholder: 'Filter by name or module',
		spellcheck: false
	});
	filter.setAttribute('aria-label', 'Filter functions');
	return filter;
}

// The cells that say which function a row is about.
function functionCells(name, module, ...before) {
	return [
		element('td', { className: 'name', title: cut(name, 1000) }, ...before,
			cut(name, 500)),
		element('td', { className: 'module', title: cut(module, 1000) },
			cut(module.split('/').pop(), 200))
	];
}

// Names that are cut: what tells least of them goes first, as in labels.
function shortenNames(body, looks, names) {
	const cells = [...body.querySelectorAll('td.name')], range = document.createRange();
	const rooms = cells.map((cell) => { // all are read before one is written
		const button = cell.querySelector('button');
		const right = button ? button.getBoundingClientRect().left - BUTTON_GAP_PX
				     : cell.getBoundingClientRect().right - CELL_PAD_PX;
		range.selectNodeContents(cell.lastChild);
		const { left, width } = range.getBoundingClientRect();
		return (right - left) / (width / cell.lastChild.data.length);
	});
	cells.forEach((cell, i) => {
		const name = names(cell.parentNode), fits = (text) => text.length <= rooms[i];
		const text = fits(name) ? name : labelThatFits(name, fits, looks.steps(name));
		if (text && text !== cell.lastChild.data)
			cell.lastChild.data = text;
	});
}

const CELL_PAD_PX = 8, BUTTON_GAP_PX = 6;

const sourceButton = () => element('button', {
	type: 'button',
	className: 'to-source',
	tabIndex: -1,
	title: 'Source (key a)',
	textContent: 'source'
});

class FunctionTable {
	// on: { choose(frame), open(frame), source(frame) }
	constructor(host, looks, on) {
		this.looks = looks;
		this.on = on;
		this.by = 'self';
		this.downwards = true;
		this.chosen = 0;
		this.filter = filterField();
		this.count = element('span', { className: 'quiet' });
		this.head = element('tr');
		this.body = element('tbody');
		this.above = element('tr');
		this.below = element('tr');
		this.table = element('table', {}, element('thead', {}, this.head), this.body);
		this.table.setAttribute('role', 'grid');
		this.table.setAttribute('aria-label', 'Functions');
		this.grid = element('div', { className: 'grid', tabIndex: 0 }, this.table);
		this.grid.setAttribute('role', 'group');
		this.grid.setAttribute('aria-label', 'Functions: arrow keys choose, Enter opens');
		this.makeHead();
		host.append(
			element('div', { className: 'tools' }, this.filter, this.count), this.grid);
		this.filter.addEventListener('input', () => this.arrange());
		this.grid.addEventListener('scroll', () => this.draw());
		this.grid.addEventListener('keydown', (e) => this.key(e));
		this.body.addEventListener('click', (e) => this.click(e));
		this.observer = new ResizeObserver(() => this.draw());
		this.observer.observe(this.grid);
	}

	close() { this.observer.disconnect(); }

	makeHead() {
		for (const [key, title, kind] of COLUMNS) {
			const button = element('button', { type: 'button', textContent: title });
			const cell = element('th', { scope: 'col', className: kind }, button);
			cell.dataset.key = key;
			button.addEventListener('click', () => this.sort(key));
			this.head.append(cell);
		}
	}

	sort(key) {
		this.downwards = this.by === key ? !this.downwards : /^(self|total)/.test(key);
		this.by = key;
		this.arrange();
	}

	show(model) {
		this.model = model;
		this.rows = model.functions();
		this.whole = model.total[0];
		this.unit = columnUnit(this.whole, model.unit);
		this.arrange();
	}

	arrange() {
		const { frames } = this.model, words = this.filter.value.toLowerCase().split(/\s+/);
		const text = (row) =>
			(frames[row.frame].name + ' ' + frames[row.frame].module).toLowerCase();
		const { search } = this.looks;
		this.shown = this.rows.filter((row) =>
			(!search || search.test(cut(frames[row.frame].name, LONGEST))) &&
			words.every((w) => text(row).includes(w)));
		const way = this.downwards ? -1 : 1;
		const [, , , by] = COLUMNS.find(([key]) => key === this.by);
		const value = by === 'self' || by === 'total' ? (row) => row[by]
							      : (row) => frames[row.frame][by];
		this.shown.sort((a, b) => {
			const x = value(a), y = value(b);
			return (x < y ? -1 : x > y ? 1 : 0) * way || a.frame - b.frame;
		});
		for (const cell of this.head.children) {
			const on = cell.dataset.key === this.by;
			cell.setAttribute('aria-sort',
				on ? (this.downwards ? 'descending' : 'ascending') : 'none');
			const { key } = cell.dataset, [, title] = COLUMNS.find(([k]) => k === key);
			cell.firstChild.textContent = title +
				(key === 'self' || key === 'total' ? ` ${this.unit.mark}` : '') +
				(on ? (this.downwards ? ' ↓' : ' ↑') : '');
		}
		this.count.textContent = counted(this.shown.length, 'function');
		this.table.setAttribute('aria-rowcount', this.shown.length + 1);
		this.draw();
	}

	// The first rows, for a page; 0: those in sight again.
	print(most) {
		this.most = most;
		this.draw();
	}

	draw() {
		if (!this.shown)
			return;
		const { most, grid } = this, { length } = this.shown;
		const first = most ? 0 : Math.max(Math.floor(grid.scrollTop / ROW_PX) - 5, 0);
		const last = Math.min(
			most || first + Math.ceil(grid.clientHeight / ROW_PX) + 12, length);
		this.above.style.height = first * ROW_PX + 'px';
		this.below.style.height = (this.shown.length - last) * ROW_PX + 'px';
		const rows =
			this.shown.slice(first, last).map((row, i) => this.makeRow(row, first + i));
		this.body.replaceChildren(this.above, ...rows, this.below);
		this.above.hidden = first === 0;
		this.below.hidden = Boolean(most) || last === length;
		if (!most)
			shortenNames(this.body, this.looks,
				(tr) => this.model.frames[tr.dataset.frame].name);
	}

	makeRow(row, number) {
		const frame = this.model.frames[row.frame];
		const swatch = element('span', { className: 'swatch' });
		swatch.style.background = this.looks.of(row.frame).fill;
		const tr = element('tr', {}, ...this.numbers(row.self), ...this.numbers(row.total),
			...functionCells(frame.name, frame.module, swatch,
				...frame.source ? [sourceButton()] : []));
		tr.dataset.frame = row.frame;
		tr.setAttribute('aria-rowindex', number + 2);
		tr.setAttribute('aria-selected', row.frame === this.chosen);
		return tr;
	}

	numbers(value) {
		const bar = element('i'), share = percent(value, this.whole);
		bar.style.width = `calc((100% - 8px) * ${value / (this.whole || 1)})`;
		return [
			element('td',
				{ className: 'number weight', textContent: this.unit.text(value) }),
			element('td', { className: 'number' }, bar,
				element('b', { textContent: share }))
		];
	}

	click(e) {
		const tr = e.target.closest('tr[data-frame]');
		if (tr && e.target.closest('.to-source'))
			this.on.source(Number(tr.dataset.frame));
		else if (tr)
			this.choose(Number(tr.dataset.frame), true);
	}

	choose(frame, open) {
		this.chosen = frame;
		this.draw();
		if (open)
			this.on.open(frame);
		else
			this.on.choose(frame);
	}

	key(e) {
		if (e.target !== this.grid)
			return;
		const at = this.shown.findIndex((row) => row.frame === this.chosen);
		const page = Math.max(Math.floor(this.grid.clientHeight / ROW_PX) - 2, 1);
		const to = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			PageDown: at + page,
			PageUp: at - page,
			Home: 0,
			End: this.shown.length - 1
		}[e.key];
		if (e.key === 'Enter' && at >= 0)
			this.on.open(this.chosen);
		else if (to !== undefined && this.shown.length)
			this.step(Math.min(Math.max(to, 0), this.shown.length - 1));
		else
			return;
		e.preventDefault();
	}

	// The next row, or the one before.
	move(step) {
		const { length } = this.shown;
		const at = this.shown.findIndex((row) => row.frame === this.chosen);
		if (length)
			this.step(at < 0 ? 0 : (at + step + length) % length);
	}

	step(number) {
		const top = number * ROW_PX, { grid } = this;
		if (top < grid.scrollTop)
			grid.scrollTop = top;
		else if (top + 3 * ROW_PX > grid.scrollTop + grid.clientHeight)
			grid.scrollTop = top + 3 * ROW_PX - grid.clientHeight;
		this.choose(this.shown[number].frame, false);
	}
}
