#include "base/stable.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct element {
	uint32_t number;
	char more[20];
};

static void elements_never_move(void **state)
{
	enum { N = 5000 };
	static const unsigned looked_at[] = { 0, 255, 256, 767, 768, N - 1 };
	struct element *at[N];
	struct stable t = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < N; i++) {
		at[i] = stable_push(&t, sizeof(struct element));
		at[i]->number = i;
	}
	assert_int_equal(t.n, N);
	for (i = 0; i < N; i++)
		assert_int_equal(at[i]->number, i);
	for (i = 0; i < sizeof(looked_at) / sizeof(looked_at[0]); i++)
		assert_ptr_equal(
			stable_at(&t, looked_at[i], sizeof(struct element)), at[looked_at[i]]);
	stable_release(&t);
}

static void new_elements_are_zero(void **state)
{
	struct stable t = { 0 };
	unsigned i, k;

	(void)state;
	for (i = 0; i < 1000; i++) {
		const struct element *e = stable_push(&t, sizeof(*e));

		assert_int_equal(e->number, 0);
		for (k = 0; k < sizeof(e->more); k++)
			assert_int_equal(e->more[k], 0);
	}
	stable_release(&t);
	assert_int_equal(t.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_never_move),
		cmocka_unit_test(new_elements_are_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
