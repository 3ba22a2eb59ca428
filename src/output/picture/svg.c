/*
 * svg.c - flame graphs, icicles and flame charts as SVG
 *
 * Boxes are flamegraph.pl's, to the tenth of a pixel, but for long runs of frames with one callee
 * each, which are one row (picture_layout_fold()); what is tall has its root at the top. The
 * picture is complete without its script: every frame that is wide enough is drawn, and a grey box
 * counts those that are not. The script draws from the data, which hold all frames. Nothing from a
 * recording is in the script or the style sheet: all of it is escaped text, numbers in attributes,
 * or base64 (data-fluid: no width was asked for; class painted: a background was):
 *
 *	<svg data-name-type="Function:" data-fluid="1" ...>
 *	  <g id="frames"><g><title/><rect/><text/></g>       with room for a label
 *	                 <rect><title/></rect>               without: nearly all of a large picture
 *	  <metadata id="data">packed.h, each part deflated, in base64, with "." between</metadata>
 */
#include "output/picture/picture.h"

#include "assets/amount_text_js.h"
#include "assets/copy_js.h"
#include "assets/crumbs_js.h"
#include "assets/flame_css.h"
#include "assets/flame_bar_js.h"
#include "assets/flame_draw_js.h"
#include "assets/flame_keys_js.h"
#include "assets/flame_layout_js.h"
#include "assets/flame_link_js.h"
#include "assets/flame_search_js.h"
#include "assets/flame_state_js.h"
#include "assets/flame_tree_js.h"
#include "assets/heaviest_js.h"
#include "assets/labels_js.h"
#include "assets/link_state_js.h"
#include "assets/luminance_js.h"
#include "assets/packed_reader_js.h"
#include "assets/search_text_js.h"
#include "assets/tooltip_css.h"
#include "assets/tooltip_js.h"
#include "base/amount.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "compare/change.h"
#include "output/picture/category.h"
#include "output/picture/frame_color.h"
#include "output/picture/picture_label.h"
#include "output/picture/picture_layout.h"
#include "base/chunks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define X_PAD       10
#define FRAME_PAD   1
#define TEXT_PAD    3
#define FONT_WIDTH  0.59 /* of a character, as a share of the font's size */
#define FONT_FAMILY "Verdana, 'DejaVu Sans', sans-serif"
#define MIN_WIDTH   0.5 /* pixels */

enum {
	DESCRIBED_BOXES = 8,
	TALL = 800, /* pixels: what is taller has its root at the top, where readers begin */
};

struct svg {
	const struct profile *p;
	const struct picture_opts *opts;
	const struct output_opts *all; /* also the facts of the run */
	struct frame_coloring colors;
	struct background background;
	struct display_names names;
	struct picture_layout layout;
	struct packed_tree data;
	enum picture_layout_order order;
	unsigned width, frame_height;
	bool is_tall;
	double font_size, height;
	double top, bottom; /* room above and below the frames */
	double pixels_per_weight;
	struct picture_title texts;
	const char *title, *subtitle, *count_name;
	struct sink *to;
	struct buf scratch, shown, label;
};

static void release_scratch(struct svg *s)
{
	buf_release(&s->scratch);
	buf_release(&s->shown);
	buf_release(&s->label);
}

/* Digits without a needless point: 12, 12.5. */
static void put_number(struct svg *s, double v)
{
	sink_put_double(s->to, v);
}

static void put_text(struct svg *s, struct span text)
{
	if (utf8_is_plain_xml(text)) {
		sink_put_span(s->to, text);
		return;
	}
	s->scratch.n = s->shown.n = 0;
	packed_put_text(&s->shown, text);
	utf8_put_xml(&s->scratch, buf_span(&s->shown));
	sink_put_span(s->to, buf_span(&s->scratch));
}

