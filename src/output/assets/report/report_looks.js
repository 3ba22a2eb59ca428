const ABOVE = 0.45; // of the colour of a frame that is only there as a caller

// How frames look: the colours that are chosen, what is searched for, categories that are off.
class Looks {
	// exact: colours say how much, so that none is shaded.
	constructor(by, exact) {
		this.by = by;
		this.exact = exact;
		this.search = null;
		this.off = new Set();
		this.labels = new Map();
		this.theme();
	}

	theme() {
		const style = getComputedStyle(document.documentElement);
		const get = (name) => style.getPropertyValue(name).trim();
		this.font = get('--mono');
		this.match = get('--match');
		this.smallColor = get('--line');
		this.quiet = get('--quiet');
		this.focusColor = get('--accent');
		this.card = parseInt(get('--card').slice(1), 16);
		this.dim = document.documentElement.classList.contains('dark') ? 0.88 : 1;
		this.all = { fill: get('--line'), ink: get('--ink'), faded: false };
		this.ink = get('--frame-ink');
		this.stripe = get('--stripe');
		this.hatched = null;
		this.anyName = { key: '', color: parseInt(get('--bar').slice(1), 16) };
		this.keyed = null;
		this.forget();
	}

	forget() { this.known = []; }

	// See report_legend.js.
	legendKeys() { return this.keyed ??= legendKeys(this.frames, this); }

	// What labelSteps() makes of a name.
	steps(name) {
		if (this.labels.size > 20000)
			this.labels.clear();
		let steps = this.labels.get(name);
		if (!steps)
			this.labels.set(name, steps = labelSteps(name));
		return steps;
	}

	// Of waits: grey with stripes.
	hatch() {
		if (this.hatched)
			return this.hatched;
		const tile = document.createElement('canvas'), c = tile.getContext('2d');
		tile.width = tile.height = 8;
		c.fillStyle = this.all.fill;
		c.fillRect(0, 0, 8, 8);
		c.strokeStyle = this.stripe;
		c.lineWidth = 1.5;
		for (const x of [-8, 0, 8]) {
			c.moveTo(x - 1, 9);
			c.lineTo(x + 9, -1);
		}
		c.stroke();
		return this.hatched = c.createPattern(tile, 'repeat');
	}

	setModel(model) {
		this.frames = model.frames;
		this.keyed = null;
		this.forget();
	}

	of(number) { return this.known[number] ??= this.look(this.frames[number], number); }

	// What the colour of a frame stands for: its category, module or tier.
	keyOf(frame) {
		if (this.by === 'module')
			return { key: frame.module.split('/').pop(), color: frame.moduleColor };
		if (this.by === 'package')
			return { key: frame.package || 'none', color: frame.packageColor };
		if (this.by === 'tier')
			return { key: frame.mixTier || 'no tier', color: frame.mixColor,
				keyColor: frame.tierColor };
		return this.by === 'palette' ? { key: '', color: frame.color }
					     : { key: frame.category, color: frame.categoryColor };
	}

	// Of one category, frames are a little lighter or darker, to tell neighbours apart.
	look(frame, number) {
		const found = this.search?.test(cut(frame.name, LONGEST));
		if (found)
			return { fill: this.match, ink: '#ffffff', faded: false };
		const { key, color } = this.keyOf(frame);
		const exact = this.exact || this.by === 'palette' || this.by === 'tier';
		const dim = this.dim * (exact ? 1 : 1 - 0.035 * (number % 3));
		return {
			fill: rgb(color, dim),
			ink: inkOn(luminance(color, dim), this.ink),
			faded: Boolean(this.search) || this.off.has(key),
			color: mixed(color, 0, dim) // as it is filled
		};
	}

	// The ink on a frame that is only there as a caller: ABOVE of its colour is seen.
	inkAbove(look) {
		if (look.color === undefined)
			return this.all.ink;
		const seen = mixed(look.color, this.card, ABOVE);
		return luminance(seen) < BLACK_FROM ? '#ffffff' : '#000000';
	}

	setColors(by) {
		this.by = by;
		this.keyed = null;
		this.off.clear();
		this.forget();
	}

	toggle(key) {
		if (!this.off.delete(key))
			this.off.add(key);
		this.forget();
	}

	// Fades all others, or none where it is the only one already.
	only(key, keys) {
		const others = keys.filter((k) => k !== key);
		const already = !this.off.has(key) && others.every((k) => this.off.has(k));
		this.off = new Set(already ? [] : others);
		this.forget();
	}
}

// Text that can be read (4.5:1) on a fill of a luminance.
const inkOn = (light, ink) => light < 0.18 ? '#ffffff' : light < 0.22 ? '#000000' : ink;

// ---- light and dark -----------------------------------------------------------------------------

const isDark = () => document.documentElement.classList.contains('dark');

function setTheme(dark) {
	document.documentElement.classList.toggle('dark', dark);
	document.dispatchEvent(new Event('themechange'));
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
prefersDark.addEventListener('change', () => setTheme(prefersDark.matches));
setTheme(prefersDark.matches);
