#include "jit/jit_bed_for_test.h"

#include "base/mem.h"
#include "jit/codemap.h"
#include "model/names/v8_name.h"
#include "jit/jit_load_for_test.h"

#include <sys/mman.h>

static void bed_read(struct jit_bed *b, struct span text, const struct codemap_ranges *exec,
	bool compat_perf, size_t block_bytes)
{
	const struct perf_map_opts o = { .pid = 7,
		.exec = exec,
		.bytecode = exec != NULL,
		.compat_perf = compat_perf,
		.block_bytes = block_bytes };
	int fd = memfd_create("map", 0);
	char path[64];
	struct err e;

	assert_int_equal(write(fd, text.p, text.n), text.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(load_map_at(path, &b->map, b->frames, &b->diag, &o, &e), OK);
	close(fd);
}

static const char *name_at(struct jit_bed *b, uint64_t address)
{
	struct validity valid;
	frame_id id = codemap_find(b->map, address, (struct moment){ 1, 2 }, &valid);

	assert_int_equal(valid.until.time_ns, UINT64_MAX);
	return id ? strtab_str(b->strings, frames_get(b->frames, id)->name) : "-";
}

/* Names at addresses, in blocks of several sizes: "ADDRESS NAME" lines, "-" for none. */
static void expect_span(struct span text, const struct codemap_ranges *exec, const char *expected,
	uint64_t bad_lines)
{
	static const size_t blocks[] = { 1, 7, 100000 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(blocks); i++) {
		struct span rest = span_of(expected), line;
		struct jit_bed b;

		jit_bed_init(&b);
		bed_read(&b, text, exec, false, blocks[i]);
		while (span_next_line(&rest, &line)) {
			uint64_t address;

			assert_true(span_scan_hex(&line, &address));
			line = span_skip(line, 1);
			if (!span_eq(span_of(name_at(&b, address)), line))
				fail_msg("at %lx: `%s`, not `%.*s`", (unsigned long)address,
					name_at(&b, address), SPAN_ARG(line));
		}
		assert_int_equal(b.diag.count[DIAG_BAD_MAP_LINE], bad_lines);
		jit_bed_release(&b);
	}
}

static void expect(const char *text, const char *expected, uint64_t bad_lines)
{
	expect_span(span_of(text), NULL, expected, bad_lines);
}

static void lines_are_read_in_every_dialect(void **state)
{
	(void)state;
	expect("10000 10 f\n", "ffff -\n10000 f\n1000f f\n10010 -\n", 0);
	expect("0x00007F00 0x0000000000000010 no\n0X7F0000 0x10 int F.fib(int)\n",
		"7f0000 int F.fib(int)\n", 1);
	expect("ABCDEF0 A upper\nabcdf00 a lower", "abcdef9 upper\nabcdf09 lower\nabcdf0a -\n", 0);
	expect("10000\t10\ttabs\r\n 20000  10  blanks\r\n", "10000 tabs\n20000 blanks\n", 0);
	expect("10000 10 a b;c  d\n", "10000 a b;c  d\n", 0);
	expect("10000 10 a\n20000 10 ab\n", "10000 a\n20000 ab\n", 0);
	expect("ffffffffffffffff 0 last\n", "ffffffffffffffff -\n", 1);
	expect("10000 ffffffff large\n10000 100000000 too_large\n", "10000 large\n", 1);
	expect("fffffffffffffff0 f last\n", "fffffffffffffff0 last\n", 0);
}

static void a_later_line_overwrites_only_what_it_covers(void **state)
{
	(void)state;
	expect("10000 100 whole\n10040 20 middle\n",
		"10000 whole\n1003f whole\n10040 middle\n1005f middle\n10060 whole\n100ff whole\n",
		0);
	expect("10000 20 a\n10010 20 b\n", "1000f a\n10010 b\n1002f b\n10030 -\n", 0);
	expect("10010 20 a\n10000 20 b\n", "10000 b\n1001f b\n10020 a\n1002f a\n", 0);
	expect("10000 20 a\n10000 20 b\n10000 10 c\n", "10000 c\n10010 b\n", 0);
	expect("10010 8 a\n10020 8 b\n10000 100 all\n", "10010 all\n10018 all\n10020 all\n", 0);
	expect("10000 100 a\n10010 80 b\n10020 40 c\n10030 10 d\n",
		"10000 a\n10010 b\n10020 c\n10030 d\n10040 c\n10060 b\n10090 a\n", 0);
}

static void a_size_of_zero_names_one_address(void **state)
{
	(void)state;
	expect("10000 0 f\n", "10000 f\n10001 -\n", 0);
	expect("10000 10 f\n10004 0 g\n", "10003 f\n10004 g\n10005 f\n", 0);
	expect("10004 0 g\n10000 10 f\n", "10004 f\n", 0);
}

static void a_name_may_have_line_breaks(void **state)
{
	(void)state;
	expect("10000 10 JS:*a\nb c /srv/app.js:1:19\n20000 10 JS:^d /srv/app.js:2:2\n",
		"10000 JS:*a b c /srv/app.js:1:19\n20000 JS:^d /srv/app.js:2:2\nb -\n", 0);
	expect("10000 10 JS:*a\n\nx\nb /srv/app.js:1:19", "10000 JS:*a  x b /srv/app.js:1:19\n", 0);
	expect("10000 10 JS:*a\n20000 10 g\n", "10000 JS:*a\n20000 g\n", 0);
	expect("10000 10 Handler:a new\nline\n20000 10 g\n", "10000 Handler:a new line\n20000 g\n",
		0);
	expect("10000 10 JS:*a\nb /a.js:1:19\n10008 10 JS:^a b /a.js:1:19\n",
		"10000 JS:*a b /a.js:1:19\n10008 JS:^a b /a.js:1:19\n", 0);
}

static void a_torn_line_is_no_part_of_a_whole_name(void **state)
{
	(void)state;
	expect("10000 10 JS:^f /srv/app.js:2:2\n 28 LazyCompile:~g /srv/app.js:3\n",
		"10000 JS:^f /srv/app.js:2:2\n28 -\n", 1);
	expect("10000 10 leaf\nnot a map line\n\n20000\n20000 40\n", "10000 leaf\n20000 -\n", 3);
	expect("10000 -10 f\n10000 g f\n10000 1ffffffffffffffff f\n", "10000 -\n", 3);
	expect("10000 ffffffffffffffff f\n1ffffffffffffffff 10 g\n", "10000 -\n", 2);
}

static void only_executable_addresses_are_code(void **state)
{
	struct jit_bed *b = *state;
	static const struct codemap_range ranges[] = { { 0x8000, 0x9000 }, { 0x20000, 0x30000 },
		{ 0x50000, 0x60000 } };
	static const struct codemap_ranges exec = { ranges, ARRAY_LEN(ranges) };
	static const char text[] = "20000 100 JS:*f /a.js:1\n"
				   "10ff0 100 JS:~heap /a.js:2\n"
				   "10ff0 20 JS:~a\n"
				   "b c /srv/app.js:1:19\n"
				   "50000 100 g\n"
				   "60000 10 behind\n"
				   "4fff0 20 overlaps\n"
				   "8000 10 low\n";
	struct codemap_facts facts;

	expect_span(span_of(text), &exec,
		"20000 JS:*f /a.js:1\n20fff -\n10ff0 -\n50010 g\n50000 overlaps\n60000 -\n8000 "
		"low\n",
		0);
	bed_read(b, span_of(text), &exec, false, 100);
	facts = codemap_facts(b->map);
	assert_int_equal(facts.entries, 4);
	assert_int_equal(facts.outside, 3);
	assert_int_equal(
		facts.ranges, 5); /* the addresses that g had are a range of their own: ambiguous */
	assert_int_equal(facts.overwritten_bytes, 0x10);
}

static void bytes_that_are_not_utf8_do_no_harm(void **state)
{
	static const char nul[] = "10000 10 f\0\0\0\n\0\0\0\0\n20000 10 \0g\n30000 10 h\0";
	static const char bytes[] = "10000 10 caf\xe9\n20000 10 \xff\xfe\n";

	(void)state;
	expect_span((struct span){ nul, sizeof(nul) - 1 }, NULL, "10000 f\n20000 -\n30000 h\n", 2);
	expect(bytes, "10000 caf\xe9\n20000 \xff\xfe\n", 0);
	expect("", "10000 -\n", 0);
	expect("\n\n", "10000 -\n", 0);
}

static void a_line_without_end_is_cut(void **state)
{
	struct jit_bed *b = *state;
	char *text = xmalloc(300000);

	memset(text, 'x', 300000);
	memcpy(text, "10000 10 ", 9);
	memcpy(text + 299980, "\n20000 10 next\n", 15);
	bed_read(b, (struct span){ text, 299995 }, NULL, false, 4096);
	assert_int_equal(strlen(name_at(b, 0x10000)), 65536 - 9);
	assert_string_equal(name_at(b, 0x20000), "next");
	free(text);
}

/* It has more lines than are read for a name, and the last of them is far from the first. */
static void a_name_of_many_lines_is_cut(void **state)
{
	struct jit_bed *b = *state;
	struct buf text = { 0 };
	unsigned i;

	buf_puts(&text, "10000 10 JS:*a\n");
	for (i = 0; i < 100 * 1000; i++)
		buf_puts(&text, "x\r\n");
	buf_puts(&text, "b /srv/app.js:1:19\n20000 10 next\n");
	bed_read(b, buf_span(&text), NULL, false, 4096);
	assert_in_range(strlen(name_at(b, 0x10000)), 60000, 65536);
	assert_string_equal(name_at(b, 0x20000), "next");
	assert_int_equal(b->diag.count[DIAG_BAD_MAP_LINE], 0);
	buf_release(&text);
}

static void a_map_that_was_overwritten_names_nothing(void **state)
{
	struct jit_bed *b = *state;

	bed_read(b, SPAN("10000 10 f\n20000 10 g\n"), NULL, false, 100);
	memcpy(b->map->source.whole.p, "30000 10 h\n300", 14);
	assert_string_equal(name_at(b, 0x10000), "-");
	assert_string_equal(name_at(b, 0x20000), "g");
}

static void a_frame_has_file_line_and_tier_of_v8(void **state)
{
	struct jit_bed *b = *state;
	const struct frame *f;
	struct validity valid;

	bed_read(b, SPAN("10000 10 JS:*fib /srv/app.js:5:13\n20000 10 stub\n"), NULL, false, 100);
	f = frames_get(b->frames, codemap_find(b->map, 0x10008, (struct moment){ 0, 0 }, &valid));
	assert_int_equal(f->kind, FRAME_JIT);
	assert_string_equal(strtab_str(b->strings, f->module), "/tmp/perf-7.map");
	assert_string_equal(strtab_str(b->strings, f->file), "/srv/app.js");
	assert_int_equal(f->line, 5);
	assert_int_equal(f->column, 13);
	assert_int_equal(f->tier, V8_TURBOFAN);
	f = frames_get(b->frames, codemap_find(b->map, 0x20008, (struct moment){ 0, 0 }, &valid));
	assert_int_equal(f->file, 0);
	assert_int_equal(f->tier, V8_NO_TIER);
}

/* ---- against simple models ---------------------------------------------------------------- */

struct entry {
	uint64_t start, end;
};

enum { SPACE = 4096, BASE = 0x100000 };

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static struct buf random_map(uint32_t *seed, size_t n, struct entry *entries)
{
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		entries[i].start = BASE + next_random(seed) % SPACE;
		entries[i].end = entries[i].start + next_random(seed) % 64 + 1;
		buf_printf(&text, "%lx %lx n%zu\n", (unsigned long)entries[i].start,
			(unsigned long)(entries[i].end - entries[i].start), i);
	}
	return text;
}

