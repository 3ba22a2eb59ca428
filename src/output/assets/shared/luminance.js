// luminance.js: how much light a colour gives, from 0 to 1 (WCAG 2, relative luminance), which says
// what can be read on it. For flame graphs and for reports.
//
//	light < BLACK_FROM	white text has more contrast, at least 4.58:1
//	else			black text has

const BLACK_FROM = 0.179;

// color: 0xrrggbb; dim: a factor of its parts.
function luminance(color, dim = 1) {
	const part = (shift) => {
		const v = (color >> shift & 255) * dim / 255;
		return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	};
	return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0);
}

// A colour that the paper shines through; share: of the colour.
function mixed(color, paper, share) {
	const part = (shift) => Math.round((color >> shift & 255) * share +
		(paper >> shift & 255) * (1 - share)) << shift;
	return part(16) | part(8) | part(0);
}
