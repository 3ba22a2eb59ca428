// link_state.js: what the reader has chosen, in the address, so that a link shows it again. For
// flame graphs and for reports.
//
//	#view=reversed&zoom=main;std%3A%3Asort&search=alloc&case=0&time=1.5,2.25
//
// Pairs of a key and a value are joined by "&", and values are percent-encoded. A path (zoom) is
// the names of frames from the root on, each encoded by itself, joined by ";": it means the same in
// another recording of the program. Rules are deflated, in base64url. Unknown keys are passed over.

const LINK_NAME_MAX = 200; // of a name, its first characters are enough to find it again

const linkName = (name) =>
	Array.from(name.slice(0, 2 * LINK_NAME_MAX)).slice(0, LINK_NAME_MAX).join('');

// A lone half of a surrogate pair cannot be encoded.
const linkEncoded = (text) =>
	encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%2C/g, ',');

function linkDecoded(text) {
	try {
		return decodeURIComponent(text.replaceAll('+', ' '));
	} catch {
		return '';
	}
}

// values: { key: text, number, or path as a list of names }; what is empty is left out.
function linkText(values) {
	return Object.entries(values)
		.map(([key, value]) => [key, Array.isArray(value)
			? value.map((name) => linkEncoded(linkName(name))).join(';')
			: linkEncoded(String(value ?? ''))])
		.filter(([, value]) => value)
		.map((pair) => pair.join('='))
		.join('&');
}

class Link {
	constructor(hash) {
		this.values = new Map();
		for (const pair of hash.replace(/^#/, '').split('&')) {
			const at = pair.indexOf('=');
			if (at > 0)
				this.values.set(pair.slice(0, at), pair.slice(at + 1));
		}
	}

	has(key) { return this.values.has(key); }

	text(key) { return linkDecoded(this.values.get(key) ?? ''); }

	// Names as linkName() has them.
	path(key) { return this.values.get(key)?.split(';').map(linkDecoded) ?? []; }
}

// Once what was drawn is on the screen, or never will be.
const afterPaint = (then) => document.hidden ? then()
	: requestAnimationFrame(() => setTimeout(then));

// Writes the choices to the address, and reads them when the reader goes back or edits it. A new
// address takes browsers milliseconds: it is written when the picture is there.
class Address {
	// on(link): the address is another.
	constructor(on) {
		this.written = location.hash;
		this.values = null; // of what is to be written
		this.step = false;
		addEventListener('pagehide', () => this.flush());
		addEventListener('popstate', () => {
			if (location.hash !== this.written)
				on(this.read());
		});
	}

	read() {
		this.values = null;
		this.written = location.hash;
		return new Link(location.hash);
	}

	// values: as linkText() takes them; step: the browser's Back undoes it.
	write(values, step = false) {
		if (step && this.step)
			this.flush(); // each step is one
		this.step ||= step;
		if (!this.values)
			afterPaint(() => this.flush());
		this.values = values;
	}

	flush() {
		const { values, step } = this;
		this.values = null;
		this.step = false;
		const text = values ? linkText(values) : '', hash = text && '#' + text;
		if (!values || hash === this.written)
			return;
		this.written = hash;
		try {
			history[step ? 'pushState' : 'replaceState'](
				null, '', hash || location.href.replace(/#.*/s, ''));
		} catch {
			// A picture within a page, or a browser that is asked too often.
		}
		this.written = location.hash;
	}
}

async function linkConverted(bytes, through) {
	const stream = new Blob([bytes]).stream().pipeThrough(through);
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function linkPacked(text) {
	const bytes = await linkConverted(
		new TextEncoder().encode(text), new CompressionStream('deflate'));
	const binary = Array.from(bytes, (b) => String.fromCharCode(b)).join('');
	return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

// '' for what is no packed text.
async function linkUnpacked(packed) {
	try {
		const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
		return new TextDecoder().decode(await linkConverted(
			Uint8Array.from(binary, (c) => c.charCodeAt(0)),
			new DecompressionStream('deflate')));
	} catch {
		return '';
	}
}
