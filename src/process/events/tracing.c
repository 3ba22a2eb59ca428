/*
 * How fields are used: the formats of all tracepoints are parsed once (trace/trace_format.h), then
 * for each event the names that the user gave become offsets:
 *
 *	of[event]   where[condition]   weight   root[i]
 *
 * A name that no chosen event has is a mistake, and is reported with the names that there are; that
 * can only be checked once events are chosen. An event without the field is not: its samples do not
 * meet the condition, or have no weight, or no root of that name.
 *
 * libtraceevent has static variables, so formats are parsed under the lock of the options.
 */
#include "process/events/tracing.h"

#include "base/mem.h"

#include <stdlib.h>

static int read_formats(struct tracing *t, struct recording *r, const struct perfdata *pd,
	pthread_mutex_t *library_lock, struct err *e)
{
	struct buf section = { 0 };
	int rc = perfdata_read_section(pd, FEATURE_TRACING_DATA, &section, e);

	if (library_lock)
		pthread_mutex_lock(library_lock);
	if (rc == OK &&
		!trace_format_table_parse(t->formats, (const uint8_t *)section.p, section.n))
		diag_count(&r->diag, DIAG_BAD_FEATURE, FEATURE_TRACING_DATA);
	if (library_lock)
		pthread_mutex_unlock(library_lock);
	buf_release(&section);
	return rc == END ? OK : rc;
}

static void pick_fields(struct tracing *t, struct tracing_event *v, const char *weight)
{
	uint32_t i;

	if (!v->format)
		return;
	for (i = 0; t->where && i < t->where->n; i++)
		v->where[i] = trace_format_pick(v->format, where_field(t->where, i));
	for (i = 0; t->roots && i < t->roots->n; i++)
		v->root[i] = trace_format_pick(v->format, span_of(t->roots->name[i]));
	if (weight)
		v->weight = trace_format_pick(v->format, span_of(weight));
}

/* Pipes of perf before 4.16 name no tracepoints: only their formats do. */
static void name_event(struct recording *r, uint32_t i, const struct trace_format *f)
{
	struct span made_up = SPAN("tracepoint-");
	char *name;

	if (!f || !span_starts(strtab_get(r->strings, r->events[i].name), made_up))
		return;
	name = xasprintf("%s:%s", f->system, f->name);
	r->events[i].name = strtab_add_str(r->strings, name);
	free(name);
}

/* ---- are there fields of the names? ------------------------------------------------------- */

static void put_names(struct buf *b, const struct tracing *t, const struct recording *r)
{
	uint32_t i, k;

	for (i = 0; i < t->n; i++) {
		const struct trace_format *f = t->of[i].format;

		if (!f || !r->events[i].chosen)
			continue;
		buf_puts(b, b->n ? "; " : "");
		buf_put_span(b, strtab_get(r->strings, r->events[i].name));
		for (k = 0; k < f->n_fields; k++)
			buf_printf(b, "%s%s", k ? ", " : ": ", f->fields[k].name);
	}
}

static int fail_no_field(
	const struct tracing *t, const struct recording *r, struct span name, struct err *e)
{
	struct buf names = { 0 };

	put_names(&names, t, r);
	if (names.n)
		err_set(e, ERR_USAGE, "no chosen event has a field \"%.*s\"; there are: %.700s",
			SPAN_ARG(name), buf_str(&names));
	else
		err_set(e, ERR_USAGE,
			"no chosen event has a field \"%.*s\": choose a tracepoint by --event",
			SPAN_ARG(name));
	buf_release(&names);
	return e->code;
}

/* One of the fields in a struct tracing_event. */
typedef const struct trace_picked *(*field_getter)(const struct tracing_event *v, size_t i);

static const struct trace_picked *get_where(const struct tracing_event *v, size_t i)
{
	return &v->where[i];
}

static const struct trace_picked *get_root(const struct tracing_event *v, size_t i)
{
	return &v->root[i];
}

