// Draws the rows of a view that the window shows.
//
// Frames with a label are elements, which are used again and written to only where something
// changed. Those without room for one, which may be ten thousand, are one path for each colour:
// what is under the mouse follows from its place, not from an element.

const SPARE_ROWS = 10; // above and below what is seen, for the next turn of a wheel
const plainGroup = document.createElementNS(SVG, "g");
const outlines = document.createElementNS(SVG, "g");
const template = document.createElementNS(SVG, "g"), fresh = document.createDocumentFragment();
const elementOf = new WeakMap(), pool = [], plainPaths = new Map();
let shown = 0, firstShown = 0, lastShown = -1;

template.append(document.createElementNS(SVG, "rect"));
template.firstChild.setAttribute("rx", 2);
template.firstChild.setAttribute("height", frameHeight - 1);
template.setAttribute("role", "none");
plainGroup.id = "plain";
plainGroup.setAttribute("aria-hidden", "true");
outlines.id = "outlines";
outlines.setAttribute("aria-hidden", "true");

function makePath(id) {
	const path = document.createElementNS(SVG, "path");

	path.id = id;
	outlines.append(path);
	return path;
}
const sameOutline = makePath("same"), cursorOutline = makePath("cursor");

function makeBox() {
	const g = template.cloneNode(true);
	const e = { g, rect: g.firstChild, text: null, old: {}, box: null };

	g.id = "frame-" + pool.length;
	elementOf.set(g, e);
	fresh.append(g);
	return e;
}

function textOf(e) {
	if (!e.text)
		e.g.append(e.text = document.createElementNS(SVG, "text"));
	return e.text;
}

function set(e, key, value, write) {
	if (e.old[key] !== value) {
		e.old[key] = value;
		write(e, value);
	}
}
const write = {
	x: (e, v) => e.rect.setAttribute("x", v),
	y: (e, v) => e.rect.setAttribute("y", v),
	textX: (e, v) => textOf(e).setAttribute("x", v + MARGIN),
	textY: (e, v) => textOf(e).setAttribute("y", v + 3 + (frameHeight - 1) / 2),
	w: (e, v) => e.rect.setAttribute("width", v),
	fill: (e, v) => e.rect.setAttribute("fill", v),
	label: (e, v) => { textOf(e).textContent = v; },
	ink: (e, v) => textOf(e).setAttribute("fill", v),
	level: (e, v) => e.g.setAttribute("aria-level", v),
	name: (e, v) => {
		e.g.setAttribute("role", v ? "treeitem" : "none");
		if (v)
			e.g.setAttribute("aria-label", v);
		else
			e.g.removeAttribute("aria-label");
	},
	kind: (e, v) => e.g.setAttribute("class", v)
};

const isHit = (b) => b.fold ? b.folded.some((one) => hit[view.frame(one.node)]) :
	!b.small && hit[view.frame(b.node)] === 1;
const fillOf = (b) => isHit(b) ? MATCH_COLOR : b.small || b.fold ? SMALL_COLORS[Number(dark)] :
	colorOf(view.frame(b.node));
// The place in ALPHAS.
const strengthOf = (b) => !b.small && !b.fold && isFaded(view.frame(b.node)) ? 2 : b.above ? 1 : 0;
const KINDS = ["", "above", "faded"];

function drawLabelled(b, i, name, text) {
	const e = pool[i] || (pool[i] = makeBox()), y = rowTop(b.row);
	const x = Math.round((PAD + b.x) * 100) / 100;
	const color = fillOf(b), strength = strengthOf(b);

	e.box = b;
	set(e, "x", x, write.x);
	set(e, "y", y, write.y);
	set(e, "w", Math.round((b.w - GAP) * 100) / 100, write.w);
	set(e, "fill", css(color), write.fill);
	set(e, "kind", KINDS[strength] + (b.small || b.fold ? " small" : "") +
		(isHit(b) ? " match" : ""), write.kind);
	set(e, "name", spoken(b, name), write.name);
	set(e, "level", b.depth + 1, write.level);
	set(e, "label", text, write.label);
	set(e, "ink", isInkLight(color, strength) ? "#fff" : "#000", write.ink);
	set(e, "textX", x, write.textX);
	set(e, "textY", y, write.textY);
}

function spoken(b, name) {
	const change = changeOf(b);

	return name.slice(0, 200) + ", " + (change || amount(b.weight) + ", " +
		percent(b.weight, view.total(view.root)));
}

const tenths = (v) => Math.round(v * 10) / 10;

