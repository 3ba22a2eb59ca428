/*
 * How it works. A DIE is the number of an abbreviation and then its attributes, without any
 * length: to find the next one, the size of each attribute must be known. Each abbreviation
 * becomes a shape when the unit is opened, a short list of steps:
 *
 *	name strp, decl_file data1, decl_line data2, type ref4, low_pc addr, high_pc data4
 *	FIXED 11                                                LOW 8        HIGH 4
 *
 * Neighbours of fixed size are one step. Attributes that the walk needs (low_pc, high_pc, ranges,
 * sibling) have steps of their own that keep the value. To skip an entry with its children,
 * DW_AT_sibling is followed where there is one (gcc writes it); otherwise all inside is stepped
 * over.
 *
 * Reading is bounded by the cursor, which ends with the unit: a step beyond it fails, and so does
 * every later one. A sibling before the current place ends the tree, so each byte is read once.
 *
 * libdw (dwarf_child(), dwarf_siblingof()) looks at each attribute between siblings by itself.
 * Source: DWARF 5, 7.5; DWARF 2 to 4 for forms and headers of before; GNU's extensions for split
 * DWARF and dwz.
 */
#include "symbolize/dwarf/dwarf_tree.h"

#include "base/mem.h"

#include <elf.h>
#include <stdlib.h>

enum step_kind {
	STEP_NONE,
	STEP_FIXED, /* bytes */
	STEP_LEB,
	STEP_TEXT,      /* to its NUL */
	STEP_BLOCK,     /* a size in bytes, and as many bytes as it says */
	STEP_BLOCK_LEB, /* the same, the size is a LEB128 */
	STEP_INDIRECT,  /* the form is in the entry */
	STEP_LOW,       /* DW_AT_low_pc, an address */
	STEP_HIGH,      /* DW_AT_high_pc, a size in bytes */
	STEP_HIGH_LEB,  /* the same, a LEB128, as GNU as writes it */
	STEP_SIBLING,   /* DW_AT_sibling, a reference of bytes */
	STEP_LIST,      /* DW_AT_ranges, an offset of bytes */
};

/* In place of bytes: sizes that the unit's header gives. */
enum { BY_ADDRESS = 100, BY_OFFSET, BY_VERSION };

struct dwarf_step {
	uint8_t kind;
	uint32_t bytes;
};

struct dwarf_shape {
	uint64_t number; /* the code of the abbreviation */
	uint32_t first_step, n_steps;
	uint16_t tag;
	bool has_children, has_low;
	uint8_t code;
};

/* ---- numbers ------------------------------------------------------------------------------ */

static uint64_t decode_long_uleb(struct cursor *c)
{
	return cursor_uleb(c);
}

/* Nearly all have one byte. */
static inline uint64_t decode_uleb(struct cursor *c)
{
	uint8_t byte = c->left ? *c->p : 128;

	if (byte & 128)
		return decode_long_uleb(c);
	c->p++;
	c->left--;
	return byte;
}

static uint64_t decode_number(struct cursor *c, uint32_t bytes)
{
	const uint8_t *p;

	switch (bytes) {
	case 1:
		p = cursor_bytes(c, 1);
		return p ? *p : 0;
	case 2:
		return cursor_u16(c);
	case 4:
		return cursor_u32(c);
	}
	return cursor_u64(c);
}

static void skip_string(struct cursor *c)
{
	const uint8_t *end = c->left ? memchr(c->p, 0, c->left) : NULL;

	cursor_bytes(c, end ? (uint64_t)(end - c->p) + 1 : UINT64_MAX);
}

/* ---- forms -------------------------------------------------------------------------------- */

