// What is searched for, and how much of what is shown has it.

const SEARCH_HELP = "Regular expression, such as ^ext4_ (/ or Ctrl-F)";
let matches = null;

function search() {
	ui.case.setAttribute("aria-pressed", String(searchMindsCase(state.term, state.mindsCase)));
	try {
		expression = searchExpression(state.term, state.mindsCase);
		ui.search.classList.remove("bad");
		ui.search.title = SEARCH_HELP;
	} catch (error) {
		expression = null;
		ui.search.classList.add("bad");
		ui.search.title = error.message;
	}
	findHits();
}

function findHits() {
	const known = new Int8Array(tree.texts.length).fill(-1);

	hit = new Uint8Array(tree.nFrames);
	for (let f = 1; expression && f < tree.nFrames; f++) {
		const name = tree.name[f];

		if (known[name] < 0)
			known[name] = expression.test(tree.texts[name]) ? 1 : 0;
		hit[f] = known[name];
	}
	matches = null;
}

// The children of the zoomed node that are in sight.
function kidsInPart() {
	const { node, from, to } = state.zoom, { nodes, weights } = view.row(node, byWeight());
	let start = byWeight() ? 0 : view.self(node);

	return nodes.filter((kid, i) => {
		start += weights[i];
		return start > from && start - weights[i] < to;
	});
}

// All matches in what is shown that are below no other match.
function allMatches() {
	const tops = isPart() ? kidsInPart() : [state.zoom.node];

	if (matches?.zoom === state.zoom)
		return matches.nodes;
	const lists = tops.map((top) => view.found(hit, top)), nodes = lists.flat();
	if (byWeight())
		nodes.sort((a, b) => view.total(b) - view.total(a));
	nodes.more = lists.some(({ more }) => more);
	matches = { zoom: state.zoom, nodes };
	return nodes;
}

// Selects it, and scrolls to it.
function nextMatch(by) {
	const all = expression ? allMatches() : [];

	if (!all.length)
		return;
	const at = cursor === null ? -1 : all.indexOf(cursor), first = by > 0 ? 0 : all.length - 1;
	const next = all[at < 0 ? first : (at + by + all.length) % all.length];

	select(next, { isSpoken: true });
	ui.matched.textContent = (all.indexOf(next) + 1) + " of " + count(all.length) +
		(all.more ? "+" : "") + ", " + matchedText();
}

function matchedText() {
	const { node, from, to } = state.zoom;

	if (ui.search.classList.contains("bad"))
		return "not an expression";
	if (!expression)
		return "";
	if (!isPart())
		return percent(view.matched(node, hit), to - from, 1) + " matched";
	for (let n = node; n >= 0; n = view.parent(n))
		if (hit[view.frame(n)])
			return "100% matched";
	return percent(kidsInPart().reduce((sum, kid) => sum + view.matched(kid, hit), 0),
		to - from, 1) + " matched";
}
