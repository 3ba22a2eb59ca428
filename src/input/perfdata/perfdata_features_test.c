#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct fixture {
	struct strtab *strings;
	struct perfdata_features f;
	struct buf b; /* the section */
	bool swapped;
};

static struct fixture t;

static int end(void **state)
{
	(void)state;
	perfdata_features_release(&t.f);
	strtab_free(t.strings);
	buf_release(&t.b);
	t = (struct fixture){ 0 };
	return 0;
}

/* Empty it; from here on, numbers have our byte order or the other one. */
static void restart(bool swapped)
{
	end(NULL);
	t.strings = strtab_new();
	t.swapped = swapped;
}

static int begin(void **state)
{
	(void)state;
	restart(false);
	return 0;
}

#define FEATURES_TEST(t) cmocka_unit_test_setup_teardown(t, begin, end)

static void u32(uint32_t v)
{
	buf_u32(&t.b, t.swapped, v);
}

static void u64(uint64_t v)
{
	buf_u64(&t.b, t.swapped, v);
}

static void text(const char *s)
{
	buf_section_string(&t.b, t.swapped, s);
}

/* Hand over a copy of exactly n bytes, so that reading past it is seen. */
static bool add_front(unsigned bit, size_t n)
{
	uint8_t *copy = xmemdup(t.b.n ? t.b.p : "", n);
	bool ok = perfdata_features_add(&t.f, t.strings, bit, copy, n, t.swapped);

	free(copy);
	return ok;
}

static bool add(unsigned bit)
{
	return add_front(bit, t.b.n);
}

static void assert_every_cut_is_damage(unsigned bit)
{
	size_t n;

	for (n = 0; n < t.b.n; n++)
		if (add_front(bit, n))
			fail_msg("cut at %zu of %zu was taken", n, t.b.n);
}

static const char *str(str_id id)
{
	return strtab_str(t.strings, id);
}

static void strings_are_read_in_both_byte_orders(void **state)
{
	static const struct {
		unsigned bit;
		size_t at;
	} cases[] = {
		{ FEATURE_HOSTNAME, offsetof(struct perfdata_features, hostname) },
		{ FEATURE_OSRELEASE, offsetof(struct perfdata_features, os_release) },
		{ FEATURE_VERSION, offsetof(struct perfdata_features, version) },
		{ FEATURE_ARCH, offsetof(struct perfdata_features, arch) },
		{ FEATURE_CPUDESC, offsetof(struct perfdata_features, cpu_desc) },
		{ FEATURE_CPUID, offsetof(struct perfdata_features, cpuid) },
	};
	size_t i;
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		for (i = 0; i < ARRAY_LEN(cases); i++) {
			restart(swapped);
			text("a text");
			assert_true(add(cases[i].bit));
			assert_string_equal(str(*(str_id *)((char *)&t.f + cases[i].at)), "a text");
			assert_every_cut_is_damage(cases[i].bit);
		}
	}
}

static void wrong_lengths_of_strings_are_damage(void **state)
{
	static const struct {
		uint32_t length;
		bool ok;
		const char *text;
	} cases[] = {
		{ 0, true, "" },
		{ 4, true, "abcd" }, /* no NUL */
		{ 8, true, "abcdef" },
		{ 9, false, "" },
		{ 0x80000000, false, "" },
		{ UINT32_MAX, false, "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		restart(false);
		u32(cases[i].length);
		buf_put(&t.b, "abcdef\0\0", 8);
		assert_int_equal(add(FEATURE_HOSTNAME), cases[i].ok);
		assert_string_equal(str(t.f.hostname), cases[i].text);
	}
}

static void the_command_line_is_joined(void **state)
{
	(void)state;
	u32(3);
	text("/usr/bin/perf");
	text("record");
	text("-g");
	assert_true(add(FEATURE_CMDLINE));
	assert_string_equal(str(t.f.cmdline), "/usr/bin/perf record -g");
	assert_every_cut_is_damage(FEATURE_CMDLINE);
}

static void numbers_are_read_in_both_byte_orders(void **state)
{
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		restart(swapped);
		u32(8), u32(6);
		assert_true(add(FEATURE_NRCPUS));
		assert_every_cut_is_damage(FEATURE_NRCPUS);
		assert_true(add_front(FEATURE_NRCPUS, 8));
		assert_int_equal(t.f.cpus_available, 8);
		assert_int_equal(t.f.cpus_online, 6);
		t.b.n = 0;
		u64(1000), u64(2000);
		assert_true(add(FEATURE_SAMPLE_TIME));
		assert_int_equal(t.f.first_sample_ns, 1000);
		assert_int_equal(t.f.last_sample_ns, 2000);
		t.b.n = 0;
		u32(1), u32(4), u64(1700000000), u64(55);
		assert_true(add(FEATURE_CLOCK_DATA));
		assert_true(t.f.clock_data.known);
		assert_int_equal(t.f.clock_data.clockid, 4);
		assert_int_equal(t.f.clock_data.wall_ns, 1700000000);
		assert_int_equal(t.f.clock_data.clock_ns, 55);
		t.b.n = 0;
		u32(1), u32(1), u32(3), u32(5), u32(528384);
		assert_true(add(FEATURE_COMPRESSED));
		assert_int_equal(t.f.compressed.ratio, 5);
		assert_int_equal(t.f.compressed.mmap_bytes, 528384);
		t.b.n = 0;
		u64(0x1234567890);
		assert_true(add(FEATURE_TOTAL_MEM));
		assert_true(add(FEATURE_CLOCKID));
		assert_true(add(FEATURE_DIR_FORMAT));
		assert_int_equal(t.f.total_mem_kib, 0x1234567890);
		assert_int_equal(t.f.clock_resolution_ns, 0x1234567890);
		assert_int_equal(t.f.dir_version, 0x1234567890);
		t.b.n = 0;
		u32(62), u32(0);
		assert_true(add(FEATURE_E_MACHINE));
		assert_int_equal(t.f.e_machine, 62);
	}
}

