// What is said of a frame: the card at the pointer (tooltip.js), and the line below the view about
// the frame that has the focus.

class Cards {
	constructor(app) {
		this.app = app;
		this.tip = new Tooltip(document.body);
		this.over = null; // { flame, box }
	}

	// A frame is under the pointer, or (null) none is.
	hover(box, flame, e) {
		this.over = box && !box.small ? { flame, box } : null;
		for (const f of this.app.flames)
			f.outline(box && box.frame && !box.small ? box.frame : 0);
		if (!box || e.pointerType === 'touch')
			this.tip.hide();
		else
			this.tip.show(frameCard(this.factsOf(box, flame)), e.clientX, e.clientY);
	}

	// False: there was no card.
	close() {
		const { shown } = this.tip;
		this.tip.hide();
		return shown;
	}

	factsOf(box, flame) {
		const { source } = flame, { model } = this.app;
		const isNode = source instanceof TreeSource && !box.small && !box.run;
		return {
			name: flame.name(box),
			weight: box.weight,
			self: isNode ? model.self[box.id] : undefined,
			all: source.total,
			parent: box.up && box.up.level > 0 ? box.up.weight : 0,
			amount: (weight) => amountText(weight, source.unit),
			where: box.frame ? this.where(box.frame) : [],
			notes: [this.changeOf(box, source), this.places(box.frame),
				this.app.source.hottestText(box.frame)].filter(Boolean)
		};
	}

	where(number) {
		const { module, file, line, mix } = this.app.model.frames[number];
		return [cut(module), file && cut(file) + (line ? `:${line}` : ''), mix]
			.filter(Boolean);
	}

	places(frame) {
		const { model } = this.app, row = frame ? model.functionOf(frame) : null;
		return row && row.places > 1
			? `in ${row.places.toLocaleString('en-US')} places, ` +
				`${percent(row.total, model.total[0])} together`
			: '';
	}

	// Rules make another tree, of which only the widths are known.
	changeOf(box, source) {
		const { changes } = this.app.profile;
		const known = changes && !this.app.model.map && source instanceof TreeSource &&
			!box.small && !box.run;
		return known ? changeText(changes, box.id) : '';
	}

	// The button says where it leads.
	nameSource(frame) {
		const hottest = this.app.source.hottestOf(frame);
		const button = byId('do-source');
		const at = hottest && `${cut(baseName(hottest.path), 40)}:${hottest.line}`;
		button.textContent = at ? `Source ${at}` : 'Source';
		button.title = this.app.source.hottestText(frame);
	}

	// The line about the frame that has the focus.
	describe(box, flame) {
		const line = byId('details-text');
		const isFocus = Boolean(box && flame);
		byId('details-buttons').hidden = !isFocus;
		this.nameSource(isFocus ? box.frame : 0);
		byId('details').classList.toggle('open', isFocus);
		if (!isFocus) {
			line.replaceChildren('\u00a0');
			line.title = '';
			return;
		}
		const { source } = flame;
		line.replaceChildren(element('b', { textContent: cut(flame.name(box), 400) }),
			` ${amountText(box.weight, source.unit)}`,
			`, ${percent(box.weight, source.total)}`);
		const change = this.changeOf(box, source);
		if (change)
			line.append(` · ${change}`);
		if (flame.zoomed)
			line.append(
				`, ${percent(box.weight, flame.to - flame.from)} of what is shown`);
		const where = box.frame ? this.where(box.frame) : [];
		if (where.length)
			line.append(element('span', {
				className: 'quiet',
				textContent: ` · ${cut(where.join(' · '), 300)}`
			}));
		line.title = cut(line.textContent, 1000);
	}
}
