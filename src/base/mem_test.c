#include "base/mem.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static void an_array_grows_by_half(void **state)
{
	(void)state;
	assert_int_equal(mem_next_capacity(0, 1, SIZE_MAX), 16);
	assert_int_equal(mem_next_capacity(16, 17, SIZE_MAX), 24);
	assert_int_equal(mem_next_capacity(16, 1000, SIZE_MAX), 1000);
}

/* Three billion and half as much again do not fit into a uint32_t: the array would have shrunk. */
static void a_capacity_fits_into_its_type(void **state)
{
	(void)state;
	assert_int_equal(mem_next_capacity(3000000000, 3000000001, UINT32_MAX), UINT32_MAX);
}

static void an_array_of_small_capacity_grows_to_the_end_of_its_type(void **state)
{
	uint8_t *p = NULL, n = 0, cap = 0;
	pid_t child;
	int status;

	(void)state;
	while (n < UINT8_MAX) {
		ARRAY_GROW(p, n, cap);
		assert_in_range(cap, n + 1, UINT8_MAX);
		p[n] = n;
		n++;
	}
	child = fork();
	if (!child) {
		close(STDERR_FILENO); /* "out of memory" */
		ARRAY_GROW(p, n, cap);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	free(p);
}

/* Nothing else can be allocated in the cache lines that it begins and ends in. */
static void memory_that_is_apart_fills_whole_pairs_of_cache_lines(void **state)
{
	static const size_t sizes[] = { 0, 1, 127, 128, 129, 5000 };
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		unsigned char *p = xcalloc_apart(sizes[i], 3);

		assert_int_equal((uintptr_t)p % MEM_APART_BYTES, 0);
		assert_true(malloc_usable_size(p) >= sizes[i] * 3);
		for (k = 0; k < sizes[i] * 3; k++)
			assert_int_equal(p[k], 0);
		free(p);
	}
}

static void an_array_of_structs_that_are_apart_is_aligned(void **state)
{
	struct part {
		MEM_APART char c;
	} *part = xcalloc_apart(3, sizeof(*part));

	(void)state;
	assert_int_equal((uintptr_t)&part[2] - (uintptr_t)&part[1], MEM_APART_BYTES);
	free(part);
}

static void many_get_room_for_eight_times_as_many_up_to_a_bound(void **state)
{
	(void)state;
	assert_int_equal(mem_far_need(0, 1 << 21), 1);
	assert_int_equal(mem_far_need((1 << 15) - 1, 1 << 21), 1 << 15);
	assert_int_equal(mem_far_need(1 << 15, 1 << 21), 1 << 18);
	assert_int_equal(mem_far_need(1 << 20, 1 << 21), 1 << 21);
	assert_int_equal(mem_far_need(1 << 21, 1 << 21), (1 << 21) + 1);
	assert_true(mem_far_need(SIZE_MAX / 4, SIZE_MAX) == SIZE_MAX);
}

static void an_array_that_grows_far_keeps_its_elements(void **state)
{
	uint32_t *p = NULL, n = 0, cap = 0, i;

	(void)state;
	while (n < 100000) {
		ARRAY_GROW_FAR(p, n, cap, SIZE_MAX);
		assert_in_range(cap, n + 1, 8 * n + 16);
		p[n] = n;
		n++;
	}
	for (i = 0; i < n; i++)
		assert_int_equal(p[i], i);
	free(p);
}

/* Room for an item that is not there would hide from sanitizers who reads it. */
static void an_empty_array_has_no_room_for_an_item(void **state)
{
	enum { ITEM_BYTES = 1000 };
	void *p = xcalloc(0, ITEM_BYTES), *q = xreallocarray(NULL, 7, ITEM_BYTES);

	(void)state;
	assert_in_range(malloc_usable_size(p), 1, ITEM_BYTES - 1);
	q = xreallocarray(q, 0, ITEM_BYTES);
	assert_in_range(malloc_usable_size(q), 1, ITEM_BYTES - 1);
	free(p);
	free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_grows_by_half),
		cmocka_unit_test(a_capacity_fits_into_its_type),
		cmocka_unit_test(an_array_of_small_capacity_grows_to_the_end_of_its_type),
		cmocka_unit_test(memory_that_is_apart_fills_whole_pairs_of_cache_lines),
		cmocka_unit_test(an_array_of_structs_that_are_apart_is_aligned),
		cmocka_unit_test(many_get_room_for_eight_times_as_many_up_to_a_bound),
		cmocka_unit_test(an_array_that_grows_far_keeps_its_elements),
		cmocka_unit_test(an_empty_array_has_no_room_for_an_item),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
