/* Verdicts on differences that collapse/ makes: what fails a build, and what does not. */
#include "compare/verdict.h"

#include "base/mem.h"
#include "collapse/collapse.h"
#include "output/output.h"
#include "model/profile_for_test.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { SIDES_MAX = 6 };

/* Up to five recordings before, the last one is after. */
struct sides {
	struct test_profile side[SIDES_MAX];
	size_t n;
	struct diff each[SIDES_MAX], all;
	struct gate_rules rules;
	struct verdict verdict;
};

/* Adds folded lines; their counts are samples. */
static void add_side(struct sides *s, const char *text)
{
	struct test_profile *t = &s->side[s->n];

	test_profile_init(t);
	if (s->n++) {
		frames_free(t->p.frames);
		strtab_free(t->p.strings);
		t->p.frames = s->side[0].p.frames;
		t->p.strings = s->side[0].p.strings;
	}
	test_profile_add_folded(t, span_of(text), true);
	test_profile_finish(t);
}

static void judge(struct sides *s, const char *rules)
{
	const struct diff_opts opts = { .max_p_value = 0.05 };
	const struct profile *before[SIDES_MAX], *bases[SIDES_MAX];
	const struct profile *after = &s->side[s->n - 1].p;
	struct verdict_input in = { .max_p_value = 0.001, .variation = 0.03, .min_samples = 20 };
	struct err e = { 0 };
	size_t i;

	in.n_bases = s->n - 1;
	for (i = 0; i < in.n_bases; i++) {
		before[i] = &s->side[i].p;
		diff_make(&s->each[i], &before[i], 1, after, &opts);
		bases[i] = s->each[i].profile;
	}
	if (in.n_bases)
		diff_make(&s->all, before, in.n_bases, after, &opts);
	in.p = in.n_bases ? s->all.profile : after;
	in.bases = bases;
	if (gate_rules_parse(&s->rules, rules, in.n_bases > 0, &e))
		fail_msg("%s", e.msg);
	verdict_make(&s->verdict, &s->rules, &in);
}

static void release(struct sides *s)
{
	size_t i;

	verdict_release(&s->verdict);
	gate_rules_release(&s->rules);
	for (i = 0; i + 1 < s->n; i++)
		diff_release(&s->each[i]);
	if (s->n > 1)
		diff_release(&s->all);
	while (s->n--) {
		if (s->n) {
			s->side[s->n].p.frames = NULL;
			s->side[s->n].p.strings = NULL;
		}
		test_profile_release(&s->side[s->n]);
	}
}

static void assert_text(
	struct sides *s, void (*write)(const struct verdict *, struct sink *), const char *wanted)
{
	struct buf text = { 0 };
	struct sink *to = sink_to_buf(&text);
	struct err e = { 0 };

	write(&s->verdict, to);
	assert_int_equal(sink_commit(to, &e), OK);
	assert_string_equal(buf_str(&text), wanted);
	buf_release(&text);
}

/* Single rules. */

static void check(
	const char *before, const char *after, const char *rule, size_t failed, size_t noise)
{
	struct sides s = { 0 };

	if (before)
		add_side(&s, before);
	add_side(&s, after);
	judge(&s, rule);
	assert_int_equal(s.verdict.n_failed, failed);
	assert_int_equal(s.verdict.n - s.verdict.n_failed, noise);
	release(&s);
}

static const char old[] = "t;main;parse 1000\nt;main;parse;copy 200\nt;main;print 2800\n";
static const char new[] = "t;main;parse 1000\nt;main;parse;copy 600\nt;main;print 2400\n";

static void growth_beyond_the_limit_fails(void **state)
{
	(void)state;
	/* copy: 5% to 15% by itself; parse: 30% to 40% in total */
	check(old, new, "self(/^copy$/) > +9pp", 1, 0);
	check(old, new, "self(/^copy$/) > +11pp", 0, 0);
	check(old, new, "any-self > +9pp", 1, 0);
	check(old, new, "any-total > +9pp", 2, 0);
	check(old, new, "total(/parse/) > 1.3x", 1, 0);
	check(old, new, "total(/parse/) > +40%", 0, 0);
	check(old, new, "self(/parse/) > +0pp", 0, 0);
	check(new, old, "any-self > +5pp", 1, 0); /* print: 60% to 70% */
}

