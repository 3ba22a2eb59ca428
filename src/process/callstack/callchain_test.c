#include "process/callstack/callchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define KERNEL ((uint64_t)-128)
#define USER   ((uint64_t)-512)
#define GUEST  ((uint64_t)-2048)

static void expect(const struct callchain *c, uint32_t at, uint64_t ip, uint8_t mode, bool exact)
{
	struct callchain_address a = callchain_decode(c, c->entry[at]);

	assert_int_equal(a.ip, ip);
	assert_int_equal(a.mode, mode);
	assert_int_equal(a.exact, exact);
}

static void chains_are_outermost_first_with_their_segments(void **state)
{
	static const uint64_t ips[] = { KERNEL, 0xffffffff81000010, 0xffffffff81000020, USER,
		0x401000, 0x402000, 0x7f0000001000 };
	struct callchain c = { 0 };

	(void)state;
	assert_true(callchain_add(&c, (const uint8_t *)ips, 7, false, MODE_KERNEL));
	callchain_finish(&c);
	assert_int_equal(c.n, 5);
	expect(&c, 0, 0x7f0000001000, MODE_USER, false);
	expect(&c, 1, 0x402000, MODE_USER, false);
	expect(&c, 2, 0x401000, MODE_USER, true);
	expect(&c, 3, 0xffffffff81000020, MODE_KERNEL, false);
	expect(&c, 4, 0xffffffff81000010, MODE_KERNEL, true);
	callchain_release(&c);
}

static bool is_outermost(const struct callchain *c, uint32_t at)
{
	return callchain_decode(c, c->entry[at]).outermost;
}

static void the_outermost_return_address_of_user_code_is_known(void **state)
{
	static const uint64_t user[] = { USER, 0x401000, 0x402000, 0x403000 },
			      kernel[] = { KERNEL, 0xffffffff81000010, 0xffffffff81000020 };
	struct callchain c = { 0 };

	(void)state;
	callchain_add(&c, (const uint8_t *)user, 4, false, MODE_USER);
	callchain_finish(&c);
	expect(&c, 0, 0x403000, MODE_USER, false);
	assert_true(is_outermost(&c, 0));
	assert_false(is_outermost(&c, 1));
	callchain_clear(&c);
	callchain_add(&c, (const uint8_t *)user, 2, false, MODE_USER); /* it was running */
	callchain_finish(&c);
	assert_false(is_outermost(&c, 0));
	callchain_clear(&c);
	callchain_add(&c, (const uint8_t *)kernel, 3, false, MODE_USER);
	callchain_finish(&c);
	expect(&c, 0, 0xffffffff81000020, MODE_KERNEL, false);
	assert_false(is_outermost(&c, 0));
	callchain_release(&c);
}

static void addresses_of_any_shape_survive(void **state)
{
	static const uint64_t ips[] = { 0, 1, 0x4141414141414141, 0x00ffffffffffffff,
		0x6000000000401000, 0x0100000000000000, 0xffffffffffffefff, 0x8000000000000000,
		0x9fffffffffffffff, 0xc0100000, 0xff80000000000000, 0x007fffffffffffff };
	static const uint8_t modes[] = { MODE_USER, MODE_KERNEL, MODE_HYPERVISOR };
	struct callchain c = { 0 };
	unsigned i, m, exact;

	(void)state;
	for (i = 0; i < sizeof(ips) / sizeof(*ips); i++)
		for (m = 0; m < 3; m++)
			for (exact = 0; exact < 2; exact++) {
				callchain_clear(&c);
				callchain_add_address(&c, ips[i], modes[m], exact);
				expect(&c, 0, ips[i], modes[m], exact);
			}
	callchain_release(&c);
}

/* A chain of an address twice, of each shape: the first of a segment is exact, and with adjusted
 * all. */
