#include "base/packed_bytes.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { BYTES = 3000000 };

static char *make_bytes(bool random)
{
	char *p = xmalloc(BYTES);
	uint64_t seed = 1;
	size_t i;

	for (i = 0; i < BYTES; i++) {
		seed = seed * 6364136223846793005u + 1;
		p[i] = random ? (char)(seed >> 56) : (char)(i / 1000 + i % 7);
	}
	return p;
}

static struct packed_bytes *pack(const char *p, size_t n, size_t step)
{
	struct packed_bytes *b = packed_bytes_new();
	size_t at;

	for (at = 0; at < n; at += step)
		assert_true(packed_bytes_add(b, p + at, n - at < step ? n - at : step, BYTES * 2));
	assert_int_equal(packed_bytes_count(b), n);
	return b;
}

static void check_read(struct packed_bytes *b, const char *p, size_t n, size_t at, size_t want)
{
	size_t there = at >= n ? 0 : n - at < want ? n - at : want;
	char *to = xmalloc(want + 1);

	assert_int_equal(packed_bytes_read(b, to, want, at), there);
	if (there)
		assert_memory_equal(to, p + at, there);
	free(to);
}

static void any_part_is_read(void **state)
{
	static const size_t sizes[] = { 0, 1, 262143, 262144, 262145, 524288, BYTES };
	static const size_t steps[] = { 700, 262144, BYTES };
	size_t i, k, at;

	(void)state;
	for (i = 0; i < 2 * sizeof(sizes) / sizeof(*sizes); i++) {
		size_t n = sizes[i / 2];
		char *p = make_bytes(i % 2);

		for (k = 0; k < sizeof(steps) / sizeof(*steps); k++) {
			struct packed_bytes *b = pack(p, n, steps[k]);

			for (at = 0; at < n + 2; at = at * 3 + 1) {
				check_read(b, p, n, at, 1);
				check_read(b, p, n, at, 5000);
				check_read(b, p, n, at, 300000);
				check_read(b, p, n, at, BYTES);
			}
			check_read(b, p, n, 0, BYTES + 10);
			check_read(b, p, n, n - (n > 0), 10);
			packed_bytes_free(b);
		}
		free(p);
	}
	packed_bytes_free(NULL);
}

static void memory_is_limited(void **state)
{
	struct packed_bytes *b = packed_bytes_new(), *small = packed_bytes_new();
	char *p = make_bytes(true), *zeros = xcalloc(1, BYTES);

	(void)state;
	assert_false(packed_bytes_add(b, p, BYTES, BYTES / 2));
	assert_true(packed_bytes_add(small, zeros, BYTES, BYTES / 100));
	check_read(small, zeros, BYTES, 12345, BYTES);
	packed_bytes_free(b);
	packed_bytes_free(small);
	free(p);
	free(zeros);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_part_is_read),
		cmocka_unit_test(memory_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
