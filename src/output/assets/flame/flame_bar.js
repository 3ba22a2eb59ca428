// The bar above the drawing, keys, mouse, the address; and the start of it all.

// ---- the bar ---------------------------------------------------------------------------------
const SEARCH_HELP = "Regular expression, such as ^ext4_ (/ or Ctrl-F)";
const ui = {};

function html(name, properties, ...children) {
	const e = Object.assign(document.createElementNS(XHTML, name), properties);

	e.append(...children);
	return e;
}

function button(id, text, title, click) {
	ui[id] = html("button", { id, type: "button", textContent: text, title, onclick: click });
	return ui[id];
}

function chooser(id, title, options, change) {
	ui[id] = html("select", { id, title, onchange: () => change(ui[id].value) },
		...options.map(([value, text]) => html("option", { value, textContent: text })));
	return ui[id];
}

function searchGroup() {
	ui.search = html("input", { id: "search", type: "text", placeholder: "Search",
		title: SEARCH_HELP, spellcheck: false, oninput: () => {
			state.term = ui.search.value;
			if (search())
				draw();
			changed();
		} });
	ui.search.setAttribute("aria-label", "Search for a regular expression");
	ui.matched = html("span", { id: "matched" });
	return html("span", { className: "search" }, ui.search,
		button("ignorecase", "Aa", "Ignore case (Ctrl-I)", toggle("ignoreCase")),
		button("previous", "\u2039", "Previous match (p)", () => nextMatch(-1)),
		button("next", "\u203a", "Next match (n)", () => nextMatch(1)), ui.matched);
}

function toggleHelp() {
	ui.help.hidden = !ui.help.hidden;
	place();
}

function viewGroup() {
	const colors = [["palette", "palette"], ["category", "category"], ["module", "module"]];

	if (tree.mix.some(Boolean))
		colors.push(["tier", "tier share"]);
	return html("span", { className: "views" },
		button("reverse", "Callers", "Who calls each function (r)", toggle("reverse")),
		button("icicle", "Icicle", "The root at the top (v)", toggle("icicle")),
		chooser("order", "Order (o)",
			[["name", "by name"], ["weight", "by weight"]],
			(v) => choose({ byWeight: v === "weight" })),
		chooser("colors", "Colours (c)", colors,
			(v) => choose({ colors: v, hidden: new Set() })),
		button("dark", "\u263d", "Dark or light (d)", () => choose({ dark: !isDark() })),
		button("keys", "?", "Keys (?)", toggleHelp));
}

function makeBar() {
	const holder = document.createElementNS(SVG, "foreignObject");

	ui.details = html("span", { id: "details" });
	ui.details.setAttribute("aria-live", "polite");
	ui.module = html("span", { id: "module" });
	ui.legend = html("div", { id: "legend" });
	ui.help = html("div", { id: "help", hidden: true }, ...HELP.map(([keys, what]) =>
		html("span", {}, html("kbd", { textContent: keys }), " " + what)));
	ui.bar = html("div", { id: "bar" },
		html("div", { className: "row" },
			html("span", { className: "names" },
				html("strong", { textContent: picture.title }),
				html("span", { textContent: find("subtitle")?.textContent ?? "" })),
			searchGroup(), viewGroup()),
		html("div", { className: "row about" }, ui.details, ui.module,
			button("copy", "Copy name", "y", () => copy(nameOf(view.frame(cursor)))),
			button("copyStack", "Copy stack", "Shift-Y", () => copy(stackOf(cursor))),
			button("unzoom", "Reset zoom", "Esc", () => zoom(whole(view.root)))),
		ui.legend, ui.help);
	ui.order.hidden = inTime;
	ui.reverse.hidden = noReverse;
	holder.id = "controls";
	holder.append(ui.bar);
	svg.append(holder);
}

function makeLegend() {
	const rows = state.colors === "palette" ? [] : keysByWeight().slice(0, 24);

	ui.legend.replaceChildren(...rows.map(({ name, k, frame }) => {
		const chip = html("button", { type: "button", className: "chip",
			title: "Take these frames out, or put them back", onclick: () => {
				const hidden = new Set(state.hidden);

				if (!hidden.delete(k))
					hidden.add(k);
				choose({ hidden });
			} }, html("i", {}), name || "none");

		chip.firstChild.style.background = fillOf(frame);
		chip.setAttribute("aria-pressed", String(!state.hidden.has(k)));
		return chip;
	}));
	ui.legend.hidden = !rows.length;
}

