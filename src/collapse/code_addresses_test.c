#include "collapse/code_addresses.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* Sites, with the function that is compiled there and the one that is inlined into it. They weigh
 * 1000. */
static const struct {
	const char *name, *inlined, *module;
	uint64_t weight;
	bool heavy;
} places[] = {
	{ "main", NULL, "/bin/a", 984, true },
	{ "light", NULL, "/bin/a", 3, false },
	{ "main", NULL, "/lib/b", 3, false },
	{ "f(int)", NULL, "/bin/a", 2, true },
	{ "f(char)", NULL, "/bin/a", 3, true }, /* both are shown as f */
	{ "g", NULL, "/bin/a", 2, true },
	{ "light", "g", "/bin/a", 0, false },
	{ "other", "g", "/bin/a", 3, false }, /* makes g heavy */
	{ "weightless", "main", "/bin/a", 0, false },
	{ "main", "weightless", "/bin/a", 0, true },
};

struct bench {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	site_id site[ARRAY_LEN(places)];
};

static site_id as_it_is(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	(void)ctx;
	(void)space;
	(void)at;
	(void)valid;
	return (site_id)entry;
}

static void add_site(struct bench *b, size_t i)
{
	struct frame f = { .name = strtab_add_str(b->strings, places[i].name),
		.module = strtab_add_str(b->strings, places[i].module),
		.at_line = (uint32_t)i + 1, /* no two frames are the same */
		.kind = FRAME_USER };
	frame_id frame[2] = { frames_add(b->frames, &f) };

	if (places[i].inlined) {
		f.name = strtab_add_str(b->strings, places[i].inlined);
		f.flags = FRAME_INLINED;
		frame[1] = frames_add(b->frames, &f);
	}
	b->site[i] = sites_add(b->r->sites, &(struct site){ .rel = 0x10 + i });
	sites_set_frames(b->r->sites, b->site[i], frame, places[i].inlined ? 2 : 1);
}

/* weigh: else all samples weigh nothing. */
static void record(struct bench *b, bool weigh)
{
	size_t i;

	b->strings = strtab_new();
	b->frames = frames_new(b->strings);
	b->r = recording_new("test", b->strings, b->frames);
	b->r->n_logs = 1;
	b->r->logs = xcalloc(1, sizeof(struct stacklog *));
	b->r->logs[0] = stacklog_new(as_it_is, NULL);
	for (i = 0; i < ARRAY_LEN(places); i++)
		add_site(b, i);
	b->r->n_code = sites_count(b->r->sites);
	b->r->code = xcalloc(b->r->n_code, sizeof(*b->r->code));
	for (i = 0; i < ARRAY_LEN(places); i++) {
		uint64_t entry = b->site[i];

		b->r->code[b->site[i]] = (struct site_code){ 0x1000 + i, 0x1000, 16,
			strtab_add_str(b->strings, "abcd") };
		stacklog_add(b->r->logs[0],
			&(struct stacklog_sample){ .weight = weigh ? places[i].weight : 0,
				.n = 1,
				.entries = &entry });
	}
	stacklog_flush(b->r->logs[0]);
}

static void release(struct bench *b)
{
	recording_free(b->r);
	frames_free(b->frames);
	strtab_free(b->strings);
}

static void assert_listed(const struct bench *b, const struct addressed_frames *list)
{
	uint32_t n_of_site, n = 0, i;

	for (i = 0; i < ARRAY_LEN(places); i++) {
		frame_id first = *sites_frames(b->r->sites, b->site[i], &n_of_site);
		struct frame f = *frames_get(b->frames, first);

		if (!frames_drop_address(&f))
			continue;
		assert_true(n < list->n);
		assert_int_equal(list->frame[n].to, first);
		assert_int_equal(list->frame[n++].from, frames_add(b->frames, &f));
	}
	assert_int_equal(n, list->n);
}

static void add_addresses(struct bench *b, const struct collapse_opts *o)
{
	struct addressed_frames list = { 0 };
	struct heavy_frames heavy = code_addresses_weigh(&b->r, 1, frames_count(b->frames), o);

	code_addresses_add(&b->r, 1, &heavy, &list);
	assert_listed(b, &list);
	free(heavy.is);
	free(list.frame);
}

