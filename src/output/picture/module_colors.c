#include "output/picture/module_colors.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

struct module_weight {
	struct span name;
	uint64_t weight;
};

static int compare_names(const void *pa, const void *pb)
{
	const struct module_weight *a = pa, *b = pb;

	return span_cmp(a->name, b->name);
}

static int compare_weights(const void *pa, const void *pb)
{
	const struct module_weight *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return span_cmp(a->name, b->name);
}

static bool is_kernel(struct span module)
{
	return span_eq(module, SPAN("[kernel.kallsyms]"));
}

void module_colors_choose(
	struct module_colors *m, const struct span *keys, const uint64_t *area, uint32_t frames)
{
	struct module_weight *of = xcalloc((size_t)frames + 1, sizeof(*of));
	uint32_t n = 0, distinct = 0, i;

	*m = (struct module_colors){ 0 };
	for (i = 1; i < frames; i++)
		if (area[i] && keys[i].n && !is_kernel(keys[i]))
			of[n++] = (struct module_weight){ keys[i], area[i] };
	qsort(of, n, sizeof(*of), compare_names);
	for (i = 0; i < n; i++)
		if (distinct && span_eq(of[distinct - 1].name, of[i].name))
			of[distinct - 1].weight =
				saturated_add(of[distinct - 1].weight, of[i].weight);
		else
			of[distinct++] = of[i];
	qsort(of, distinct, sizeof(*of), compare_weights);
	for (i = 0; i < distinct && i < CATEGORY_OTHERS; i++)
		m->heaviest[m->n++] = of[i].name;
	free(of);
}

struct color module_colors_of(const struct module_colors *m, struct span module)
{
	unsigned i;

	if (!module.n)
		return category_color(SPAN("root"));
	if (is_kernel(module))
		return category_color(SPAN("kernel"));
	for (i = 0; i < m->n && !span_eq(m->heaviest[i], module); i++)
		;
	return category_other_color(i < m->n ? i : CATEGORY_OTHERS);
}
