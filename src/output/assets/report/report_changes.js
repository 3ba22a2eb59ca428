// Of a difference: the functions that have changed, and the description of a node.

const SHARES = 1e6;
const shareText = (share) => share ? `${(100 * share / SHARES).toFixed(2)} %` : '–';

function pointsText(before, after, unit = 'points') {
	const points = 100 * (after - before) / SHARES;
	return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)} ${unit}`;
}

function sidesText(before, after) {
	return `before ${shareText(before)}, after ${shareText(after)}: ` +
		pointsText(before, after);
}

function changeText(changes, node) {
	const before = changes.before[node], after = changes.after[node];
	const selfBefore = changes.selfBefore[node], selfAfter = changes.selfAfter[node];
	if (!before && !after)
		return ''; // the lane of what is gone
	const self = selfBefore || selfAfter
		? `; by itself ${sidesText(selfBefore, selfAfter)}`
		: '';
	return sidesText(before, after) + (changes.clear[node] ? '' : ', no clear change') + self;
}

// A row of the facts: name, module, then of self and of total: before, after, is it clear.
const CHANGE_COLUMNS = [
	['Self before', (r) => r[2]], ['after', (r) => r[3]], ['change', (r) => r[3] - r[2]],
	['Total before', (r) => r[5]], ['after', (r) => r[6]], ['change', (r) => r[6] - r[5]],
	['Function', (r) => r[0]], ['Module', (r) => r[1]]
];
const CHANGES_SHOWN = 500;

// Sorted by a column, filtered by text; what is clear comes first where changes are the order.
class ChangeTable {
	// on: { open(name, module) }
	constructor(host, rows, looks, on) {
		Object.assign(this, { rows, looks });
		this.by = 5;
		this.downwards = true;
		this.filter = filterField();
		this.count = element('span', { className: 'quiet' });
		this.head = element('tr');
		this.body = element('tbody');
		const table = element('table', {}, element('thead', {}, this.head), this.body);
		table.setAttribute('aria-label', 'Functions that have changed');
		const grid = element('div', { className: 'grid changes', tabIndex: 0 }, table);
		CHANGE_COLUMNS.forEach(([title], column) => this.addHead(title, column));
		host.append(element('div', { className: 'tools' }, this.filter, this.count), grid);
		this.filter.addEventListener('input', () => this.draw());
		const open = (e) => {
			const tr = e.target.closest('tbody tr');
			if (tr && (e.type === 'click' || e.key === 'Enter'))
				on.open(tr.dataset.name, tr.dataset.module);
		};
		this.body.addEventListener('click', open);
		this.body.addEventListener('keydown', open);
		this.draw();
	}

	addHead(title, column) {
		const button = element('button', { type: 'button', textContent: title });
		const className = column < 6 ? 'number' : column === 6 ? 'name' : 'module';
		this.head.append(element('th', { scope: 'col', className }, button));
		button.addEventListener('click', () => {
			this.downwards = this.by === column ? !this.downwards : column < 6;
			this.by = column;
			this.draw();
		});
	}

	// Changes go by their size, whichever way they went.
	order() {
		const value = CHANGE_COLUMNS[this.by][1], way = this.downwards ? -1 : 1;
		const isChange = this.by === 2 || this.by === 5;
		const key = isChange ? (r) => Math.abs(value(r)) : value;
		const clear = (r) => isChange ? r[this.by + 2] : 0;
		return (a, b) => {
			const x = key(a), y = key(b);
			return clear(b) - clear(a) || (x < y ? -1 : x > y ? 1 : 0) * way;
		};
	}

	arrange() { this.draw(); }

	close() {}

	// The next row gets the focus, or the one before.
	move(step) {
		const all = [...this.body.children], at = all.indexOf(document.activeElement);
		all[at < 0 ? 0 : (at + step + all.length) % all.length]?.focus();
	}

	draw() {
		const words = this.filter.value.toLowerCase().split(/\s+/);
		const { search } = this.looks;
		const shown = this.rows.filter(([name, module]) =>
			(!search || search.test(cut(name, LONGEST))) && words.every((w) =>
				`${name} ${module}`.toLowerCase().includes(w))).sort(this.order());
		this.count.textContent = counted(shown.length, 'function') +
			(shown.length > CHANGES_SHOWN ? `, the first ${CHANGES_SHOWN} are shown`
						      : '');
		[...this.head.children].forEach((cell, column) => cell.setAttribute('aria-sort',
			column !== this.by ? 'none' : this.downwards ? 'descending' : 'ascending'));
		this.body.replaceChildren(
			...shown.slice(0, CHANGES_SHOWN).map((r) => this.row(r)));
	}

	row([name, module, selfBefore, selfAfter, selfClear, before, after, clear]) {
		const tr = element('tr', { tabIndex: 0 },
			...this.sides(selfBefore, selfAfter, selfClear),
			...this.sides(before, after, clear), ...functionCells(name, module));
		Object.assign(tr.dataset, { name, module });
		return tr;
	}

	sides(before, after, clear) {
		const way = !clear ? 'noise' : after > before ? 'grown' : 'shrunk';
		const cell = (textContent, className = '') =>
			element('td', { className: `number ${className}`, textContent });
		return [
			cell(shareText(before)), cell(shareText(after)),
			cell(before || after ? pointsText(before, after, 'pp') : '', way)
		];
	}
}
