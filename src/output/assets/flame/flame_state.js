// What the user chose, and what follows from it: the view, colours, texts.

const PAD = 10, MARGIN = 3, GAP = .5, FOOT = 26;
const FOOTER_ROW = 15, PARTS = " \u00b7 ";
const XHTML = "http://www.w3.org/1999/xhtml", SVG = "http://www.w3.org/2000/svg";
const script = document.currentScript;
const svg = script ? script.closest("svg") : document.documentElement;
const find = (id) => svg.querySelector("#" + id);
const isAlone = svg.parentNode === document; // not part of a page
const picture = svg.dataset, inTime = picture.order === "time";
const frameHeight = Number(picture.frameHeight);
const group = find("frames"), footer = find("footer");
const TIERS = ["no tier", "interpreted", "baseline", "Maglev", "TurboFan",
	"quick", "optimized", "prebuilt"];
const SMALL_COLORS = [0xdcdcd8, 0x565a61], PAPERS = [0xfcfcfa, 0x17191d];
const TALL = 800; // pixels: what is taller opens as an icicle
let tree;

try {
	tree = await readTree(find("data").textContent);
} catch (error) {
	return; // a browser that cannot unpack: the drawing stays as it is
}

// A node of a difference has a colour of its own, which is the category of its frame.
const FIRST_COLORS = picture.colors ?? (tree.changes ? "category" : "palette");

// Callers of what has grown and of what has shrunk would be one.
const noReverse = inTime || Boolean(tree.changes);

// ---- what the user chose; all of it is in the address ----------------------------------------
// mindsCase: "1", "0", or "": as the term is written. order: "name", "weight", or "": of callers by
// weight, else by name. icicle: null is what the height asks for. of: in callers, the node whose
// stacks they are.
const usual = () => ({ zoom: null, term: "", mindsCase: "", reverse: Boolean(picture.reversed),
	of: 0, icicle: picture.inverted ? true : null, order: "", colors: FIRST_COLORS,
	hidden: new Set(), dark: null });
const state = usual();
let hit = new Uint8Array(tree.nFrames), expression = null;
let view, boxes = [], rows = [], width = 0, height = 0, top = 0, minimum = 1;
let cursor = null, measure, leastLabel = 0, faded = null, isTall = false, dark = false;
let foot = FOOT; // below the frames
const zooms = [], opened = new Set();

const byWeight = () => state.order ? state.order === "weight" : state.reverse;
const isIcicle = () => state.icicle ?? isTall;

// A picture with a background of its own is light unless the user chose dark.
const isPrinting = () => svg.classList.contains("printing");
const isDark = () => !isPrinting() && (state.dark ?? (!svg.classList.contains("painted") &&
	matchMedia("(prefers-color-scheme: dark)").matches));

// ---- colours ---------------------------------------------------------------------------------
const css = (rgb) => "#" + rgb.toString(16).padStart(6, "0");
const paints = {
	palette: { key: () => 0, names: [], color: (f) => tree.color[f] },
	category: { key: (f) => tree.category[f], names: tree.categories.names,
		color: (f) => tree.categories.colors[tree.category[f]] },
	module: { key: (f) => tree.module[f],
		names: tree.modules.names.map((m) => m.slice(m.lastIndexOf("/") + 1) || "none"),
		color: (f) => tree.modules.colors[tree.module[f]] },
	package: { key: (f) => tree.package[f],
		names: tree.packages.names.map((name) => name || "none"),
		color: (f) => tree.packages.colors[tree.package[f]] },
	// Between the colours of all tiers it ran in; in the legend it is where it ran most.
	tier: { key: (f) => tree.mixes.tiers[tree.mix[f]], names: TIERS,
		color: (f) => tree.mixes.colors[tree.mix[f]] }
};
const MATCH_COLOR = 0xb000b0;

const colorOf = (f) => f || state.colors === "palette" ? paints[state.colors].color(f) :
	tree.categories.colors[0];
const isFaded = (f) => faded !== null && f > 0 && faded[f] === 1;

// Of a key in the legend; frame: one that has it.
const keyColor = (k, frame) => state.colors === "tier" ? tree.mixes.tierColors[k] : colorOf(frame);