/* Was another there before the last one? */
static bool is_ambiguous(const struct entry *entries, size_t last, uint64_t address)
{
	while (last--)
		if (address >= entries[last].start && address < entries[last].end)
			return true;
	return false;
}

static void expect_last(struct jit_bed *b, const struct entry *entries, size_t n)
{
	uint64_t address;
	char name[32];

	for (address = BASE; address < BASE + SPACE + 64; address++) {
		size_t i = n;

		while (i && (address < entries[i - 1].start || address >= entries[i - 1].end))
			i--;
		snprintf(name, sizeof(name), "n%zu", i - 1);
		assert_string_equal(name_at(b, address), i ? name : "-");
		assert_int_equal(codemap_is_ambiguous(b->map, address),
			i && is_ambiguous(entries, i - 1, address));
	}
}

static void among_many_lines_the_last_one_wins_everywhere(void **state)
{
	static struct entry entries[200000];
	static const size_t sizes[] = { 1, 2, 10, 300, 3000, 200000 };
	uint32_t seed = 1;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		struct buf text = random_map(&seed, sizes[i], entries);
		struct jit_bed b;

		jit_bed_init(&b);
		bed_read(&b, buf_span(&text), NULL, false, 4096);
		expect_last(&b, entries, sizes[i]);
		assert_true(b.map->code.n <= SPACE + 64);
		jit_bed_release(&b);
		buf_release(&text);
	}
}

