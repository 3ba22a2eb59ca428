#include "model/report.h"

#include "base/mem.h"

#include <stdlib.h>

void report_add_rule(
	struct report *r, const char *place, const char *text, uint64_t hits, uint64_t weight)
{
	ARRAY_GROW(r->rules, r->n_rules, r->cap_rules);
	r->rules[r->n_rules++] =
		(struct report_rule){ xstrdup(place), xstrdup(text), hits, weight };
}

void report_add_advice(struct report *r, const char *line)
{
	ARRAY_GROW(r->advice, r->n_advice, r->cap_advice);
	r->advice[r->n_advice++] = xstrdup(line);
}

void report_release(struct report *r)
{
	uint32_t i;

	for (i = 0; i < r->n_rules; i++) {
		free(r->rules[i].place);
		free(r->rules[i].text);
	}
	for (i = 0; i < r->n_advice; i++)
		free(r->advice[i]);
	free(r->rules);
	free(r->advice);
	*r = (struct report){ 0 };
}
