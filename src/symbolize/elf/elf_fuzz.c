/*
 * elf_fuzz.c - any bytes as an ELF file: symbols, stubs, build-id, what is packed inside, inlined
 * functions and lines
 */
#include "symbolize/dwarf/dwarf.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const uint8_t *data, size_t size, bool compat_perf)
{
	struct symtab t = { .style.compat_perf = compat_perf };
	struct elf_file *ef = elf_file_from_memory(xmemdup(data, size), size, "fuzz");
	struct elf_functions functions;
	struct frame_fde code;
	struct elf_file *inner;
	uint64_t address;

	if (!ef)
		return;
	inner = files_open_debugdata(ef);
	if (inner)
		elf_symbols_add(&t, inner, ef, SHT_SYMTAB, NULL);
	symtab_hold(&t, inner);
	symtab_hold(&t, ef);
	elf_symbols_add(&t, ef, ef, SHT_SYMTAB, NULL);
	symtab_fixup(&t);
	elf_symbols_add(&t, ef, ef, SHT_DYNSYM, NULL);
	symtab_fixup(&t);
	elf_plt_add(&t, ef);
	symtab_freeze(&t);
	elf_functions_open(&functions, ef);
	for (address = 0; address < 2 * size; address += 16) {
		symtab_find(&t, address);
		elf_functions_find(&functions, address, &code);
		elf_functions_end(&functions, address);
	}
	elf_functions_is_signal_return(&functions, size / 2);
	symtab_find(&t, UINT64_MAX);
	symtab_release(&t);
}

/* The same bytes on a disk: there, units are read one by one. */
static struct elf_file *open_as_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char *path = xasprintf("/proc/self/fd/%d", fd);
	enum files_verdict why;
	struct elf_file *ef = NULL;

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
		ef = elf_file_open(path, &why);
	if (fd >= 0)
		close(fd);
	free(path);
	return ef;
}

/* Of a kernel module as if it was loaded at 64. */
static struct dwarf_debug *open_debug(const struct files *files, const struct elf_file *ef)
{
	struct elf_places places;
	struct dwarf_addresses at = { .places = elf_is_object(ef) ? &places : NULL };
	struct dwarf_debug *d;

	elf_places_lay_out(&places, ef, 64);
	d = dwarf_debug_open(files, ef, &at, (struct dwarf_wanted){ .lines = true }, NULL);
	elf_places_release(&places);
	return d;
}

/* Names with lines for addresses all over the file. */
static void read_dwarf(const uint8_t *data, size_t size, bool compat_perf, bool as_file)
{
	static const struct files_opts nowhere = { .no_system = true };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("fuzz", strings, frames);
	struct files *files = files_new(&nowhere, strings);
	struct symbolize_opts o = { .files = files, .lines = true, .lines_in_names = true };
	struct elf_file *ef =
		as_file ? open_as_file(data, size)
			: elf_file_from_memory(xmemdup(data, size), size, "/nowhere/fuzz");
	struct dwarf_debug *d = ef ? open_debug(files, ef) : NULL;
	struct frame unknown = { .why = WHY_NO_SYMBOL };
	frame_id f = frames_add(frames, &unknown);
	struct dwarf_worker w = { 0 };
	uint32_t i;
	uint64_t address;

	r->sources = source_files_new();
	for (address = 0; d && address < 4096; address += 7) {
		struct site s = { .rel = address, .kind = FRAME_USER };
		struct symbol symbol = { .shared = address & 64 };
		site_id id = sites_add(r->sites, &s);

		sites_set_frames(r->sites, id, &f, 1);
		symbol.start = address & ~63ull;
		dwarf_debug_add(d, address, &symbol, id);
	}
	if (d) {
		d->style.compat_perf = compat_perf;
		d->inlined = true;
		dwarf_debug_make_tasks(d);
	}
	for (i = 0; d && i < d->n_tasks; i++)
		dwarf_name_task(&w, r, &o, d, &d->task[i]);
	dwarf_worker_release(&w);
	dwarf_debug_release(d);
	elf_file_close(ef);
	files_free(files);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	elf_version(EV_CURRENT);
	read_all(data, size, false);
	read_all(data, size, true);
	read_dwarf(data, size, false, false);
	read_dwarf(data, size, false, true);
	read_dwarf(data, size, true, false);
	return 0;
}
