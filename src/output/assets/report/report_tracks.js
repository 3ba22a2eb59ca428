// Over time: a track for each of the busiest threads, one below the other, with one axis.

const TRACKS_MAX = 5, TRACK_HEAD_PX = 32;
const FIRST_TRACK_PX = 14 * ROW + TRACK_HEAD_PX; // of the busiest, if there is no room for all

class TimeAxis {
	constructor(host, looks) {
		this.looks = looks;
		this.canvas = element('canvas', { className: 'axis' });
		this.canvas.setAttribute('aria-hidden', 'true');
		host.append(this.canvas);
	}

	draw({ source, from, to, width }) {
		const c = this.canvas.getContext('2d'), ratio = devicePixelRatio || 1;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(AXIS_PX * ratio);
		this.canvas.style.width = width + 'px';
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		drawAxis(c, { from: source.begin + from, to: source.begin + to, width, top: 0,
			looks: this.looks });
	}
}

// Sources of the busiest threads that are chosen, all of one length; and how many there are.
function trackSources(model) {
	const weights = model.threadWeights(false);
	const { thread } = model.choice;
	const threads = thread >= 0 ? [thread] : busiestThreads(weights, TRACKS_MAX);
	const all = threads.map((t) => new TimeSource(model, t)).filter((source) => source.n);
	const begin = Math.min(...all.map((s) => s.begin));
	const end = Math.max(...all.map((s) => s.begin + s.total));
	for (const source of all)
		source.within(begin, end);
	const whole = weights.reduce((a, b) => a + b, 0);
	return {
		all,
		busy: weights.filter((w) => w > 0).length,
		share: (source) => weights[source.thread] / whole
	};
}
