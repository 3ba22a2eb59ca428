// The bar above the drawing: title, search, choices, path, legend; and messages.

const ui = {};
const BUTTONS_WIDTH = 560; // pixels, beside the path

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
		title: SEARCH_HELP, spellcheck: false,
		oninput: () => choose({ term: ui.search.value }) });
	ui.search.setAttribute("aria-label", "Search for a regular expression");
	ui.matched = html("span", { id: "matched" });
	return html("span", { className: "search" }, ui.search,
		button("case", "Aa", "Mind case; by itself, if there is a capital (Ctrl-I)",
			turnCase),
		button("previous", "\u2039", "Previous match (Shift-Enter)", () => nextMatch(-1)),
		button("next", "\u203a", "Next match (Enter)", () => nextMatch(1)), ui.matched);
}

// To the other of both; a choice that the term would make by itself is none.
function turnCase() {
	const minds = !searchMindsCase(state.term, state.mindsCase);

	choose({ mindsCase: minds === searchMindsCase(state.term) ? "" : String(Number(minds)) });
}

function viewGroup() {
	const colors = [["palette", "palette"], ["category", tree.changes ? "change" : "category"],
		["module", "module"]];

	if (tree.packages.names.some((name) => name && !name.startsWith("[")))
		colors.push(["package", "package"]);
	if (tree.mix.some(Boolean))
		colors.push(["tier", "tier share"]);
	return html("span", { className: "views" },
		button("reverse", "Callers", "Who calls the functions of what is shown (r)",
			turnView),
		button("icicle", "Icicle", "The root at the top (i)", turnIcicle),
		chooser("order", "Order (o)", [["name", "by name"], ["weight", "by weight"]],
			(order) => choose({ order })),
		chooser("colors", "Colours (c)", colors,
			(v) => choose({ colors: v, hidden: new Set() })),
		button("dark", "\u263d", "Dark or light (d)", () => choose({ dark: !isDark() })),
		button("copyLink", "Copy link", "A link to what is shown",
			() => copyText(linkToThis(), ui.overlay)),
		button("keys", "?", "Keys (?)", () => showHelp(ui.help.hidden)));
}

function showHelp(on) {
	ui.help.hidden = !on;
	place();
}

function foreignObject(id, ...children) {
	const e = document.createElementNS(SVG, "foreignObject");

	e.id = id;
	e.append(...children);
	svg.append(e);
	return e;
}

function makeBar() {
	ui.details = html("span", { id: "details" });
	ui.spoken = html("span", { id: "spoken" });
	ui.spoken.setAttribute("aria-live", "polite");
	ui.module = html("span", { id: "module" });
	ui.path = html("nav", { id: "path" });
	ui.path.setAttribute("aria-label", "Frames above what is shown");
	ui.missing = html("div", { id: "missing", hidden: true });
	ui.missing.setAttribute("role", "alert");
	ui.legend = html("div", { id: "legend" });
	ui.help = html("div", { id: "help", hidden: true }, ...HELP.map(([keys, what]) =>
		html("span", {}, html("kbd", { textContent: keys }), " " + what)));
	ui.bar = html("div", { id: "bar" },
		html("div", { className: "row" },
			html("span", { className: "names" },
				html("strong", { textContent: picture.title }),
				html("span", { textContent: find("subtitle")?.textContent ?? "" })),
			searchGroup()),
		html("div", { className: "row about" }, ui.path, viewGroup()),
		html("div", { className: "row about" }, ui.details, ui.module, ui.spoken,
			button("copy", "Copy name", "y", () => copyName()),
			button("copyStack", "Copy stack", "Shift-Y", () => copyStack()),
			button("unzoom", "Reset zoom", "Home", () => zoom(whole(view.root)))),
		ui.missing, ui.legend, ui.help);
	ui.order.hidden = inTime;
	ui.reverse.hidden = noReverse;
	foreignObject("controls", ui.bar);
	// What lies over the picture: in a page, anywhere; else in what covers the window.
	ui.overlay = isAlone ? html("div", { id: "cover" }) : document.body;
	if (isAlone)
		foreignObject("overlay", ui.overlay);
}

const copyName = () => cursor !== null && copyText(nameOf(view.frame(cursor)), ui.overlay);
const copyStack = () => cursor !== null && copyText(stackOf(cursor), ui.overlay);