static const struct trace_picked *get_weight(const struct tracing_event *v, size_t i)
{
	(void)i;
	return &v->weight;
}

static int check_field(const struct tracing *t, const struct recording *r, struct span name,
	field_getter get, size_t i, struct err *e)
{
	uint32_t k;

	for (k = 0; k < t->n; k++)
		if (r->events[k].chosen && get(&t->of[k], i)->field)
			return OK;
	return fail_no_field(t, r, name, e);
}

int tracing_check(const struct tracing *t, const struct recording *r, const struct read_opts *o,
	struct err *e)
{
	const char *weight = o->weight_field;
	uint32_t i;
	int rc = OK;

	for (i = 0; t->where && i < t->where->n && !rc; i++)
		rc = check_field(t, r, where_field(t->where, i), get_where, i, e);
	for (i = 0; t->roots && i < t->roots->n && !rc; i++)
		rc = check_field(t, r, span_of(t->roots->name[i]), get_root, i, e);
	if (weight && !rc)
		rc = check_field(t, r, span_of(weight), get_weight, 0, e);
	return rc;
}

int tracing_init(struct tracing *t, struct recording *r, const struct perfdata *pd,
	const struct read_opts *o, struct err *e)
{
	const struct perfdata_attr *attrs;
	uint32_t i;

	*t = (struct tracing){ .formats = trace_format_table_new(),
		.by_field = o->weight_field != NULL };
	t->where = o->choice && o->choice->where.n ? &o->choice->where : NULL;
	t->roots = o->root_field_names;
	if (read_formats(t, r, pd, o->library_lock, e))
		return e->code;
	attrs = perfdata_attrs(pd, &t->n);
	t->of = xcalloc(t->n, sizeof(*t->of));
	for (i = 0; i < t->n; i++) {
		struct tracing_event *v = &t->of[i];

		v->where = xcalloc(t->where ? t->where->n : 0, sizeof(*v->where));
		if (attrs[i].type == EVENT_TRACEPOINT)
			v->format = trace_format_table_find(t->formats, attrs[i].config);
		name_event(r, i, v->format);
		pick_fields(t, v, o->weight_field);
	}
	if (o->weight_field)
		r->weight_unit = strtab_add_str(r->strings, o->weight_field);
	return OK;
}

void tracing_release(struct tracing *t)
{
	uint32_t i;

	for (i = 0; t->of && i < t->n; i++)
		free(t->of[i].where);
	free(t->of);
	trace_format_table_free(t->formats);
}

static bool read_field(
	const struct trace_picked *p, const struct perfdata_sample *s, struct field_value *v)
{
	return trace_format_read_picked(p, s->raw, s->raw_bytes, s->swapped, v);
}

bool tracing_where_holds(const struct tracing *t, uint32_t event, const struct perfdata_sample *s)
{
	struct field_value v;
	size_t i;

	for (i = 0; t->where && i < t->where->n; i++)
		if (!read_field(&t->of[event].where[i], s, &v) || !where_holds(t->where, i, &v))
			return false;
	return true;
}

bool tracing_weight(
	const struct tracing *t, uint32_t event, const struct perfdata_sample *s, uint64_t *weight)
{
	struct field_value v;

	if (!read_field(&t->of[event].weight, s, &v) || !v.has_number ||
		(v.is_signed && (int64_t)v.number < 0))
		return false;
	*weight = v.number;
	return true;
}

str_id tracing_root(const struct tracing *t, struct strtab *strings, uint32_t event,
	const struct perfdata_sample *s, uint32_t i)
{
	struct field_value v;
	struct buf b = { 0 };
	str_id value = 0;

	if (!t->roots || i >= t->roots->n || !read_field(&t->of[event].root[i], s, &v))
		return 0;
	field_value_put(&b, &v);
	value = strtab_add(strings, buf_span(&b));
	buf_release(&b);
	return value;
}