static void compat_perf_chooses_as_perf_and_loses_what_perf_loses(void **state)
{
	struct jit_bed *b = *state;
	/* Recorded with perf 6.1: the first line of each range wins, but for the widest, which
	 * the tree has moved below the others. */
	static const char text[] = "7f2912edc000 1000 whole_arena\n"
				   "7f2912edc100 40 leaf\n"
				   "7F2912EDC200 40 LazyCompile:*mid /app/x y.js:10:3\n"
				   "0x7f2912edc300 0x80 top(int, char const*)\n"
				   "7f2912edc120 20 leaf_second_half\n"
				   "7f2912edc200 40 mid_recompiled\n"
				   "7f2912edd100 40 leaf\n"
				   "7f2912edc100 40 new_tenant\n"
				   "7f2912edd200 0 zero_size\n"
				   "not a map line\n"
				   "\n"
				   "7f2912edd300\n"
				   "7f2912edd300 40\n"
				   "7f2912edd300 40 with_crlf\r\n"
				   "7f2912edd400 10 ends_early_no_newline";

	bed_read(b, span_of(text), NULL, true, 100);
	assert_string_equal(name_at(b, 0x7f2912edc10b), "leaf");
	assert_string_equal(name_at(b, 0x7f2912edc219), "LazyCompile:*mid /app/x y.js:10:3");
	assert_string_equal(name_at(b, 0x7f2912edc319), "top(int, char const*)");
	assert_string_equal(name_at(b, 0x7f2912edd10b), "leaf");
	assert_string_equal(name_at(b, 0x7f2912edd20b), "-");
	assert_string_equal(name_at(b, 0x7f2912edd30b), "with_crlf\r");
	assert_string_equal(name_at(b, 0x7f2912edd40b), "ends_early_no_newlin");

	expect(text,
		"7f2912edc010 whole_arena\n7f2912edc10b new_tenant\n7f2912edc12b new_tenant\n"
		"7f2912edc20b mid_recompiled\n7f2912edc30b top(int, char const*)\n"
		"7f2912edd20b -\n7f2912edd200 zero_size\n7f2912edd30b with_crlf\n"
		"7f2912edd40b ends_early_no_newline\n",
		3);
}