static void put_color(struct svg *s, struct color c)
{
	static const char digits[] = "0123456789abcdef";
	char text[7] = { '#', digits[c.r >> 4], digits[c.r & 15], digits[c.g >> 4],
		digits[c.g & 15], digits[c.b >> 4], digits[c.b & 15] };

	sink_put(s->to, text, sizeof(text));
}

/* "1.95 s", "1,234 samples" */
static void put_weight(struct svg *s, uint64_t weight)
{
	s->label.n = 0;
	amount_put(&s->label, weight, s->count_name);
	put_text(s, buf_span(&s->label));
}

static void put_attribute(struct svg *s, const char *name, const char *value)
{
	sink_printf(s->to, " data-%s=\"", name);
	put_text(s, span_of(value));
	sink_putc(s->to, '"');
}

/* Options that the script needs. */
static void put_choices(struct svg *s)
{
	const struct picture_opts *o = s->opts;

	put_attribute(s, "name-type", o->name_type ? o->name_type : "Function:");
	put_attribute(s, "title", s->title);
	put_attribute(s, "unit", s->count_name);
	put_attribute(s, "colors", frame_color_mode(&s->colors));
	sink_printf(s->to, " data-width=\"%u\" data-frame-height=\"%u\" data-min-width=\"",
		s->width, s->frame_height);
	put_number(s, o->min_width_given ? o->min_width : MIN_WIDTH);
	sink_puts(s->to, o->min_width_given && o->min_width_is_percent ? "%\"" : "\"");
	sink_puts(s->to, o->width ? "" : " data-fluid=\"1\"");
	sink_puts(s->to, o->inverted ? " data-inverted=\"1\"" : "");
	sink_puts(s->to, s->order == LAYOUT_REVERSED ? " data-reversed=\"1\"" : "");
	sink_puts(s->to, s->order == LAYOUT_TIME ? " data-order=\"time\"" : "");
	sink_puts(s->to, s->p->before ? " data-difference=\"1\"" : "");
}

static struct span plain_name(const struct svg *s, uint32_t name)
{
	return display_names_plain(display_names_get(&s->names, name));
}

/* The name of a frame, or how many a box stands for. */
static struct span box_name(struct svg *s, const struct box *b)
{
	if (b->small) {
		s->label.n = 0;
		buf_printf(&s->label, "(%u small)", b->small);
		return buf_span(&s->label);
	}
	if (b->fold) {
		s->label.n = 0;
		buf_printf(&s->label, "\u22ef %u frames", b->fold);
		return buf_span(&s->label);
	}
	return b->depth ? plain_name(s, b->name) : SPAN("all");
}

/* For those who cannot see it: the notes, what was measured, and what is widest above the root. */
static void put_description(struct svg *s)
{
	const struct picture_layout *l = &s->layout;
	unsigned named = 0;
	size_t i;

	sink_puts(s->to, "<desc>");
	if (s->opts->notes) {
		put_text(s, span_of(s->opts->notes));
		sink_putc(s->to, ' ');
	}
	if (*s->subtitle)
		put_text(s, span_of(s->subtitle));
	else
		put_weight(s, l->total);
	for (i = 0; i < l->n && named < DESCRIBED_BOXES; i++) {
		const struct box *b = &l->boxes[i];

		if (s->p->before || b->depth != 1 || b->small || b->weight < l->total / 20)
			continue;
		sink_puts(s->to, named++ ? ", " : ": ");
		put_text(s, box_name(s, b));
		sink_putc(s->to, ' ');
		sink_put_fixed(s->to, 100 * (double)b->weight / (double)l->total, 2);
		sink_putc(s->to, '%');
	}
	sink_puts(s->to, "</desc>\n");
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
	sink_puts(s->to, "\"");
	put_choices(s);
	sink_puts(s->to, s->opts->background ? " class=\"painted\"" : "");
	sink_puts(s->to, " role=\"img\">\n");
	sink_puts(s->to, "<title>");
	put_text(s, span_of(s->title));
	sink_puts(s->to, "</title>\n");
	put_description(s);
	sink_puts(s->to, "<style><![CDATA[\n");
	sink_put(s->to, asset_flame_css, sizeof(asset_flame_css));
	sink_put(s->to, asset_tooltip_css, sizeof(asset_tooltip_css));
	sink_puts(s->to, "]]></style>\n");
}

