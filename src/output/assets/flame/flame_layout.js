// Where the frames of a view are drawn: boxes, in rows.
//
// A box is { node, depth, row, x, w (pixels), weight, small, above }. small: the number of frames
// that are too narrow to be boxes of their own, and are drawn as one; above: it is cut by the zoom.
// fold: the number of frames that are one row together, because nothing branches off from them.

const FOLD_LEAST = 8;        // frames with one callee each, as wide as the picture
const FOLD_ANCESTORS = 24;   // more than these are folded also where others branch off,
const NEAR_ANCESTORS = 4;    // but for these, next to the frame that is zoomed to

// zoom is {node, from, to}: a node, and the part of its weight that fills the width. What is
// narrower than minimum is small. In the order of depth and place.
function layout(view, zoom, { width, minimum, byWeight }) {
	const boxes = [], scale = width / (zoom.to - zoom.from), path = [];

	for (let n = zoom.node; n >= 0; n = view.parent(n))
		path.push(n);
	path.reverse().forEach((node, depth) => boxes.push({ node, depth, x: 0, w: width,
		weight: view.total(node), small: 0,
		above: node !== zoom.node || zoom.to - zoom.from < view.total(node) }));
	const todo = [{ node: zoom.node, depth: path.length - 1, start: -zoom.from }];
	for (const at of todo) // grows while it is gone through
		addRow(view, at, { scale, width, minimum, byWeight, boxes, todo });
	return boxes;
}

// The children of a node that are wide enough and in sight.
function addRow(view, up, { scale, width, minimum, byWeight, boxes, todo }) {
	const { nodes, frames, weights } = view.row(up.node, byWeight);
	const depth = up.depth + 1, least = minimum / scale;
	let start = up.start, small = 0, smallStart = 0, smallWeight = 0;

	if (!byWeight && nodes.length)
		start += view.self(up.node);
	function isSeen(from, weight) {
		return weight >= least && (from + weight) * scale > .001 &&
			from * scale < width - .001;
	}
	function addSmall() {
		if (small && isSeen(smallStart, smallWeight))
			boxes.push({ node: up.node, depth, weight: smallWeight,
				x: smallStart * scale, w: smallWeight * scale,
				small, from: smallStart - up.start });
		small = 0;
		smallWeight = 0;
	}
	for (let i = 0; i < nodes.length; i++) {
		const weight = weights[i];

		if (frames[i] && weight < least) {
			smallStart = small ? smallStart : start;
			smallWeight += weight;
			small++;
		} else {
			addSmall();
			if (frames[i] && isSeen(start, weight)) { // else a gap in a flame chart
				boxes.push({ node: nodes[i], depth, weight, x: start * scale,
					w: weight * scale, small: 0 });
				todo.push({ node: nodes[i], depth, start });
			}
		}
		start += weight;
	}
	addSmall();
}

// rows[k]: the boxes of a row, by place. opened: first nodes of runs that the user has opened.
function rowsOf(view, boxes, opened) {
	const byDepth = [], rows = [];

	for (const b of boxes)
		(byDepth[b.depth] ||= []).push(b);
	const above = byDepth.findIndex(([b]) => !b.above);
	for (let depth = 0; depth < byDepth.length;) {
		const end = foldEnd(view, byDepth, depth, above < 0 ? byDepth.length : above);
		const run = byDepth.slice(depth, Math.max(end, depth + 1)), [[first]] = run;

		if (run.length >= FOLD_LEAST && !opened.has(first.node))
			rows.push([{ ...first, fold: run.length, folded: run.map(([b]) => b) }]);
		else
			rows.push(...run);
		depth += run.length;
	}
	rows.forEach((row, k) => row.forEach((b) => { b.row = k; }));
	return rows;
}

// Where a run of frames to be folded ends that begins at a depth. Not in it are the root, and the
// last frame before others branch off.
function foldEnd(view, byDepth, from, above) {
	let end = from;

	if (from === 1 && above > FOLD_ANCESTORS)
		return above - NEAR_ANCESTORS;
	while (end && end + 1 < byDepth.length && byDepth[end].length === 1 &&
		byDepth[end + 1].length === 1 && isLink(byDepth[end][0], byDepth[end + 1][0], view))
		end++;
	return end;
}

function isLink(b, next, view) {
	return !b.small && !next.small && b.weight === next.weight &&
		Math.abs(b.w - next.w) < .01 && view.row(b.node, false).nodes.length === 1;
}
