#include "jit/jit_bed_for_test.h"
#include "jit/jitdump_for_test.h"
#include "model/names/v8_name.h"
#include "jit/jit_load_for_test.h"

static const struct jit_clock monotonic = { .monotonic = true };
static const struct jit_clock other_clock = { .monotonic = false };

/* Takes the dump over. The map before is dropped. */
static int try_load(struct jit_bed *b, struct test_dump *d, const struct jit_clock *clock)
{
	char *path = tmpdir_path(&b->dir, "jit-7.dump");
	int rc;

	jit_bed_reset(b);
	tmpdir_write(path, buf_span(&d->b));
	buf_release(&d->b);
	rc = load_dump_at(path, &b->map, b->frames, &b->diag, clock, &b->err);
	free(path);
	return rc;
}

static void load(struct jit_bed *b, struct test_dump *d, const struct jit_clock *clock)
{
	assert_int_equal(try_load(b, d, clock), OK);
}

#define SECOND UINT64_C(1000000000)

/* ---- who owned an address, when ----------------------------------------------------------- */

static void an_address_belongs_to_the_last_code_placed_before_the_sample(void **state)
{
	struct jit_bed *b = *state;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		struct test_dump d = dump_begin(swapped, 7, 0);

		dump_load(&d, 1 * SECOND, 0x10000, 0x100, "first");
		dump_load(&d, 3 * SECOND, 0x10040, 0x20, "second");
		dump_close(&d, 9 * SECOND);
		load(b, &d, &monotonic);
		assert_string_equal(jit_bed_name(b, 0x10050, 1 * SECOND), "first");
		assert_string_equal(jit_bed_name(b, 0x10050, 3 * SECOND - 20000000), "first");
		assert_string_equal(jit_bed_name(b, 0x10050, 3 * SECOND), "second");
		assert_string_equal(jit_bed_name(b, 0x1003f, 9 * SECOND), "first");
		assert_string_equal(jit_bed_name(b, 0x10060, 9 * SECOND), "first");
		assert_string_equal(jit_bed_name(b, 0x10100, 9 * SECOND), "-");
		assert_string_equal(jit_bed_name(b, 0xffff, 9 * SECOND), "-");
		assert_true(codemap_facts(b->map).timed);
		assert_int_equal(codemap_facts(b->map).entries, 2);
		assert_int_equal(b->diag.count[DIAG_BAD_JIT_RECORD], 0);
	}
}

static void moved_code_is_found_at_both_addresses_in_its_time(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_load(&d, 1 * SECOND, 0x10000, 0x40, "mover");
	dump_load(&d, 1 * SECOND, 0x20000, 0x40, "stayer");
	dump_move(&d, 2 * SECOND, 0x10000, 0x20000, 0x40, 0);
	dump_load(&d, 3 * SECOND, 0x10000, 0x40, "tenant");
	dump_move(&d, 4 * SECOND, 0x20000, 0x30000, 0x40, 0);
	load(b, &d, &monotonic);
	EXPECT_NAMES(b, { 0x20010, 1 * SECOND, "stayer" }, { 0x20010, 2 * SECOND, "mover" },
		{ 0x10010, 2 * SECOND, "mover" } /* it may still run there */,
		{ 0x10010, 3 * SECOND, "tenant" }, { 0x30010, 5 * SECOND, "mover" },
		{ 0x30010, 3 * SECOND, "-" });
}

static void records_need_not_be_in_the_order_of_time(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_load(&d, 3 * SECOND, 0x10000, 0x40, "later");
	dump_load(&d, 1 * SECOND, 0x10000, 0x40, "earlier");
	dump_load(&d, 1 * SECOND, 0x10000, 0x40, "at the same time");
	load(b, &d, &monotonic);
	EXPECT_NAMES(
		b, { 0x10010, 2 * SECOND, "at the same time" }, { 0x10010, 4 * SECOND, "later" });
}

static void code_is_found_ten_milliseconds_before_its_record(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_load(&d, 5 * SECOND, 0x10000, 0x40, "f");
	load(b, &d, &monotonic);
	EXPECT_NAMES(b, { 0x10010, 5 * SECOND - 10000000, "f" },
		{ 0x10010, 5 * SECOND - 10000001, "-" });
	assert_true(codemap_knows(b->map, 0x10010));
	assert_false(codemap_knows(b->map, 0x10040));
}

