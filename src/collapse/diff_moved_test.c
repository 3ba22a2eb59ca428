/* Source files with another path: what counts as moved, and what as other files. */
#include "collapse/diff_moved.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Lines of names. Owned by the caller. */
static struct span *split(const char *lines, size_t *n)
{
	struct span rest = span_of(lines), line, *list = NULL;
	size_t cap = 0;

	*n = 0;
	while (span_next_line(&rest, &line)) {
		ARRAY_GROW(list, *n, cap);
		list[(*n)++] = line;
	}
	return list;
}

/* wanted: "FROM > TO" for what has moved, "FROM ? TO" for what is unclear, in lines. */
static void check(const char *before, const char *after, const char *wanted)
{
	struct diff_moved m = { 0 };
	struct buf text = { 0 };
	size_t n_old, n_new, i;
	struct span *old = split(before, &n_old), *new = split(after, &n_new);

	diff_moved_find(&m, old, n_old, new, n_new);
	for (i = 0; i < m.n; i++) {
		buf_put_span(&text, m.item[i].from);
		buf_puts(&text, m.item[i].unclear ? " ? " : " > ");
		buf_put_span(&text, m.item[i].to);
		buf_putc(&text, '\n');
	}
	assert_string_equal(buf_str(&text), wanted);
	buf_release(&text);
	diff_moved_release(&m);
	free(old);
	free(new);
}

static void a_folder_has_moved_with_its_functions(void **state)
{
	(void)state;
	check("serve /srv/r1/a.js:9:1\nhash /srv/r1/lib/b.js:3:1\n",
		"serve /srv/r2/a.js:12:1\nhash /srv/r2/lib/b.js:5:1\n", "/srv/r1/ > /srv/r2/\n");
	check("serve file:///srv/r1/a.mjs:9:1\n", "serve file:///srv/r2/a.mjs:9:1\n",
		"file:///srv/r1/ > file:///srv/r2/\n");
	check("get x /my app/1/a.js:9:1\n", "get x /my app/2/a.js:9:1\n",
		"/my app/1/ > /my app/2/\n");
	/* Python names have no place. */
	check("run /srv/r1/a.py\nload /srv/r1/a.py\n", "run /srv/r2/a.py\nload /srv/r2/a.py\n",
		"/srv/r1/ > /srv/r2/\n");
	/* Some functions are on one side only, others are in files that stayed. */
	check("serve /srv/r1/a.js:9:1\ncold /srv/r1/c.js:1:1\nread node:fs:1:1\nf /opt/x.js:1:2\n",
		"serve /srv/r2/a.js:9:1\nnew /srv/r2/d.js:1:1\nread node:fs:1:1\nf /opt/x.js:1:2\n",
		"/srv/r1/ > /srv/r2/\n");
}

static void a_path_without_suffix_and_line_is_no_source_file(void **state)
{
	(void)state;
	check("serve /srv/r1/a\n", "serve /srv/r2/a\n", "");
	check("serve /srv/r1/a:9\n", "serve /srv/r2/a:9\n", "/srv/r1/ > /srv/r2/\n");
}

static void a_folder_that_is_still_there_has_not_moved(void **state)
{
	(void)state;
	check("serve /srv/r1/a.js:9:1\n", "serve /srv/r2/a.js:9:1\nother /srv/r1/b.js:1:1\n", "");
	check("serve /srv/r1/a.js:9:1\nother /srv/r2/b.js:1:1\n", "serve /srv/r2/a.js:9:1\n", "");
	check("serve /srv/a.js:9:1\n", "serve /srv/r2/a.js:9:1\n", "");
	check("serve /srv/r1/a.js:9:1\n", "serve /srv/r1/a.js:12:1\n", "");
}

