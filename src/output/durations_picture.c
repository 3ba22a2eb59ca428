/*
 * durations_picture.c - durations as a histogram, or over time as a heat map
 *
 * A panel for each kind, the one with the largest total first. Durations are counted in buckets,
 * five to each power of ten: 1, 1.58, 2.51, 3.98, 6.31. A histogram has them from left to right,
 * with bars as high as their counts, or as the logarithms of these where some are rare; a heat map
 * has them from the bottom up and time from left to right, darker for higher counts. A bucket with
 * a count of one is visible: people look for the slow ones, which are few.
 *
 * Plain SVG without a script; every bar and cell has a title that says what it is.
 */
#include "output/output.h"

#include "base/amount.h"
#include "base/mem.h"
#include "base/bisect.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	WIDTH = 1000,
	LEFT = 90, /* room for the labels of an axis */
	RIGHT = 20,
	PLOT = WIDTH - LEFT - RIGHT,
	TOP = 44,  /* of the picture: its title */
	HEAD = 26, /* of a panel */
	FOOT = 34,
	BARS = 100, /* height of a histogram's panel */
	ROW = 9,    /* of a heat map's cell */
	COLUMNS = 110,
	PANELS_MAX = 12,
	RARE = 50, /* a bar of so small a part of the highest is hardly seen */
	TIMES = 8, /* labels of an axis of time, at most one more */
	PER_TEN = 5,
	BUCKETS = 20 * PER_TEN,
	LABEL_WIDTH = 50, /* of "631 µs", with some room */
	LABEL_HEIGHT = 13,
};

struct durations_picture {
	const struct durations *d;
	const struct profile *p;
	struct sink *to;
	struct buf text;
	double y; /* where the panel being drawn begins */
};

/* Buckets */

/* The lower bound of a bucket; the first has 0 too. */
static uint64_t bucket_from(unsigned bucket)
{
	static const unsigned hundredths[PER_TEN] = { 100, 158, 251, 398, 631 };
	uint64_t ten = 1;
	unsigned i;

	for (i = 0; i < bucket / PER_TEN; i++) {
		if (ten > UINT64_MAX / 10000)
			return UINT64_MAX;
		ten *= 10;
	}
	return ten * hundredths[bucket % PER_TEN] / 100;
}

static unsigned bucket_of(uint64_t ns)
{
	return bisect(i, 1u, (unsigned)BUCKETS, bucket_from(i) > ns) - 1;
}

/* The buckets that the durations of a kind are in. */
struct scale {
	unsigned first, n;
};

static const struct duration *ranked(
	const struct durations_picture *pic, const struct duration_kind *k, uint64_t i)
{
	return &pic->d->item[pic->d->ranked[k->first + i]];
}

static struct scale scale_of(const struct durations_picture *pic, const struct duration_kind *k)
{
	unsigned first = bucket_of(ranked(pic, k, 0)->duration_ns);
	unsigned last = bucket_of(k->max_ns);

	return (struct scale){ first, last - first + 1 };
}

/* Elements */

static const char style[] =
	"text{font:12px system-ui,sans-serif;fill:#24292f}"
	".bg{fill:#fff}.bar{fill:#d9622b}.cell{fill:#b3261e}.axis{stroke:#8c959f}"
	".dim{fill:#656d76}.name{font-weight:600;font-size:14px}.title{font-size:17px}"
	"@media(prefers-color-scheme:dark){text{fill:#e6edf3}.bg{fill:#0d1117}.dim{fill:#9198a1}"
	".bar{fill:#f0883e}.cell{fill:#ff7b72}}";

static void put_text(
	struct durations_picture *pic, double x, double y, const char *look, const char *anchor)
{
	struct buf xml = { 0 };

	utf8_put_xml(&xml, buf_span(&pic->text));
	sink_printf(pic->to, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">", x, y,
		look, anchor);
	sink_put_span(pic->to, buf_span(&xml));
	sink_puts(pic->to, "</text>\n");
	buf_release(&xml);
	pic->text.n = 0;
}

static void put_time(struct durations_picture *pic, uint64_t ns)
{
	amount_put_time(&pic->text, ns);
}

