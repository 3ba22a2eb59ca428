#include "collapse/collapse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct {
	const char *name;
	uint8_t kind, tier;
} functions[] = {
	{ "JS:~fib /srv/app.js:5:13", FRAME_JIT, V8_INTERPRETED },
	{ "JS:*fib /srv/app.js:5:13", FRAME_JIT, V8_TURBOFAN },
	{ "native", FRAME_USER, V8_NO_TIER },
};

static site_id resolve(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	struct recording *r = ctx;
	struct frame f = { .kind = functions[entry].kind, .tier = functions[entry].tier };
	frame_id named;
	site_id site;

	(void)space;
	(void)at;
	(void)valid;
	f.name = strtab_add_str(r->strings, functions[entry].name);
	named = frames_add(r->frames, &f);
	site = sites_add(r->sites, &(struct site){ .kind = f.kind, .named = named });
	sites_set_frames(r->sites, site, &named, 1);
	return site;
}

static struct recording *record(struct frames *frames, struct strtab *strings, bool any_tiers)
{
	static const uint64_t stacks[][2] = { { 2, 0 }, { 2, 1 } };
	struct recording *r = recording_new("test", strings, frames);
	unsigned i;

	r->n_logs = 1;
	r->logs = calloc(1, sizeof(struct stacklog *));
	r->logs[0] = stacklog_new(resolve, r);
	for (i = 0; i < 4; i++)
		stacklog_add(r->logs[0],
			&(struct stacklog_sample){
				.weight = 10, .n = any_tiers ? 2 : 1, .entries = stacks[i > 0] });
	stacklog_flush(r->logs[0]);
	return r;
}

static void check(bool any_tiers, struct collapse_opts o, const char *first, const char *second)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = record(frames, strings, any_tiers);
	struct tiers t;

	collapse_tiers(&t, &r, 1, &o);
	assert_int_equal(t.n, any_tiers ? 2 : 0);
	if (any_tiers) {
		assert_string_equal(frames_name(frames, t.use[0].frame).p, first);
		assert_string_equal(frames_name(frames, t.use[1].frame).p, second);
		assert_int_equal(t.use[0].tier, V8_INTERPRETED);
		assert_int_equal(t.use[0].weight, 10);
		assert_int_equal(t.use[1].tier, V8_TURBOFAN);
		assert_int_equal(t.use[1].weight, 30);
	}
	tiers_release(&t);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
}

static void a_function_has_the_weight_of_each_tier(void **state)
{
	(void)state;
	check(true, (struct collapse_opts){ 0 }, "fib /srv/app.js:5:13", "fib /srv/app.js:5:13");
	check(true, (struct collapse_opts){ .tiers = true }, functions[0].name, functions[1].name);
}

static void without_tiers_the_table_is_empty(void **state)
{
	(void)state;
	check(false, (struct collapse_opts){ 0 }, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_the_weight_of_each_tier),
		cmocka_unit_test(without_tiers_the_table_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
