#include "input/profiles/profiles.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&input_folded, ROOT_COMM, (text))
#define CHECK(text, want) input_check(&input_folded, ROOT_COMM, (text), (want))

static void a_line_is_a_stack_with_a_count(void **state)
{
	(void)state;
	CHECK("node;main;f 12\nnode;main 3\nnode;main;f 1\n",
		"stack |node|main 3 3\nstack |node|main|f 13 13\n");
}

static void names_may_hold_blanks_and_the_last_line_no_newline(void **state)
{
	(void)state;
	CHECK("my app;f(int, char);get size 12\r\na;worker 7 3",
		"stack |a|worker 7 3 3\nstack |my app|f(int, char)|get size 12 12\n");
}

static void suffixes_are_kinds(void **state)
{
	(void)state;
	CHECK("a;b_[i];c_[j];d_[k];[unknown];_[k] 1\n",
		"stack |a|b_[i]|c_[j]|d_[k]|[unknown]|_[k] 1 1\n");
}

static void frames_after_the_delimiter_of_bcc_are_the_kernels(void **state)
{
	(void)state;
	CHECK("a;b;-;c;d_[j] 1\na;b;-;c 2\na;b;c;- 3\na;c;-x 4\n",
		"stack |a|b|-|c_[k] 2 2\nstack |a|b|-|c_[k]|d_[j] 1 1\nstack |a|b|c|- 3 3\n"
		"stack |a|c|-x 4 4\n");
}

static void fractions_are_rounded_half_up(void **state)
{
	(void)state;
	CHECK("a 12.5\nb 12.49\nc 0.9\nd 7.\n",
		"stack |a 13 13\nstack |b 12 12\nstack |c 1 1\nstack |d 7 7\n");
}

static void the_last_of_two_counts_wins(void **state)
{
	(void)state;
	CHECK("a;b 10 20\na 1 0\n", "stack |a 0 0\nstack |a|b 20 20\n");
}

static void with_weight_samples_a_count_is_a_number_of_samples(void **state)
{
	struct input_bed t = BED("a;b 5\na;c 2.5\na;b 1\na 0\n");

	(void)state;
	t.opts.weight_by_samples = true;
	input_expect(&t, "stack |a 0 0\nstack |a|b 6 6\nstack |a|c 3 3\n");
}

static void a_number_at_the_end_of_some_names_is_no_count(void **state)
{
	(void)state;
	CHECK("a;worker 7 20\na;b 1\n", "stack |a|b 1 1\nstack |a|worker 7 20 20\n");
}

static void blank_lines_comments_and_empty_frames_are_left_out(void **state)
{
	(void)state;
	CHECK("# made by hand\n\n  \n;a;;b; 2\n#x 1\n", "stack |#x 1 1\nstack |a|b 2 2\n");
}

static void a_prefix_shared_with_the_line_before_ends_with_a_frame(void **state)
{
	(void)state;
	CHECK("a;b 1\na;bc 2\na;bc;d 3\na;bc 4\na;b;c 5\na;;b;c 6\nab;b 7\na;b\na;b;d 8\n",
		"stack |ab|b 7 7\nstack |a|b 1 1\nstack |a|bc 6 6\nstack |a|bc|d 3 3\n"
		"stack |a|b|c 11 11\nstack |a|b|d 8 8\nbad BAD_COUNT 1 8\n");
}

static void a_site_is_counted_in_each_stack_that_holds_it(void **state)
{
	struct input_bed t = BED("a;b;a 5\na;b 1\na 1\na;c;b 1\nb 1\n");

	(void)state;
	t.sites = true;
	input_expect(&t, "stack |a 1 1\nstack |a|b 1 1\nstack |a|b|a 5 5\nstack |a|c|b 1 1\n"
			 "stack |b 1 1\nsite |a 13 13\nsite |b 8 8\nsite |c 1 1\n");
	t.opts.weight_by_samples = true;
	input_expect(&t, "stack |a 1 1\nstack |a|b 1 1\nstack |a|b|a 5 5\nstack |a|c|b 1 1\n"
			 "stack |b 1 1\nsite |a 13 13\nsite |b 8 8\nsite |c 1 1\n");
}

static void bad_lines_are_counted_with_the_number_of_the_first(void **state)
{
	(void)state;
	CHECK("a;b 1\na;b\nhello\na;b x\n 5\na 99999999999999999999\na -3\n",
		"stack |a|b 1 1\nbad BAD_LINE 4 3\nbad BAD_COUNT 2 2\n");
}