/* Of an axis: "1 ms", not "1.00 ms". */
static void put_tick(struct durations_picture *pic, uint64_t ns)
{
	struct span unit;
	size_t digits;

	if (!ns) {
		buf_putc(&pic->text, '0');
		return;
	}
	put_time(pic, ns);
	unit = buf_span(&pic->text);
	digits = (size_t)span_find(unit, SPAN(" "));
	unit = span_skip(unit, digits);
	if (!memchr(pic->text.p, '.', digits))
		return;
	while (pic->text.p[digits - 1] == '0')
		digits--;
	digits -= pic->text.p[digits - 1] == '.';
	memmove(pic->text.p + digits, unit.p, unit.n);
	pic->text.n = digits + unit.n;
}

/* A rectangle with pic->text as its title. */
static void put_box(struct durations_picture *pic, double x, double y, double width, double height,
	const char *look, double opacity)
{
	sink_printf(pic->to,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"", x, y,
		width, height, look);
	if (opacity < 1)
		sink_printf(pic->to, " fill-opacity=\"%.2f\"", opacity);
	sink_puts(pic->to, "><title>");
	sink_put_span(pic->to, buf_span(&pic->text));
	sink_puts(pic->to, "</title></rect>\n");
	pic->text.n = 0;
}

static void put_line(struct durations_picture *pic, double x1, double y1, double x2, double y2)
{
	sink_printf(pic->to,
		"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"axis\"/>\n", x1, y1,
		x2, y2);
}

static void put_heading(struct durations_picture *pic, const struct duration_kind *k)
{
	buf_put_span(&pic->text, strtab_get(pic->p->strings, k->name));
	put_text(pic, LEFT, pic->y + 14, "name", "start");
	buf_printf(&pic->text, "%" PRIu64 " in ", k->count);
	put_time(pic, k->total_ns);
	buf_puts(&pic->text, "; half within ");
	put_time(pic, k->p50_ns);
	buf_puts(&pic->text, ", 99% within ");
	put_time(pic, k->p99_ns);
	buf_puts(&pic->text, ", longest ");
	put_time(pic, k->max_ns);
	put_text(pic, WIDTH - RIGHT, pic->y + 14, "dim", "end");
}

/* "12 from 1.00 ms to 1.58 ms" */
static void put_bucket(struct durations_picture *pic, uint64_t n, unsigned bucket)
{
	buf_printf(&pic->text, "%" PRIu64 " from ", n);
	put_time(pic, bucket_from(bucket));
	buf_puts(&pic->text, " to ");
	put_time(pic, bucket_from(bucket + 1));
}

/* Histogram */

static void count_lengths(const struct durations_picture *pic, const struct duration_kind *k,
	const struct scale *s, uint64_t *count)
{
	uint64_t i;

	memset(count, 0, s->n * sizeof(*count));
	for (i = 0; i < k->count; i++)
		count[bucket_of(ranked(pic, k, i)->duration_ns) - s->first]++;
}

/* The heights of bars: in proportion, or to the logarithm where others are too rare to be seen
 * beside the most frequent ones. People look for the slow ones, which are rare. */
struct bar_scale {
	uint64_t most;
	bool log;
};

static struct bar_scale bar_scale_of(const struct scale *s, const uint64_t *count)
{
	struct bar_scale scale = { .most = 1 };
	uint64_t least = UINT64_MAX;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		if (count[i] > scale.most)
			scale.most = count[i];
		if (count[i] && count[i] < least)
			least = count[i];
	}
	scale.log = least < scale.most / RARE;
	return scale;
}

static double bar_height(const struct bar_scale *scale, uint64_t count)
{
	double part = scale->log ? log2((double)count + 1) / log2((double)scale->most + 1)
				 : (double)count / (double)scale->most;
	double height = part * (BARS - 12);

	return height < 1 ? 1 : height;
}

static void put_count_tick(struct durations_picture *pic, const struct bar_scale *scale, uint64_t n)
{
	double y = pic->y + HEAD + BARS - bar_height(scale, n);

	put_line(pic, LEFT - 4, y, LEFT, y);
	amount_put(&pic->text, n, "");
	pic->text.n -= pic->text.n && pic->text.p[pic->text.n - 1] == ' ';
	put_text(pic, LEFT - 7, y + 4, "dim", "end");
}

