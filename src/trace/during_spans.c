/*
 * How spans become times of threads: the marks of a measure are paired (spans.h), each pair is a
 * duration of 32 bytes, and the marks are freed. The durations that meet a condition are added to
 * the times of their threads: to those wanted, or with "!" to those unwanted, which are subtracted
 * at the end.
 *
 *	begin on A ............. end on A	all of it is A's
 *	begin on A .. step on B .. end on B	A's until the step, then B's
 *	begin on A ............. end on B	A's: no event says when it moved; counted
 *
 * A span of which only the end or only the beginning was recorded is not known to meet anything: it
 * is left out and counted, as is one in which records were lost.
 *
 * Numbers are given by (begin, thread, length), so they depend on the recording alone.
 */
#include "trace/during_spans.h"

#include "base/mem.h"
#include "trace/span_match.h"

#include <inttypes.h>
#include <stdlib.h>

/* A part of a span that moved, on one thread. */
struct span_piece {
	uint32_t item; /* of the durations */
	int32_t tid;
	struct time_range when;
};

struct span_finder {
	const struct during *during;
	struct recording *recording;
	const struct marks *marks;
	struct durations found;
	struct span_piece *pieces; /* in order of items */
	size_t n_pieces, cap_pieces;
	uint64_t moved;
	uint32_t *numbers; /* by item; NULL: nobody wants them */
	struct thread_times *wanted, *unwanted;
};

/* ---- events ------------------------------------------------------------------------------- */

static bool is_probe(const char *names)
{
	return strchr(names, '*') == names;
}

/* The first of several names, once. */
static void put_event(struct buf *b, const char *names)
{
	struct buf quoted = { 0 };

	buf_printf(&quoted, "'%.*s'", (int)strcspn(names, " "), names);
	if (!b->n || span_find(buf_span(b), buf_span(&quoted)) < 0) {
		buf_puts(b, b->n ? " -e " : "");
		buf_put_span(b, buf_span(&quoted));
	}
	buf_release(&quoted);
}

static void put_rule(struct buf *b, const struct span_rule *r, const char *step, bool *probes)
{
	const char *const names[] = { r->begin, step, r->end };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (names[i] && is_probe(names[i]))
			*probes = true;
		else if (names[i])
			put_event(b, names[i]);
}

/* The events, as options of perf record. */
static int no_events(const struct during_measure *m, const struct recording *r, struct err *e)
{
	struct spans_opts o = during_rules(m, r);
	struct buf events = { 0 };
	bool probes = false;
	size_t i;

	for (i = 0; i < o.n_rules; i++)
		put_rule(&events, &o.rules[i], o.step, &probes);
	if (events.n && o.of == SPANS_OF_RUN_QUEUE)
		buf_puts(&events, " --switch-events");
	if (events.n)
		err_set(e, ERR_USAGE,
			"--during: the recording has no events that begin and end \"%.*s\"; record "
			"them: perf record -e cpu-clock -e %.500s -g -p PID%s%s%s",
			SPAN_ARG(m->text), buf_str(&events), probes ? "; perfold spans " : "",
			probes ? m->preset->name : "", probes ? " --help has the probes" : "");
	else
		err_set(e, ERR_USAGE,
			"--during: the recording has no events that begin and end \"%.*s\": "
			"perfold spans %s --help shows how to record them",
			SPAN_ARG(m->text), m->preset ? m->preset->name : "PRESET");
	buf_release(&events);
	return e->code;
}

/* If only some hits were recorded, a begin may be paired with the end of another span. */
static int check_rate(const struct recording *r, uint32_t event, struct err *e)
{
	const struct event *v = &r->events[event];

	if (!v->tracepoint || (!v->frequency_hz && v->period <= 1))
		return OK;
	return err_set(e, ERR_UNSUPPORTED,
		"--during: %s was recorded with a frequency or a period, so hits are missing and "
		"no span is certain: record with -c 1",
		strtab_str(r->strings, v->name));
}