static void budgets_need_nothing_before(void **state)
{
	(void)state;
	check(NULL, new, "self(/^copy$/) > 10%", 1, 0);
	check(NULL, new, "self(/^copy$/) > 20%", 0, 0);
	check(old, new, "total(/./) > 99%", 1, 0);
	check(NULL, new, "self(/^nobody$/) > 0%", 0, 0);
}

/* 12 of 100 samples are 12%, but say little about whether it is more than 10%. */
static void noise_never_fails(void **state)
{
	(void)state;
	check(NULL, "f 24\ng 176\n", "self(/f/) > 10%", 0, 1);
	check("f 20\ng 180\n", "f 30\ng 170\n", "self(/f/) > +2pp", 0, 1);
	check("f 2000\ng 18000\n", "f 3000\ng 17000\n", "self(/f/) > +2pp", 1, 0);
}

static void stack_with_several_matching_functions_counts_once(void **state)
{
	static const char nested[] = "a1;b;a2 500\na1 250\nc 250\n";

	(void)state;
	check(NULL, nested, "total(/^a/) > 74%", 0, 1);
	check(NULL, nested, "total(/^a/) > 60%", 1, 0);
	check(NULL, nested, "total(/^a/) > 76%", 0, 0);
}

static void new_functions_are_those_that_were_not_in_before(void **state)
{
	static const char more[] = "t;main;parse 1000\nt;main;parse;copy 200\nt;main;print 2750\n"
				   "t;main;print;regexp_run 50\n";

	(void)state;
	check(old, more, "new > 1%", 1, 0);
	check(old, more, "new(/regexp/) > 1%", 1, 0);
	check(old, more, "new(/copy/) > 1%", 0, 0);
	check(old, more, "new > 2%", 0, 0);
}

static void functions_with_few_samples_are_not_judged(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, "f 19\ng 1000\n");
	judge(&s, "self(/f/) > 0.1%, any-self > 90%");
	assert_int_equal(s.verdict.of[0].looked_at, 0);
	assert_int_equal(s.verdict.of[1].looked_at, 1);
	release(&s);
}

/* Noise between recordings. */

/* f varies from 8% to 12% among those before: 13% is not news, whatever the samples say. */
static void function_that_varied_before_may_vary_again(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, "f 8000\ng 92000\n");
	add_side(&s, "f 12000\ng 88000\n");
	add_side(&s, "f 10000\ng 90000\n");
	add_side(&s, "f 13000\ng 87000\n");
	judge(&s, "self(/f/) > +2pp");
	assert_int_equal(s.verdict.n_failed, 0);
	assert_int_equal(s.verdict.of[0].noise, 1);
	assert_true(s.verdict.variation > 0.1);
	release(&s);
}

static void bases_that_agree_make_a_small_change_fail(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, "f 200\ng 1800\n");
	add_side(&s, "f 202\ng 1798\n");
	add_side(&s, "f 199\ng 1801\n");
	add_side(&s, "f 201\ng 1799\n");
	add_side(&s, "f 198\ng 1802\n");
	add_side(&s, "f 264\ng 1736\n");
	judge(&s, "self(/f/) > +2pp");
	assert_int_equal(s.verdict.n_failed, 1);
	assert_true(s.verdict.variation < 0.03);
	release(&s);
	check("f 200\ng 1800\n", "f 264\ng 1736\n", "self(/f/) > +2pp", 0, 1);
}

/* Writers. */

static void verdict_shows_both_shares_and_the_callers(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, old);
	add_side(&s, new);
	judge(&s, "any-self > +9pp, total(/^pa/) > +50pp");
	s.verdict.before_names = (const char *const[]){ "old.data" };
	s.verdict.after_name = "new.data";
	assert_text(&s, output_verdict_text,
		"FAILED any-self > +9pp: 1 over the limit, 3 looked at\n"
		"  copy: self 5.00% -> 15.00%, +10.00pp; 200 -> 600 samples\n"
		"    called by parse 5.00% -> 15.00%\n"
		"passed total(/^pa/) > +50pp: within the limit\n"
		"verdict: failed; confidence 99.9% over 4 looked at; costs vary by 3.0% from run "
		"to "
		"run (assumed)\n"
		"growth that would fail in 8 of 10 such comparisons: parse at 25.0% from +10.1pp, "
		"a function at 2.0% from +9.5pp\n");
	assert_text(&s, output_verdict_markdown,
		"### Profile: failed\n\n"
		"Shares are of everything on their side, before or after.\n\n"
		"- **failed** `any-self > +9pp`: 1 over the limit, 3 looked at\n"
		"- passed `total(/^pa/) > +50pp`: within the limit\n"
		"- over the limit: `copy`, self 5.00% before, 15.00% after, +10.00pp; 200 samples, "
		"then 600\n"
		"- called by: `copy`, from `parse`, self 5.00% before, 15.00% after\n"
		"- judged with confidence 99.9% over 4 looked at; costs vary by 3.0% from run to "
		"run (assumed)\n"
		"- growth that would fail in 8 of 10 such comparisons: `parse` at 25.0% from "
		"+10.1pp, a function at 2.0% from +9.5pp\n");
	release(&s);
}