// Those without a label, by colour.
function drawPlain(plain) {
	const parts = new Map();

	for (const b of plain) {
		const color = fillOf(b), strength = strengthOf(b);
		const key = color * ALPHAS.length + strength;
		const x = tenths(PAD + b.x), w = tenths(PAD + b.x + b.w - (b.w > 3 ? GAP : 0)) - x;
		let part = parts.get(key);

		if (!part)
			parts.set(key, part = { color, strength, d: "" });
		part.d += "M" + x + " " + rowTop(b.row) + "h" + tenths(w) +
			"v" + (frameHeight - 1) + "h-" + tenths(w) + "z";
	}
	for (const [key, path] of plainPaths)
		if (!parts.has(key)) {
			path.remove();
			plainPaths.delete(key);
		}
	for (const [key, { color, strength, d }] of parts) {
		let path = plainPaths.get(key);

		if (!path) {
			plainPaths.set(key, path = document.createElementNS(SVG, "path"));
			path.setAttribute("fill", css(color));
			path.setAttribute("class", KINDS[strength]);
			plainGroup.append(path);
		}
		if (path.d !== d)
			path.setAttribute("d", path.d = d);
	}
}

const rowTop = (row) => isIcicle() ? top + row * frameHeight :
	height - foot - (row + 1) * frameHeight + 1;
// The row at a height of the picture.
const rowAt = (y) => Math.floor((isIcicle() ? y - top : height - foot - y + 1) / frameHeight);

// The first and the last row that the window shows.
function rowsSeen() {
	if (isPrinting())
		return [0, rows.length - 1];
	const from = -svg.getBoundingClientRect().top;
	const seen = [rowAt(from), rowAt(from + innerHeight)].sort((a, b) => a - b);

	return [Math.max(seen[0] - SPARE_ROWS, 0), Math.min(seen[1] + SPARE_ROWS, rows.length - 1)];
}

function drawRows() {
	const [first, last] = rowsSeen(), plain = [];
	let n = 0;

	for (let k = first; k <= last; k++)
		for (const b of rows[k]) {
			const room = b.w - 2 * MARGIN, name = room < leastLabel ? "" : boxName(b);
			const text = name && label(name, room);

			if (text)
				drawLabelled(b, n++, name, text);
			else
				plain.push(b);
		}
	group.append(fresh);
	for (let i = n; i < shown; i++)
		set(pool[i], "kind", "off", write.kind);
	shown = n;
	drawPlain(plain);
	firstShown = first;
	lastShown = last;
	markCursor();
	markSame(null);
}

// After scrolling: only where rows came into sight that are not drawn.
function drawRowsSeen() {
	const [first, last] = rowsSeen();

	if (first + SPARE_ROWS / 2 < firstShown || last - SPARE_ROWS / 2 > lastShown ||
		(first === 0 && firstShown) || (last === rows.length - 1 && lastShown < last))
		drawRows();
}

// The picture grows with the rows that are drawn; it does not shrink before all is shown again, or
// it would jump with each zoom. The root of a flame graph keeps its place in the window.
function setHeight() {
	const tall = Math.max(top + rows.length * frameHeight + foot,
		isRoot() || isPrinting() ? 0 : height);
	const by = height && !isIcicle() ? tall - height : 0;
	// A browser cuts off what is below an SVG: cards and messages need all of the window.
	const room = isAlone && !isPrinting() ? Math.max(tall, innerHeight) : tall;

	svg.setAttribute("height", room);
	svg.setAttribute("viewBox", "0 0 " + width + " " + room);
	if (tall === height)
		return;
	height = tall;
	footer.setAttribute("y", height - 9 - (foot - FOOT));
	if (by && !isPrinting())
		scrollBy(0, by);
	followWindow();
}

function draw() {
	const start = performance.now();

	boxes = layout(view, state.zoom, { width: width - 2 * PAD, minimum, byWeight: byWeight() });
	rows = rowsOf(view, boxes, opened);
	setHeight();
	drawRows();
	performance.measure("draw", { start });
}

// ---- zoom ------------------------------------------------------------------------------------
function zoom(to, { isStep = true } = {}) {
	const start = performance.now(), from = state.zoom;

	if (to.node === from.node && to.from === from.from && to.to === from.to)
		return;
	if (isStep)
		zooms.push(from);
	state.zoom = to;
	missing = null;
	showMissing();
	tip.hide();
	draw();
	changed(true);
	performance.measure("zoom", { start });
}

function zoomToBox(b) {
	if (b.fold) {
		opened.add(b.node);
		draw();
		return;
	}
	cursor = b.small ? cursor : b.node;
	zoom(b.small ? { node: b.node, from: b.from, to: b.from + b.weight } : whole(b.node));
	markCursor();
}

// Undoes the last zoom; of one that came with the address, all. False: nothing is zoomed.
function zoomBack() {
	if (isRoot())
		return false;
	zoom(zooms.pop() ?? whole(view.root), { isStep: false });
	return true;
}

