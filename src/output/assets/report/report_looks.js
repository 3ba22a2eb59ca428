// How frames look: the colours that are chosen, what is searched for, categories that are off.
class Looks {
	constructor() {
		this.by = 'category';
		this.search = null;
		this.off = new Set();
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
		this.dim = document.documentElement.classList.contains('dark') ? 0.88 : 1;
		this.all = { fill: get('--line'), ink: get('--ink'), faded: false };
		this.ink = get('--frame-ink');
		this.forget();
	}

	forget() { this.known = []; }

	setModel(model) {
		this.frames = model.frames;
		this.forget();
	}

	of(number) { return this.known[number] ??= this.look(this.frames[number], number); }

	// Of one category, frames are a little lighter or darker, to tell neighbours apart.
	look(frame, number) {
		const found = this.search?.test(cut(frame.name, LONGEST));
		if (found)
			return { fill: this.match, ink: '#ffffff', faded: false };
		const color = this.by === 'category' ? frame.categoryColor
			: this.by === 'module'	     ? frame.moduleColor
			: this.by === 'tier'	     ? frame.mixColor
						     : frame.color;
		const exact = this.by === 'palette' || this.by === 'tier';
		const shade = exact ? 1 : 1 - 0.035 * (number % 3);
		return {
			fill: rgb(color, this.dim * shade),
			ink: this.ink,
			faded: Boolean(this.search) || this.off.has(frame.category)
		};
	}

	toggle(category) {
		if (!this.off.delete(category))
			this.off.add(category);
		this.forget();
	}
}

// ---- light and dark -----------------------------------------------------------------------------

const isDark = () => document.documentElement.classList.contains('dark');

function setTheme(dark) {
	document.documentElement.classList.toggle('dark', dark);
	document.dispatchEvent(new Event('themechange'));
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
prefersDark.addEventListener('change', () => setTheme(prefersDark.matches));
setTheme(prefersDark.matches);