static void put_event(uint32_t type, uint64_t config, const char *name, uint32_t n_ids)
{
	uint32_t i;

	u32(type), u32(64), u64(config);
	for (i = 0; i < 6; i++)
		u64(0);
	u32(n_ids);
	text(name);
	for (i = 0; i < n_ids; i++)
		u64(i);
}

static void events_are_listed_with_their_names(void **state)
{
	(void)state;
	u32(2), u32(64);
	put_event(EVENT_SOFTWARE, 1, "task-clock:u", 2);
	put_event(EVENT_TRACEPOINT, 316, "sched:sched_switch", 0);
	assert_true(add(FEATURE_EVENT_DESC));
	assert_int_equal(t.f.n_events, 2);
	assert_string_equal(str(t.f.events[0].name), "task-clock:u");
	assert_int_equal(t.f.events[1].type, EVENT_TRACEPOINT);
	assert_int_equal(t.f.events[1].config, 316);
	assert_string_equal(str(t.f.events[1].name), "sched:sched_switch");
	assert_every_cut_is_damage(FEATURE_EVENT_DESC);
}

static void what_comes_before_the_damage_in_a_list_is_kept(void **state)
{
	(void)state;
	u32(0x80000000), u32(64);
	put_event(EVENT_SOFTWARE, 1, "task-clock", 0);
	assert_false(add(FEATURE_EVENT_DESC));
	assert_int_equal(t.f.n_events, 1);
	restart(false);
	u32(1), u32(64);
	put_event(EVENT_SOFTWARE, 1, "task-clock", 0);
	t.b.n -= 64 + 4 + 4;
	u32(0x20000001); /* ids that would need 4 GiB and 8 bytes */
	text("task-clock");
	assert_false(add(FEATURE_EVENT_DESC));
	assert_int_equal(t.f.n_events, 0);
	restart(false);
	u32(1), u32(0); /* attributes of 0 bytes */
	assert_false(add(FEATURE_EVENT_DESC));
}

static void pmus_and_groups_are_listed(void **state)
{
	(void)state;
	u32(2), u32(4), text("cpu"), u32(9), text("intel_pt");
	assert_true(add(FEATURE_PMU_MAPPINGS));
	assert_int_equal(t.f.n_pmus, 2);
	assert_int_equal(t.f.pmus[1].type, 9);
	assert_string_equal(str(t.f.pmus[1].name), "intel_pt");
	assert_every_cut_is_damage(FEATURE_PMU_MAPPINGS);
	t.b.n = 0;
	u32(1), text("{anon_group}"), u32(1), u32(2);
	assert_true(add(FEATURE_GROUP_DESC));
	assert_int_equal(t.f.n_groups, 1);
	assert_int_equal(t.f.groups[0].leader, 1);
	assert_int_equal(t.f.groups[0].n_members, 2);
	assert_every_cut_is_damage(FEATURE_GROUP_DESC);
}

enum { WITH_PID = 1, SIZE_BIT = 1 << 15 };

