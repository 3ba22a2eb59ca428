/*
 * How it works. A table is opened in one of three ways, by where its offset comes from: libdw, the
 * root of the unit as dwarf_tree.c read it, or a .dwo, which has a single one. Each reads the
 * header of the table alone. An image that was kept for its lines (dwarf_image_keep_lines()) may
 * have lost the strings that a header needs: then they are loaded, and the header is read again.
 */
#include "symbolize/dwarf/dwarf_line_table.h"

#include "base/buf.h"

#include <dwarf.h>
#include <stdlib.h>

static void read_header(
	struct dwarf_line_table *t, const struct dwarf_image *image, uint64_t offset)
{
	struct dwarf_line_sections from = {
		.line = image->section[SECTION_LINE],
		.line_str = image->section[SECTION_LINE_STR],
		.str = image->section[SECTION_STR],
		.swapped = dwarf_image_is_swapped(image),
	};

	if (image->lines_by_unit) {
		from.line = dwarf_image_read_table(image, offset, &t->own, &from.pieces);
		offset = 0;
	}
	if (from.line.p)
		dwarf_line_header_read(&t->header, &from, offset);
}

/* The root of the unit. */
static bool begin(struct dwarf_line_table *t, Dwarf_CU *unit, Dwarf_Die *root)
{
	Dwarf_Attribute a;

	*t = (struct dwarf_line_table){ .unit = unit, .own = t->own };
	if (!dwarf_cu_die(unit, root, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	t->directory = dwarf_formstring(dwarf_attr(root, DW_AT_comp_dir, &a));
	return true;
}

bool dwarf_line_table_open(
	struct dwarf_line_table *t, const struct dwarf_image *image, Dwarf_CU *unit)
{
	Dwarf_Attribute a;
	Dwarf_Word offset;
	Dwarf_Die root;

	if (!begin(t, unit, &root) ||
		dwarf_formudata(dwarf_attr(&root, DW_AT_stmt_list, &a), &offset))
		return false;
	read_header(t, image, offset);
	return true;
}

bool dwarf_line_table_open_plain(
	struct dwarf_line_table *t, struct dwarf_image *image, const struct dwarf_unit_lines *lines)
{
	*t = (struct dwarf_line_table){ .directory = lines->directory, .own = t->own };
	if (lines->has_table)
		read_header(t, image, lines->table);
	if (t->header.in_strings && dwarf_image_load_strings(image)) {
		dwarf_line_header_release(&t->header);
		read_header(t, image, lines->table);
	}
	return lines->has_table;
}

bool dwarf_line_table_open_split(
	struct dwarf_line_table *t, const struct dwarf_image *image, Dwarf_CU *unit)
{
	Dwarf_Die root;

	if (!begin(t, unit, &root) || !image->section[SECTION_LINE].n)
		return false;
	read_header(t, image, 0);
	return true;
}

void dwarf_line_table_drop_lines(struct dwarf_line_table *t)
{
	dwarf_lines_release(&t->lines);
	t->has_lines = false;
}

void dwarf_line_table_close(struct dwarf_line_table *t)
{
	dwarf_line_table_drop_lines(t);
	dwarf_lines_release(&t->lines_of_part);
	dwarf_line_header_release(&t->header);
	*t = (struct dwarf_line_table){ .own = t->own };
}

void dwarf_line_table_release(struct dwarf_line_table *t)
{
	dwarf_line_table_close(t);
	dwarf_image_release_room(&t->own);
}

const struct dwarf_line_row *dwarf_line_table_find(
	struct dwarf_line_table *t, uint64_t address, const struct dwarf_lines_wanted *wanted)
{
	if (!t->has_lines)
		dwarf_lines_read(&t->lines, &t->header, wanted);
	t->has_lines = true;
	return dwarf_lines_find(&t->lines, address);
}

const struct dwarf_line_row *dwarf_line_table_find_by_part(
	struct dwarf_line_table *t, uint64_t address, const struct dwarf_line_parts *parts)
{
	const struct dwarf_line_part *part = dwarf_lines_find_part(parts, address);

	if (!part)
		return dwarf_line_table_find(t, address, NULL);
	if (t->part != part) {
		dwarf_lines_release(&t->lines_of_part);
		dwarf_lines_read_part(&t->lines_of_part, &t->header, part);
		t->part = part;
	}
	return dwarf_lines_find(&t->lines_of_part, address);
}

/* The directory of a file may be below that of the compiler. */
static str_id add_path(
	const struct dwarf_line_table *t, const struct dwarf_line_file *f, struct strtab *strings)
{
	struct span name = f->name, unit = span_of(t->directory ? t->directory : "");
	struct span above = f->in_compiler_directory ? unit : f->directory;
	bool below_unit = *name.p != '/' && (!above.n || *above.p != '/');
	struct buf path = { 0 };
	str_id id;

	if (below_unit && unit.n && *unit.p == '/') {
		buf_put_span(&path, unit);
		buf_putc(&path, '/');
	}
	if (*name.p != '/' && above.n) {
		buf_put_span(&path, above);
		buf_putc(&path, '/');
	}
	buf_put_span(&path, name);
	id = strtab_add(strings, buf_span(&path));
	buf_release(&path);
	return id;
}

str_id dwarf_line_table_path(struct dwarf_line_table *t, uint64_t number, struct strtab *strings)
{
	struct dwarf_line_file *f = number < t->header.n_files ? &t->header.file[number] : NULL;

	if (!f || !f->name.n)
		return 0;
	if (!f->path)
		f->path = add_path(t, f, strings);
	return f->path;
}