static const struct dwarf_step standard_forms[] = {
	[DW_FORM_addr] = { STEP_FIXED, BY_ADDRESS },
	[DW_FORM_block2] = { STEP_BLOCK, 2 },
	[DW_FORM_block4] = { STEP_BLOCK, 4 },
	[DW_FORM_data2] = { STEP_FIXED, 2 },
	[DW_FORM_data4] = { STEP_FIXED, 4 },
	[DW_FORM_data8] = { STEP_FIXED, 8 },
	[DW_FORM_string] = { STEP_TEXT, 0 },
	[DW_FORM_block] = { STEP_BLOCK_LEB, 0 },
	[DW_FORM_block1] = { STEP_BLOCK, 1 },
	[DW_FORM_data1] = { STEP_FIXED, 1 },
	[DW_FORM_flag] = { STEP_FIXED, 1 },
	[DW_FORM_sdata] = { STEP_LEB, 0 },
	[DW_FORM_strp] = { STEP_FIXED, BY_OFFSET },
	[DW_FORM_udata] = { STEP_LEB, 0 },
	[DW_FORM_ref_addr] = { STEP_FIXED, BY_VERSION },
	[DW_FORM_ref1] = { STEP_FIXED, 1 },
	[DW_FORM_ref2] = { STEP_FIXED, 2 },
	[DW_FORM_ref4] = { STEP_FIXED, 4 },
	[DW_FORM_ref8] = { STEP_FIXED, 8 },
	[DW_FORM_ref_udata] = { STEP_LEB, 0 },
	[DW_FORM_indirect] = { STEP_INDIRECT, 0 },
	[DW_FORM_sec_offset] = { STEP_FIXED, BY_OFFSET },
	[DW_FORM_exprloc] = { STEP_BLOCK_LEB, 0 },
	[DW_FORM_flag_present] = { STEP_FIXED, 0 },
	[DW_FORM_strx] = { STEP_LEB, 0 },
	[DW_FORM_addrx] = { STEP_LEB, 0 },
	[DW_FORM_ref_sup4] = { STEP_FIXED, 4 },
	[DW_FORM_strp_sup] = { STEP_FIXED, BY_OFFSET },
	[DW_FORM_data16] = { STEP_FIXED, 16 },
	[DW_FORM_line_strp] = { STEP_FIXED, BY_OFFSET },
	[DW_FORM_ref_sig8] = { STEP_FIXED, 8 },
	[DW_FORM_implicit_const] = { STEP_FIXED, 0 }, /* it is in the abbreviation */
	[DW_FORM_loclistx] = { STEP_LEB, 0 },
	[DW_FORM_rnglistx] = { STEP_LEB, 0 },
	[DW_FORM_ref_sup8] = { STEP_FIXED, 8 },
	[DW_FORM_strx1] = { STEP_FIXED, 1 },
	[DW_FORM_strx2] = { STEP_FIXED, 2 },
	[DW_FORM_strx3] = { STEP_FIXED, 3 },
	[DW_FORM_strx4] = { STEP_FIXED, 4 },
	[DW_FORM_addrx1] = { STEP_FIXED, 1 },
	[DW_FORM_addrx2] = { STEP_FIXED, 2 },
	[DW_FORM_addrx3] = { STEP_FIXED, 3 },
	[DW_FORM_addrx4] = { STEP_FIXED, 4 },
};

/* kind STEP_NONE: the form is not known. */
static struct dwarf_step step_of_form(const struct dwarf_tree *t, uint64_t form)
{
	struct dwarf_step s = { STEP_NONE, 0 };

	if (form < ARRAY_LEN(standard_forms))
		s = standard_forms[form];
	else if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
		s = (struct dwarf_step){ STEP_FIXED, BY_OFFSET };
	else if (form == DW_FORM_GNU_addr_index || form == DW_FORM_GNU_str_index)
		s = (struct dwarf_step){ STEP_LEB, 0 };
	if (s.bytes == BY_ADDRESS || (s.bytes == BY_VERSION && t->version == 2))
		s.bytes = t->address_bytes;
	else if (s.bytes == BY_OFFSET || s.bytes == BY_VERSION)
		s.bytes = t->offset_bytes;
	return s;
}

/* ---- abbreviations ------------------------------------------------------------------------ */

static bool is_number(const struct dwarf_step *s)
{
	return s->kind == STEP_FIXED &&
	       (s->bytes == 1 || s->bytes == 2 || s->bytes == 4 || s->bytes == 8);
}

/* Attributes of an abbreviation that say where code is. */
struct code_attributes {
	bool low, high, ranges, plain_low, plain_high, plain_ranges, address_table;
};