static void too_few_samples_to_find_a_growth_are_told_with_how_many_it_takes(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, "f 50\ng 150\n");
	add_side(&s, "f 50\ng 150\n");
	judge(&s, "any-self > +5pp");
	assert_text(&s, output_verdict_text,
		"passed any-self > +5pp: 0 over the limit, 2 looked at\n"
		"verdict: passed; confidence 99.9% over 2 looked at; costs vary by 3.0% from run "
		"to run (assumed)\n"
		"growth that would fail in 8 of 10 such comparisons: f at 25.0% from +20.8pp, a "
		"function at 2.0% from +12.0pp; +7.5pp at 25.0% takes 1700 samples on each "
		"side\n");
	release(&s);
}

static void names_are_escaped_in_every_form(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, "a|b`c<\033> 500\nother 500\n");
	judge(&s, "any-self > 30%, self(/a|b/) > 90%");
	assert_text(&s, output_verdict_markdown,
		"### Profile: failed\n\nShares are of everything.\n\n"
		"- **failed** `any-self > 30%`: 2 over the limit, 2 looked at\n"
		"- passed `self(/a|b/) > 90%`: within the limit\n"
		"- over the limit: `` a|b`c< > ``, self 50.00%; 500 samples\n"
		"- called by: `` a|b`c< > ``, from `no caller`, self 50.00%\n"
		"- over the limit: `other`, self 50.00%; 500 samples\n"
		"- called by: `other`, from `no caller`, self 50.00%\n"
		"- judged with confidence 99.9% over 3 looked at; costs vary by 3.0% from run to "
		"run (assumed)\n");
	release(&s);
	s = (struct sides){ 0 };
	add_side(&s, "a|b`c<\033> 500\nother 600\n");
	add_side(&s, "a|b`c<\033> 500\nother 600\n");
	judge(&s, "any-self > +20pp");
	assert_text(&s, output_verdict_markdown,
		"### Profile: passed\n\n"
		"Shares are of everything on their side, before or after.\n\n"
		"- passed `any-self > +20pp`: 0 over the limit, 2 looked at\n"
		"- judged with confidence 99.9% over 2 looked at; costs vary by 3.0% from run to "
		"run (assumed)\n"
		"- growth that would fail in 8 of 10 such comparisons: `` a|b`c< > `` at 45.5% "
		"from +21.9pp, a function at 2.0% from +21.2pp\n");
	release(&s);
}

/* Many recordings. */

enum { FUNCTIONS = 30, RECORDINGS = 15, PLANTED = 20, SAMPLES = 6000 };

/* Numbers that are always the same: Steele and Vigna's splitmix64. */
static double draw(uint64_t *seed)
{
	uint64_t z = (*seed += 0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *seed)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += draw(seed);
	return sum;
}

/* A recording of a tree of functions, each called by the one of half its number. Costs vary by 2%
 * from run to run; a twentieth of all is added to the function planted. */
static void put_recording(struct buf *b, uint64_t *seed, int planted)
{
	double cost[FUNCTIONS], all = 0, at;
	unsigned count[FUNCTIONS] = { 0 };
	int f, i, up;

	for (f = 0; f < FUNCTIONS; f++)
		all += cost[f] = (1 + f * 7 % 20) * (1 + 0.02 * normal(seed));
	if (planted >= 0) {
		cost[planted] += all * 5 / 95;
		all += all * 5 / 95;
	}
	for (i = 0; i < SAMPLES; i++) {
		at = draw(seed) * all;
		for (f = 0; f < FUNCTIONS - 1 && at >= cost[f]; f++)
			at -= cost[f];
		count[f]++;
	}
	for (f = 0; f < FUNCTIONS; f++) {
		struct buf stack = { 0 }, longer = { 0 };

		for (up = f + 1; up; up /= 2) {
			longer.n = 0;
			buf_printf(&longer, "f%d%s", up - 1, up == f + 1 ? "" : ";");
			buf_put_span(&longer, buf_span(&stack));
			stack.n = 0;
			buf_put_span(&stack, buf_span(&longer));
		}
		buf_printf(b, "%s %u\n", buf_str(&stack), count[f]);
		buf_release(&stack);
		buf_release(&longer);
	}
}

