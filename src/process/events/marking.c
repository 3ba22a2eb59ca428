#include "process/events/marking.h"

#include "base/mem.h"

#include <stdlib.h>

void marking_init(
	struct marking *m, const struct tracing *tracing, const struct mark_fields *fields)
{
	uint32_t i, k;

	*m = (struct marking){ .fields = fields };
	if (!fields)
		return;
	m->of = xcalloc(tracing->n, sizeof(*m->of));
	for (i = 0; i < tracing->n; i++)
		for (k = 0; k < fields->n && tracing->of[i].format; k++)
			m->of[i].field[k] =
				trace_format_pick(tracing->of[i].format, span_of(fields->name[k]));
}

void marking_release(struct marking *m)
{
	free(m->of);
}

uint32_t marking_add(const struct marking *m, struct marks *to, const struct mark *mark,
	const struct perfdata_sample *s, struct strtab *strings)
{
	uint32_t number = marks_add(to, mark), k;
	struct field_value v;

	for (k = 0; k < m->fields->n; k++)
		if (trace_format_read_picked(
			    &m->of[mark->event].field[k], s->raw, s->raw_bytes, s->swapped, &v))
			marks_add_value(to, k, &v, strings);
	return number;
}

void marking_copy_gaps(struct recording *r, const struct losses *l)
{
	size_t i;

	r->gaps = xcalloc(l->n, sizeof(*r->gaps));
	for (i = 0; i < l->n; i++)
		r->gaps[i] = (struct mark_gap){ l->range[i].from_ns, l->range[i].to_ns };
	r->n_gaps = l->n;
}
