'use strict';
// packed_reader.js: the packed tree of a profile, as perfold's source describes it in
// output/picture/packed.h. The first script of flame graphs and of reports.
//
//	base64 ─ unpack() ─► Numbers ─ readTables() ─► texts, modules, categories, mixes, frames
//	                             └ readNodes() ──► nodes in preorder; node 0 is the root
//
// Tables are columns (typed arrays), not objects: a picture may have 10^5 frames and 10^6 nodes, of
// which few are ever shown.

const TEXTS_AT_ONCE = 256;

function bytesOfBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const raw = atob(text), bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

function inflate(base64) {
	const stream = new Blob([bytesOfBase64(base64)]).stream();
	return new Response(stream.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

// One block of bytes; large ones were deflated in parts, with "." between them.
async function inflateAll(text) {
	const parts = await Promise.all(text.trim().split('.').map(inflate));
	return new Uint8Array(parts.length === 1 ? parts[0] : await new Blob(parts).arrayBuffer());
}

async function unpack(text) { return new Numbers(await inflateAll(text)); }

// LEB128 numbers, one after the other. Those above 2^53 lose their lowest bits.
class Numbers {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
		this.decoder = new TextDecoder();
	}

	get atEnd() { return this.at === this.bytes.length; }

	next() {
		const { bytes } = this;
		let byte = bytes[this.at++];
		if (byte < 128)
			return byte;
		let value = byte & 127, scale = 128;
		do {
			byte = bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte >= 128);
		return value;
	}

	// Zigzag: 0, -1, 1, -2, ...
	difference() {
		const v = this.next();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}

	// Most numbers are one byte: a call for each would be most of the time until a page opens.
	column(into) {
		const { bytes } = this, { length } = into;
		let at = this.at;
		for (let i = 0; i < length; i++) {
			const byte = bytes[at];
			if (byte < 128) {
				into[i] = byte;
				at++;
			} else {
				this.at = at;
				into[i] = this.next();
				({ at } = this);
			}
		}
		this.at = at;
		return into;
	}

	// Each the difference to the one before; value comes before the first.
	differences(into, value) {
		for (let i = 0; i < into.length; i++)
			into[i] = value += this.difference();
		return into;
	}

	text(length) {
		this.at += length;
		return this.decoder.decode(this.bytes.subarray(this.at - length, this.at));
	}

	// Texts that follow one another. A call for each would be most of the time until a page
	// opens, so many are decoded at once: where each byte became one character, as all but few
	// do, the lengths in bytes are those of the texts. withText: see readTables().
	texts(lengths, withText) {
		const texts = [], total = (list) => list.reduce((sum, length) => sum + length, 0);
		for (let i = 0; i < lengths.length; i += TEXTS_AT_ONCE) {
			const some = lengths.subarray(i, i + TEXTS_AT_ONCE), size = total(some);
			const from = this.at, all = withText(this.text(size));
			let at = 0;
			if (all.length !== size)
				this.at = from;
			for (const length of some) {
				texts.push(all.length !== size ? withText(this.text(length))
					: all.slice(at, at + length));
				at += length;
			}
		}
		return texts;
	}
}

// withText: what is kept of texts; may change characters, not their number.
function readTables(numbers, withText = (text) => text) {
	const column = (n) => numbers.column(new Uint32Array(n));
	const texts = numbers.texts(column(numbers.next()), withText);
	const table = () => {
		const n = numbers.next();
		return { names: Array.from(column(n), (i) => texts[i]), colors: column(n) };
	};
	const modules = table(), categories = table(), packages = table(), mixes = table();
	mixes.tiers = column(mixes.names.length);
	mixes.tierColors = column(numbers.next());
	const n = numbers.next();
	return { texts, modules, categories, packages, mixes, nFrames: n,
		name: column(n), module: column(n), file: column(n), line: column(n),
		category: column(n), package: column(n), kind: column(n), tier: column(n),
		mix: column(n), color: column(n) };
}

// changes: of a difference, shares of the whole in millionths; else null.
function readNodes(numbers) {
	const n = numbers.next(), unit = numbers.next();
	const frame = numbers.column(new Int32Array(n)), self = new Float64Array(n);
	const parent = new Int32Array(n), path = [0];
	numbers.column(self);
	for (let i = 0; unit !== 1 && i < n; i++)
		self[i] *= unit;
	const gone = numbers.column(new Uint32Array(n));
	for (let i = 0, depth = -1; i < n; i++) {
		depth += 1 - gone[i];
		parent[i] = depth > 0 ? path[depth - 1] : 0;
		path[depth] = i;
	}
	const shares = () => numbers.column(new Float64Array(n));
	const changes = numbers.atEnd ? null
		: { before: shares(), after: shares(), selfBefore: shares(), selfAfter: shares(),
			clear: numbers.column(new Uint8Array(n)) };
	return { n, frame, self, parent, changes };
}
