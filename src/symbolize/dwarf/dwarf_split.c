/*
 * How it works. The skeleton says which .dwo it means (DW_AT_dwo_name, DW_AT_comp_dir, an id), and
 * where its parts of the program's tables begin. Packages are searched first, then the file; it is
 * the right one if one of its units has the skeleton's id. The image of the .dwo borrows
 * .debug_addr and, before DWARF 5, .debug_ranges from there on, so libdw finds addresses by
 * itself.
 *
 * Ranges are read here: libdw 0.188 does not know the skeleton's DW_AT_low_pc, which is their
 * base, once the .dwo is opened by itself.
 */
#include "symbolize/dwarf/dwarf_split.h"

#include "symbolize/dwarf/dwarf_range.h"

#include <string.h>

/* ---- finding the .dwo ----------------------------------------------------------------------- */

static const char *string_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(die, attribute, &a));
}

static const char *dwo_name(Dwarf_Die *unit)
{
	const char *name = string_of(unit, DW_AT_dwo_name);

	return name ? name : string_of(unit, DW_AT_GNU_dwo_name);
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
	return base < table.n ? span_skip(table, base) : SPAN("");
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

/* The image was read. */
static bool open_image(struct dwarf_split *s)
{
	if (dwarf_image_open_handle(&s->handle, &s->image) && find_unit(s))
		return true;
	dwarf_split_close(s);
	return false;
}

static bool accept_dwo(void *ctx, struct elf_file *ef)
{
	struct dwarf_split *s = ctx;
	bool found = dwarf_image_read(&s->image, ef, &s->borrowed, DWARF_LINES) && open_image(s);

	elf_file_close(ef);
	return found;
}

static bool open_packaged(struct dwarf_split *s, const struct dwarf_split_places *places)
{
	struct dwarf_packages *p = places->packages;
	uint32_t i;

	for (i = 0; i < p->n; i++) {
		if (!dwarf_package_read(
			    &p->package[i], s->id, s->version, &s->borrowed, &s->image) ||
			!open_image(s))
			continue;
		dwarf_packages_use(p, i, places->files, places->beside);
		return true;
	}
	return false;
}

/* The tables of the program that the unit refers to. */
static bool read_skeleton(
	struct dwarf_split *s, Dwarf_Die *skeleton, const struct dwarf_image *image)
{
	bool new_form = string_of(skeleton, DW_AT_dwo_name);

	*s = (struct dwarf_split){ .big = image->bytes[EI_DATA] == ELFDATA2MSB };
	s->borrowed.addr = table_from(skeleton, new_form ? DW_AT_addr_base : DW_AT_GNU_addr_base,
		image->section[SECTION_ADDR]);
	if (!new_form)
		s->borrowed.ranges =
			table_from(skeleton, DW_AT_GNU_ranges_base, image->section[SECTION_RANGES]);
	if (dwarf_lowpc(skeleton, &s->base))
		s->base = 0;
	return !dwarf_cu_info(
		skeleton->cu, &s->version, NULL, NULL, NULL, &s->id, &s->address_bytes, NULL);
}

bool dwarf_split_open(struct dwarf_split *s, Dwarf_Die *skeleton, const struct dwarf_image *image,
	const struct dwarf_split_places *places)
{
	if (!read_skeleton(s, skeleton, image))
		return false;
	return open_packaged(s, places) ||
	       files_find_dwo(places->files, span_of(string_of(skeleton, DW_AT_comp_dir)),
		       span_of(dwo_name(skeleton)), places->beside->file, accept_dwo, s);
}

void dwarf_split_close(struct dwarf_split *s)
{
	dwarf_image_close_handle(&s->handle);
	dwarf_image_release(&s->image);
}

/* ---- ranges --------------------------------------------------------------------------------- */

static struct cursor cursor_on(const struct dwarf_split *s, struct span table, uint64_t at)
{
	struct span rest = at < table.n ? span_skip(table, at) : SPAN("");

	return (struct cursor){
		.p = (const uint8_t *)rest.p,
		.left = rest.n,
		.swapped = s->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
	};
}

/* Where list number i is (7.28): { u32 ~0, u64 length or u32 length, u16 version, u8 address size,
 * u8 segment size, u32 count, offsets after this header }. */
static uint64_t list_offset(const struct dwarf_split *s, uint64_t i)
{
	struct span table = s->image.section[SECTION_RNGLISTS];
	struct cursor c = cursor_on(s, table, 0);
	bool wide = cursor_u32(&c) == UINT32_MAX;
	unsigned entry_bytes = wide ? 8 : 4, header_bytes = wide ? 20 : 12;
	uint64_t at;

	if (i > table.n)
		return UINT64_MAX;
	c = cursor_on(s, table, header_bytes + i * entry_bytes);
	at = wide ? cursor_u64(&c) : cursor_u32(&c);
	return c.failed ? UINT64_MAX : at + header_bytes;
}

void dwarf_split_ranges(const struct dwarf_split *s, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx)
{
	struct span table = s->image.section[s->version < 5 ? SECTION_RANGES : SECTION_RNGLISTS];
	struct dwarf_range_list list = {
		.addr = s->borrowed.addr,
		.base = s->base,
		.version = s->version,
		.address_bytes = s->address_bytes,
	};
	uint64_t start, end;
	Dwarf_Attribute a;
	Dwarf_Word at;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_ranges, &a), &at))
		return;
	if (dwarf_whatform(&a) == DW_FORM_rnglistx)
		at = list_offset(s, at);
	list.rest = cursor_on(s, table, at);
	while (dwarf_budget_step(b) && dwarf_range_list_next(&list, &start, &end))
		if (start < end)
			fn(ctx, die, start, end);
}
