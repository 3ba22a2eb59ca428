#include "process/addresses/text_names.h"

#include "base/mem.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Pieces of code of 256 bytes each, from 0x1226b6506000 on: "code0", "code1", ... */
enum { PIECES = 16 };

#define CODE_AT UINT64_C(0x1226b6506000)

struct asked {
	struct text_address at; /* the last that was named */
	char file[64];
};

static enum text_answer name(void *ctx, const struct text_address *at, struct buf *out)
{
	uint64_t offset = at->address - at->is_return - CODE_AT;
	struct asked *asked = ctx;

	if (offset >= PIECES * 256)
		return TEXT_UNKNOWN;
	buf_printf(out, "code%u", (unsigned)(offset / 256));
	asked->at = *at;
	snprintf(asked->file, sizeof(asked->file), "%.*s", SPAN_ARG(at->file));
	return TEXT_NAMED;
}

struct bed {
	struct asked asked;
	struct text_names names;
	struct buf out;
};

/* What comes of a text that comes in blocks. */
static const char *run(struct bed *b, const char *text, size_t block, bool in_place)
{
	struct buf got = { 0 };
	size_t n = strlen(text), at = 0, taken;

	*b = (struct bed){ 0 };
	b->names = (struct text_names){ .name = name, .ctx = &b->asked, .in_place = in_place };
	do {
		size_t more = n - at < block ? n - at : block;

		buf_put_span(&got, span_range(text + at, text + at + more));
		at += more;
		taken = text_names_put(&b->names, buf_span(&got), at == n, &b->out);
		if (taken)
			memmove(got.p, got.p + taken, got.n - taken);
		got.n -= taken;
	} while (at < n);
	assert_int_equal(got.n, 0);
	buf_release(&got);
	return buf_str(&b->out);
}

static void release(struct bed *b)
{
	text_names_release(&b->names);
	buf_release(&b->out);
}

static void assert_becomes(const char *text, const char *expected, bool in_place)
{
	static const size_t blocks[] = { 1, 7, 1 << 20 };
	struct bed b;
	size_t i;

	for (i = 0; i < ARRAY_LEN(blocks); i++) {
		assert_string_equal(run(&b, text, blocks[i], in_place), expected);
		release(&b);
	}
}

static void assert_named(const char *text, const char *appended, const char *in_place)
{
	assert_becomes(text, appended, false);
	assert_becomes(text, in_place, true);
}

static void assert_same(const char *text)
{
	assert_named(text, text, text);
}

static void an_address_is_followed_by_its_name_or_replaced(void **state)
{
	(void)state;
	assert_named(
		"at 0x1226b6506001, now\n", "at 0x1226b6506001 code0, now\n", "at code0, now\n");
	assert_named("0X00001226B6506101", "0X00001226B6506101 code1", "code1");
	assert_named("1226b6506201\r\n(1226b6506301)\n",
		"1226b6506201 code2\r\n(1226b6506301 code3)\n", "code2\r\n(code3)\n");
	assert_named(
		"jump to 0x1226b6506001.\n", "jump to 0x1226b6506001 code0.\n", "jump to code0.\n");
}

static void other_words_are_not_changed(void **state)
{
	(void)state;
	assert_same("");
	assert_same("\n\n");
	assert_same("main+0x1226b6506001\n");
	assert_same("0x1226b6506001-0x1226b6507001 r-xp\n");
	assert_same("1226b6506001-1226b6507001 r-xp\n");
	assert_same("x1226b6506001 1226b6506001x _1226b6506001 0x1226b6506001_\n");
	assert_same("lib-1226b6506001.so 1226b6506001.so /1226b6506001/\n");
	assert_same("000000000000001226b6506001 0x000000000000001226b6506001\n");
	assert_same("0x1226b6508001 deadbeef 0xdeadbeef 12345678\n");
	assert_same("\xff\x1b[0m\xc3\xa9"
		    "1226b6506001\n");
}

static void gdb_leaves_room_for_a_name(void **state)
{
	(void)state;
	assert_named("#0  0x00001226b6506001 in ?? ()\n", "#0  0x00001226b6506001 in code0 ()\n",
		"#0  0x00001226b6506001 in code0 ()\n");
	assert_named("#5  0x00001226b6506101 in 0x1226b6506101 ()\n",
		"#5  0x00001226b6506101 in code1 ()\n", "#5  0x00001226b6506101 in code1 ()\n");
	assert_same("#5  0x00001226b6506101 in main (argc=1) at main.c:3\n");
	assert_same("#5  0x00001226b6508101 in ?? ()\n");
	assert_same("#5  0x00001226b6506101 main\n"); /* eu-stack */
	assert_named("    #5 0x1226b6506101  (/a.out+0x101)\n",
		"    #5 0x1226b6506101 code1  (/a.out+0x101)\n",
		"    #5 code1  (/a.out+0x101)\n"); /* AddressSanitizer */
	assert_named("scanned in 0x1226b6506101 in all\n",
		"scanned in 0x1226b6506101 code1 in all\n", "scanned in code1 in all\n");
}

