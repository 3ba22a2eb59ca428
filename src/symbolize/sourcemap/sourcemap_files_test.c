#include "symbolize/sourcemap/sourcemap_files.h"

#include "base/tmpdir_for_test.h"

/* Writes DIR/name, with the directories on the way. */
static void put(void **state, const char *name, const char *text)
{
	char *path = tmpdir_path(state, name), *slash = path + strlen(*state) + 1;

	while ((slash = strchr(slash, '/'))) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash++ = '/';
	}
	tmpdir_write(path, span_of(text));
	free(path);
}

/* What is found for a script: the text of the map and what it is relative to, or "none". */
static void expect(void **state, const char *dir, const char *script, const char *expected)
{
	static const char *const word[] = { "none", "", "several", "bad" };
	char *path = tmpdir_path(state, dir);
	const char *const dirs[] = { path, NULL };
	struct sourcemap_files *t = sourcemap_files_new(dirs);
	struct sourcemap_text text;
	struct err e = { 0 };
	enum sourcemap_found found = sourcemap_files_read(t, span_of(script), &text, &e);

	if (found == SOURCEMAP_FOUND)
		buf_printf(&text.json, " %s", buf_str(&text.base));
	assert_string_equal(found == SOURCEMAP_FOUND ? buf_str(&text.json) : word[found], expected);
	sourcemap_files_release_text(&text);
	sourcemap_files_free(t);
	free(path);
}

static void a_map_is_found_by_the_end_of_the_path(void **state)
{
	put(state, "p/x.js.map", "top");
	put(state, "p/dist/y.js.map", "y");
	put(state, "p/build/dist/z.mjs.map", "z");
	expect(state, "p", "/app/dist/x.js", "top /app/dist/x.js");
	expect(state, "p", "/app/dist/y.js", "y /app/dist/y.js");
	expect(state, "p", "file:///app/dist/z.mjs?v=1", "z file:///app/dist/z.mjs?v=1");
	/* One part in common, and not all of the place. */
	expect(state, "p", "/app/other/y.js", "none");
	expect(state, "p", "x.js", "top x.js");
	expect(state, "absent", "x.js", "none");
}

static void builds_in_hidden_directories_are_found(void **state)
{
	put(state, "p/.next/server/app/page.js.map", "next");
	put(state, "p/.git/server/y.js.map", "git");
	expect(state, "p", "/app/.next/server/app/page.js", "next /app/.next/server/app/page.js");
	expect(state, "p", "/app/.git/server/y.js", "none");
}

static void the_output_of_deno_for_a_source_is_found(void **state)
{
	put(state, "gen/file/app/x.ts.js", "//# sourceMappingURL=data:,;base64,e30=\n");
	put(state, "gen/file/app/y.js.js", "//# sourceMappingURL=data:,;base64,e30=\n");
	put(state, "gen/file/app/z.ts", "const a = 1;");
	put(state, "gen/file/app/x.ts", "const a: number = 1;");
	put(state, "gen/file/app/x.ts.map", "not this");
	expect(state, "gen", "file:///app/x.ts", "{} file:///app/x.ts");
	expect(state, "gen", "/app/y.js", "none");
	expect(state, "gen", "/app/z.ts", "none");
}

static void the_longest_end_wins_and_equals_are_refused(void **state)
{
	put(state, "p/x.js.map", "top");
	put(state, "p/dist/x.js.map", "dist");
	put(state, "q/a/dist/x.js.map", "a");
	put(state, "q/b/dist/x.js.map", "b");
	expect(state, "p", "/app/dist/x.js", "dist /app/dist/x.js");
	expect(state, "p", "/app/x.js", "top /app/x.js");
	expect(state, "q", "/app/dist/x.js", "several");
	expect(state, "q", "/app/b/dist/x.js", "b /app/b/dist/x.js");
}

static void a_package_has_its_own_index(void **state)
{
	put(state, "p/index.js.map", "ours");
	put(state, "p/node_modules/b/index.js.map", "b's");
	expect(state, "p", "/app/index.js", "ours /app/index.js");
	expect(state, "p", "/app/node_modules/a/index.js", "none");
	expect(state, "p", "/app/node_modules/b/index.js", "b's /app/node_modules/b/index.js");
}

static void a_script_names_its_map(void **state)
{
	put(state, "p/x.js", "1 //# sourceMappingURL=no.map\n//# sourceMappingURL=./m/a%20b.map\n");
	put(state, "p/m/a b.map", "named");
	put(state, "p/y.js", "//# sourceMappingURL=https://host/maps/y.map?x\n");
	put(state, "p/w.js", "//# sourceMappingURL=https://host/maps/w.map\n");
	put(state, "p/w.map", "beside");
	put(state, "p/z.js", "no comment");
	put(state, "p/z.js.map", "by name");
	expect(state, "p", "/app/x.js", "named /app/m/a b.map");
	expect(state, "p", "/app/y.js", "none");
	expect(state, "p", "/app/w.js", "beside /app/w.map");
	expect(state, "p", "/app/z.js", "by name /app/z.js");
}

