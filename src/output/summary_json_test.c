#include "output/output_formats.h"

#include "output/output_for_test.h"

static void check_row(
	yajl_val table, size_t row, const char *name, long long weight, const char *percent)
{
	yajl_val v = element(table, row);

	assert_string_equal(text_of(v, "name"), name);
	assert_int_equal(number(v, "weight"), weight);
	assert_string_equal(YAJL_GET_NUMBER(member(v, "percent")), percent);
}

static void functions_are_ranked_and_recursion_counts_once(void **state)
{
	struct test_profile t;
	yajl_val doc, self, total;

	(void)state;
	test_profile_from_folded(&t, SPAN("main;f;f 5\nmain;g 2\nmain;h 2\nmain 1\n"));
	doc = write_json(&summary_json_format, &t.p, NULL);
	assert_string_equal(text_of(doc, "format"), "perfold-summary");
	assert_int_equal(number(member(doc, "total"), "weight"), 10);
	self = member(member(doc, "functions"), "self");
	assert_int_equal(length(self), 4);
	check_row(self, 0, "f", 5, "50");
	check_row(self, 1, "g", 2, "20");
	check_row(self, 2, "h", 2, "20");
	check_row(self, 3, "main", 1, "10");
	total = member(member(doc, "functions"), "total");
	check_row(total, 0, "main", 10, "100");
	check_row(total, 1, "f", 5, "50");
	yajl_tree_free(doc);
	test_profile_release(&t);
}

static void shares_are_never_rounded_up(void **state)
{
	struct test_profile t;
	yajl_val doc;

	(void)state;
	test_profile_from_folded(&t, SPAN("a 99999\nb 1\n"));
	doc = write_json(&summary_json_format, &t.p, NULL);
	check_row(member(member(doc, "functions"), "self"), 0, "a", 99999, "99.99");
	check_row(member(member(doc, "functions"), "self"), 1, "b", 1, "0");
	yajl_tree_free(doc);
	test_profile_release(&t);
}

static void losses_rules_and_advice_are_listed(void **state)
{
	struct test_profile t;
	struct report report = { 0 };
	struct diag diag = { 0 };
	struct output_opts o = { .report = &report, .diag = &diag, .version = "1.2" };
	yajl_val doc, v;

	(void)state;
	test_profile_from_folded(&t, SPAN("a 1\n"));
	report_add_rule(&report, "-e 1", "drop /x/", 3, 30);
	report_add_advice(&report, "record with \"-g\"");
	diag_add(&diag, DIAG_CUT_SHORT, 17, 0);
	doc = write_json(&summary_json_format, &t.p, &o);
	assert_string_equal(text_of(doc, "perfold"), "1.2");
	assert_int_equal(length(member(doc, "losses")), 1);
	v = element(member(doc, "losses"), 0);
	assert_string_equal(text_of(v, "kind"), "cut_short");
	assert_int_equal(number(v, "count"), 17);
	assert_true(YAJL_IS_TRUE(member(v, "damage")));
	v = element(member(doc, "rules"), 0);
	assert_string_equal(text_of(v, "rule"), "drop /x/");
	assert_int_equal(number(v, "hits"), 3);
	assert_string_equal(
		YAJL_GET_STRING(element(member(doc, "advice"), 0)), "record with \"-g\"");
	yajl_tree_free(doc);
	report_release(&report);
	test_profile_release(&t);
}

/* A recording of two stacks: one in a file that is not here, one with a name. */
static struct recording *make_recording(struct test_profile *t)
{
	struct recording *r = recording_new("in.data", t->p.strings, t->p.frames);
	struct frame f[2] = { { .why = WHY_NO_FILE }, { .kind = FRAME_USER } };
	uint32_t i, k;

	f[0].module = strtab_add_str(t->p.strings, "/bin/gone");
	f[1].name = strtab_add_str(t->p.strings, "f");
	r->logs = xcalloc(1, sizeof(struct stacklog *));
	r->logs[0] = stacklog_new_of_sites();
	r->n_logs = 1;
	r->samples_read = 7;
	for (i = 0; i < 2; i++) {
		frame_id frame = frames_add(t->p.frames, &f[i]);
		struct site s = { .named = frame };
		uint64_t id = sites_add(r->sites, &s);

		sites_set_frames(r->sites, (site_id)id, &frame, 1);
		for (k = 0; k < 3 + i; k++)
			stacklog_add(r->logs[0],
				&(struct stacklog_sample){ .n = 1, .entries = &id, .weight = 1 });
	}
	stacklog_flush(r->logs[0]);
	return r;
}

static void frames_without_a_name_are_listed_by_module_and_reason(void **state)
{
	struct test_profile t;
	struct recording *r;
	struct output_opts o = { .recordings = &r, .n_recordings = 1 };
	yajl_val doc, v;

	(void)state;
	test_profile_from_folded(&t, SPAN("a 1\n"));
	r = make_recording(&t);
	r->generated.interpreted = 5;
	r->generated.interpreted_named = 4;
	doc = write_json(&summary_json_format, &t.p, &o);
	assert_int_equal(number(member(doc, "frames"), "all"), 7);
	assert_int_equal(number(member(doc, "frames"), "named"), 4);
	assert_string_equal(YAJL_GET_NUMBER(member(member(doc, "frames"), "percent")), "57.14");
	assert_int_equal(length(member(doc, "unresolved")), 1);
	v = element(member(doc, "unresolved"), 0);
	assert_string_equal(text_of(v, "module"), "/bin/gone");
	assert_string_equal(text_of(v, "reason"), "no_file");
	assert_int_equal(number(v, "frames"), 3);
	assert_int_equal(number(v, "places"), 1);
	v = element(member(doc, "inputs"), 0);
	assert_string_equal(text_of(v, "path"), "in.data");
	assert_int_equal(number(v, "samples_read"), 7);
	v = member(v, "generated");
	assert_int_equal(number(v, "ambiguous_samples"), 0);
	assert_int_equal(number(v, "interpreted"), 5);
	assert_int_equal(number(v, "interpreted_named"), 4);
	yajl_tree_free(doc);
	recording_free(r);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_ranked_and_recursion_counts_once),
		cmocka_unit_test(shares_are_never_rounded_up),
		cmocka_unit_test(losses_rules_and_advice_are_listed),
		cmocka_unit_test(frames_without_a_name_are_listed_by_module_and_reason),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
