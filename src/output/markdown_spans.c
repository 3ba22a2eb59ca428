/*
 * markdown_spans.c - a page about how long things took
 *
 *	# `node server.js`
 *	...
 *	## How long they took
 *	- `read`: 340 took 1.95 s together, at most 15.1 ms; median 5.00 ms, 95% up to 12.0 ms, ...
 *
 *	## The slowest
 *	- 15.1 ms `read` (#17), thread 100 `node`, at 1000.005234000: `fd 24, /tmp/x`
 *	- #17 began in `main` > `run` > `read_all`
 *
 * Kinds of spans may lie within each other (an iteration of an event loop and its phases), so no
 * share is of all kinds together but that of stacks, which says so.
 */
#include "output/markdown_spans.h"

#include "base/amount.h"
#include "base/counted.h"
#include "base/mem.h"
#include "base/shell.h"
#include "output/markdown_fit.h"
#include "output/markdown_page.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SLOW_PART = 20 }; /* one of so many is slow */

#define WAY_LEAST_SHARE 0.01

struct spans_page {
	struct markdown_page g;     /* of the profile whose weights are durations */
	struct markdown_page whole; /* of the profile that has the stacks of spans */
	const struct durations_shown *of;
	node_id *way; /* stacks, the most time first */
	uint32_t n_ways;
};

static void put_code(struct spans_page *s, str_id name)
{
	markdown_page_put_code(&s->g, strtab_get(s->g.p->strings, name));
}

static void put_time(struct spans_page *s, uint64_t ns)
{
	amount_put_time(s->g.b, ns);
}

/* Head */

static void put_head(struct spans_page *s)
{
	struct markdown_page *g = &s->g;
	const struct durations *d = s->of->d;

	buf_puts(g->b, "# ");
	markdown_page_put_code(g, buf_span(&g->headline.title));
	buf_puts(g->b, "\n\nSpans of ");
	markdown_page_put_code(g, span_of(s->of->measure));
	buf_printf(g->b, ": %zu", d->n);
	if (g->headline.recorded.n) {
		buf_puts(g->b, ", ");
		markdown_text_put_code(g->b, buf_span(&g->headline.recorded));
	}
	buf_puts(g->b, ". A span lasts from an event that begins it to the event that ends it, "
		       "waits included. Spans of several kinds may lie within each other.\n");
}

/* The slowest */

static void put_name(struct spans_page *s, uint32_t item)
{
	const struct duration *i = &s->of->d->item[item];

	put_time(s, i->duration_ns);
	buf_putc(s->g.b, ' ');
	put_code(s, s->of->d->kinds[i->kind].name);
	if (s->of->number && s->of->number[item])
		buf_printf(s->g.b, " (#%" PRIu32 ")", s->of->number[item]);
}

static void put_which(struct spans_page *s, uint32_t item)
{
	const struct duration *i = &s->of->d->item[item];
	const struct duration_thread *t = &s->of->d->threads[i->thread];

	put_name(s, item);
	buf_printf(s->g.b, ", thread %" PRId32 " ", t->tid);
	put_code(s, t->name);
	buf_printf(s->g.b, ", at %" PRIu64 ".%09" PRIu64, i->from_ns / 1000000000,
		i->from_ns % 1000000000);
	if (i->detail) {
		buf_puts(s->g.b, ": ");
		put_code(s, i->detail);
	}
	buf_putc(s->g.b, '\n');
}

static bool has_stack(const struct spans_page *s, uint32_t item)
{
	node_id stack = s->of->d->item[item].stack;

	return stack && stack < s->of->p->n_nodes && stack_path_is_code(s->of->p, stack);
}

static void put_stack(struct spans_page *s, uint32_t item)
{
	s->whole.b = s->g.b;
	markdown_page_put_way(&s->whole, s->of->d->item[item].stack);
	buf_putc(s->g.b, '\n');
}

