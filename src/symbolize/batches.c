#include "symbolize/batches.h"

#include "base/mem.h"

#include <stdlib.h>

/* Sites by module, in order of their numbers. offset has one element more than there are modules,
 * and is left at the end of each group. */
static void group_sites(struct batches *b, const struct recording *r, uint32_t *offset)
{
	uint32_t n = sites_count(r->sites), modules = modules_count(r->modules), i;

	for (i = 1; i < n; i++) {
		const struct site *s = sites_get(r->sites, i);

		if (!s->named && s->module < modules)
			offset[s->module + 1]++;
	}
	for (i = 0; i < modules; i++)
		offset[i + 1] += offset[i];
	b->sites = xcalloc((size_t)offset[modules] + 1, sizeof(*b->sites));
	for (i = 1; i < n; i++) {
		const struct site *s = sites_get(r->sites, i);

		if (!s->named && s->module < modules)
			b->sites[offset[s->module]++] = i;
	}
}

static bool is_of_kernel(const struct recording *r, module_id id)
{
	const struct module *m = id ? modules_get(r->modules, id) : NULL;

	return m && (m->kind == MODULE_KERNEL || m->kind == MODULE_KMOD);
}

static int largest_first(const void *pa, const void *pb)
{
	const struct batch *a = pa, *b = pb;

	if (a->needs_kallsyms != b->needs_kallsyms)
		return a->needs_kallsyms ? 1 : -1;
	if (a->report->sites != b->report->sites)
		return a->report->sites > b->report->sites ? -1 : 1;
	return a->report->module < b->report->module ? -1 : 1;
}

void batches_make(struct batches *b, const struct recording *r, struct symbolize_report *rep)
{
	uint32_t modules = modules_count(r->modules), i, from = 0;
	uint32_t *end = xcalloc((size_t)modules + 1, sizeof(*end));

	group_sites(b, r, end);
	rep->modules = xcalloc(modules ? modules : 1, sizeof(*rep->modules));
	b->batch = xcalloc(modules ? modules : 1, sizeof(*b->batch));
	for (i = 0; i < modules; from = end[i++]) {
		struct symbolize_module *m = &rep->modules[rep->n];

		if (end[i] == from)
			continue;
		*m = (struct symbolize_module){ .module = i, .sites = end[i] - from };
		b->batch[rep->n] = (struct batch){
			.sites = b->sites + from,
			.report = m,
			.needs_kallsyms = is_of_kernel(r, i),
		};
		b->n_free += !b->batch[rep->n++].needs_kallsyms;
	}
	b->n = rep->n;
	qsort(b->batch, b->n, sizeof(*b->batch), largest_first);
	free(end);
}

bool batches_want_kernel(const struct batches *b, const struct recording *r,
	const struct symbolize_opts *o, struct files_kallsyms_want *want)
{
	uint32_t i, k, n = 0;

	/* No addresses are known, or all symbols have a say. */
	if (!b->n || o->compat_perf)
		return false;
	want->reference = strtab_get(r->strings, o->kernel_reference_symbol);
	want->reference_address = o->kernel_reference_address;
	for (i = b->n_free; i < b->n; i++)
		n += b->batch[i].report->sites;
	want->address = xcalloc((size_t)n * 2 + 1, sizeof(*want->address));
	for (i = b->n_free; i < b->n; i++) {
		const struct batch *one = &b->batch[i];

		want->modules |= modules_get(r->modules, one->report->module)->kind == MODULE_KMOD;
		for (k = 0; k < one->report->sites; k++) {
			uint64_t address = sites_get(r->sites, one->sites[k])->rel;

			want->address[want->n++] = address;
			want->address[want->n++] = address - 1; /* of a call */
		}
	}
	return true;
}

void batches_release(struct batches *b)
{
	free(b->batch);
	free(b->sites);
}