static void compat_perf_finds_every_symbol_of_a_map_without_overlaps(void **state)
{
	struct jit_bed *b = *state;
	struct buf text = { 0 };
	char name[32];
	uint32_t i;

	for (i = 0; i < 5000; i++)
		buf_printf(&text, "%x 10 name%u\n", 0x10000 + i * 7919 % 5000 * 16, i);
	bed_read(b, buf_span(&text), NULL, true, 4096);
	for (i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "name%u", i);
		assert_string_equal(name_at(b, 0x10000 + i * 7919 % 5000 * 16 + 5), name);
	}
	buf_release(&text);
}

/* ---- what a map leaves open --------------------------------------------------------------- */

static void an_address_of_several_functions_is_ambiguous(void **state)
{
	struct jit_bed *b = *state;
	static const char text[] = "10000 100 JS:^f /a.js:1:1\n"
				   "10080 100 JS:*g /a.js:2:1\n"
				   "20000 100 JS:~f /a.js:1:1\n"
				   "20000 80 JS:*f /a.js:1:1\n";

	bed_read(b, span_of(text), NULL, false, 100);
	assert_false(codemap_is_ambiguous(b->map, 0x1007f));
	assert_true(codemap_is_ambiguous(b->map, 0x10080));
	assert_true(codemap_is_ambiguous(b->map, 0x100ff));
	assert_string_equal(name_at(b, 0x100ff), "JS:*g /a.js:2:1");
	assert_false(codemap_is_ambiguous(b->map, 0x10100));
	assert_false(codemap_is_ambiguous(b->map, 0x20000)); /* another tier of it */
	assert_false(codemap_is_ambiguous(b->map, 0x30000));
}