/* More lines than are looked up together; "x" is new in each of the first of these, and again. */
static void long_texts_sum_up_like_short_ones(void **state)
{
	struct buf text = { 0 }, want = { 0 };
	int i;

	(void)state;
	for (i = 10; i < 90; i++) {
		buf_printf(&text, "a;n%d;x %d\n# a;x 1\n\na;n%d;x\na;n%d;x 1\n", i, i, i, i);
		buf_printf(&want, "stack |a|n%d|x %d %d\n", i, i + 1, i + 1);
	}
	buf_puts(&want, "bad BAD_COUNT 80 4\n");
	CHECK(buf_str(&text), buf_str(&want));
	buf_release(&text);
	buf_release(&want);
}

static void v8_names_have_file_and_tier(void **state)
{
	struct input_bed t = BED("node;JS:*fib /srv/app.js:5:13 1\n");

	(void)state;
	t.detail = true;
	input_expect(&t, "stack |node{}|JS:*fib /srv/app.js:5:13_[j]{ /srv/app.js:5:13 tier 4} "
			 "1 1\n");
}

static void blocks_streams_and_workers_change_nothing(void **state)
{
	struct input_bed t;
	struct buf b = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 200; i++)
		buf_printf(&b, i % 50 == 49 ? "bad %d;\n" : "a;b%d;c %d\n", i % 7, i);
	/* Longer than what is looked at to see where a block ends. */
	for (i = 0; i < 3000; i++)
		buf_printf(&b, "%sd%d", i ? ";" : "a;b1;", i);
	buf_puts(&b, " 1\na;b1;c 2\n");
	t = BED(buf_str(&b));
	t.sites = true;
	input_expect_no_change(t);
	buf_release(&b);
}

static int bid(const char *text)
{
	struct input_head head = { span_of(text), true };

	return input_folded.bid(&head);
}

static void the_format_is_recognized(void **state)
{
	(void)state;
	assert_true(bid("a;b 1\nc;d 2\n") >= 50);
	assert_true(bid("a 1\nb 2\n") > 0);
	assert_int_equal(bid("a;b 1\nthis\nis\nnot\n"), 0);
	assert_int_equal(bid("node 7  1.5: 250 cycles: \n\t 10 f (/x)\n\n"), 0);
	assert_int_equal(bid(""), 0);
}

static int bid_on_front(const char *piece)
{
	struct buf b = { 0 };
	struct input_head head;
	int of;

	while (b.n < 64 << 10)
		buf_puts(&b, piece);
	head = (struct input_head){ buf_span(&b), false };
	of = input_folded.bid(&head);
	buf_release(&b);
	return of;
}

/* Deep recursion: one stack is longer than the front. */
static void a_stack_longer_than_the_front_is_recognized(void **state)
{
	(void)state;
	assert_true(bid_on_front("recurse;") > 0);
	assert_int_equal(bid_on_front("word "), 0);
	assert_int_equal(bid_on_front("var a={b:1};"), 0);
	assert_int_equal(bid_on_front("\001;"), 0);
}

static void formats_are_found_by_name_and_by_content(void **state)
{
	struct input_head folded = { SPAN("a;b 1\nc;d 2\n"), true };
	struct input_head script = { SPAN("a 1  1.0: 1 cycles: \n\t 10 f (/x)\n"), true };
	struct input_head neither = { SPAN("{\"nodes\":[]}"), true };

	(void)state;
	assert_ptr_equal(input_by_name("folded"), &input_folded);
	assert_null(input_by_name("fold"));
	assert_ptr_equal(input_sniff(&folded), &input_folded);
	assert_string_equal(input_sniff(&script)->name, "perf-script");
	assert_null(input_sniff(&neither));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_stack_with_a_count),
		cmocka_unit_test(names_may_hold_blanks_and_the_last_line_no_newline),
		cmocka_unit_test(suffixes_are_kinds),
		cmocka_unit_test(frames_after_the_delimiter_of_bcc_are_the_kernels),
		cmocka_unit_test(fractions_are_rounded_half_up),
		cmocka_unit_test(the_last_of_two_counts_wins),
		cmocka_unit_test(with_weight_samples_a_count_is_a_number_of_samples),
		cmocka_unit_test(a_number_at_the_end_of_some_names_is_no_count),
		cmocka_unit_test(blank_lines_comments_and_empty_frames_are_left_out),
		cmocka_unit_test(a_prefix_shared_with_the_line_before_ends_with_a_frame),
		cmocka_unit_test(a_site_is_counted_in_each_stack_that_holds_it),
		cmocka_unit_test(bad_lines_are_counted_with_the_number_of_the_first),
		cmocka_unit_test(long_texts_sum_up_like_short_ones),
		cmocka_unit_test(v8_names_have_file_and_tier),
		cmocka_unit_test(blocks_streams_and_workers_change_nothing),
		cmocka_unit_test(the_format_is_recognized),
		cmocka_unit_test(a_stack_longer_than_the_front_is_recognized),
		cmocka_unit_test(formats_are_found_by_name_and_by_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
