#include "model/stack_delta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void deltas_of_all_sizes_are_decoded_one_after_another(void **state)
{
	static const site_id sites[] = { 0, 255, 256, 65535, 65536, 16777215, 16777216,
		UINT32_MAX };
	static const struct stack_delta deltas[] = { { 3, 2, 0, 1 }, { 300, 0, 2, 1 },
		{ 0, 200, 4, 2 }, { UINT32_MAX, UINT32_MAX, 6, 3 }, { 1, 1, 8, 4 } };
	struct buf b = { 0 };
	struct cursor c = { 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < 5; i++)
		stack_delta_put(&b, &deltas[i], sites);
	/* What is in front of the sites, and these. */
	assert_int_equal(b.n, 3 + (4 + 2) + (4 + 4 * 2) + (11 + 6 * 3) + (3 + 8 * 4));
	c.p = (const uint8_t *)b.p;
	c.left = b.n;
	for (i = 0; i < 5; i++) {
		struct stack_delta d = stack_delta_decode(&c);
		site_id decoded[8];

		assert_memory_equal(&d, &deltas[i], sizeof(d));
		stack_delta_decode_sites(&c, &d, decoded);
		assert_memory_equal(decoded, sites, d.n * sizeof(*sites));
	}
	assert_int_equal(c.left, 0);
	assert_false(c.failed);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deltas_of_all_sizes_are_decoded_one_after_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
