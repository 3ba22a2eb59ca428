// labels.js: what of a name is written where there is room for a part. Pictures without scripts
// have the same labels; testdata/labels/examples.tsv holds for both.
//
// What tells least goes first, until the rest fits:
//
//	void net::Server::read<Chunk>(int) const       the whole name
//	void net::Server::read<Chunk>                  no arguments
//	void net::Server::read                         no template arguments
//	Server::read, read                             no leading namespaces, one after the other
//	Se…ad                                          no middle
//
//	load /srv/lib/store.js:5:13                    a name and its place
//	load lib/store.js:5:13, load store.js:5:13     no leading folders, one after the other
//	load                                           no place
//
//	[builtin] JsonParse                            a name and what kind of code it is
//	JsonParse                                      no kind
//
//	(1,024 small), ⋯ 247 frames                    a box that stands for many
//	1,024, 247                                     how many
//
// Two characters of each end are the least that tells one name from another: where fewer fit, there
// is no label.

const LONGEST_NAME = 2000; // of a longer one only begin and end are ever written
const LEAST_KEPT = 4; // characters of a name without its middle
const IDENTIFIER = /[\w$>)\]\x80-\uffff]/, BEGINS_PART = /^(?!operator\b)[\w$~@\x80-\uffff]/;
const OPERATOR = /^operator(\(\)|\[\]|[-<>=+*/%&|^!~,]+ ?|(?!\w))/;
const QUALIFIERS = /^( const| volatile| noexcept| ?&&?)*(?![\w ])/;

// The length of "operator" and its symbols, which are no brackets, if it is at a place.
function operatorLength(name, at) {
	if (name[at] !== 'o' || (at && /[\w$]/.test(name[at - 1])))
		return 0;
	return OPERATOR.exec(name.slice(at, at + 12))?.[0].length ?? 0;
}

// Where the brackets that open at a place have been closed; -1: they do not pair.
function groupEnd(name, at) {
	const open = [];
	for (let i = at; i < name.length; i++) {
		const skip = operatorLength(name, i), pair = '([<{)]>}'.indexOf(name[i]);
		if (skip) {
			i += skip - 1;
		} else if (pair >= 4) {
			if (name[i] === '>' && /[-=]/.test(name[i - 1]))
				continue;
			if (open.pop() !== pair - 4)
				return -1;
			if (!open.length)
				return i + 1;
		} else if (pair >= 0) {
			open.push(pair);
		}
	}
	return -1;
}

// Calls found(at) at each character outside of brackets until it returns true, which is the place;
// -1: nowhere. group(at, end, isNamed): at a pair of brackets; isNamed: right after an operator.
function findOutside(name, found, group = () => {}) {
	for (let i = 0, skip = 0; i < name.length;) {
		const isNamed = skip > 0;
		skip = operatorLength(name, i);
		const end = !skip && '([<{'.includes(name[i]) ? groupEnd(name, i) : 0;
		if (end < 0)
			return -1;
		if (end)
			group(i, end, isNamed);
		else if (!skip && found(i))
			return i;
		i = end || i + (skip || 1);
	}
	return -1;
}

// Without the arguments that begin with this bracket: those after an identifier. "(anonymous)",
// Rust's "<Chunk as Read>" and Go's "(*Server)" are none.
function withoutArguments(name, bracket) {
	let kept = '', from = 0;
	findOutside(name, () => false, (at, end, isNamed) => {
		const colons = bracket === '<' && name.startsWith('::', at - 2) ? 2 : 0;
		isNamed ||= IDENTIFIER.test(name[at - 1 - colons] ?? '');
		if (name[at] !== bracket || !isNamed || name.startsWith('<lambda', at))
			return;
		kept += name.slice(from, at - colons);
		from = end;
		if (bracket === '(')
			from += QUALIFIERS.exec(name.slice(end))?.[0].length ?? 0;
	});
	return (kept + name.slice(from)).trimEnd();
}

// "a::b::c" is "b::c", "a/b.js" is "b.js", "java.util.Map.get" is "util.Map.get", "[builtin] Parse"
// is "Parse"; null: one part.
function withoutFirstPart(name) {
	const isJava = /^([a-z_]\w*\.)+[A-Z]/.test(name);
	const group = name[0] === '[' ? groupEnd(name, 0) : 0, kind = name[group] === ' ' && group;
	const at = findOutside(name, (i) => name.startsWith('::', i) || name[i] === '/' ||
		(isJava && name[i] === '.') || i === kind);
	const rest = at < 0 ? '' : name.slice(at + (name[at] === ':' ? 2 : 1));
	return BEGINS_PART.test(rest) ? rest : null;
}

// ["load", " /srv/store.js:5:13"]; a function without a name is told by its place.
function splitPlace(name) {
	let space = 0;
	findOutside(name, (i) => { space = name[i] === ' ' ? i : space; });
	const place = name.slice(space + 1), isPlace = space && /\/|:\d+$/.test(place);
	return isPlace ? [name.slice(0, space), place] : [name, ''];
}

// Of a box that stands for many frames: how many; null: it is a frame.
function countIn(name) {
	const found = /^(?:\(([\d,]+) small\)|⋯ ([\d,]+) frames)$/.exec(name);
	return found && (found[1] ?? found[2]);
}

// A name and what is left of it, ever shorter.
function labelSteps(name) {
	const count = countIn(name);
	if (count)
		return [name, count];
	if (name.length > LONGEST_NAME)
		return [name.slice(0, LONGEST_NAME / 2) + name.slice(-LONGEST_NAME / 2)];
	const plain = withoutArguments(name, '(');
	const steps = [name, plain, withoutArguments(plain, '<')];
	let [head, place] = splitPlace(steps.at(-1));
	const add = () => steps.push(place ? head + ' ' + place : head);
	for (let next; place && (next = withoutFirstPart(place)); add())
		place = next;
	for (let next; (next = withoutFirstPart(head)); add())
		head = next;
	if (place && !/^[(<]/.test(head))
		steps.push(head);
	return steps;
}

function withoutMiddle(text, fits) {
	const characters = Array.from(text);
	let most = 0, beyond = characters.length;
	const kept = (n) => characters.slice(0, Math.ceil(n / 2)).join('') + '…' +
		characters.slice(characters.length - Math.floor(n / 2)).join('');
	while (beyond - most > 1) {
		const middle = most + beyond >> 1;
		if (fits(kept(middle)))
			most = middle;
		else
			beyond = middle;
	}
	return most >= LEAST_KEPT ? kept(most) : '';
}

// What is written of a name: as much as fits(text) allows, or nothing.
function labelThatFits(name, fits, steps = labelSteps(name)) {
	return steps.find(fits) ?? (countIn(name) ? '' : withoutMiddle(steps.at(-1), fits));
}
