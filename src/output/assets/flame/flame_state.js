// What the user chose, and what follows from it: the view, colours, texts.

const PAD = 10, MARGIN = 3, GAP = .5, FOOT = 26;
const XHTML = "http://www.w3.org/1999/xhtml", SVG = "http://www.w3.org/2000/svg";
const script = document.currentScript;
const svg = script ? script.closest("svg") : document.documentElement;
const find = (id) => svg.querySelector("#" + id);
const picture = svg.dataset, inTime = picture.order === "time";
const frameHeight = Number(picture.frameHeight);
const group = find("frames"), footer = find("footer");
const TIERS = ["no tier", "interpreted", "baseline", "Maglev", "TurboFan",
	"quick", "optimized", "prebuilt"];
const ROOT_COLOR = 0xc5cdd8;
let tree;

try {
	tree = await readTree(find("data").textContent);
} catch (error) {
	return; // a browser that cannot unpack: the drawing stays as it is
}

// A node of a difference has a colour of its own, which is the category of its frame.
const FIRST_COLORS = tree.changes ? "category" : "palette";

// Callers of what has grown and of what has shrunk would be one.
const noReverse = inTime || Boolean(tree.changes);

// ---- what the user chose; all of it is in the address ----------------------------------------
const state = { zoom: null, term: "", ignoreCase: false, reverse: Boolean(picture.reversed),
	icicle: Boolean(picture.inverted), byWeight: false, colors: FIRST_COLORS,
	hidden: new Set(), dark: null };
const views = new Map();
const hit = new Uint8Array(tree.nFrames);
let view, hiddenFrames, boxes = [], pool = [], shown = 0, width = 0, height = 0, top = 0;
let cursor = null, marked = null, matches = [], measure, small = 1, expression = null;

// ---- colours ---------------------------------------------------------------------------------
const css = (rgb) => "#" + rgb.toString(16).padStart(6, "0");
const paints = {
	palette: { key: (f) => 0, names: [], color: (f) => tree.color[f] },
	category: { key: (f) => tree.category[f], names: tree.categories.names,
		color: (f) => tree.categories.colors[tree.category[f]] },
	module: { key: (f) => tree.module[f],
		names: tree.modules.names.map((m) => m.slice(m.lastIndexOf("/") + 1) || "none"),
		color: (f) => tree.modules.colors[tree.module[f]] },
	// Between the colours of all tiers it ran in; in the legend it is where it ran most.
	tier: { key: (f) => tree.mixes.tiers[tree.mix[f]], names: TIERS,
		color: (f) => tree.mixes.colors[tree.mix[f]] }
};
const fills = {};

function fillOf(f) {
	const known = fills[state.colors] || (fills[state.colors] = []);

	return known[f] || (known[f] = css(f || state.colors === "palette" ?
		paints[state.colors].color(f) : ROOT_COLOR));
}

// The self weight under each key of the colours, the largest first.
function keysByWeight() {
	const { key, names } = paints[state.colors];
	const sums = names.map(() => 0), one = names.map(() => 0);

	for (let i = 1; i < tree.n; i++)
		if (tree.frame[i]) {
			sums[key(tree.frame[i])] += tree.self[i];
			one[key(tree.frame[i])] = tree.frame[i];
		}
	return names.map((name, k) => ({ name, k, weight: sums[k], frame: one[k] }))
		.filter((row) => row.frame).sort((a, b) => b.weight - a.weight);
}

// ---- views -----------------------------------------------------------------------------------
function chooseView() {
	const { key } = paints[state.colors];
	const id = [state.reverse, state.colors, ...state.hidden].join();

	hiddenFrames = new Uint8Array(tree.nFrames);
	if (state.hidden.size)
		for (let f = 1; f < tree.nFrames; f++)
			hiddenFrames[f] = state.hidden.has(key(f)) ? 1 : 0;
	if (!views.has(id)) {
		views.clear(); // one is enough to keep
		views.set(id, state.reverse ? new Reverse(tree, hiddenFrames) :
			state.hidden.size ? new Without(tree, hiddenFrames) :
			new Forward(tree));
	}
	view = views.get(id);
	state.zoom = whole(view.root);
	cursor = null;
}

const whole = (node) => ({ node, from: 0, to: view.total(node) });
const isRoot = () => state.zoom.node === view.root && !isPart();
const isPart = () => state.zoom.to - state.zoom.from < view.total(state.zoom.node);

// A node as its place among the children of each of its ancestors.
function pathOf(node) {
	const path = [];

	for (let up; (up = view.parent(node)) >= 0; node = up)
		path.unshift(view.row(up, false).nodes.indexOf(node));
	return path.join(".");
}

function nodeAt(path) {
	return path.split(".").filter(Boolean).reduce((node, k) =>
		node === undefined ? node : view.row(node, false).nodes[Number(k)], view.root);
}

// ---- texts -----------------------------------------------------------------------------------
const grouped = new Intl.NumberFormat("en-US"), count = (n) => grouped.format(n);
const percent = (part, all, digits = 2) => part === all ? "100%" :
	(100 * part / all).toFixed(digits) + "%";
const nameOf = (f) => f ? tree.texts[tree.name[f]] || "[empty]" : "all";
const boxName = (b) => b.small ? "(" + count(b.small) + " small)" : nameOf(view.frame(b.node));

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

function describe(b) {
	const change = !b.small && view.change && view.change(b.node);

	if (change && (change.before || change.after)) // else it is the lane of what is gone
		return picture.nameType + " " + boxName(b) + " (" + describeChange(change) + ")";
	const all = view.total(view.root), part = state.zoom.to - state.zoom.from;
	const text = (b.small ? "" : picture.nameType + " ") + boxName(b) + " (" +
		count(b.weight) + " " + picture.unit + ", " + percent(b.weight, all) + ")";

	return text + (part < all && !b.above ?
		", " + percent(b.weight, part) + " of what is shown" : "");
}

function moduleOf(b) {
	const f = b.small ? 0 : view.frame(b.node), line = tree.line[f];
	const file = f && tree.texts[tree.file[f]];

	return [f && tree.modules.names[tree.module[f]], file && file + (line ? ":" + line : ""),
		f && tree.mixes.names[tree.mix[f]]].filter(Boolean).join("  ");
}

function stackOf(node) {
	const names = [];

	for (; view.parent(node) >= 0; node = view.parent(node))
		names.unshift(nameOf(view.frame(node)));
	return (state.reverse ? names.reverse() : names).join(";");
}

// The width of a character, measured once for each.
function measurer() {
	const pen = document.createElementNS(XHTML, "canvas").getContext("2d");
	const style = getComputedStyle(svg), known = new Map();

	pen.font = style.fontSize + " " + style.fontFamily;
	return (c) => {
		let w = known.get(c);

		if (w === undefined)
			known.set(c, w = pen.measureText(c).width);
		return w;
	};
}

// As much of a name as there is room for.
function label(name, room) {
	const dots = 2 * measure(".");
	let used = 0, fits = 0;

	if (room < dots + measure("m"))
		return "";
	for (const c of name) {
		used += measure(c);
		if (used > room)
			return fits ? name.slice(0, fits) + ".." : "";
		if (used + dots <= room)
			fits += c.length;
	}
	return name;
}
