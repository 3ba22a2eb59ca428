#include "symbolize/dwarf/dwarf_tree.h"

#include "base/tmpdir_for_test.h"

#include <elf.h>
#include <stdlib.h>

/* A unit of DWARF 4 in the order of little bytes, unless said otherwise. */
struct unit {
	struct buf info, abbrev;
	char ident[EI_NIDENT];
	struct dwarf_image image;
	struct dwarf_budget budget;
	struct dwarf_tree tree;
};

#define BYTES(...) ((const uint8_t[]){ __VA_ARGS__ }), sizeof((const uint8_t[]){ __VA_ARGS__ })

static void put_bytes(struct buf *to, const uint8_t *p, size_t n)
{
	buf_put(to, p, n);
}

static void unit_begin(struct unit *u)
{
	*u = (struct unit){ .ident = { [EI_DATA] = ELFDATA2LSB } };
	/* The length is that of all there may be; version 4, abbreviations at 0, addresses of 8. */
	put_bytes(&u->info, BYTES(0xff, 0xff, 0, 0, 4, 0, 0, 0, 0, 0, 8));
}

/* Of copies of the right size, so that a sanitizer sees who reads beyond. */
static bool unit_open(struct unit *u, size_t info_bytes, size_t abbrev_bytes)
{
	u->image = (struct dwarf_image){ .bytes = u->ident, .size_bytes = sizeof(u->ident) };
	u->image.section[SECTION_INFO] =
		(struct span){ xmemdup(u->info.p, info_bytes), info_bytes };
	u->image.section[SECTION_ABBREV] =
		(struct span){ xmemdup(u->abbrev.p, abbrev_bytes), abbrev_bytes };
	dwarf_budget_start(&u->budget, 60 * 1000000000ull);
	return dwarf_tree_open(&u->tree, &u->image, 0, &u->budget);
}

static void unit_close(struct unit *u)
{
	dwarf_tree_close(&u->tree);
	free((char *)u->image.section[SECTION_INFO].p);
	free((char *)u->image.section[SECTION_ABBREV].p);
}

static void unit_end(struct unit *u)
{
	unit_close(u);
	buf_release(&u->info);
	buf_release(&u->abbrev);
}

static int set_up(void **state)
{
	*state = xmalloc(sizeof(struct unit));
	unit_begin(*state);
	return 0;
}

static int tear_down(void **state)
{
	unit_end(*state);
	free(*state);
	return 0;
}

static bool unit_open_whole(struct unit *u)
{
	return unit_open(u, u->info.n, u->abbrev.n);
}

static struct dwarf_entry next(struct unit *u)
{
	struct dwarf_entry e;

	assert_true(dwarf_tree_next(&u->tree, &e));
	return e;
}

/* A root; a function with something of each form, and a block in it; a function with code. */
static void put_tree(struct unit *u)
{
	put_bytes(&u->abbrev,
		BYTES(1, DW_TAG_compile_unit, 1, 0, 0,                           /* the root */
			2, DW_TAG_subprogram, 1,                                 /* of all forms */
			DW_AT_name, DW_FORM_string, DW_AT_name, DW_FORM_strp,    /* */
			DW_AT_name, DW_FORM_block1, DW_AT_name, DW_FORM_block2,  /* */
			DW_AT_name, DW_FORM_block4, DW_AT_name, DW_FORM_exprloc, /* */
			DW_AT_name, DW_FORM_udata, DW_AT_name, DW_FORM_sdata,    /* */
			DW_AT_name, DW_FORM_flag_present, DW_AT_name, DW_FORM_implicit_const, 0x81,
			0x7f,                                                  /* what that is */
			DW_AT_name, DW_FORM_data16, DW_AT_name, DW_FORM_strx3, /* */
			DW_AT_name, DW_FORM_indirect, DW_AT_name, DW_FORM_addr, 0, 0, /* */
			3, DW_TAG_lexical_block, 0, 0, 0,                             /* */
			4, DW_TAG_subprogram, 0, DW_AT_low_pc, DW_FORM_addr,          /* */
			DW_AT_high_pc, DW_FORM_data4, 0, 0, 0));
	put_bytes(&u->info, BYTES(1, 2, 'a', 0, 1, 2, 3, 4, 2, 0xee, 0xee, 1, 0, 0xee, 1, 0, 0, 0,
				    0xee, 1, 0xee, 0x80, 1, 0xff, 0x7f));
	put_bytes(&u->info, BYTES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2,
				    DW_FORM_data2, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7));
	put_bytes(&u->info, BYTES(3, 0, 4, 0, 0x10, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0));
}

