#include "model/stacklog.h"

#include "base/mem.h"
#include "model/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Entry e means site e + 1 before 1000 ns, and e + 5001 from then on, where e is even. */
static site_id two_meanings(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	static const struct moment border = { 1000, 0 };

	(void)space;
	++*(unsigned *)ctx;
	if (entry % 2)
		return (site_id)entry + 1;
	if (moment_before(at, border)) {
		valid->until = border;
		return (site_id)entry + 1;
	}
	valid->from = border;
	return (site_id)entry + 5001;
}

static uint64_t random_next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

struct seen {
	uint64_t weight, samples;
	uint32_t stacks;
	site_id last[64];
	uint32_t last_n;
	root_id last_root;
	uint64_t by_content[4096]; /* a hash of what each stack means -> weight */
};

static uint32_t content_hash(root_id root, const site_id *sites, uint32_t n)
{
	uint32_t h = root * 31 + n, i;

	for (i = 0; i < n; i++)
		h = h * 16777619u ^ sites[i];
	return h % 4096;
}

static int remember(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct seen *seen = ctx;

	(void)e;
	assert_true(s->keep <= s->n);
	if (s->keep)
		assert_memory_equal(s->sites, seen->last, s->keep * sizeof(site_id));
	memcpy(seen->last, s->sites, s->n * sizeof(site_id));
	seen->last_n = s->n;
	seen->last_root = s->root;
	seen->weight += s->weight;
	seen->samples += s->samples;
	seen->stacks++;
	seen->by_content[content_hash(s->root, s->sites, s->n)] += s->weight;
	return OK;
}

static struct seen *replay(const struct stacklog *l)
{
	struct seen *seen = calloc(1, sizeof(*seen));
	struct err e;

	assert_int_equal(stacklog_replay(l, remember, seen, &e), OK);
	return seen;
}

static void add(struct stacklog *l, root_id root, uint64_t time_ns, uint64_t weight,
	const uint64_t *entries, uint32_t n)
{
	struct stacklog_sample s = {
		.root = root, .at = { time_ns, 0 }, .weight = weight, .n = n, .entries = entries
	};

	stacklog_add(l, &s);
}

static void equal_stacks_are_counted_together(void **state)
{
	static const uint64_t ab[] = { 1, 3 }, abc[] = { 1, 3, 5 };
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	struct seen *seen;

	(void)state;
	add(l, 1, 0, 10, ab, 2);
	add(l, 1, 1, 20, abc, 3);
	add(l, 1, 2, 30, ab, 2);
	add(l, 2, 3, 40, ab, 2);
	add(l, 1, 3, 40, ab, 0);
	stacklog_flush(l);
	assert_int_equal(stacklog_count(l), 4);
	seen = replay(l);
	assert_int_equal(seen->weight, 140);
	assert_int_equal(seen->samples, 5);
	assert_int_equal(calls, 3); /* each entry looked up once */
	free(seen);
	stacklog_free(l);
}

static site_id space_and_entry(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	(void)at;
	(void)valid;
	++*(unsigned *)ctx;
	return entry & STACKLOG_ALL_SPACES ? (site_id)entry : space * 1000 + (site_id)entry;
}

static void an_entry_of_all_spaces_is_looked_up_once(void **state)
{
	static const uint64_t all = STACKLOG_ALL_SPACES, one = 1ull << 63;
	const uint64_t shared[] = { all | 7, all | 8 }, mixed[] = { 7, all | 8 },
		       other[] = { one | 7 };
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(space_and_entry, &calls);
	struct stacklog_sample s = { .weight = 1 };
	struct seen *seen;

	(void)state;
	for (s.space = 1; s.space <= 3; s.space++) {
		s.n = 2;
		s.entries = shared;
		stacklog_add(l, &s);
		s.entries = mixed;
		stacklog_add(l, &s);
		s.n = 1;
		s.entries = other;
		stacklog_add(l, &s);
	}
	stacklog_flush(l);
	assert_int_equal(calls, 2 + 3 + 3);
	assert_int_equal(stacklog_count(l), 1 + 3 + 3);
	seen = replay(l);
	assert_int_equal(seen->samples, 9);
	free(seen);
	stacklog_free(l);
}

static void a_stack_that_means_something_else_later_is_another_stack(void **state)
{
	static const uint64_t stack[] = { 1, 2 };
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	struct seen *seen;

	(void)state;
	add(l, 1, 999, 1, stack, 2);
	add(l, 1, 1000, 2, stack, 2);
	add(l, 1, 5, 4, stack, 2);
	stacklog_flush(l);
	assert_int_equal(stacklog_count(l), 2);
	seen = replay(l);
	assert_int_equal(seen->by_content[content_hash(1, (site_id[]){ 2, 3 }, 2)], 5);
	assert_int_equal(seen->by_content[content_hash(1, (site_id[]){ 2, 5003 }, 2)], 2);
	free(seen);
	stacklog_free(l);
}

