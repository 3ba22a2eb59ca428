/*
 * How it works. Each abbreviation becomes a shape, a short list of steps:
 *
 *	name strp, decl_file data1, decl_line data2, type ref4, low_pc addr, high_pc data4
 *	FIXED 11                                                LOW 8        HIGH 4
 *
 * Neighbours of fixed size are one step. Attributes that the walk needs (low_pc, high_pc, ranges,
 * sibling) have steps of their own that keep the value. Most entries are skipped, so a shape also
 * has the size of all its attributes, where that is fixed, as it is for most.
 *
 * Source: DWARF 5, 7.5.3 and 7.5.6; DWARF 2 to 4 for forms of before; GNU's extensions for split
 * DWARF and dwz.
 */
#include "symbolize/dwarf/dwarf_abbrev.h"

#include "base/mem.h"

#include <dwarf.h>
#include <stdlib.h>

/* In place of bytes: sizes that the unit's header gives. */
enum { BY_ADDRESS = 100, BY_OFFSET, BY_VERSION };

/* ---- forms -------------------------------------------------------------------------------- */

static const struct dwarf_step standard_forms[] = {
	[DW_FORM_addr] = { DWARF_STEP_FIXED, BY_ADDRESS },
	[DW_FORM_block2] = { DWARF_STEP_BLOCK, 2 },
	[DW_FORM_block4] = { DWARF_STEP_BLOCK, 4 },
	[DW_FORM_data2] = { DWARF_STEP_FIXED, 2 },
	[DW_FORM_data4] = { DWARF_STEP_FIXED, 4 },
	[DW_FORM_data8] = { DWARF_STEP_FIXED, 8 },
	[DW_FORM_string] = { DWARF_STEP_TEXT, 0 },
	[DW_FORM_block] = { DWARF_STEP_BLOCK_LEB, 0 },
	[DW_FORM_block1] = { DWARF_STEP_BLOCK, 1 },
	[DW_FORM_data1] = { DWARF_STEP_FIXED, 1 },
	[DW_FORM_flag] = { DWARF_STEP_FIXED, 1 },
	[DW_FORM_sdata] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_strp] = { DWARF_STEP_FIXED, BY_OFFSET },
	[DW_FORM_udata] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_ref_addr] = { DWARF_STEP_FIXED, BY_VERSION },
	[DW_FORM_ref1] = { DWARF_STEP_FIXED, 1 },
	[DW_FORM_ref2] = { DWARF_STEP_FIXED, 2 },
	[DW_FORM_ref4] = { DWARF_STEP_FIXED, 4 },
	[DW_FORM_ref8] = { DWARF_STEP_FIXED, 8 },
	[DW_FORM_ref_udata] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_indirect] = { DWARF_STEP_INDIRECT, 0 },
	[DW_FORM_sec_offset] = { DWARF_STEP_FIXED, BY_OFFSET },
	[DW_FORM_exprloc] = { DWARF_STEP_BLOCK_LEB, 0 },
	[DW_FORM_flag_present] = { DWARF_STEP_FIXED, 0 },
	[DW_FORM_strx] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_addrx] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_ref_sup4] = { DWARF_STEP_FIXED, 4 },
	[DW_FORM_strp_sup] = { DWARF_STEP_FIXED, BY_OFFSET },
	[DW_FORM_data16] = { DWARF_STEP_FIXED, 16 },
	[DW_FORM_line_strp] = { DWARF_STEP_FIXED, BY_OFFSET },
	[DW_FORM_ref_sig8] = { DWARF_STEP_FIXED, 8 },
	[DW_FORM_implicit_const] = { DWARF_STEP_FIXED, 0 }, /* it is in the abbreviation */
	[DW_FORM_loclistx] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_rnglistx] = { DWARF_STEP_LEB, 0 },
	[DW_FORM_ref_sup8] = { DWARF_STEP_FIXED, 8 },
	[DW_FORM_strx1] = { DWARF_STEP_FIXED, 1 },
	[DW_FORM_strx2] = { DWARF_STEP_FIXED, 2 },
	[DW_FORM_strx3] = { DWARF_STEP_FIXED, 3 },
	[DW_FORM_strx4] = { DWARF_STEP_FIXED, 4 },
	[DW_FORM_addrx1] = { DWARF_STEP_FIXED, 1 },
	[DW_FORM_addrx2] = { DWARF_STEP_FIXED, 2 },
	[DW_FORM_addrx3] = { DWARF_STEP_FIXED, 3 },
	[DW_FORM_addrx4] = { DWARF_STEP_FIXED, 4 },
};