static void entries_come_in_the_order_of_the_file(void **state)
{
	struct unit *u = *state;
	static const uint16_t tags[] = { DW_TAG_compile_unit, DW_TAG_subprogram,
		DW_TAG_lexical_block, 0, DW_TAG_subprogram, 0 };
	struct dwarf_entry e;
	size_t i;

	put_tree(u);
	assert_true(unit_open_whole(u));
	for (i = 0; i < ARRAY_LEN(tags); i++)
		assert_int_equal(next(u).tag, tags[i]);
	assert_false(dwarf_tree_next(&u->tree, &e));
}

static void children_are_skipped(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	put_tree(u);
	assert_true(unit_open_whole(u));
	next(u);
	e = next(u);
	assert_int_equal(e.code, DWARF_NO_CODE);
	dwarf_tree_skip(&u->tree, &e);
	e = next(u);
	assert_int_equal(e.code, DWARF_LOW_HIGH);
	assert_int_equal(e.low, 0x1000);
	assert_int_equal(e.size_bytes, 0x20);
}

/* What is skipped is not decoded, but ends at the same place. */
static void entries_of_other_roles_are_skipped_with_their_children(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	put_tree(u);
	assert_true(unit_open_whole(u));
	next(u);
	assert_true(dwarf_tree_find(&u->tree, DWARF_FUNCTION, &e));
	assert_int_equal(e.low, 0x1000);
	assert_false(dwarf_tree_find(&u->tree, DWARF_FUNCTION, &e));
	assert_int_equal(u->tree.rest.left, 0);
}

static void a_declaration_and_a_block_are_found_if_they_are_asked_for(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	put_tree(u);
	assert_true(unit_open_whole(u));
	next(u);
	assert_true(dwarf_tree_find(&u->tree, DWARF_FUNCTION | DWARF_DECLARATION, &e));
	assert_int_equal(e.code, DWARF_NO_CODE);
	assert_true(dwarf_tree_find(&u->tree, DWARF_SCOPE, &e));
	assert_int_equal(e.tag, DW_TAG_lexical_block);
	assert_false(dwarf_tree_find(&u->tree, DWARF_SCOPE, &e));
	assert_true(dwarf_tree_find(&u->tree, DWARF_FUNCTION, &e));
}

/* A code of two bytes, as in a unit with many abbreviations. */
static void entries_with_large_codes_are_skipped(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	put_bytes(&u->abbrev,
		BYTES(1, DW_TAG_compile_unit, 1, 0, 0,                                      /* */
			0x81, 1, DW_TAG_variable, 0, DW_AT_location, DW_FORM_exprloc, 0, 0, /* */
			0x80, 0x80, 1, DW_TAG_structure_type, 1, 0, 0, 0));
	put_bytes(&u->info, BYTES(1, 0x81, 1, 2, 9, 9, 0x80, 0x80, 1, 0x81, 1, 0, 0, 0));
	assert_true(unit_open_whole(u));
	next(u);
	assert_false(dwarf_tree_find(&u->tree, DWARF_FUNCTION, &e));
	assert_false(u->tree.rest.failed);
	assert_int_equal(u->tree.rest.left, 0);
}

