// Draws the boxes of a view; what was found among them, and the one that keys are about.

// ---- drawing: elements are used again, and written to only where something changed -----------
// A zoom may show ten thousand: a copy takes half the time of elements made one by one, most never
// have a label or a hover text, and new ones are written to before they are in the document.
const template = document.createElementNS(SVG, "g"), fresh = document.createDocumentFragment();
const elementOf = new WeakMap(); // by what is under the mouse

template.append(document.createElementNS(SVG, "rect"));
template.firstChild.setAttribute("rx", 2);
template.firstChild.setAttribute("height", frameHeight - 1);

function makeBox() {
	const g = template.cloneNode(true);
	const e = { g, rect: g.firstChild, text: null, old: {}, box: null };

	elementOf.set(g, e);
	fresh.append(g);
	return e;
}

function textOf(box) {
	if (!box.text)
		box.g.append(box.text = document.createElementNS(SVG, "text"));
	return box.text;
}

function set(box, key, value, write) {
	if (box.old[key] !== value) {
		box.old[key] = value;
		write(box, value);
	}
}
const write = {
	x: (b, v) => b.rect.setAttribute("x", v),
	y: (b, v) => b.rect.setAttribute("y", v),
	textX: (b, v) => textOf(b).setAttribute("x", v + MARGIN),
	textY: (b, v) => textOf(b).setAttribute("y", v + 3 + (frameHeight - 1) / 2),
	w: (b, v) => b.rect.setAttribute("width", v),
	fill: (b, v) => b.rect.setAttribute("fill", v),
	label: (b, v) => { textOf(b).textContent = v; },
	name: (b, v) => {
		b.g.setAttribute("role", v ? "img" : "none");
		b.g.setAttribute("aria-label", v.slice(0, 500));
	},
	kind: (b, v) => b.g.setAttribute("class", v)
};

function kindOf(b, f) {
	return (b.small ? "small" : hit[f] ? "match" : "") + (b.above ? " above" : "");
}

function drawBox(b, i) {
	const e = pool[i] || (pool[i] = makeBox()), f = b.small ? 0 : view.frame(b.node);
	const w = Math.max(b.w > 3 ? b.w - GAP : b.w, .1), name = boxName(b);
	const x = Math.round((PAD + b.x) * 100) / 100, y = rowTop(b.depth);
	const text = label(name, b.w - 2 * MARGIN);

	e.box = b;
	b.element = e;
	set(e, "x", x, write.x);
	set(e, "y", y, write.y);
	set(e, "w", Math.round(w * 100) / 100, write.w);
	set(e, "fill", b.small ? "" : fillOf(f), write.fill);
	set(e, "kind", kindOf(b, f), write.kind);
	if (text || e.text) { // most have none: these are described on hover
		set(e, "label", text, write.label);
		set(e, "name", text && name, write.name);
	}
	if (text) {
		set(e, "textX", x, write.textX);
		set(e, "textY", y, write.textY);
	}
}

const rowTop = (depth) => state.icicle ? top + depth * frameHeight :
	height - FOOT - (depth + 1) * frameHeight + 1;

// The picture grows with the depth of what is drawn; it does not shrink before all is shown again,
// or it would jump with each zoom.
function setHeight() {
	const depth = boxes.reduce((max, b) => Math.max(max, b.depth), 0);
	const tall = Math.max(top + (depth + 1) * frameHeight + FOOT, isRoot() ? 0 : height);

	if (tall === height)
		return;
	const by = height && !state.icicle ? tall - height : 0;
	height = tall;
	svg.setAttribute("height", height);
	svg.setAttribute("viewBox", "0 0 " + width + " " + height);
	footer.setAttribute("y", height - 9);
	scrollSoon(by, null);
}

// Scrolling asks the browser where everything is: once for a picture, and after the script.
const scroll = { by: 0, to: null, waits: false };

function scrollSoon(by, to) {
	scroll.by += by;
	scroll.to = to || scroll.to;
	if (scroll.waits || !(scroll.by || scroll.to))
		return;
	scroll.waits = true;
	requestAnimationFrame(() => {
		if (scroll.by)
			scrollBy(0, scroll.by);
		if (scroll.to)
			scroll.to.scrollIntoView({ block: "nearest" });
		ui.bar.parentNode.setAttribute("y", scrollTop());
		Object.assign(scroll, { by: 0, to: null, waits: false });
	});
}

// Ten thousand boxes would hold up everything else for a tenth of a second: so many are drawn at a
// time, from the root on, the next ones with the next picture that the window shows.
const SLICE = 1500;
let drawn = 0, nextSlice = 0;

function drawSlice(n) {
	const end = Math.min(drawn + n, boxes.length);

	cancelAnimationFrame(nextSlice);
	for (; drawn < end; drawn++)
		drawBox(boxes[drawn], drawn);
	group.append(fresh);
	if (drawn < boxes.length)
		nextSlice = requestAnimationFrame(() => drawSlice(SLICE));
	for (let i = drawn; i < shown; i++)
		set(pool[i], "kind", "off", write.kind);
	shown = drawn;
	markCursor();
}