/* What a sample sees; where it is the code of one line, the first letter of it. */
static char hit_at(struct jit_bed *b, const char *text, uint64_t address)
{
	struct codemap_range piece;
	uint64_t entry;

	switch (codemap_classify(b->map, address, &entry, &piece)) {
	case CODEMAP_HIT_LINE:
		return text[entry];
	case CODEMAP_HIT_REUSED:
		return '+';
	case CODEMAP_HIT_AMBIGUOUS:
		return '!';
	case CODEMAP_HIT_NONE:
		break;
	}
	return '-';
}

static void a_line_is_seen_where_no_earlier_line_was(void **state)
{
	struct jit_bed *b = *state;
	static const char text[] = "10000 100 JS:^f /a.js:1:1\n"
				   "20000 100 JS:^f /a.js:1:1\n"
				   "20080 100 JS:*f /a.js:1:1\n"
				   "10040 40 JS:*g /a.js:2:1\n";

	bed_read(b, span_of(text), NULL, false, 100);
	assert_int_equal(hit_at(b, text, 0x10000), '1');
	assert_int_equal(hit_at(b, text, 0x10040), '!');
	assert_int_equal(hit_at(b, text, 0x2007f), '2');
	assert_int_equal(hit_at(b, text, 0x20080), '+'); /* of either line of f */
	assert_int_equal(hit_at(b, text, 0x20100), '2');
	assert_int_equal(hit_at(b, text, 0x30000), '-');
}

/* The lines go through several merges; the name that came between is remembered. */
static void an_address_stays_ambiguous_when_its_name_comes_back(void **state)
{
	struct jit_bed *b = *state;
	struct buf text = { 0 };
	unsigned i;

	buf_puts(&text, "10000 10 first\n10000 10 second\n");
	for (i = 0; i < 200 * 1000; i++)
		buf_printf(&text, "%x 10 filler\n", 0x1000000 + 16 * i);
	buf_puts(&text, "10000 10 second\n");
	bed_read(b, buf_span(&text), NULL, false, 100000);
	assert_true(codemap_is_ambiguous(b->map, 0x10008));
	assert_false(codemap_is_ambiguous(b->map, 0x1000008));
	buf_release(&text);
}

