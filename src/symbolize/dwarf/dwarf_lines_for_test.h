/*
 * dwarf_lines_for_test.h - lines and files of all units of a program, ours beside those of libdw
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_LINES_FOR_TEST_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_LINES_FOR_TEST_H

#include "base/mem.h"
#include "symbolize/dwarf/dwarf_units.h"

#include <stdio.h>
#include <stdlib.h>

/* Below it is what linkers dropped: libdw takes it for code at 0. */
enum { LOWEST_ADDRESS = 0x100 };

struct line_comparison {
	struct strtab *strings;
	uint64_t n_units, n_files, n_addresses, n_different;
	uint32_t n_by_unit; /* files of which tables are read by unit */
	uint32_t n_plain;   /* units that say without libdw which table they have */
};

/* libdw leaves paths relative that are below a relative directory of version 5. */
static inline bool is_path(struct span ours, const char *theirs)
{
	struct span t = span_of(theirs ? theirs : "");

	return span_eq(ours, t) ||
	       (t.n && *t.p != '/' && ours.n > t.n && ours.p[ours.n - t.n - 1] == '/' &&
		       span_eq(span_skip(ours, ours.n - t.n), t));
}

static inline void note_difference(struct line_comparison *c, Dwarf_Die *unit, uint64_t address,
	struct span ours, uint32_t our_line, const char *theirs, int line)
{
	if (c->n_different++ < 10)
		fprintf(stderr, "# %s, 0x%llx: %.*s:%u, libdw: %s:%d\n", dwarf_diename(unit),
			(unsigned long long)address, (int)ours.n, ours.p, our_line,
			theirs ? theirs : "", line);
}

static inline void compare_address(
	struct line_comparison *c, struct dwarf_line_table *t, Dwarf_Die *unit, uint64_t address)
{
	const struct dwarf_line_row *row = dwarf_line_table_find(t, address, NULL);
	Dwarf_Line *theirs = dwarf_getsrc_die(unit, address);
	const char *path = theirs ? dwarf_linesrc(theirs, NULL, NULL) : NULL;
	struct span ours =
		strtab_get(c->strings, row ? dwarf_line_table_path(t, row->file, c->strings) : 0);
	int line = 0;

	if (theirs)
		dwarf_lineno(theirs, &line);
	c->n_addresses++;
	if (!is_path(ours, path) || (row ? row->line : 0) != (uint32_t)line)
		note_difference(c, unit, address, ours, row ? row->line : 0, path, line);
}

/* Up to version 4 libdw calls number 0 "???". */
static inline void compare_files(
	struct line_comparison *c, struct dwarf_line_table *t, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	size_t n, i;

	if (dwarf_getsrcfiles(unit, &files, &n))
		return;
	for (i = t->header.version < 5; i < n; i++) {
		struct span ours = strtab_get(c->strings, dwarf_line_table_path(t, i, c->strings));
		const char *theirs = dwarf_filesrc(files, i, NULL, NULL);

		c->n_files++;
		if (!is_path(ours, theirs))
			note_difference(c, unit, i, ours, 0, theirs, 0);
	}
	c->n_different += n != t->header.n_files;
}

/* At the start of each of libdw's rows, and a byte before. */
static inline void compare_unit(
	struct line_comparison *c, const struct dwarf_image *image, Dwarf_Die *unit)
{
	struct dwarf_line_table t = { 0 };
	Dwarf_Lines *lines;
	size_t n = 0, i;

	if (dwarf_line_table_open(&t, image, unit->cu) && !dwarf_getsrclines(unit, &lines, &n))
		for (i = 0; i < n; i++) {
			Dwarf_Addr address;

			if (dwarf_lineaddr(dwarf_onesrcline(lines, i), &address) ||
				address <= LOWEST_ADDRESS)
				continue;
			compare_address(c, &t, unit, address);
			compare_address(c, &t, unit, address - 1);
		}
	if (n)
		compare_files(c, &t, unit);
	c->n_units += n > 0;
	dwarf_line_table_release(&t);
}

static inline bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* What the roots of units say, with libdw and without. */
static inline void compare_roots(
	struct line_comparison *c, const struct dwarf_image *whole, const struct dwarf_handle *h)
{
	struct dwarf_units units = { 0 };
	struct dwarf_image image = *whole; /* it may be loaded */
	struct dwarf_budget budget;
	uint32_t i;

	dwarf_budget_start(&budget, UINT64_MAX);
	dwarf_units_read(&units, h->dwarf, &image, &budget);
	for (i = 0; i < units.n_units; i++) {
		const struct dwarf_unit_lines *lines = &units.unit[i].lines;
		struct dwarf_line_table plain = { 0 }, t = { 0 };
		Dwarf_Die root;

		if (!lines->is_plain || !dwarf_offdie(h->dwarf, units.unit[i].root, &root))
			continue;
		c->n_plain++;
		c->n_different += dwarf_line_table_open_plain(&plain, &image, lines) !=
				  dwarf_line_table_open(&t, whole, root.cu);
		c->n_different += plain.header.program.p != t.header.program.p ||
				  !same_text(plain.directory, t.directory);
		dwarf_line_table_release(&plain);
		dwarf_line_table_release(&t);
	}
	dwarf_units_release(&units);
}

/* Ours of an image, beside those of libdw, which reads an image that is whole. */
static inline void compare_image(
	struct line_comparison *c, const struct dwarf_image *image, const struct dwarf_image *whole)
{
	struct dwarf_handle h = { 0 };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (!dwarf_image_open_handle(&h, whole))
		return;
	while (!dwarf_get_units(h.dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		compare_unit(c, image, &unit);
	compare_roots(c, whole, &h);
	dwarf_image_close_handle(&h);
}

/* All units of a file. flags: how our image is read, with DWARF_LINES. */
static inline void compare_lines(struct line_comparison *c, const char *path, unsigned flags)
{
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(path, &why);
	struct dwarf_image image, whole;

	c->strings = strtab_new();
	if (ef && dwarf_image_read(&image, ef, NULL, flags)) {
		c->n_by_unit += image.lines_by_unit;
		if (dwarf_image_read(&whole, ef, NULL, DWARF_LINES)) {
			compare_image(c, &image, &whole);
			dwarf_image_release(&whole);
		}
		dwarf_image_release(&image);
	}
	elf_file_close(ef);
	strtab_free(c->strings);
}

#endif