struct dwarf_step dwarf_abbrev_step(const struct dwarf_abbrev *a, uint64_t form)
{
	struct dwarf_step s = { DWARF_STEP_NONE, 0 };

	if (form < ARRAY_LEN(standard_forms))
		s = standard_forms[form];
	else if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
		s = (struct dwarf_step){ DWARF_STEP_FIXED, BY_OFFSET };
	else if (form == DW_FORM_GNU_addr_index || form == DW_FORM_GNU_str_index)
		s = (struct dwarf_step){ DWARF_STEP_LEB, 0 };
	if (s.bytes == BY_ADDRESS || (s.bytes == BY_VERSION && a->version == 2))
		s.bytes = a->address_bytes;
	else if (s.bytes == BY_OFFSET || s.bytes == BY_VERSION)
		s.bytes = a->offset_bytes;
	return s;
}

/* ---- abbreviations ------------------------------------------------------------------------ */

static bool is_number(const struct dwarf_step *s)
{
	return s->kind == DWARF_STEP_FIXED &&
	       (s->bytes == 1 || s->bytes == 2 || s->bytes == 4 || s->bytes == 8);
}

/* Attributes of an abbreviation that say where code is. */
struct code_attributes {
	bool low, high, ranges, plain_low, plain_high, plain_ranges, address_table;
};

/* Before DWARF 4 offsets had the forms of data. */
bool dwarf_abbrev_is_offset(uint16_t version, uint64_t form)
{
	return form == DW_FORM_sec_offset ||
	       (version < 4 && (form == DW_FORM_data4 || form == DW_FORM_data8));
}

static void see_attribute(struct code_attributes *seen, uint16_t version, uint64_t attribute,
	uint64_t form, struct dwarf_step *s)
{
	bool reference = form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
			 form == DW_FORM_ref8;
	bool data = form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4 ||
		    form == DW_FORM_data8;

	seen->address_table |= attribute == DW_AT_addr_base || attribute == DW_AT_GNU_addr_base;
	if (attribute == DW_AT_ranges) {
		seen->plain_ranges = !seen->ranges && dwarf_abbrev_is_offset(version, form);
		seen->ranges = true;
		if (seen->plain_ranges)
			s->kind = DWARF_STEP_LIST;
	} else if (attribute == DW_AT_sibling && reference) {
		s->kind = DWARF_STEP_SIBLING;
	} else if (attribute == DW_AT_low_pc && !seen->low) {
		seen->low = true;
		seen->plain_low = form == DW_FORM_addr && is_number(s);
		if (seen->plain_low)
			s->kind = DWARF_STEP_LOW;
	} else if (attribute == DW_AT_high_pc && !seen->high) {
		seen->high = true;
		seen->plain_high = data || form == DW_FORM_udata;
		if (seen->plain_high)
			s->kind = data ? DWARF_STEP_HIGH : DWARF_STEP_HIGH_LEB;
	}
}

static enum dwarf_code code_form(const struct code_attributes *seen)
{
	if (seen->ranges)
		return seen->plain_ranges ? DWARF_LIST : DWARF_OTHER_CODE;
	if (!seen->low || !seen->high)
		return DWARF_NO_CODE;
	return seen->plain_low && seen->plain_high ? DWARF_LOW_HIGH : DWARF_OTHER_CODE;
}

/* What an entry is to those who look for code. */
static uint8_t role_of(uint16_t tag, uint8_t code)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		return code == DWARF_NO_CODE ? DWARF_DECLARATION : DWARF_FUNCTION;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return DWARF_SCOPE;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return DWARF_TYPE;
	}
	return 0;
}

