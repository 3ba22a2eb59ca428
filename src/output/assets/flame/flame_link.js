// The address: what is shown, as link_state.js writes it:
//
//	#view=callers&of=PATH&zoom=PATH&part=FROM-TO&nth=PLACES&search=TEXT&case=0
//	 &order=weight&color=category&filter=NAME;NAME&icicle=1&dark=1
//
// of: the frame whose callers these are. part: of what is zoomed to, the weights from and to that
// fill the width. nth: where several frames have the same path, which one it is (placesOf()).
// Paths that this profile does not have are kept until the user goes elsewhere.

let missing = null; // the path that is not in this profile

function linkValues() {
	const { node, from, to } = state.zoom, path = namesOf(view, node);

	return { view: state.reverse === Boolean(picture.reversed) ? "" :
			state.reverse ? "callers" : "flame",
		of: state.reverse && state.of ? namesOf(new Forward(tree), state.of) : "",
		zoom: missing ?? path, part: isPart() ? from + "-" + to : "",
		nth: isHeaviest(view, node) ? "" : placesOf(view, node),
		search: state.term, case: state.mindsCase, order: state.order,
		color: state.colors === FIRST_COLORS ? "" : state.colors,
		filter: Array.from(state.hidden, (k) => paints[state.colors].names[k]),
		icicle: state.icicle === (picture.inverted ? true : null) ? "" :
			Number(state.icicle),
		dark: state.dark === null ? "" : Number(state.dark) };
}

const linkToThis = () => location.href.replace(/#.*/s, "") + "#" + linkText(linkValues());

function remember(isStep) {
	if (isAlone)
		address.write(linkValues(), isStep);
}

function recall(link) {
	const flag = (key, otherwise) => link.has(key) ? link.text(key) === "1" : otherwise;
	const view_ = link.text("view");

	Object.assign(state, usual());
	state.term = link.text("search");
	state.mindsCase = /^[01]$/.test(link.text("case")) ? link.text("case") : "";
	state.reverse = (view_ ? view_ === "callers" : state.reverse) && !noReverse;
	state.icicle = flag("icicle", state.icicle);
	state.order = /^(name|weight)$/.test(link.text("order")) && !inTime ?
		link.text("order") : "";
	state.dark = flag("dark", null);
	if (Object.hasOwn(paints, link.text("color")))
		state.colors = link.text("color");
	link.path("filter").forEach((name) => {
		const k = paints[state.colors].names.indexOf(name);

		if (k >= 0)
			state.hidden.add(k);
	});
	missing = null;
	if (state.reverse)
		state.of = known(new Forward(tree), link.path("of"));
	chooseView();
	recallZoom(link);
	findFaded();
}

// The node of a path, or the root.
function known(of, path) {
	const node = nodeAt(of, path);

	if (node < 0)
		missing = path;
	return Math.max(node, 0);
}

function recallZoom(link) {
	const path = link.path("zoom"), nth = nodeAtPlaces(view, link.text("nth"));
	const isNth = link.has("nth") && nth > 0 &&
		namesOf(view, nth).map(linkName).join(";") === path.join(";");
	const node = isNth ? nth : known(view, path);
	const [from, to] = link.text("part").split("-").map(Number);

	state.zoom = whole(node);
	if (from >= 0 && from < to && to <= view.total(node))
		state.zoom = { node, from, to };
}

function showMissing() {
	ui.missing.hidden = !missing;
	ui.missing.textContent = missing ? "Not in this profile: " + missing.join(" \u203a ") : "";
}

// Back, Forward, or an edited address.
function goTo(link) {
	recall(link);
	showMissing();
	search();
	place();
	changed(false);
}