/* The fill is for readers of SVG that do not know CSS variables; others paint as the style says. */
static void svg_background(struct svg *s)
{
	sink_puts(s->to, "<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" "
			 "x2=\"0\"><stop stop-color=\"");
	put_color(s, s->background.top);
	sink_puts(s->to, "\" offset=\"5%\"/><stop stop-color=\"");
	put_color(s, s->background.bottom);
	sink_puts(s->to, "\" offset=\"95%\"/></linearGradient></defs>\n"
			 "<rect id=\"paper\" width=\"100%\" height=\"100%\" fill=\"");
	sink_puts(s->to, s->opts->background ? "url(#background)\"/>\n" : "#fcfcfa\"/>\n");
}

/* A line of text outside the frames; anchor is start, middle or end; size 0 is that of all text. */
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

static void put_share(struct svg *s, uint64_t part, uint64_t whole, const char *what)
{
	sink_printf(
		s->to, " \u00b7 %.3g%% %s", whole ? 100 * (double)part / (double)whole : 0, what);
}

/* How much of the run the picture shows, if the recording says so. */
static void put_quality(struct svg *s)
{
	const struct output_opts *o = s->all;
	const struct frame_account *a = &s->texts.headline.account;
	uint64_t samples = 0;
	bool by_perf = false; /* other inputs do not count losses */
	size_t i;

	if (!o->n_recordings || !o->diag)
		return;
	for (i = 0; i < o->n_recordings; i++) {
		samples += o->recordings[i]->samples_read;
		by_perf |= o->recordings[i]->facts.perf_version != 0;
	}
	if (by_perf) {
		put_share(
			s, o->diag->count[DIAG_LOST], samples + o->diag->count[DIAG_LOST], "lost");
		put_share(s, diag_truncated(o->diag), samples, "of stacks truncated");
	}
	put_share(s, a->frames - a->why[WHY_HAS_NAME], a->frames, "of frames unresolved");
}

/* The legend of a difference. */
static void put_key(struct svg *s)
{
	const struct comparison *c = s->p->before;

	sink_puts(s->to,
		"red: more than before \u00b7 blue: less \u00b7 grey: no clear change, at a "
		"confidence of ");
	put_number(s, 100 * (1 - c->max_p_value));
	sink_puts(s->to,
		c->absolute ? "% \u00b7 weights as they are" : "% \u00b7 shares of the whole");
	sink_puts(s->to, "</text>\n");
}

static void svg_footer(struct svg *s)
{
	sink_printf(s->to, "<text id=\"footer\" x=\"%d\" y=\"", X_PAD);
	put_number(s, s->height - (s->font_size * 2 + 10) / 2 + 3);
	sink_puts(s->to, "\">");
	if (s->p->before) {
		put_key(s);
		return;
	}
	if (s->p->event) {
		put_text(s, strtab_get(s->p->strings, s->p->event));
		sink_puts(s->to, " \u00b7 ");
	}
	put_text(s, buf_span(&s->texts.headline.weight));
	put_quality(s);
	sink_puts(s->to, "</text>\n");
}

static void svg_texts(struct svg *s)
{
	double top = s->font_size * 2;

	put_line(s, "title", "middle", s->width / 2, top, s->font_size + 5, s->title);
	if (*s->subtitle)
		put_line(s, "subtitle", "middle", s->width / 2, top * 2, 0, s->subtitle);
	svg_footer(s);
}

/* The lane of removed stacks (collapse/diff_picture.c) is a frame of neither side. */
static bool has_sides(const struct profile *p, node_id node)
{
	struct change c = change_of_node_total(p, node);

	return c.before.weight || c.after.weight;
}

