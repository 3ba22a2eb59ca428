/*
 * svg.c - flame graphs, icicles and flame charts as SVG
 *
 * The geometry is that of flamegraph.pl, to the tenth of a pixel; names, colours and texts too.
 * The picture is whole without its script, which adds zoom, search and the width of the window.
 * Nothing from a recording is in the script or the style sheet: all of it is escaped text, or
 * numbers in attributes (data-fluid: no width was asked for; auto: no background):
 *
 *	<svg data-name-type="Function:" data-fluid="1" class="auto" ...>
 *	  <g id="frames"><g data-x="start" data-w="weight" data-y="depth"><title/><rect/><text/></g>
 */
#include "output/formats.h"

#include "assets/flamegraph_css.h"
#include "assets/flamegraph_js.h"
#include "base/utf8.h"
#include "output/layout.h"
#include "output/palette.h"

#include <stdio.h>

#define X_PAD       10
#define FRAME_PAD   1
#define FONT_WIDTH  0.59 /* of a character, as a share of the font's size */
#define FONT_FAMILY "Verdana, 'DejaVu Sans', sans-serif"
#define MIN_WIDTH   0.1 /* pixels */

struct svg {
	const struct profile *p;
	const struct picture_opts *opts;
	const struct palette *palette;
	struct background background;
	struct shown names;
	struct layout layout;
	enum layout_order order;
	unsigned width, frame_height;
	double font_size, height;
	double top, bottom; /* room above and below the frames */
	double pixels_per_weight;
	const char *title, *count_name;
	struct sink *to;
	struct buf scratch;
};

/* Digits without a needless point: 12, 12.5. */
static void put_number(struct svg *s, double v)
{
	sink_printf(s->to, "%.10g", v);
}

/* Marks that turn the direction of text around: they would show a name as another one, and the
 * counts behind it too. https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
static bool turns_text(uint32_t c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
	       c == 0x200f || c == 0x61c;
}

static void put_text(struct svg *s, struct span text)
{
	struct span rest = text;
	uint32_t code = 0;
	unsigned n;

	s->scratch.n = 0;
	for (; rest.n; rest = span_from(rest, n)) {
		n = utf8_decode(rest, &code);
		if (n && turns_text(code)) {
			utf8_put_xml(&s->scratch, span_range(text.p, rest.p));
			buf_puts(&s->scratch, "\ufffd");
			text = span_from(rest, n);
		}
		n = n ? n : 1;
	}
	utf8_put_xml(&s->scratch, text);
	sink_put_span(s->to, buf_span(&s->scratch));
}

static void put_color(struct svg *s, struct color c)
{
	sink_printf(s->to, "rgb(%u,%u,%u)", c.r, c.g, c.b);
}

/* 1234567 as 1,234,567 */
static void put_grouped(struct svg *s, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v), i;

	for (i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			sink_putc(s->to, ',');
		sink_putc(s->to, digits[i]);
	}
}

