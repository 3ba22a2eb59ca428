/*
 * dwarf_lines_fuzz.c - any bytes as a line table: its files and its rows
 *
 *	byte 0: bit 0 the other byte order
 *	all the rest: .debug_line, from 0 on; .debug_line_str and .debug_str are the same bytes
 *
 * Rows are in order, and what is found for an address is the row that covers it, also where only
 * some addresses are wanted. What parts of the program say can be looked up.
 */
#include "symbolize/dwarf/dwarf_lines.h"

#include "base/mem.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_files(const struct dwarf_line_header *h)
{
	uint64_t sum = 0;
	uint32_t i;
	size_t k;

	for (i = 0; i < h->n_files; i++) {
		const struct dwarf_line_file *f = &h->file[i];

		for (k = 0; k < f->name.n; k++)
			sum += (uint8_t)f->name.p[k];
		for (k = 0; k < f->directory.n; k++)
			sum += (uint8_t)f->directory.p[k];
		if (f->md5)
			sum += f->md5->byte[15];
	}
	if (sum > (uint64_t)SIZE_MAX * UINT8_MAX)
		abort();
}

static void look_up(const struct dwarf_lines *l, const struct dwarf_line_sequence *s)
{
	const struct dwarf_line_row *row = &l->row[s->first], *found;
	uint32_t i;

	if (s->end <= s->start || s->reach < s->end || !s->n || row->address != s->start)
		abort();
	for (i = 0; i < s->n; i++) {
		if (i && row[i].address <= row[i - 1].address)
			abort();
		found = dwarf_lines_find(l, row[i].address);
		if (row[i].address < s->end && (!found || found->address > row[i].address))
			abort();
	}
}

static int by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static void look_up_parts(const struct dwarf_line_parts *parts, struct dwarf_line_header *h)
{
	struct dwarf_lines l;
	uint32_t i, k;

	for (i = 0; i < parts->n; i++) {
		if (i && parts->part[i].start < parts->part[i - 1].end)
			abort();
		dwarf_lines_read_part(&l, h, &parts->part[i]);
		for (k = 0; k < l.n_sequences; k++)
			look_up(&l, &l.sequence[k]);
		dwarf_lines_release(&l);
	}
}

/* The starts of every third row, looked up among these rows alone. */
static void look_up_some(const struct dwarf_lines *l, const struct dwarf_line_sections *from)
{
	uint64_t *address = xcalloc((size_t)l->n_rows + 1, sizeof(*address));
	struct dwarf_line_parts parts = { 0 };
	struct dwarf_lines_wanted wanted = { .address = address, .parts = &parts };
	struct dwarf_line_header h;
	struct dwarf_lines some;
	uint32_t i;

	for (i = 0; i < l->n_rows; i += 3)
		address[wanted.n++] = l->row[i].address;
	qsort(address, wanted.n, sizeof(*address), by_value);
	dwarf_line_header_read(&h, from, 0);
	dwarf_lines_read(&some, &h, &wanted);
	for (i = 0; i < wanted.n; i++) {
		const struct dwarf_line_row *a = dwarf_lines_find(l, address[i]);
		const struct dwarf_line_row *b = dwarf_lines_find(&some, address[i]);

		if (a && (!b || a->file != b->file || a->line != b->line))
			abort();
	}
	look_up_parts(&parts, &h);
	free(parts.part);
	dwarf_lines_release(&some);
	dwarf_line_header_release(&h);
	free(address);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dwarf_line_sections from = { .swapped = size && *data & 1 };
	struct dwarf_line_header h;
	struct dwarf_lines l;
	uint32_t i;

	if (!size)
		return 0;
	/* A copy of the right size, so that a sanitizer sees who reads beyond. */
	from.line.n = size - 1;
	from.line.p = xmemdup(data + 1, from.line.n);
	from.line_str = from.str = from.line;
	dwarf_line_header_read(&h, &from, 0);
	dwarf_lines_read(&l, &h, NULL);
	look_at_files(&h);
	for (i = 0; i < l.n_sequences; i++) {
		if (i && l.sequence[i].start < l.sequence[i - 1].start)
			abort();
		look_up(&l, &l.sequence[i]);
	}
	look_up_some(&l, &from);
	dwarf_lines_find(&l, 0);
	dwarf_lines_find(&l, UINT64_MAX);
	dwarf_lines_release(&l);
	dwarf_line_header_release(&h);
	free((char *)from.line.p);
	return 0;
}