// ---- the frame that keys and copies are about ------------------------------------------------
// The box in which a frame is drawn: itself, or what stands for several frames.
function boxOf(node) {
	const found = (n) => boxes.find((b) => b.node === n && !b.small);
	const path = [];
	let at = node;

	for (; at >= 0 && !found(at); at = view.parent(at))
		path.push(at);
	if (at < 0)
		return null;
	const box = path.length ? smallOf(at, path.at(-1)) ?? found(at) : found(at);
	return box.row !== undefined ? box :
		rows.flat().find((b) => b.fold && b.folded.includes(box));
}

// Of a child that is too narrow.
function smallOf(up, kid) {
	const { nodes, weights } = view.row(up, byWeight());
	let start = byWeight() ? 0 : view.self(up);

	for (let i = 0; nodes[i] !== kid; i++)
		start += weights[i];
	return boxes.find((b) => b.node === up && b.small && b.from <= start &&
		start < b.from + b.weight);
}

const areaPath = (b) => "M" + (PAD + b.x).toFixed(2) + " " + rowTop(b.row) + "h" +
	Math.max(b.w - GAP, 1).toFixed(2) + "v" + (frameHeight - 1) + "h-" +
	Math.max(b.w - GAP, 1).toFixed(2) + "z";

function select(node, { isSpoken = false } = {}) {
	const folded = boxOf(node);

	if (folded?.fold && folded.node !== node) { // what is selected is seen
		opened.add(folded.node);
		draw();
	}
	cursor = node;
	markCursor();
	const b = boxOf(node);
	if (b)
		scrollToRow(b.row);
	if (isSpoken)
		ui.spoken.textContent = b ? (b.node === node && !b.small ? "" :
			"in a box of several: ") + describe(asBox(node)) : "";
}

// A node as a box of its own, wherever it is drawn.
const asBox = (node) => ({ node, weight: view.total(node), small: 0,
	above: boxes.some((b) => b.node === node && b.above) });

function scrollToRow(row) {
	const y = svg.getBoundingClientRect().top + rowTop(row), bar = ui.bar.offsetHeight;
	const above = y - (isAlone ? bar + 2 : 0), below = y + frameHeight - innerHeight;

	if (above < 0)
		scrollBy(0, above - frameHeight);
	else if (below > 0)
		scrollBy(0, below + frameHeight);
	drawRowsSeen();
	followWindow();
}

function markCursor() {
	const b = cursor === null ? null : boxOf(cursor);
	const e = b && pool.slice(0, shown).find(({ box }) => box === b);

	cursorOutline.setAttribute("d", b ? areaPath(b) : "");
	if (e)
		set(e, "name", spoken(asBox(cursor), nameOf(view.frame(cursor))), write.name);
	if (e)
		group.setAttribute("aria-activedescendant", e.g.id);
	else
		group.removeAttribute("aria-activedescendant");
	show(ui.copy, b);
	show(ui.copyStack, b);
	ui.details.textContent = b ? describe(asBox(cursor)) : "";
	ui.module.textContent = b ? placeOf(asBox(cursor)).join("  ") : "";
}

// Outlines the places of the function that is under the mouse.
function markSame(b) {
	const nameNumber = (one) => !one.small && !one.fold && view.frame(one.node) ?
		tree.name[view.frame(one.node)] : 0;
	const name = b ? nameNumber(b) : 0;
	let d = "";

	for (let k = firstShown; name && k <= lastShown; k++)
		for (const other of rows[k])
			if (nameNumber(other) === name)
				d += areaPath(other);
	sameOutline.setAttribute("d", d);
}

// The box at a place of the window.
function boxAt(x, y) {
	const area = svg.getBoundingClientRect(), k = rowAt(y - area.top);
	const at = x - area.left - PAD;
	const isThere = (b) => at >= b.x && at < b.x + Math.max(b.w, 1);

	return k < 0 ? null : rows[k]?.findLast(isThere) ?? null;
}

// Towards the leaf: the widest child. Else the neighbour on that side.
function move(dx, dy) {
	const flat = boxes.filter((b) => !b.small);
	const at = flat.find((b) => b.node === cursor) ??
		flat.find((b) => b.node === state.zoom.node);
	const free = (b) => b !== at && b.depth === at.depth + dy;
	const inside = (b) => b.x >= at.x - .01 && b.x < at.x + at.w;
	let next = at;

	if (dy > 0)
		next = flat.filter((b) => free(b) && inside(b)).sort((a, b) => b.w - a.w)[0];
	else if (dy < 0)
		next = flat.find((b) => b.node === view.parent(at.node));
	else if (cursor !== null)
		next = flat.filter((b) => free(b) && (b.x - at.x) * dx > 0)
			.sort((a, b) => (a.x - b.x) * dx)[0];
	if (next)
		select(next.node, { isSpoken: true });
}