int during_spans_events(const struct during *d, uint32_t measure, const struct recording *r,
	bool *of_event, struct err *e)
{
	const struct during_measure *m = &d->measures[measure];
	struct spans_opts o = during_rules(m, r);
	struct span_matcher matcher;
	bool asked = during_is_asked(d, measure);
	uint32_t i;
	int rc = span_match_init(&matcher, r, &o, e);

	if (rc)
		err_wrap(e, "--during: \"%.*s\"", SPAN_ARG(m->text));
	else if (asked && !spans_applies(r, &o))
		rc = no_events(m, r, e);
	for (i = 0; i < r->n_events && !rc; i++) {
		of_event[i] = matcher.first[i] != matcher.first[i + 1];
		if (of_event[i] && asked)
			rc = check_rate(r, i, e);
	}
	span_match_release(&matcher);
	return rc;
}

/* ---- spans -------------------------------------------------------------------------------- */

static int32_t tid_of(const struct span_finder *f, const struct mark *m)
{
	return f->marks->threads->threads[m->thread].tid;
}

static void add_piece(struct span_finder *f, int32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	ARRAY_GROW(f->pieces, f->n_pieces, f->cap_pieces);
	f->pieces[f->n_pieces++] =
		(struct span_piece){ (uint32_t)f->found.n, tid, { from_ns, to_ns } };
}

/* Steps are linked from the last to the first. */
static void add_steps(struct span_finder *f, const struct span_pair *p)
{
	uint64_t to_ns = p->end->time_ns;
	uint32_t i;

	for (i = p->last_step; i != SPAN_NO_STEP; i = p->steps[i].before) {
		const struct mark *m = &f->marks->mark[p->steps[i].mark];

		add_piece(f, tid_of(f, m), m->time_ns, to_ns);
		to_ns = m->time_ns;
	}
	add_piece(f, tid_of(f, p->begin), p->begin->time_ns, to_ns);
}