static void put_slowest(struct spans_page *s)
{
	size_t i;

	if (!s->of->n_slow)
		return;
	buf_puts(s->g.b, "\n## The slowest\n\n");
	for (i = 0; i < s->of->n_slow && i < s->g.rows; i++) {
		uint32_t item = s->of->slow[i];

		buf_puts(s->g.b, "- ");
		put_which(s, item);
		if (i > s->g.rows / 4 || !has_stack(s, item))
			continue;
		buf_puts(s->g.b, "- ");
		put_name(s, item);
		buf_puts(s->g.b, " began in ");
		put_stack(s, item);
	}
	markdown_page_put_more(&s->g, (uint32_t)(s->of->n_slow - i), "span", "spans");
}

/* Kinds */

static void put_figures(struct spans_page *s, const struct duration_kind *k)
{
	const struct {
		const char *what;
		uint64_t ns;
	} figure[] = { { ", at most ", k->max_ns }, { "; median ", k->p50_ns },
		{ ", 95% up to ", k->p95_ns }, { ", 99% up to ", k->p99_ns } };
	size_t i;

	put_code(s, k->name);
	buf_printf(s->g.b, ": %" PRIu64 " took ", k->count);
	put_time(s, k->total_ns);
	buf_puts(s->g.b, k->count > 1 ? " together" : "");
	for (i = 0; i < ARRAY_LEN(figure) && k->count > 1; i++) {
		buf_puts(s->g.b, figure[i].what);
		put_time(s, figure[i].ns);
	}
	buf_puts(
		s->g.b, k->waits ? "; not listed as slow: it waits, or is part of others\n" : "\n");
}

static void put_kinds(struct spans_page *s)
{
	const struct durations *d = s->of->d;
	uint32_t i, shown = 0, more = 0;

	buf_puts(s->g.b, "\n## How long they took\n\n");
	for (i = 0; i < d->n_kinds; i++) {
		const struct duration_kind *k = &d->kinds[d->by_total[i]];

		if (!k->count)
			continue;
		if (shown++ < s->g.rows) {
			buf_puts(s->g.b, "- ");
			put_figures(s, k);
		} else {
			more++;
		}
	}
	markdown_page_put_more(&s->g, more, "kind of span", "kinds of spans");
}

/* Distribution: 1, 2 and 5 of each power of ten */

static uint64_t next_step(uint64_t step)
{
	uint64_t unit = 1;

	while (step / unit >= 10)
		unit *= 10;
	return step / unit == 2 ? 5 * unit : 2 * step;
}

static void put_step(
	struct spans_page *s, const struct duration_kind *k, uint64_t n, uint64_t from, uint64_t to)
{
	buf_puts(s->g.b, "- ");
	put_code(s, k->name);
	buf_printf(s->g.b, ": %" PRIu64 " of %" PRIu64 " (%.1f%%) took from ", n, k->count,
		100.0 * (double)n / (double)k->count);
	put_time(s, from);
	buf_puts(s->g.b, " to less than ");
	put_time(s, to);
	buf_putc(s->g.b, '\n');
}

static void put_steps(struct spans_page *s, const struct duration_kind *k)
{
	const struct durations *d = s->of->d;
	uint64_t i = 0, from = 0, to = 1, n;

	while (i < k->count) {
		for (n = 0; i < k->count && d->item[d->ranked[k->first + i]].duration_ns < to; i++)
			n++;
		if (n)
			put_step(s, k, n, from, to);
		if (to > UINT64_MAX / 10)
			return;
		from = to;
		to = next_step(to);
	}
}

static void put_distribution(struct spans_page *s)
{
	const struct durations *d = s->of->d;
	uint32_t i, shown = 0;
	bool any = false;

	for (i = 0; i < d->n_kinds && shown < s->g.rows / 8 + 1; i++) {
		const struct duration_kind *k = &d->kinds[d->by_total[i]];

		if (k->count < 2 || k->waits)
			continue;
		if (!any)
			buf_puts(s->g.b, "\n## Distribution\n\n");
		any = true;
		shown++;
		put_steps(s, k);
	}
}

/* Stacks where spans began */

static int compare_ways(const void *pa, const void *pb, void *ctx)
{
	const struct node *n = ctx;
	const node_id *a = pa, *b = pb;

	if (n[*a].self != n[*b].self)
		return n[*a].self < n[*b].self ? 1 : -1;
	return (*a > *b) - (*a < *b);
}