static void put_sides(struct svg *s, const struct change *c)
{
	sink_printf(
		s->to, "before %.2f%%, after %.2f%%", 100 * c->share_before, 100 * c->share_after);
}

/* "name (before 10.00%, after 12.50%: +2.50 points, 1.25 times; by itself before 1.00%, ...)" */
static void put_change(struct svg *s, const struct box *b)
{
	struct change total = change_of_node_total(s->p, b->node);
	struct change self = change_of_node_self(s->p, b->node);

	put_text(s, box_name(s, b));
	sink_puts(s->to, " (");
	put_sides(s, &total);
	sink_printf(s->to, ": %+.2f points", change_points(&total));
	if (total.share_before > 0 && total.share_after > 0)
		sink_printf(s->to, ", %.2f times", total.share_after / total.share_before);
	sink_puts(s->to, change_is_clear(s->p, &total) ? "" : ", no clear change");
	if (self.before.weight || self.after.weight) {
		sink_puts(s->to, "; by itself ");
		put_sides(s, &self);
	}
	sink_putc(s->to, ')');
}

/* "name (1,234 samples, 12.34%)" */
static void put_hover(struct svg *s, const struct box *b)
{
	if (s->p->before && !b->small && !b->fold && has_sides(s->p, b->node)) {
		put_change(s, b);
		return;
	}
	put_text(s, box_name(s, b));
	if (b->fold) {
		sink_puts(s->to, " from ");
		put_text(s, plain_name(s, b->name));
		sink_puts(s->to, " to ");
		put_text(s, plain_name(s, b->last));
	}
	sink_puts(s->to, " (");
	put_weight(s, b->weight);
	if (!b->depth) {
		sink_puts(s->to, ", 100%)");
		return;
	}
	sink_puts(s->to, ", ");
	sink_put_fixed(s->to, 100 * (double)b->weight / (double)s->layout.total, 2);
	sink_puts(s->to, "%)");
}

/* Nothing where there is no room for it. */
static void make_label(struct svg *s, const struct box *b, double width_px, struct buf *label)
{
	double room = (width_px - 2 * TEXT_PAD) / (s->font_size * FONT_WIDTH);

	if (room >= 3)
		picture_label_put(label, box_name(s, b), (size_t)room);
}

