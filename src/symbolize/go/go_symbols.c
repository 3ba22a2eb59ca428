#include "symbolize/go/go.h"

static void add(const struct go_program *p, struct symtab *t, const struct go_function *f)
{
	struct symbol s = { .name = f->name, .bind = STB_GLOBAL, .type = STT_FUNC };

	if (!elf_layout_offset(&p->layout, f->start, &s.start))
		return;
	s.end = s.start + (f->end - f->start);
	symtab_add(t, &s);
}

static void add_wanted(const struct go_program *p, struct symtab *t, struct elf_wanted *wanted)
{
	struct go_function f = { 0 };
	uint64_t address, last = UINT64_MAX;
	uint32_t i;

	elf_wanted_sort(wanted);
	for (i = 0; i < wanted->n; i++) {
		if (!elf_layout_address(&p->layout, wanted->at[i], &address) ||
			!go_table_find(&p->table, address, &f) || f.start == last)
			continue;
		last = f.start;
		add(p, t, &f);
	}
}

void go_symbols_add(const struct go_program *p, struct symtab *t, struct elf_wanted *wanted)
{
	struct go_function f;
	uint64_t i;

	if (wanted)
		add_wanted(p, t, wanted);
	for (i = 0; !wanted && i < p->table.n && t->n < SYMTAB_MAX; i++)
		if (go_table_get(&p->table, i, &f))
			add(p, t, &f);
}