static void lldb_gives_an_address_alone_or_a_symbol(void **state)
{
	(void)state;
	assert_becomes("  * frame #0: 0x00001226b6506001\n    frame #1: 0x00001226b6506100\n",
		"  * frame #0: 0x00001226b6506001 code0\n"
		"    frame #1: 0x00001226b6506100 code0\n",
		false);
	assert_same("    frame #1: 0x00001226b6506101 a.out`main + 13 at main.c:3\n");
}

static void dtrace_and_bpftrace_give_addresses_alone(void **state)
{
	(void)state;
	assert_named("              libc.so`read+0xa\n              0x1226b6506101\n"
		     "              node`0x1226b6506200\n                2\n",
		"              libc.so`read+0xa\n              0x1226b6506101 code1\n"
		"              node`0x1226b6506200 code1\n                2\n",
		"              libc.so`read+0xa\n              code1\n"
		"              node`code1\n                2\n");
	assert_named("@[\n    0x1226b6506100\n    0x1226b6506100\n    main+13\n]: 5\n",
		"@[\n    0x1226b6506100 code1\n    0x1226b6506100 code0\n    main+13\n]: 5\n",
		"@[\n    code1\n    code0\n    main+13\n]: 5\n");
	assert_becomes("\t1226b6506101 0x1226b6506101 ([unknown])\n",
		"\t1226b6506101 code1 ([unknown])\n", false);
	assert_same("\t1226b6506101 main+4 (/bin/a)\n");
	assert_becomes("0x1226b6506001 0x1226b6506001\n", "code0 code0\n", true);
}

static void perf_leaves_room_for_a_name_and_names_the_module(void **state)
{
	struct bed b;

	(void)state;
	assert_string_equal(run(&b, "\t    1226b6506101 [unknown] (/tmp/perf-17.map)\n", 999, true),
		"\t    1226b6506101 code1 (/tmp/perf-17.map)\n");
	assert_int_equal(b.asked.at.pid, 17);
	assert_string_equal(b.asked.file, "");
	release(&b);
	assert_string_equal(run(&b, "\t1226b6506101 [unknown] (/usr/lib/libc.so.6)\n", 999, false),
		"\t1226b6506101 code1 (/usr/lib/libc.so.6)\n");
	assert_int_equal(b.asked.at.pid, -1);
	assert_string_equal(b.asked.file, "/usr/lib/libc.so.6");
	release(&b);
	assert_string_equal(run(&b, "\t1226b6506101 [unknown] (//anon)\n", 999, false),
		"\t1226b6506101 code1 (//anon)\n");
	assert_string_equal(b.asked.file, "");
	release(&b);
	assert_same("\t    1226b6506101 JS:~f /a.js:1 (/tmp/perf-17.map)\n");
}

static void bcc_valgrind_and_macos_leave_room_too(void **state)
{
	(void)state;
	assert_named("        1226b6506101 [unknown]\n", "        1226b6506101 code1\n",
		"        1226b6506101 code1\n");
	assert_named("==9==    by 0x1226B6506101: ???\n", "==9==    by 0x1226B6506101: code1\n",
		"==9==    by 0x1226B6506101: code1\n");
	assert_same("==9==    at 0x1226B6506101: malloc (vg_replace_malloc.c:381)\n");
	assert_named("3   ???  0x1226b6506101 0 + 19947216495873\n",
		"3   ???  0x1226b6506101 code1\n", "3   ???  0x1226b6506101 code1\n");
	assert_same("4   node  0x1226b6506101 uv_run + 17\n");
}

/* The first byte of code1 is what a call at the end of code0 returns to. */
static void what_is_in_parentheses_is_no_name(void **state)
{
	(void)state;
	assert_named("pc 0x1226b6506101 (a.out+0x101)\n", "pc 0x1226b6506101 code1 (a.out+0x101)\n",
		"pc code1 (a.out+0x101)\n");
}

