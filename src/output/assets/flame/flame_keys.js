// The window, the mouse, keys; and the start of it all.

// ---- the window ------------------------------------------------------------------------------
const PRINT_WIDTH = 1000;

// How wide the picture is in this window, or on paper.
function roomFor() {
	const fluid = picture.fluid &&
		(svg.parentNode.clientWidth || document.documentElement.clientWidth);

	return isPrinting() ? PRINT_WIDTH : fluid ? Math.max(fluid, 200) : Number(picture.width);
}

// The bar and the cover stay where they are in the window.
function followWindow() {
	const holder = ui.bar.parentNode, cover = ui.overlay.parentNode;

	holder.setAttribute("y", isAlone && !isPrinting() ? scrollY : 0);
	if (isAlone)
		Object.entries({ x: scrollX, y: scrollY, width: innerWidth, height: innerHeight })
			.forEach(([key, value]) => cover.setAttribute(key, value));
}

// The text below the picture, in as many lines as it needs, broken between its parts.
function breakFooter() {
	const rows = [];

	for (const part of footer.textContent.split(PARTS)) {
		const longer = rows.length ? rows.at(-1) + PARTS + part : part;

		if (rows.length && measure(longer) <= width - 2 * PAD)
			rows[rows.length - 1] = longer;
		else
			rows.push(part);
	}
	footer.replaceChildren(...rows.map((text, i) => {
		const e = document.createElementNS(SVG, "tspan");

		e.setAttribute("x", PAD);
		e.setAttribute("dy", i ? FOOTER_ROW : 0);
		e.textContent = text + (i < rows.length - 1 ? PARTS : "");
		return e;
	}));
	foot = FOOT + (rows.length - 1) * FOOTER_ROW;
}

// Where everything is, for this window and this state.
function place() {
	const holder = ui.bar.parentNode;

	width = roomFor();
	minimum = parseFloat(picture.minWidth) *
		(picture.minWidth.endsWith("%") ? (width - 2 * PAD) / 100 : 1);
	minimum = Math.max(minimum, 1);
	dark = isDark();
	svg.classList.toggle("dark", dark);
	svg.setAttribute("width", width);
	holder.setAttribute("width", width);
	holder.setAttribute("height", 400);
	top = Math.ceil(ui.bar.offsetHeight) + 6;
	holder.setAttribute("height", top - 6);
	breakFooter();
	height = 0;
	draw();
	followWindow();
}

function onPaper(on) {
	svg.classList.toggle("printing", on);
	tip.hide();
	place();
}

// ---- keys ------------------------------------------------------------------------------------
const HELP = [["arrows", "move"], ["Enter", "zoom to the frame"], ["Backspace", "undo a zoom"],
	["Home", "show all"], ["/ Ctrl-F", "search"],
	["Enter, Shift-Enter", "in the search: next, previous match"],
	["Esc", "close, end the search, undo a zoom"], ["r", "callers"], ["i", "icicle or flame"],
	["o", "order"], ["c", "colours"], ["d", "dark"],
	["y", "copy name"], ["Shift-Y", "copy stack"]];

function cycle(id) {
	const values = Array.from(ui[id].options, (o) => o.value);

	ui[id].value = values[(values.indexOf(ui[id].value) + 1) % values.length];
	ui[id].onchange();
}

// One thing for each press: what is on top, the search, a zoom.
function escape() {
	if (tip.shown)
		tip.hide();
	else if (!ui.help.hidden)
		showHelp(false);
	else if (state.term)
		choose({ term: "" });
	else if (document.activeElement === ui.search)
		ui.search.blur();
	else
		zoomBack();
}