static void without_a_common_clock_the_last_code_is_the_answer(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_load(&d, 5 * SECOND, 0x10000, 0x40, "first");
	dump_load(&d, 1 * SECOND, 0x10000, 0x20, "second");
	load(b, &d, &other_clock);
	assert_false(codemap_facts(b->map).timed);
	EXPECT_NAMES(b, { 0x10010, 0, "second" }, { 0x10030, UINT64_MAX, "first" });
}

static void values_of_the_cpu_counter_are_converted_to_time(void **state)
{
	struct jit_bed *b = *state;
	const struct jit_clock clock = {
		.counter = { .known = true, .zero = 100 * SECOND, .mult = 1 << 9, .shift = 10 }
	};
	/* Of 16 bits, and 0x1fff0 when it was set in relation to time. */
	const struct jit_clock wraps = {
		.counter = { .known = true, .mult = SECOND, .cycles = 0x1fff0, .mask = 0xffff }
	};
	struct test_dump d = dump_begin(false, 7, 1);

	dump_load(&d, 2 * SECOND + 1, 0x10000, 0x40, "f");
	dump_load(&d, 4 * SECOND, 0x10000, 0x40, "g");
	load(b, &d, &clock);
	assert_true(codemap_facts(b->map).timed);
	EXPECT_NAMES(b, { 0x10000, 101 * SECOND, "f" }, { 0x10000, 102 * SECOND, "g" });
	d = dump_begin(false, 7, 1);
	dump_load(&d, 0x0010, 0x10000, 0x40, "after");
	dump_load(&d, 0xfff8, 0x10000, 0x40, "before");
	load(b, &d, &wraps);
	EXPECT_NAMES(b, { 0x10000, 0x1fff7 * SECOND, "-" }, { 0x10000, 0x1fff8 * SECOND, "before" },
		{ 0x10000, 0x20010 * SECOND, "after" });
	d = dump_begin(false, 7, 1);
	dump_load(&d, 1, 0x10000, 0x40, "f");
	load(b, &d, &monotonic);
	assert_false(codemap_facts(b->map).timed); /* counts, and nothing to turn them with */
}

/* ---- names -------------------------------------------------------------------------------- */

static void a_frame_has_the_file_of_its_name_or_of_its_lines(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	const struct frame *f;

	dump_lines(&d, 0x10000, "/lib/internal.js", 99);
	dump_load(&d, 1, 0x10000, 0x40, "JS:*fib /srv/app.js:5:13");
	dump_lines(&d, 0x20000, "Fib.java", 20);
	dump_unwinding(&d, "", "");
	dump_load(&d, 1, 0x20000, 0x40, "int Fib.fib(int)");
	dump_lines(&d, 0x50000, "Other.java", 20);
	dump_load(&d, 1, 0x30000, 0x40, "stub");
	dump_load(&d, 1, 0x40000, 0x40, "caf\xc3\xa9 \xff");
	load(b, &d, &monotonic);
	f = jit_bed_frame(b, 0x10010, 1);
	assert_int_equal(f->kind, FRAME_JIT);
	assert_string_equal(strtab_str(b->strings, f->module), "jit-7.dump");
	assert_string_equal(strtab_str(b->strings, f->file), "/srv/app.js");
	assert_int_equal(f->line, 5);
	assert_int_equal(f->tier, V8_TURBOFAN);
	f = jit_bed_frame(b, 0x20010, 1);
	assert_string_equal(strtab_str(b->strings, f->file), "Fib.java");
	assert_int_equal(f->line, 20);
	assert_int_equal(jit_bed_frame(b, 0x30010, 1)->file, 0); /* those lines were another's */
	assert_string_equal(jit_bed_name(b, 0x40010, 1), "caf\xc3\xa9 \xff");
}

