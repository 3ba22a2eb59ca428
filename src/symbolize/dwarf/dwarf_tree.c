/*
 * How it works. A DIE is the number of an abbreviation and then its attributes, without any
 * length: to find the next one, the size of each attribute must be known. The abbreviations of a
 * unit say it (dwarf_abbrev.h). To skip an entry with its children, DW_AT_sibling is followed where
 * there is one (gcc writes it); otherwise all inside is stepped over. Nine of ten entries are
 * skipped: most of these have a fixed size, which is one addition.
 *
 * Reading is bounded by the cursor, which ends with the unit: a step beyond it fails, and so does
 * every later one. A sibling before the current place ends the tree, so each byte is read once.
 *
 * libdw (dwarf_child(), dwarf_siblingof()) looks at each attribute between siblings by itself.
 * Source: DWARF 5, 7.5; DWARF 2 to 4 for headers of before.
 */
#include "symbolize/dwarf/dwarf_tree.h"

#include "base/mem.h"

#include <elf.h>
#include <stdlib.h>

/* ---- numbers ------------------------------------------------------------------------------ */

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

	t->abbrev.offset_bytes = length == UINT32_MAX ? 8 : 4;
	if (t->abbrev.offset_bytes == 8)
		length = cursor_u64(c);
	if (length < c->left)
		c->left = (size_t)length;
	t->abbrev.version = cursor_u16(c);
	if (t->abbrev.version >= 5) {
		type = (uint8_t)decode_number(c, 1);
		t->abbrev.address_bytes = (uint8_t)decode_number(c, 1);
	}
	*abbreviations = decode_number(c, t->abbrev.offset_bytes);
	if (t->abbrev.version < 5)
		t->abbrev.address_bytes = (uint8_t)decode_number(c, 1);
	cursor_bytes(c, more_of_header(type, t->abbrev.offset_bytes));
	return !c->failed && t->abbrev.version >= 2 && t->abbrev.version <= 5;
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
	t->abbrev.n_shapes = t->abbrev.n_steps = 0;
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
	dwarf_abbrev_read(&t->abbrev, abbreviations, b);
	return true;
}

