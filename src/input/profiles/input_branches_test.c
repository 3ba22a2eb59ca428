#include "input/profiles/profiles.h"

#include "base/mem.h"
#include "input/input_for_test.h"

/* "B from to count mispredicted" and so on, as rows; "error: MESSAGE". */
static char *read_rows(const struct input_format *format, const char *text, size_t block_bytes)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("text", strings, frames);
	struct input_head head = { span_of(text), true };
	struct read_opts o = { .block_bytes = block_bytes };
	struct file f = { .path = "text" };
	struct buf out = { 0 };
	struct err e;
	char *shown;
	uint32_t i;

	if (format->read(r, &f, &head, &o, NULL, &e)) {
		buf_printf(&out, "error: %s\n", e.msg);
	} else {
		const struct branch_binary *b = r->written_branches;

		for (i = 0; i < b->n; i++) {
			const struct branch_row *row = &b->row[i];

			buf_printf(&out, "%" PRIx64 ">%" PRIx64, row->from, row->to);
			if (row->next != BRANCH_NO_NEXT)
				buf_printf(&out, "-%" PRIx64, row->next);
			buf_printf(&out, " x%" PRIu64 " m%" PRIu64 "%s%s%s\n", row->count,
				row->mispredicted, row->entered ? " entered" : "",
				row->only_range ? " range" : "",
				row->reading == BRANCH_SAMPLE ? " sample" : "");
		}
		for (i = 0; i < r->n_events; i++)
			buf_printf(&out, "event %s\n", strtab_str(strings, r->events[i].name));
		buf_printf(
			&out, "%" PRIu64 " branches, %" PRIu64 " samples", b->entries, b->samples);
		if (b->outside)
			buf_printf(&out, ", outside %" PRIx64, b->outside);
		buf_puts(&out, "\n");
	}
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	shown = xstrdup(buf_str(&out));
	buf_release(&out);
	return shown;
}

static void expect(const struct input_format *format, const char *text, const char *want)
{
	static const size_t blocks[] = { 0, 1, 8, 32 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(blocks); i++) {
		char *found = read_rows(format, text, blocks[i]);

		assert_string_equal(found, want);
		free(found);
	}
}

static void lines_of_bolt_are_rows(void **state)
{
	(void)state;
	expect(&input_preagg,
		"B 0 1139 7 0\nB 1171 ffffffff81000000 6 2\nF 1139 1152 5\nf 1139 1152 2\n",
		"0>1139 x7 m0\n1171>ffffffff81000000 x6 m2\n0>1139-1152 x5 m0 range\n"
		"0>1139-1152 x2 m0 entered range\n13 branches, 0 samples\n");
	expect(&input_preagg, "E cycles:u\nS 1140 12\n",
		"0>1140 x12 m0 sample\nevent cycles:u\n0 branches, 12 samples\n");
}

static void lines_of_llvm_profgen_are_rows(void **state)
{
	(void)state;
	expect(&input_unsymbolized, "1\n139-152:7\n2\nffffffffffbff001->139:6\n0->140:1\n",
		"0>1139-1152 x7 m0 range\n0>1139 x6 m0\n1000>1140 x1 m0\n"
		"7 branches, 0 samples, outside ffffffffffbff001\n");
	expect(&input_unsymbolized, "0\n0\n", "0 branches, 0 samples\n");
}

#define NOT_WRITTEN(n)                                                                             \
	"error: text: line " n " is none that perfold writes: nothing is added up without it\n"

static void nothing_is_skipped(void **state)
{
	static const char *const bad[] = { "T 1 2 3 4", "B 1 2 3", "B 1 2 3 4 5", "B 1 x 3 4",
		"F 2 1 3", "F 1 2 99999999999999999999", "X:1 2 3 4", "B 1a2b3c4d5e6f70819 2 3 4",
		"", "E ", "E" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		char *text = xasprintf("B 1 2 3 0\n%s\nB 1 2 3 0\n", bad[i]);

		expect(&input_preagg, text, NOT_WRITTEN("2"));
		free(text);
	}
	expect(&input_unsymbolized, "1\n139-152:7\n1\n[a @ b]\n", NOT_WRITTEN("4"));
	expect(&input_unsymbolized, "1\n152-139:7\n0\n", NOT_WRITTEN("2"));
	expect(&input_unsymbolized, "0\n0\n0\n", NOT_WRITTEN("3"));
	expect(&input_unsymbolized, "3\n139-152:7\n139-153:7\n",
		"error: text: is cut short: 1 line of its ranges is missing\n");
	expect(&input_unsymbolized, "1\n139-152:7\n",
		"error: text: is cut short: its branches are missing\n");
}

static int bid(const struct input_format *format, const char *text)
{
	struct input_head head = { span_of(text), true };

	return format->bid(&head);
}

static void formats_are_recognized(void **state)
{
	(void)state;
	assert_true(bid(&input_preagg, "B 0 1139 7 0\n") > 50);
	assert_true(bid(&input_preagg, "F 1 1139 7\n") > 50);
	assert_true(bid(&input_preagg, "E cycles\nS 1139 7\n") > 50);
	assert_int_equal(bid(&input_preagg, "E cycles\n"), 0);
	assert_int_equal(bid(&input_preagg, "B;c 7\n"), 0);
	assert_int_equal(bid(&input_preagg, ""), 0);
	assert_true(bid(&input_unsymbolized, "2\n1-2:3\n") > 50);
	assert_true(bid(&input_unsymbolized, "0\n1\n1->2:3\n") > 50);
	assert_int_equal(bid(&input_unsymbolized, "2\nx\n"), 0);
	assert_int_equal(bid(&input_unsymbolized, "0\n0\n"), 0);
	assert_int_equal(bid(&input_unsymbolized, ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_bolt_are_rows),
		cmocka_unit_test(lines_of_llvm_profgen_are_rows),
		cmocka_unit_test(nothing_is_skipped),
		cmocka_unit_test(formats_are_recognized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
