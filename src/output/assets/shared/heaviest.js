// heaviest.js: the matches of a tree that is made as it is looked at, the heaviest first. For flame
// graphs and for reports.
//
// No node weighs more than the one above it, so of those that are open the heaviest is always the
// next one to be opened or found, and nothing is made that is lighter than the last that was found.

class Heap {
	constructor(weight) {
		Object.assign(this, { weight, list: [] });
	}

	push(item) {
		const { list, weight } = this;
		let at = list.length;
		for (let up; at && weight(list[up = at - 1 >> 1]) < weight(item); at = up)
			list[at] = list[up];
		list[at] = item;
	}

	pop() {
		const { list, weight } = this, [most] = list, last = list.pop();
		if (!list.length)
			return most;
		let at = 0;
		for (let kid; (kid = 2 * at + 1) < list.length; at = kid) {
			if (kid + 1 < list.length && weight(list[kid + 1]) > weight(list[kid]))
				kid++;
			if (weight(list[kid]) <= weight(last))
				break;
			list[at] = list[kid];
		}
		list[at] = last;
		return most;
	}
}

// The outermost matches below a node and itself. kids(n): those that lead to a match. Of more than
// most, the heaviest, and the list's more is true.
function heaviestMatches(root, { weight, isMatch, kids, most = 500 }) {
	const open = new Heap(weight), found = [];
	open.push(root);
	while (open.list.length && found.length < most) {
		const n = open.pop();
		if (isMatch(n))
			found.push(n);
		else
			kids(n).forEach((kid) => open.push(kid));
	}
	found.more = open.list.length > 0;
	return found;
}