static void check_chain_of(uint64_t ip, uint8_t mode, bool swapped, bool adjusted)
{
	uint64_t ips[2] = { ip, ip };
	struct callchain c = { .adjusted = adjusted };

	if (swapped)
		ips[0] = ips[1] = __builtin_bswap64(ip);
	assert_true(callchain_add(&c, (const uint8_t *)ips, 2, swapped, mode));
	callchain_add_address(&c, ip, mode, true);
	callchain_add_address(&c, ip, mode, adjusted);
	assert_int_equal(c.n, 4);
	assert_true(c.entry[0] == c.entry[2]);
	assert_true(c.entry[1] == c.entry[3]);
	expect(&c, 3, ip, mode, true); /* what is added last is the outermost */
	expect(&c, 2, ip, mode, adjusted);
	callchain_release(&c);
}

static void a_chain_has_the_entries_of_its_addresses(void **state)
{
	static const uint64_t ips[] = { 0, 1, 0x4141414141414141, 0x00ffffffffffffff,
		0x6000000000401000, 0x0100000000000000, 0xffffffffffffefff, 0x8000000000000000,
		0x9fffffffffffffff, 0xc0100000, 0xff80000000000000, 0xff7fffffffffffff,
		0x0080000000000000, 0x007fffffffffffff, 0xffffffff81000010 };
	static const uint8_t modes[] = { MODE_USER, MODE_KERNEL, MODE_HYPERVISOR, MODE_UNKNOWN };
	unsigned i, m, k;

	(void)state;
	for (i = 0; i < sizeof(ips) / sizeof(*ips); i++)
		for (m = 0; m < sizeof(modes); m++)
			for (k = 0; k < 4; k++)
				check_chain_of(ips[i], modes[m], k & 1, k & 2);
}

static void different_addresses_have_different_entries(void **state)
{
	struct callchain c = { 0 };
	unsigned i, j;

	(void)state;
	callchain_add_address(&c, 0x401000, MODE_USER, true);
	callchain_add_address(&c, 0x401000, MODE_USER, false);
	callchain_add_address(&c, 0x401000, MODE_KERNEL, true);
	callchain_add_address(&c, 0x401000, MODE_KERNEL, false);
	callchain_add_address(&c, 0x4000000000401000, MODE_USER, false);
	callchain_add_address(&c, 0x2000000000401000, MODE_USER, false);
	for (i = 0; i < c.n; i++)
		for (j = 0; j < i; j++)
			assert_int_not_equal(c.entry[i], c.entry[j]);
	callchain_release(&c);
}

static void guests_and_unknown_marks_end_the_chain(void **state)
{
	static const uint64_t guest[] = { USER, 0x401000, GUEST, 0x402000 };
	static const uint64_t unknown[] = { (uint64_t)-3000, 0x402000 };
	struct callchain c = { 0 };

	(void)state;
	assert_false(callchain_add(&c, (const uint8_t *)guest, 4, false, MODE_USER));
	assert_int_equal(c.n, 1);
	callchain_clear(&c);
	assert_false(callchain_add(&c, (const uint8_t *)unknown, 2, false, MODE_USER));
	assert_int_equal(c.n, 0);
	callchain_release(&c);
}

static void marks_begin_at_perf_context_max(void **state)
{
	static const uint64_t below[] = { (uint64_t)-4096 };
	static const uint64_t lowest[] = { (uint64_t)-4095 };
	struct callchain c = { 0 };

	(void)state;
	assert_true(callchain_add(&c, (const uint8_t *)below, 1, false, MODE_KERNEL));
	assert_int_equal(c.n, 1);
	assert_false(callchain_add(&c, (const uint8_t *)lowest, 1, false, MODE_KERNEL));
	callchain_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_are_outermost_first_with_their_segments),
		cmocka_unit_test(the_outermost_return_address_of_user_code_is_known),
		cmocka_unit_test(addresses_of_any_shape_survive),
		cmocka_unit_test(a_chain_has_the_entries_of_its_addresses),
		cmocka_unit_test(different_addresses_have_different_entries),
		cmocka_unit_test(guests_and_unknown_marks_end_the_chain),
		cmocka_unit_test(marks_begin_at_perf_context_max),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