static void svg_head(struct svg *s)
{
	sink_puts(s->to, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
	sink_printf(s->to, "<svg version=\"1.1\" width=\"%u\" height=\"", s->width);
	put_number(s, s->height);
	sink_printf(s->to, "\" viewBox=\"0 0 %u ", s->width);
	put_number(s, s->height);
	sink_puts(s->to, "\" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"");
	put_text(s, span_of(s->opts->font_type ? s->opts->font_type : FONT_FAMILY));
	sink_puts(s->to, "\" font-size=\"");
	put_number(s, s->font_size);
	sink_puts(s->to, "\" data-name-type=\"");
	put_text(s, span_of(s->opts->name_type ? s->opts->name_type : "Function:"));
	sink_puts(s->to, s->opts->width ? "\"" : "\" data-fluid=\"1\"");
	sink_puts(s->to, s->opts->background ? "" : " class=\"auto\"");
	sink_puts(s->to, ">\n<title>");
	put_text(s, span_of(s->title));
	sink_puts(s->to, "</title>\n");
	if (s->opts->notes) {
		sink_puts(s->to, "<desc>");
		put_text(s, span_of(s->opts->notes));
		sink_puts(s->to, "</desc>\n");
	}
	sink_puts(s->to, "<style><![CDATA[\n");
	sink_put(s->to, asset_flamegraph_css, sizeof(asset_flamegraph_css));
	sink_puts(s->to, "]]></style>\n");
}

static void svg_background(struct svg *s)
{
	sink_puts(s->to, "<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" "
			 "x2=\"0\"><stop stop-color=\"");
	put_color(s, s->background.top);
	sink_puts(s->to, "\" offset=\"5%\"/><stop stop-color=\"");
	put_color(s, s->background.bottom);
	sink_puts(s->to, "\" offset=\"95%\"/></linearGradient></defs>\n"
			 "<rect width=\"100%\" height=\"100%\" fill=\"url(#background)\"/>\n");
}

/* A line of text outside the frames; anchor is start, middle or end, size 0 that of all text. */
static void put_line(struct svg *s, const char *id, const char *anchor, double x, double y,
	double size, const char *text)
{
	sink_printf(s->to, "<text id=\"%s\" text-anchor=\"%s\" x=\"", id, anchor);
	put_number(s, x);
	sink_puts(s->to, "\" y=\"");
	put_number(s, y);
	if (size > 0) {
		sink_puts(s->to, "\" font-size=\"");
		put_number(s, size);
	}
	sink_puts(s->to, "\">");
	put_text(s, span_of(text));
	sink_puts(s->to, "</text>\n");
}

static void svg_controls(struct svg *s)
{
	double right = (double)s->width - X_PAD;
	double top = s->font_size * 2, foot = s->height - (s->font_size * 2 + 10) / 2;

	put_line(s, "title", "middle", s->width / 2, top, s->font_size + 5, s->title);
	if (s->opts->subtitle)
		put_line(s, "subtitle", "middle", s->width / 2, top * 2, 0, s->opts->subtitle);
	sink_puts(s->to, "<g id=\"controls\">\n");
	put_line(s, "unzoom", "start", X_PAD, top, 0, "Reset Zoom");
	put_line(s, "search", "end", right - s->font_size * 2, top, 0, "Search");
	put_line(s, "ignorecase", "end", right, top, 0, "ic");
	put_line(s, "details", "start", X_PAD, foot, 0, " ");
	put_line(s, "matched", "end", right, foot, 0, " ");
	sink_puts(s->to, "</g>\n");
}

/* "name (1,234 samples, 12.34%)" */
static void put_hover(struct svg *s, const struct box *b)
{
	if (b->depth)
		put_text(s, shown_plain(shown_text(&s->names, b->name)));
	else
		sink_puts(s->to, "all");
	sink_puts(s->to, " (");
	put_grouped(s, b->weight);
	sink_putc(s->to, ' ');
	put_text(s, span_of(s->count_name));
	if (b->depth)
		sink_printf(s->to, ", %.2f%%)", 100 * (double)b->weight / (double)s->layout.total);
	else
		sink_puts(s->to, ", 100%)");
}

/* As much of the name as fits, ".." for the rest; nothing where not even one character does. */
static void put_label(struct svg *s, const struct box *b, double width_px)
{
	struct span name = shown_plain(shown_text(&s->names, b->name)), rest;
	double room = width_px / (s->font_size * FONT_WIDTH);
	size_t chars, n;
	uint32_t code;

	if (!b->depth)
		name = SPAN("all");
	if (room < 3)
		return;
	for (rest = name, chars = 0; rest.n && (double)chars + 1 <= room; chars++) {
		n = utf8_decode(rest, &code);
		rest = span_from(rest, n ? n : 1);
	}
	if (!rest.n) {
		put_text(s, name);
		return;
	}
	for (rest = name; chars > 2; chars--) {
		n = utf8_decode(rest, &code);
		rest = span_from(rest, n ? n : 1);
	}
	put_text(s, span_range(name.p, rest.p));
	sink_puts(s->to, "..");
}

/* The letter of the annotation that the frame has, or would have if it were asked for. */
static char annotation_of(const struct profile *p, frame_id id)
{
	switch (profile_frame_kind(p, id)) {
	case FRAME_KERNEL:
		return 'k';
	case FRAME_JIT:
		return frames_get(p->frames, id)->flags & FRAME_INLINED ? 'i' : 'j';
	default:
		return 0;
	}
}

static struct color box_color(const struct svg *s, const struct box *b)
{
	struct color_subject subject = {
		.name = b->depth ? shown_text(&s->names, b->name) : SPAN(""),
		.kind = annotation_of(s->p, b->frame),
		.waker = b->waker,
		.by_hash = s->opts->hash_colors,
	};

	return palette_color(s->palette, &subject);
}

/* To a tenth, as printed: widths are differences of printed numbers, so that boxes meet. */
static double tenths(double v)
{
	char digits[64];
	struct span text = { digits, (size_t)snprintf(digits, sizeof(digits), "%.1f", v) };
	uint64_t whole = 0, part = 0;

	scan_dec(&text, &whole);
	text = span_from(text, 1);
	scan_dec(&text, &part);
	return (double)(whole * 10 + part);
}

static void svg_box(struct svg *s, const struct box *b)
{
	double x1 = X_PAD + (double)b->start * s->pixels_per_weight;
	double x2 = X_PAD + (double)(b->start + b->weight) * s->pixels_per_weight;
	double h = s->frame_height, y1, y2;

	if (s->opts->inverted) {
		y1 = s->top + b->depth * h;
		y2 = y1 + h - FRAME_PAD;
	} else {
		y2 = s->height - s->bottom - b->depth * h;
		y1 = y2 - h + FRAME_PAD;
	}
	sink_printf(s->to, "<g data-x=\"%llu\" data-w=\"%llu\" data-y=\"%u\"><title>",
		(unsigned long long)b->start, (unsigned long long)b->weight, b->depth);
	put_hover(s, b);
	sink_printf(s->to, "</title><rect x=\"%.1f\" y=\"", x1);
	put_number(s, y1);
	sink_printf(s->to, "\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" ry=\"2\" fill=\"",
		(tenths(x2) - tenths(x1)) / 10, y2 - y1);
	put_color(s, box_color(s, b));
	sink_printf(s->to, "\"/><text x=\"%.2f\" y=\"", x1 + 3);
	put_number(s, 3 + (y1 + y2) / 2);
	sink_puts(s->to, "\">");
	put_label(s, b, x2 - x1);
	sink_puts(s->to, "</text></g>\n");
}

static void svg_frames(struct svg *s)
{
	size_t i;

	sink_puts(s->to, "<g id=\"frames\">\n");
	for (i = 0; i < s->layout.n && !sink_failed(s->to); i++)
		svg_box(s, &s->layout.boxes[i]);
	sink_puts(s->to, "</g>\n<script><![CDATA[\n");
	sink_put(s->to, asset_flamegraph_js, sizeof(asset_flamegraph_js));
	sink_puts(s->to, "]]></script>\n");
}

static const char *default_title(const struct picture_opts *o)
{
	if (o->flamechart)
		return "Flame Chart";
	return o->inverted ? "Icicle Graph" : "Flame Graph";
}

static int svg_options(struct svg *s, const struct picture_opts *o, struct err *e)
{
	int ret = palette_by_name(&s->palette, o->colors, e);

	if (!ret)
		ret = palette_background(&s->background, s->palette, o->background, e);
	if (ret)
		return ret;
	s->opts = o;
	s->width = o->width ? o->width : 1200;
	s->frame_height = o->frame_height ? o->frame_height : 16;
	s->font_size = o->font_size > 0 ? o->font_size : 12;
	if (s->width <= 2 * X_PAD)
		return err_set(
			e, ERR_USAGE, "a picture %u pixels wide has no room for frames", s->width);
	if (o->reverse)
		s->order = LAYOUT_REVERSED;
	else if (o->flamechart && s->p->n_rows)
		s->order = LAYOUT_TIME;
	s->title = o->title ? o->title : default_title(o);
	s->count_name = o->count_name;
	if (!s->count_name)
		s->count_name = s->p->unit ? strtab_str(s->p->strings, s->p->unit) : "samples";
	return OK;
}

/* Boxes first: the height of the picture is that of what is wide enough to be seen. */
static void svg_measure(struct svg *s)
{
	uint64_t total = layout_total(s->p, s->order);
	double min_width = s->opts->min_width_given ? s->opts->min_width : MIN_WIDTH;
	double min_weight;

	s->pixels_per_weight = (s->width - 2 * X_PAD) / (double)(total ? total : 1);
	if (s->opts->min_width_given && s->opts->min_width_is_percent)
		min_weight = (double)total * min_width / 100;
	else
		min_weight = min_width / s->pixels_per_weight;
	layout_make(&s->layout, s->p, &s->names, s->order, min_weight);
	s->top = s->font_size * 3 + (s->opts->subtitle ? s->font_size * 2 : 0);
	s->bottom = s->font_size * 2 + 10;
	s->height = ((double)s->layout.max_depth + 1) * s->frame_height + s->top + s->bottom;
}

static void svg_nothing(struct svg *s)
{
	s->height = s->font_size * 5;
	svg_head(s);
	svg_background(s);
	put_line(s, "title", "middle", s->width / 2, s->font_size * 2, s->font_size + 5, s->title);
	put_line(s, "nothing", "middle", s->width / 2, s->font_size * 4, 0,
		"There is nothing to draw: no samples were left.");
}

static int svg_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct svg s = { .p = p, .to = to };
	int ret = svg_options(&s, &o->picture, e);

	if (ret)
		return ret;
	shown_init(&s.names, p);
	svg_measure(&s);
	if (s.layout.total) {
		svg_head(&s);
		svg_background(&s);
		svg_controls(&s);
		svg_frames(&s);
	} else {
		svg_nothing(&s);
	}
	sink_puts(to, "</svg>\n");
	layout_release(&s.layout);
	shown_release(&s.names);
	buf_release(&s.scratch);
	return OK;
}

static const char *const suffixes[] = { ".svg", NULL };

const struct output_format format_svg = {
	.name = "svg",
	.suffixes = suffixes,
	.about = "a flame graph with zoom and search, for a browser",
	.needs = OUTPUT_BY_NAME,
	.write = svg_write,
};
