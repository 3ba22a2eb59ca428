// The list of threads: the busiest first, with their share, and a field to search it.

const THREADS_SHOWN = 200;

class ThreadList {
	// on(thread): chosen; -1: all of them.
	constructor(app, on) {
		this.app = app;
		this.on = on;
		this.button = byId('thread-button');
		this.list = element('ul', { id: 'thread-options' });
		this.list.setAttribute('role', 'listbox');
		this.list.setAttribute('aria-label', 'Threads');
		this.field = element('input', {
			type: 'search', placeholder: 'Name or number', spellcheck: false
		});
		this.field.setAttribute('role', 'combobox');
		this.field.setAttribute('aria-label', 'Search threads');
		this.field.setAttribute('aria-controls', 'thread-options');
		this.field.setAttribute('aria-expanded', 'true');
		this.rest = element('p', { className: 'quiet' });
		byId('threads').append(this.field, this.list, this.rest);
		this.button.addEventListener('click', () => this.open(byId('threads').hidden));
		this.field.addEventListener('input', () => this.fill());
		this.field.addEventListener('keydown', (e) => this.key(e));
		this.list.addEventListener('click', (e) => {
			const item = e.target.closest('[role=option]');
			if (item)
				this.choose(Number(item.dataset.thread));
		});
		document.addEventListener('pointerdown', (e) => {
			if (!e.target.closest('#choose-thread'))
				this.open(false);
		});
	}

	label(thread) {
		const { name, tid } = this.app.profile.facts.threads[thread];
		return `${cut(name || '?', 60)} (${tid})`;
	}

	// What is chosen, and is there anything to choose?
	show() {
		const { process, thread } = this.app.model.choice;
		const all = this.app.model.threadsOf(process);
		byId('choose-thread').hidden = this.app.profile.facts.threads.length < 2;
		this.button.textContent = thread < 0 ? `all ${all.length.toLocaleString('en-US')}`
						     : this.label(thread);
	}

	open(open) {
		if (byId('threads').hidden === !open)
			return;
		byId('threads').hidden = !open;
		this.button.setAttribute('aria-expanded', open);
		if (!open)
			return;
		const { model } = this.app;
		this.weights = model.threadWeights(false);
		this.whole = this.weights.reduce((a, b) => a + b, 0);
		this.sorted = model.threadsOf(model.choice.process)
				      .sort((a, b) => this.weights[b] - this.weights[a] || a - b);
		this.field.value = '';
		this.fill();
		this.field.focus();
	}

	fill() {
		const words = this.field.value.toLowerCase().split(/\s+/);
		const found = this.sorted.filter((thread) =>
			words.every((w) => this.label(thread).toLowerCase().includes(w)));
		const all = this.field.value.trim() ? found : [-1, ...found];
		this.shown = all.slice(0, THREADS_SHOWN);
		this.list.replaceChildren(...this.shown.map((thread) => this.item(thread)));
		const more = all.length - this.shown.length;
		this.rest.textContent = more ? `and ${more.toLocaleString('en-US')} more`
			: all.length	     ? ''
					     : 'no such thread';
		this.mark(this.field.value.trim() ? 0 : Math.max(
			this.shown.indexOf(this.app.model.choice.thread), 0));
	}

	item(thread) {
		const share = thread < 0 ? '' : percent(this.weights[thread], this.whole);
		const item = element('li', { id: `thread-${thread}` },
			element('span', { textContent: thread < 0 ? 'all' : this.label(thread) }),
			element('span', { className: 'quiet', textContent: share }));
		item.setAttribute('role', 'option');
		item.dataset.thread = thread;
		return item;
	}

	mark(at) {
		this.at = Math.min(Math.max(at, 0), this.shown.length - 1);
		[...this.list.children].forEach((item, i) => {
			item.setAttribute('aria-selected', i === this.at);
			if (i === this.at) {
				this.field.setAttribute('aria-activedescendant', item.id);
				item.scrollIntoView({ block: 'nearest' });
			}
		});
	}

	key(e) {
		const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[e.key];
		if (by)
			this.mark(this.at + by);
		else if (e.key === 'Enter' && this.shown.length)
			this.choose(this.shown[this.at]);
		else
			return;
		e.preventDefault();
	}

	choose(thread) {
		this.open(false);
		this.button.focus();
		this.on(thread);
	}
}