static void find_ways(struct spans_page *s)
{
	const struct profile *p = s->g.p;
	node_id i;

	s->way = xcalloc((size_t)p->n_nodes + 1, sizeof(*s->way));
	for (i = 1; i < p->n_nodes; i++)
		if (stack_path_is_code(p, i) &&
			markdown_page_share(&s->g, p->nodes[i].self) >= WAY_LEAST_SHARE)
			s->way[s->n_ways++] = i;
	if (s->n_ways)
		qsort_r(s->way, s->n_ways, sizeof(*s->way), compare_ways, p->nodes);
}

/* The outermost frame says what the stack is of. */
static frame_id label_of(const struct profile *p, node_id at)
{
	while (p->nodes[at].parent)
		at = p->nodes[at].parent;
	return p->nodes[at].frame;
}

static void put_ways(struct spans_page *s)
{
	const struct profile *p = s->g.p;
	struct buf text = { 0 };
	uint32_t i;

	if (!s->n_ways)
		return;
	buf_puts(s->g.b, "\n## Stacks in spans, of ");
	amount_put(&text, s->g.weight, strtab_str(p->strings, p->unit));
	markdown_text_put_code(s->g.b, buf_span(&text));
	buf_puts(s->g.b, " in all kinds of spans together\n\n");
	for (i = 0; i < s->n_ways && i < s->g.rows / 2 + 1; i++) {
		text.n = 0;
		profile_put_name(p, label_of(p, s->way[i]), &text);
		buf_puts(s->g.b, "- ");
		markdown_page_put_share(&s->g, p->nodes[s->way[i]].self);
		buf_puts(s->g.b, " in ");
		markdown_page_put_code(&s->g, buf_span(&text));
		buf_puts(s->g.b, ": ");
		markdown_page_put_way(&s->g, s->way[i]);
		buf_putc(s->g.b, '\n');
	}
	markdown_page_put_more(&s->g, s->n_ways - i, "stack", "stacks");
	buf_release(&text);
}

/* Quality */

struct omission {
	uint64_t n;
	const char *one, *many;
};

static void put_left_out(struct spans_page *s)
{
	const struct durations_left_out *l = &s->of->d->left_out;
	const struct omission out[] = {
		{ l->lost, "pair left out: records were lost in it",
			"pairs left out: records were lost in them" },
		{ l->unended, "beginning left out: no end was recorded",
			"beginnings left out: no end was recorded" },
		{ l->unbegun, "end left out: no beginning was recorded",
			"ends left out: no beginning was recorded" },
		{ l->open, "span had not ended when the recording ended",
			"spans had not ended when the recording ended" },
		{ l->unkeyed, "event left out: it lacks the field to pair it by",
			"events left out: they lack the field to pair them by" },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(out); i++)
		if (out[i].n)
			buf_printf(s->g.b, "- %" PRIu64 " %s\n", out[i].n,
				counted(out[i].n, out[i].one, out[i].many));
}

static void put_quality(struct spans_page *s)
{
	size_t before = s->g.b->n, heading;

	buf_puts(s->g.b, "\n## How good the recording is\n\n");
	heading = s->g.b->n;
	put_left_out(s);
	markdown_page_put_quality_of(&s->g, &s->g.side);
	if (s->g.b->n == heading)
		s->g.b->n = before;
}

/* At a glance */

static void put_glance(struct spans_page *s)
{
	const struct durations *d = s->of->d;
	uint32_t i;

	buf_puts(s->g.b, "\n## At a glance\n\n");
	if (!d->n)
		buf_puts(s->g.b, "- no span has both its beginning and its end in the recording\n");
	if (s->of->n_slow) {
		buf_puts(s->g.b, "- slowest: ");
		put_which(s, s->of->slow[0]);
		if (has_stack(s, s->of->slow[0])) {
			buf_puts(s->g.b, "- the slowest began in ");
			put_stack(s, s->of->slow[0]);
		}
	}
	for (i = 0; i < d->n_kinds; i++) {
		const struct duration_kind *k = &d->kinds[d->by_total[i]];

		if (k->waits || !k->count)
			continue;
		buf_puts(s->g.b, "- most time: ");
		put_figures(s, k);
		break;
	}
	put_left_out(s);
	markdown_page_put_doubts_of(&s->g, &s->g.side);
}

