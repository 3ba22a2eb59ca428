/* Source texts of a run, after it: the recording's files stay open. */
#include "pipeline/pipeline.h"

#include "base/tar.h"
#include "base/tmpdir_for_test.h"

#define CASE "testdata/names/lines/"

struct bed {
	struct pipeline_opts o;
	struct pipeline_result r;
};

static void run(struct bed *b)
{
	static const char *const inputs[] = { CASE "input.perf.data" };
	static const char *const symfs[] = { CASE "root", NULL };
	struct err e;

	b->o.inputs = inputs;
	b->o.n_inputs = 1;
	b->o.files.symfs = symfs;
	b->o.files.no_system = true;
	b->o.jobs = 1;
	assert_int_equal(pipeline_run(&b->o, &b->r, &e), OK);
}

static str_id file_of(const struct bed *b, const char *path)
{
	return strtab_add_str(b->r.strings, path);
}

static void a_source_is_read_after_the_run(void **state)
{
	static const char *const dirs[] = { CASE, NULL };
	struct bed b = { .o = { .sources = true, .files.source_dirs = dirs } };
	const struct source_text *text;

	(void)state;
	run(&b);
	text = pipeline_source(&b.r, file_of(&b, "/src/tower.cpp"));
	assert_non_null(text);
	assert_true(text->n_lines > 10);
	assert_string_equal(text->path, CASE "tower.cpp");
	assert_ptr_equal(text, pipeline_source(&b.r, file_of(&b, "/src/tower.cpp")));
	assert_non_null(pipeline_named_with(&b.r, 0));
	assert_null(pipeline_named_with(&b.r, 1));
	pipeline_release(&b.r);
}

static void what_was_looked_for_in_vain_is_listed(void **state)
{
	static const char *const dirs[] = { CASE "root", NULL };
	struct bed b = { .o = { .sources = true, .files.source_dirs = dirs } };
	const struct files_trail *t;

	(void)state;
	run(&b);
	assert_null(pipeline_source(&b.r, 0));
	assert_null(pipeline_source(&b.r, file_of(&b, "/src/tower.cpp")));
	t = pipeline_source_trail(&b.r, file_of(&b, "/src/tower.cpp"));
	assert_int_equal(t->n, 2);
	assert_string_equal(t->step[0].path, CASE "root/src/tower.cpp");
	assert_string_equal(t->step[1].path, CASE "src/tower.cpp");
	assert_int_equal(t->step[1].verdict, FILES_ABSENT);
	pipeline_release(&b.r);
}

/* Of a script that is named by its URL, in no debug information. */
static void the_path_of_a_url_counts(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .sources = true, .files.source_dirs = dirs } };
	const struct source_text *text;

	tmpdir_write(tmpdir_at(state, "a b.mjs"), SPAN("f();\n"));
	tmpdir_write(tmpdir_at(state, "util"), SPAN("other\n"));
	run(&b);
	assert_null(pipeline_source(&b.r, file_of(&b, "node:internal/util")));
	text = pipeline_source(&b.r, file_of(&b, "file:///app/a%20b.mjs?v=1"));
	assert_non_null(text);
	assert_true(span_eq(source_file_line(text, 1), SPAN("f();")));
	pipeline_release(&b.r);
}

static void a_text_from_a_source_map_needs_no_file(void **state)
{
	struct bed b = { .o = { .sources = true } };
	const struct source_text *text;
	str_id file;

	(void)state;
	run(&b);
	file = file_of(&b, "/app/src/a.ts");
	assert_true(source_files_add_text(b.r.recordings[0]->sources, file, SPAN("const a = 1;")));
	text = pipeline_source(&b.r, file);
	assert_non_null(text);
	assert_true(span_eq(text->text, SPAN("const a = 1;")));
	assert_string_equal(text->path, "/app/src/a.ts");
	assert_null(source_file_warning(text->doubt));
	pipeline_release(&b.r);
}

/* The file itself is not here. */
static void a_source_map_brings_its_texts(void **state)
{
	const char *input = tmpdir_at(state, "in.folded"), *const inputs[] = { input };
	const char *const maps[] = { *state, NULL };
	struct bed b = { .o = { .sources = true,
				 .inputs = inputs,
				 .n_inputs = 1,
				 .jobs = 1,
				 .files.no_system = true,
				 .symbolize.source_maps = maps } };
	const struct source_text *text;
	struct err e;

	tmpdir_write(input, SPAN("node;JS:*f /app/x.js:1:11 5\n"));
	tmpdir_write(tmpdir_at(state, "x.js"), SPAN("function f(){}"));
	tmpdir_write(tmpdir_at(state, "x.js.map"),
		SPAN("{\"version\":3,\"sources\":[\"no.ts\",\"src/a.ts\"],\"names\":[],"
		     "\"mappings\":\"ACAA\",\"sourcesContent\":[\"no\",\"const a = 1;\"]}"));
	assert_int_equal(pipeline_run(&b.o, &b.r, &e), OK);
	text = pipeline_source(&b.r, file_of(&b, "/app/src/a.ts"));
	assert_non_null(text);
	assert_true(span_eq(text->text, SPAN("const a = 1;")));
	assert_null(pipeline_source(&b.r, file_of(&b, "/app/no.ts")));
	pipeline_release(&b.r);
}