function findFaded() {
	const { key } = paints[state.colors];

	faded = state.hidden.size ? new Uint8Array(tree.nFrames) : null;
	for (let f = 1; faded && f < tree.nFrames; f++)
		faded[f] = state.hidden.has(key(f)) ? 1 : 0;
}

// How much of a frame's colour is seen: of all, of those above the zoom, of faded ones.
const ALPHAS = [1, .45, .25];
const inks = new Map();

// Of black and white the one with more contrast.
function isInkLight(color, strength) {
	const key = (color * ALPHAS.length + strength) * 2 + Number(dark);
	let light = inks.get(key);

	if (light === undefined) {
		light = luminance(mixed(color, PAPERS[Number(dark)], ALPHAS[strength])) <
			BLACK_FROM;
		inks.set(key, light);
	}
	return light;
}

// The self weight in what is shown under each key of the colours, the largest first; 0: of callers
// only.
function keysByWeight(n) {
	const { key, names } = paints[state.colors], { frame, self, end } = tree;
	const sums = new Float64Array(names.length), one = new Uint32Array(names.length);
	const isShown = new Uint8Array(names.length);
	const keys = Uint32Array.from({ length: tree.nFrames }, (_, f) => f && key(f));

	for (let f = tree.nFrames - 1; f > 0; f--)
		one[keys[f]] = f;
	for (let i = Math.max(n, 1); i < end[n]; i++)
		if (frame[i]) {
			sums[keys[frame[i]]] += self[i];
			isShown[keys[frame[i]]] = 1;
		}
	return names.map((name, k) => ({ name, k, weight: sums[k], frame: one[k] }))
		.filter((row) => row.frame && (row.weight || state.hidden.has(row.k) ||
			(isShown[row.k] && !["none", "root", "label"].includes(row.name))))
		.sort((a, b) => b.weight - a.weight);
}

// ---- views -----------------------------------------------------------------------------------
function chooseView() {
	const isKnown = view && view.constructor === (state.reverse ? Reverse : Forward) &&
		(view.top ?? 0) === (state.reverse ? state.of : 0);

	if (!isKnown)
		view = state.reverse ? new Reverse(tree, state.of) : new Forward(tree);
	state.zoom = whole(view.root);
	cursor = null;
	zooms.length = 0;
	opened.clear();
}

const whole = (node) => ({ node, from: 0, to: view.total(node) });
const isPart = () => state.zoom.to - state.zoom.from < view.total(state.zoom.node);
const isRoot = () => state.zoom.node === view.root && !isPart();

// The names of a node's ancestors and of itself, from the root on.
function namesOf(of, node) {
	const names = [];

	for (; node >= 0 && of.parent(node) >= 0; node = of.parent(node))
		names.unshift(nameOf(of.frame(node)));
	return names;
}

// The node with that path of names, the heaviest where there are several; -1: there is none.
function nodeAt(of, names) {
	let node = of.root;

	for (const name of names) {
		const { nodes, frames } = of.row(node, true);

		node = nodes[frames.findIndex((f) => f && linkName(nameOf(f)) === name)] ?? -1;
		if (node < 0)
			return -1;
	}
	return node;
}

// Nobody beside a node or one of its ancestors has the same name and weighs more: its path of names
// leads to it.
function isHeaviest(of, node) {
	for (let up; (up = of.parent(node)) >= 0; node = up) {
		const { nodes, frames, weights } = of.row(up, false), weight = of.total(node);
		const name = tree.name[of.frame(node)];

		for (let i = 0; i < nodes.length; i++)
			if (weights[i] >= weight && nodes[i] !== node && frames[i] &&
				tree.name[frames[i]] === name &&
				(weights[i] > weight || nodes[i] < node))
				return false;
	}
	return true;
}

// Where one of several with the same name is, by places among children.
function placesOf(of, node) {
	const places = [];

	for (let up; (up = of.parent(node)) >= 0; node = up)
		places.unshift(of.row(up, false).nodes.indexOf(node));
	return places.join(".");
}

function nodeAtPlaces(of, places) {
	return places.split(".").filter(Boolean).reduce((node, k) =>
		node < 0 ? node : of.row(node, false).nodes[Number(k)] ?? -1, of.root);
}

// ---- texts -----------------------------------------------------------------------------------
const grouped = new Intl.NumberFormat("en-US"), count = (n) => grouped.format(n);
const percent = (part, all, digits = 2) => part === all ? "100%" :
	(100 * part / all).toFixed(digits) + "%";