/* Before DWARF 4 offsets had the forms of data. */
static bool is_offset(uint16_t version, uint64_t form)
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
		seen->plain_ranges = !seen->ranges && is_offset(version, form);
		seen->ranges = true;
		if (seen->plain_ranges)
			s->kind = STEP_LIST;
	} else if (attribute == DW_AT_sibling && reference) {
		s->kind = STEP_SIBLING;
	} else if (attribute == DW_AT_low_pc && !seen->low) {
		seen->low = true;
		seen->plain_low = form == DW_FORM_addr && is_number(s);
		if (seen->plain_low)
			s->kind = STEP_LOW;
	} else if (attribute == DW_AT_high_pc && !seen->high) {
		seen->high = true;
		seen->plain_high = data || form == DW_FORM_udata;
		if (seen->plain_high)
			s->kind = data ? STEP_HIGH : STEP_HIGH_LEB;
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

static void add_step(struct dwarf_tree *t, struct dwarf_shape *shape, struct dwarf_step s)
{
	struct dwarf_step *last = shape->n_steps ? &t->step[t->n_steps - 1] : NULL;

	if (s.kind == STEP_FIXED && last && last->kind == STEP_FIXED &&
		last->bytes < UINT32_MAX - s.bytes) {
		last->bytes += s.bytes;
		return;
	}
	ARRAY_GROW(t->step, t->n_steps, t->cap_steps);
	t->step[t->n_steps++] = s;
	shape->n_steps++;
}

/* False where the table ends, or a form is not known. */
static bool read_abbreviation(struct dwarf_tree *t, struct cursor *c)
{
	struct dwarf_shape shape = { .number = decode_uleb(c), .first_step = t->n_steps };
	struct code_attributes seen = { 0 };
	const uint8_t *children;

	if (!shape.number)
		return false;
	shape.tag = (uint16_t)decode_uleb(c);
	children = cursor_bytes(c, 1);
	shape.has_children = children && *children;
	for (;;) {
		uint64_t attribute = decode_uleb(c), form = decode_uleb(c);
		struct dwarf_step s = step_of_form(t, form);

		if (c->failed || (!attribute && !form))
			break;
		if (s.kind == STEP_NONE)
			return false;
		if (form == DW_FORM_implicit_const)
			decode_uleb(c);
		see_attribute(&seen, t->version, attribute, form, &s);
		add_step(t, &shape, s);
	}
	shape.code = code_form(&seen);
	shape.has_low = seen.plain_low && !seen.address_table;
	if (c->failed)
		return false;
	ARRAY_GROW(t->shape, t->n_shapes, t->cap_shapes);
	t->shape[t->n_shapes++] = shape;
	return true;
}

static int by_number(const void *pa, const void *pb)
{
	const struct dwarf_shape *a = pa, *b = pb;

	return (a->number > b->number) - (a->number < b->number);
}

/* Codes count from 1 without a gap nearly everywhere. */
static const struct dwarf_shape *find_shape(const struct dwarf_tree *t, uint64_t number)
{
	struct dwarf_shape key = { .number = number };

	if (number - 1 < t->n_shapes && t->shape[number - 1].number == number)
		return &t->shape[number - 1];
	return t->n_shapes ? bsearch(&key, t->shape, t->n_shapes, sizeof(key), by_number) : NULL;
}

static void read_abbreviations(struct dwarf_tree *t, struct cursor c, struct dwarf_budget *b)
{
	bool ascending = true;
	uint32_t i;

	while (dwarf_budget_step(b) && read_abbreviation(t, &c))
		;
	for (i = 1; i < t->n_shapes; i++)
		ascending &= t->shape[i - 1].number < t->shape[i].number;
	if (!ascending)
		qsort(t->shape, t->n_shapes, sizeof(*t->shape), by_number);
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

	decode_uleb(c); /* its tag */
	cursor_bytes(c, 1);
	do {
		attribute = decode_uleb(c);
		form = decode_uleb(c);
		inside &= !refers_out(form);
		if (form == DW_FORM_implicit_const)
			decode_uleb(c);
	} while ((attribute || form) && !c->failed);
	return inside;
}

/* Goes to the abbreviation with this code; false where the table does not have it. */
static bool find_abbreviation(struct cursor *c, uint64_t number, struct dwarf_budget *b)
{
	while (dwarf_budget_step(b)) {
		struct cursor before = *c;
		uint64_t n = decode_uleb(c);

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

/* ---- the tree ----------------------------------------------------------------------------- */

static struct cursor cursor_on(const struct dwarf_image *image, struct span s, uint64_t offset)
{
	struct span rest = offset < s.n ? span_skip(s, offset) : SPAN("");

	return (struct cursor){
		.p = (const uint8_t *)rest.p,
		.left = rest.n,
		.swapped = dwarf_image_is_swapped(image),
	};
}

/* The end of a DWARF 5 header (7.5.1.1): an id, and in type units their offset. */
static unsigned more_of_header(uint8_t unit_type, uint8_t offset_bytes)
{
	switch (unit_type) {
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		return 8;
	case DW_UT_type:
	case DW_UT_split_type:
		return 8 + offset_bytes;
	}
	return 0;
}

/* { length, u16 version, u8 type, u8 address size, offset of abbreviations } in DWARF 5, before
 * that { length, u16 version, offset of abbreviations, u8 address size }. */
static bool read_header(struct dwarf_tree *t, uint64_t *abbreviations)
{
	struct cursor *c = &t->rest;
	uint64_t length = cursor_u32(c);
	uint8_t type = 0;

	t->offset_bytes = length == UINT32_MAX ? 8 : 4;
	if (t->offset_bytes == 8)
		length = cursor_u64(c);
	if (length < c->left)
		c->left = (size_t)length;
	t->version = cursor_u16(c);
	if (t->version >= 5) {
		type = (uint8_t)decode_number(c, 1);
		t->address_bytes = (uint8_t)decode_number(c, 1);
	}
	*abbreviations = decode_number(c, t->offset_bytes);
	if (t->version < 5)
		t->address_bytes = (uint8_t)decode_number(c, 1);
	cursor_bytes(c, more_of_header(type, t->offset_bytes));
	return !c->failed && t->version >= 2 && t->version <= 5;
}

static uint64_t here(const struct dwarf_tree *t)
{
	return (uint64_t)(t->rest.p - t->unit);
}

/* *abbreviations: where those of the unit are. */
static bool begin(struct dwarf_tree *t, const struct dwarf_image *image, uint64_t offset,
	struct cursor *abbreviations)
{
	uint64_t at;

	t->rest = cursor_on(image, image->section[SECTION_INFO], offset);
	t->unit = t->rest.p;
	t->n_shapes = t->n_steps = 0;
	if (!read_header(t, &at))
		return false;
	*abbreviations = cursor_on(image, image->section[SECTION_ABBREV], at);
	return true;
}

bool dwarf_tree_open(struct dwarf_tree *t, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_budget *b)
{
	struct cursor abbreviations;

	*t = (struct dwarf_tree){ 0 };
	if (!begin(t, image, offset, &abbreviations))
		return false;
	read_abbreviations(t, abbreviations, b);
	return true;
}

static void decode_step(
	const struct dwarf_tree *t, struct cursor *c, struct dwarf_step s, struct dwarf_entry *e)
{
	if (s.kind == STEP_INDIRECT)
		s = step_of_form(t, decode_uleb(c));
	switch (s.kind) {
	case STEP_FIXED:
		cursor_bytes(c, s.bytes);
		break;
	case STEP_LEB:
		decode_uleb(c);
		break;
	case STEP_TEXT:
		skip_string(c);
		break;
	case STEP_BLOCK:
		cursor_bytes(c, decode_number(c, s.bytes));
		break;
	case STEP_BLOCK_LEB:
		cursor_bytes(c, decode_uleb(c));
		break;
	case STEP_LOW:
		e->low = decode_number(c, s.bytes);
		break;
	case STEP_HIGH:
		e->size_bytes = decode_number(c, s.bytes);
		break;
	case STEP_HIGH_LEB:
		e->size_bytes = decode_uleb(c);
		break;
	case STEP_SIBLING:
		e->sibling = decode_number(c, s.bytes);
		break;
	case STEP_LIST:
		e->list = decode_number(c, s.bytes);
		break;
	default: /* a form that is not known, or DW_FORM_indirect again */
		cursor_bytes(c, UINT64_MAX);
	}
}

/* NULL: it does not end in the section. */
static const char *string_at(struct span section, uint64_t offset)
{
	struct span rest = offset < section.n ? span_skip(section, offset) : SPAN("");

	return rest.n && memchr(rest.p, 0, rest.n) ? rest.p : NULL;
}

/* An attribute of a root, at c. */
static void read_root_attribute(const struct dwarf_tree *t, const struct dwarf_image *image,
	uint64_t attribute, uint64_t form, struct cursor *c, struct dwarf_unit_lines *lines)
{
	struct dwarf_step s = step_of_form(t, form);
	struct dwarf_entry skipped;

	if (attribute == DW_AT_stmt_list && is_offset(t->version, form)) {
		lines->has_table = true;
		lines->table = decode_number(c, s.bytes);
	} else if (attribute == DW_AT_comp_dir && form == DW_FORM_line_strp) {
		lines->directory =
			string_at(image->section[SECTION_LINE_STR], decode_number(c, s.bytes));
	} else if (attribute == DW_AT_comp_dir && form == DW_FORM_strp) {
		lines->directory =
			string_at(image->section[SECTION_STR], decode_number(c, s.bytes));
	} else {
		lines->is_plain &= attribute != DW_AT_stmt_list && attribute != DW_AT_comp_dir;
		decode_step(t, c, s, &skipped);
	}
}

/* The next entry of t is the root, which has this abbreviation. */
static void read_root_lines(const struct dwarf_tree *t, const struct dwarf_image *image,
	struct cursor abbreviation, struct dwarf_unit_lines *lines)
{
	struct cursor c = t->rest;

	decode_uleb(&c);
	decode_uleb(&abbreviation); /* its number and its tag */
	decode_uleb(&abbreviation);
	cursor_bytes(&abbreviation, 1);
	lines->is_plain = true;
	for (;;) {
		uint64_t attribute = decode_uleb(&abbreviation), form = decode_uleb(&abbreviation);

		if (abbreviation.failed || (!attribute && !form))
			break;
		if (form == DW_FORM_implicit_const)
			decode_uleb(&abbreviation);
		read_root_attribute(t, image, attribute, form, &c, lines);
	}
	lines->is_plain &= !c.failed && !abbreviation.failed;
}

bool dwarf_tree_open_root(struct dwarf_tree *t, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_root *root, struct dwarf_budget *b)
{
	struct cursor abbreviation, c;

	if (!begin(t, image, offset, &abbreviation))
		return false;
	c = t->rest;
	root->next = (uint64_t)((const char *)c.p + c.left - image->section[SECTION_INFO].p);
	root->lines = (struct dwarf_unit_lines){ 0 };
	if (find_abbreviation(&abbreviation, decode_uleb(&c), b)) {
		if (image->section[SECTION_LINE].n)
			read_root_lines(t, image, abbreviation, &root->lines);
		read_abbreviation(t, &abbreviation);
	}
	root->is_there = dwarf_tree_next(t, &root->entry) &&
			 (!image->by_unit || here(t) <= DWARF_ROOT_BYTES);
	return true;
}

bool dwarf_tree_stays_inside(
	const struct dwarf_image *image, uint64_t offset, struct dwarf_budget *b)
{
	struct dwarf_tree t = { 0 };
	struct cursor c;

	if (!begin(&t, image, offset, &c))
		return false;
	while (dwarf_budget_step(b) && decode_uleb(&c))
		if (!skip_abbreviation(&c))
			return false;
	return !c.failed && !b->spent;
}

void dwarf_tree_close(struct dwarf_tree *t)
{
	free(t->shape);
	free(t->step);
	*t = (struct dwarf_tree){ 0 };
}

bool dwarf_tree_next(struct dwarf_tree *t, struct dwarf_entry *e)
{
	const struct dwarf_shape *shape;
	struct cursor c = t->rest;
	uint64_t number;
	uint32_t i;

	*e = (struct dwarf_entry){ .offset = here(t) };
	number = decode_uleb(&c);
	shape = number ? find_shape(t, number) : NULL;
	if (shape) {
		e->tag = shape->tag;
		e->has_children = shape->has_children;
		e->has_low = shape->has_low;
		e->code = shape->code;
		for (i = 0; i < shape->n_steps; i++) /* no step at all: no array either */
			decode_step(t, &c, t->step[shape->first_step + i], e);
	}
	if (number && !shape)
		cursor_bytes(&c, UINT64_MAX);
	t->rest = c;
	return !c.failed;
}

/* Goes to DW_AT_sibling. One before the current place is damage and ends the tree. */
static void go_to_sibling(struct dwarf_tree *t, const struct dwarf_entry *e)
{
	cursor_bytes(&t->rest, e->sibling < here(t) ? UINT64_MAX : e->sibling - here(t));
}

void dwarf_tree_skip(struct dwarf_tree *t, const struct dwarf_entry *e)
{
	struct dwarf_entry inner;
	uint64_t depth = 1;

	if (!e->has_children)
		return;
	if (e->sibling) {
		go_to_sibling(t, e);
		return;
	}
	while (depth && dwarf_tree_next(t, &inner)) {
		if (!inner.tag)
			depth--;
		else if (inner.has_children && inner.sibling)
			go_to_sibling(t, &inner);
		else if (inner.has_children)
			depth++;
	}
}

struct dwarf_range_list dwarf_tree_list(const struct dwarf_tree *t, const struct dwarf_image *image,
	const struct dwarf_entry *e, uint64_t base)
{
	struct span table = image->section[t->version < 5 ? SECTION_RANGES : SECTION_RNGLISTS];

	return (struct dwarf_range_list){
		.rest = cursor_on(image, table, e->list),
		.base = base,
		.version = t->version,
		.address_bytes = t->address_bytes,
	};
}