static void with_lines_a_frame_has_the_line_of_its_address(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_lines(&d, 0x10000, "Fib.java", 20);
	dump_load(&d, 1, 0x10000, 0x40, "int Fib.fib(int)");
	dump_lines_at(&d, 0x20000, 0x20040, "/srv/app.js", 5); /* as V8 does */
	dump_load(&d, 1, 0x20000, 0x40, "JS:*fib /srv/app.js:5:13");
	dump_move(&d, 2, 0x10000, 0x30000, 0x40, 0);
	dump_load(&d, 1, 0x40000, 0x40, "stub");
	load(b, &d, &monotonic);
	assert_int_equal(jit_bed_frame(b, 0x10000, 1)->at_line, 0);
	codemap_enable_lines(b->map, true);
	assert_int_equal(jit_bed_frame(b, 0x10003, 1)->at_line, 20);
	assert_int_equal(jit_bed_frame(b, 0x10004, 1)->at_line, 21);
	assert_int_equal(jit_bed_frame(b, 0x10004, 1)->line, 20);
	assert_int_equal(jit_bed_frame(b, 0x20000, 1)->at_line, 5);
	assert_int_equal(jit_bed_frame(b, 0x2003f, 1)->at_line, 6);
	assert_int_equal(jit_bed_frame(b, 0x40000, 1)->at_line, 0);
	assert_int_equal(jit_bed_frame(b, 0x30005, SECOND)->at_line, 21);
}

static void expect_line(struct jit_bed *b, const struct codemap_lines *lines, uint64_t offset,
	const char *name, uint32_t number)
{
	str_id file;
	uint32_t line;

	assert_true(codemap_find_line(lines, offset, &file, &line));
	assert_string_equal(strtab_str(b->strings, file), name);
	assert_int_equal(line, number);
}

static void the_code_of_a_record_has_lines_by_offset(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	struct codemap_lines lines;
	size_t java, script, stub, late;
	uint32_t line;
	str_id file;

	dump_lines(&d, 0x10000, "Fib.java", 20);
	java = dump_load(&d, 1, 0x10000, 0x40, "int Fib.fib(int)");
	dump_lines_at(&d, 0x20000, 0x20044, "/srv/app.js", 5); /* as V8 does, from offset 4 on */
	script = dump_load(&d, 1, 0x20000, 0x40, "JS:*fib /srv/app.js:5:13");
	stub = dump_load(&d, 1, 0x40000, 0x40, "stub");
	dump_lines(&d, 0x10000, "Other.java", 90);
	late = dump_load(&d, 2, 0x10000, 0x40, "int Other.other(int)"); /* at the same address */
	load(b, &d, &monotonic);
	assert_true(codemap_open_lines(b->map, java, &lines));
	expect_line(b, &lines, 0, "Fib.java", 20);
	expect_line(b, &lines, 4, "Fib.java", 21);
	codemap_close_lines(&lines);
	assert_true(codemap_open_lines(b->map, script, &lines));
	assert_false(codemap_find_line(&lines, 3, &file, &line));
	expect_line(b, &lines, 4, "/srv/app.js", 5);
	expect_line(b, &lines, 0x3f, "/srv/app.js", 6);
	codemap_close_lines(&lines);
	assert_true(codemap_open_lines(b->map, late, &lines));
	expect_line(b, &lines, 3, "Other.java", 90);
	codemap_close_lines(&lines);
	assert_false(codemap_open_lines(b->map, stub, &lines));
	codemap_close_lines(&lines);
	assert_false(codemap_open_lines(b->map, script + 1, &lines)); /* no record is there */
	assert_false(codemap_open_lines(b->map, UINT64_MAX, &lines));
	codemap_close_lines(&lines);
}

static void expect_address(struct jit_bed *b, uint64_t address, uint64_t time, const char *build)
{
	const struct frame *f = jit_bed_frame(b, address, time);

	assert_int_equal(f->at_address, address);
	assert_string_equal(strtab_str(b->strings, f->build), build);
}

static void an_address_is_of_the_code_that_was_there(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_load(&d, 1, 0x10000, 0x40, "f"); /* at 40 */
	dump_load(&d, 2 * SECOND, 0x10020, 0x40, "g");
	dump_move(&d, 3 * SECOND, 0x10000, 0x30000, 0x40, 0);
	load(b, &d, &monotonic);
	assert_int_equal(jit_bed_frame(b, 0x10030, 1)->at_address, 0);
	codemap_enable_addresses(b->map);
	expect_address(b, 0x10030, 1, "28@10000");
	expect_address(b, 0x10030, 2 * SECOND, "a2@10020");
	expect_address(b, 0x10010, 2 * SECOND, "28@10000");
	expect_address(b, 0x30010, 3 * SECOND, "28@30000");
}