/* The largest count and, of a logarithmic scale, powers of ten that have room below it. */
static void put_counts_beside(struct durations_picture *pic, const struct bar_scale *scale)
{
	uint64_t n;

	put_count_tick(pic, scale, scale->most);
	for (n = 1; scale->log && bar_height(scale, n) < BARS - 12 - 14; n *= 10)
		put_count_tick(pic, scale, n);
}

static void put_bars(struct durations_picture *pic, const struct scale *s, const uint64_t *count)
{
	const struct bar_scale scale = bar_scale_of(s, count);
	double step = (double)PLOT / s->n, base = pic->y + HEAD + BARS;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		if (!count[i])
			continue;
		put_bucket(pic, count[i], s->first + i);
		put_box(pic, LEFT + i * step + 0.5, base - bar_height(&scale, count[i]), step - 1,
			bar_height(&scale, count[i]), "bar", 1);
	}
	put_counts_beside(pic, &scale);
}

/* Has the lowest length room for a label before that of the next power of ten? step: pixels of a
 * bucket. */
static bool has_lowest_label(const struct scale *s, double step, double label)
{
	unsigned buckets = (PER_TEN - s->first % PER_TEN) % PER_TEN;

	return !buckets || buckets >= s->n || buckets * step >= label;
}

/* A label for each power of ten, and for the left end. */
static void put_lengths_below(struct durations_picture *pic, const struct scale *s)
{
	double step = (double)PLOT / s->n, base = pic->y + HEAD + BARS;
	unsigned i;

	put_line(pic, LEFT, base, LEFT + PLOT, base);
	for (i = 0; i < s->n; i++) {
		if (i ? (s->first + i) % PER_TEN != 0 : !has_lowest_label(s, step, LABEL_WIDTH))
			continue;
		put_line(pic, LEFT + i * step, base, LEFT + i * step, base + 4);
		put_tick(pic, bucket_from(s->first + i));
		put_text(pic, LEFT + i * step, base + 17, "dim", "start");
	}
}

static double histogram_panel(struct durations_picture *pic, const struct duration_kind *k)
{
	struct scale s = scale_of(pic, k);
	uint64_t count[BUCKETS];

	if (!pic->to)
		return HEAD + BARS + FOOT;
	count_lengths(pic, k, &s, count);
	put_heading(pic, k);
	put_bars(pic, &s, count);
	put_lengths_below(pic, &s);
	return HEAD + BARS + FOOT;
}

/* Heat map */

static uint64_t time_range(const struct durations *d)
{
	return d->to_ns > d->from_ns ? d->to_ns - d->from_ns : 1;
}

static unsigned column_of(const struct durations *d, uint64_t ns)
{
	double part = (double)(ns - d->from_ns) / (double)time_range(d) * COLUMNS;

	return part >= COLUMNS ? COLUMNS - 1 : (unsigned)part;
}

/* Counts durations at their ends, when the wait was over. */
static uint64_t count_cells(const struct durations_picture *pic, const struct duration_kind *k,
	const struct scale *s, uint64_t *cell)
{
	uint64_t most = 1, i;

	for (i = 0; i < k->count; i++) {
		const struct duration *item = ranked(pic, k, i);
		unsigned row = bucket_of(item->duration_ns) - s->first;
		uint64_t *c =
			&cell[row * COLUMNS + column_of(pic->d, item->from_ns + item->duration_ns)];

		if (++*c > most)
			most = *c;
	}
	return most;
}

static void put_cell_title(
	struct durations_picture *pic, uint64_t n, unsigned bucket, unsigned column)
{
	put_bucket(pic, n, bucket);
	buf_puts(&pic->text, ", at ");
	put_time(pic, (uint64_t)((double)time_range(pic->d) * column / COLUMNS));
}

static void put_cells(
	struct durations_picture *pic, const struct scale *s, const uint64_t *cell, uint64_t most)
{
	double step = (double)PLOT / COLUMNS;
	unsigned row, column;

	for (row = 0; row < s->n; row++) {
		for (column = 0; column < COLUMNS; column++) {
			uint64_t n = cell[row * COLUMNS + column];

			if (!n)
				continue;
			put_cell_title(pic, n, s->first + row, column);
			put_box(pic, LEFT + column * step, pic->y + HEAD + (s->n - 1 - row) * ROW,
				step, ROW, "cell",
				0.2 + 0.8 * log2((double)n + 1) / log2((double)most + 1));
		}
	}
}