/* Thousands of random stacks with shared prefixes, at random times, against a plain table. */
static void random_stacks_are_counted_as_a_plain_table_counts_them(void **state)
{
	uint64_t rng = 42, plain[4096] = { 0 }, entries[64];
	unsigned calls = 0, i;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	struct seen *seen;

	(void)state;
	for (i = 0; i < 20000; i++) {
		uint32_t n = (uint32_t)random_next(&rng) % 20, k;
		uint64_t time_ns = random_next(&rng) % 2000, weight = random_next(&rng) % 100;
		root_id root = 1 + (uint32_t)random_next(&rng) % 2;
		site_id sites[64];

		for (k = 0; k < n; k++)
			entries[k] = k < 12 ? k : 12 + random_next(&rng) % 4;
		for (k = 0; k < n; k++)
			sites[k] = (site_id)entries[k] +
				   (entries[k] % 2 == 0 && time_ns >= 1000 ? 5001 : 1);
		plain[content_hash(root, sites, n)] += weight;
		add(l, root, time_ns, weight, entries, n);
	}
	stacklog_flush(l);
	seen = replay(l);
	assert_memory_equal(seen->by_content, plain, sizeof(plain));
	assert_int_equal(seen->samples, 20000);
	free(seen);
	stacklog_free(l);
}

/* Sites up to 4 at the root are no part of a stack. */
static uint32_t small_sites(void *ctx, const site_id *sites, uint32_t n)
{
	uint32_t i;

	(void)ctx;
	for (i = 0; i + 1 < n && sites[i] <= 4; i++)
		;
	return i;
}

/* As random_stacks_are_counted_as_a_plain_table_counts_them(), where stacks lose their root. */
static void trimmed_stacks_are_counted_as_a_plain_table_counts_them(void **state)
{
	uint64_t rng = 42, plain[4096] = { 0 }, entries[64], trimmed = 0;
	unsigned calls = 0, i;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	struct seen *seen;

	(void)state;
	stacklog_set_trim(l, small_sites, NULL);
	for (i = 0; i < 20000; i++) {
		uint32_t n = (uint32_t)random_next(&rng) % 12, k, out;
		uint64_t weight = random_next(&rng) % 100;
		site_id sites[64];

		for (k = 0; k < n; k++)
			entries[k] = 1 + 2 * (random_next(&rng) % 6);
		for (k = 0; k < n; k++)
			sites[k] = (site_id)entries[k] + 1;
		out = small_sites(NULL, sites, n);
		trimmed += out > 0;
		plain[content_hash(1, sites + out, n - out)] += weight;
		add(l, 1, 0, weight, entries, n);
	}
	stacklog_flush(l);
	seen = replay(l);
	assert_memory_equal(seen->by_content, plain, sizeof(plain));
	assert_int_equal(seen->samples, 20000);
	assert_int_equal(stacklog_trimmed(l), trimmed);
	free(seen);
	stacklog_free(l);
}

static void check_order(void *ctx, uint32_t tag, stack_id stack)
{
	uint32_t *next = ctx;

	assert_int_equal(tag, *next);
	assert_int_equal(stack, tag % 7);
	++*next;
}

static void stacks_are_reported_in_the_order_of_samples(void **state)
{
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	uint32_t next = 0, i;

	(void)state;
	stacklog_set_on_stack(l, check_order, &next);
	for (i = 0; i < 100; i++) {
		uint64_t entry = 2 * (i % 7) + 1;
		struct stacklog_sample s = { .tag = i, .n = 1, .entries = &entry };

		stacklog_add(l, &s);
	}
	stacklog_flush(l);
	assert_int_equal(next, 100);
	stacklog_free(l);
}

static void weights_do_not_wrap(void **state)
{
	static const uint64_t stack[] = { 1 };
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	struct seen *seen;

	(void)state;
	add(l, 1, 0, UINT64_MAX - 1, stack, 1);
	add(l, 1, 0, 5, stack, 1);
	stacklog_flush(l);
	seen = replay(l);
	assert_true(seen->weight == UINT64_MAX);
	free(seen);
	stacklog_free(l);
}