// What is not shown keeps its room, so that nothing moves under the mouse.
function show(element, on) {
	element.style.visibility = on ? "" : "hidden";
}

// A picture with a background of its own is light unless the user chose dark.
const isDark = () => state.dark === null ? !svg.classList.contains("painted") &&
	matchMedia("(prefers-color-scheme: dark)").matches : state.dark;
const toggle = (key) => () => choose({ [key]: !state[key] });

// A choice of the user: what depends on it follows.
function choose(what) {
	const old = { ...state };

	Object.assign(state, what);
	if (!old.hidden.size && !state.hidden.size)
		state.hidden = old.hidden;
	if (old.reverse !== state.reverse || old.hidden !== state.hidden)
		chooseView();
	if (old.byWeight !== state.byWeight && isPart())
		state.zoom = whole(state.zoom.node);
	if (old.colors !== state.colors || old.hidden !== state.hidden)
		makeLegend();
	search();
	place();
	changed();
}

// What the buttons and the address show of the state.
function changed() {
	const pressed = { ignorecase: state.ignoreCase, reverse: state.reverse,
		icicle: state.icicle, dark: isDark() };

	Object.entries(pressed).forEach(([id, on]) =>
		ui[id].setAttribute("aria-pressed", String(on)));
	ui.order.value = state.byWeight ? "weight" : "name";
	ui.colors.value = state.colors;
	show(ui.unzoom, !isRoot());
	ui.matched.textContent = expression ? matchedText() : "";
	show(ui.previous, expression);
	show(ui.next, expression);
	if (ui.search.value !== state.term)
		ui.search.value = state.term;
	remember();
}

// ---- the address: ?z=PATH&w=FROM-TO&s=SEARCH&i=1&r=1&v=1&o=weight&c=COLOURS&h=HIDDEN&d=1 -----
function remember() {
	const url = new URL(location.href), { zoom: at } = state;
	const values = { z: at.node === view.root ? "" : pathOf(at.node),
		w: isPart() ? at.from + "-" + at.to : "",
		s: state.term, i: state.ignoreCase ? 1 : "",
		r: state.reverse === Boolean(picture.reversed) ? "" : Number(state.reverse),
		v: state.icicle === Boolean(picture.inverted) ? "" : Number(state.icicle),
		o: state.byWeight ? "weight" : "",
		c: state.colors === FIRST_COLORS ? "" : state.colors,
		d: state.dark === null ? "" : Number(state.dark) };

	Object.entries(values).forEach(([key, value]) =>
		value === "" ? url.searchParams.delete(key) : url.searchParams.set(key, value));
	url.searchParams.delete("h");
	state.hidden.forEach((k) => url.searchParams.append("h", paints[state.colors].names[k]));
	try {
		history.replaceState(null, "", url);
	} catch (error) {
		// Not allowed in this place, as in a sandbox: nothing else depends on it.
	}
}

function recall() {
	const q = new URL(location.href).searchParams;
	const flag = (key, usual) => q.has(key) ? q.get(key) === "1" : usual;

	state.term = q.get("s") || "";
	state.ignoreCase = flag("i", false);
	state.reverse = flag("r", state.reverse) && !noReverse;
	state.icicle = flag("v", state.icicle);
	state.byWeight = q.get("o") === "weight" && !inTime;
	state.dark = flag("d", null);
	if (Object.hasOwn(paints, q.get("c") || ""))
		state.colors = q.get("c");
	q.getAll("h").forEach((name) => {
		const k = paints[state.colors].names.indexOf(name);

		if (k >= 0)
			state.hidden.add(k);
	});
	chooseView();
	recallZoom(q.get("z") || "", (q.get("w") || "").split("-").map(Number));
}

function recallZoom(path, [from, to]) {
	const node = nodeAt(path);

	if (node === undefined)
		return;
	state.zoom = whole(node);
	if (from >= 0 && from < to && to <= view.total(node))
		state.zoom = { node, from, to };
}

// ---- the window ------------------------------------------------------------------------------
const scrollTop = () => svg.parentNode === document ? scrollY : 0;

// How wide the picture is in this window.
function roomFor() {
	const fluid = picture.fluid &&
		(svg.parentNode.clientWidth || document.documentElement.clientWidth);

	return fluid ? Math.max(fluid, 200) : Number(picture.width);
}

