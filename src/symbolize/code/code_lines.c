#include "symbolize/code/code_lines.h"

#include "base/mem.h"
#include "symbolize/dwarf/dwarf.h"

#include <stdlib.h>

struct code_lines {
	struct strtab *strings;
	struct dwarf_debug *debug; /* NULL: none */
	struct dwarf_handle
		handle; /* for units that do not say in a plain way which table they have */
	uint64_t unit;  /* the one that was read last */
	struct dwarf_line_table table;        /* of it; empty: it cannot be read */
	const struct dwarf_line_parts *parts; /* of its lines; NULL: not known */
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

struct code_lines *code_lines_new(const struct files *files, const struct module *m,
	struct strtab *strings, struct symbolize_cache *cache)
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
			(struct dwarf_wanted){ true, true, symbolize_cache_dwarf(cache) }, &trail);
	elf_file_close(other);
	elf_file_close(runtime);
	files_trail_release(&trail);
	return l;
}

void code_lines_free(struct code_lines *l)
{
	if (!l)
		return;
	dwarf_line_table_release(&l->table);
	dwarf_image_close_handle(&l->handle);
	if (l->debug)
		l->debug->store = NULL; /* who comes last does not keep it */
	dwarf_debug_release(l->debug);
	free(l);
}

/* Makes the table that of a unit. */
static void open_unit(struct code_lines *l, uint64_t unit)
{
	struct dwarf_image *image = &l->debug->main.image;
	const struct dwarf_unit *known = dwarf_units_get(&l->debug->main.units, unit);
	Dwarf_Die root;

	dwarf_line_table_close(&l->table);
	l->unit = unit;
	l->parts = dwarf_units_parts(&l->debug->main.units, unit);
	if (known && known->lines.is_plain)
		dwarf_line_table_open_plain(&l->table, image, &known->lines);
	else if ((l->handle.dwarf || dwarf_image_open_handle(&l->handle, image)) &&
		 dwarf_offdie(l->handle.dwarf, unit, &root))
		dwarf_line_table_open(&l->table, image, root.cu);
}

bool code_lines_find(struct code_lines *l, uint64_t address, str_id *file, uint32_t *line)
{
	uint64_t unit = l->debug ? dwarf_units_find(&l->debug->main.units, address) : DWARF_NO_UNIT;
	const struct dwarf_line_row *row;

	if (unit == DWARF_NO_UNIT)
		return false;
	if (unit != l->unit)
		open_unit(l, unit);
	row = l->parts ? dwarf_line_table_find_by_part(&l->table, address, l->parts)
		       : dwarf_line_table_find(&l->table, address, NULL);
	if (!row || !row->line)
		return false;
	*file = dwarf_line_table_path(&l->table, row->file, l->strings);
	*line = row->line;
	return *file;
}
