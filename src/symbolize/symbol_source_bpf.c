/*
 * symbol_source_bpf.c - BPF programs, trampolines and other code that the kernel made
 *
 * PERF_RECORD_KSYMBOL gives one name for the whole range: the module is the symbol.
 */
#include "symbolize/symbol_source.h"

static enum frame_why load(const struct symbol_request *want, struct symtab *t)
{
	struct symbol whole = {
		.end = UINT64_MAX,
		.name = strtab_get(want->strings, want->module->shown),
		.bind = STB_GLOBAL,
		.type = STT_FUNC,
	};

	symtab_add(t, &whole);
	return WHY_HAS_NAME;
}

const struct symbol_source symbol_source_bpf = { "bpf", 1u << MODULE_BPF, load, NULL };