/* Scripts come from strangers, too, as in a package. */
static void a_map_is_read_below_a_named_directory_only(void **state)
{
	char *p = tmpdir_path(state, "p"), *m = tmpdir_path(state, "m"),
	     *link = tmpdir_path(state, "p/l.js.map");
	const char *const both[] = { p, m, NULL };
	struct sourcemap_files *t;
	struct sourcemap_text text;
	struct err e;

	put(state, "m/x.map", "outside");
	put(state, "p/x.js", "//# sourceMappingURL=../m/x.map\n");
	put(state, "p/y.js", "//# sourceMappingURL=/etc/passwd\n");
	put(state, "p/l.js", "");
	assert_int_equal(symlink("../m/x.map", link), 0);
	expect(state, "p", "/app/x.js", "bad");
	expect(state, "p", "/app/y.js", "bad");
	expect(state, "p", "/app/l.js", "bad");
	t = sourcemap_files_new(both);
	assert_int_equal(sourcemap_files_read(t, SPAN("/app/x.js"), &text, &e), SOURCEMAP_FOUND);
	assert_string_equal(buf_str(&text.json), "outside");
	sourcemap_files_free(t);
	sourcemap_files_release_text(&text);
	free(p), free(m), free(link);
}

static void a_script_may_hold_its_map(void **state)
{
	put(state, "p/x.js",
		"//# sourceMappingURL=data:application/json;charset=utf-8;base64,e30=\n");
	put(state, "p/y.js", "//# sourceMappingURL=data:application/json;base64,e3.0\n");
	put(state, "p/z.js", "//# sourceMappingURL=data:application/json,{}\n");
	expect(state, "p", "/app/x.js", "{} /app/x.js");
	expect(state, "p", "/app/y.js", "bad");
	expect(state, "p", "/app/z.js", "bad");
}

static void only_regular_files_are_read(void **state)
{
	char *fifo = tmpdir_path(state, "p/x.js.map"), *loop = tmpdir_path(state, "p/round");

	put(state, "p/other.js", "");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink(".", loop), 0);
	expect(state, "p", "/app/x.js", "none");
	put(state, "p/y.js", "//# sourceMappingURL=x.js.map\n");
	expect(state, "p", "/app/y.js", "bad");
	free(fifo);
	free(loop);
}

static void sources_are_relative_to_their_map(void **state)
{
	static const char *const cases[][3] = {
		{ "/app/dist/x.js", "../src/a.ts", "/app/src/a.ts" },
		{ "/app/dist/x.js", "./a.ts", "/app/dist/a.ts" },
		{ "/x.js", "../../a.ts", "/a.ts" },
		{ "file:///app/dist/x.js", "../src/a.ts", "file:///app/src/a.ts" },
		{ "file:///x.js", "../../a.ts", "file:///a.ts" },
		{ "/app/x.js", "/abs/a.ts", "/abs/a.ts" },
		{ "/app/x.js", "webpack://name/./src/a.ts", "webpack://name/src/a.ts" },
		{ "/app/x.js", "webpack:///../a.ts", "webpack:///a.ts" },
		{ "x.js", "a.ts", "a.ts" },
		{ "/app/dist/", "../src/", "/app/src/" },
		{ "/app/src/", "a.ts", "/app/src/a.ts" },
		{ "/app/x.js", "", "/app/" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf b = { 0 };

		sourcemap_files_resolve_url(span_of(cases[i][0]), span_of(cases[i][1]), &b);
		assert_string_equal(buf_str(&b), cases[i][2]);
		buf_release(&b);
	}
}

static void paths_are_no_urls(void **state)
{
	static const char *const cases[][2] = {
		{ "/app/src/caf%C3%A9%20x.ts", "/app/src/caf\xc3\xa9 x.ts" },
		{ "file:///app/caf%C3%A9.ts", "file:///app/caf%C3%A9.ts" },
		{ "webpack://a/%20.ts", "webpack://a/%20.ts" },
		{ "/app/100%.ts", "/app/100%.ts" },
		{ "/app/x.ts", "/app/x.ts" },
		{ "", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf b = { 0 };

		buf_puts(&b, cases[i][0]);
		sourcemap_files_url_to_path(&b);
		assert_string_equal(buf_str(&b), cases[i][1]);
		buf_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_map_is_found_by_the_end_of_the_path),
		IN_TMPDIR(builds_in_hidden_directories_are_found),
		IN_TMPDIR(the_output_of_deno_for_a_source_is_found),
		IN_TMPDIR(the_longest_end_wins_and_equals_are_refused),
		IN_TMPDIR(a_package_has_its_own_index),
		IN_TMPDIR(a_script_names_its_map),
		IN_TMPDIR(a_map_is_read_below_a_named_directory_only),
		IN_TMPDIR(a_script_may_hold_its_map),
		IN_TMPDIR(only_regular_files_are_read),
		IN_TMPDIR(sources_are_relative_to_their_map),
		IN_TMPDIR(paths_are_no_urls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