/* What to look at next */

static void put_command(struct spans_page *s, const char *before, const struct buf *condition,
	const char *after, const char *what)
{
	struct buf line = { 0 };

	buf_printf(&line, "perfold%s", before);
	if (condition) {
		buf_puts(&line, " --during ");
		shell_put_word(&line, buf_span(condition));
	}
	buf_putc(&line, ' ');
	shell_put_file(&line, span_of(s->g.o->recordings[0]->path));
	buf_puts(&line, after);
	buf_puts(s->g.b, "- ");
	markdown_text_put_code(s->g.b, buf_span(&line));
	buf_printf(s->g.b, ": %s\n", what);
	buf_release(&line);
}

/* As --during reads it, rounded down. */
static void put_limit(struct buf *b, uint64_t ns)
{
	bool long_enough = ns >= 1000000;

	buf_printf(b, "%" PRIu64 "%s", long_enough ? ns / 1000 : ns, long_enough ? "us" : "ns");
}

static void put_during(struct spans_page *s)
{
	uint32_t slowest = s->of->slow[0];
	struct buf condition = { 0 };

	if (s->of->number && s->of->number[slowest]) {
		buf_printf(&condition, "%s #%" PRIu32, s->of->during, s->of->number[slowest]);
		put_command(s, " top", &condition, "", "what ran in the slowest");
	}
	condition.n = 0;
	buf_printf(&condition, "%s >= ", s->of->during);
	put_limit(&condition, s->of->d->item[s->of->slow[s->of->n_slow / SLOW_PART]].duration_ns);
	if (s->of->n_slow > 1) {
		put_command(
			s, " diff", &condition, "", "what runs in slow ones, and not in others");
		put_command(s, "", &condition, " -o slow.html", "all of the slow ones as a report");
	}
	buf_release(&condition);
}

static void put_next(struct spans_page *s)
{
	const struct output_opts *o = s->g.o;
	struct buf command = { 0 };

	if (o->n_recordings != 1 || strcmp(o->recordings[0]->path, "-") == 0 || !s->of->n_slow)
		return;
	buf_puts(s->g.b, "\n## Next\n\n");
	if (s->of->during && s->of->has_samples)
		put_during(s);
	buf_printf(&command, " spans %s", s->of->command);
	put_command(s, buf_str(&command), NULL, " --slower 1ns --rows 100", "more of the slowest");
	put_command(s, buf_str(&command), NULL, " --heatmap spans.html", "how long, over time");
	buf_release(&command);
	if (!s->of->has_samples)
		buf_puts(s->g.b,
			"- recorded with samples as well (`-e cpu-clock`, or `-e cycles`), "
			"what ran in slow spans could be shown: `perfold --during`\n");
}

/* The page */

static void put_page(void *page, uint32_t rows, struct buf *b)
{
	struct spans_page *s = page;

	s->g.rows = rows;
	s->g.b = b;
	put_head(s);
	put_glance(s);
	put_kinds(s);
	put_slowest(s);
	put_ways(s);
	put_distribution(s);
	put_quality(s);
	put_next(s);
}

int markdown_spans_write(const struct profile *p, const struct output_opts *o, struct sink *to)
{
	const struct headline_source of = {
		.p = o->durations->p, .recordings = o->recordings, .n_recordings = o->n_recordings
	};
	struct spans_page s = { .g = { .p = p, .o = o },
		.whole = { .p = o->durations->p, .o = o },
		.of = o->durations };
	struct buf text = { 0 };

	s.g.weight = p->n_nodes ? p->nodes[0].total : 0;
	headline_make(&s.g.headline, &of);
	s.g.side = markdown_page_side(
		&(struct output_side){ o->recordings, o->n_recordings, o->diag }, "");
	find_ways(&s);
	markdown_fit(&text, o->page_tokens, put_page, &s);
	sink_put_span(to, buf_span(&text));
	headline_release(&s.g.headline);
	free(s.g.side.gap);
	free(s.way);
	buf_release(&text);
	return OK;
}