/* How much light a part of an sRGB colour gives, from 0 to 1 (WCAG 2, relative luminance). */
static double light_of(uint8_t part)
{
	double v = part / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* White text has more contrast than black. */
static bool needs_white(struct color c)
{
	return 0.2126 * light_of(c.r) + 0.7152 * light_of(c.g) + 0.0722 * light_of(c.b) < 0.179;
}

static struct color box_color(const struct svg *s, const struct box *b)
{
	struct span name = b->depth ? display_names_get(&s->names, b->name) : SPAN("");

	if (b->small || b->fold)
		return (struct color){ 0xdc, 0xdc, 0xd8 };
	return frame_color_first(&s->colors, b->frame, name, b->waker);
}

/* In tenths, as printed: widths are differences of printed numbers, so that boxes meet. */
static double tenths(double v)
{
	double n = floor(v * 10), rest = v * 10 - n;
	uint64_t whole = 0, part = 0;
	struct span text;
	char digits[64];

	if (rest < 0.499 || rest > 0.501)
		return n + (rest > 0.5);
	/* Half-way: printf() knows how to round it. */
	text = (struct span){ digits, (size_t)snprintf(digits, sizeof(digits), "%.1f", v) };
	span_scan_u64(&text, &whole);
	text = span_skip(text, 1);
	span_scan_u64(&text, &part);
	return (double)(whole * 10 + part);
}

/* The rectangle of a box. */
struct area {
	double x1, x2, y1, y2;
};

static struct area box_area(const struct svg *s, const struct box *b)
{
	struct area a = { .x1 = X_PAD + (double)b->start * s->pixels_per_weight,
		.x2 = X_PAD + (double)(b->start + b->weight) * s->pixels_per_weight };
	double h = s->frame_height;

	if (s->opts->inverted || s->is_tall) {
		a.y1 = s->top + b->row * h;
		a.y2 = a.y1 + h - FRAME_PAD;
	} else {
		a.y2 = s->height - s->bottom - b->row * h;
		a.y1 = a.y2 - h + FRAME_PAD;
	}
	return a;
}

static void put_title(struct svg *s, const struct box *b)
{
	sink_puts(s->to, "<title>");
	put_hover(s, b);
	sink_puts(s->to, "</title>");
}

/* The attributes of a rectangle. Nobody sees the corners of less than a pixel. */
static void put_area(struct svg *s, const struct box *b, const struct area *a)
{
	double width = (tenths(a->x2) - tenths(a->x1)) / 10;

	sink_puts(s->to, " x=\"");
	sink_put_fixed(s->to, a->x1, 1);
	sink_puts(s->to, "\" y=\"");
	put_number(s, a->y1);
	sink_puts(s->to, "\" width=\"");
	sink_put_fixed(s->to, width, 1);
	sink_puts(s->to, "\" height=\"");
	put_number(s, a->y2 - a->y1);
	sink_puts(s->to, width < 1 ? "\" fill=\"" : "\" rx=\"2\" ry=\"2\" fill=\"");
	put_color(s, box_color(s, b));
	sink_putc(s->to, '"');
}

static void put_labelled(
	struct svg *s, const struct box *b, const struct area *a, struct span label)
{
	sink_puts(s->to, b->small || b->fold ? "<g class=\"small\">" : "<g>");
	put_title(s, b);
	sink_puts(s->to, "<rect");
	put_area(s, b, a);
	sink_puts(s->to, "/><text x=\"");
	sink_put_fixed(s->to, a->x1 + TEXT_PAD, 2);
	sink_puts(s->to, "\" y=\"");
	put_number(s, 3 + (a->y1 + a->y2) / 2);
	sink_puts(s->to, needs_white(box_color(s, b)) ? "\" fill=\"#fff\">" : "\">");
	put_text(s, label);
	sink_puts(s->to, "</text></g>\n");
}

static void svg_box(struct svg *s, const struct box *b)
{
	struct area a = box_area(s, b);
	struct buf label = { 0 };

	make_label(s, b, a.x2 - a.x1, &label);
	if (label.n) {
		put_labelled(s, b, &a, buf_span(&label));
	} else {
		sink_puts(s->to, b->small || b->fold ? "<rect class=\"small\"" : "<rect");
		put_area(s, b, &a);
		sink_putc(s->to, '>');
		put_title(s, b);
		sink_puts(s->to, "</rect>\n");
	}
	buf_release(&label);
}

/* Fills the part of an open box that has no children, up to a place, with a node without a frame.
 * filled: by depth, up to where the box's weight is accounted for. */
static void chart_fill(struct packed_tree *k, uint64_t *filled, uint32_t depth, uint64_t until)
{
	if (filled[depth] < until)
		packed_add_gap(k, depth + 1, until - filled[depth]);
	filled[depth] = until;
}

/* The data of a flame chart: not the profile's tree, but a tree of all boxes, with gaps. */
static void pack_chart(struct svg *s, struct packed_tree *k)
{
	struct picture_layout l;
	uint64_t *filled = xcalloc((size_t)s->p->max_depth + 2, sizeof(*filled));
	uint64_t *end = xcalloc((size_t)s->p->max_depth + 2, sizeof(*end));
	uint32_t open = 0;
	size_t i;

	picture_layout_make(&l, s->all, &s->names, s->order, 0);
	for (i = 0; i < l.n; i++) {
		const struct box *b = &l.boxes[i];

		for (; i && open >= b->depth; open--)
			chart_fill(k, filled, open, end[open]);
		if (b->depth) {
			chart_fill(k, filled, b->depth - 1, b->start);
			filled[b->depth - 1] = b->start + b->weight;
		}
		packed_add_node(k, b->frame, b->waker, b->depth, 0);
		open = b->depth;
		filled[open] = b->start;
		end[open] = b->start + b->weight;
	}
	for (i = l.n ? open + 1 : 0; i-- > 0;)
		chart_fill(k, filled, (uint32_t)i, end[i]);
	picture_layout_release(&l);
	free(filled);
	free(end);
}

/* The data that the script draws from. */
static void pack_data(struct svg *s)
{
	struct packed_tree *k = &s->data;

	packed_init(k, &s->names, &s->colors);
	k->tiers = s->all->tiers;
	if (s->order == LAYOUT_TIME)
		pack_chart(s, k);
	else
		packed_add_profile(k);
	packed_close(k);
}

enum { BOXES_OF_CHUNK = 1536 };

/* Chunks of the file: boxes, then parts of the data. */
struct svg_drawing {
	const struct svg *svg;
	uint32_t n_boxes;
};

static void draw_boxes(const struct svg *whole, uint32_t chunk, struct sink *to)
{
	struct svg s = *whole;
	size_t first = (size_t)chunk * BOXES_OF_CHUNK, end = first + BOXES_OF_CHUNK;

	s.to = to;
	s.scratch = s.shown = s.label = (struct buf){ 0 };
	for (; first < end && first < s.layout.n; first++)
		svg_box(&s, &s.layout.boxes[first]);
	release_scratch(&s);
}

static void put_data(const struct svg *s, uint32_t part, struct sink *to)
{
	struct buf bytes = { 0 };

	sink_puts(to, part ? "." : "</g>\n<metadata id=\"data\">");
	packed_put_part(&s->data, part, &bytes);
	packed_put_base64(to, buf_span(&bytes));
	buf_release(&bytes);
}

static void make_chunk(void *ctx, uint32_t chunk, struct sink *to)
{
	const struct svg_drawing *d = ctx;

	if (chunk < d->n_boxes)
		draw_boxes(d->svg, chunk, to);
	else
		put_data(d->svg, chunk - d->n_boxes, to);
}

static void svg_frames_and_data(struct svg *s)
{
	struct svg_drawing d = {
		.svg = s,
		.n_boxes = (uint32_t)((s->layout.n + BOXES_OF_CHUNK - 1) / BOXES_OF_CHUNK),
	};

	sink_puts(s->to, "<g id=\"frames\">\n");
	chunks_write(s->all->pool, d.n_boxes + packed_count_parts(&s->data), make_chunk, &d, s->to);
	sink_puts(s->to, "</metadata>\n");
}

#define ASSET(name)                                                                                \
	{                                                                                          \
		asset_##name, sizeof(asset_##name)                                                 \
	}

/* Later files use what earlier ones define. */
static const struct span scripts[] = { ASSET(packed_reader_js), ASSET(amount_text_js),
	ASSET(luminance_js), ASSET(labels_js), ASSET(crumbs_js), ASSET(heaviest_js), ASSET(copy_js),
	ASSET(link_state_js), ASSET(search_text_js), ASSET(tooltip_js), ASSET(flame_tree_js),
	ASSET(flame_layout_js), ASSET(flame_state_js), ASSET(flame_draw_js), ASSET(flame_search_js),
	ASSET(flame_bar_js), ASSET(flame_link_js), ASSET(flame_keys_js) };

static void svg_script(struct svg *s)
{
	size_t i;

	/* The files are the body of one function: nobody else shares their names. */
	sink_puts(s->to, "<script><![CDATA[\n(async () => {\n");
	for (i = 0; i < ARRAY_LEN(scripts); i++)
		sink_put_span(s->to, scripts[i]);
	sink_puts(s->to, "})();\n");
	sink_puts(s->to, "]]></script>\n");
}

/* A subtitle must not be wider than the picture. */
static void svg_make_texts(struct svg *s)
{
	double columns = (s->width - 2 * X_PAD) / (s->font_size * FONT_WIDTH);

	picture_title_make(&s->texts, s->p, s->all, columns > 1 ? (size_t)columns : 1);
	s->title = buf_str(&s->texts.title);
	s->subtitle = buf_str(&s->texts.subtitle);
}

static int svg_options(struct svg *s, const struct picture_opts *o, struct err *e)
{
	int ret = frame_color_init(&s->colors, s->p, o, e);

	if (!ret)
		ret = palette_background(&s->background, s->colors.palette, o->background, e);
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
	s->count_name = o->count_name;
	if (!s->count_name && picture_layout_is_time(s->p, s->order))
		s->count_name = "nanoseconds";
	else if (!s->count_name)
		s->count_name = s->p->unit ? strtab_str(s->p->strings, s->p->unit) : "samples";
	return OK;
}

/* Lays the boxes out first: the height is that of the frames that are wide enough. */
static void svg_measure(struct svg *s)
{
	uint64_t total = picture_layout_total(s->p, s->all, s->order);
	double min_width = s->opts->min_width_given ? s->opts->min_width : MIN_WIDTH;
	double min_weight;

	s->pixels_per_weight = (s->width - 2 * X_PAD) / (double)(total ? total : 1);
	if (s->opts->min_width_given && s->opts->min_width_is_percent)
		min_weight = (double)total * min_width / 100;
	else
		min_weight = min_width / s->pixels_per_weight;
	picture_layout_make(&s->layout, s->all, &s->names, s->order, min_weight);
	s->top = s->font_size * 3 + (*s->subtitle ? s->font_size * 2 : 0);
	s->bottom = s->font_size * 2 + 10;
	picture_layout_fold(&s->layout);
	s->height = s->layout.n_rows * (double)s->frame_height + s->top + s->bottom;
	s->is_tall = s->height > TALL;
}

static void task_measure(void *s)
{
	svg_measure(s);
}

static void task_pack_data(void *s)
{
	pack_data(s);
}

static void svg_prepare(struct svg *s)
{
	static const struct pool_task tasks[] = { { .run = task_measure },
		{ .run = task_pack_data } };
	uint32_t n = frames_count(s->p->frames), i;

	/* Makes all names now: workers that draw and workers that pack read them at once. */
	display_names_init(&s->names, s->p);
	for (i = 0; i < n; i++)
		display_names_number(&s->names, i);
	frame_color_choose(&s->colors, &s->names, s->opts);
	pool_run_tasks(s->all->pool, tasks, ARRAY_LEN(tasks), s);
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
	struct svg s = { .p = p, .to = to, .all = o };
	int ret = svg_options(&s, &o->picture, e);

	if (ret)
		return ret;
	svg_make_texts(&s);
	svg_prepare(&s);
	if (s.layout.total) {
		svg_head(&s);
		svg_background(&s);
		svg_texts(&s);
		svg_frames_and_data(&s);
		svg_script(&s);
	} else {
		svg_nothing(&s);
	}
	sink_puts(to, "</svg>\n");
	picture_title_release(&s.texts);
	packed_release(&s.data);
	picture_layout_release(&s.layout);
	display_names_release(&s.names);
	release_scratch(&s);
	return OK;
}

static const char *const suffixes[] = { ".svg", NULL };

const struct output_format svg_format = {
	.name = "svg",
	.suffixes = suffixes,
	.about = "a flame graph with zoom and search, for a browser",
	.needs = OUTPUT_BY_NAME | OUTPUT_DIFFERENCE | OUTPUT_PICTURE | OUTPUT_WEIGHTS,
	.write = svg_write,
};
