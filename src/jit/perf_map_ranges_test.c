/* Ranges of a perf map, and how much memory they need. */
#include "jit/codemap.h"

#include "base/tmpdir_for_test.h"
#include "base/mem.h"
#include "jit/jit_load_for_test.h"

#include <stdio.h>
#include <sys/resource.h>

static void put(
	struct perf_map_ranges *l, uint64_t start, uint64_t end, uint64_t offset, uint32_t function)
{
	perf_map_ranges_put(
		l, &(struct perf_map_range){
			   .start = start, .end = end, .offset = offset, .function = function });
}

static uint64_t memory_bytes(const struct perf_map_ranges *l)
{
	uint64_t n = (uint64_t)l->cap_blocks * sizeof(*l->block);
	uint32_t i;

	for (i = 0; i < l->n_blocks; i++)
		n += (uint64_t)l->block[i].cap * 16;
	return n;
}

/* "START-END:PLACE" for each range, with "!" where it is of several, "+" where it is of one
 * again. */
static void expect(const struct perf_map_ranges *l, const char *expected)
{
	struct buf text = { 0 };
	struct perf_map_range_pos at;
	struct perf_map_range r = { 0 };

	for (; perf_map_ranges_find(l, r.end, &at);) {
		r = perf_map_ranges_get(l, at);
		buf_printf(&text, "%s%lx-%lx:%lx%s", text.n ? " " : "", (unsigned long)r.start,
			(unsigned long)r.end, (unsigned long)r.offset,
			r.ambiguous ? "!"
			: r.reused  ? "+"
				    : "");
	}
	assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
}

static void the_rest_of_a_line_stays(void **state)
{
	struct perf_map_ranges l = { 0 };

	(void)state;
	expect(&l, "");
	put(&l, 0x100, 0x200, 1, 1);
	put(&l, 0x140, 0x160, 2, 2);
	expect(&l, "100-140:1 140-160:2! 160-200:1");
	put(&l, 0x80, 0x150, 3, 1);
	expect(&l, "80-100:3 100-140:3+ 140-150:3! 150-160:2! 160-200:1");
	put(&l, 0x80, 0x200, 4, 4);
	expect(&l, "80-200:4!");
	assert_int_equal(l.overwritten_bytes, 0x20 + 0x50 + 0x180);
	perf_map_ranges_release(&l);
}

static void ranges_may_cross_4_gib(void **state)
{
	struct perf_map_ranges l = { 0 };

	(void)state;
	put(&l, 0x1fffffff0, 0x200000010, 1, 1);
	put(&l, 0x1fffffff0, 0x200000000, 2, 1);
	expect(&l, "1fffffff0-200000000:2+ 200000000-200000010:1");
	put(&l, 0x100000000, 0x1ffffffff, 3, 1);
	put(&l, 0x1fffffff8, 0x2fffffff7, 4, 1);
	expect(&l, "100000000-1fffffff0:3 1fffffff0-1fffffff8:3+ 1fffffff8-200000010:4+ "
		   "200000010-2fffffff7:4");
	put(&l, 0xffffffff00000000, UINT64_MAX, 5, 1);
	expect(&l, "100000000-1fffffff0:3 1fffffff0-1fffffff8:3+ 1fffffff8-200000010:4+ "
		   "200000010-2fffffff7:4 ffffffff00000000-ffffffffffffffff:5");
	perf_map_ranges_release(&l);
}

/* 300,000 ranges: up, down, from both ends, and in mixed order. */
static void any_order_gives_the_same_ranges(void **state)
{
	enum { N = 300007 };
	static const uint64_t steps[] = { 1, N - 1, N / 2, 7919 };
	size_t k;

	(void)state;
	for (k = 0; k < ARRAY_LEN(steps); k++) {
		struct perf_map_ranges l = { 0 };
		struct perf_map_range_pos at;
		uint64_t i;

		for (i = 0; i < N; i++)
			put(&l, i * steps[k] % N * 0x10000, i * steps[k] % N * 0x10000 + 16, i, 1);
		assert_int_equal(l.n, N);
		for (i = 0; i < N; i++) {
			assert_true(perf_map_ranges_find(&l, i * steps[k] % N * 0x10000 + 15, &at));
			assert_int_equal(perf_map_ranges_get(&l, at).offset, i);
		}
		assert_true(memory_bytes(&l) <= 24 * (uint64_t)N + 72 * (N * 0x10000ul >> 32));
		put(&l, 0x8000, 0xf0000000, N, 1);
		assert_true(l.n < N - 0xeff0);
		perf_map_ranges_release(&l);
	}
}

