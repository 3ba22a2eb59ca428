#include "base/chunks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTS = 300, WORKERS = 8, LONGEST = 1 << 20, PUT_BYTES = 1000 };

/* Empty ones, short ones, and some that have no room. */
static size_t size_of(uint32_t part)
{
	return part % 7 == 0 ? 0 : part % 50 == 1 ? LONGEST + part : part * 577 % 100000;
}

struct work {
	_Atomic uint32_t made[PARTS], failed;
};

static void make_lines(void *ctx, uint32_t part, struct sink *to)
{
	struct work *w = ctx;
	size_t n = size_of(part);
	char text[PUT_BYTES];

	atomic_fetch_add(&w->made[part], 1);
	memset(text, 'a' + (int)part % 26, sizeof(text));
	for (; n > sizeof(text); n -= sizeof(text))
		sink_put(to, text, sizeof(text));
	sink_put(to, text, n);
	sink_putc(to, '\n');
	if (sink_failed(to))
		atomic_fetch_add(&w->failed, 1);
}

static void check_text(struct span text)
{
	uint32_t part;
	size_t i;

	for (part = 0; part < PARTS; part++) {
		size_t n = size_of(part);

		assert_true(text.n > n);
		for (i = 0; i < n; i++)
			if (text.p[i] != 'a' + (int)part % 26)
				fail_msg("part %u has something else at %zu", part, i);
		assert_int_equal(text.p[n], '\n');
		text = span_skip(text, n + 1);
	}
	assert_int_equal(text.n, 0);
}

static void check_with(struct pool *pool)
{
	struct work w = { 0 };
	struct buf text = { 0 };
	struct sink *to = sink_to_buf(&text);
	struct err e;
	uint32_t i;

	chunks_write(pool, PARTS, make_lines, &w, to);
	assert_int_equal(sink_commit(to, &e), OK);
	check_text(buf_span(&text));
	for (i = 0; i < PARTS; i++)
		assert_int_equal(w.made[i], 1);
	assert_int_equal(w.failed, 0);
	buf_release(&text);
}

static void chunks_of_all_sizes_come_out_in_order(void **state)
{
	static const unsigned workers[] = { 1, 2, WORKERS };
	size_t i;

	(void)state;
	check_with(NULL);
	for (i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		struct pool *pool = pool_new(workers[i]);

		check_with(pool);
		check_with(pool);
		pool_free(pool);
	}
}

static void without_a_pool_the_output_is_the_same(void **state)
{
	struct pool *pool = pool_new(WORKERS);

	(void)state;
	pool_rest(pool);
	check_with(pool);
	pool_free(pool);
}

static void no_chunks_write_nothing(void **state)
{
	struct buf text = { 0 };
	struct sink *to = sink_to_buf(&text);
	struct err e;

	(void)state;
	chunks_write(NULL, 0, make_lines, NULL, to);
	assert_int_equal(sink_commit(to, &e), OK);
	assert_int_equal(text.n, 0);
}

enum { HUGE_BYTES = 24 << 20, HUGE_PARTS = 4, MOST_BYTES = HUGE_PARTS * 2 << 20 };

struct hold_up {
	_Atomic size_t put_bytes;
	size_t seen_bytes;
};

/* The others run ahead of the first part, which is late. */
static void make_huge(void *ctx, uint32_t part, struct sink *to)
{
	struct hold_up *h = ctx;
	char text[PUT_BYTES];
	size_t n;

	if (!part) {
		usleep(100000);
		h->seen_bytes = atomic_load(&h->put_bytes);
	}
	memset(text, '0' + (int)part, sizeof(text));
	for (n = 0; n < HUGE_BYTES; n += sizeof(text)) {
		sink_put(to, text, sizeof(text));
		atomic_fetch_add(&h->put_bytes, sizeof(text));
	}
}

static void waiting_chunks_are_bounded_however_long_one_is(void **state)
{
	struct pool *pool = pool_new(HUGE_PARTS);
	struct hold_up h = { 0 };
	struct sink *to;
	struct err e;

	(void)state;
	assert_int_equal(sink_open(&to, "/dev/null", SINK_PLAIN, &e), OK);
	chunks_write(pool, HUGE_PARTS, make_huge, &h, to);
	assert_int_equal(sink_commit(to, &e), OK);
	assert_true(h.seen_bytes <= MOST_BYTES);
	assert_true(h.put_bytes >= (size_t)HUGE_PARTS * HUGE_BYTES);
	pool_free(pool);
}

/* Of a file that fails, as nothing else would end it. */
static void make_endless(void *ctx, uint32_t part, struct sink *to)
{
	_Atomic uint32_t *made = ctx;
	char text[PUT_BYTES] = { 0 };

	(void)part;
	atomic_fetch_add(made, 1);
	while (!sink_failed(to))
		sink_put(to, text, sizeof(text));
}

static void all_workers_stop_when_the_sink_fails(void **state)
{
	static const unsigned workers[] = { 1, 2, WORKERS };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		struct pool *pool = pool_new(workers[i]);
		_Atomic uint32_t made = 0;
		struct sink *to;
		struct err e;

		assert_int_equal(sink_open(&to, "/dev/full", SINK_PLAIN, &e), OK);
		chunks_write(pool, PARTS, make_endless, &made, to);
		assert_true(made <= workers[i]);
		assert_int_equal(sink_commit(to, &e), ERR_OUTPUT);
		pool_free(pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_of_all_sizes_come_out_in_order),
		cmocka_unit_test(without_a_pool_the_output_is_the_same),
		cmocka_unit_test(no_chunks_write_nothing),
		cmocka_unit_test(waiting_chunks_are_bounded_however_long_one_is),
		cmocka_unit_test(all_workers_stop_when_the_sink_fails),
	};

	return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
