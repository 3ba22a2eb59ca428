/*
 * symbol_source_elf.c - symbols of programs, libraries and the vdso
 */
#include "symbolize/elf/elf.h"
#include "symbolize/go/go.h"
#include "symbolize/symbol_source.h"
#include "symbolize/symbolize_cache.h"

#include "base/mem.h"

/* Why a module has no file: one was refused, or there is none. */
static enum frame_why why_not(const struct files_trail *trail)
{
	const struct files_step *s = files_trail_refusal(trail);

	return s && s->verdict != FILES_NO_SYMBOLS ? WHY_REFUSED : WHY_NO_FILE;
}

/* A table may be stripped to a few names, but one that is as long as .dynsym holds all of it. */
static bool has_all(const struct elf_file *symbols, const struct elf_file *runtime)
{
	return elf_file_section_size(symbols, SHT_SYMTAB) >=
	       elf_file_section_size(runtime, SHT_DYNSYM);
}

/* The file with .symtab: the one that ran, unless it was stripped. */
static struct elf_file *open_symbols(const struct symbol_request *want, struct elf_file *runtime)
{
	struct elf_file *debug;

	if (runtime && elf_file_section_size(runtime, SHT_SYMTAB))
		return runtime;
	debug = files_open_debug(want->o->files, want->module, runtime, &want->report->trail);
	return debug || !runtime ? debug : files_open_debugdata(runtime);
}

void symbol_source_open_debug(const struct symbol_request *want, const struct elf_file *ef,
	const struct dwarf_addresses *at)
{
	struct dwarf_wanted wanted = { .lines = want->o->lines,
		.store = symbolize_cache_dwarf(want->o->cache) };
	struct dwarf_debug *d =
		dwarf_debug_open(want->o->files, ef, at, wanted, &want->report->trail);

	*want->debug = d;
	if (!d)
		return;
	want->report->dwarf_path = xstrdup(ef->path);
	if (want->o->sources)
		source_file_judge_program(
			want->o->files, want->module, ef, &d->built_s, &d->is_local);
}

/* Debug information is in the file that has the symbols, as a rule. */
static void find_debug(const struct symbol_request *want, const struct elf_file *runtime,
	const struct elf_file *symbols)
{
	const struct elf_file *ef = runtime;
	struct elf_file *other = NULL;
	struct elf_layout layout;

	if (!elf_layout_read(&layout, runtime ? runtime : symbols))
		return;
	if (symbols && (!runtime || !elf_file_has(runtime, FILES_NEED_DWARF)))
		ef = symbols;
	if (!elf_file_has(ef, FILES_NEED_DWARF))
		ef = other = files_open_dwarf(
			want->o->files, want->module, runtime, &want->report->trail);
	if (ef)
		symbol_source_open_debug(want, ef, &(struct dwarf_addresses){ .layout = &layout });
	elf_file_close(other);
}

static enum frame_why load(const struct symbol_request *want, struct symtab *t)
{
	struct files_trail *trail = &want->report->trail;
	struct elf_file *runtime = files_open_runtime(want->o->files, want->module, trail);
	struct elf_file *symbols = open_symbols(want, runtime);
	bool with_dynamic;

	if (!runtime && !symbols)
		return why_not(trail);
	if (!elf_layout_read(want->layout, runtime ? runtime : symbols))
		want->layout->n = 0;
	with_dynamic = runtime && (!symbols || t->style.compat_perf || !has_all(symbols, runtime));
	if (symbols) {
		elf_symbols_add(t, symbols, runtime ? runtime : symbols, SHT_SYMTAB,
			with_dynamic ? NULL : want->wanted);
		symtab_fixup(t);
	}
	if (runtime) {
		want->report->runtime_path = xstrdup(runtime->path);
		symtab_hold(t, runtime);
		elf_functions_open(want->functions, runtime);
		if (with_dynamic)
			elf_symbols_add(
				t, runtime, runtime, SHT_DYNSYM, symbols ? NULL : want->wanted);
		if (!symbols && !t->style.compat_perf && go_program_open(want->go, runtime))
			go_symbols_add(want->go, t, want->wanted);
		symtab_fixup(t);
	}
	if (elf_plt_matters(t, runtime ? runtime : symbols, want->wanted))
		elf_plt_add(t, runtime ? runtime : symbols);
	if (symbols && symbols != runtime) {
		want->report->symbols_path = xstrdup(symbols->path);
		symtab_hold(t, symbols);
	}
	/* A debug file alone may not say where its code is. */
	return runtime || t->n ? WHY_HAS_NAME : WHY_NO_FILE;
}

static void open_debug(const struct symbol_request *want, const struct symtab *t)
{
	const struct elf_file *runtime = want->functions->file, *symbols = t->held[t->n_held - 1];

	find_debug(want, runtime, symbols);
}

const struct symbol_source symbol_source_elf = { "ELF", 1u << MODULE_FILE | 1u << MODULE_VDSO, load,
	open_debug };