static void lines_of_inlined_functions_are_in_their_files(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	const struct frame *f;

	dump_place(&d, 0x10000, "/srv/other.js", 7, 9);
	dump_load(&d, 1, 0x10000, 0x40, "JS:*a /srv/app.js:5:13");
	dump_place(&d, 0x20000, "/srv/app.mjs", 8, 2);
	dump_load(&d, 1, 0x20000, 0x40, "JS:*b file:///srv/app.mjs:5:13");
	dump_place(&d, 0x30000, "\xac\x1d\2", 9, 2); /* Node.js 20 */
	dump_load(&d, 1, 0x30000, 0x40, "JS:*c /srv/app.js:5:13");
	load(b, &d, &monotonic);
	codemap_enable_lines(b->map, true);
	f = jit_bed_frame(b, 0x10000, 1);
	assert_string_equal(strtab_str(b->strings, f->at_file), "/srv/other.js");
	assert_string_equal(strtab_str(b->strings, f->file), "/srv/app.js");
	assert_int_equal(f->at_line, 7);
	assert_int_equal(f->at_column, 9);
	f = jit_bed_frame(b, 0x20000, 1);
	assert_int_equal(f->at_file, 0);
	assert_int_equal(f->at_line, 8);
	f = jit_bed_frame(b, 0x30000, 1);
	assert_int_equal(f->at_line, 0);
	assert_int_equal(f->at_file, 0);
	codemap_enable_lines(b->map, false);
	assert_int_equal(jit_bed_frame(b, 0x20000, 1)->at_column, 0);
}

/* Two lines whose file's name was freed: in its first 16 bytes is what malloc() keeps there. */
static void dump_freed_places(struct test_dump *d, uint64_t start, const char *rest)
{
	static const char freed[16] = "\xa2\x97\x1d'\0\0\0\0\6y\xad\x98<j\xf8\t";
	size_t at = dump_record(d, 2, 1);
	uint32_t i;

	dump_u64(d, start);
	dump_u64(d, 2);
	for (i = 0; i < 2; i++) {
		dump_u64(d, start + 0x40 + 0x10 * i);
		dump_u32(d, 7 + i);
		dump_u32(d, 3 + i);
		buf_put(&d->b, freed, sizeof(freed));
		buf_put(&d->b, rest, strlen(rest) + 1);
	}
	dump_end(d, at);
}

static void lines_whose_file_was_freed_are_in_that_of_the_function(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	const struct frame *f;

	dump_freed_places(&d, 0x10000, "/way/to/app.js"); /* 30 bytes in all */
	dump_load(&d, 1, 0x10000, 0x40, "JS:*a /srv/project/lon/way/to/app.js:5:13");
	dump_freed_places(&d, 0x20000, "/way/to/app.js");
	dump_load(&d, 1, 0x20000, 0x40, "JS:*b /srv/project/longer/way/to/app.js:5:13");
	load(b, &d, &monotonic);
	codemap_enable_lines(b->map, true);
	f = jit_bed_frame(b, 0x10010, 1);
	assert_int_equal(f->at_line, 8);
	assert_int_equal(f->at_column, 4);
	assert_int_equal(f->at_file, 0);
	assert_int_equal(jit_bed_frame(b, 0x10000, 1)->at_line, 7);
	/* A name of another length was another file's. */
	assert_int_equal(jit_bed_frame(b, 0x20000, 1)->at_line, 0);
}

static void code_without_a_name_covers_what_was_there(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);

	dump_load(&d, 1, 0x10000, 0x40, "");
	dump_load(&d, 1 * SECOND, 0x10000, 0x40, "f");
	dump_load(&d, 2 * SECOND, 0x10000, 0x40, "");
	load(b, &d, &monotonic);
	EXPECT_NAMES(
		b, { 0x10010, 1, "-" }, { 0x10010, 1 * SECOND, "f" }, { 0x10010, 2 * SECOND, "-" });
}

static void unwinding_information_belongs_to_its_code(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(true, 7, 0);
	struct codemap_unwinding u;
	struct moment at = { 1, 1 };
	struct validity valid;
	struct buf bytes = { 0 };

	dump_unwinding(&d, "header", "frames");
	dump_load(&d, 1, 0x10000, 0x40, "f");
	dump_load(&d, 1, 0x20000, 0x40, "g");
	load(b, &d, &monotonic);
	assert_true(codemap_find_unwinding(b->map, 0x10020, at, &valid, &u, NULL));
	assert_true(codemap_find_unwinding(b->map, 0x10020, at, &valid, &u, &bytes));
	assert_int_equal(u.start, 0x10000);
	assert_int_equal(u.header_bytes, 6);
	assert_string_equal(buf_str(&bytes), "headerframes");
	assert_false(codemap_find_unwinding(b->map, 0x20020, at, &valid, &u, &bytes));
	assert_false(codemap_find_unwinding(b->map, 0x30020, at, &valid, &u, &bytes));
	buf_release(&bytes);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void a_file_that_is_no_jitdump_is_an_error(void **state)
{
	struct jit_bed *b = *state;
	static const char *const files[] = { "", "10000 10 f\n",
		"DTiJ but no more than a header of a jitdump...." };
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++) {
		struct test_dump d = { 0 };

		buf_puts(&d.b, files[i]);
		buf_str(&d.b); /* a string, if an empty one */
		assert_true(try_load(b, &d, &monotonic) < 0);
		assert_null(b->map);
	}
}