/* A root with one child that has DW_AT_sibling, and others. */
static void put_sibling(struct unit *u, uint8_t sibling)
{
	put_bytes(&u->abbrev,
		BYTES(1, DW_TAG_compile_unit, 1, 0, 0, 9, DW_TAG_subprogram, 1, DW_AT_sibling,
			DW_FORM_ref4, 0, 0, 5, DW_TAG_variable, 0, 0, 0, 0));
	/* At 11 the root, at 12 the function, at 17 its child, at 19 its sibling. */
	put_bytes(&u->info, BYTES(1, 9, sibling, 0, 0, 0, 5, 0, 5, 0));
}

static void a_sibling_is_reached_in_one_step(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	put_sibling(u, 19);
	assert_true(unit_open_whole(u));
	next(u);
	e = next(u);
	assert_int_equal(e.sibling, 19);
	dwarf_tree_skip(&u->tree, &e);
	e = next(u);
	assert_int_equal(e.offset, 19);
	assert_int_equal(e.tag, DW_TAG_variable);
}

static void a_search_follows_siblings(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	put_sibling(u, 19);
	u->info.p[17] = 0x7e; /* there is no such code: nobody may look at the child */
	assert_true(unit_open_whole(u));
	next(u);
	assert_false(dwarf_tree_find(&u->tree, DWARF_FUNCTION, &e));
	assert_false(u->tree.rest.failed);
}

static void a_sibling_before_the_entry_or_outside_the_unit_ends_the_tree(void **state)
{
	static const uint8_t lies[] = { 1, 12, 16, 22, 255 };
	struct dwarf_entry e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(lies); i++) {
		struct unit u;

		unit_begin(&u);
		put_sibling(&u, lies[i]);
		assert_true(unit_open_whole(&u));
		next(&u);
		e = next(&u);
		dwarf_tree_skip(&u.tree, &e);
		assert_false(dwarf_tree_next(&u.tree, &e));
		unit_close(&u);
		assert_true(unit_open_whole(&u));
		next(&u);
		assert_false(dwarf_tree_find(&u.tree, DWARF_FUNCTION, &e));
		assert_true(u.tree.rest.failed);
		unit_end(&u);
	}
}

static void plain_forms_of_code_are_decoded_others_left_to_libdw(void **state)
{
	static const struct {
		uint8_t attribute[4];
		enum dwarf_code code;
	} cases[] = {
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8 }, DWARF_LOW_HIGH },
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_udata }, DWARF_LOW_HIGH },
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_addr }, DWARF_OTHER_CODE },
		{ { DW_AT_low_pc, DW_FORM_addrx, DW_AT_high_pc, DW_FORM_data4 }, DWARF_OTHER_CODE },
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_ranges, DW_FORM_sec_offset }, DWARF_LIST },
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_ranges, DW_FORM_rnglistx },
			DWARF_OTHER_CODE },
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_ranges, DW_FORM_data4 }, DWARF_OTHER_CODE },
		{ { DW_AT_low_pc, DW_FORM_addr, DW_AT_name, DW_FORM_strp }, DWARF_NO_CODE },
	};
	static const uint8_t zeros[32] = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct unit u;

		unit_begin(&u);
		put_bytes(&u.abbrev, BYTES(1, DW_TAG_subprogram, 0));
		put_bytes(&u.abbrev, cases[i].attribute, 4);
		put_bytes(&u.abbrev, BYTES(0, 0, 0));
		put_bytes(&u.info, BYTES(1));
		put_bytes(&u.info, zeros, sizeof(zeros));
		assert_true(unit_open_whole(&u));
		assert_int_equal(next(&u).code, cases[i].code);
		unit_end(&u);
	}
}

static void numbers_are_in_the_order_of_the_file(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;

	u->ident[EI_DATA] = ELFDATA2MSB;
	u->info.n = 0;
	put_bytes(&u->info, BYTES(0, 0, 0, 14, 0, 4, 0, 0, 0, 0, 4, 1, 0, 0, 0x10, 0, 0, 0x20));
	put_bytes(&u->abbrev, BYTES(1, DW_TAG_subprogram, 0, DW_AT_low_pc, DW_FORM_addr,
				      DW_AT_high_pc, DW_FORM_data2, 0, 0, 0));
	assert_true(unit_open_whole(u));
	e = next(u);
	assert_int_equal(e.low, 0x1000);
	assert_int_equal(e.size_bytes, 0x20);
	assert_false(dwarf_tree_next(&u->tree, &e));
}

