#include "input/profiles/profiles.h"

#include "base/protobuf_writer.h"
#include "input/input_for_test.h"
#include "model/label_list.h"

#include <stdio.h>

/* Messages of this test are short: tags and lengths have one byte. */
static void put(struct buf *b, unsigned field, struct span bytes)
{
	buf_putc(b, (char)(field << 3 | 2));
	buf_putc(b, (char)bytes.n);
	buf_put_span(b, bytes);
}

static void put_numbers(struct buf *b, unsigned field, const char *fields)
{
	struct buf m = { 0 };

	for (; *fields; fields += 2) {
		buf_putc(&m, (char)((fields[0] - '0') << 3));
		buf_putc(&m, (char)(fields[1] - '0'));
	}
	put(b, field, buf_span(&m));
	buf_release(&m);
}

static const char *const strings[] = { "", "samples", "count", "cpu", "nanoseconds", "main", "f",
	"g", "/bin/x", "comm", "bash", "pid", "[kernel.kallsyms]", "g.c", "event cpu: cpu-clock",
	"cpu_samples" };

static void put_strings(struct buf *b)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(strings); i++)
		put(b, 6, span_of(strings[i]));
}

/* "1122" is {1: 1, 2: 2}; ":" is 10, ";" 11 and so on. */
static void put_tables(struct buf *b)
{
	put_numbers(b, 1, "1122");     /* samples, count */
	put_numbers(b, 1, "1324");     /* cpu, nanoseconds */
	put_numbers(b, 3, "1158");     /* mapping 1: /bin/x */
	put_numbers(b, 3, "125<");     /* mapping 2: the kernel */
	put_numbers(b, 5, "1125");     /* function 1: main */
	put_numbers(b, 5, "1226");     /* function 2: f */
	put_numbers(b, 5, "13274=57"); /* function 3: g, g.c, line 7 */
}

static void put_locations(struct buf *b)
{
	put(b, 4, (struct span){ "\x08\x01\x10\x01\x22\x02\x08\x01", 8 }); /* main */
	/* g inlined into f */
	put(b, 4, (struct span){ "\x08\x02\x10\x01\x22\x02\x08\x03\x22\x02\x08\x02", 12 });
	put(b, 4, (struct span){ "\x08\x03\x10\x02\x18\x77", 6 }); /* in the kernel, 0x77 */
}

/* Packed and plain, labels, a thread alone. */
static void put_samples(struct buf *b)
{
	put(b, 2,
		(struct span){ "\x0a\x02\x02\x01\x12\x02\x03\x64\x1a\x04\x08\x09\x10\x0a"
			       "\x1a\x04\x08\x0b\x18\x07",
			20 });
	put(b, 2, (struct span){ "\x08\x03\x08\x01\x10\x01\x10\x0a", 8 });
	put(b, 2, (struct span){ "\x08\x09\x10\x00\x10\x05", 6 });
}

static void put_profile(struct buf *b)
{
	put_samples(b);
	put_tables(b);
	put_locations(b);
	put_strings(b);
}

static void check(struct buf *b, const struct read_opts *o, const char *want)
{
	struct input_bed t = { .text = buf_span(b), .opts = *o };

	t.opts.root_fields = 1u << ROOT_COMM_PID;
	input_expect(&t, want);
	buf_release(b);
}

static void the_last_type_is_the_default(void **state)
{
	struct read_opts o = { .addresses = true };
	struct buf b = { 0 };

	(void)state;
	put_profile(&b);
	check(&b, &o,
		"stack  5 1\n"
		"stack bash-7/-1|main|f|g_[i] 100 3\n"
		"stack |main|[[kernel.kallsyms]] 10 1\n"
		"event samples 4\nevent cpu 5 chosen\n"
		"thread -1/-1  2\nthread 7/-1 bash 3\nbad BAD_RECORD 1 9\n");
}

/* A number of a profile itself: the index of a string. */
static void put_index(struct buf *b, unsigned field, char string)
{
	buf_putc(b, (char)(field << 3));
	buf_putc(b, string);
}

