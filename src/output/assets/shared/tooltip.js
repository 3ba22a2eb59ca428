// tooltip.js: a card at the pointer that says what is under it. For flame graphs and for reports.
//
//	frameCard(facts) ─► { title, lines } ─► Tooltip.show(card, x, y)
//
// A card is text only. It is an element of XHTML: in a page within the body, in an SVG within an
// element of a foreignObject that covers the window. tooltip.css has its looks.

const TIP_OFF_PX = 12, TIP_EDGE_PX = 4;

// What a frame weighs, where it is, and what else is to be said of it.
//
// facts: { name, weight, self, all, parent (weights; all and parent of the whole and of the frame
// below, 0: none), amount(weight) (a text), where, notes (lists of texts) }
function frameCard(facts) {
	const { name, weight, self, all, parent, amount, where = [], notes = [] } = facts;
	const share = (part, whole) => (100 * part / whole).toFixed(part < whole ? 2 : 0) + ' %';
	const first = [amount(weight)];
	if (all)
		first.push(`${share(weight, all)} of all`);
	if (parent)
		first.push(`${share(weight, parent)} of parent`);
	const lines = [first.join(' · ')];
	if (self !== undefined)
		lines.push(`self: ${self ? amount(self) : 'none'}` +
			(self && all ? ` · ${share(self, all)} of all` : ''));
	const place = where.filter(Boolean).join(' · ');
	return { title: name, lines: [...lines, place, ...notes].filter(Boolean) };
}

// Where a box of a size goes: beside the pointer, on the side that has room.
function tipPlace(x, y, { width, height }, room) {
	const left = x + TIP_OFF_PX + width + TIP_EDGE_PX <= room.width
		? x + TIP_OFF_PX
		: Math.max(x - TIP_OFF_PX - width, TIP_EDGE_PX);
	const top = y + TIP_OFF_PX + height + TIP_EDGE_PX <= room.height
		? y + TIP_OFF_PX
		: Math.max(y - TIP_OFF_PX - height, TIP_EDGE_PX);
	return { left, top };
}

class Tooltip {
	// host: the body of a page, or an XHTML element whose place is not static.
	constructor(host) {
		const make = (tag) => document.createElementNS(host.namespaceURI, tag);
		this.make = make;
		this.host = host;
		this.card = make('div');
		this.card.setAttribute('class', 'tip');
		this.card.setAttribute('role', 'tooltip');
		this.card.hidden = true;
		host.append(this.card);
	}

	get shown() { return !this.card.hidden; }

	// x, y: of the pointer, in the window.
	show({ title, lines }, x, y) {
		const { card, make } = this, key = [title, ...lines].join('\n');
		if (key !== this.key) {
			const name = make('b');
			name.textContent = title;
			card.replaceChildren(name, ...lines.map((text) => {
				const line = make('div');
				line.textContent = text;
				return line;
			}));
			this.key = key;
		}
		card.hidden = false;
		card.style.left = card.style.top = '0';
		const from = this.host.getBoundingClientRect();
		const { left, top } = tipPlace(x, y, card.getBoundingClientRect(),
			{ width: innerWidth, height: innerHeight });
		card.style.left = left - from.left + 'px';
		card.style.top = top - from.top + 'px';
	}

	hide() { this.card.hidden = true; }
}
