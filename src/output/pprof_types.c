/*
 * pprof_types.c - events to names of types
 *
 * name_type() makes the name that readers expect, then tries longer ones until no other event has
 * it: cycles:u is "cycles", cycles:k in the same profile "cycles_k", cycles after both "cycles_2".
 */
#include "output/pprof_types.h"

#include "base/chars.h"
#include "base/mem.h"
#include "model/names/event_name.h"

#include <stdlib.h>

str_id pprof_types_event(
	const struct profile *p, const struct output_opts *o, const struct timeline_row *row)
{
	uint32_t recording = p->threads[row->thread].recording;

	if (recording >= o->n_recordings || row->event >= o->recordings[recording]->n_events)
		return p->event;
	return o->recordings[recording]->events[row->event].name;
}

uint32_t pprof_types_number(const struct pprof_types *t, str_id event)
{
	uint32_t i;

	for (i = 0; i < t->n && t->value[i].event != event; i++)
		;
	return i;
}

static void add_event(struct pprof_types *t, str_id event)
{
	if (pprof_types_number(t, event) < t->n)
		return;
	ARRAY_GROW(t->value, t->n, t->cap);
	t->value[t->n++] = (struct pprof_value){ .event = event };
}

static bool unit_is(const struct profile *p, const char *unit)
{
	return span_eq(strtab_get(p->strings, p->unit), span_of(unit));
}

/* Appends the name in letters, digits and underscores: "sched_sched_switch". */
static void put_plain(struct buf *b, struct span name)
{
	size_t first = b->n, i;

	for (i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 'a' - 'A');
		if ((c >= 'a' && c <= 'z') || char_is_digit(c))
			buf_putc(b, c);
		else if (b->n > first && b->p[b->n - 1] != '_')
			buf_putc(b, '_');
	}
	while (b->n > first && b->p[b->n - 1] == '_')
		b->n--;
}

static bool is_taken(const struct pprof_types *t, uint32_t n, const char *type)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (strcmp(t->value[i].type, type) == 0)
			return true;
	return t->weighed && strcmp(type, "samples") == 0;
}

/* The name of type number n: of all that would fit, the first that is free. */
static char *name_type(const struct pprof_types *t, uint32_t n)
{
	struct span event = strtab_get(t->p->strings, t->value[n].event);
	struct span name = event.n ? event : strtab_get(t->p->strings, t->p->unit);
	const bool clock = event_name_is_clock(name) && unit_is(t->p, "nanoseconds");
	struct buf b = { 0 };
	unsigned turn;

	for (turn = 0;; turn++) {
		b.n = 0;
		if (turn == 0 && unit_is(t->p, "samples") && t->n == 1)
			buf_puts(&b, "samples");
		else if (turn == 0 && clock)
			buf_puts(&b, "cpu");
		else
			put_plain(&b, turn < 2 ? event_name_base(name) : name);
		if (!b.n)
			buf_puts(&b, "events");
		if (turn > 2)
			buf_printf(&b, "_%u", turn - 1);
		if (!is_taken(t, n, buf_str(&b)))
			break;
	}
	return b.p;
}

void pprof_types_init(struct pprof_types *t, const struct profile *p, const struct output_opts *o)
{
	size_t i;

	*t = (struct pprof_types){ .p = p };
	t->weighed = p->sums != SUMS_OF_OTHERS && !unit_is(p, "samples");
	if (p->event || !p->n_rows)
		add_event(t, p->event);
	for (i = 0; i < p->n_rows; i++)
		add_event(t, pprof_types_event(p, o, &p->rows[i]));
	for (i = 0; i < t->n; i++) {
		struct pprof_value *v = &t->value[i];

		v->type = name_type(t, (uint32_t)i);
		v->renamed =
			v->event && !span_eq(span_of(v->type), strtab_get(p->strings, v->event));
	}
}

void pprof_types_release(struct pprof_types *t)
{
	while (t->n)
		free(t->value[--t->n].type);
	free(t->value);
}

static void put_type(struct pprof_message *m, unsigned field, struct span type, struct span unit)
{
	protobuf_writer_put_number(&m->body, VALUE_TYPE, pprof_message_text(m, type));
	protobuf_writer_put_number(&m->body, VALUE_UNIT, pprof_message_text(m, unit));
	pprof_message_put(m, field);
}

/* pprof knows "nanoseconds" and "bytes" as units; anything else is a count. */
static struct span unit_of(const struct profile *p)
{
	return unit_is(p, "nanoseconds") || unit_is(p, "bytes") ? strtab_get(p->strings, p->unit)
								: SPAN("count");
}

static void put_samples_type(
	const struct pprof_types *t, const struct pprof_value *v, struct pprof_message *m)
{
	m->part.n = 0;
	if (t->n > 1)
		buf_printf(&m->part, "%s_", v->type);
	buf_puts(&m->part, "samples");
	put_type(m, PROFILE_SAMPLE_TYPE, buf_span(&m->part), SPAN("count"));
}

void pprof_types_write(const struct pprof_types *t, struct pprof_message *m)
{
	struct span unit = unit_of(t->p), first = span_of(t->value[0].type);
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		if (t->weighed)
			put_samples_type(t, &t->value[i], m);
		put_type(m, PROFILE_SAMPLE_TYPE, span_of(t->value[i].type), unit);
	}
	protobuf_writer_put_number(&m->body, PROFILE_DEFAULT_TYPE, pprof_message_text(m, first));
	if (t->n > 1 || !t->p->period) {
		pprof_message_put_fields(m);
		return;
	}
	protobuf_writer_put_number(&m->body, PROFILE_PERIOD, t->p->period);
	pprof_message_put_fields(m);
	put_type(m, PROFILE_PERIOD_TYPE, first, unit);
}

void pprof_types_put_comments(const struct pprof_types *t, struct pprof_message *m)
{
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		if (!t->value[i].renamed)
			continue;
		m->part.n = 0;
		buf_printf(&m->part, "event %s: ", t->value[i].type);
		buf_put_span(&m->part, strtab_get(t->p->strings, t->value[i].event));
		protobuf_writer_put_number(
			&m->body, PROFILE_COMMENT, pprof_message_text(m, buf_span(&m->part)));
	}
}