static const char in_samples[] =
	"stack bash-7/-1|main|f|g_[i] 3 3\nstack |main|[[kernel.kallsyms]] 1 1\n"
	"event samples 4 chosen\nevent cpu 5\n"
	"thread -1/-1  1\nthread 7/-1 bash 3\nbad BAD_RECORD 1 9\n";

static void the_default_type_is_the_one_that_is_named(void **state)
{
	struct read_opts o = { .addresses = true };
	struct buf b = { 0 };

	(void)state;
	put_numbers(&b, 11, "1324"); /* the period: cpu, nanoseconds */
	put_profile(&b);
	put_index(&b, 14, 1);
	check(&b, &o, in_samples);
}

static void the_type_of_the_period_comes_next(void **state)
{
	struct read_opts o = { .addresses = true };
	struct buf b = { 0 };

	(void)state;
	put_numbers(&b, 11, "1122"); /* samples, count */
	put_profile(&b);
	put_index(&b, 14, 5); /* "main": no type of this profile */
	check(&b, &o, in_samples);
}

static void samples_are_a_type_of_their_own(void **state)
{
	struct read_opts o = { .weight_by_samples = true };
	struct buf b = { 0 };

	(void)state;
	put_profile(&b);
	check(&b, &o, in_samples);
}

static void a_comment_of_perfold_says_which_event_a_type_is_of(void **state)
{
	struct read_opts o = { 0 };
	struct buf b = { 0 };

	(void)state;
	put_profile(&b);
	buf_puts(&b, "\x68\x0e"); /* a comment: string 14 */
	check(&b, &o,
		"stack  5 1\n"
		"stack bash-7/-1|main|f|g_[i] 100 3\n"
		"stack |main|[[kernel.kallsyms]] 10 1\n"
		"event samples 4\nevent cpu-clock 5 chosen\n"
		"thread -1/-1  2\nthread 7/-1 bash 3\nbad BAD_RECORD 1 9\n");
}

/* As perfold writes types for several events. */
static void samples_of_each_event_are_no_event(void **state)
{
	struct read_opts o = { 0 };
	struct buf b = { 0 };

	(void)state;
	put_numbers(&b, 1, "1?22"); /* cpu_samples, count */
	put_numbers(&b, 1, "1324"); /* cpu, nanoseconds */
	put_numbers(&b, 5, "1125");
	put(&b, 4, (struct span){ "\x08\x01\x10\x01\x22\x02\x08\x01", 8 });
	put(&b, 2, (struct span){ "\x0a\x01\x01\x12\x02\x03\x64", 7 });
	put_strings(&b);
	check(&b, &o,
		"stack |main 100 3\n"
		"event cpu_samples 3\nevent cpu 3 chosen\nthread -1/-1  3\n");
}

static void a_profile_cut_anywhere_is_damaged_but_read(void **state)
{
	struct buf b = { 0 };
	size_t n;

	(void)state;
	put_profile(&b);
	for (n = 0; n < b.n; n++) {
		struct input_bed t = { .text = { b.p, n }, .format = &input_pprof };

		free(input_read(&t));
	}
	buf_release(&b);
}

/* A sample whose n locations are all that of main(), each in a field of its own. */
static void put_deep_sample(struct buf *b, uint32_t n)
{
	uint32_t bytes = 2 * n + 3;

	buf_putc(b, 2 << 3 | 2);
	for (; bytes > 127; bytes >>= 7)
		buf_putc(b, (char)(bytes | 0x80));
	buf_putc(b, (char)bytes);
	while (n--)
		buf_put_span(b, (struct span){ "\x08\x01", 2 });
	buf_put_span(b, (struct span){ "\x12\x01\x01", 3 });
}