static const char *bytecode_at(struct jit_bed *b, uint64_t address)
{
	frame_id id = codemap_find_bytecode(b->map, address);

	return id ? strtab_str(b->strings, frames_get(b->frames, id)->name) : "-";
}

static void bytecode_is_found_at_its_listed_address_alone(void **state)
{
	struct jit_bed *b = *state;
	static const struct codemap_range range = { 0x20000, 0x30000 };
	static const struct codemap_ranges exec = { &range, 1 };
	static const char text[] = "20000 100 JS:*f /a.js:1:1\n"
				   "90035 20 JS:~f /a.js:1:1\n"
				   "80035 20 JS:~one /a.js:2:1\n"
				   "80035 20 JS:~two /a.js:3:1\n"
				   "70035 20 JS:~with a\nbreak /a.js:4:1\n"
				   "60035 20 JS:*data /a.js:5:1\n";
	uint64_t start;

	bed_read(b, span_of(text), &exec, false, 7);
	assert_true(codemap_has_bytecode(b->map));
	assert_string_equal(bytecode_at(b, 0x90035), "JS:~f /a.js:1:1");
	assert_string_equal(bytecode_at(b, 0x90036), "-");
	assert_string_equal(bytecode_at(b, 0x80035), "-"); /* of two functions */
	assert_string_equal(bytecode_at(b, 0x70035), "JS:~with a break /a.js:4:1");
	assert_string_equal(bytecode_at(b, 0x60035), "-");
	assert_string_equal(bytecode_at(b, 0x20000), "-");
	assert_true(codemap_next_bytecode(b->map, 0x80036, &start));
	assert_int_equal(start, 0x90035);
	assert_false(codemap_next_bytecode(b->map, 0x90036, &start));
}

/* ---- files -------------------------------------------------------------------------------- */

static void a_map_is_a_regular_file(void **state)
{
	static const struct perf_map_opts o = { .pid = 7 };
	struct jit_bed *b = *state;
	char *path = tmpdir_at(&b->dir, "perf-7.map");

	assert_int_equal(load_map_at(path, &b->map, b->frames, &b->diag, &o, &b->err), ERR_IO);
	assert_null(b->map);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(
		load_map_at(path, &b->map, b->frames, &b->diag, &o, &b->err), ERR_UNSUPPORTED);
	assert_int_equal(unlink(path), 0);
	tmpdir_write(path, SPAN("10000 10 f\n"));
	assert_int_equal(load_map_at(path, &b->map, b->frames, &b->diag, &o, &b->err), OK);
	assert_string_equal(name_at(b, 0x10000), "f");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_read_in_every_dialect),
		cmocka_unit_test(a_later_line_overwrites_only_what_it_covers),
		cmocka_unit_test(a_size_of_zero_names_one_address),
		cmocka_unit_test(a_name_may_have_line_breaks),
		cmocka_unit_test(a_torn_line_is_no_part_of_a_whole_name),
		BED_TEST(only_executable_addresses_are_code),
		cmocka_unit_test(bytes_that_are_not_utf8_do_no_harm),
		BED_TEST(a_line_without_end_is_cut),
		BED_TEST(a_name_of_many_lines_is_cut),
		BED_TEST(a_map_that_was_overwritten_names_nothing),
		BED_TEST(a_frame_has_file_line_and_tier_of_v8),
		cmocka_unit_test(among_many_lines_the_last_one_wins_everywhere),
		BED_TEST(compat_perf_chooses_as_perf_and_loses_what_perf_loses),
		BED_TEST(compat_perf_finds_every_symbol_of_a_map_without_overlaps),
		BED_TEST(an_address_of_several_functions_is_ambiguous),
		BED_TEST(a_line_is_seen_where_no_earlier_line_was),
		BED_TEST(an_address_stays_ambiguous_when_its_name_comes_back),
		BED_TEST(bytecode_is_found_at_its_listed_address_alone),
		BED_TEST(a_map_is_a_regular_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