static void files_of_one_name_are_kept_apart(void **state)
{
	(void)state;
	/* Each index.js goes with its folder. */
	check("handle /r1/koa/index.js:5:1\nhandle /r1/app/index.js:7:1\n",
		"handle /r2/koa/index.js:5:1\nhandle /r2/app/index.js:7:1\n", "/r1/ > /r2/\n");
	/* A function of the same name and file alone, at another line, may be any. */
	check("handle /lib/express/index.js:5:1\n", "handle /lib/koa/index.js:9:1\n",
		"/lib/express/ ? /lib/koa/\n");
	/* All modules have a function without a name. */
	check("(anonymous) /a/index.js:5:1\n", "(anonymous) /b/index.js:9:1\n", "");
	/* Which of two? */
	check("serve /r1/a.js:9:1\nload /r1/a.js:3:1\n",
		"serve /r2/a.js:9:1\nload /r2/a.js:3:1\nserve /r3/a.js:9:1\nload /r3/a.js:3:1\n",
		"/r1/ ? /r2/\n/r1/ ? /r3/\n");
	check("serve /r1/a.js:9:1\nserve /r2/a.js:9:1\n", "serve /r3/a.js:9:1\n",
		"/r1/ ? /r3/\n/r2/ ? /r3/\n");
}

static void a_bundle_has_moved_with_its_hash(void **state)
{
	(void)state;
	check("f /d/main.9f3ac1.js:1:7\n", "f /d/main.77ab01.js:1:9\n",
		"/d/main.9f3ac1.js > /d/main.77ab01.js\n");
	check("f /d/main.9f3ac1.js:1:7\nf /d/vendor.aa11bb.js:1:7\n",
		"f /d/main.77ab01.js:1:9\nf /d/vendor.cc22dd.js:1:9\n",
		"/d/main.9f3ac1.js > /d/main.77ab01.js\n"
		"/d/vendor.aa11bb.js > /d/vendor.cc22dd.js\n");
	check("f /r1/main-9f3ac1.js:1:7\ng /r1/x.js:3:1\n",
		"f /r2/main-77ab01.js:1:9\ng /r2/x.js:3:1\n",
		"/r1/ > /r2/\n/r1/main-9f3ac1.js > /r2/main-77ab01.js\n");
	/* Which of two? */
	check("f /d/chunk.9f3ac1.js:1:7\ng /d/chunk.aa11bb.js:1:7\n",
		"f /d/chunk.77ab01.js:1:7\ng /d/chunk.cc22dd.js:1:7\n", "");
	/* No hash: a version, a word, no suffix. */
	check("f /d/lib-2.js:1:7\nf /d/format.js:1:7\n", "f /d/lib-3.js:1:7\nf /d/parser.js:1:7\n",
		"");
}

static void names_get_the_path_that_they_have_after(void **state)
{
	struct diff_moved m = { 0 };
	struct buf text = { 0 };
	struct span before[] = { SPAN("f /r1/a.js:9:1"), SPAN("g /r1/m.9f3ac1.js:1:2") };
	struct span after[] = { SPAN("f /r2/a.js:9:1"), SPAN("g /r2/m.77ab01.js:1:2") };

	(void)state;
	diff_moved_find(&m, before, 2, after, 2);
	assert_true(span_eq(diff_moved_name(&m, before[0], &text), after[0]));
	assert_true(span_eq(diff_moved_name(&m, before[1], &text), after[1]));
	assert_true(span_eq(
		diff_moved_name(&m, SPAN("h /r1/x/c.js:9"), &text), SPAN("h /r2/x/c.js:9")));
	assert_true(
		span_eq(diff_moved_name(&m, SPAN("h /r11/c.js:9"), &text), SPAN("h /r11/c.js:9")));
	assert_true(span_eq(diff_moved_name(&m, SPAN("main"), &text), SPAN("main")));
	assert_false(diff_moved_is_unclear(&m, before[0]));
	buf_release(&text);
	diff_moved_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_has_moved_with_its_functions),
		cmocka_unit_test(a_path_without_suffix_and_line_is_no_source_file),
		cmocka_unit_test(a_folder_that_is_still_there_has_not_moved),
		cmocka_unit_test(files_of_one_name_are_kept_apart),
		cmocka_unit_test(a_bundle_has_moved_with_its_hash),
		cmocka_unit_test(names_get_the_path_that_they_have_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