static void put_build_id(uint16_t misc, unsigned with_pid, uint8_t size, const char *path)
{
	size_t n = strlen(path) + 1, padded = (n + 63) & ~(size_t)63;
	unsigned i;

	buf_u32(&t.b, t.swapped, 0);
	buf_u16(&t.b, t.swapped, misc);
	buf_u16(&t.b, t.swapped, (uint16_t)(8 + (with_pid ? 4 : 0) + 24 + padded));
	if (with_pid)
		u32((uint32_t)-1);
	for (i = 0; i < 20; i++)
		buf_putc(&t.b, (char)(0x11 + i));
	buf_putc(&t.b, (char)size);
	buf_put(&t.b, "\0\0\0", 3);
	buf_put(&t.b, path, n);
	while (n++ < padded)
		buf_putc(&t.b, '\0');
}

static void build_ids_are_listed_with_path_and_mode(void **state)
{
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		restart(swapped);
		put_build_id(CPUMODE_KERNEL | SIZE_BIT, WITH_PID, 20, "[kernel.kallsyms]");
		put_build_id(CPUMODE_USER | SIZE_BIT, WITH_PID, 16, "/usr/bin/node");
		put_build_id(CPUMODE_USER | SIZE_BIT, WITH_PID, 21, "/usr/bin/lie");
		put_build_id(CPUMODE_USER, WITH_PID, 0, "/usr/bin/old");
		assert_true(add(FEATURE_BUILD_ID));
		assert_int_equal(t.f.n_build_ids, 4);
		assert_int_equal(t.f.build_ids[0].cpumode, CPUMODE_KERNEL);
		assert_int_equal(t.f.build_ids[0].pid, -1);
		assert_int_equal(t.f.build_ids[0].id.n, 20);
		assert_int_equal(t.f.build_ids[0].id.byte[19], 0x24);
		assert_string_equal(str(t.f.build_ids[0].path), "[kernel.kallsyms]");
		assert_int_equal(t.f.build_ids[1].id.n, 16);
		assert_string_equal(str(t.f.build_ids[1].path), "/usr/bin/node");
		assert_int_equal(t.f.build_ids[2].id.n, 0);
		assert_int_equal(t.f.build_ids[3].id.n, 20);
	}
}

/* The first versions had no pid in these records. */
static void build_ids_of_an_old_perf_are_recognized_by_the_name_of_the_kernel(void **state)
{
	(void)state;
	put_build_id(CPUMODE_USER, 0, 0, "/usr/bin/node");
	put_build_id(CPUMODE_KERNEL, 0, 0, "[kernel.kallsyms]");
	assert_true(add(FEATURE_BUILD_ID));
	assert_int_equal(t.f.n_build_ids, 2);
	assert_string_equal(str(t.f.build_ids[0].path), "/usr/bin/node");
	assert_string_equal(str(t.f.build_ids[1].path), "[kernel.kallsyms]");
	assert_int_equal(t.f.build_ids[1].pid, -1);
	assert_int_equal(t.f.build_ids[1].id.byte[0], 0x11);
}

static void build_ids_with_wrong_sizes_end_the_list(void **state)
{
	static const uint16_t sizes[] = { 0, 7, 8, 35, 36, 5000 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		size_t second;

		restart(false);
		put_build_id(CPUMODE_USER, WITH_PID, 0, "/usr/bin/node");
		second = t.b.n;
		put_build_id(CPUMODE_USER, WITH_PID, 0, "/usr/bin/lie");
		memcpy(t.b.p + second + 6, &sizes[i], 2);
		assert_false(add(FEATURE_BUILD_ID));
		assert_int_equal(t.f.n_build_ids, 1);
	}
}

static void sections_that_we_do_not_use_are_no_damage(void **state)
{
	(void)state;
	u32(UINT32_MAX);
	assert_true(add(FEATURE_BRANCH_STACK));
	assert_true(add(200));
	assert_false(perfdata_features_used(FEATURE_BRANCH_STACK));
	assert_true(perfdata_features_used(FEATURE_HOSTNAME));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FEATURES_TEST(strings_are_read_in_both_byte_orders),
		FEATURES_TEST(wrong_lengths_of_strings_are_damage),
		FEATURES_TEST(the_command_line_is_joined),
		FEATURES_TEST(numbers_are_read_in_both_byte_orders),
		FEATURES_TEST(events_are_listed_with_their_names),
		FEATURES_TEST(what_comes_before_the_damage_in_a_list_is_kept),
		FEATURES_TEST(pmus_and_groups_are_listed),
		FEATURES_TEST(build_ids_are_listed_with_path_and_mode),
		FEATURES_TEST(build_ids_of_an_old_perf_are_recognized_by_the_name_of_the_kernel),
		FEATURES_TEST(build_ids_with_wrong_sizes_end_the_list),
		FEATURES_TEST(sections_that_we_do_not_use_are_no_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