const nameOf = (f) => f ? tree.texts[tree.name[f]] || "[empty]" : "all";
const boxName = (b) => b.fold ? "\u22ef " + count(b.fold) + " frames" :
	b.small ? "(" + count(b.small) + " small)" : nameOf(view.frame(b.node));

const amount = (value) => amountText(value, picture.unit);
const share = (part) => (100 * part).toFixed(2) + "%";
const sides = (before, after) => "before " + share(before) + ", after " + share(after);

function describeChange(c) {
	const points = 100 * (c.after - c.before);
	const times = c.before && c.after ? ", " + (c.after / c.before).toFixed(2) + " times" : "";

	return sides(c.before, c.after) + ": " + (points < 0 ? "" : "+") + points.toFixed(2) +
		" points" + times + (c.clear ? "" : ", no clear change") +
		(c.selfBefore || c.selfAfter ?
			"; by itself " + sides(c.selfBefore, c.selfAfter) : "");
}

// Not of the lane of what is gone, nor of several frames.
function changeOf(b) {
	const change = !b.small && !b.fold && view.change && view.change(b.node);

	return change && (change.before || change.after) ? describeChange(change) : "";
}

// In one line.
function describe(b) {
	const all = view.total(view.root), part = state.zoom.to - state.zoom.from;
	const name = (b.small || b.fold ? "" : picture.nameType + " ") + boxName(b);
	const change = changeOf(b);

	if (change)
		return name + " (" + change + ")";
	return name + " (" + amount(b.weight) + ", " + percent(b.weight, all) + ")" +
		(part < all && !b.above ?
			", " + percent(b.weight, part) + " of what is shown" : "");
}

function placeOf(b) {
	const f = b.small || b.fold ? 0 : view.frame(b.node), line = tree.line[f];
	const file = f && tree.texts[tree.file[f]];

	return [f && tree.modules.names[tree.module[f]], file && file + (line ? ":" + line : ""),
		f && tree.mixes.names[tree.mix[f]]].filter(Boolean);
}

let names = null; // placesByName(), once it is asked for

// "in 3 places, 9.00%"
function placesText(f) {
	names ||= placesByName(tree);
	const places = names.places[tree.name[f]];

	const part = 100 * names.weights[tree.name[f]] / tree.total[0];

	return places > 1 ?
		"in " + count(places) + " places, " + part.toFixed(2) + " % of all" : "";
}

// The card at the pointer (tooltip.js).
function cardOf(b) {
	const change = changeOf(b), f = b.small || b.fold ? 0 : view.frame(b.node);
	const up = view.parent(b.node), isOne = !b.small && !b.fold;

	if (change)
		return { title: boxName(b), lines: [...change.split("; "),
			placeOf(b).join(" \u00b7 ")].filter(Boolean) };
	return frameCard({ name: boxName(b), weight: b.weight, amount,
		self: isOne && !state.reverse ? view.self(b.node) : undefined,
		all: view.total(view.root), parent: b.small ? view.total(b.node) :
			up >= 0 ? view.total(up) : 0,
		where: placeOf(b),
		notes: [f ? placesText(f) : "", b.fold ? "a click shows them" : ""] });
}

const stackOf = (node) => (state.reverse ? namesOf(view, node).reverse() : namesOf(view, node))
	.join(";");

// The width of a text, of characters measured once for each.
function measurer() {
	const pen = document.createElementNS(XHTML, "canvas").getContext("2d");
	const style = getComputedStyle(svg), known = new Map();

	pen.font = style.fontSize + " " + style.fontFamily;
	return (text, limit = Infinity) => {
		let used = 0;

		for (const c of text) {
			let w = known.get(c);

			if (w === undefined)
				known.set(c, w = pen.measureText(c).width);
			used += w;
			if (used > limit)
				break;
		}
		return used;
	};
}

// As much of a name as there is room for.
const stepsOf = new Map();

function label(name, room) {
	const fits = (text) => measure(text, room) <= room;

	if (room < measure("m\u2026m"))
		return fits(name) ? name : "";
	if (fits(name))
		return name;
	if (!stepsOf.has(name))
		stepsOf.set(name, labelSteps(name));
	return labelThatFits(name, fits, stepsOf.get(name));
}
