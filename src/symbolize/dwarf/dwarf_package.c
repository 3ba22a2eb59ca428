/*
 * How it works. The index of a package, .debug_cu_index, is a hash table of units and two tables
 * of rows (units) and columns (sections):
 *
 *	ids[slots]  rows[slots]          columns:  INFO  ABBREV  LINE  STR_OFFSETS  ...
 *	                                 offsets    u32   u32     u32   u32       for each row
 *	                                 sizes      u32   u32     u32   u32       for each row
 *
 * dwarf_package_open() copies ids and rows into an array sorted by id; the hash is not used.
 * dwarf_package_read() finds the row of an id, cuts the unit's part out of each section, gathers
 * the strings that it refers to (dwarf_strings.h), and builds an image of that.
 *
 * All offsets and sizes are checked against the sections. Source: DWARF 5, 7.3.5.3;
 * https://gcc.gnu.org/wiki/DebugFissionDWP for version 2.
 */
#include "symbolize/dwarf/dwarf_package.h"

#include "base/cursor.h"
#include "base/mem.h"
#include "base/bisect.h"
#include "base/sort.h"
#include "symbolize/dwarf/dwarf_strings.h"

#include <stdlib.h>

/* ---- index ---------------------------------------------------------------------------------- */

/* DW_SECT_*: the same numbers in both versions, except 8, which was .debug_macro, and sections that
 * are not needed. */
static enum dwarf_section section_of(uint32_t kind, uint16_t version)
{
	switch (kind) {
	case 1:
		return SECTION_INFO;
	case 3:
		return SECTION_ABBREV;
	case 4:
		return SECTION_LINE;
	case 6:
		return SECTION_STR_OFFSETS;
	case 8:
		return version >= 5 ? SECTION_RNGLISTS : SECTIONS;
	}
	return SECTIONS;
}

