/*
 * symbol_source_kernel.c - symbols of the kernel and of its modules
 *
 * The kernel: an ELF file given with --vmlinux, else the list (/proc/kallsyms or a copy). Both
 * have addresses of the boot that they are from; the reference symbol of the recording (_text or
 * _stext) says how far the recorded kernel was moved from there (KASLR).
 *
 * A module: the list, if it is of the recorded boot, since modules are elsewhere after each boot.
 * Otherwise its own file, laid out as the kernel lays out the sections of code (elf_places.h).
 *
 * Debug information of a module is that of an object file: it is relocated to where its sections
 * were loaded (dwarf/dwarf_relocate.h).
 */
#include "symbolize/kernel/kernel.h"
#include "symbolize/symbol_source.h"

#include "base/mem.h"

static bool find_address(const struct symtab *t, struct span name, uint64_t *address)
{
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		if (span_eq(t->sym[i].name, name)) {
			*address = t->sym[i].start;
			return true;
		}
	}
	return false;
}

static enum frame_why load_vmlinux(const struct symbol_request *want, struct symtab *t)
{
	struct elf_file *ef =
		files_open_vmlinux(want->o->files, want->module, &want->report->trail);
	struct span reference = strtab_get(want->strings, want->o->kernel_reference_symbol);
	uint64_t address;

	if (!ef)
		return WHY_NO_KALLSYMS;
	elf_addresses_add(t, ef);
	want->report->runtime_path = xstrdup(ef->path);
	symtab_hold(t, ef);
	if (want->debug && elf_file_has(ef, FILES_NEED_DWARF))
		symbol_source_open_debug(want, ef, &(struct dwarf_addresses){ 0 });
	if (reference.n && want->o->kernel_reference_address &&
		find_address(t, reference, &address))
		t->shift = address - want->o->kernel_reference_address;
	symtab_fixup(t);
	return t->n ? WHY_HAS_NAME : WHY_NO_SYMBOL;
}

const struct symbol_source symbol_source_vmlinux = { "vmlinux", 1u << MODULE_KERNEL, load_vmlinux,
	NULL };

/* perf reads no debug information of modules. */
static bool wants_debug(const struct symbol_request *want)
{
	return want->debug && !want->o->compat_perf;
}

static void open_listed_debug(const struct symbol_request *want)
{
	struct span module = strtab_get(want->strings, want->module->shown);
	struct elf_places places;
	struct elf_file *ef;

	if (!wants_debug(want))
		return;
	ef = files_open_kmod_dwarf(want->o->files, want->module, &want->report->trail);
	if (!ef)
		return;
	kmod_find_places(&places, ef, want->kallsyms, module);
	if (elf_is_object(ef) && elf_places_any(&places))
		symbol_source_open_debug(want, ef, &(struct dwarf_addresses){ .places = &places });
	elf_places_release(&places);
	elf_file_close(ef);
}

/* Without the kernel's list: sections are where the kernel lays them out. */
static void open_laid_out_debug(const struct symbol_request *want, const struct elf_file *runtime)
{
	struct elf_file *other = NULL;
	const struct elf_file *ef = runtime;
	struct elf_places places;

	if (!elf_file_has(runtime, FILES_NEED_DWARF))
		ef = other = files_open_dwarf(
			want->o->files, want->module, runtime, &want->report->trail);
	if (ef && elf_is_object(ef)) {
		elf_places_lay_out(&places, ef, want->module->start);
		symbol_source_open_debug(want, ef, &(struct dwarf_addresses){ .places = &places });
		elf_places_release(&places);
	}
	elf_file_close(other);
}

static uint8_t binding_of(char type)
{
	if (type == 'W')
		return STB_WEAK;
	return type >= 'A' && type <= 'Z' ? STB_GLOBAL : STB_LOCAL;
}

/* What is added to a recorded address to get the list's, modulo 2^64 (KASLR). */
static uint64_t shift_of(const struct symbol_request *want)
{
	struct span name = strtab_get(want->strings, want->o->kernel_reference_symbol);
	uint64_t address;

	if (!name.n || !want->o->kernel_reference_address ||
		!kallsyms_address(want->kallsyms, name, &address))
		return 0;
	return address - want->o->kernel_reference_address;
}

static bool is_wanted(
	const struct symbol_request *want, const struct symtab *t, const struct kallsym *s)
{
	uint64_t start = s->start - t->shift, end = s->end - t->shift;

	return !want->wanted || !want->wanted->sorted || end <= start ||
	       elf_wanted_within(want->wanted, start, end);
}

static void copy_trail(const struct files_trail *from, struct files_trail *to)
{
	uint32_t i;

	for (i = 0; i < from->n; i++)
		files_trail_add(
			to, from->step[i].path, from->step[i].verdict, &from->step[i].found);
}

static void copy_path(const struct files_trail *trail, char **path)
{
	uint32_t i;

	for (i = 0; i < trail->n; i++)
		if (trail->step[i].verdict == FILES_USED && !*path)
			*path = xstrdup(trail->step[i].path);
}

static enum frame_why load_kallsyms(const struct symbol_request *want, struct symtab *t)
{
	const struct kallsyms *k = want->kallsyms;
	bool kernel = want->module->kind == MODULE_KERNEL;
	struct span module = kernel ? SPAN("") : strtab_get(want->strings, want->module->shown);
	bool has_some = false;
	uint32_t i;

	copy_trail(&k->trail, &want->report->trail);
	if (!k->n)
		return WHY_NO_KALLSYMS;
	if (want->wanted && k->n >= ELF_WANTED_MIN_SYMBOLS)
		elf_wanted_sort(want->wanted);
	t->shift = shift_of(want);
	/* Modules are elsewhere after each boot. */
	if (!kernel && t->shift)
		return WHY_NO_KALLSYMS;
	for (i = kallsyms_first(k, module); i != KALLSYMS_END; i = k->sym[i].next) {
		const struct kallsym *s = &k->sym[i];
		struct symbol sym = {
			.start = s->start,
			.end = s->end,
			.name = s->name,
			.bind = binding_of(s->type),
			.type = memchr("TtWw", s->type, 4) ? STT_FUNC : STT_OBJECT,
		};

		has_some = true;
		if (is_wanted(want, t, s))
			symtab_add(t, &sym);
	}
	symtab_fixup(t);
	copy_path(&k->trail, &want->report->symbols_path);
	if (!kernel && has_some)
		open_listed_debug(want);
	return has_some ? WHY_HAS_NAME : WHY_NO_KALLSYMS;
}

const struct symbol_source symbol_source_kallsyms = { "kallsyms",
	1u << MODULE_KERNEL | 1u << MODULE_KMOD, load_kallsyms, NULL };

static enum frame_why load_kmod(const struct symbol_request *want, struct symtab *t)
{
	struct elf_places places;
	struct elf_file *ef = NULL;

	if (want->module->start)
		ef = files_open_kmod(want->o->files, want->module, &want->report->trail);
	if (!ef)
		return WHY_NO_KALLSYMS;
	if (elf_is_object(ef)) {
		elf_places_lay_out(&places, ef, want->module->start);
		elf_module_symbols_add(t, ef, &places);
		elf_places_release(&places);
	}
	want->report->symbols_path = xstrdup(ef->path);
	symtab_hold(t, ef);
	symtab_fixup(t);
	if (t->n && wants_debug(want))
		open_laid_out_debug(want, ef);
	return t->n ? WHY_HAS_NAME : WHY_NO_KALLSYMS;
}

const struct symbol_source symbol_source_kmod = { "module", 1u << MODULE_KMOD, load_kmod, NULL };
