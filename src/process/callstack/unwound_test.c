#include "process/callstack/unwound.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "process/callstack/callchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct {
	uint64_t ip;
	bool exact;
	uint64_t bytecode;
} frames[] = {
	{ 0x401000, true, 0 },
	{ 0x402000, false, 0 },
	{ 0x403000, true, 0 }, /* the trampoline of a signal, */
	{ 0x404000, true, 0 }, /* and what it interrupted */
	{ 0x405000, false, 0x7f0000001234 },
	{ 0x406000, true, 0x7f0000005678 },
	{ 0x407000, false, 0x7f0000009abc },
	{ 0x408000, false, 0 },
};

static void put_word(struct buf *b, uint64_t word, bool swapped)
{
	uint8_t p[8];

	bytes_put(p, word, 8, swapped);
	buf_put(b, p, 8);
}

static uint32_t words(const struct buf *b)
{
	return (uint32_t)(b->n / 8);
}

static void expect_frames(struct unwound_reader *r, unsigned from)
{
	struct unwound_address a;
	unsigned i;

	for (i = from; i < ARRAY_LEN(frames); i++) {
		assert_true(unwound_next(r, &a));
		assert_int_equal(a.ip, frames[i].ip);
		assert_int_equal(a.exact, frames[i].exact);
		assert_int_equal(a.bytecode, frames[i].bytecode);
		assert_int_equal(a.mode, MODE_USER);
		assert_int_equal(bytes_u64(r->ips + (size_t)a.at * 8, r->swapped), a.ip);
	}
	assert_false(unwound_next(r, &a));
	assert_false(r->unknown_mark);
}

static void frames_are_read_as_they_were_put(void **state)
{
	unsigned swapped, from, i;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++)
		for (from = 0; from < ARRAY_LEN(frames); from++) {
			struct buf b = { 0 };
			struct unwound_reader r;

			if (!frames[from].exact)
				continue;
			for (i = from; i < ARRAY_LEN(frames); i++)
				unwound_put_frame(&b, frames[i].ip, frames[i].exact,
					frames[i].bytecode, swapped);
			r = unwound_read((uint8_t *)b.p, words(&b), swapped);
			expect_frames(&r, from);
			buf_release(&b);
		}
}

static void frames_follow_those_of_the_kernel(void **state)
{
	struct buf b = { 0 };
	struct unwound_reader r;
	struct unwound_address a;

	(void)state;
	put_word(&b, CALLCHAIN_KERNEL, false);
	put_word(&b, 0xffffffff81000010, false);
	put_word(&b, 0xffffffff81000020, false);
	unwound_put_frame(&b, 0x401000, true, 0, false);
	r = unwound_read((uint8_t *)b.p, words(&b), false);
	assert_true(unwound_next(&r, &a));
	assert_int_equal(a.mode, MODE_KERNEL);
	assert_true(a.exact);
	assert_true(unwound_next(&r, &a));
	assert_int_equal(a.mode, MODE_KERNEL);
	assert_false(a.exact);
	assert_true(unwound_next(&r, &a));
	assert_int_equal(a.mode, MODE_USER);
	assert_true(a.exact);
	buf_release(&b);
}

static void each_end_is_taken_off_as_it_was_put(void **state)
{
	unsigned swapped, end;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++)
		for (end = 0; end <= UNWIND_LOST; end++) {
			enum unwind_end got;
			struct buf b = { 0 };
			uint32_t n;

			unwound_put_frame(&b, 0x401000, true, 0, swapped);
			unwound_put_end(&b, (enum unwind_end)end, swapped);
			n = words(&b);
			assert_true(unwound_take_end((uint8_t *)b.p, &n, swapped, &got));
			assert_int_equal(n, 2);
			assert_int_equal(got, end);
			buf_release(&b);
		}
}

static void a_chain_without_an_end_stays_whole(void **state)
{
	static const uint64_t chains[][3] = {
		{ CALLCHAIN_USER, CALLCHAIN_USER, 0x401000 },
		{ 0x401000, CALLCHAIN_USER, CALLCHAIN_USER },
		{ CALLCHAIN_HYPERVISOR, CALLCHAIN_HYPERVISOR, CALLCHAIN_HYPERVISOR },
		{ CALLCHAIN_USER, CALLCHAIN_USER, (uint64_t)-2048 },
	};
	enum unwind_end end;
	uint32_t n;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(chains); i++) {
		n = 3;
		assert_false(unwound_take_end((const uint8_t *)chains[i], &n, false, &end));
		assert_int_equal(n, 3);
	}
	n = 2;
	assert_false(unwound_take_end((const uint8_t *)chains[0], &n, false, &end));
}

static void any_words_are_read_to_their_end(void **state)
{
	static const uint64_t words_of[] = { CALLCHAIN_USER, CALLCHAIN_KERNEL, CALLCHAIN_HYPERVISOR,
		(uint64_t)-2048, 0x401000, 0 };
	uint64_t chain[6];
	uint32_t number, i, rest, n, steps;

	(void)state;
	for (number = 0; number < 46656; number++) { /* 6 to the power of 6 */
		struct unwound_reader r;
		struct unwound_address a;

		for (i = 0, rest = number; i < 6; i++, rest /= 6)
			chain[i] = words_of[rest % 6];
		for (n = 0; n <= 6; n++) {
			r = unwound_read((const uint8_t *)chain, n, false);
			for (steps = 0; unwound_next(&r, &a); steps++)
				assert_true(a.at < n);
			assert_true(steps <= n);
			assert_true(r.unknown_mark || r.at == n);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_read_as_they_were_put),
		cmocka_unit_test(frames_follow_those_of_the_kernel),
		cmocka_unit_test(each_end_is_taken_off_as_it_was_put),
		cmocka_unit_test(a_chain_without_an_end_stays_whole),
		cmocka_unit_test(any_words_are_read_to_their_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