// From the root to what is zoomed to, each a way back to it.
function showPath() {
	const nodes = [], crumb = (node, text) => html("button", { type: "button",
		className: "crumb", title: nameOf(view.frame(node)), textContent: text,
		onclick: () => zoom(whole(node)) });

	for (let node = state.zoom.node; node >= 0; node = view.parent(node))
		nodes.unshift(node);
	const { first, labels } = crumbsThatFit(nodes, (node) => nameOf(view.frame(node)),
		Math.max(width - BUTTONS_WIDTH, 200), measure);
	const crumbs = labels.map((text, i) => crumb(nodes[first + i], text));

	if (first)
		crumbs.unshift(crumb(view.root, "\u2026"));
	if (state.reverse)
		crumbs.unshift("Callers in " + (state.of ? label(nameOf(tree.frame[state.of]),
			measure("m") * 20) : "all") + ": ");
	ui.path.replaceChildren(...crumbs);
	crumbs.at(-1).setAttribute("aria-current", "true");
}

// ---- the legend ------------------------------------------------------------------------------
const MANY_NODES = 200000; // a legend of so many is made after the picture is shown
let legendTimer = 0;

function showLegend() {
	clearTimeout(legendTimer);
	if (state.colors === "palette" || tree.n < MANY_NODES)
		makeLegend();
	else
		legendTimer = setTimeout(makeLegend, 30);
}

function makeLegend() {
	const node = state.reverse ? state.of : state.zoom.node;
	const rows = state.colors === "palette" ? [] : keysByWeight(node).slice(0, 24);
	const all = rows.reduce((sum, { weight }) => sum + weight, 0);

	if (!rows.length && ui.legend.hidden)
		return;
	const before = ui.bar.offsetHeight;

	ui.legend.replaceChildren(...rows.map(({ name, k, weight, frame }) => {
		const chip = html("button", { type: "button", className: "chip",
			title: "A click fades these frames, with Shift all others",
			onclick: (e) => fadeKey(k, e.shiftKey, rows) },
			html("i", {}), name || "none");

		if (all && !tree.changes)
			chip.append(html("small", { textContent: " " + percent(weight, all, 1) }));
		chip.firstChild.style.background = css(keyColor(k, frame));
		chip.setAttribute("aria-pressed", String(!state.hidden.has(k)));
		return chip;
	}));
	ui.legend.hidden = !rows.length;
	if (ui.bar.offsetHeight !== before)
		place();
}

function fadeKey(k, isOnly, rows) {
	const others = rows.map((row) => row.k).filter((other) => other !== k);
	const hidden = isOnly ? new Set(others) : new Set(state.hidden);

	if (isOnly && others.every((other) => state.hidden.has(other)) && !state.hidden.has(k))
		hidden.clear(); // it is the only one already
	else if (!isOnly && !hidden.delete(k))
		hidden.add(k);
	choose({ hidden });
}

// What is not shown keeps its room, so that nothing moves under the mouse.
function show(element, on) {
	element.style.visibility = on ? "" : "hidden";
}

// ---- choices ---------------------------------------------------------------------------------
const turnIcicle = () => choose({ icicle: !isIcicle() });

// Callers are those of what is zoomed to; back from them, that is shown again.
function turnView() {
	if (noReverse)
		return;
	const of = state.reverse ? state.of : state.zoom.node;

	choose({ reverse: !state.reverse, of: state.reverse ? 0 : of });
	if (!state.reverse && of)
		zoom(whole(of));
}

// A choice of the user: what depends on it follows.
function choose(what) {
	const old = { ...state };

	Object.assign(state, what);
	const isView = old.reverse !== state.reverse || old.of !== state.of;

	if (isView)
		chooseView();
	if (("order" in what || isView) && isPart())
		state.zoom = whole(state.zoom.node);
	if (isView || old.colors !== state.colors || old.hidden !== state.hidden)
		findFaded();
	search();
	place();
	changed(isView);
}

// What the buttons and the address show of the state. isStep: Back undoes it.
function changed(isStep) {
	const pressed = { reverse: state.reverse, icicle: isIcicle(), dark: isDark() };

	Object.entries(pressed).forEach(([id, on]) =>
		ui[id].setAttribute("aria-pressed", String(on)));
	ui.order.value = byWeight() ? "weight" : "name";
	ui.colors.value = state.colors;
	show(ui.unzoom, !isRoot());
	ui.matched.textContent = matchedText();
	show(ui.previous, expression);
	show(ui.next, expression);
	if (ui.search.value !== state.term)
		ui.search.value = state.term;
	showPath();
	showLegend();
	remember(isStep);
}
