#include "collapse/collapse.h"

#include "compare/significance.h"
#include "compare/change.h"
#include "model/profile_for_test.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct sides {
	struct test_profile before, after;
	struct diff diff;
};

/* Folded lines whose counts are samples. */
static void add_lines(struct test_profile *t, const char *text)
{
	test_profile_add_folded(t, span_of(text), true);
	test_profile_finish(t);
}

static void share_tables(struct test_profile *t, const struct test_profile *of)
{
	test_profile_init(t);
	frames_free(t->p.frames);
	strtab_free(t->p.strings);
	t->p.frames = of->p.frames;
	t->p.strings = of->p.strings;
	t->p.unit = of->p.unit;
}

static const struct diff_opts similar = { .max_p_value = 0.05 };
static const struct diff_opts exact = { .exact = true, .max_p_value = 0.05 };

static void make(struct sides *s, const char *before, const char *after, const struct diff_opts *o)
{
	const struct profile *one = &s->before.p;

	test_profile_init(&s->before);
	share_tables(&s->after, &s->before);
	add_lines(&s->before, before);
	add_lines(&s->after, after);
	diff_make(&s->diff, &one, 1, &s->after.p, o);
}

static void release(struct sides *s)
{
	diff_release(&s->diff);
	s->after.p.frames = NULL;
	s->after.p.strings = NULL;
	test_profile_release(&s->after);
	test_profile_release(&s->before);
}

/* "main 1>2 self 0>1" for each node, callees indented. */
static void put_tree(struct buf *b, const struct profile *p)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];
		const struct node_before *o = &p->before->of[i];

		buf_printf(b, "%*s", (int)n->depth - 1, "");
		profile_put_name(p, n->frame, b);
		buf_printf(b, " %" PRIu64 ">%" PRIu64, o->total, n->total);
		if (n->subtree > 1 && (o->self || n->self))
			buf_printf(b, " self %" PRIu64 ">%" PRIu64, o->self, n->self);
		buf_putc(b, '\n');
	}
}

static void assert_tree(const struct diff *d, const char *wanted)
{
	struct buf text = { 0 };

	put_tree(&text, d->profile);
	assert_string_equal(buf_str(&text), wanted);
	buf_release(&text);
}

static void check_tree(
	const char *before, const char *after, const struct diff_opts *o, const char *wanted)
{
	struct sides s;

	make(&s, before, after, o);
	assert_tree(&s.diff, wanted);
	release(&s);
}

/* Trees */

static void every_node_has_both_sides(void **state)
{
	(void)state;
	check_tree("main;a 5\nmain;b;c 10\nmain 1\n", "main;a 7\nmain;b;c 3\nmain;b 2\n", &similar,
		"main 16>12 self 1>0\n"
		" a 5>7\n"
		" b 10>5 self 0>2\n"
		"  c 10>3\n");
}

static void removed_and_new_stacks_stay_in_the_tree(void **state)
{
	(void)state;
	check_tree("main;gone;x 4\nmain;stays 1\n", "main;new;y 3\nmain;stays 1\n", &similar,
		"main 5>4\n"
		" gone 4>0\n"
		"  x 4>0\n"
		" new 0>3\n"
		"  y 0>3\n"
		" stays 1>1\n");
}

static void a_side_may_be_empty(void **state)
{
	struct sides s;
	struct change c;

	(void)state;
	check_tree("", "a;b 2\n", &similar, "a 0>2\n b 0>2\n");
	check_tree("a;b 2\n", "", &similar, "a 2>0\n b 2>0\n");
	check_tree("", "", &similar, "");
	make(&s, "", "a;b 20\n", &similar);
	c = change_of_node_total(s.diff.profile, 2);
	assert_true(c.share_before == 0 && c.share_after == 1);
	assert_false(change_is_clear(s.diff.profile, &c)); /* nothing to compare with */
	release(&s);
}