const up = (by) => move(0, isIcicle() ? -by : by);
const toSearch = () => ui.search.select();
const keys = {
	ArrowUp: () => up(1), ArrowDown: () => up(-1),
	ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0),
	Enter: () => cursor !== null && zoom(whole(cursor)),
	Backspace: zoomBack, Home: () => zoom(whole(view.root)), Escape: escape,
	"/": toSearch, F3: toSearch, "^f": toSearch, "^i": turnCase,
	n: () => nextMatch(1), p: () => nextMatch(-1), N: () => nextMatch(-1),
	r: turnView, i: turnIcicle, v: turnIcicle,
	o: () => inTime || cycle("order"), c: () => cycle("colors"),
	d: () => choose({ dark: !isDark() }), "?": () => showHelp(ui.help.hidden),
	y: copyName, Y: copyStack
};
const inSearch = { Enter: () => nextMatch(1), "+Enter": () => nextMatch(-1),
	Escape: escape, "^i": turnCase, F3: () => nextMatch(1) };

function onKey(e) {
	const typing = e.target === ui.search;
	const key = (e.ctrlKey || e.metaKey ? "^" + e.key.toLowerCase() : e.key);
	const name = typing && e.shiftKey ? "+" + key : key, table = typing ? inSearch : keys;
	const action = Object.hasOwn(table, name) ? table[name] : null;

	// A button or a list that has the focus keeps its own keys.
	if (!action || e.altKey || (!typing && /^(Enter|Arrow|Backspace|Home)/.test(key) &&
		e.target.closest?.("button, select")))
		return;
	e.preventDefault();
	action();
}

// ---- the mouse -------------------------------------------------------------------------------
let pointed = null, dismissed = null;

function boxOfEvent(e) {
	const g = e.target.closest?.("#frames > g");

	return elementOf.get(g)?.box ?? boxAt(e.clientX, e.clientY);
}

function pointAt(e) {
	const b = boxOfEvent(e);

	if (b !== pointed) {
		pointed = b;
		dismissed = null;
		markSame(b);
	}
	if (b && b !== dismissed && e.pointerType !== "touch")
		tip.show(cardOf(b), e.clientX, e.clientY);
	else
		tip.hide();
}

function pointAway() {
	pointed = null;
	markSame(null);
	tip.hide();
}

function listen() {
	group.addEventListener("click", (e) => {
		const b = boxOfEvent(e);

		group.focus({ preventScroll: true });
		if (b)
			zoomToBox(b);
	});
	group.addEventListener("pointermove", pointAt);
	group.addEventListener("pointerleave", pointAway);
	addEventListener("keydown", (e) => {
		const wasShown = tip.shown;

		onKey(e);
		if (wasShown && !tip.shown)
			dismissed = pointed;
	});
	addEventListener("copy", (e) => {
		if (cursor === null || e.target.localName === "input" || String(getSelection()))
			return;
		e.clipboardData.setData("text/plain", nameOf(view.frame(cursor)));
		e.preventDefault();
	});
	addEventListener("scroll", () => {
		followWindow();
		pointAway();
		drawRowsSeen();
	}, { passive: true });
	addEventListener("resize", () => {
		if (roomFor() === width)
			draw();
		else
			place();
		followWindow();
	});
	addEventListener("beforeprint", () => onPaper(true));
	addEventListener("afterprint", () => onPaper(false));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", place);
}

// ---- the start -------------------------------------------------------------------------------
if (isAlone) // a phone would make the picture as wide as that of a desktop, and small
	svg.prepend(html("meta", { name: "viewport", content: "width=device-width" }));
isTall = Number(svg.getAttribute("height")) > TALL;
measure = measurer();
leastLabel = measure("m");
makeBar();
const tip = new Tooltip(ui.overlay);
const address = new Address(goTo);
group.replaceChildren(plainGroup);
group.after(outlines);
group.setAttribute("tabindex", 0);
group.setAttribute("role", "tree");
group.setAttribute("aria-label", "Frames. Arrow keys move among them.");
svg.setAttribute("role", "group");
svg.classList.add("live");
recall(address.read());
showMissing();
search();
place();
if (isAlone && !isIcicle())
	scrollTo(0, height);
changed(false);
followWindow();
drawRowsSeen();
listen();
svg.dataset.ready = "1";