static bool found(const struct sides *s, int function)
{
	char name[16];
	size_t i;

	snprintf(name, sizeof(name), "f%d", function);
	for (i = 0; i < s->verdict.n_failed; i++)
		if (span_eq(s->verdict.finding[i].name, span_of(name)))
			return true;
	return false;
}

static void recordings_of_the_same_program_never_fail(void **state)
{
	struct buf text[RECORDINGS] = { { 0 } };
	uint64_t seed = 1;
	int i, k;

	(void)state;
	for (i = 0; i < RECORDINGS; i++)
		put_recording(&text[i], &seed, -1);
	for (i = 0; i < RECORDINGS; i++)
		for (k = i + 1; k < RECORDINGS; k++)
			check(buf_str(&text[i]), buf_str(&text[k]), GATE_DEFAULT, 0, 0);
	for (i = 0; i < RECORDINGS; i++)
		buf_release(&text[i]);
}

static void planted_regression_is_found(void **state)
{
	uint64_t seed = 2;
	int i;

	(void)state;
	for (i = 0; i < PLANTED; i++) {
		struct buf before = { 0 }, after = { 0 };
		int planted = (int)(draw(&seed) * FUNCTIONS);
		struct sides s = { 0 };

		put_recording(&before, &seed, -1);
		put_recording(&after, &seed, planted);
		add_side(&s, buf_str(&before));
		add_side(&s, buf_str(&after));
		judge(&s, GATE_DEFAULT);
		if (!found(&s, planted))
			fail_msg("f%d is not found", planted);
		release(&s);
		buf_release(&before);
		buf_release(&after);
	}
}

/* What a comparison could have found. */

enum { TRIALS = 200, SMALL_FUNCTIONS = 30 };

/* A hot function with this share of the cost, and others with equal parts of the rest; all costs
 * vary by 3% from run to run. */
static void put_hot(struct buf *b, uint64_t *seed, unsigned samples, double share)
{
	double cost[SMALL_FUNCTIONS + 1], all = 0, at;
	unsigned count[SMALL_FUNCTIONS + 1] = { 0 }, i;
	int f;

	for (f = 0; f <= SMALL_FUNCTIONS; f++) {
		cost[f] = f ? (1 - share) / SMALL_FUNCTIONS : share;
		all += cost[f] *= 1 + 0.03 * normal(seed);
	}
	for (i = 0; i < samples; i++) {
		at = draw(seed) * all;
		for (f = 0; f < SMALL_FUNCTIONS && at >= cost[f]; f++)
			at -= cost[f];
		count[f]++;
	}
	for (f = 0; f <= SMALL_FUNCTIONS; f++)
		if (count[f])
			buf_printf(b, "main;f%d %u\n", f, count[f]);
}

/* Of TRIALS comparisons, how many fail because of f0? *failed: because of anything. */
static int count_found(double share, double growth, unsigned samples, int *failed)
{
	uint64_t seed = samples;
	int trial, n = 0;

	*failed = 0;
	for (trial = 0; trial < TRIALS; trial++) {
		struct buf before = { 0 }, after = { 0 };
		struct sides s = { 0 };

		put_hot(&before, &seed, samples, share);
		put_hot(&after, &seed, samples, share + growth);
		add_side(&s, buf_str(&before));
		add_side(&s, buf_str(&after));
		judge(&s, GATE_DEFAULT);
		n += found(&s, 0);
		*failed += s.verdict.n_failed > 0;
		release(&s);
		buf_release(&before);
		buf_release(&after);
	}
	return n;
}

/* What an average recording of such a program says. */
static struct verdict_power power_of(double share, unsigned samples)
{
	struct verdict_power power;
	struct buf text = { 0 };
	struct sides s = { 0 };
	int f;

	for (f = 0; f <= SMALL_FUNCTIONS; f++)
		buf_printf(&text, "main;f%d %.0f\n", f,
			samples * (f ? (1 - share) / SMALL_FUNCTIONS : share));
	add_side(&s, buf_str(&text));
	add_side(&s, buf_str(&text));
	judge(&s, GATE_DEFAULT);
	assert_int_equal(s.verdict.n_power, 2);
	power = s.verdict.power[0];
	release(&s);
	buf_release(&text);
	return power;
}

