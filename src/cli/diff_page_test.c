/* The page of Markdown about a difference that collapse/ makes. */
#include "output/output.h"

#include "base/mem.h"
#include "collapse/collapse.h"
#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* The page of two sides as folded lines. Owned by the caller. */
static char *page_of(const char *before, const char *after, const struct output_opts *o)
{
	const struct diff_opts opts = { .max_p_value = 0.05 };
	const struct output_opts none = { 0 };
	struct test_profile side[2];
	const struct profile *first = &side[0].p;
	struct buf text = { 0 };
	struct sink *to = sink_to_buf(&text);
	struct err e = { 0 };
	struct diff d;
	char *page;

	test_profile_init(&side[0]);
	test_profile_add_folded(&side[0], span_of(before), true);
	test_profile_finish(&side[0]);
	test_profile_init(&side[1]);
	frames_free(side[1].p.frames);
	strtab_free(side[1].p.strings);
	side[1].p.frames = first->frames;
	side[1].p.strings = first->strings;
	test_profile_add_folded(&side[1], span_of(after), true);
	test_profile_finish(&side[1]);
	diff_make(&d, &first, 1, &side[1].p, &opts);
	assert_int_equal(output_by_name("markdown")->write(d.profile, o ? o : &none, to, &e), OK);
	assert_int_equal(sink_commit(to, &e), OK);
	page = xstrdup(buf_str(&text));
	buf_release(&text);
	diff_release(&d);
	side[1].p.frames = NULL;
	side[1].p.strings = NULL;
	test_profile_release(&side[1]);
	test_profile_release(&side[0]);
	return page;
}

static void assert_has(const char *page, const char *text)
{
	if (!strstr(page, text))
		fail_msg("no \"%s\" in\n%s", text, page);
}

static const char old[] = "main;parse 1000\nmain;parse;copy 200\nmain;print 2800\n";
static const char new[] = "main;parse 1000\nmain;parse;copy 600\nmain;print 2400\n";

static void what_grew_and_what_shrank_comes_first(void **state)
{
	char *page = page_of(old, new, NULL);

	(void)state;
	assert_has(page, "## At a glance\n\n"
			 "- grew most: +10.00pp self, 5.00% before, 15.00% after: `copy`\n"
			 "- grew most with what it calls: +10.00pp total, 30.00% before, 40.00% "
			 "after: `parse`\n"
			 "- shrank most: -10.00pp self, 70.00% before, 60.00% after: `print`\n");
	assert_has(page, "Shares are of everything on their side: before, of `4,000 samples`, "
			 "after, of `4,000 samples`.");
	assert_has(page, "- +10.00pp self by `main` > `parse` > `copy`\n");
	free(page);
}

static void what_is_on_one_side_only_is_said(void **state)
{
	char *page = page_of("a 500\nb 500\n", "a 500\nc 250\nd 250\n", NULL);

	(void)state;
	assert_has(page, "- new: 25.00% total after in `c`, and 1 more\n");
	assert_has(page, "- gone: 50.00% total before in `b`\n");
	free(page);
}

static void noise_is_apart(void **state)
{
	char *page = page_of("a 50\nb 50\n", "a 52\nb 48\n", NULL);

	(void)state;
	assert_has(page, "- no function changed by more than what may be noise\n");
	assert_has(page, "## May be noise, by self\n\n- +2.00pp self, 50.00% before, 52.00% "
			 "after: `a`\n");
	assert_null(strstr(page, "## Cost "));
	free(page);
}

static void the_same_has_no_lists(void **state)
{
	char *page = page_of(old, old, NULL);

	(void)state;
	assert_has(page, "- no function changed by more than what may be noise\n");
	assert_null(strstr(page, "pp self"));
	free(page);
}

static void commands_need_inputs_that_can_be_read_again(void **state)
{
	char *page = page_of(old, new, &(struct output_opts){ .diff_args = "'a b' c" });

	(void)state;
	assert_has(page, "- `perfold diff 'a b' c -o diff.html`: ");
	assert_has(page, "- `perfold diff 'a b' c --fail-if default`: ");
	free(page);
	page = page_of(old, new, NULL);
	assert_null(strstr(page, "## Next"));
	free(page);
}

static void a_page_keeps_to_its_tokens(void **state)
{
	struct buf before = { 0 }, after = { 0 };
	char *small, *large;
	int i;

	(void)state;
	for (i = 0; i < 500; i++) {
		buf_printf(&before, "main;caller_%d;function_number_%d 100\n", i % 37, i);
		buf_printf(&after, "main;caller_%d;function_number_%d %d\n", i % 37, i,
			i & 1 ? 1000 : 10);
	}
	small = page_of(
		buf_str(&before), buf_str(&after), &(struct output_opts){ .page_tokens = 600 });
	large = page_of(buf_str(&before), buf_str(&after), NULL);
	assert_in_range(strlen(small), 500, 2400);
	assert_in_range(strlen(large), 3000, 16000);
	assert_has(small, " more functions\n");
	free(small);
	free(large);
	buf_release(&before);
	buf_release(&after);
}

static void names_cannot_leave_their_place(void **state)
{
	char *page = page_of("a`b;<script>;@all 500\nx 500\n", "::error::x;``` 900\nx 100\n", NULL);
	const char *line;

	(void)state;
	assert_has(page, "`` a`b ``");
	assert_has(page, "`<script>`");
	assert_has(page, "`@all`");
	for (line = page; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		assert_false(span_starts(span_of(line), SPAN("::")));
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_grew_and_what_shrank_comes_first),
		cmocka_unit_test(what_is_on_one_side_only_is_said),
		cmocka_unit_test(noise_is_apart),
		cmocka_unit_test(the_same_has_no_lists),
		cmocka_unit_test(commands_need_inputs_that_can_be_read_again),
		cmocka_unit_test(a_page_keeps_to_its_tokens),
		cmocka_unit_test(names_cannot_leave_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
