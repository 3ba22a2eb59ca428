#include "input/perfdata/evsel_name.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void assert_name(const struct perfdata_attr *a, const char *name)
{
	struct strtab *strings = strtab_new();
	struct perfdata_pmu pmus[] = { { 9, strtab_add_str(strings, "intel_pt") } };
	struct perfdata_features f = { .pmus = pmus, .n_pmus = 1 };
	struct buf b = { 0 };

	evsel_name_append(&b, a, &f, strings);
	assert_string_equal(buf_str(&b), name);
	buf_release(&b);
	strtab_free(strings);
}

static void events_have_the_names_perf_gives_them(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *name;
	} cases[] = {
		{ EVENT_HARDWARE, 0, "cycles" },
		{ EVENT_HARDWARE, 9, "ref-cycles" },
		{ EVENT_HARDWARE, 10, "unknown-hardware-0xa" },
		{ EVENT_HARDWARE, 0x400000001, "instructions" }, /* of one kind of CPU */
		{ EVENT_SOFTWARE, 0, "cpu-clock" },
		{ EVENT_SOFTWARE, 11, "cgroup-switches" },
		{ EVENT_SOFTWARE, 99, "unknown-software-0x63" },
		{ EVENT_TRACEPOINT, 316, "tracepoint-316" },
		{ EVENT_HW_CACHE, 0x000000, "L1-dcache-loads" },
		{ EVENT_HW_CACHE, 0x010000, "L1-dcache-load-misses" },
		{ EVENT_HW_CACHE, 0x010103, "dTLB-store-misses" },
		{ EVENT_HW_CACHE, 0x000206, "node-prefetches" },
		{ EVENT_HW_CACHE, 0x020000, "unknown-cache-0x20000" },
		{ EVENT_HW_CACHE, 0x000300, "unknown-cache-0x300" },
		{ EVENT_HW_CACHE, 0x000007, "unknown-cache-0x7" },
		{ EVENT_RAW, 0x1a8, "raw 0x1a8" },
		{ 9, 0x300, "intel_pt/config=0x300/" },
		{ 77, 0, "unknown attr type: 77" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++)
		assert_name(
			&(struct perfdata_attr){ .type = cases[i].type, .config = cases[i].config },
			cases[i].name);
}

static void modifiers_say_which_levels_are_counted_and_how_precisely(void **state)
{
	(void)state;
	assert_name(
		&(struct perfdata_attr){ .exclude_kernel = true, .exclude_hv = true }, "cycles:u");
	assert_name(
		&(struct perfdata_attr){ .exclude_user = true, .exclude_hv = true }, "cycles:k");
	assert_name(&(struct perfdata_attr){ .exclude_kernel = true }, "cycles:uh");
	assert_name(&(struct perfdata_attr){ .precise_ip = 2 }, "cycles:pp");
	assert_name(&(struct perfdata_attr){ .precise_ip = 3,
			    .exclude_kernel = true,
			    .exclude_hv = true,
			    .exclude_guest = true },
		"cycles:uppp");
	assert_name(&(struct perfdata_attr){ .exclude_guest = true }, "cycles");
	assert_name(&(struct perfdata_attr){ .exclude_host = true }, "cycles:G");
	assert_name(&(struct perfdata_attr){ .type = EVENT_BREAKPOINT,
			    .config1 = 0x1234,
			    .exclude_kernel = true,
			    .exclude_hv = true },
		"mem:0x1234:u");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_have_the_names_perf_gives_them),
		cmocka_unit_test(modifiers_say_which_levels_are_counted_and_how_precisely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