/* A line over many others costs no more than they did. */
static void a_line_over_many_is_one_range(void **state)
{
	struct perf_map_ranges l = { 0 };
	uint64_t i;

	(void)state;
	for (i = 0; i < 5000; i++)
		put(&l, 0x1000 + 32 * i, 0x1010 + 32 * i, i, 1);
	for (i = 0; i < 5000; i++)
		put(&l, 0x1000, 0x1000 + 32 * 5000, 5000 + i, 1);
	expect(&l, "1000-28100:270f+");
	put(&l, 0x1000, 0x2000, 10000, 2);
	expect(&l, "1000-2000:2710! 2000-28100:270f+");
	perf_map_ranges_release(&l);
}

/* ---- the bound in jit.h ------------------------------------------------------------------- */

enum {
	LINES = 1000 * 1000,
	CODE = 0x10000000,
	CODE_BYTES = 8 << 20, /* that a runtime reuses */
	HEAP = 0x40000000,
};

/* Code and bytecode in turn, as V8 lists them. */
static uint64_t write_map(const char *path)
{
	FILE *out = fopen(path, "w");
	uint64_t i, code = 0, size, heap = HEAP, bytes;

	assert_non_null(out);
	for (i = 0; i < LINES; i += 2) {
		size = 64 + i * 7919 % 1000;
		if (code + size > CODE_BYTES)
			code = 0;
		fprintf(out, "%lx %lx JS:~function%lu /srv/app/lib/module.js:%lu:17\n",
			(unsigned long)heap, 32ul, (unsigned long)i, (unsigned long)i);
		fprintf(out, "%lx %lx JS:*function%lu /srv/app/lib/module.js:%lu:17\n",
			(unsigned long)(CODE + code), (unsigned long)size, (unsigned long)i,
			(unsigned long)i);
		code += (size + 63) & ~UINT64_C(63);
		heap += 40;
	}
	bytes = (uint64_t)ftell(out);
	fclose(out);
	return bytes;
}

static uint64_t peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)u.ru_maxrss * 1024;
}

/* A sanitizer keeps memory that was freed. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static void memory_grows_with_named_ranges_not_with_the_map(void **state)
{
	static const struct codemap_range range = { CODE, CODE + CODE_BYTES };
	static const struct codemap_ranges exec = { &range, 1 };
	char *path = tmpdir_path(state, "perf-7.map");
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	uint64_t map_bytes = write_map(path), before = peak_bytes();
	struct diag diag = { 0 };
	struct codemap *m;
	struct err e = { 0 };

	assert_true(map_bytes > 60 * 1000 * 1000);
	assert_int_equal(load_map_at(path, &m, frames, &diag,
				 &(struct perf_map_opts){ .pid = 7, .exec = &exec }, &e),
		OK);
	assert_int_equal(codemap_facts(m).entries, LINES / 2);
	assert_true(m->code.n <= CODE_BYTES / 64);
	assert_int_equal(m->bytecode.n, 0);
	assert_int_equal(m->source.whole.n, 0);
	assert_true(memory_bytes(&m->code) <= 24 * m->code.n + 72);
	if (!SANITIZED)
		assert_in_range(peak_bytes() - before, 0, 8 << 20);
	codemap_free(m);
	frames_free(frames);
	strtab_free(strings);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(memory_grows_with_named_ranges_not_with_the_map), /* first: by the peak */
		IN_TMPDIR(the_rest_of_a_line_stays),
		IN_TMPDIR(ranges_may_cross_4_gib),
		IN_TMPDIR(any_order_gives_the_same_ranges),
		IN_TMPDIR(a_line_over_many_is_one_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