static void recursion_counts_once_for_a_function(void **state)
{
	struct change_functions c;
	struct sides s;
	uint32_t i;

	(void)state;
	make(&s, "main;f;f;f 10\nmain;g 10\n", "main;f;f 30\nmain;g 10\n", &similar);
	assert_tree(&s.diff, "main 20>40\n"
			     " f 10>30\n"
			     "  f 10>30 self 0>30\n"
			     "   f 10>0\n"
			     " g 10>10\n");
	change_functions_init(&c, s.diff.profile, false);
	for (i = 0; i < c.costs.functions.n; i++) {
		if (!span_eq(functions_name(&c.costs.functions, i), SPAN("f")))
			continue;
		assert_int_equal(c.of[i].total.before.weight, 10);
		assert_int_equal(c.of[i].total.after.weight, 30);
		assert_int_equal(c.of[i].self.before.weight, 10);
		assert_true(c.of[i].total.share_before == 0.5);
		assert_true(c.of[i].total.share_after == 0.75);
	}
	change_functions_release(&c);
	release(&s);
}

/* Names */

/* A function of that name before and of the other one after: one node, or two. */
static void assert_same_function(const char *before, const char *after)
{
	struct buf b = { 0 }, a = { 0 }, tree = { 0 };

	buf_printf(&b, "main;%s 1\n", before);
	buf_printf(&a, "main;%s 1\n", after);
	buf_printf(&tree, "main 1>1\n %s 1>1\n", after);
	check_tree(buf_str(&b), buf_str(&a), &similar, buf_str(&tree));
	buf_release(&b);
	buf_release(&a);
	buf_release(&tree);
}

static void assert_two_functions(const char *before, const char *after)
{
	struct buf b = { 0 }, a = { 0 }, tree = { 0 };

	buf_printf(&b, "main;%s 1\n", before);
	buf_printf(&a, "main;%s 1\n", after);
	buf_printf(&tree, "main 1>1\n %s 1>0\n %s 0>1\n", before, after);
	check_tree(buf_str(&b), buf_str(&a), &similar, buf_str(&tree));
	buf_release(&b);
	buf_release(&a);
	buf_release(&tree);
}

static void suffixes_of_compilers_do_not_matter(void **state)
{
	(void)state;
	assert_same_function("f.constprop.0", "f");
	assert_same_function("f.isra.1.cold", "f");
	assert_same_function("f.part.0.constprop.12", "f");
	assert_same_function("f.llvm.1234567890", "f");
	assert_same_function("f_[i]", "f");
	assert_same_function("core::f::h0123456789abcdef", "core::f");
	assert_same_function("JS:*fib /srv/a.js:5:13", "fib /srv/a.js:5:13");
	assert_same_function("LazyCompile:~ /srv/a.js:5", "(anonymous) /srv/a.js:5");
	/* No suffixes of copies: names. */
	assert_two_functions("f.partial", "f");
	assert_two_functions(".cold", ".part");
	assert_two_functions("f.12", "f");
	assert_two_functions("libc-2.31", "libc-2");
}

static void copies_of_a_function_are_the_function(void **state)
{
	(void)state;
	check_tree("main;f.constprop.0;g 4\n", "main;f;g 6\n", &similar,
		"main 4>6\n"
		" f 4>6\n"
		"  g 4>6\n");
	check_tree("main;f.isra.0 4\n", "main;f.isra.3 6\n", &similar, "main 4>6\n f.isra.3 4>6\n");
	/* On both sides they are two, and stay so. */
	check_tree("main;f 1\nmain;f.cold 2\n", "main;f 3\nmain;f.cold 4\n", &similar,
		"main 3>7\n f.cold 2>4\n f 1>3\n");
	check_tree("main;f.constprop.0 4\n", "main;f 6\n", &exact,
		"main 4>6\n f.constprop.0 4>0\n f 0>6\n");
}

/* GCC cut f in two: that is no recursion. */
static void a_part_that_is_called_by_its_function_is_one_with_it(void **state)
{
	(void)state;
	check_tree("main;f;f.part.0;g 4\nmain;f;f.part.0 1\nmain;f 2\n", "main;f;g 6\nmain;f 1\n",
		&similar,
		"main 7>7\n"
		" f 7>7 self 3>1\n"
		"  g 4>6\n");
}

static void tiers_are_one_function(void **state)
{
	(void)state;
	check_tree("JS:~run /a.js:3:1;JS:~hot /a.js:9:1 5\n",
		"JS:^run /a.js:3:1;JS:*hot /a.js:9:1 2\n", &similar,
		"JS:^run /a.js:3:1 5>2\n"
		" JS:*hot /a.js:9:1 5>2\n");
}