static void sums_are_replayed_with_shared_prefixes_and_keep_their_counts(void **state)
{
	struct stacklog *l = stacklog_new_of_sums(3);
	struct tree *t = stacklog_tree(l);
	uint32_t a = tree_child(t, 0, 1), b = tree_child(t, a, 2), c = tree_child(t, b, 1);
	uint64_t counts[3] = { 0, 4, 2 }, sum[3] = { 0, 1, 0 };
	struct seen *seen;

	(void)state;
	tree_add(t, c, 10, 1);
	tree_add(t, a, 5, 2);
	tree_add(t, tree_child(t, 0, 2), 7, 1);
	seen = replay(l);
	assert_int_equal(seen->stacks, 3);
	assert_int_equal(seen->weight, 22);
	assert_int_equal(seen->samples, 4);
	assert_int_equal(seen->last_root, 3);
	assert_int_equal(seen->by_content[content_hash(3, (site_id[]){ 1, 2, 1 }, 3)], 10);
	assert_int_equal(seen->by_content[content_hash(3, (site_id[]){ 1 }, 1)], 5);
	assert_int_equal(seen->by_content[content_hash(3, (site_id[]){ 2 }, 1)], 7);
	free(seen);
	stacklog_set_counts(l, memcpy(xcalloc(3, sizeof(*counts)), counts, sizeof(counts)), 3);
	stacklog_drop_stacks(l);
	assert_true(stacklog_count_sites(l, sum));
	assert_int_equal(sum[1], 5);
	assert_int_equal(sum[2], 2);
	seen = replay(l);
	assert_int_equal(seen->stacks, 0);
	free(seen);
	stacklog_free(l);
}

enum { MANY = 10000 };

struct replayed {
	uint32_t hash[MANY]; /* by number of the stack */
	bool is_first;       /* of what is being replayed */
};

static int note(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct replayed *replayed = ctx;

	(void)e;
	assert_true(s->number < MANY);
	assert_int_equal(replayed->hash[s->number], 0);
	if (replayed->is_first)
		assert_int_equal(s->keep, 0);
	replayed->is_first = false;
	replayed->hash[s->number] = content_hash(s->root, s->sites, s->n) + 1;
	return OK;
}

static void parts_replayed_in_any_order_give_the_whole(void **state)
{
	static const stack_id grafted[] = { 0, 4095, 4096, 8191, MANY - 1 };
	static struct replayed whole, parts;
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	uint32_t i, part;
	struct err e;

	(void)state;
	assert_int_equal(stacklog_parts(l), 0);
	for (i = 0; i < MANY; i++)
		add(l, 1, 0, 1, (uint64_t[]){ 1, 3, i / 100, i % 100 }, 4);
	stacklog_flush(l);
	assert_int_equal(stacklog_count(l), MANY);
	for (i = 0; i < ARRAY_LEN(grafted); i++)
		stacklog_stitch(l, grafted[i], (site_id[]){ 77, i + 1 }, 2);
	whole.is_first = true;
	assert_int_equal(stacklog_replay(l, note, &whole, &e), OK);
	part = stacklog_parts(l);
	assert_true(part > 1);
	while (part--) {
		parts.is_first = true;
		assert_int_equal(stacklog_replay_part(l, part, note, &parts, &e), OK);
	}
	assert_memory_equal(parts.hash, whole.hash, sizeof(whole.hash));
	stacklog_free(l);
}

static void a_sealed_log_is_replayed_as_before(void **state)
{
	unsigned calls = 0;
	struct stacklog *l = stacklog_new(two_meanings, &calls);
	struct seen *before, *after;
	uint32_t i;

	(void)state;
	for (i = 0; i < MANY; i++)
		add(l, i % 3, i % 2 * 2000, i, (uint64_t[]){ 2, 4, i / 100, i % 50 * 1000 }, 4);
	stacklog_flush(l);
	stacklog_stitch(l, 5, (site_id[]){ 77 }, 1);
	before = replay(l);
	stacklog_seal(l);
	assert_int_equal(stacklog_count(l), before->stacks);
	after = replay(l);
	assert_memory_equal(after, before, sizeof(*after));
	free(before);
	free(after);
	stacklog_drop_stacks(l);
	assert_int_equal(stacklog_count(l), 0);
	stacklog_free(l);
	l = stacklog_new(two_meanings, &calls); /* without stacks */
	stacklog_seal(l);
	assert_int_equal(stacklog_count(l), 0);
	stacklog_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_replayed_in_any_order_give_the_whole),
		cmocka_unit_test(a_sealed_log_is_replayed_as_before),
		cmocka_unit_test(equal_stacks_are_counted_together),
		cmocka_unit_test(an_entry_of_all_spaces_is_looked_up_once),
		cmocka_unit_test(a_stack_that_means_something_else_later_is_another_stack),
		cmocka_unit_test(random_stacks_are_counted_as_a_plain_table_counts_them),
		cmocka_unit_test(trimmed_stacks_are_counted_as_a_plain_table_counts_them),
		cmocka_unit_test(stacks_are_reported_in_the_order_of_samples),
		cmocka_unit_test(weights_do_not_wrap),
		cmocka_unit_test(sums_are_replayed_with_shared_prefixes_and_keep_their_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
