#include "model/source_files.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct source_md5 one = { { 1 } }, two = { { 2 } };

static void check(const struct source_claim *claims, const int *order)
{
	struct source_files *t = source_files_new();
	const struct source_fact *f;
	int i;

	for (i = 0; i < 4; i++)
		source_files_add(t, &claims[order[i]]);
	assert_null(source_files_find(t, 9));
	f = source_files_find(t, 7);
	assert_int_equal(f->module, 3);
	assert_int_equal(f->built_s, 100);
	assert_true(f->is_local);
	assert_int_equal(f->n_md5, 2);
	assert_memory_equal(&f->md5[0], &one, sizeof(one));
	assert_memory_equal(&f->md5[1], &two, sizeof(two));
	f = source_files_find(t, 8);
	assert_int_equal(f->module, 5);
	assert_false(f->is_local);
	assert_int_equal(f->built_s, 0);
	assert_int_equal(f->n_md5, 0);
	source_files_free(t);
}

static void facts_do_not_depend_on_the_order_of_claims(void **state)
{
	static const struct source_claim claims[] = {
		{ .file = 7, .module = 4, .built_s = 100, .md5 = &two },
		{ .file = 7, .module = 3, .built_s = 0, .md5 = &one },
		{ .file = 7, .module = 6, .built_s = 200, .md5 = &two, .is_local = true },
		{ .file = 8, .module = 5 },
	};
	static const int orders[][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 3, 0, 2 },
		{ 2, 0, 3, 1 } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(orders); i++)
		check(claims, orders[i]);
}

static void sums_are_bounded(void **state)
{
	struct source_files *t = source_files_new();
	const struct source_fact *f;
	int i;

	(void)state;
	for (i = 255; i >= 0; i--) {
		struct source_md5 sum = { { (uint8_t)i } };

		source_files_add(t, &(struct source_claim){ .file = 1, .md5 = &sum });
		source_files_add(t, &(struct source_claim){ .file = 1, .md5 = &sum });
	}
	f = source_files_find(t, 1);
	assert_int_equal(f->n_md5, SOURCE_FILES_MD5_MAX);
	for (i = 0; i < SOURCE_FILES_MD5_MAX; i++)
		assert_int_equal(f->md5[i].byte[0], i);
	source_files_free(t);
}

static void the_first_text_stays(void **state)
{
	struct source_files *t = source_files_new();
	char text[] = "one";

	(void)state;
	assert_true(source_files_add_text(t, 1, span_of(text)));
	text[0] = 'x';
	assert_true(source_files_add_text(t, 1, SPAN("two")));
	assert_true(source_files_add_text(t, 2, SPAN("")));
	assert_true(span_eq(source_files_find(t, 1)->text, SPAN("one")));
	assert_non_null(source_files_find(t, 2)->text.p);
	assert_false(
		source_files_add_text(t, 3, (struct span){ text, SOURCE_FILES_TEXTS_MAX_BYTES }));
	assert_null(source_files_find(t, 3));
	source_files_free(t);
	source_files_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_do_not_depend_on_the_order_of_claims),
		cmocka_unit_test(sums_are_bounded),
		cmocka_unit_test(the_first_text_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