function draw() {
	const start = performance.now();

	boxes = layout(view, state.zoom, width - 2 * PAD, small, state.byWeight);
	setHeight();
	drawn = 0;
	drawSlice(SLICE);
	performance.measure("draw", { start });
}

function zoom(to) {
	const start = performance.now();

	state.zoom = to;
	draw();
	changed();
	showDetails(boxes.find((b) => b.node === cursor && !b.small));
	performance.measure("zoom", { start });
}

function zoomToBox(b) {
	zoom(b.small ? { node: b.node, from: b.from, to: b.from + b.weight } : whole(b.node));
	if (!b.small)
		select(b.node);
}

// ---- search ----------------------------------------------------------------------------------
function search() {
	let found = null;

	try {
		found = state.term ? new RegExp(state.term, state.ignoreCase ? "i" : "") : null;
	} catch (error) {
		ui.search.classList.add("bad");
		ui.search.title = error.message;
		return false;
	}
	ui.search.classList.remove("bad");
	ui.search.title = SEARCH_HELP;
	expression = found;
	findHits();
	return true;
}

function findHits() {
	const known = new Map();

	for (let f = 1; f < tree.nFrames; f++) {
		const name = tree.name[f];

		if (!known.has(name))
			known.set(name, expression && expression.test(tree.texts[name]) ? 1 : 0);
		hit[f] = hiddenFrames[f] ? 0 : known.get(name);
	}
	matches = null;
}

// All matches that are below no other match; where a view is made as it is looked at,
// those that are drawn.
function allMatches() {
	if (!matches && view.found) {
		matches = view.found(hit);
		if (state.byWeight)
			matches.sort((a, b) => view.total(b) - view.total(a));
	}
	return matches || boxes.filter((b) => !b.small && hit[view.frame(b.node)])
		.sort((a, b) => a.x - b.x || a.depth - b.depth).map((b) => b.node);
}

function nextMatch(by) {
	const all = expression ? allMatches() : [];

	if (!all.length)
		return;
	const at = cursor === null ? -1 : all.indexOf(cursor);
	const first = by > 0 ? 0 : all.length - 1;
	const next = all[at < 0 ? first : (at + by + all.length) % all.length];

	if (!boxes.some((b) => !b.small && b.node === next))
		zoom(whole(next));
	select(next);
	ui.matched.textContent = (all.indexOf(next) + 1) + " of " + count(all.length) + ", " +
		matchedText();
}

function matchedText() {
	const { node, from, to } = state.zoom;
	let weight;

	if (!isPart()) {
		weight = view.matched(node, hit);
	} else {
		weight = boxes.filter((b) => b.depth === depthOf(node) + 1 && !b.small)
			.reduce((sum, b) => sum + view.matched(b.node, hit), 0);
		for (let n = node; n >= 0; n = view.parent(n))
			weight = hit[view.frame(n)] ? to - from : weight;
	}
	return percent(weight, to - from, 1) + " matched";
}

function depthOf(node) {
	let depth = 0;

	while ((node = view.parent(node)) >= 0)
		depth++;
	return depth;
}

// ---- the frame that keys and copies are about ------------------------------------------------
function select(node) {
	cursor = node;
	markCursor();
	const b = boxes.find((box) => box.node === node && !box.small);
	if (b) {
		showDetails(b);
		drawSlice(boxes.indexOf(b) + 1 - drawn);
		scrollSoon(0, b.element.g);
	}
}

function markCursor() {
	const box = cursor === null ? null : boxes.find((b) => b.node === cursor && !b.small);
	const next = box ? box.element : null;

	for (const e of [marked, next].filter(Boolean)) {
		e.g.classList.toggle("cursor", e === next);
		e.old.kind = null; // written anew by the next drawing
	}
	marked = next;
	show(ui.copy, next);
	show(ui.copyStack, next);
}

function showDetails(b) {
	ui.details.textContent = b ? describe(b) : "";
	ui.module.textContent = b ? moduleOf(b) : "";
}

// Towards the leaf: the widest child. Else the neighbour on that side.
function move(dx, dy) {
	const at = boxes.find((b) => b.node === cursor && !b.small) ||
		boxes.find((b) => b.node === state.zoom.node);
	const free = (b) => !b.small && b !== at && b.depth === at.depth + dy;
	const inside = (b) => b.x >= at.x - .01 && b.x < at.x + at.w;
	let next = at;

	if (dy > 0)
		next = boxes.filter((b) => free(b) && inside(b)).sort((a, b) => b.w - a.w)[0];
	else if (dy < 0)
		next = boxes.find((b) => b.node === view.parent(at.node) && !b.small);
	else if (cursor !== null)
		next = boxes.filter((b) => free(b) && (b.x - at.x) * dx > 0)
			.sort((a, b) => (a.x - b.x) * dx)[0];
	if (next)
		select(next.node);
}

async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch (error) {
		const area = html("textarea", { value: text });

		ui.bar.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	ui.module.textContent = "copied";
}
