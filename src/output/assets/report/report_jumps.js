// The arrows beside instructions: from each jump to where it goes. Short ones are nearest to the
// code; each has a lane of its own as far as it reaches. What finds no lane is drawn only while its
// instruction is under the pointer or has the focus.

const LANES_MOST = 8, LANE_PX = 6;

// jumps: Map of an instruction to its target. [{ from, to, low, high, lane }], lane -1: none.
function jumpLanes(jumps) {
	const all = Array.from(jumps, ([from, to]) => ({
		from,
		to,
		low: Math.min(from, to),
		high: Math.max(from, to),
		lane: -1
	}));
	const rows = all.reduce((n, { high }) => Math.max(n, high + 1), 0);
	const taken = Array.from({ length: LANES_MOST }, () => new Uint8Array(rows));
	const isFree = (lane, { low, high }) => {
		const at = lane.indexOf(1, low);
		return at < 0 || at > high;
	};
	all.sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low);
	for (const jump of all) {
		jump.lane = taken.findIndex((lane) => isFree(lane, jump));
		taken[jump.lane]?.fill(1, jump.low, jump.high + 1);
	}
	return all;
}

const laneCount = (jumps) => jumps.reduce((n, { lane }) => Math.max(n, lane + 1), 0);
const gutterPx = (lanes) => lanes ? lanes * LANE_PX + 10 : 6;

class JumpGutter {
	// looks: for its colours.
	constructor(looks) {
		this.looks = looks;
		this.canvas = element('canvas', { className: 'jumps' });
		this.canvas.setAttribute('aria-hidden', 'true');
		this.all = [];
	}

	// all: of jumpLanes(), counted in rows.
	show(all) {
		this.all = all;
		this.lanes = laneCount(all);
		this.width = gutterPx(this.lanes);
	}

	// In sight of a list; focus: the row whose jump is drawn above the others.
	draw(list, focus) {
		const { canvas, width } = this, ratio = devicePixelRatio || 1;
		const height = list.most ? Math.min(list.most, list.rows.length) * LINE_PX
					 : list.box.clientHeight;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
		const c = canvas.getContext('2d');
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.lineJoin = 'round';
		const top = list.most ? 0 : list.box.scrollTop;
		const seen = this.all.filter(({ low, high }) =>
			(high + 1) * LINE_PX >= top && low * LINE_PX <= top + height);
		const isFocus = ({ from, to }) => from === focus || to === focus;
		for (const jump of seen)
			if (jump.lane >= 0 && !isFocus(jump))
				this.arrow(c, jump, top, this.looks.quiet, 1);
		for (const jump of seen)
			if (isFocus(jump))
				this.arrow(c, jump, top, this.looks.focusColor, 2);
	}

	arrow(c, { from, to, lane }, top, color, thick) {
		const right = this.width - 2, middle = LINE_PX / 2;
		const x = right - 6 - (lane < 0 ? this.lanes : lane) * LANE_PX;
		const y = from * LINE_PX + middle - top, end = to * LINE_PX + middle - top;
		const shift = from === to ? 4 : 0; // to itself
		c.strokeStyle = c.fillStyle = color;
		c.lineWidth = thick;
		c.beginPath();
		c.moveTo(right, y - shift);
		c.lineTo(x, y - shift);
		c.lineTo(x, end + shift);
		c.lineTo(right - 3, end + shift);
		c.stroke();
		c.beginPath();
		c.moveTo(right, end + shift);
		c.lineTo(right - 5, end + shift - 3);
		c.lineTo(right - 5, end + shift + 3);
		c.fill();
	}
}
