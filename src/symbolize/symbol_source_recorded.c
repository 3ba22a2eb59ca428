/*
 * symbol_source_recorded.c - symbols that are in the recording itself (model/recorded_symbols.h)
 */
#include "symbolize/symbol_source.h"

static enum frame_why load(const struct symbol_request *want, struct symtab *t)
{
	const struct recorded_file *f = recorded_symbols_find(want->recorded, want->module->path);
	uint32_t i;

	if (!f)
		return WHY_NO_FILE;
	for (i = f->first; i < f->first + f->n; i++) {
		const struct recorded_symbol *s = &want->recorded->symbols[i];
		uint64_t end = s->start + s->size;

		symtab_add(t, &(struct symbol){
				      .start = s->start,
				      .end = end < s->start ? UINT64_MAX : end,
				      .name = strtab_get(want->strings, s->name),
				      .bind = STB_GLOBAL,
				      .type = STT_FUNC,
			      });
	}
	t->shift = f->shift;
	if (want->module->kind == MODULE_KMOD)
		t->shift -= want->module->start;
	return WHY_HAS_NAME;
}

const struct symbol_source symbol_source_recorded = { "recorded",
	1u << MODULE_FILE | 1u << MODULE_VDSO | 1u << MODULE_KERNEL | 1u << MODULE_KMOD, load };
