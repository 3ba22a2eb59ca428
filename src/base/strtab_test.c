#include "base/strtab.h"

#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void the_empty_string_is_number_0(void **state)
{
	struct strtab *t = strtab_new();

	(void)state;
	assert_int_equal(strtab_add(t, SPAN("")), 0);
	assert_int_equal(strtab_add(t, (struct span){ NULL, 0 }), 0);
	assert_string_equal(strtab_str(t, 0), "");
	assert_int_equal(strtab_count(t), 1);
	strtab_free(t);
}

static void equal_strings_have_one_number(void **state)
{
	struct strtab *t = strtab_new();
	char text[] = "main";
	str_id id = strtab_add_str(t, text);

	(void)state;
	assert_int_not_equal(id, 0);
	text[0] = 'r';
	assert_int_not_equal(strtab_add_str(t, text), id);
	assert_int_equal(strtab_add(t, SPAN("main")), id);
	assert_int_equal(strtab_count(t), 3);
	strtab_free(t);
}

static void strings_may_contain_nul(void **state)
{
	struct strtab *t = strtab_new();
	str_id whole = strtab_add(t, SPAN("a\0b")), part = strtab_add(t, SPAN("a"));

	(void)state;
	assert_int_not_equal(whole, part);
	assert_int_equal(strtab_get(t, whole).n, 3);
	assert_string_equal(strtab_str(t, part), "a");
	strtab_free(t);
}

enum { WORKERS = 4, TEXTS = 3000 };

struct shared {
	struct strtab *strings;
	str_id id[WORKERS][TEXTS];
};

/* All workers add the same strings, each in its own order, and read what they get. */
static int add_texts(void *ctx, unsigned worker, struct err *e)
{
	struct shared *shared = ctx;
	unsigned i;

	for (i = 0; i < TEXTS; i++) {
		unsigned k = (i * 7 + worker * 1013) % TEXTS;
		char text[32];
		str_id id;

		snprintf(text, sizeof(text), "function_%u", k);
		id = strtab_add_str(shared->strings, text);
		shared->id[worker][k] = id;
		if (strcmp(strtab_str(shared->strings, id), text))
			return err_set(e, ERR_FORMAT, "%s became another text", text);
	}
	return OK;
}

static void several_threads_get_the_same_numbers(void **state)
{
	static struct shared shared;
	struct pool *pool = pool_new(WORKERS);
	struct err e = { 0 };
	unsigned w;

	(void)state;
	shared.strings = strtab_new();
	assert_int_equal(pool_run(pool, add_texts, &shared, &e), OK);
	for (w = 1; w < WORKERS; w++)
		assert_memory_equal(shared.id[w], shared.id[0], sizeof(shared.id[0]));
	assert_int_equal(strtab_count(shared.strings), TEXTS + 1);
	strtab_free(shared.strings);
	pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_empty_string_is_number_0),
		cmocka_unit_test(equal_strings_have_one_number),
		cmocka_unit_test(strings_may_contain_nul),
		cmocka_unit_test(several_threads_get_the_same_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