static void a_function_whose_line_has_moved_is_the_same(void **state)
{
	(void)state;
	check_tree("run /a.js:3:1;hot /a.js:9:1 5\n", "run /a.js:3:1;hot /a.js:19:1 2\n", &similar,
		"run /a.js:3:1 5>2\n"
		" hot /a.js:19:1 5>2\n");
	/* As many on both sides: in the order of their lines, whatever their text's order is. */
	check_tree("(anonymous) /a.js:9:1 5\n(anonymous) /a.js:12:1 6\n",
		"(anonymous) /a.js:10:1 1\n(anonymous) /a.js:100:1 2\n", &similar,
		"(anonymous) /a.js:100:1 6>2\n"
		"(anonymous) /a.js:10:1 5>1\n");
	/* Else nobody knows which is which. */
	check_tree("(anonymous) /a.js:9:1 5\n",
		"(anonymous) /a.js:10:1 1\n(anonymous) /a.js:20:1 2\n", &similar,
		"(anonymous) /a.js:10:1 0>1\n"
		"(anonymous) /a.js:20:1 0>2\n"
		"(anonymous) /a.js:9:1 5>0\n");
}

static void functions_of_a_moved_folder_are_the_same(void **state)
{
	struct sides s;

	(void)state;
	check_tree("node;serve /r1/a.js:9:1;hash /r1/a.js:3:1 5\n",
		"node;JS:*serve /r2/a.js:9:1;JS:~hash /r2/a.js:4:1 2\n", &similar,
		"node 5>2\n"
		" JS:*serve /r2/a.js:9:1 5>2\n"
		"  JS:~hash /r2/a.js:4:1 5>2\n");
	/* The folder may be another one: neither the same function nor inlined into its caller. */
	make(&s, "node;handle /express/a.js:5:1;read 60\n",
		"node;handle /koa/a.js:9:1;write 50\nnode;read 10\n", &similar);
	assert_tree(&s.diff, "node 60>60\n"
			     " handle /express/a.js:5:1 60>0\n"
			     "  read 60>0\n"
			     " handle /koa/a.js:9:1 0>50\n"
			     "  write 0>50\n"
			     " read 0>10\n");
	assert_int_equal(s.diff.n_paths, 1);
	assert_true(s.diff.path[0].unclear);
	release(&s);
}

static void several_releases_before_have_moved_to_one(void **state)
{
	const struct profile *both[2];
	struct sides s;
	struct test_profile other;

	(void)state;
	make(&s, "f /r1/a.js:9:1 3\n", "f /r3/a.js:9:1 6\n", &similar);
	share_tables(&other, &s.before);
	add_lines(&other, "f /r2/a.js:9:1 4\n");
	diff_release(&s.diff);
	both[0] = &s.before.p;
	both[1] = &other.p;
	diff_make(&s.diff, both, 2, &s.after.p, &similar);
	assert_tree(&s.diff, "f /r3/a.js:9:1 7>6\n");
	other.p.frames = NULL;
	other.p.strings = NULL;
	test_profile_release(&other);
	release(&s);
}

static void generated_code_without_names_is_one(void **state)
{
	(void)state;
	assert_same_function("[perf-123.map]", "[perf-4.map]");
	assert_two_functions("[perf-.map]", "[perf-4.map]");
}

static void a_program_with_another_name_is_the_same(void **state)
{
	(void)state;
	check_tree("python3.10;main;f 5\n", "python3.11;main;f 6\n", &similar,
		"python3.11 5>6\n main 5>6\n  f 5>6\n");
	check_tree("python3.10;main;f 5\n", "python3.11;main;f 6\n", &exact,
		"python3.10 5>0\n main 5>0\n  f 5>0\n"
		"python3.11 0>6\n main 0>6\n  f 0>6\n");
	/* Which of two is it? */
	check_tree("a 5\n", "b 6\nc 7\n", &similar, "a 5>0\nb 0>6\nc 0>7\n");
}

static void matches_are_reported(void **state)
{
	struct sides s;

	(void)state;
	make(&s, "main;f.constprop.0;g 4\n", "main;f;g 6\n", &similar);
	assert_int_equal(s.diff.n_alike, 1);
	assert_true(s.diff.alike[0].before);
	assert_true(span_eq(
		frames_name(s.before.p.frames, s.diff.alike[0].frame), SPAN("f.constprop.0")));
	assert_true(span_eq(frames_name(s.before.p.frames, s.diff.alike[0].as), SPAN("f")));
	release(&s);
}

