// Zoom, search and the width of the window for a flame graph drawn by perfold.
// Every frame knows where it lies: data-x and data-w in weight, data-y in depth. All that is
// shown follows from these, the frame zoomed to, the search and the width. Addresses hold
// weights too, so they mean the same at any width: ?x=START&y=DEPTH&s=SEARCH&i=1.
(function () {
	"use strict";
	var PAD = 10, MARGIN = 3;
	var script = document.currentScript;
	var svg = script ? script.closest("svg") : document.documentElement;
	var details = find("details"), matched = find("matched");
	var unzoom = find("unzoom"), searchButton = find("search"), caseButton = find("ignorecase");
	var width = Number(svg.getAttribute("width"));
	var height = Number(svg.getAttribute("height"));
	var measure = measurer();
	var frames = Array.from(find("frames").children, function (g) {
		var title = g.firstChild.textContent;

		return {
			g: g,
			rect: g.querySelector("rect"),
			text: g.querySelector("text"),
			title: title,
			name: title.slice(0, title.lastIndexOf(" (")),
			start: Number(g.dataset.x),
			weight: Number(g.dataset.w),
			depth: Number(g.dataset.y),
			shown: true,
			parent: false,
			match: false
		};
	});
	var byElement = new Map(frames.map(function (f) { return [f.g, f]; }));
	var zoomed = frames[0], term = "", ignoreCase = false;

	function find(id) {
		return svg.querySelector("#" + id);
	}

	// A function that tells how wide a character is, asking the browser once for each.
	function measurer() {
		var canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
		var pen = canvas.getContext && canvas.getContext("2d");
		var style = getComputedStyle(svg), usual = parseFloat(style.fontSize) * .59;
		var known = new Map();

		if (pen)
			pen.font = style.fontSize + " " + style.fontFamily;
		return function (c) {
			if (!known.has(c))
				known.set(c, pen ? pen.measureText(c).width : usual);
			return known.get(c);
		};
	}

	// As much of the name as there is room for.
	function label(name, room) {
		var dots = 2 * measure("."), used = 0, fits = "", c;

		for (c of name) {
			used += measure(c);
			if (used + dots <= room)
				fits += c;
			else if (used > room)
				return fits && fits + "..";
		}
		return name;
	}

	// How a frame is seen from the one zoomed to: as an ancestor, as inside, or not at all.
	function place(f) {
		var end = f.start + f.weight, zoomedEnd = zoomed.start + zoomed.weight;
		var below = f.depth < zoomed.depth;

		f.parent = below && f.start <= zoomed.start && end >= zoomedEnd;
		f.shown = f.parent || !below && f.start >= zoomed.start && end <= zoomedEnd;
	}

	// Only writes to the document: reading between would make the browser lay it out each time.
	function draw() {
		var scale = (width - 2 * PAD) / zoomed.weight;

		frames.forEach(function (f) {
			var x, w;

			place(f);
			f.g.classList.toggle("hide", !f.shown);
			f.g.classList.toggle("parent", f.parent);
			if (!f.shown)
				return;
			x = PAD + (f.parent ? 0 : (f.start - zoomed.start) * scale);
			w = (f.parent ? zoomed.weight : f.weight) * scale;
			f.rect.setAttribute("x", x.toFixed(1));
			f.rect.setAttribute("width", w.toFixed(1));
			f.text.setAttribute("x", (x + MARGIN).toFixed(2));
			f.text.textContent = label(f.name, w - 2 * MARGIN);
		});
		unzoom.classList.toggle("off", zoomed === frames[0]);
		showMatched();
	}

	function zoom(f) {
		zoomed = f;
		draw();
		remember();
	}

	// The share of what is shown that lies in frames found: what stands on a frame counted
	// already is not counted again. Frames are in the order of start, then depth.
	function showMatched() {
		var sum = 0, end = -1;

		frames.forEach(function (f) {
			if (!f.match || !f.shown || f.start < end)
				return;
			end = f.start + f.weight;
			sum += f.parent ? zoomed.weight : f.weight;
		});
		matched.classList.toggle("off", !term);
		matched.textContent = "Matched: " + percent(sum, zoomed.weight, 1);
	}

	function percent(part, whole, digits) {
		return part === whole ? "100%" : (100 * part / whole).toFixed(digits) + "%";
	}

	function search(text) {
		var expression = null;

		try {
			expression = text && new RegExp(text, ignoreCase ? "i" : "");
		} catch (error) {
			alert(error.message);
			return;
		}
		term = text;
		frames.forEach(function (f) {
			f.match = Boolean(expression) && expression.test(f.name);
			f.g.classList.toggle("match", f.match);
		});
		searchButton.classList.toggle("on", Boolean(term));
		searchButton.textContent = term ? "Reset Search" : "Search";
		showMatched();
		remember();
	}

	function ask() {
		var text = prompt("Search for a regular expression, such as ^ext4_" +
			(ignoreCase ? " (upper and lower case are alike)" : ""), term);

		if (text !== null)
			search(text);
	}

	function setIgnoreCase(on) {
		ignoreCase = on;
		caseButton.classList.toggle("on", on);
		search(term);
	}

	// The address keeps what others put into it.
	function remember() {
		var url = new URL(location.href), q = url.searchParams, root = zoomed === frames[0];

		set("x", root ? "" : zoomed.start);
		set("y", root ? "" : zoomed.depth);
		set("s", term);
		set("i", ignoreCase ? 1 : "");
		try {
			history.replaceState(null, "", url);
		} catch (error) {
			// Not allowed in this place, as in a sandbox: nothing else depends on it.
		}

		function set(key, value) {
			if (value === "")
				q.delete(key);
			else
				q.set(key, value);
		}
	}

	function recall() {
		var q = new URL(location.href).searchParams, s = q.get("s");
		var start = Number(q.get("x")), depth = Number(q.get("y"));
		var f = q.has("x") && q.has("y") && frames.find(function (candidate) {
			return candidate.start === start && candidate.depth === depth;
		});

		if (q.get("i"))
			setIgnoreCase(true);
		if (f)
			zoom(f);
		if (s)
			search(s);
	}

	// A picture of no particular width takes the window's.
	function resize() {
		var wide = Math.max(document.documentElement.clientWidth || innerWidth, 200);

		if (wide === width)
			return;
		["title", "subtitle", "search", "ignorecase", "matched"].forEach(function (id) {
			var e = find(id), by = wide - width;

			if (e)
				e.setAttribute("x", Number(e.getAttribute("x")) +
					(id.indexOf("title") < 0 ? by : by / 2));
		});
		width = wide;
		svg.setAttribute("width", width);
		svg.setAttribute("viewBox", "0 0 " + width + " " + height);
		draw();
	}

	function frameOf(element) {
		var g = element.closest && element.closest("#frames > g");

		return g && byElement.get(g);
	}

	function describe(f) {
		var text = svg.dataset.nameType + " " + f.title;

		if (zoomed !== frames[0] && !f.parent)
			text += ", " + percent(f.weight, zoomed.weight, 2) + " of what is shown";
		return text;
	}

	svg.addEventListener("click", function (e) {
		var f = frameOf(e.target);

		if (f)
			zoom(f);
		else if (e.target === unzoom)
			zoom(frames[0]);
		else if (e.target === searchButton)
			term ? search("") : ask();
		else if (e.target === caseButton)
			setIgnoreCase(!ignoreCase);
	});
	svg.addEventListener("mouseover", function (e) {
		var f = frameOf(e.target);

		details.textContent = f ? describe(f) : " ";
	});
	addEventListener("keydown", function (e) {
		var key = e.ctrlKey || e.metaKey ? "^" + e.key.toLowerCase() : e.key;

		if (key === "F3" || key === "^f")
			ask();
		else if (key === "^i")
			setIgnoreCase(!ignoreCase);
		else if (key === "Escape")
			zoom(frames[0]);
		else
			return;
		e.preventDefault();
	});
	if (svg.dataset.fluid) {
		addEventListener("resize", resize);
		resize();
	}
	svg.classList.add("live");
	showMatched();
	unzoom.classList.add("off");
	recall();
})();
