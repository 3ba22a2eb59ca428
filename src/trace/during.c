/*
 * How a condition is parsed: the first of < > # divides it, as no event and no preset has these in
 * its name.
 *
 *	! req:start..req:done by field:id   >= 5ms
 *	  |_____________________________|   |____|
 *	  measure: found by its text        limit or number
 *
 * A measure's fields are those that its rules name, not all that a preset shows: each costs 8 bytes
 * for each event. Where a preset means something else than its rules by what is inside (the event
 * loop: the time between two waits), the first of its rules inside that the recording has the
 * events for counts.
 */
#include "trace/during.h"

#include "base/mem.h"
#include "base/time_length.h"

#include <stdlib.h>

/* ---- fields ------------------------------------------------------------------------------- */

static int add_field(struct during_measure *m, const char *name, struct err *e)
{
	uint32_t i;

	for (i = 0; i < m->fields.n; i++)
		if (strcmp(m->fields.name[i], name) == 0)
			return OK;
	if (m->fields.n == MARK_FIELDS_MAX)
		return err_set(e, ERR_USAGE, "more than %d fields", MARK_FIELDS_MAX);
	m->fields.name[m->fields.n++] = name;
	return OK;
}

static int add_key_fields(
	struct during *d, struct during_measure *m, const char *key, struct err *e)
{
	struct span rest = span_of(key);
	const struct span field = SPAN("field:");
	int rc = OK;

	while (rest.n && !rc) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct span part = comma ? span_range(rest.p, comma) : rest;

		rest = span_skip(rest, part.n + 1);
		if (!span_starts(part, field))
			continue;
		part = span_skip(part, field.n);
		rc = add_field(m, arena_string(&d->strings, part.p, part.n), e);
	}
	return rc;
}

static int add_rule_fields(
	struct during *d, struct during_measure *m, const struct span_rule *r, struct err *e)
{
	int rc = add_key_fields(d, m, r->key, e);

	if (!rc && r->begin_if.field)
		rc = add_field(m, r->begin_if.field, e);
	if (!rc && r->end_if.field)
		rc = add_field(m, r->end_if.field, e);
	return rc;
}

static int add_fields(struct during *d, struct during_measure *m, struct err *e)
{
	const struct span_preset *p = m->preset;
	size_t i;
	int rc = OK;

	if (!p)
		return add_rule_fields(d, m, &m->rule, e);
	for (i = 0; i < p->fields.n && p->of != SPANS_OF_RULES && !rc; i++)
		rc = add_field(m, p->fields.name[i], e);
	for (i = 0; i < p->n_rules && !rc; i++)
		rc = add_rule_fields(d, m, &p->rules[i], e);
	for (i = 0; i < p->n_inside && !rc; i++)
		rc = add_rule_fields(d, m, &p->inside[i], e);
	return rc;
}

/* ---- measures ----------------------------------------------------------------------------- */

static const char *keep(struct during *d, struct span s)
{
	return arena_string(&d->strings, s.p, s.n);
}

/* The number of an equal one, or of m itself, which is added. */
static int add_measure(struct during *d, struct during_measure *m, uint32_t *number, struct err *e)
{
	for (*number = 0; *number < d->n_measures; ++*number)
		if (span_eq(d->measures[*number].text, m->text))
			return OK;
	if (d->n_measures == DURING_MEASURES_MAX)
		return err_set(
			e, ERR_USAGE, "more than %d kinds of spans at once", DURING_MEASURES_MAX);
	if (add_fields(d, m, e))
		return e->code;
	ARRAY_GROW(d->measures, d->n_measures, d->cap_measures);
	d->measures[d->n_measures++] = *m;
	return OK;
}

static int no_such_preset(struct span name, struct err *e)
{
	struct buf names = { 0 };
	size_t i;

	for (i = 0; span_preset_at(i); i++)
		buf_printf(&names, "%s%s", i ? ", " : "", span_preset_at(i)->name);
	err_set(e, ERR_USAGE,
		"\"%.*s\" is neither BEGIN..END, two events, nor one of the presets %.300s",
		SPAN_ARG(name), buf_str(&names));
	buf_release(&names);
	return e->code;
}

/* The text before " by ", which is cut off; "by" is the key. */
static struct span pop_key(struct span *s)
{
	const struct span by = SPAN(" by ");
	ptrdiff_t at = span_find(*s, by);
	struct span key = { NULL, 0 };

	if (at < 0 && span_ends(*s, SPAN(" by")))
		at = (ptrdiff_t)(s->n - 3);
	if (at >= 0) {
		key = span_trim(span_skip(*s, (size_t)at + by.n));
		*s = span_trim((struct span){ s->p, (size_t)at });
	}
	return key;
}

/* The next of "BEGIN..STEP..END"; false if it is empty. */
static bool pop_event(struct span *rest, struct span *event)
{
	ptrdiff_t dots = span_find(*rest, SPAN(".."));
	size_t n = dots < 0 ? rest->n : (size_t)dots;

	*event = span_trim((struct span){ rest->p, n });
	*rest = span_skip(*rest, dots < 0 ? n : n + 2);
	return event->n != 0;
}