/* Inlining */

static void a_function_that_was_inlined_is_part_of_its_caller(void **state)
{
	struct sides s;

	(void)state;
	make(&s, "main;f;g;h 60\nmain;f;g 20\nmain;f 10\n", "main;f;h 61\nmain;f 29\n", &similar);
	assert_tree(&s.diff, "main 90>90\n"
			     " f 90>90 self 30>29\n"
			     "  h 60>61\n");
	assert_int_equal(s.diff.n_skipped, 1);
	assert_true(s.diff.skipped[0].before);
	assert_int_equal(s.diff.skipped[0].weight, 80);
	release(&s);
	check_tree("main;f;g;h 6\n", "main;f;h 7\n", &exact,
		"main 6>7\n"
		" f 6>7\n"
		"  g 6>0\n"
		"   h 6>0\n"
		"  h 0>7\n");
}

static void a_function_that_is_inlined_no_more_is_found_too(void **state)
{
	(void)state;
	check_tree("main;f;h 61\nmain;f 29\n", "main;f;g;h 60\nmain;f;g 20\n", &similar,
		"main 90>80\n"
		" f 90>80 self 29>20\n"
		"  h 61>60\n");
}

static void chains_of_inlined_functions_are_skipped(void **state)
{
	(void)state;
	check_tree("f;g1;g2;g3;h;x 6\n", "f;h;x 7\n", &similar, "f 6>7\n h 6>7\n  x 6>7\n");
}

static void a_function_with_other_callees_is_not_inlined(void **state)
{
	(void)state;
	/* A new function calls what another called before: it is in its place, not inlined. */
	check_tree("f;old;x 6\nf;h 1\n", "f;new;y 7\nf;h 1\n", &similar,
		"f 7>8\n h 1>1\n new 0>7\n  y 0>7\n old 6>0\n  x 6>0\n");
	/* Both on their own: g is still called, and h was called before. */
	check_tree("f;g;h 6\nf;h 2\n", "f;h 8\n", &similar, "f 8>8\n g 6>0\n  h 6>0\n h 2>8\n");
}

static void functions_that_changed_places_are_not_both_inlined(void **state)
{
	struct sides s;

	(void)state;
	make(&s, "f;g;h 6\n", "f;h;g 6\n", &similar);
	assert_int_equal(s.diff.n_skipped, 1);
	assert_int_equal(s.diff.profile->nodes[0].total, 6);
	assert_int_equal(s.diff.profile->before->of[0].total, 6);
	release(&s);
}

/* Nothing is lost, however deep. */
static void deep_stacks_keep_their_weight(void **state)
{
	enum { DEPTH = 20000 };
	struct buf before = { 0 }, after = { 0 };
	struct sides s;
	int i;

	(void)state;
	for (i = 0; i < DEPTH; i++) {
		buf_printf(&before, "f%d;", i);
		buf_printf(&after, "f%d;", i * 2);
	}
	buf_puts(&before, "end 5\n");
	buf_puts(&after, "end 7\n");
	make(&s, buf_str(&before), buf_str(&after), &similar);
	assert_int_equal(s.diff.profile->nodes[0].total, 7);
	assert_int_equal(s.diff.profile->before->of[0].total, 5);
	release(&s);
	buf_release(&before);
	buf_release(&after);
}

/* Pictures */

/* "main 60 no clear change" for each node: width and class. */
static void assert_picture(const struct profile *p, const char *wanted)
{
	struct buf text = { 0 };
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		const struct frame *f = frames_get(p->frames, p->nodes[i].frame);

		buf_printf(&text, "%*s", (int)p->nodes[i].depth - 1, "");
		profile_put_name(p, p->nodes[i].frame, &text);
		buf_printf(&text, " %" PRIu64 " %s\n", p->nodes[i].total,
			strtab_str(p->strings, f->category));
	}
	assert_string_equal(buf_str(&text), wanted);
	buf_release(&text);
}