static void put_lengths_beside(struct durations_picture *pic, const struct scale *s)
{
	unsigned i;

	for (i = 0; i < s->n; i++) {
		double y = pic->y + HEAD + (s->n - i) * ROW;

		if (i ? (s->first + i) % PER_TEN != 0 : !has_lowest_label(s, ROW, LABEL_HEIGHT))
			continue;
		put_line(pic, LEFT - 4, y, LEFT, y);
		put_tick(pic, bucket_from(s->first + i));
		put_text(pic, LEFT - 7, y + 4, "dim", "end");
	}
}

/* 1, 2 or 5 of some power of ten. */
static uint64_t round_step(uint64_t least)
{
	static const unsigned parts[] = { 1, 2, 5 };
	uint64_t ten = 1;
	unsigned i = 0;

	while (parts[i] * ten < least && ten < UINT64_MAX / 100) {
		i = (i + 1) % 3;
		ten *= i ? 1 : 10;
	}
	return parts[i] * ten;
}

static void put_times_below(struct durations_picture *pic, double y)
{
	uint64_t range = time_range(pic->d), step = round_step(range / TIMES + !(range / TIMES)),
		 at;

	put_line(pic, LEFT, y, LEFT + PLOT, y);
	for (at = 0; at <= range; at += step) {
		double x = LEFT + PLOT * ((double)at / (double)range);

		put_line(pic, x, y, x, y + 4);
		put_tick(pic, at);
		put_text(pic, x, y + 17, "dim", x > WIDTH - RIGHT - 20 ? "end" : "middle");
	}
}

static double heatmap_panel(struct durations_picture *pic, const struct duration_kind *k)
{
	struct scale s = scale_of(pic, k);
	uint64_t *cell, most;

	if (pic->to) {
		cell = xcalloc((size_t)s.n * COLUMNS, sizeof(*cell));
		most = count_cells(pic, k, &s, cell);
		put_heading(pic, k);
		put_cells(pic, &s, cell, most);
		put_lengths_beside(pic, &s);
		put_times_below(pic, pic->y + HEAD + s.n * ROW);
		free(cell);
	}
	return HEAD + s.n * ROW + FOOT;
}

/* The whole */

/* Draws a panel and returns its height; without a sink it only does the latter. */
typedef double (*draw_panel)(struct durations_picture *pic, const struct duration_kind *k);

static double draw_panels(struct durations_picture *pic, draw_panel draw)
{
	uint32_t i, shown = 0;

	pic->y = TOP;
	for (i = 0; i < pic->d->n_kinds && shown < PANELS_MAX; i++) {
		const struct duration_kind *k = &pic->d->kinds[pic->d->by_total[i]];

		if (!k->count)
			continue;
		pic->y += draw(pic, k);
		shown++;
	}
	return pic->y;
}

static void draw_all(const struct durations *d, const struct profile *p, const char *title,
	draw_panel draw, bool page, struct sink *to)
{
	struct durations_picture pic = { .d = d, .p = p };
	double height = draw_panels(&pic, draw);

	pic.to = to;
	if (page)
		sink_printf(to,
			"<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"
			"<title>%s</title>\n<style>body{margin:0}@media(prefers-color-scheme:dark)"
			"{body{background:#0d1117}}</style>\n",
			title);
	else
		sink_puts(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	sink_printf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" "
		"viewBox=\"0 0 %d %.0f\" style=\"max-width:1400px\">\n<style>%s</style>\n"
		"<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n",
		WIDTH, height, style);
	buf_puts(&pic.text, title);
	put_text(&pic, LEFT, 28, "title", "start");
	draw_panels(&pic, draw);
	sink_puts(to, "</svg>\n");
	if (page)
		sink_puts(to, "</html>\n");
	buf_release(&pic.text);
}

void output_durations_histogram(
	const struct durations *d, const struct profile *p, bool page, struct sink *to)
{
	draw_all(d, p, "How often what took how long", histogram_panel, page, to);
}

void output_durations_heatmap(
	const struct durations *d, const struct profile *p, bool page, struct sink *to)
{
	draw_all(d, p, "What took how long, and when", heatmap_panel, page, to);
}
