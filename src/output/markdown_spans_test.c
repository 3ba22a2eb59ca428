/* The page of perfold spans. */
#include "output/output_for_test.h"
#include "output/output_formats.h"

struct made {
	struct test_profile t;
	struct durations d;
	struct durations_shown shown;
	uint32_t *slow, *number;
	struct buf text;
};

enum { SPANS = 40 };

/* Forty spans of one kind, of 1 to 40 ms, which began in main;read. */
static int setup(void **state)
{
	struct made *m = xcalloc(1, sizeof(*m));
	struct duration_thread *thread = xcalloc(1, sizeof(*thread));
	uint32_t kind, i;

	test_profile_from_folded(&m->t, SPAN("main;read 820000000\n"));
	m->t.p.unit = strtab_add_str(m->t.p.strings, "nanoseconds");
	*thread = (struct duration_thread){ 10, 11, strtab_add_str(m->t.p.strings, "node"), 0 };
	m->d.threads = thread;
	m->d.n_threads = 1;
	m->slow = xcalloc(SPANS, sizeof(*m->slow));
	m->number = xcalloc(SPANS, sizeof(*m->number));
	kind = durations_kind(&m->d, strtab_add_str(m->t.p.strings, "<b>@all`"));
	for (i = 0; i < SPANS; i++) {
		durations_add(&m->d, &(struct duration){ .from_ns = 1000000000ull * i,
					     .duration_ns = MS * (i + 1),
					     .kind = kind,
					     .stack = i & 1 ? 2 : UINT32_MAX });
		m->slow[SPANS - 1 - i] = i;
		m->number[i] = i + 1;
	}
	durations_finish(&m->d, m->t.p.strings);
	m->shown = (struct durations_shown){ .d = &m->d,
		.p = &m->t.p,
		.measure = "file-io",
		.command = "file-io",
		.slow = m->slow,
		.n_slow = SPANS };
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct made *m = *state;

	durations_release(&m->d);
	test_profile_release(&m->t);
	buf_release(&m->text);
	free(m->slow);
	free(m->number);
	free(m);
	return 0;
}

static const char *page(struct made *m, struct output_opts o)
{
	o.durations = &m->shown;
	m->text.n = 0;
	write_output(&markdown_format, &m->t.p, &o, &m->text);
	return buf_str(&m->text);
}

static void assert_has(const char *page, const char *text)
{
	if (!strstr(page, text))
		fail_msg("no \"%s\" in\n%s", text, page);
}

static void the_slowest_and_its_stack_come_first(void **state)
{
	const char *text = page(*state, (struct output_opts){ 0 });

	assert_has(text,
		"## At a glance\n\n"
		"- slowest: 40.0 ms `` <b>@all` ``, thread 11 `node`, at 39.000000000\n"
		"- the slowest began in `main` > `read`\n"
		"- most time: `` <b>@all` ``: 40 took 820 ms together, at most 40.0 ms; median ");
	assert_has(text, "- 39.0 ms `` <b>@all` ``, thread 11 `node`, at 38.000000000\n");
	assert_has(text, "## Stacks in spans, of `820 ms` in all kinds of spans together\n\n");
}

static void the_distribution_has_three_steps_to_a_power_of_ten(void **state)
{
	assert_has(page(*state, (struct output_opts){ 0 }),
		"- `` <b>@all` ``: 1 of 40 (2.5%) took from 1.00 ms to less than 2.00 ms\n"
		"- `` <b>@all` ``: 3 of 40 (7.5%) took from 2.00 ms to less than 5.00 ms\n"
		"- `` <b>@all` ``: 5 of 40 (12.5%) took from 5.00 ms to less than 10.0 ms\n"
		"- `` <b>@all` ``: 10 of 40 (25.0%) took from 10.0 ms to less than 20.0 ms\n"
		"- `` <b>@all` ``: 21 of 40 (52.5%) took from 20.0 ms to less than 50.0 ms\n");
}

/* With numbers, and samples beside the events, what ran in them can be asked for. */
static void commands_ask_what_ran_in_slow_ones(void **state)
{
	struct made *m = *state;
	struct recording *r = recording_new("-a b", m->t.p.strings, m->t.p.frames);
	const struct output_opts o = { .recordings = &r, .n_recordings = 1 };

	assert_null(strstr(page(m, o), "--during '"));
	m->shown.during = "file-io";
	m->shown.number = m->number;
	m->shown.has_samples = true;
	assert_has(page(m, o), "- `perfold top --during 'file-io #40' './-a b'`: ");
	assert_has(page(m, o), "- `perfold diff --during 'file-io >= 38000us' './-a b'`: ");
	r->path = "-";
	assert_null(strstr(page(m, o), "## Next"));
	recording_free(r);
}

static void what_was_left_out_is_said(void **state)
{
	struct made *m = *state;

	m->d.left_out.lost = 1;
	m->d.left_out.unended = 2;
	assert_has(page(m, (struct output_opts){ 0 }),
		"- 1 pair left out: records were lost in it\n"
		"- 2 beginnings left out: no end was recorded\n");
}

static void a_page_keeps_to_its_tokens(void **state)
{
	const char *text = page(*state, (struct output_opts){ .page_tokens = 600 });

	assert_in_range(strlen(text), 500, 2400);
	assert_has(text, " more spans\n");
}

static void no_spans_have_a_page(void **state)
{
	struct made *m = *state;
	struct durations none = { 0 };

	m->shown.d = &none;
	m->shown.n_slow = 0;
	assert_has(page(m, (struct output_opts){ 0 }),
		"- no span has both its beginning and its end in the recording\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_slowest_and_its_stack_come_first, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_distribution_has_three_steps_to_a_power_of_ten, setup, teardown),
		cmocka_unit_test_setup_teardown(
			commands_ask_what_ran_in_slow_ones, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_left_out_is_said, setup, teardown),
		cmocka_unit_test_setup_teardown(a_page_keeps_to_its_tokens, setup, teardown),
		cmocka_unit_test_setup_teardown(no_spans_have_a_page, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