static str_id see_pair(void *ctx, struct span_pair *p)
{
	struct span_finder *f = ctx;
	const struct mark *last = p->begin;

	if (p->last_step != SPAN_NO_STEP) {
		last = &f->marks->mark[p->steps[p->last_step].mark];
		add_steps(f, p);
	}
	f->moved += tid_of(f, last) != tid_of(f, p->end);
	return 0;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static int compare_begins(const void *pa, const void *pb, void *ctx)
{
	const struct durations *d = ctx;
	const struct duration *a = &d->item[*(const uint32_t *)pa];
	const struct duration *b = &d->item[*(const uint32_t *)pb];
	int32_t ta = d->threads[a->thread].tid, tb = d->threads[b->thread].tid;

	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	if (ta != tb)
		return ta < tb ? -1 : 1;
	return (a->duration_ns > b->duration_ns) - (a->duration_ns < b->duration_ns);
}

static bool wants_numbers(const struct during *d, uint32_t measure)
{
	uint32_t i;

	for (i = 0; i < d->n_conditions; i++)
		if (d->conditions[i].measure == measure && d->conditions[i].number)
			return true;
	return d->listed == measure + 1;
}

static void list_spans(const struct span_finder *f, const uint32_t *order)
{
	struct recording *r = f->recording;
	size_t i;

	r->numbered = xcalloc(f->found.n, sizeof(*r->numbered));
	r->n_numbered = f->found.n;
	for (i = 0; i < f->found.n; i++) {
		const struct duration *d = &f->found.item[order[i]];

		r->numbered[i] = (struct numbered_span){ d->from_ns, d->duration_ns,
			f->found.threads[d->thread].tid, (uint32_t)i + 1 };
	}
}

static void number_spans(struct span_finder *f, uint32_t measure)
{
	uint32_t *order, i;

	if (!wants_numbers(f->during, measure))
		return;
	order = xcalloc(f->found.n, sizeof(*order));
	f->numbers = xcalloc(f->found.n, sizeof(*f->numbers));
	for (i = 0; i < f->found.n; i++)
		order[i] = i;
	if (f->found.n)
		qsort_r(order, f->found.n, sizeof(*order), compare_begins, &f->found);
	for (i = 0; i < f->found.n; i++)
		f->numbers[order[i]] = i + 1;
	if (f->during->listed == measure + 1)
		list_spans(f, order);
	free(order);
}

/* ---- conditions --------------------------------------------------------------------------- */

static bool is_chosen(const struct span_finder *f, const struct during_condition *c, uint32_t item)
{
	uint64_t ns = f->found.item[item].duration_ns;

	return c->number ? f->numbers[item] == c->number : ns >= c->min_ns && ns <= c->max_ns;
}

/* The times of an item; *piece is the first that is not before it. */
static void add_times(
	const struct span_finder *f, struct thread_times *to, uint32_t item, size_t *piece)
{
	const struct duration *d = &f->found.item[item];

	if (*piece == f->n_pieces || f->pieces[*piece].item != item) {
		thread_times_add(to, f->found.threads[d->thread].tid,
			(struct time_range){ d->from_ns, d->from_ns + d->duration_ns });
		return;
	}
	for (; *piece < f->n_pieces && f->pieces[*piece].item == item; ++*piece)
		thread_times_add(to, f->pieces[*piece].tid, f->pieces[*piece].when);
}

static int apply(struct span_finder *f, uint32_t number, struct err *e)
{
	const struct during_condition *c = &f->during->conditions[number];
	struct span_count *count = &f->recording->span_counts[number];
	const struct durations_left_out *l = &f->found.left_out;
	size_t piece = 0;
	uint32_t i;

	*count = (struct span_count){ .condition = c->text,
		.spans = f->found.n,
		.unbegun = l->unbegun,
		.open = l->open + l->unended,
		.lost = l->lost,
		.unkeyed = l->unkeyed,
		.moved = f->moved };
	for (i = 0; i < f->found.n; i++) {
		while (piece < f->n_pieces && f->pieces[piece].item < i)
			piece++;
		if (!is_chosen(f, c, i))
			continue;
		count->chosen++;
		count->chosen_ns += f->found.item[i].duration_ns;
		add_times(f, c->negated ? f->unwanted : f->wanted, i, &piece);
	}
	if (!f->found.n && l->unkeyed)
		return err_set(e, ERR_USAGE,
			"--during '%.100s': none of the events has the field to pair them by",
			c->text);
	if (c->number > f->found.n)
		return err_set(e, ERR_USAGE,
			"--during '%.100s': the recording has only %zu of these spans", c->text,
			f->found.n);
	return OK;
}

static int find_spans(struct span_finder *f, uint32_t measure, struct marks *marks, struct err *e)
{
	const struct during *d = f->during;
	struct spans_opts o = during_rules(&d->measures[measure], f->recording);
	uint32_t i;
	int rc;

	o.describe = see_pair;
	o.ctx = f;
	f->marks = marks;
	rc = spans_pair_marks(&f->found, f->recording, marks, 0, &o, e);
	marks_free(marks);
	if (!rc)
		number_spans(f, measure);
	for (i = 0; i < d->n_conditions && !rc; i++)
		if (d->conditions[i].measure == measure)
			rc = apply(f, i, e);
	durations_release(&f->found);
	free(f->numbers);
	free(f->pieces);
	return rc;
}

/* Without a condition that says where samples must be, they may be anywhere. */
static bool is_anywhere(const struct during *d)
{
	uint32_t i;

	for (i = 0; i < d->n_conditions; i++)
		if (!d->conditions[i].negated)
			return false;
	return true;
}

int during_spans_find(const struct during *d, struct recording *r, struct marks **marks,
	struct thread_times *inside, struct err *e)
{
	struct thread_times unwanted = { 0 };
	uint32_t i;
	int rc = OK;

	r->span_counts = xcalloc(d->n_conditions, sizeof(*r->span_counts));
	r->n_span_counts = d->n_conditions;
	for (i = 0; i < d->n_measures; i++) {
		struct span_finder f = {
			.during = d, .recording = r, .wanted = inside, .unwanted = &unwanted
		};

		if (rc)
			marks_free(marks[i]);
		else
			rc = find_spans(&f, i, marks[i], e);
	}
	if (is_anywhere(d))
		thread_times_add_all(inside);
	thread_times_settle(inside);
	thread_times_settle(&unwanted);
	thread_times_subtract(inside, &unwanted);
	thread_times_release(&unwanted);
	return rc;
}