static int read_span(void *ctx, void *p, size_t n, uint64_t at, struct err *e)
{
	(void)e;
	memcpy(p, (const char *)ctx + at, n);
	return OK;
}

static void add_entry(struct tar_writer *w, const char *place, const char *path, const char *text)
{
	struct buf content = { 0 };
	struct err e;

	if (path)
		assert_int_equal(file_read_all(path, 1 << 20, &content, &e), OK);
	else
		buf_puts(&content, text);
	assert_int_equal(tar_add(w, place, content.n, read_span, content.p, &e), OK);
	buf_release(&content);
}

static void make_pack(const char *path)
{
	struct tar_writer *w;
	struct sink *to;
	struct err e;

	assert_int_equal(tar_load(&e), OK);
	assert_int_equal(sink_open(&to, path, SINK_ZSTD, &e), OK);
	assert_int_equal(tar_writer_new(&w, to, &e), OK);
	add_entry(w, ".build-id/1f/2ce5d8bbc17824d3223642886d1cb28c59fdf2/elf",
		CASE "root/tmp/perfold/bin/tower", NULL);
	add_entry(w, "data", CASE "input.perf.data", NULL);
	add_entry(w, "sources-newer/src/tower.cpp", NULL, "packed\n");
	assert_int_equal(tar_writer_finish(w, &e), OK);
	tar_writer_free(w);
	assert_int_equal(sink_commit(to, &e), OK);
}

static const char *unpacked_dir;

static void watch(const char *dir, enum scratch_step step)
{
	if (step == SCRATCH_CREATED)
		unpacked_dir = strdup(dir);
}

static void a_pack_stays_unpacked_until_the_end(void **state)
{
	const char *input = tmpdir_at(state, "x.perfpack"), *const inputs[] = { input };
	char *wanted = tmpdir_at(state, "x.perfpack/sources-newer/src/tower.cpp");
	char *before = tmpdir_set_env(*state);
	struct bed b = { .o = { .sources = true,
				 .inputs = inputs,
				 .n_inputs = 1,
				 .jobs = 1,
				 .scratch = watch } };
	const struct source_text *text;
	const struct files_trail *t;
	struct err e;
	uint32_t i;

	make_pack(input);
	assert_int_equal(pipeline_run(&b.o, &b.r, &e), OK);
	text = pipeline_source(&b.r, file_of(&b, "/src/tower.cpp"));
	assert_non_null(text);
	assert_true(span_eq(text->text, SPAN("packed\n")));
	assert_string_equal(text->path, wanted);
	assert_int_equal(text->doubt, SOURCE_NEWER);
	t = pipeline_source_trail(&b.r, file_of(&b, "/src/tower.cpp"));
	for (i = 0; i < t->n; i++)
		assert_null(strstr(t->step[i].path, unpacked_dir));
	assert_int_equal(access(unpacked_dir, F_OK), 0);
	pipeline_release(&b.r);
	assert_int_not_equal(access(unpacked_dir, F_OK), 0);
	free((char *)unpacked_dir);
	tmpdir_restore_env(before);
}

static void without_the_wish_nothing_is_kept(void **state)
{
	struct bed b = { .o = { .jobs = 1 } };

	(void)state;
	run(&b);
	assert_null(pipeline_named_with(&b.r, 0));
	assert_null(pipeline_source(&b.r, file_of(&b, "/src/tower.cpp")));
	assert_null(pipeline_source_trail(&b.r, file_of(&b, "/src/tower.cpp")));
	pipeline_release(&b.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_source_is_read_after_the_run),
		cmocka_unit_test(what_was_looked_for_in_vain_is_listed),
		IN_TMPDIR(the_path_of_a_url_counts),
		cmocka_unit_test(a_text_from_a_source_map_needs_no_file),
		IN_TMPDIR(a_source_map_brings_its_texts),
		IN_TMPDIR(a_pack_stays_unpacked_until_the_end),
		cmocka_unit_test(without_the_wish_nothing_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
