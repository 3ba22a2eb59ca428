// A list of lines on which only those in sight are elements: source, or instructions. Each is as
// high as the next, so that where one is need not be measured.

const LINE_PX = 20, TAB_COLUMNS = 8;

// Columns that a text takes.
function columnsOf(text) {
	let columns = 0;
	for (const c of text)
		columns += c === '\t' ? TAB_COLUMNS - columns % TAB_COLUMNS
			: c > '\u2e7f'    ? 2
					  : 1;
	return columns;
}

class LineList {
	// on: { make(row, number): children of its element, choose(row), open(row),
	// hover(row or null, event), side(step): to the other list }
	constructor(label, on) {
		this.on = on;
		this.rows = [];
		this.chosen = -1;
		this.body = element('div', { className: 'lines-body' });
		this.box = element('div', { className: 'lines', tabIndex: 0 }, this.body);
		this.body.setAttribute('role', 'table');
		this.body.setAttribute('aria-label', label);
		this.box.setAttribute('role', 'group');
		this.box.setAttribute(
			'aria-label', `${label}: arrow keys move, Enter follows a call`);
		this.box.addEventListener('scroll', () => this.later());
		this.box.addEventListener('keydown', (e) => this.key(e));
		this.body.addEventListener('click', (e) => this.click(e));
		this.body.addEventListener('pointermove', (e) => this.on.hover(this.rowOf(e), e));
		this.body.addEventListener('pointerleave', (e) => this.on.hover(null, e));
		this.observer = new ResizeObserver(() => this.draw());
		this.observer.observe(this.box);
	}

	close() { this.observer.disconnect(); }

	// columns: of the widest row.
	show(rows, columns) {
		this.rows = rows;
		this.chosen = -1;
		this.body.style.height = rows.length * LINE_PX + 'px';
		this.body.style.setProperty('--columns', columns);
		this.body.setAttribute('aria-rowcount', rows.length);
		this.draw();
	}

	later() {
		this.pending ??= requestAnimationFrame(() => {
			this.pending = null;
			this.draw();
		});
	}

	// The first rows, for a page; 0: those in sight again.
	print(most) {
		this.most = most;
		this.draw();
	}

	draw() {
		const { box, rows, most } = this;
		const from = most ? 0 : Math.max(Math.floor(box.scrollTop / LINE_PX) - 4, 0);
		const to = Math.min(most || from + Math.ceil(box.clientHeight / LINE_PX) + 8,
			rows.length);
		this.body.style.height = (most ? to : rows.length) * LINE_PX + 'px';
		this.body.replaceChildren(
			...rows.slice(from, to).map((row, i) => this.element(row, from + i)));
		this.on.drawn?.(this);
	}

	element(row, number) {
		const line = element(
			'div', { className: `line is-${row.kind}` }, ...this.on.make(row));
		line.style.top = number * LINE_PX + 'px';
		line.dataset.row = number;
		line.classList.toggle('inside', row.depth > 0);
		line.classList.toggle('lit', Boolean(row.lit));
		line.classList.toggle('chosen', number === this.chosen);
		line.setAttribute('role', 'row');
		line.setAttribute('aria-rowindex', number + 1);
		line.setAttribute('aria-selected', number === this.chosen);
		return line;
	}

	rowOf(e) {
		const line = e.target.closest('.line');
		return line ? this.rows[Number(line.dataset.row)] : null;
	}

	click(e) {
		const row = this.rowOf(e);
		if (!row)
			return;
		if (e.target.closest('button'))
			this.on.open(row, e.target.closest('button'));
		else
			this.choose(this.rows.indexOf(row));
	}

	choose(number) {
		this.chosen = number;
		this.reveal(number);
		this.draw();
		this.on.choose(this.rows[number] ?? null);
	}

	isInSight(number) {
		const top = number * LINE_PX, { scrollTop, clientHeight } = this.box;
		return top >= scrollTop && top + LINE_PX <= scrollTop + clientHeight;
	}

	reveal(number) {
		if (number < 0 || this.isInSight(number))
			return;
		const { clientHeight } = this.box;
		this.box.scrollTop = Math.max(number * LINE_PX - clientHeight / 3, 0);
	}

	key(e) {
		if (e.ctrlKey || e.altKey || e.metaKey || e.target !== this.box)
			return;
		const at = this.chosen, last = this.rows.length - 1;
		const page = Math.max(Math.floor(this.box.clientHeight / LINE_PX) - 2, 1);
		const to = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			PageDown: at + page,
			PageUp: at - page,
			Home: 0,
			End: last
		}[e.key];
		const side = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (e.key === 'Enter' && at >= 0)
			this.on.open(this.rows[at]);
		else if (side)
			this.on.side(side);
		else if (to !== undefined && last >= 0)
			this.choose(Math.min(Math.max(to, 0), last));
		else
			return;
		e.preventDefault();
	}
}

// A text with what is searched for marked.
function markedText(text, search) {
	const parts = [], pattern = search && new RegExp(search.source, search.flags + 'g');
	let from = 0;
	for (const { index, 0: found } of pattern ? text.matchAll(pattern) : [])
		if (found) {
			parts.push(text.slice(from, index),
				element('mark', { textContent: found }));
			from = index + found.length;
		}
	return [...parts, text.slice(from)].filter((part) => part !== '');
}