/* Whatever is cut off: what is before it counts, and a LOAD needs no code bytes. */
static void a_dump_that_is_cut_short_is_used_as_far_as_it_goes(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump whole = dump_begin(false, 7, 0);
	size_t first_end, name_end, n;

	dump_load(&whole, 1, 0x10000, 0x40, "first");
	first_end = whole.b.n;
	dump_load(&whole, 1, 0x20000, 0x40, "second");
	name_end = whole.b.n - 0x40;
	for (n = 40; n <= whole.b.n; n++) {
		struct test_dump d = { 0 };
		bool cut = n != 40 && n != first_end && n != whole.b.n;

		buf_put(&d.b, whole.b.p, n);
		load(b, &d, &monotonic);
		assert_string_equal(
			jit_bed_name(b, 0x10010, 1), n >= first_end - 0x40 ? "first" : "-");
		assert_string_equal(jit_bed_name(b, 0x20010, 1), n >= name_end ? "second" : "-");
		assert_int_equal(b->diag.count[DIAG_BAD_JIT_RECORD] > 0, cut);
	}
	buf_release(&whole.b);
}

static void wrong_sizes_cost_one_record_each(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	size_t at;

	at = dump_load(&d, 1, 0x10000, 0x40, "lies of its code");
	dump_set_u32(&d, at + 16 + 24, 0x7fffffff); /* code_size */
	dump_load(&d, 1, 0x20000, 0x40, "good");
	dump_load(&d, 1, UINT64_MAX - 0x10, 0x40, "beyond the end of memory");
	dump_move(&d, 1, 0x20000, 0x30000, 0x40, 99); /* of nothing */
	dump_end(&d, dump_record(&d, 0, 1));          /* without anything */
	dump_end(&d, dump_record(&d, 77, 1));         /* from the future */
	at = dump_load(&d, 1, 0x40000, 0x40, "no end");
	d.b.p[at + 56 + strlen("no end")] = '!';
	load(b, &d, &monotonic);
	EXPECT_NAMES(b, { 0x10010, 1, "-" }, { 0x20010, 1, "good" }, { 0x30010, 1, "-" },
		{ 0x40010, 1, "no end!" });
	assert_int_equal(b->diag.count[DIAG_BAD_JIT_RECORD], 4);
}

static void a_record_without_a_size_ends_the_dump(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	size_t at;

	dump_load(&d, 1, 0x10000, 0x40, "before");
	at = dump_load(&d, 1, 0x20000, 0x40, "of no size");
	dump_set_u32(&d, at + 4, 15);
	dump_load(&d, 1, 0x30000, 0x40, "behind");
	load(b, &d, &monotonic);
	EXPECT_NAMES(b, { 0x10010, 1, "before" }, { 0x30010, 1, "-" });
	assert_int_equal(b->diag.count[DIAG_BAD_JIT_RECORD], 1);
}

static void a_long_name_is_cut_and_large_code_is_skipped(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	char *name = xmalloc(50001);

	memset(name, 'x', 50000);
	name[50000] = '\0';
	dump_load(&d, 1, 0x10000, 0x40, name);
	dump_load(&d, 1, 0x100000, 600000, "large");
	dump_load(&d, 1, 0x20000, 0x40, "behind");
	load(b, &d, &monotonic);
	assert_int_equal(strlen(jit_bed_name(b, 0x10010, 1)), 16 * 1024);
	EXPECT_NAMES(b, { 0x100000 + 599999, 1, "large" }, { 0x20010, 1, "behind" });
	free(name);
}