static void a_return_address_is_that_of_the_call_before_it(void **state)
{
	(void)state;
	assert_becomes("#0  0x1226b6506100 in ?? ()\n#1  0x1226b6506100 in ?? ()\n",
		"#0  0x1226b6506100 in code1 ()\n#1  0x1226b6506100 in code0 ()\n", true);
	assert_becomes("\n  0x1226b6506100\n  0x1226b6506100\n\n  0x1226b6506100\n",
		"\n  code1\n  code0\n\n  code1\n", true);
	assert_becomes("node;0x1226b6506100;0x1226b6506100 7\n", "node;code0;code1 7\n", true);
	assert_becomes("0x1226b6506100\n0x1226b6506100\n", "code1\ncode1\n", true);
	assert_becomes("  x\n  see 0x1226b6506100\n", "  x\n  see code1\n", true);
}

/* Where blocks end changes nothing: not for a line above of just the length that is looked at. */
static void a_long_line_above_is_no_frame(void **state)
{
	char text[600], expected[600];
	int n;

	(void)state;
	for (n = 505; n < 520; n++) {
		snprintf(text, sizeof(text), " %*s\n 0x1226b6506100\n", n, "x");
		snprintf(expected, sizeof(expected), " %*s\n %s\n", n, "x",
			n < 512 ? "code0" : "code1");
		assert_becomes(text, expected, true);
	}
}

static void words_are_counted_by_answer(void **state)
{
	struct bed b;

	(void)state;
	run(&b, "0x1226b6506100 0x1226b6508100 #1  0x1226b6506100 in main ()", 999, false);
	assert_int_equal(b.names.count[TEXT_NAMED], 2);
	assert_int_equal(b.names.count[TEXT_UNKNOWN], 1);
	release(&b);
}

/* A line of 3 MB is not kept whole, and its addresses are named all the same. */
static void an_endless_line_is_handled_in_pieces(void **state)
{
	static const char word[] = "0x1226b6506101 ", named[] = "0x1226b6506101 code1 ";
	enum { WORDS = 200000 };
	struct buf text = { 0 }, out = { 0 };
	struct asked asked;
	struct text_names t = { .name = name, .ctx = &asked };
	size_t at = 0, most = 0, i;

	(void)state;
	for (i = 0; i < WORDS; i++)
		buf_put(&text, word, sizeof(word) - 1);
	while (at < text.n) {
		size_t end = at + TEXT_LINE_MAX < text.n ? at + TEXT_LINE_MAX : text.n;
		size_t taken = text_names_put(
			&t, span_range(text.p + at, text.p + end), end == text.n, &out);

		assert_true(taken);
		most = taken > most ? taken : most;
		at += taken;
	}
	assert_in_range(most, TEXT_LINE_MAX / 2, TEXT_LINE_MAX);
	assert_int_equal(t.count[TEXT_NAMED], WORDS);
	assert_int_equal(out.n, WORDS * (sizeof(named) - 1));
	for (i = 0; i < WORDS; i++)
		assert_memory_equal(out.p + i * (sizeof(named) - 1), named, sizeof(named) - 1);
	text_names_release(&t);
	buf_release(&text);
	buf_release(&out);
}

/* 2 MB of digits hold no address, wherever they are cut. */
static void an_endless_word_is_no_address(void **state)
{
	struct buf text = { 0 }, out = { 0 };
	struct asked asked;
	struct text_names t = { .name = name, .ctx = &asked };
	size_t at = 0;

	(void)state;
	while (text.n < 2 * TEXT_LINE_MAX)
		buf_puts(&text, "1226b6506101");
	while (at < text.n) {
		bool last = text.n - at <= TEXT_LINE_MAX;

		at += text_names_put(&t,
			(struct span){ text.p + at, last ? text.n - at : TEXT_LINE_MAX }, last,
			&out);
	}
	assert_int_equal(out.n, text.n);
	assert_memory_equal(out.p, text.p, text.n);
	text_names_release(&t);
	buf_release(&text);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_followed_by_its_name_or_replaced),
		cmocka_unit_test(other_words_are_not_changed),
		cmocka_unit_test(gdb_leaves_room_for_a_name),
		cmocka_unit_test(lldb_gives_an_address_alone_or_a_symbol),
		cmocka_unit_test(dtrace_and_bpftrace_give_addresses_alone),
		cmocka_unit_test(perf_leaves_room_for_a_name_and_names_the_module),
		cmocka_unit_test(bcc_valgrind_and_macos_leave_room_too),
		cmocka_unit_test(what_is_in_parentheses_is_no_name),
		cmocka_unit_test(a_return_address_is_that_of_the_call_before_it),
		cmocka_unit_test(a_long_line_above_is_no_frame),
		cmocka_unit_test(words_are_counted_by_answer),
		cmocka_unit_test(an_endless_line_is_handled_in_pieces),
		cmocka_unit_test(an_endless_word_is_no_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