/* Whatever is missing, of the unit or of its abbreviations. */
static void a_unit_cut_anywhere_ends_there(void **state)
{
	struct unit *u = *state;
	struct dwarf_entry e;
	size_t n;

	put_tree(u);
	for (n = 0; n < u->info.n + u->abbrev.n; n++) {
		size_t of_info = n < u->info.n ? n : u->info.n;
		unsigned steps = 0;

		if (unit_open(u, of_info, n < u->info.n ? u->abbrev.n : n - u->info.n))
			while (dwarf_tree_next(&u->tree, &e))
				steps++;
		assert_true(steps < 6 || of_info == u->info.n);
		unit_close(u);
		if (unit_open(u, of_info, n < u->info.n ? u->abbrev.n : n - u->info.n) &&
			dwarf_tree_next(&u->tree, &e))
			dwarf_tree_skip(&u->tree, &e);
		unit_close(u);
	}
	u->image = (struct dwarf_image){ 0 };
}

static void a_root_is_read_alone(void **state)
{
	struct unit *u = *state;
	struct dwarf_root root;

	put_bytes(&u->abbrev, BYTES(7, DW_TAG_subprogram, 0, DW_AT_decl_line,
				      DW_FORM_implicit_const, 0x80, 1, 0, 0));
	put_tree(u);
	u->info.p[0] = (char)(u->info.n - 4);
	u->info.p[1] = 0;
	put_bytes(&u->info, BYTES(0xee, 0xee));
	assert_true(unit_open_whole(u));
	assert_true(dwarf_tree_open_root(&u->tree, &u->image, 0, &root, &u->budget));
	assert_true(root.is_there);
	assert_int_equal(root.entry.tag, DW_TAG_compile_unit);
	assert_int_equal(root.entry.offset, 11);
	assert_int_equal(root.next, u->info.n - 2);
	assert_int_equal(u->tree.abbrev.n_shapes, 1);
	assert_false(dwarf_tree_open_root(&u->tree, &u->image, root.next, &root, &u->budget));
}

static void a_root_without_abbreviation_is_missing(void **state)
{
	struct unit *u = *state;
	struct dwarf_root root;

	put_tree(u);
	u->info.p[11] = 9;
	assert_true(unit_open_whole(u));
	assert_true(dwarf_tree_open_root(&u->tree, &u->image, 0, &root, &u->budget));
	assert_false(root.is_there);
	assert_int_equal(root.next, u->info.n);
}