/* Each stack counts once, however many frames are left out. */
static void stacks_beyond_the_limit_are_counted(void **state)
{
	enum { LIMIT = 1 << 15 };
	struct input_bed t = { .format = &input_pprof };
	struct buf b = { 0 };
	char *found;

	(void)state;
	put_profile(&b);
	put_deep_sample(&b, LIMIT);
	put_deep_sample(&b, LIMIT + 1);
	put_deep_sample(&b, LIMIT + 3);
	t.text = buf_span(&b);
	found = input_read(&t);
	assert_non_null(strstr(found, "\nbad STACK_TOO_DEEP 2 "));
	free(found);
	buf_release(&b);
}

/* The name of main is the character, n times. */
static void put_name(struct buf *b, char c, size_t n)
{
	struct buf name = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		buf_putc(&name, c);
	for (i = 0; i < ARRAY_LEN(strings); i++)
		protobuf_writer_put_bytes(b, 6, i == 5 ? buf_span(&name) : span_of(strings[i]));
	buf_release(&name);
}

/* Any number of functions may refer to one string. */
static void very_long_names_are_cut(void **state)
{
	struct buf b = { 0 }, want = { 0 };
	struct read_opts o = { 0 };
	size_t i;

	(void)state;
	put_tables(&b);
	put_locations(&b);
	put_name(&b, 'n', 100000);
	put(&b, 2, (struct span){ "\x08\x01\x10\x01\x10\x05", 6 });
	buf_puts(&want, "stack |");
	for (i = 0; i < 65536; i++)
		buf_putc(&want, 'n');
	buf_puts(&want, " 5 1\nevent samples 1\nevent cpu 1 chosen\nthread -1/-1  1\n");
	check(&b, &o, buf_str(&want));
	buf_release(&want);
}

/* A sample without frames that has a label for each of n keys, which are the strings from first on.
 */
static void put_labelled(struct buf *b, uint64_t first, unsigned n)
{
	struct buf sample = { 0 }, label = { 0 };
	char key[16];
	unsigned i;

	protobuf_writer_put_bytes(&sample, 2, SPAN("\x01\x05"));
	for (i = 0; i < n; i++) {
		label.n = 0;
		protobuf_writer_put_number(&label, 1, first + i);
		protobuf_writer_put_number(&label, 2, 5); /* main */
		protobuf_writer_put_bytes(&sample, 3, buf_span(&label));
		snprintf(key, sizeof(key), "k%u", i);
		protobuf_writer_put_bytes(b, 6, span_of(key));
	}
	protobuf_writer_put_bytes(b, 2, buf_span(&sample));
	buf_release(&sample);
	buf_release(&label);
}

static void labels_beyond_the_limit_are_counted(void **state)
{
	struct read_opts o = { 0 };
	struct buf b = { 0 };

	(void)state;
	put_tables(&b);
	put_strings(&b);
	put_labelled(&b, ARRAY_LEN(strings), LABELS_MAX + 3);
	check(&b, &o,
		"stack  5 1\nevent samples 1\nevent cpu 1 chosen\nthread -1/-1  1\n"
		"bad LABELS_LIMIT 3 0\n");
}

static void the_format_is_recognized(void **state)
{
	struct input_head head = { .whole = true };
	struct buf b = { 0 };

	(void)state;
	put_profile(&b);
	head.bytes = buf_span(&b);
	assert_ptr_equal(input_sniff(&head), &input_pprof);
	head.bytes.n -= 3;
	assert_null(input_sniff(&head));
	head.whole = false;
	assert_ptr_equal(input_sniff(&head), &input_pprof);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_type_is_the_default),
		cmocka_unit_test(the_default_type_is_the_one_that_is_named),
		cmocka_unit_test(the_type_of_the_period_comes_next),
		cmocka_unit_test(samples_are_a_type_of_their_own),
		cmocka_unit_test(a_comment_of_perfold_says_which_event_a_type_is_of),
		cmocka_unit_test(samples_of_each_event_are_no_event),
		cmocka_unit_test(a_profile_cut_anywhere_is_damaged_but_read),
		cmocka_unit_test(stacks_beyond_the_limit_are_counted),
		cmocka_unit_test(very_long_names_are_cut),
		cmocka_unit_test(labels_beyond_the_limit_are_counted),
		cmocka_unit_test(the_format_is_recognized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