// Where everything is, for this window and this state.
function place() {
	const holder = ui.bar.parentNode;

	width = roomFor();
	small = parseFloat(picture.minWidth) *
		(picture.minWidth.endsWith("%") ? (width - 2 * PAD) / 100 : 1);
	small = Math.max(small, 1);
	svg.classList.toggle("dark", isDark());
	svg.setAttribute("width", width);
	holder.setAttribute("width", width);
	holder.setAttribute("height", 400);
	top = Math.ceil(ui.bar.offsetHeight) + 6;
	holder.setAttribute("height", top - 6);
	footer.setAttribute("x", PAD);
	height = 0;
	draw();
}

// ---- mouse and keys --------------------------------------------------------------------------
const HELP = [["arrows", "move"], ["Enter", "zoom"], ["Backspace", "zoom out by one"],
	["Esc", "reset zoom"], ["/", "search"], ["n p", "next, previous match"],
	["Ctrl-I", "ignore case"],
	["r", "callers"], ["v", "icicle"], ["o", "order"], ["c", "colours"], ["d", "dark"],
	["y", "copy name"], ["Shift-Y", "copy stack"]];

function cycle(id, key) {
	const values = Array.from(ui[id].options, (o) => o.value);
	const next = values[(values.indexOf(ui[id].value) + 1) % values.length];

	choose(key === "colors" ? { colors: next, hidden: new Set() } :
		{ byWeight: next === "weight" });
}

function zoomOut() {
	const up = isPart() ? state.zoom.node : view.parent(state.zoom.node);

	zoom(whole(Math.max(up, view.root)));
}

const up = (by) => move(0, state.icicle ? -by : by);
const keys = {
	ArrowUp: () => up(1), ArrowDown: () => up(-1),
	ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0),
	Enter: () => cursor !== null && zoom(whole(cursor)),
	Backspace: zoomOut, Escape: () => zoom(whole(view.root)),
	"/": () => ui.search.select(), F3: () => ui.search.select(), "^f": () => ui.search.select(),
	"^i": toggle("ignoreCase"),
	n: () => nextMatch(1), p: () => nextMatch(-1), N: () => nextMatch(-1),
	r: () => noReverse || toggle("reverse")(), v: toggle("icicle"),
	o: () => inTime || cycle("order"), c: () => cycle("colors", "colors"),
	d: () => choose({ dark: !isDark() }), "?": toggleHelp,
	y: () => cursor !== null && copy(nameOf(view.frame(cursor))),
	Y: () => cursor !== null && copy(stackOf(cursor))
};
const inSearch = { Enter: () => nextMatch(1), "+Enter": () => nextMatch(-1),
	Escape: () => ui.search.blur(), "^i": keys["^i"], F3: () => nextMatch(1) };

function onKey(e) {
	const key = e.ctrlKey || e.metaKey ? "^" + e.key.toLowerCase() : e.key;
	const typing = e.target === ui.search, table = typing ? inSearch : keys;
	const action = Object.hasOwn(table, typing && e.shiftKey ? "+" + key : key) ?
		table[typing && e.shiftKey ? "+" + key : key] : null;

	// A button or a list that has the focus keeps its own keys.
	if (!action || e.altKey || (!typing && /^(Enter|Arrow|Backspace)/.test(key) &&
		e.target.closest && e.target.closest("button, select")))
		return;
	e.preventDefault();
	action();
}

function titleOf(g) {
	if (g.firstChild.localName !== "title")
		g.prepend(document.createElementNS(SVG, "title"));
	return g.firstChild;
}

function boxOf(element) {
	const g = element.closest && element.closest("#frames > g");

	return g && elementOf.get(g).box;
}

function listen() {
	group.addEventListener("click", (e) => {
		const b = boxOf(e.target);

		if (b)
			zoomToBox(b);
	});
	group.addEventListener("mouseover", (e) => {
		const b = boxOf(e.target);

		if (b) {
			showDetails(b);
			titleOf(e.target.closest("g")).textContent = describe(b);
		}
	});
	group.addEventListener("mouseout", () =>
		showDetails(boxes.find((b) => b.node === cursor && !b.small)));
	addEventListener("keydown", onKey);
	addEventListener("copy", (e) => {
		if (cursor === null || e.target === ui.search || String(getSelection()))
			return;
		e.clipboardData.setData("text/plain", nameOf(view.frame(cursor)));
		e.preventDefault();
	});
	addEventListener("scroll", () => ui.bar.parentNode.setAttribute("y", scrollTop()));
	addEventListener("resize", () => roomFor() === width ? draw() : place());
	addEventListener("beforeprint", () => drawSlice(boxes.length));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", place);
}

measure = measurer();
makeBar();
group.replaceChildren();
svg.classList.add("live");
recall();
makeLegend();
search();
place();
changed();
listen();
svg.dataset.ready = "1";