/* References to types of other units, and what may be one. */
static void references_to_other_units_are_seen_in_abbreviations(void **state)
{
	static const struct {
		uint8_t form;
		bool inside;
	} cases[] = {
		{ DW_FORM_ref4, true },
		{ DW_FORM_ref_udata, true },
		{ DW_FORM_ref_addr, false },
		{ DW_FORM_ref_sig8, false },
		{ DW_FORM_indirect, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct unit u;

		unit_begin(&u);
		put_bytes(&u.abbrev, BYTES(1, DW_TAG_compile_unit, 1, 0, 0, 2, DW_TAG_subprogram, 0,
					     DW_AT_specification, cases[i].form, 0, 0, 0));
		assert_true(unit_open_whole(&u));
		assert_int_equal(dwarf_tree_stays_inside(&u.image, 0, &u.budget), cases[i].inside);
		unit_close(&u);
		assert_true(unit_open(&u, u.info.n, u.abbrev.n - 1)); /* it has no end */
		assert_false(dwarf_tree_stays_inside(&u.image, 0, &u.budget));
		unit_end(&u);
	}
}

static void assert_skipping_ends_where_reading_does(const struct dwarf_image *image, uint64_t start)
{
	struct dwarf_tree read, skipped;
	struct dwarf_budget budget;
	struct dwarf_entry e;

	dwarf_budget_start(&budget, 60 * 1000000000ull);
	assert_true(dwarf_tree_open(&read, image, start, &budget));
	assert_true(dwarf_tree_open(&skipped, image, start, &budget));
	assert_true(dwarf_tree_next(&skipped, &e));
	dwarf_tree_skip(&skipped, &e);
	assert_false(skipped.rest.failed);
	while (read.rest.left > skipped.rest.left)
		assert_true(dwarf_tree_next(&read, &e));
	assert_int_equal(read.rest.left, skipped.rest.left);
	assert_int_equal(e.tag, 0);
	dwarf_tree_close(&read);
	dwarf_tree_close(&skipped);
}

static void assert_dies_of_unit(
	Dwarf *dwarf, const struct dwarf_image *image, Dwarf_Die *unit, uint32_t *n)
{
	uint64_t root = dwarf_cuoffset(unit), start = dwarf_dieoffset(unit) - root;
	struct dwarf_budget budget;
	struct dwarf_tree tree;
	struct dwarf_entry e;

	dwarf_budget_start(&budget, 60 * 1000000000ull);
	assert_true(dwarf_tree_open(&tree, image, start, &budget));
	assert_skipping_ends_where_reading_does(image, start);
	while (dwarf_tree_next(&tree, &e)) {
		Dwarf_Die die = dwarf_tree_die_at(unit, root, e.offset), expected;

		if (!e.tag)
			continue;
		assert_non_null(dwarf_offdie(dwarf, start + e.offset, &expected));
		assert_ptr_equal(die.addr, expected.addr);
		assert_ptr_equal(die.cu, expected.cu);
		assert_int_equal(dwarf_tag(&die), e.tag);
		++*n;
	}
	dwarf_tree_close(&tree);
}

static void dies_by_hand_are_those_of_libdw(void **state)
{
	static const char *const programs[] = { "inlines-gcc-2", "inlines-gcc-5", "inlines-clang",
		"inlines-dwz", "inlines-split-5-inlines.dwo", "scopes" };
	uint32_t n = 0;
	size_t i;

	(void)state;
	elf_version(EV_CURRENT);
	for (i = 0; i < ARRAY_LEN(programs); i++) {
		char *path = xasprintf("testdata/elf/inlines/%s", programs[i]);
		bool dwo = strstr(path, ".dwo");
		struct dwarf_borrowed none = { 0 };
		struct dwarf_image image;
		struct dwarf_handle h;
		enum files_verdict why;
		struct elf_file *ef = elf_file_open(path, &why);
		Dwarf_CU *cu = NULL;
		Dwarf_Die unit;

		assert_non_null(ef);
		assert_true(dwarf_image_read(&image, ef, dwo ? &none : NULL, 0));
		assert_true(dwarf_image_open_handle(&h, &image));
		while (!dwarf_get_units(h.dwarf, cu, &cu, NULL, NULL, &unit, NULL))
			assert_dies_of_unit(h.dwarf, &image, &unit, &n);
		dwarf_image_close_handle(&h);
		dwarf_image_release(&image);
		elf_file_close(ef);
		free(path);
	}
	assert_in_range(n, 300, 100000);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(entries_come_in_the_order_of_the_file),
		TEST(children_are_skipped),
		TEST(entries_of_other_roles_are_skipped_with_their_children),
		TEST(a_declaration_and_a_block_are_found_if_they_are_asked_for),
		TEST(entries_with_large_codes_are_skipped),
		TEST(a_sibling_is_reached_in_one_step),
		TEST(a_search_follows_siblings),
		cmocka_unit_test(a_sibling_before_the_entry_or_outside_the_unit_ends_the_tree),
		cmocka_unit_test(plain_forms_of_code_are_decoded_others_left_to_libdw),
		TEST(numbers_are_in_the_order_of_the_file),
		TEST(a_unit_cut_anywhere_ends_there),
		TEST(a_root_is_read_alone),
		TEST(a_root_without_abbreviation_is_missing),
		cmocka_unit_test(references_to_other_units_are_seen_in_abbreviations),
		cmocka_unit_test(dies_by_hand_are_those_of_libdw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