static void decode_step(
	const struct dwarf_tree *t, struct cursor *c, struct dwarf_step s, struct dwarf_entry *e)
{
	if (s.kind == DWARF_STEP_INDIRECT)
		s = dwarf_abbrev_step(&t->abbrev, cursor_uleb(c));
	switch (s.kind) {
	case DWARF_STEP_FIXED:
		cursor_bytes(c, s.bytes);
		break;
	case DWARF_STEP_LEB:
		cursor_uleb(c);
		break;
	case DWARF_STEP_TEXT:
		skip_string(c);
		break;
	case DWARF_STEP_BLOCK:
		cursor_bytes(c, decode_number(c, s.bytes));
		break;
	case DWARF_STEP_BLOCK_LEB:
		cursor_bytes(c, cursor_uleb(c));
		break;
	case DWARF_STEP_LOW:
		e->low = decode_number(c, s.bytes);
		break;
	case DWARF_STEP_HIGH:
		e->size_bytes = decode_number(c, s.bytes);
		break;
	case DWARF_STEP_HIGH_LEB:
		e->size_bytes = cursor_uleb(c);
		break;
	case DWARF_STEP_SIBLING:
		e->sibling = decode_number(c, s.bytes);
		break;
	case DWARF_STEP_LIST:
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
	struct dwarf_step s = dwarf_abbrev_step(&t->abbrev, form);
	struct dwarf_entry skipped;

	if (attribute == DW_AT_stmt_list && dwarf_abbrev_is_offset(t->abbrev.version, form)) {
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

	cursor_uleb(&c);
	cursor_uleb(&abbreviation); /* its number and its tag */
	cursor_uleb(&abbreviation);
	cursor_bytes(&abbreviation, 1);
	lines->is_plain = true;
	for (;;) {
		uint64_t attribute = cursor_uleb(&abbreviation), form = cursor_uleb(&abbreviation);

		if (abbreviation.failed || (!attribute && !form))
			break;
		if (form == DW_FORM_implicit_const)
			cursor_uleb(&abbreviation);
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
	if (dwarf_abbrev_go_to(&abbreviation, cursor_uleb(&c), b)) {
		if (image->section[SECTION_LINE].n)
			read_root_lines(t, image, abbreviation, &root->lines);
		dwarf_abbrev_read_one(&t->abbrev, &abbreviation);
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

	return begin(&t, image, offset, &c) && dwarf_abbrev_stays_inside(c, b);
}

void dwarf_tree_close(struct dwarf_tree *t)
{
	dwarf_abbrev_release(&t->abbrev);
	*t = (struct dwarf_tree){ 0 };
}

bool dwarf_tree_next(struct dwarf_tree *t, struct dwarf_entry *e)
{
	const struct dwarf_shape *shape;
	struct cursor c = t->rest;
	uint64_t number;
	uint32_t i;

	*e = (struct dwarf_entry){ .offset = here(t) };
	number = cursor_uleb(&c);
	shape = number ? dwarf_abbrev_find(&t->abbrev, number) : NULL;
	if (shape) {
		e->tag = shape->tag;
		e->has_children = shape->has_children;
		e->has_low = shape->has_low;
		e->code = shape->code;
		for (i = 0; i < shape->n_steps; i++) /* no step at all: no array either */
			decode_step(t, &c, t->abbrev.step[shape->first_step + i], e);
	}
	if (number && !shape)
		cursor_bytes(&c, UINT64_MAX);
	t->rest = c;
	return !c.failed;
}

/* ---- skipping -----------------------------------------------------------------------------
 *
 * What follows has a place and an end where others have a cursor, which compilers keep in memory,
 * not in registers. A place is NULL where the unit ends too early.
 */

struct number_at {
	uint64_t value;
	const uint8_t *after;
};

static struct number_at long_uleb_at(const uint8_t *p, const uint8_t *end)
{
	struct cursor c = { .p = p, .left = (size_t)(end - p) };
	uint64_t value = cursor_uleb(&c);

	return (struct number_at){ value, c.failed ? NULL : c.p };
}

/* Most have one byte; codes of abbreviations have two, where these are many. */
static inline struct number_at uleb_at(const uint8_t *p, const uint8_t *end)
{
	if (p < end && !(p[0] & 128))
		return (struct number_at){ p[0], p + 1 };
	if (end - p > 1 && !(p[1] & 128))
		return (struct number_at){ (p[0] & 127u) | (uint64_t)p[1] << 7, p + 2 };
	return long_uleb_at(p, end);
}

static inline const uint8_t *after_bytes(const uint8_t *p, const uint8_t *end, uint64_t n)
{
	return n <= (uint64_t)(end - p) ? p + n : NULL;
}

static const uint8_t *after_rare_step(
	const struct dwarf_tree *t, struct dwarf_step s, const uint8_t *p, const uint8_t *end)
{
	struct cursor c = { .p = p, .left = (size_t)(end - p), .swapped = t->rest.swapped };
	struct dwarf_entry skipped;

	decode_step(t, &c, s, &skipped);
	return c.failed ? NULL : c.p;
}

static inline const uint8_t *after_step(
	const struct dwarf_tree *t, struct dwarf_step s, const uint8_t *p, const uint8_t *end)
{
	struct number_at n;

	if (dwarf_abbrev_is_fixed(s))
		return after_bytes(p, end, s.bytes);
	if (s.kind > DWARF_STEP_BLOCK_LEB)
		return after_rare_step(t, s, p, end);
	n = uleb_at(p, end);
	return s.kind == DWARF_STEP_BLOCK_LEB && n.after ? after_bytes(n.after, end, n.value)
							 : n.after;
}

static uint64_t sibling_at(
	const struct dwarf_tree *t, uint32_t bytes, const uint8_t *p, const uint8_t *end)
{
	struct cursor c = { .p = p, .left = (size_t)(end - p), .swapped = t->rest.swapped };

	return decode_number(&c, bytes);
}

static const uint8_t *after_attributes(const struct dwarf_tree *t, const struct dwarf_shape *shape,
	const uint8_t *p, const uint8_t *end, uint64_t *sibling)
{
	uint32_t i;

	for (i = 0; i < shape->n_steps && p; i++) {
		struct dwarf_step s = t->abbrev.step[shape->first_step + i];

		if (s.kind == DWARF_STEP_SIBLING)
			*sibling = sibling_at(t, s.bytes, p, end);
		p = after_step(t, s, p, end);
	}
	return p;
}

/* A sibling before the current place is damage and ends the tree. */
static const uint8_t *at_sibling(
	const struct dwarf_tree *t, uint64_t sibling, const uint8_t *p, const uint8_t *end)
{
	uint64_t at = (uint64_t)(p - t->unit);

	return sibling < at ? NULL : after_bytes(p, end, sibling - at);
}

/* After an entry of this shape, and after its children if it says where they end; *depth grows by 1
 * if it has some and does not. shape is NULL where the abbreviation is missing. */
static inline const uint8_t *after_entry(const struct dwarf_tree *t,
	const struct dwarf_shape *shape, const uint8_t *p, const uint8_t *end, uint64_t *depth)
{
	uint64_t sibling = 0;

	if (!shape)
		return NULL;
	if (shape->is_fixed && !shape->has_sibling)
		p = after_bytes(p, end, shape->fixed_bytes);
	else
		p = after_attributes(t, shape, p, end, &sibling);
	if (!shape->has_children || !p)
		return p;
	if (sibling)
		return at_sibling(t, sibling, p, end);
	++*depth;
	return p;
}

/* After depth lists of children, one inside the other. */
static inline const uint8_t *after_lists(
	const struct dwarf_tree *t, const uint8_t *p, const uint8_t *end, uint64_t depth)
{
	while (depth && p) {
		struct number_at code = uleb_at(p, end);

		p = code.after;
		if (!p || !code.value)
			depth--;
		else
			p = after_entry(
				t, dwarf_abbrev_find(&t->abbrev, code.value), p, end, &depth);
	}
	return p;
}

/* NULL: the tree ends here. */
static void go_to(struct dwarf_tree *t, const uint8_t *p)
{
	cursor_bytes(&t->rest, p ? (uint64_t)(p - t->rest.p) : UINT64_MAX);
}

void dwarf_tree_skip(struct dwarf_tree *t, const struct dwarf_entry *e)
{
	const uint8_t *p = t->rest.p, *end = p + t->rest.left;

	if (e->has_children)
		go_to(t,
			e->sibling ? at_sibling(t, e->sibling, p, end) : after_lists(t, p, end, 1));
}

bool dwarf_tree_find(struct dwarf_tree *t, unsigned roles, struct dwarf_entry *e)
{
	const uint8_t *p = t->rest.p, *end = p + t->rest.left;

	struct number_at code = uleb_at(p, end);

	while (code.after && code.value) {
		const struct dwarf_shape *shape = dwarf_abbrev_find(&t->abbrev, code.value);
		uint64_t depth = 0;

		if (shape && shape->role & roles) {
			go_to(t, p);
			return dwarf_tree_next(t, e);
		}
		p = after_entry(t, shape, code.after, end, &depth);
		p = after_lists(t, p, end, depth);
		code = p ? uleb_at(p, end) : (struct number_at){ 0 };
	}
	go_to(t, code.after);
	return false;
}

struct dwarf_range_list dwarf_tree_list(const struct dwarf_tree *t, const struct dwarf_image *image,
	const struct dwarf_entry *e, uint64_t base)
{
	struct span table =
		image->section[t->abbrev.version < 5 ? SECTION_RANGES : SECTION_RNGLISTS];

	return (struct dwarf_range_list){
		.rest = cursor_on(image, table, e->list),
		.base = base,
		.version = t->abbrev.version,
		.address_bytes = t->abbrev.address_bytes,
	};
}