static int parse_events(struct during *d, struct during_measure *m, struct err *e)
{
	struct span rest = m->text, key = pop_key(&rest), event[3];
	size_t n = 0;

	while (n < ARRAY_LEN(event) && pop_event(&rest, &event[n]))
		n++;
	if (n < 2 || rest.n || (key.p && !key.n))
		return err_set(e, ERR_USAGE,
			"\"%.*s\" is not BEGIN..END, BEGIN..STEP..END, or one of them by KEY",
			SPAN_ARG(m->text));
	m->rule = (struct span_rule){
		.begin = keep(d, event[0]),
		.end = keep(d, event[n - 1]),
		.key = key.n ? keep(d, key) : "tid",
	};
	m->step = n > 2 ? keep(d, event[1]) : NULL;
	return OK;
}

static int parse_measure(struct during *d, struct span text, uint32_t *number, struct err *e)
{
	struct during_measure m = { .text = { keep(d, text), text.n } };

	if (span_find(text, SPAN("..")) >= 0) {
		if (parse_events(d, &m, e))
			return e->code;
	} else {
		m.preset = text.n ? span_preset_find(m.text.p) : NULL;
		if (!m.preset)
			return no_such_preset(text, e);
	}
	return add_measure(d, &m, number, e);
}

/* ---- conditions --------------------------------------------------------------------------- */

/* "> 20ms" */
static bool parse_limit(struct during_condition *c, struct span s)
{
	bool more = s.p[0] == '>', equal = s.n > 1 && s.p[1] == '=';
	uint64_t ns;

	if (!time_length_scan(span_trim(span_skip(s, equal ? 2 : 1)), &ns))
		return false;
	if (more)
		c->min_ns = equal ? ns : ns + 1;
	else
		c->max_ns = equal ? ns : ns - 1;
	return true;
}

/* "#17" */
static bool parse_number(struct during_condition *c, struct span s)
{
	s = span_trim(span_skip(s, 1));
	return span_scan_u64(&s, &c->number) && !s.n && c->number;
}

int during_add(struct during *d, const char *text, struct err *e)
{
	struct during_condition c = { .max_ns = UINT64_MAX };
	struct span s = span_trim(span_of(text)), limit;
	size_t n;

	c.negated = s.n && s.p[0] == '!';
	s = span_trim(span_skip(s, c.negated ? 1 : 0));
	for (n = 0; n < s.n && !strchr("<>#", s.p[n]); n++)
		;
	limit = span_skip(s, n);
	if (limit.n && !(limit.p[0] == '#' ? parse_number(&c, limit) : parse_limit(&c, limit)))
		return err_set(e, ERR_USAGE,
			"\"%.200s\": \"%.*s\" is not a limit such as > 20ms or <= 500us, nor the "
			"number of a span such as #17",
			text, SPAN_ARG(limit));
	if (parse_measure(d, span_trim((struct span){ s.p, n }), &c.measure, e))
		return e->code;
	c.text = keep(d, span_of(text));
	ARRAY_GROW(d->conditions, d->n_conditions, d->cap_conditions);
	d->conditions[d->n_conditions++] = c;
	return OK;
}

int during_list(struct during *d, const struct span_preset *preset, const struct span_rule *rule,
	struct err *e)
{
	struct during_measure m = { .preset = preset };
	struct buf text = { 0 };
	uint32_t number;
	int rc;

	if (preset) {
		buf_puts(&text, preset->name);
	} else {
		buf_printf(&text, "%s..%s by %s", rule->begin, rule->end, rule->key);
		m.rule = *rule;
	}
	m.text = (struct span){ keep(d, buf_span(&text)), text.n };
	buf_release(&text);
	rc = add_measure(d, &m, &number, e);
	if (!rc)
		d->listed = number + 1;
	return rc;
}

bool during_is_asked(const struct during *d, uint32_t measure)
{
	uint32_t i;

	for (i = 0; i < d->n_conditions; i++)
		if (d->conditions[i].measure == measure)
			return true;
	return false;
}

void during_release(struct during *d)
{
	free(d->measures);
	free(d->conditions);
	arena_release(&d->strings);
	*d = (struct during){ 0 };
}

struct spans_opts during_rules(const struct during_measure *m, const struct recording *r)
{
	struct spans_opts o = {
		.rules = &m->rule, .n_rules = 1, .fields = &m->fields, .step = m->step
	};
	size_t i;

	if (!m->preset)
		return o;
	o.of = m->preset->of;
	for (i = 0; i < m->preset->n_inside; i++) {
		o.rules = &m->preset->inside[i];
		if (spans_applies(r, &o))
			return o;
	}
	o.rules = m->preset->n_inside ? m->preset->inside : m->preset->rules;
	o.n_rules = m->preset->n_inside ? 1 : m->preset->n_rules;
	return o;
}
