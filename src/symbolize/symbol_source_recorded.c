/*
 * symbol_source_recorded.c - symbols that are in the recording itself (model/recorded_symbols.h)
 */
#include "symbolize/symbol_source.h"

struct recorded_loading {
	struct symtab *to;
	const struct strtab *strings;
	bool typed; /* names have types: "void a.B.f(int)" */
};

/* As methods have it that were compiled before: a.B.f. */
static struct span without_types(struct span name)
{
	ptrdiff_t end = span_find(name, SPAN("("));
	size_t start;

	if (end <= 0)
		return name;
	for (start = (size_t)end; start && name.p[start - 1] != ' ';)
		start--;
	return span_range(name.p + start, name.p + end);
}

static void add_symbol(void *ctx, const struct recorded_symbol *s)
{
	const struct recorded_loading *l = ctx;
	struct span name = strtab_get(l->strings, s->name);
	uint64_t end = s->start + s->size;

	symtab_add(l->to, &(struct symbol){
				  .start = s->start,
				  .end = end < s->start ? UINT64_MAX : end,
				  .name = l->typed ? without_types(name) : name,
				  .bind = STB_GLOBAL,
				  .type = STT_FUNC,
			  });
}

/* Of a file that is not here: how far addresses are from offsets where its code is. */
static void set_layout(struct elf_layout *l, uint64_t shift)
{
	l->segment[0] = (struct elf_segment){ .address = shift, .size_bytes = UINT64_MAX };
	l->n = 1;
}

static enum frame_why load(const struct symbol_request *want, struct symtab *t)
{
	const struct recorded_file *f = recorded_symbols_find(want->recorded, want->module->path);
	struct recorded_loading l = { t, want->strings, f && f->generated };

	if (!f)
		return WHY_NO_FILE;
	t->shift = recorded_symbols_each(want->recorded, f, add_symbol, &l);
	if (!f->by_mapping)
		set_layout(want->layout, t->shift);
	if (want->module->kind == MODULE_KMOD)
		t->shift -= want->module->start;
	return WHY_HAS_NAME;
}

const struct symbol_source symbol_source_recorded = { "recorded",
	1u << MODULE_FILE | 1u << MODULE_VDSO | 1u << MODULE_KERNEL | 1u << MODULE_KMOD, load,
	NULL };