static void add_step(struct dwarf_abbrev *a, struct dwarf_shape *shape, struct dwarf_step s)
{
	struct dwarf_step *last = shape->n_steps ? &a->step[a->n_steps - 1] : NULL;

	shape->is_fixed &= dwarf_abbrev_is_fixed(s) && !__builtin_add_overflow(shape->fixed_bytes,
							       s.bytes, &shape->fixed_bytes);
	shape->has_sibling |= s.kind == DWARF_STEP_SIBLING;
	if (s.kind == DWARF_STEP_FIXED && last && last->kind == DWARF_STEP_FIXED &&
		last->bytes < UINT32_MAX - s.bytes) {
		last->bytes += s.bytes;
		return;
	}
	ARRAY_GROW(a->step, a->n_steps, a->cap_steps);
	a->step[a->n_steps++] = s;
	shape->n_steps++;
}

bool dwarf_abbrev_read_one(struct dwarf_abbrev *a, struct cursor *c)
{
	struct dwarf_shape shape = {
		.number = cursor_uleb(c), .first_step = a->n_steps, .is_fixed = true
	};
	struct code_attributes seen = { 0 };
	const uint8_t *children;

	if (!shape.number)
		return false;
	shape.tag = (uint16_t)cursor_uleb(c);
	children = cursor_bytes(c, 1);
	shape.has_children = children && *children;
	for (;;) {
		uint64_t attribute = cursor_uleb(c), form = cursor_uleb(c);
		struct dwarf_step s = dwarf_abbrev_step(a, form);

		if (c->failed || (!attribute && !form))
			break;
		if (s.kind == DWARF_STEP_NONE)
			return false;
		if (form == DW_FORM_implicit_const)
			cursor_uleb(c);
		see_attribute(&seen, a->version, attribute, form, &s);
		add_step(a, &shape, s);
	}
	shape.code = code_form(&seen);
	shape.role = role_of(shape.tag, shape.code);
	shape.has_low = seen.plain_low && !seen.address_table;
	if (c->failed)
		return false;
	ARRAY_GROW(a->shape, a->n_shapes, a->cap_shapes);
	a->shape[a->n_shapes++] = shape;
	return true;
}

static int by_number(const void *pa, const void *pb)
{
	const struct dwarf_shape *a = pa, *b = pb;

	return (a->number > b->number) - (a->number < b->number);
}

const struct dwarf_shape *dwarf_abbrev_search(const struct dwarf_abbrev *a, uint64_t number)
{
	struct dwarf_shape key = { .number = number };

	return a->n_shapes ? bsearch(&key, a->shape, a->n_shapes, sizeof(key), by_number) : NULL;
}

void dwarf_abbrev_read(struct dwarf_abbrev *a, struct cursor c, struct dwarf_budget *b)
{
	bool ascending = true;
	uint32_t i;

	while (dwarf_budget_step(b) && dwarf_abbrev_read_one(a, &c))
		;
	for (i = 1; i < a->n_shapes; i++)
		ascending &= a->shape[i - 1].number < a->shape[i].number;
	if (!ascending)
		qsort(a->shape, a->n_shapes, sizeof(*a->shape), by_number);
}

/* Forms that refer to entries of other units, or may do so. */
static bool refers_out(uint64_t form)
{
	return form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 || form == DW_FORM_indirect;
}

/* Skips the rest after its number; false where an attribute may refer to another unit. */
static bool skip_abbreviation(struct cursor *c)
{
	uint64_t attribute, form;
	bool inside = true;

	cursor_uleb(c); /* its tag */
	cursor_bytes(c, 1);
	do {
		attribute = cursor_uleb(c);
		form = cursor_uleb(c);
		inside &= !refers_out(form);
		if (form == DW_FORM_implicit_const)
			cursor_uleb(c);
	} while ((attribute || form) && !c->failed);
	return inside;
}

bool dwarf_abbrev_go_to(struct cursor *c, uint64_t number, struct dwarf_budget *b)
{
	while (dwarf_budget_step(b)) {
		struct cursor before = *c;
		uint64_t n = cursor_uleb(c);

		if (!n)
			return false;
		if (n == number) {
			*c = before;
			return true;
		}
		skip_abbreviation(c);
	}
	return false;
}

bool dwarf_abbrev_stays_inside(struct cursor c, struct dwarf_budget *b)
{
	while (dwarf_budget_step(b) && cursor_uleb(&c))
		if (!skip_abbreviation(&c))
			return false;
	return !c.failed && !b->spent;
}

void dwarf_abbrev_release(struct dwarf_abbrev *a)
{
	free(a->shape);
	free(a->step);
	*a = (struct dwarf_abbrev){ 0 };
}