/* A collector that moves the same code again and again. */
static void many_moves_of_one_piece_of_code_are_fast(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	uint64_t i;

	dump_load(&d, 1, 0x10000, 0x40, "f");
	for (i = 0; i < 50000; i++) {
		d.next_index = 0;
		dump_load(&d, 2 + i, 0x10000 + i % 3 * 0x20, 4, "f");
		dump_move(&d, 2 + i, 0x10000, 0x20000 + i % 7 * 0x30, 0x40, 0);
	}
	load(b, &d, &monotonic);
	assert_string_equal(jit_bed_name(b, 0x20000, 60000), "f");
}

/* As Node.js 26 does to records of lines. */
static void a_record_longer_than_its_size_costs_only_itself(void **state)
{
	struct jit_bed *b = *state;
	struct test_dump d = dump_begin(false, 7, 0);
	static const uint16_t stray = 0;

	dump_load(&d, 1 * SECOND, 0x10000, 0x100, "first");
	buf_put(&d.b, &stray, sizeof(stray));
	dump_load(&d, 2 * SECOND, 0x20000, 0x100, "second");
	load(b, &d, &monotonic);
	EXPECT_NAMES(b, { 0x10010, 3 * SECOND, "first" }, { 0x20010, 3 * SECOND, "second" });
	assert_int_equal(b->diag.count[DIAG_BAD_JIT_RECORD], 1);
}

/* Node.js 26, where functions of other scripts were inlined. */
static void lines_of_a_wrong_size_cost_only_themselves(void **state)
{
	static const int32_t wrong[] = { -8, -40, 12, 120 };
	struct jit_bed *b = *state;
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(wrong); i++) {
		struct test_dump d = dump_begin(false, 7, 0);
		size_t at;

		for (k = 1; k <= 3; k++) {
			uint64_t time_ns = k * SECOND;
			uint32_t size_bytes;

			at = d.b.n;
			dump_lines(&d, 0x10000 * k, "node:internal/process/task_queues.js", 7);
			memcpy(&size_bytes, d.b.p + at + 4, sizeof(size_bytes));
			size_bytes += k == 2 ? wrong[i] : 0;
			memcpy(d.b.p + at + 4, &size_bytes, sizeof(size_bytes));
			memcpy(d.b.p + at + 8, &time_ns, sizeof(time_ns));
			dump_load(&d, k * SECOND, 0x10000 * k, 0x100, k == 3 ? "third" : "other");
		}
		load(b, &d, &monotonic);
		assert_string_equal(jit_bed_name(b, 0x10010, 4 * SECOND), "other");
		assert_string_equal(jit_bed_name(b, 0x20010, 4 * SECOND), "other");
		assert_string_equal(jit_bed_name(b, 0x30010, 4 * SECOND), "third");
		assert_int_equal(b->diag.count[DIAG_BAD_JIT_RECORD], 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(an_address_belongs_to_the_last_code_placed_before_the_sample),
		BED_TEST(moved_code_is_found_at_both_addresses_in_its_time),
		BED_TEST(records_need_not_be_in_the_order_of_time),
		BED_TEST(code_is_found_ten_milliseconds_before_its_record),
		BED_TEST(without_a_common_clock_the_last_code_is_the_answer),
		BED_TEST(values_of_the_cpu_counter_are_converted_to_time),
		BED_TEST(a_frame_has_the_file_of_its_name_or_of_its_lines),
		BED_TEST(lines_of_inlined_functions_are_in_their_files),
		BED_TEST(lines_whose_file_was_freed_are_in_that_of_the_function),
		BED_TEST(with_lines_a_frame_has_the_line_of_its_address),
		BED_TEST(the_code_of_a_record_has_lines_by_offset),
		BED_TEST(an_address_is_of_the_code_that_was_there),
		BED_TEST(code_without_a_name_covers_what_was_there),
		BED_TEST(unwinding_information_belongs_to_its_code),
		BED_TEST(a_file_that_is_no_jitdump_is_an_error),
		BED_TEST(a_dump_that_is_cut_short_is_used_as_far_as_it_goes),
		BED_TEST(wrong_sizes_cost_one_record_each),
		BED_TEST(a_record_without_a_size_ends_the_dump),
		BED_TEST(a_record_longer_than_its_size_costs_only_itself),
		BED_TEST(lines_of_a_wrong_size_cost_only_themselves),
		BED_TEST(a_long_name_is_cut_and_large_code_is_skipped),
		BED_TEST(many_moves_of_one_piece_of_code_are_fast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
