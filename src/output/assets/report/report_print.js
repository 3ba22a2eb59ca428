// Printing: light, and laid out for the page instead of the window. Flame graphs are drawn anew,
// all of their rows, as pictures of a part of a page each; of a table, as much as anybody reads.

const PRINT_PX = 1040, PRINT_ROWS = 28; // A4 or letter, landscape
const PRINTED_ROWS_MAX = 400, PRINTED_FUNCTIONS = 100;

class Printing {
	constructor(app) {
		this.app = app;
		this.made = [];
		addEventListener('beforeprint', () => this.begin());
		addEventListener('afterprint', () => this.end());
	}

	begin() {
		if (this.made.length)
			return;
		const { app } = this;
		this.wasDark = isDark();
		setTheme(false);
		app.showLegend();
		for (const flame of app.flames) {
			const pictures = flame.printed(PRINT_PX, PRINT_ROWS, PRINTED_ROWS_MAX);
			const host = element('div', { className: 'printed' }, ...pictures);
			flame.scroller.after(host);
			this.made.push(host);
		}
		app.table?.print?.(PRINTED_FUNCTIONS);
	}

	end() {
		for (const host of this.made)
			host.remove();
		this.made = [];
		this.app.table?.print?.(0);
		setTheme(this.wasDark);
	}
}
