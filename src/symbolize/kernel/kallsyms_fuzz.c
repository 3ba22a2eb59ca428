/*
 * kallsyms_fuzz.c - any bytes as the kernel's list of symbols
 *
 * Symbols are sorted and end after they begin; each is in one chain, that of its module.
 */
#include "symbolize/kernel/kallsyms.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_symbols(const struct kallsyms *k)
{
	uint32_t i, n, next, chained = 0;
	struct span module;
	uint64_t address;

	for (i = 0; i < k->n; i++) {
		const struct kallsym *s = &k->sym[i];

		if ((i && s[-1].start > s->start) || s->end < s->start || !s->name.n)
			abort();
		if (kallsyms_module_at(k, s->start, &module) && module.n && module.p[0] != '[')
			abort();
		/* The first of a module: all of its chain are of it. */
		if (kallsyms_first(k, s->module) != i)
			continue;
		for (next = i, n = 0; next != KALLSYMS_END; next = k->sym[next].next, n++)
			if (n >= k->n || !span_eq(k->sym[next].module, s->module))
				abort();
		chained += n;
	}
	if (chained != k->n)
		abort();
	kallsyms_address(k, SPAN("_stext"), &address);
}

static void run(const uint8_t *data, size_t size, bool compat_perf)
{
	struct kallsyms k = { 0 };
	struct buf text = { 0 };

	buf_put(&text, data, size);
	kallsyms_parse(&k, &text, compat_perf);
	check_symbols(&k);
	kallsyms_release(&k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)files_kallsyms_form((struct span){ (const char *)data, size });
	run(data, size, false);
	run(data, size, true);
	return 0;
}
