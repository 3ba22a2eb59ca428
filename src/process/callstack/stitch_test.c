#include "process/callstack/stitch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Sites are letters: '>' is [truncated], '?' marks a stack that ends early otherwise. */
static const struct stitch_marks marks = { '>', '?' };

struct bed {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	char text[1024];
	site_id last[256];
};

/* Stacks "tid letters", in so many logs in turn. */
static void bed_init(struct bed *b, const char *const *stacks, unsigned n_logs)
{
	unsigned i, k;

	*b = (struct bed){ .strings = strtab_new() };
	b->frames = frames_new(b->strings);
	b->r = recording_new("test", b->strings, b->frames);
	b->r->n_logs = n_logs;
	b->r->logs = calloc(n_logs, sizeof(*b->r->logs));
	for (i = 0; i < n_logs; i++)
		b->r->logs[i] = stacklog_new_of_sites();
	for (i = 0; stacks[i]; i++) {
		struct root root = { .pid = 1, .tid = stacks[i][0], .cpu = (int32_t)i };
		uint64_t entries[128];

		for (k = 0; stacks[i][k + 2]; k++)
			entries[k] = (unsigned char)stacks[i][k + 2];
		stacklog_add(b->r->logs[i % n_logs],
			&(struct stacklog_sample){ .root = roots_add(b->r->roots, &root),
				.weight = 1,
				.n = k,
				.entries = entries });
	}
	for (i = 0; i < n_logs; i++)
		stacklog_flush(b->r->logs[i]);
}

static int put_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct bed *b = ctx;
	size_t n = strlen(b->text);
	uint32_t k;

	(void)e;
	assert_memory_equal(b->last, s->sites, s->keep * sizeof(*s->sites));
	for (k = 0; k < s->n; k++) {
		b->last[k] = s->sites[k];
		b->text[n++] = (char)s->sites[k];
	}
	b->text[n] = ' ';
	return OK;
}

static void expect(const char *const *stacks, const char *result, unsigned joined, unsigned left)
{
	struct bed b;
	struct err e;

	bed_init(&b, stacks, 1);
	stitch_stacks(b.r, marks);
	stacklog_replay(b.r->logs[0], put_stack, &b, &e);
	assert_string_equal(b.text, result);
	assert_int_equal(b.r->diag.count[DIAG_STACK_JOINED], joined);
	assert_int_equal(b.r->diag.count[DIAG_STACK_NOT_JOINED], left);
	recording_free(b.r);
	frames_free(b.frames);
	strtab_free(b.strings);
}

#define EXPECT(result, joined, left, ...)                                                          \
	expect((const char *const[]){ __VA_ARGS__, NULL }, (result), (joined), (left))

static void a_stack_gets_the_outer_frames_of_a_complete_one(void **state)
{
	(void)state;
	EXPECT("smabc smabxyz ", 1, 0, "1 smabc", "1 >bxyz");
}

static void the_order_of_stacks_does_not_matter(void **state)
{
	(void)state;
	EXPECT("smabxyz smabc smabq ", 2, 0, "1 >bxyz", "1 smabc", "1 >abq");
}

static void stacks_of_another_thread_do_not_match(void **state)
{
	(void)state;
	EXPECT("smabc >bxyz ", 0, 1, "1 smabc", "2 >bxyz");
}

static void the_longest_run_of_frames_decides(void **state)
{
	(void)state;
	EXPECT("smabcd snbce smabcdz snbcez ", 2, 0, "1 smabcd", "1 snbce", "1 >bcdz", "1 >bcez");
}

static void ambiguous_stacks_are_left(void **state)
{
	(void)state;
	EXPECT("smabc snabc >abcz ", 0, 1, "1 smabc", "1 snabc", "1 >abcz");
	EXPECT("smabc snabd >abz snabdz ", 1, 1, "1 smabc", "1 snabd", "1 >abz", "1 >abdz");
}

static void a_cut_in_a_recursion_has_no_known_depth(void **state)
{
	(void)state;
	EXPECT("smabc >abax ", 0, 1, "1 smabc", "1 >abax");
	EXPECT("smaab smaabx ", 1, 0, "1 smaab", "1 >abx"); /* the deeper one has more in common */
}

static void unfinished_stacks_are_no_model_and_lose_their_mark(void **state)
{
	(void)state;
	EXPECT("mabc >bx ", 0, 1, "1 ?mabc", "1 >bx");
}

static void a_match_without_outer_frames_is_none(void **state)
{
	(void)state;
	EXPECT("smab >smx ", 0, 1, "1 smab", "1 >smx");
}

static void empty_stacks_stay_empty(void **state)
{
	(void)state;
	EXPECT(" >ab ", 0, 1, "1 ", "1 >ab");
}

static void long_runs_are_compared_up_to_a_limit(void **state)
{
	/* Only the frame after the limit differs. */
	char model[128] = "1 s", cut[128] = "1 >", other[128] = "1 t", result[512];
	int i;

	(void)state;
	for (i = 0; i < STITCH_RUN_MAX; i++)
		model[3 + i] = cut[3 + i] = other[3 + i] = (char)('@' + i);
	strcat(model, "m");
	strcat(cut, "c");
	strcat(other, "c");
	snprintf(result, sizeof(result), "%s %s %s ", model + 2, other + 2, cut + 2);
	EXPECT(result, 0, 1, model, other, cut);
}

static void logs_of_several_workers_give_the_same(void **state)
{
	static const char *const stacks[] = { "1 smabc", "1 >bxyz", "1 >abq", "2 snabc", "2 >bxyz",
		"1 ?abc", NULL };
	unsigned n_logs, i;

	(void)state;
	for (n_logs = 1; n_logs <= 6; n_logs++) {
		struct bed b;

		bed_init(&b, stacks, n_logs);
		stitch_stacks(b.r, marks);
		assert_int_equal(b.r->diag.count[DIAG_STACK_JOINED], 3);
		assert_int_equal(b.r->diag.count[DIAG_STACK_NOT_JOINED], 0);
		for (i = 0; i < n_logs; i++) {
			struct err e;

			memset(b.last, 0, sizeof(b.last));
			stacklog_replay(b.r->logs[i], put_stack, &b, &e);
		}
		assert_non_null(strstr(b.text, "smabxyz "));
		assert_non_null(strstr(b.text, "snabxyz "));
		assert_non_null(strstr(b.text, "smabq "));
		recording_free(b.r);
		frames_free(b.frames);
		strtab_free(b.strings);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_gets_the_outer_frames_of_a_complete_one),
		cmocka_unit_test(the_order_of_stacks_does_not_matter),
		cmocka_unit_test(stacks_of_another_thread_do_not_match),
		cmocka_unit_test(the_longest_run_of_frames_decides),
		cmocka_unit_test(ambiguous_stacks_are_left),
		cmocka_unit_test(a_cut_in_a_recursion_has_no_known_depth),
		cmocka_unit_test(unfinished_stacks_are_no_model_and_lose_their_mark),
		cmocka_unit_test(a_match_without_outer_frames_is_none),
		cmocka_unit_test(empty_stacks_stay_empty),
		cmocka_unit_test(long_runs_are_compared_up_to_a_limit),
		cmocka_unit_test(logs_of_several_workers_give_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
