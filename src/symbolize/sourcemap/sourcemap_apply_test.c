/* Frames of V8 and their source maps. */
#include "symbolize/sourcemap/sourcemap.h"

#include "base/tmpdir_for_test.h"
#include "model/recording.h"

/* Of "function u(){}function t(){}" in one line: u is a() of a.ts, line 3, t is b() of b.ts,
 * line 5. In column 21 begins line 9 of b.ts. */
static const char bundle_map[] =
	"{\"version\":3,\"sources\":[\"../src/a.ts\",\"../src/b.ts\"],\"names\":[],"
	"\"mappings\":\"AAEA,cCEA,OAIA\",\"sourcesContent\":[\"text of a\",\"text of b\"]}";

struct bed {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
};

static void begin(struct bed *b, void **state)
{
	b->strings = strtab_new();
	b->frames = frames_new(b->strings);
	b->r = recording_new("test", b->strings, b->frames);
	b->r->sources = source_files_new();
	tmpdir_write(tmpdir_at(state, "x.js"), SPAN("function u(){}"));
	tmpdir_write(tmpdir_at(state, "x.js.map"), SPAN(bundle_map));
}

static void end(struct bed *b)
{
	recording_free(b->r);
	frames_free(b->frames);
	strtab_free(b->strings);
}

static site_id add(
	struct bed *b, const char *name, uint32_t at_line, uint32_t at_column, const char *at_file)
{
	struct frame f = { .kind = FRAME_JIT,
		.name = strtab_add_str(b->strings, name),
		.file = strtab_add_str(b->strings, "/app/dist/x.js"),
		.line = 1,
		.at_line = at_line,
		.at_column = at_column,
		.at_file = strtab_add_str(b->strings, at_file) };
	frame_id id = frames_add(b->frames, &f);
	struct site s = { .named = id, .kind = FRAME_USER };
	site_id site = sites_add(b->r->sites, &s);

	sites_set_frames(b->r->sites, site, &id, 1);
	return site;
}

static void apply(struct bed *b, void **state)
{
	const char *const dirs[] = { *state, NULL };

	sourcemap_apply(b->r, dirs, NULL);
}

/* "NAME at FILE:LINE"; FILE "-": that of the function. */
static void expect(struct bed *b, site_id site, const char *expected)
{
	uint32_t n;
	const struct frame *f = frames_get(b->frames, *sites_frames(b->r->sites, site, &n));
	struct buf text = { 0 };

	buf_printf(&text, "%s at %s:%u", strtab_str(b->strings, f->name),
		f->at_file ? strtab_str(b->strings, f->at_file) : "-", f->at_line);
	assert_string_equal(buf_str(&text), expected);
	assert_int_equal(f->at_column, 0);
	buf_release(&text);
}

static void what_ran_gets_the_line_of_its_source(void **state)
{
	struct bed b;
	site_id own, inlined, unknown;

	begin(&b, state);
	own = add(&b, "JS:*t /app/dist/x.js:1:15", 1, 22, "");
	inlined = add(&b, "JS:*u /app/dist/x.js:1:1", 1, 22, "");
	unknown = add(&b, "JS:*u /app/dist/x.js:1:1", 0, 0, "");
	apply(&b, state);
	expect(&b, own, "JS:*t /app/src/b.ts:5:1 at -:9");
	expect(&b, inlined, "JS:*u /app/src/a.ts:3:1 at /app/src/b.ts:9");
	expect(&b, unknown, "JS:*u /app/src/a.ts:3:1 at -:0");
	end(&b);
}

/* Lines 1 and 2 of the script are 3 and 4 of c.ts, line 3 is two of it. */
static const char script_map[] = "{\"version\":3,\"sources\":[\"../src/c.ts\"],\"names\":[],"
				 "\"mappings\":\"AAEA;AACA;AACA,aACA\"}";

static void a_line_without_a_column_is_that_of_the_source_if_it_comes_from_one(void **state)
{
	struct bed b;
	site_id one, several, none;

	begin(&b, state);
	tmpdir_write(tmpdir_at(state, "x.js.map"), SPAN(script_map));
	one = add(&b, "JS:*s /app/dist/x.js:1:1", 2, 0, "");
	several = add(&b, "JS:*s /app/dist/x.js:1:1", 3, 0, "");
	none = add(&b, "JS:*s /app/dist/x.js:1:1", 9, 0, "");
	apply(&b, state);
	expect(&b, one, "JS:*s /app/src/c.ts:3:1 at -:4");
	expect(&b, several, "JS:*s /app/src/c.ts:3:1 at -:0");
	expect(&b, none, "JS:*s /app/src/c.ts:3:1 at -:0");
	end(&b);
}

static void a_line_of_another_script_has_its_own_map(void **state)
{
	struct bed b;
	site_id mapped, plain, other;

	begin(&b, state);
	mapped = add(&b, "JS:*f /app/plain.js:1:1", 1, 22, "/app/dist/x.js");
	plain = add(&b, "JS:*f /app/plain.js:1:1", 7, 3, "/app/plain.js");
	other = add(&b, "JS:*u /app/dist/x.js:1:1", 7, 3, "node:fs");
	apply(&b, state);
	expect(&b, mapped, "JS:*f /app/plain.js:1:1 at /app/src/b.ts:9");
	expect(&b, plain, "JS:*f /app/plain.js:1:1 at /app/plain.js:7");
	expect(&b, other, "JS:*u /app/src/a.ts:3:1 at node:fs:7");
	end(&b);
}

static void texts_of_both_sources_are_kept(void **state)
{
	const struct source_fact *fact;
	struct bed b;

	begin(&b, state);
	add(&b, "JS:*u /app/dist/x.js:1:1", 1, 22, "");
	apply(&b, state);
	fact = source_files_find(b.r->sources, strtab_add_str(b.strings, "/app/src/a.ts"));
	assert_true(fact && span_eq(fact->text, SPAN("text of a")));
	fact = source_files_find(b.r->sources, strtab_add_str(b.strings, "/app/src/b.ts"));
	assert_true(fact && span_eq(fact->text, SPAN("text of b")));
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(what_ran_gets_the_line_of_its_source),
		IN_TMPDIR(a_line_without_a_column_is_that_of_the_source_if_it_comes_from_one),
		IN_TMPDIR(a_line_of_another_script_has_its_own_map),
		IN_TMPDIR(texts_of_both_sources_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