static void a_picture_has_a_lane_for_removed_stacks(void **state)
{
	struct profile *picture;
	struct sides s;
	struct change c;

	(void)state;
	make(&s, "main;a;old;x 400\nmain;a 400\nmain;b 1200\n", "main;a 200\nmain;b 800\n",
		&similar);
	picture = diff_picture(&s.diff, false);
	assert_picture(picture, "main 1000 no clear change\n"
				" a 200 shrunk up to 2 times\n"  /* 40% to 20% */
				" b 800 grown up to 1.5 times\n" /* 60% to 80% */
				"\u25b8 gone: was there before 200 caller of what is gone or new\n"
				" main 200 caller of what is gone or new\n"
				"  a 200 caller of what is gone or new\n"
				"   old 200 gone\n" /* 400 of 2000, of 1000 after */
				"    x 200 gone\n");
	c = change_of_node_total(picture, 7);
	assert_true(c.share_before == 0.2 && c.share_after == 0);
	c = change_of_node_total(picture, 2);
	assert_true(c.share_before == 0.4 && c.share_after == 0.2);
	profile_free(picture);
	release(&s);
}

static void a_picture_may_be_as_wide_as_before(void **state)
{
	struct profile *picture;
	struct sides s;

	(void)state;
	make(&s, "main;b 1000\n", "main;b 500\nmain;new;y 500\n", &similar);
	picture = diff_picture(&s.diff, true);
	assert_picture(picture,
		"main 1000 no clear change\n"
		" b 1000 shrunk up to 2 times\n"
		"\u25b8 new: was not there before 500 caller of what is gone or new\n"
		" main 500 caller of what is gone or new\n"
		"  new 500 new\n"
		"   y 500 new\n");
	profile_free(picture);
	release(&s);
}

static void a_picture_of_nothing_is_empty(void **state)
{
	struct profile *picture;
	struct sides s;

	(void)state;
	make(&s, "", "", &similar);
	picture = diff_picture(&s.diff, false);
	assert_int_equal(picture->n_nodes, 1);
	profile_free(picture);
	release(&s);
	make(&s, "a 7\n", "", &similar);
	picture = diff_picture(&s.diff, false);
	assert_int_equal(picture->nodes[0].total, 7); /* all of it is in the lane */
	profile_free(picture);
	release(&s);
}

/* Noise */

static struct change change_of_name(const struct profile *p, struct span name)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i++)
		if (span_eq(frames_name(p->frames, p->nodes[i].frame), name))
			return change_of_node_total(p, i);
	fail_msg("no %.*s", (int)name.n, name.p);
	return (struct change){ 0 };
}

static void noise_is_no_clear_change(void **state)
{
	struct sides s;
	struct change c;

	(void)state;
	make(&s, "main;a 1000\nmain;b 520\nmain;c 2\nmain;d 478\n",
		"main;a 1200\nmain;b 505\nmain;c 5\nmain;d 290\n", &similar);
	c = change_of_name(s.diff.profile, SPAN("a"));
	assert_true(change_is_clear(s.diff.profile, &c));
	assert_true(change_points(&c) > 9.99 && change_points(&c) < 10.01);
	c = change_of_name(s.diff.profile, SPAN("d"));
	assert_true(change_is_clear(s.diff.profile, &c));
	c = change_of_name(s.diff.profile, SPAN("b"));
	assert_false(change_is_clear(s.diff.profile, &c));
	c = change_of_name(s.diff.profile, SPAN("c"));
	assert_false(change_is_clear(s.diff.profile, &c));
	release(&s);
}

/* Stacks with the weights of periods: nobody says how many samples they were. */
static void weights_of_periods_are_divided_by_a_sample(void **state)
{
	struct test_profile one;
	struct diff_opts opts = similar;
	const struct profile *p = &one.p;
	struct diff d;

	(void)state;
	test_profile_init(&one);
	test_profile_add(&one, SPAN("a;b"), 7 * 250000);
	test_profile_add(&one, SPAN("a;c"), 5 * 250000);
	test_profile_finish(&one);
	one.p.sums = SUMS_ASSUMED;
	diff_make(&d, &p, 1, p, &opts);
	assert_int_equal(profile_samples(d.profile, 0).total, 12);
	assert_int_equal(d.profile->before->of[0].total_samples, 12);
	diff_release(&d);
	test_profile_release(&one);

	test_profile_init(&one);
	test_profile_add(&one, SPAN("a;b"), 7);
	test_profile_add(&one, SPAN("a;c"), 5);
	test_profile_finish(&one);
	one.p.sums = SUMS_ASSUMED;
	diff_make(&d, &p, 1, p, &opts);
	assert_int_equal(profile_samples(d.profile, 0).total, 12); /* counts are samples */
	diff_release(&d);
	test_profile_release(&one);

	test_profile_init(&one);
	test_profile_add(&one, SPAN("a;b"), 4000001);
	test_profile_add(&one, SPAN("a;c"), 1000003);
	test_profile_add(&one, SPAN("a;d"), 2000017);
	test_profile_finish(&one);
	one.p.sums = SUMS_ASSUMED;
	diff_make(&d, &p, 1, p, &opts);
	assert_int_equal(profile_samples(d.profile, 0).total, 4 + 1 + 2);
	diff_release(&d);
	test_profile_release(&one);
}