static void growth_of_the_stated_size_is_found_in_8_of_10(void **state)
{
	static const struct {
		double share;
		unsigned samples;
	} cases[] = { { 0.07, 2000 }, { 0.18, 1000 }, { 0.18, 2000 }, { 0.18, 4000 },
		{ 0.25, 2000 } };
	size_t i;
	int n, failed;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct verdict_power power = power_of(cases[i].share, cases[i].samples);

		assert_true(fabs(power.share - cases[i].share) < 0.005);
		n = count_found(cases[i].share, power.growth, cases[i].samples, &failed);
		if (n < TRIALS * 72 / 100 || n > TRIALS * 90 / 100)
			fail_msg("%g%% of %u samples, +%.1fpp: found in %d of %d",
				100 * cases[i].share, cases[i].samples, 100 * power.growth, n,
				TRIALS);
	}
	assert_int_equal(count_found(0.18, 0, 2000, &failed), 0);
	assert_int_equal(failed, 0);
}

/* The number of samples asked for is enough for what is asked. */
/* One growth that 30 small functions, which hardly exceed a limit by luck, do not hide. */
static void small_functions_do_not_hide_the_growth_of_a_large_one(void **state)
{
	struct buf before = { 0 }, after = { 0 };
	int f;

	(void)state;
	buf_puts(&before, "main;hash 366\n");
	buf_puts(&after, "main;hash 522\n");
	for (f = 0; f < SMALL_FUNCTIONS; f++) {
		buf_printf(&before, "main;f%d %d\n", f, 56 + f % 2);
		buf_printf(&after, "main;f%d 58\n", f);
	}
	check(buf_str(&before), buf_str(&after), GATE_DEFAULT, 2, 0); /* self and total */
	buf_release(&before);
	buf_release(&after);
}

static void wanted_growth_takes_the_stated_samples(void **state)
{
	struct verdict_power power = power_of(0.05, 2000), more;

	(void)state;
	assert_true(power.growth > power.wanted);
	assert_true(power.samples > 2000);
	more = power_of(0.05, (unsigned)power.samples);
	assert_true(more.growth <= power.wanted * 1.01);
	assert_true(more.growth > power.wanted * 0.9);
	/* With one recording before, costs vary too much for that. */
	assert_int_equal(power_of(0.25, 2000).samples, 0);
}

static void power_is_of_growth_alone(void **state)
{
	struct sides s = { 0 };

	(void)state;
	add_side(&s, old);
	judge(&s, "any-self > 9%");
	assert_int_equal(s.verdict.n_power, 0);
	release(&s);
	s = (struct sides){ 0 };
	add_side(&s, old);
	add_side(&s, new);
	judge(&s, "any-self > 9%, new > 2%");
	assert_int_equal(s.verdict.n_power, 0);
	release(&s);
	s = (struct sides){ 0 };
	add_side(&s, old);
	add_side(&s, new);
	judge(&s, "total(/^pa/) > 1.5x");
	assert_int_equal(s.verdict.n_power, 1);
	assert_true(span_eq(s.verdict.power[0].name, SPAN("total(/^pa/) > 1.5x")));
	release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth_beyond_the_limit_fails),
		cmocka_unit_test(budgets_need_nothing_before),
		cmocka_unit_test(noise_never_fails),
		cmocka_unit_test(stack_with_several_matching_functions_counts_once),
		cmocka_unit_test(new_functions_are_those_that_were_not_in_before),
		cmocka_unit_test(functions_with_few_samples_are_not_judged),
		cmocka_unit_test(function_that_varied_before_may_vary_again),
		cmocka_unit_test(bases_that_agree_make_a_small_change_fail),
		cmocka_unit_test(verdict_shows_both_shares_and_the_callers),
		cmocka_unit_test(too_few_samples_to_find_a_growth_are_told_with_how_many_it_takes),
		cmocka_unit_test(names_are_escaped_in_every_form),
		cmocka_unit_test(recordings_of_the_same_program_never_fail),
		cmocka_unit_test(planted_regression_is_found),
		cmocka_unit_test(growth_of_the_stated_size_is_found_in_8_of_10),
		cmocka_unit_test(small_functions_do_not_hide_the_growth_of_a_large_one),
		cmocka_unit_test(wanted_growth_takes_the_stated_samples),
		cmocka_unit_test(power_is_of_growth_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