/* The frames of a place; the outermost has its address, or has not. */
static void assert_place(const struct bench *b, size_t i, bool address)
{
	uint32_t n;
	const frame_id *id = sites_frames(b->r->sites, b->site[i], &n);
	const struct frame *f = frames_get(b->frames, id[0]);

	assert_int_equal(n, places[i].inlined ? 2 : 1);
	assert_string_equal(frames_name(b->frames, id[0]).p, places[i].name);
	assert_int_equal(f->at_address, address ? 0x1000 + i : 0);
	assert_int_equal(f->at_function, address ? 0x1000 : 0);
	assert_int_equal(f->function_bytes, address ? 16 : 0);
	assert_int_equal(f->build != 0, address);
	if (n > 1)
		assert_int_equal(frames_get(b->frames, id[1])->at_address, 0);
}

static void functions_that_weigh_enough_get_addresses(void **state)
{
	struct collapse_opts o = { .places_min_percent = 0.4 };
	struct bench b;
	size_t i;

	(void)state;
	record(&b, true);
	add_addresses(&b, &o);
	assert_null(b.r->code);
	for (i = 0; i < ARRAY_LEN(places); i++)
		assert_place(&b, i, places[i].heavy);
	release(&b);
}

static void expect_all(struct collapse_opts o, bool weigh)
{
	struct bench b;
	size_t i;

	record(&b, weigh);
	add_addresses(&b, &o);
	for (i = 0; i < ARRAY_LEN(places); i++)
		assert_place(&b, i, true);
	release(&b);
}

static void all_do_where_weights_are_not_known_yet(void **state)
{
	static const struct rewriter rules;

	(void)state;
	expect_all((struct collapse_opts){ 0 }, true);
	expect_all((struct collapse_opts){ .places_min_percent = 0.4 }, false);
	expect_all((struct collapse_opts){ .rewriter = &rules, .places_min_percent = 0.4 }, true);
	expect_all((struct collapse_opts){ .weight_by_samples = true, .places_min_percent = 0.4 },
		true);
}

static void a_site_without_code_stays_as_it_is(void **state)
{
	struct collapse_opts o = { 0 };
	struct bench b;
	uint32_t n;
	frame_id before;

	(void)state;
	record(&b, true);
	b.r->code[b.site[0]].at_address = 0;
	b.r->n_code = b.site[1]; /* those after it are newer */
	before = *sites_frames(b.r->sites, b.site[0], &n);
	add_addresses(&b, &o);
	assert_int_equal(*sites_frames(b.r->sites, b.site[0], &n), before);
	assert_place(&b, 1, false);
	release(&b);
}

/* Functions without a name, of two builds of a file, are shown as one. */
static void frames_that_names_make_count_as_heavy(void **state)
{
	enum { BUILDS = 2 };
	struct collapse_opts o = { .places_min_percent = 0.4 };
	struct bench b;
	uint32_t had, now, i;
	struct heavy_frames heavy;

	(void)state;
	record(&b, true);
	free(b.r->code);
	b.r->code = NULL;
	b.r->n_code = 0;
	for (i = 0; i < BUILDS; i++) {
		struct frame f = { .module = strtab_add_str(b.strings, "/bin/stripped"),
			.kind = FRAME_UNKNOWN,
			.why = WHY_NO_SYMBOL,
			.flags = FRAME_FUNCTION,
			.address = 0x100,
			.build = strtab_add_str(b.strings, i ? "01" : "02") };
		frame_id frame = frames_add(b.frames, &f);

		sites_set_frames(b.r->sites, b.site[i], &frame, 1);
	}
	had = frames_count(b.frames);
	heavy = code_addresses_weigh(&b.r, 1, had, &o);
	now = frames_count(b.frames);
	assert_true(now > had);
	for (i = had; i < now; i++)
		assert_true(heavy_frames_has(&heavy, i));
	free(heavy.is);
	release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_weigh_enough_get_addresses),
		cmocka_unit_test(all_do_where_weights_are_not_known_yet),
		cmocka_unit_test(a_site_without_code_stays_as_it_is),
		cmocka_unit_test(frames_that_names_make_count_as_heavy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
