// The frames from the root to what is zoomed to, each a way back to it; and, on narrow windows, the
// button that shows the choices.

const PATH_CHAR_PX = 7; // as most characters are at most

class Path {
	constructor(host) { this.host = host; }

	// Of views that show stacks, one picture at a time.
	show(view, flame) {
		this.host.hidden = !['flame', 'reversed'].includes(view) || !flame;
		if (this.host.hidden)
			return;
		const boxes = [], zoom = flame.shownBox();
		for (let box = zoom; box && box.level > 0; box = box.up)
			boxes.unshift(box);
		boxes.unshift(flame.source.root());
		const { first, labels } = crumbsThatFit(boxes, (box) => flame.name(box),
			this.host.clientWidth - 60, (text) => PATH_CHAR_PX * text.length);
		const crumbs = labels.map((text, i) => this.crumb(flame, boxes[first + i], text));
		if (first)
			crumbs.unshift(this.crumb(flame, boxes[0], '…'));
		crumbs.at(-1).setAttribute('aria-current', 'true');
		this.host.replaceChildren(...crumbs);
	}

	crumb(flame, box, textContent) {
		const button = element('button', { type: 'button', textContent });
		button.title = cut(flame.name(box));
		button.addEventListener('click', () => flame.zoomToBox(box));
		return button;
	}
}

class Filters {
	constructor(app) {
		this.app = app;
		this.button = byId('filters-button');
		this.button.addEventListener('click', () => {
			const open = byId('bar').classList.toggle('open');
			this.button.setAttribute('aria-expanded', open);
		});
	}

	// How many of them leave something out.
	count() {
		const { process, thread, event, cpu } = this.app.model.choice;
		const n = [process >= 0, thread >= 0, event > 0, cpu >= 0].filter(Boolean).length;
		this.button.textContent = n ? `Filters (${n})` : 'Filters';
	}
}