static int by_id(const void *pa, const void *pb)
{
	const struct dwarf_package_unit *a = pa, *b = pb;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* ids: u64 of each slot of the hash table, numbers: its row, from 1 on, or 0 where it is empty. */
static void list_units(struct dwarf_package *p, const uint8_t *ids, const uint8_t *numbers,
	uint32_t slots, uint32_t rows)
{
	bool swapped = p->whole.swapped;
	uint32_t cap = 0, i;

	for (i = 0; i < slots; i++) {
		uint32_t row = bytes_u32(numbers + 4 * (size_t)i, swapped);

		if (!row || row > rows)
			continue;
		ARRAY_GROW(p->unit, p->n_units, cap);
		p->unit[p->n_units++] =
			(struct dwarf_package_unit){ bytes_u64(ids + 8 * (size_t)i, swapped),
				row - 1 };
	}
	sort_in_place(p->unit, p->n_units, sizeof(*p->unit), by_id);
}

/* { u16 version 5, u16 padding or u32 version 2, u32 columns, rows, slots, u64 ids[slots],
 * u32 numbers[slots], kinds[columns], offsets[rows][columns], sizes[rows][columns] } */
static bool read_index(struct dwarf_package *p, struct cursor c)
{
	uint16_t first = cursor_u16(&c), second = cursor_u16(&c), version = first ? first : second;
	uint32_t columns = cursor_u32(&c), rows = cursor_u32(&c), slots = cursor_u32(&c), i;
	const uint8_t *ids = cursor_array(&c, slots, 8);
	const uint8_t *numbers = cursor_array(&c, slots, 4);
	const uint8_t *kinds = cursor_array(&c, columns, 4);

	p->offsets = cursor_array(&c, (uint64_t)rows * columns, 4);
	p->sizes = cursor_array(&c, (uint64_t)rows * columns, 4);
	if (c.failed || (version != 2 && version != 5))
		return false;
	for (i = 0; i < columns; i++) {
		enum dwarf_section k =
			section_of(bytes_u32(kinds + 4 * (size_t)i, c.swapped), version);

		if (k != SECTIONS)
			p->column[k] = i + 1;
	}
	p->n_columns = columns;
	list_units(p, ids, numbers, slots, rows);
	return p->n_units && p->column[SECTION_INFO] && p->column[SECTION_ABBREV];
}

/* ---- opening -------------------------------------------------------------------------------- */

static char *unpack(const struct dwarf_sections *s, const struct dwarf_part *part)
{
	char *to = mem_try(part->size_bytes);

	if (to && dwarf_sections_read_part(s, part, to))
		return to;
	free(to);
	return NULL;
}

static bool unpack_sections(struct dwarf_package *p)
{
	int k;

	for (k = 0; k < SECTIONS; k++) {
		const struct dwarf_part *part = &p->whole.part[k];

		if (part->packing == PACKED_NOT)
			continue;
		p->unpacked[k] = unpack(&p->whole, part);
		if (!p->unpacked[k])
			return false;
	}
	return true;
}

static bool open_index(struct dwarf_package *p)
{
	struct dwarf_part part;

	if (!dwarf_sections_find_other(&p->whole, "debug_cu_index", &part))
		return false;
	p->index = unpack(&p->whole, &part);
	return p->index && read_index(p, (struct cursor){ .p = (const uint8_t *)p->index,
						 .left = part.size_bytes,
						 .swapped = p->whole.swapped });
}

bool dwarf_package_open(struct dwarf_package *p, struct elf_file *ef)
{
	*p = (struct dwarf_package){ 0 };
	if (ef->fd >= 0 && dwarf_sections_find(&p->whole, ef, true, true) && open_index(p) &&
		unpack_sections(p)) {
		p->ef = ef;
		return true;
	}
	dwarf_package_close(p);
	return false;
}

void dwarf_package_close(struct dwarf_package *p)
{
	int k;

	for (k = 0; k < SECTIONS; k++)
		free(p->unpacked[k]);
	free(p->index);
	free(p->unit);
	elf_file_close(p->ef);
	*p = (struct dwarf_package){ 0 };
}

/* ---- reading a unit ------------------------------------------------------------------------- */

/* The part of a section that belongs to the unit of a row. False where the section ends before. */
static bool cut_section(
	const struct dwarf_package *p, enum dwarf_section k, uint32_t row, struct dwarf_part *to)
{
	size_t cell = 4 * ((size_t)row * p->n_columns + p->column[k] - 1);
	const struct dwarf_part *whole = &p->whole.part[k];
	uint64_t at, n;

	if (!p->column[k])
		return true;
	at = bytes_u32(p->offsets + cell, p->whole.swapped);
	n = bytes_u32(p->sizes + cell, p->whole.swapped);
	if (at > whole->size_bytes || n > whole->size_bytes - at)
		return false;
	*to = (struct dwarf_part){ .size_bytes = n };
	if (p->unpacked[k])
		to->borrowed = (struct span){ p->unpacked[k] + at, n };
	else
		to->offset = whole->offset + at;
	return true;
}

static bool cut_sections(const struct dwarf_package *p, uint32_t row, struct dwarf_sections *to)
{
	int k;

	for (k = 0; k < SECTIONS; k++)
		if (!cut_section(p, k, row, &to->part[k]))
			return false;
	return to->part[SECTION_INFO].size_bytes && to->part[SECTION_ABBREV].size_bytes;
}

static struct dwarf_strings strings_of(const struct dwarf_package *p)
{
	const struct dwarf_part *part = &p->whole.part[SECTION_STR];
	const char *unpacked = p->unpacked[SECTION_STR];

	return (struct dwarf_strings){
		.all = { unpacked, unpacked ? part->size_bytes : 0 },
		.fd = p->ef->fd,
		.origin = p->ef->origin,
		.offset = part->offset,
		.size_bytes = part->size_bytes,
	};
}

/* Gives the unit strings of its own. */
static bool own_strings(const struct dwarf_package *p, uint16_t version,
	struct dwarf_sections *unit, struct buf *offsets, struct buf *strings)
{
	struct dwarf_part *part = &unit->part[SECTION_STR_OFFSETS];
	struct dwarf_strings all = strings_of(p);

	if (!part->size_bytes)
		return true;
	buf_reserve(offsets, part->size_bytes);
	offsets->n = part->size_bytes;
	if (!dwarf_sections_read_part(unit, part, offsets->p) ||
		!dwarf_strings_gather(&all, offsets, p->whole.swapped, version, strings))
		return false;
	*part = (struct dwarf_part){ .borrowed = buf_span(offsets), .size_bytes = offsets->n };
	unit->part[SECTION_STR] =
		(struct dwarf_part){ .borrowed = buf_span(strings), .size_bytes = strings->n };
	return true;
}

static const struct dwarf_package_unit *find_unit(const struct dwarf_package *p, uint64_t id)
{
	uint32_t i = bisect(k, 0, p->n_units, p->unit[k].id >= id);

	return i < p->n_units && p->unit[i].id == id ? &p->unit[i] : NULL;
}

bool dwarf_package_read(const struct dwarf_package *p, uint64_t id, uint16_t version,
	const struct dwarf_borrowed *borrowed, struct dwarf_image *image)
{
	const struct dwarf_package_unit *found = find_unit(p, id);
	struct dwarf_sections unit = p->whole;
	struct buf offsets = { 0 }, strings = { 0 };
	bool fine;

	memset(unit.part, 0, sizeof(unit.part));
	fine = found && cut_sections(p, found->row, &unit) &&
	       own_strings(p, version, &unit, &offsets, &strings);
	if (fine) {
		dwarf_image_borrow(&unit, borrowed);
		fine = dwarf_image_build(image, &unit, 0);
	}
	buf_release(&offsets);
	buf_release(&strings);
	return fine;
}
