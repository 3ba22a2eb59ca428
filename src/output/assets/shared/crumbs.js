// crumbs.js: the path from the root to what is zoomed to, as far as there is room. For flame graphs
// and for reports.

const CRUMB_MOST = 28; // characters
const CRUMB_GAP = 18; // pixels

// How many of the outermost items have no room, and the labels of the others. The last one always
// has. width(text): in pixels, from the characters: asking the browser would hold up each zoom.
function crumbsThatFit(items, name, room, width) {
	const fits = (text) => Array.from(text).length <= CRUMB_MOST, labels = [];
	let first = items.length;
	for (let left = room; first > 0 && (left > 0 || !labels.length);) {
		const label = labelThatFits(name(items[--first]), fits);
		labels.unshift(label);
		left -= width(label) + CRUMB_GAP;
	}
	return { first, labels };
}