/* A run twice as long is the same by shares, and a change of everything in absolute weights. */
static void a_longer_run_differs_only_in_absolute_weights(void **state)
{
	struct diff_opts absolute = { .absolute = true, .max_p_value = 0.05 };
	const char *once = "a;b 500\na;c 500\n", *twice = "a;b 1000\na;c 1000\n";
	struct sides s;
	struct change c;

	(void)state;
	make(&s, once, twice, &similar);
	c = change_of_name(s.diff.profile, SPAN("b"));
	assert_true(c.share_before == 0.5 && c.share_after == 0.5);
	assert_false(change_is_clear(s.diff.profile, &c));
	release(&s);
	make(&s, once, twice, &absolute);
	c = change_of_name(s.diff.profile, SPAN("b"));
	assert_true(c.share_before == 0.25 && c.share_after == 0.5);
	assert_true(change_is_clear(s.diff.profile, &c));
	release(&s);
}

static void several_profiles_before_count_as_one(void **state)
{
	struct test_profile one, two, now;
	const struct profile *before[] = { &one.p, &two.p };
	struct diff d;

	(void)state;
	test_profile_init(&one);
	share_tables(&two, &one);
	share_tables(&now, &one);
	add_lines(&one, "a;b 1\n");
	add_lines(&two, "a;b 2\na;c 3\n");
	add_lines(&now, "a;b 4\n");
	diff_make(&d, before, 2, &now.p, &similar);
	assert_tree(&d, "a 6>4\n b 3>4\n c 3>0\n");
	diff_release(&d);
	two.p.frames = now.p.frames = NULL;
	two.p.strings = now.p.strings = NULL;
	test_profile_release(&now);
	test_profile_release(&two);
	test_profile_release(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_node_has_both_sides),
		cmocka_unit_test(removed_and_new_stacks_stay_in_the_tree),
		cmocka_unit_test(a_side_may_be_empty),
		cmocka_unit_test(recursion_counts_once_for_a_function),
		cmocka_unit_test(suffixes_of_compilers_do_not_matter),
		cmocka_unit_test(copies_of_a_function_are_the_function),
		cmocka_unit_test(a_part_that_is_called_by_its_function_is_one_with_it),
		cmocka_unit_test(tiers_are_one_function),
		cmocka_unit_test(a_function_whose_line_has_moved_is_the_same),
		cmocka_unit_test(functions_of_a_moved_folder_are_the_same),
		cmocka_unit_test(several_releases_before_have_moved_to_one),
		cmocka_unit_test(generated_code_without_names_is_one),
		cmocka_unit_test(a_program_with_another_name_is_the_same),
		cmocka_unit_test(matches_are_reported),
		cmocka_unit_test(a_function_that_was_inlined_is_part_of_its_caller),
		cmocka_unit_test(a_function_that_is_inlined_no_more_is_found_too),
		cmocka_unit_test(chains_of_inlined_functions_are_skipped),
		cmocka_unit_test(a_function_with_other_callees_is_not_inlined),
		cmocka_unit_test(functions_that_changed_places_are_not_both_inlined),
		cmocka_unit_test(deep_stacks_keep_their_weight),
		cmocka_unit_test(a_picture_has_a_lane_for_removed_stacks),
		cmocka_unit_test(a_picture_may_be_as_wide_as_before),
		cmocka_unit_test(a_picture_of_nothing_is_empty),
		cmocka_unit_test(noise_is_no_clear_change),
		cmocka_unit_test(weights_of_periods_are_divided_by_a_sample),
		cmocka_unit_test(a_longer_run_differs_only_in_absolute_weights),
		cmocka_unit_test(several_profiles_before_count_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
