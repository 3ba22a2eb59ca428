#include "symbolize/code/code_lines.h"

#include "base/mem.h"
#include "symbolize/dwarf/dwarf.h"

#include <dwarf.h>
#include <stdlib.h>

/* libdw keeps the lines of every unit that it read, 48 bytes each; a new handle has to pass all
 * units before the one that is wanted. */
enum { LINES_PER_HANDLE = 1 << 17 };

struct code_lines {
	struct strtab *strings;
	struct dwarf_debug *debug; /* NULL: none */
	struct dwarf_handle handle;
	uint64_t unit; /* the one that was read last */
	Dwarf_Die die; /* of it, if the handle is open */
	size_t lines_read;
	/* What was found last. */
	const char *path; /* as the handle has it; NULL: nothing */
	str_id file;
};

static struct elf_file *open_runtime(
	const struct files *files, const struct module *m, struct files_trail *trail)
{
	switch (m->kind) {
	case MODULE_FILE:
	case MODULE_VDSO:
		return files_open_runtime(files, m, trail);
	case MODULE_KERNEL:
		return files_open_vmlinux(files, m, trail);
	default:
		return NULL;
	}
}

struct code_lines *code_lines_new(
	const struct files *files, const struct module *m, struct strtab *strings)
{
	struct code_lines *l = xcalloc(1, sizeof(*l));
	struct files_trail trail = { 0 };
	struct elf_file *runtime = open_runtime(files, m, &trail), *other = NULL;
	const struct elf_file *ef = runtime;

	l->strings = strings;
	if (m->kind == MODULE_FILE && !(runtime && elf_file_has(runtime, FILES_NEED_DWARF)))
		ef = other = files_open_dwarf(files, m, runtime, &trail);
	if (ef && elf_file_has(ef, FILES_NEED_DWARF))
		l->debug = dwarf_debug_open(files, ef, &(struct dwarf_addresses){ .layout = NULL },
			(struct dwarf_wanted){ .lines = true }, &trail);
	elf_file_close(other);
	elf_file_close(runtime);
	files_trail_release(&trail);
	return l;
}

void code_lines_free(struct code_lines *l)
{
	if (!l)
		return;
	dwarf_image_close_handle(&l->handle);
	dwarf_debug_release(l->debug);
	free(l);
}

/* Makes the unit that of l->die. */
static bool open_unit(struct code_lines *l, uint64_t unit)
{
	Dwarf_Lines *lines;
	size_t n;

	if (l->handle.dwarf && unit == l->unit)
		return true;
	l->path = NULL;
	l->unit = DWARF_NO_UNIT;
	if (l->lines_read > LINES_PER_HANDLE) {
		dwarf_image_close_handle(&l->handle);
		l->lines_read = 0;
	}
	if (!l->handle.dwarf && !dwarf_image_open_handle(&l->handle, &l->debug->main.image))
		return false;
	if (!dwarf_offdie(l->handle.dwarf, unit, &l->die))
		return false;
	l->unit = unit;
	if (!dwarf_getsrclines(&l->die, &lines, &n))
		l->lines_read += n;
	return true;
}

/* As dwarf_frames.c has it: libdw 0.188 leaves paths relative to the compiler's directory. */
static str_id add_path(struct code_lines *l, const char *path)
{
	Dwarf_Attribute a;
	const char *dir = dwarf_formstring(dwarf_attr(&l->die, DW_AT_comp_dir, &a));
	struct buf text = { 0 };
	str_id id;

	if (*path != '/' && dir && *dir == '/')
		buf_printf(&text, "%s/", dir);
	buf_puts(&text, path);
	id = strtab_add(l->strings, buf_span(&text));
	buf_release(&text);
	return id;
}

bool code_lines_find(struct code_lines *l, uint64_t address, str_id *file, uint32_t *line)
{
	uint64_t unit = l->debug ? dwarf_units_find(&l->debug->main.units, address) : DWARF_NO_UNIT;
	Dwarf_Line *row;
	const char *path;
	int number;

	if (unit == DWARF_NO_UNIT || !open_unit(l, unit))
		return false;
	row = dwarf_getsrc_die(&l->die, address);
	if (!row || dwarf_lineno(row, &number) || number <= 0)
		return false;
	path = dwarf_linesrc(row, NULL, NULL);
	if (!path)
		return false;
	if (path != l->path)
		l->file = add_path(l, path);
	l->path = path;
	*file = l->file;
	*line = (uint32_t)number;
	return true;
}
