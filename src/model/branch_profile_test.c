#include "model/branch_profile.h"

#include "base/buf.h"
#include "base/strtab.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct bed {
	struct strtab *strings;
	struct branch_profile p;
	struct branch_binary *b;
};

static struct module file(struct bed *bed, const char *path, uint8_t build)
{
	return (struct module){ .kind = MODULE_FILE,
		.path = strtab_add_str(bed->strings, path),
		.build_id = { .n = 1, .byte = { build } } };
}

static void begin(struct bed *bed)
{
	struct module m;

	*bed = (struct bed){ .strings = strtab_new() };
	m = file(bed, "/bin/a", 1);
	bed->b = branch_profile_binary(&bed->p, &m, 0, 1);
}

static void end(struct bed *bed)
{
	branch_profile_release(&bed->p);
	strtab_free(bed->strings);
}

static struct branch_row row(uint64_t from, uint64_t to, uint64_t next)
{
	return (struct branch_row){ .from = from, .to = to, .next = next, .count = 1 };
}

static void add(struct bed *bed, struct branch_row r)
{
	branch_profile_add_row(bed->b, &r);
}

/* "1>2 x3 m1" for each edge, and "2-3 x3 e1" for each range. */
static void check(struct bed *bed, enum branch_reading reading, const char *expected)
{
	struct buf b = { 0 };
	uint32_t n, i;
	struct branch_edge *edge = branch_profile_edges(bed->b, reading, &n);
	struct branch_range *range;

	for (i = 0; i < n; i++)
		buf_printf(&b, "%" PRIx64 ">%" PRIx64 " x%" PRIu64 " m%" PRIu64 "\n", edge[i].from,
			edge[i].to, edge[i].count, edge[i].mispredicted);
	range = branch_profile_ranges(bed->b, reading, &n);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%" PRIx64 "-%" PRIx64 " x%" PRIu64 " e%" PRIu64 "\n",
			range[i].start, range[i].end, range[i].count, range[i].entered);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
	free(edge);
	free(range);
}

static void edges_and_ranges_are_sums_of_rows(void **state)
{
	struct bed bed;
	struct branch_row entered = row(9, 2, 5);

	(void)state;
	begin(&bed);
	entered.entered = true;
	entered.mispredicted = 1;
	add(&bed, row(1, 2, 6));
	add(&bed, row(1, 2, 5));
	add(&bed, row(1, 2, BRANCH_NO_NEXT));
	add(&bed, entered);
	add(&bed, entered);
	branch_profile_finish(&bed.p, bed.strings);
	assert_int_equal(bed.b->n, 4);
	check(&bed, BRANCH_RESUMED, "1>2 x3 m0\n9>2 x2 m2\n2-5 x3 e2\n2-6 x1 e0\n");
	end(&bed);
}

static void each_reading_has_its_own_rows_and_those_of_any(void **state)
{
	struct bed bed;
	struct branch_row r = row(1, 2, 5);

	(void)state;
	begin(&bed);
	add(&bed, r);
	r.reading = BRANCH_RESUMED;
	add(&bed, r);
	r.reading = BRANCH_INTERRUPTED;
	r.next = BRANCH_NO_NEXT;
	r.from = BRANCH_ELSEWHERE;
	add(&bed, r);
	r.reading = BRANCH_SAMPLE;
	add(&bed, r);
	branch_profile_finish(&bed.p, bed.strings);
	check(&bed, BRANCH_RESUMED, "1>2 x2 m0\n2-5 x2 e0\n");
	check(&bed, BRANCH_INTERRUPTED, "0>2 x1 m0\n1>2 x1 m0\n2-5 x1 e0\n");
	end(&bed);
}

static void calls_of_the_kernel_are_in_one_reading(void **state)
{
	struct bed bed;
	struct branch_row r = row(1, BRANCH_ELSEWHERE, BRANCH_NO_NEXT);

	(void)state;
	begin(&bed);
	r.to_kernel = true;
	add(&bed, r);
	branch_profile_finish(&bed.p, bed.strings);
	check(&bed, BRANCH_RESUMED, "");
	check(&bed, BRANCH_INTERRUPTED, "1>0 x1 m0\n");
	end(&bed);
}

static void stubs_are_elsewhere_in_one_reading(void **state)
{
	struct bed bed;
	struct branch_row to = row(1, 2, 3), from = row(3, 8, 9), both = row(4, 5, 6);

	(void)state;
	begin(&bed);
	to.to_stub = from.from_stub = both.from_stub = both.to_stub = true;
	add(&bed, to);
	add(&bed, from);
	add(&bed, both);
	branch_profile_finish(&bed.p, bed.strings);
	check(&bed, BRANCH_RESUMED,
		"1>2 x1 m0\n3>8 x1 m0\n4>5 x1 m0\n2-3 x1 e0\n5-6 x1 e0\n8-9 x1 e0\n");
	check(&bed, BRANCH_INTERRUPTED, "0>8 x1 m0\n1>0 x1 m0\n8-9 x1 e0\n");
	end(&bed);
}

static void backward_ranges_are_none(void **state)
{
	struct bed bed;

	(void)state;
	begin(&bed);
	add(&bed, row(1, 5, 2));
	add(&bed, row(1, 5, 5));
	branch_profile_finish(&bed.p, bed.strings);
	check(&bed, BRANCH_RESUMED, "1>5 x2 m0\n5-5 x1 e0\n");
	end(&bed);
}

static void addresses_of_samples_are_apart(void **state)
{
	struct bed bed;
	struct branch_row r = row(BRANCH_ELSEWHERE, 5, BRANCH_NO_NEXT);
	struct branch_address *address;
	uint32_t n;

	(void)state;
	begin(&bed);
	r.reading = BRANCH_SAMPLE;
	r.count = 7;
	add(&bed, r);
	add(&bed, row(1, 5, BRANCH_NO_NEXT));
	branch_profile_finish(&bed.p, bed.strings);
	address = branch_profile_addresses(bed.b, &n);
	assert_int_equal(n, 1);
	assert_int_equal(address[0].address, 5);
	assert_int_equal(address[0].count, 7);
	free(address);
	end(&bed);
}

static void builds_of_a_file_are_apart_and_the_busiest_is_first(void **state)
{
	struct bed bed;
	struct module m;

	(void)state;
	begin(&bed);
	m = file(&bed, "/bin/a", 2);
	branch_profile_binary(&bed.p, &m, 0, 2)->entries = 5;
	m = file(&bed, "/bin/0", 1);
	m.build_id.n = 0;
	branch_profile_binary(&bed.p, &m, 0, 3);
	branch_profile_binary(&bed.p, &m, 1, 9);
	assert_int_equal(bed.p.n, 3);
	branch_profile_finish(&bed.p, bed.strings);
	assert_int_equal(bed.p.binary[0].build_id.byte[0], 2);
	assert_string_equal(strtab_str(bed.strings, bed.p.binary[1].path), "/bin/0");
	assert_int_equal(bed.p.binary[1].recording, 0);
	end(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_and_ranges_are_sums_of_rows),
		cmocka_unit_test(each_reading_has_its_own_rows_and_those_of_any),
		cmocka_unit_test(calls_of_the_kernel_are_in_one_reading),
		cmocka_unit_test(stubs_are_elsewhere_in_one_reading),
		cmocka_unit_test(backward_ranges_are_none),
		cmocka_unit_test(addresses_of_samples_are_apart),
		cmocka_unit_test(builds_of_a_file_are_apart_and_the_busiest_is_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
