#include "symbolize/dwarf_split.h"

#include <string.h>

/* ---- finding it --------------------------------------------------------------------------- */

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(die, attribute, &a));
}

static const char *dwo_name(Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name);

	return name ? name : text_of(unit, DW_AT_GNU_dwo_name);
}

bool dwarf_split_needed(Dwarf_Die *unit)
{
	return dwo_name(unit) && !dwarf_haschildren(unit);
}

/* A table of the program from where this unit's part of it begins. */
static struct span table_from(Dwarf_Die *skeleton, unsigned attribute, struct span table)
{
	Dwarf_Attribute a;
	Dwarf_Word base;

	if (dwarf_formudata(dwarf_attr(skeleton, attribute, &a), &base))
		base = 0;
	return base < table.n ? span_from(table, base) : SPAN("");
}

/* True where one of the units of the .dwo has the skeleton's id. */
static bool find_unit(struct dwarf_split *s)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf_get_units(s->handle.dwarf, cu, &cu, NULL, &type, &s->unit, NULL) == 0) {
		uint64_t id;

		if (dwarf_tag(&s->unit) == DW_TAG_compile_unit &&
			!dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) && id == s->id)
			return true;
	}
	return false;
}

static bool take(void *ctx, struct elf_file *ef)
{
	struct dwarf_split *s = ctx;
	bool found = dwarf_image_read(&s->image, ef, &s->borrowed, true) &&
		     dwarf_handle_open(&s->handle, &s->image) && find_unit(s);

	if (!found)
		dwarf_split_close(s);
	elf_file_close(ef);
	return found;
}

bool dwarf_split_open(struct dwarf_split *s, Dwarf_Die *skeleton, const struct files *files,
	const char *path, const struct dwarf_image *image)
{
	bool new_form = text_of(skeleton, DW_AT_dwo_name);

	*s = (struct dwarf_split){ .big = image->bytes[EI_DATA] == ELFDATA2MSB };
	s->borrowed.addr = table_from(skeleton, new_form ? DW_AT_addr_base : DW_AT_GNU_addr_base,
		image->section[SECTION_ADDR]);
	if (!new_form)
		s->borrowed.ranges =
			table_from(skeleton, DW_AT_GNU_ranges_base, image->section[SECTION_RANGES]);
	if (dwarf_lowpc(skeleton, &s->base))
		s->base = 0;
	if (dwarf_cu_info(
		    skeleton->cu, &s->version, NULL, NULL, NULL, &s->id, &s->address_bytes, NULL))
		return false;
	return files_find_dwo(files, span_of(text_of(skeleton, DW_AT_comp_dir)),
		span_of(dwo_name(skeleton)), path, take, s);
}

void dwarf_split_close(struct dwarf_split *s)
{
	dwarf_handle_close(&s->handle);
	dwarf_image_release(&s->image);
}

/* ---- its ranges --------------------------------------------------------------------------- */

struct cursor {
	const struct dwarf_split *split;
	struct span rest;
	bool bad; /* the list goes beyond its section */
};

static uint64_t take_number(struct cursor *c, unsigned n)
{
	uint64_t v = 0;
	unsigned i;

	c->bad |= c->rest.n < n || n > 8;
	for (i = 0; i < n && !c->bad; i++)
		v = v << 8 | (unsigned char)c->rest.p[c->split->big ? i : n - 1 - i];
	c->rest = span_from(c->rest, n);
	return v;
}

static uint64_t take_uleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0, byte;

	do {
		byte = (unsigned)take_number(c, 1);
		v |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	return v;
}

static uint64_t take_address(struct cursor *c)
{
	return take_number(c, c->split->address_bytes);
}

/* An address by its number in .debug_addr. */
static uint64_t take_indexed(struct cursor *c)
{
	struct span table = c->split->borrowed.addr;
	uint64_t i = take_uleb(c), at;
	struct cursor there = { .split = c->split };

	if (__builtin_mul_overflow(i, c->split->address_bytes, &at) || at >= table.n) {
		c->bad = true;
		return 0;
	}
	there.rest = span_from(table, at);
	i = take_address(&there);
	c->bad |= there.bad;
	return i;
}

/* One entry of a list of DWARF 5 (2.17.3). False at the end; start == end: it was no range. */
static bool next_range(struct cursor *c, uint64_t *base, uint64_t *start, uint64_t *end)
{
	unsigned kind = (unsigned)take_number(c, 1);

	*start = *end = 0;
	switch (kind) {
	case DW_RLE_base_addressx:
		*base = take_indexed(c);
		break;
	case DW_RLE_base_address:
		*base = take_address(c);
		break;
	case DW_RLE_startx_endx:
		*start = take_indexed(c);
		*end = take_indexed(c);
		break;
	case DW_RLE_startx_length:
		*start = take_indexed(c);
		*end = *start + take_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*start = *base + take_uleb(c);
		*end = *base + take_uleb(c);
		break;
	case DW_RLE_start_end:
		*start = take_address(c);
		*end = take_address(c);
		break;
	case DW_RLE_start_length:
		*start = take_address(c);
		*end = *start + take_uleb(c);
		break;
	default:
		return false;
	}
	return !c->bad;
}

/* The same before DWARF 5: pairs of offsets, 0 0 at the end, the largest address before a base. */
static bool next_pair(struct cursor *c, uint64_t *base, uint64_t *start, uint64_t *end)
{
	uint64_t largest = c->split->address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t a = take_address(c), b = take_address(c);

	*start = *end = 0;
	if (a == largest) {
		*base = b;
		return !c->bad;
	}
	*start = *base + a;
	*end = *base + b;
	return !c->bad && (a || b);
}

/* Where list number i is (7.28): { u32 ~0, u64 length or u32 length, u16 version, u8 address size,
 * u8 segment size, u32 count, offsets behind this header }. */
static uint64_t list_offset(const struct dwarf_split *s, uint64_t i)
{
	struct cursor c = { .split = s, .rest = s->image.section[SECTION_RNGLISTS] };
	bool wide = take_number(&c, 4) == UINT32_MAX;
	unsigned entry_bytes = wide ? 8 : 4, header_bytes = wide ? 20 : 12;
	uint64_t at = header_bytes + i * entry_bytes;

	if (i > c.rest.n)
		return UINT64_MAX;
	c.rest = span_from(s->image.section[SECTION_RNGLISTS], at);
	at = take_number(&c, entry_bytes);
	return c.bad ? UINT64_MAX : at + header_bytes;
}

void dwarf_split_ranges(const struct dwarf_split *s, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx)
{
	bool old = s->version < 5;
	struct span table = s->image.section[old ? SECTION_RANGES : SECTION_RNGLISTS];
	struct cursor c = { .split = s };
	uint64_t base = s->base, start, end;
	Dwarf_Attribute a;
	Dwarf_Word at;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_ranges, &a), &at))
		return;
	if (dwarf_whatform(&a) == DW_FORM_rnglistx)
		at = list_offset(s, at);
	if (at >= table.n)
		return;
	c.rest = span_from(table, at);
	while (dwarf_budget_take(b) &&
		(old ? next_pair(&c, &base, &start, &end) : next_range(&c, &base, &start, &end)))
		if (start < end)
			fn(ctx, die, start, end);
}
