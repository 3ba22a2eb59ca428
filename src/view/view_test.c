#include "view/view.h"

#include "model/profile_for_test.h"
#include "view/screen_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct shown_view {
	struct test_profile profile;
	struct view *view;
	struct screen screen;
	struct buf text;
	unsigned columns, rows;
};

static void open_view(struct shown_view *t, struct span folded, unsigned columns, unsigned rows)
{
	struct view_opts o = { 0 };

	*t = (struct shown_view){ .columns = columns, .rows = rows };
	o.of.p = test_profile_from_folded(&t->profile, folded);
	t->view = view_new(&o);
}

static void close_view(struct shown_view *t)
{
	view_free(t->view);
	screen_release(&t->screen);
	buf_release(&t->text);
	test_profile_release(&t->profile);
}

/* A row of the screen; a negative one counts from its foot. */
static const char *row_of(struct shown_view *t, int row)
{
	screen_reset(&t->screen, t->columns, t->rows);
	view_draw(t->view, &t->screen);
	t->text.n = 0;
	screen_test_put_row(
		&t->text, &t->screen, row < 0 ? t->rows - (unsigned)-row : (unsigned)row);
	return buf_str(&t->text);
}

static bool take(struct shown_view *t, uint32_t key)
{
	const struct view_event event = { .key = key };
	bool goes_on;

	row_of(t, 0);
	goes_on = view_take(t->view, &event);
	return goes_on;
}

static void take_at(struct shown_view *t, uint32_t key, unsigned row, unsigned column)
{
	const struct view_event event = { key, row, column };

	row_of(t, 0);
	assert_true(view_take(t->view, &event));
}

static void type(struct shown_view *t, const char *text)
{
	for (; *text; text++)
		take(t, (unsigned char)*text);
}

#define STACKS                                                                                     \
	SPAN("main;run;parse 50\nmain;run;draw 20\nmain;idle 20\nmain;run;a 4\nmain;run;b 6\n")

static void frames_are_as_wide_as_their_share(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 50, 12);
	assert_string_equal(row_of(&t, 2), "▏all                                        100.0%");
	assert_string_equal(row_of(&t, 3), "▏main                                       100.0%");
	assert_string_equal(row_of(&t, 4), "▏run                               80.0%▏idle");
	assert_string_equal(row_of(&t, 5), "▏parse              50.0%▏draw     ▏b ▏a");
	close_view(&t);
}

static void the_foot_says_what_is_chosen(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	assert_string_equal(row_of(&t, -2), "all");
	assert_string_equal(row_of(&t, -1), "100.0% of all · 0.0% self · 100 samples");
	take(&t, VIEW_KEY_DOWN);
	take(&t, VIEW_KEY_DOWN);
	assert_string_equal(row_of(&t, -2), "run");
	assert_string_equal(row_of(&t, -1), "80.0% of all · 0.0% self · 80 samples");
	take(&t, VIEW_KEY_RIGHT);
	assert_string_equal(row_of(&t, -2), "idle");
	take(&t, VIEW_KEY_RIGHT);
	assert_string_equal(row_of(&t, -2), "idle");
	take(&t, VIEW_KEY_LEFT);
	take(&t, VIEW_KEY_DOWN);
	assert_string_equal(row_of(&t, -2), "parse");
	take(&t, VIEW_KEY_DOWN);
	assert_string_equal(row_of(&t, -2), "parse");
	take(&t, VIEW_KEY_UP);
	assert_string_equal(row_of(&t, -2), "run");
	close_view(&t);
}

static void zooming_goes_back_by_one(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	take(&t, VIEW_KEY_DOWN);
	take(&t, VIEW_KEY_DOWN);
	take(&t, VIEW_KEY_ENTER);
	assert_string_equal(row_of(&t, 2), "all › main ›");
	take(&t, VIEW_KEY_DOWN);
	assert_string_equal(
		row_of(&t, -1), "50.0% of all, 62.5% of what is shown · 50.0% self · 50 samp…");
	take(&t, VIEW_KEY_ENTER);
	assert_string_equal(row_of(&t, 2), "all › main › run ›");
	take(&t, VIEW_KEY_ESCAPE);
	assert_string_equal(row_of(&t, 2), "all › main ›");
	take(&t, VIEW_KEY_BACKSPACE);
	assert_string_equal(
		row_of(&t, 2), "▏all                                                  100.0%");
	assert_true(take(&t, VIEW_KEY_ESCAPE));
	close_view(&t);
}

static void up_from_what_is_zoomed_to_shows_its_caller(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	take(&t, VIEW_KEY_DOWN);
	take(&t, VIEW_KEY_DOWN);
	take(&t, VIEW_KEY_ENTER);
	take(&t, VIEW_KEY_UP);
	assert_string_equal(row_of(&t, 2), "all ›");
	assert_string_equal(row_of(&t, -2), "main");
	close_view(&t);
}

static void narrow_frames_are_one_box(void **state)
{
	struct buf folded = { 0 };
	struct shown_view t;
	int i;

	(void)state;
	buf_puts(&folded, "main;big 900\n");
	for (i = 0; i < 100; i++)
		buf_printf(&folded, "main;small%d 1\n", i);
	open_view(&t, buf_span(&folded), 60, 12);
	assert_string_equal(
		row_of(&t, 4), "▏big                                             90.0%▏100");
	/* A click there shows them larger. */
	take(&t, VIEW_KEY_DOWN);
	take_at(&t, VIEW_KEY_CLICK, 4, 57);
	assert_string_equal(row_of(&t, 2), "all ›");
	buf_release(&folded);
	close_view(&t);
}

static void clicks_choose_and_then_zoom(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	take_at(&t, VIEW_KEY_CLICK, 4, 10);
	assert_string_equal(row_of(&t, -2), "run");
	take_at(&t, VIEW_KEY_CLICK, 4, 11);
	assert_string_equal(row_of(&t, 2), "all › main ›");
	take_at(&t, VIEW_KEY_CLICK, 9, 0); /* nothing is there */
	take_at(&t, VIEW_KEY_CLICK, 100, 100);
	assert_string_equal(row_of(&t, -2), "run");
	take_at(&t, VIEW_KEY_WHEEL_DOWN, 4, 0);
	assert_string_equal(row_of(&t, -2), "parse");
	take_at(&t, VIEW_KEY_CLICK, 1, 40);
	assert_string_equal(row_of(&t, 2), "  self  total  function                      module");
	close_view(&t);
}

static void a_search_says_how_much_has_it_and_n_goes_there(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	type(&t, "/R");
	assert_string_equal(row_of(&t, -1), "/R   0.0% matched");
	take(&t, VIEW_KEY_BACKSPACE);
	type(&t, "d");
	assert_string_equal(row_of(&t, -1), "/d   40.0% matched");
	take(&t, VIEW_KEY_ENTER);
	assert_string_equal(row_of(&t, -1), "/d  40.0% matched · 1 of 2");
	take(&t, 'n');
	assert_string_equal(row_of(&t, -1), "/d  40.0% matched · 2 of 2");
	assert_string_equal(row_of(&t, -2), "draw");
	take(&t, 'n');
	assert_string_equal(row_of(&t, -2), "idle");
	take(&t, 'p');
	assert_string_equal(row_of(&t, -2), "draw");
	type(&t, "/(");
	assert_string_equal(row_of(&t, -1), "/(   not an expression");
	take(&t, VIEW_KEY_ESCAPE);
	assert_string_equal(row_of(&t, -1), "20.0% of all · 20.0% self · 20 samples");
	take(&t, 'n');
	assert_string_equal(row_of(&t, -1), "nothing is searched for: / begins a search");
	close_view(&t);
}

static void order_by_name_and_upside_down(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 50, 12);
	take(&t, 'o');
	assert_string_equal(row_of(&t, 4), "▏idle     ▏run                               80.0%");
	take(&t, 'v');
	assert_string_equal(row_of(&t, 9), "▏all                                        100.0%");
	take(&t, VIEW_KEY_UP);
	assert_string_equal(row_of(&t, -2), "main");
	close_view(&t);
}

static void functions_have_their_costs(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	take(&t, '5');
	assert_string_equal(row_of(&t, 2), "  self  total  function                      module");
	assert_string_equal(row_of(&t, 3), " 50.0%  50.0%  parse");
	assert_string_equal(row_of(&t, -2), "parse");
	assert_string_equal(row_of(&t, -1), "50.0% of all in total, 50.0% by itself · 50 samples");
	take(&t, 'o');
	assert_string_equal(row_of(&t, 3), "  0.0% 100.0%  main");
	assert_string_equal(row_of(&t, -2), "parse");
	take(&t, VIEW_KEY_HOME);
	assert_string_equal(row_of(&t, -2), "main");
	take_at(&t, VIEW_KEY_CLICK, 2, 30);
	assert_string_equal(row_of(&t, 3), "  4.0%   4.0%  a");
	close_view(&t);
}

static void names_are_escaped_and_wide_ones_fit(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, SPAN("main;\u202ered 5\nmain;中文中文中文 5\n"), 50, 12);
	assert_string_equal(row_of(&t, 4), "▏\\u{202e}red        50.0%▏中文中文中文       50.0%");
	t.columns = 32;
	t.rows = 8;
	assert_string_equal(row_of(&t, 4), "▏\\u{202e}red    ▏中文中文中文");
	close_view(&t);
}

static void small_screens_are_refused_in_words(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 31, 12);
	assert_string_equal(row_of(&t, 0), "too small: 32x7 is the least");
	t.columns = 0;
	screen_reset(&t.screen, 0, 0);
	view_draw(t.view, &t.screen);
	t.columns = 32;
	t.rows = 7;
	assert_string_equal(row_of(&t, 2), "▏all                      100.0%");
	close_view(&t);
}

static void callers_and_callees_of_a_function(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t,
		SPAN("main;run;parse;read 30\nmain;run;parse 10\nmain;load;parse 10\nmain 50\n"),
		60, 14);
	type(&t, "5o");
	type(&t, "/^parse$");
	take(&t, VIEW_KEY_ENTER);
	take(&t, VIEW_KEY_ESCAPE);
	take(&t, VIEW_KEY_ENTER);
	assert_string_equal(row_of(&t, 2), "of parse");
	assert_string_equal(row_of(&t, 3), " of all  of it  callers; below each, what calls it");
	assert_string_equal(row_of(&t, 4), "  40.0%  80.0%  ├ █ run");
	assert_string_equal(row_of(&t, 5), "  40.0%  80.0%  │ █ main");
	assert_string_equal(row_of(&t, 6), "  10.0%  20.0%  └ █ load");
	assert_string_equal(row_of(&t, 7), "  10.0%  20.0%    █ main");
	assert_string_equal(row_of(&t, 8), " of all  of it  callees; below each, what it calls");
	assert_string_equal(row_of(&t, 9), "  30.0%  60.0%  █ read");
	assert_string_equal(row_of(&t, -2), "run");
	assert_string_equal(row_of(&t, -1), "40.0% of all, 80.0% of the function · 40 samples");
	take(&t, VIEW_KEY_RIGHT);
	assert_string_equal(row_of(&t, -2), "read");
	take(&t, VIEW_KEY_UP);
	assert_string_equal(row_of(&t, -2), "main");
	take(&t, VIEW_KEY_DOWN);
	assert_string_equal(row_of(&t, -2), "read");
	take(&t, VIEW_KEY_ENTER);
	assert_string_equal(row_of(&t, 2), "of read");
	assert_string_equal(row_of(&t, 4), "  30.0% 100.0%  █ parse");
	take(&t, VIEW_KEY_ESCAPE);
	assert_string_equal(row_of(&t, 2), "of parse");
	take(&t, VIEW_KEY_ESCAPE);
	assert_string_equal(row_of(&t, 2), "  self  total  function                      module");
	type(&t, "1s");
	assert_string_equal(row_of(&t, 2), "no function is chosen: threads and \"all\" are none");
	close_view(&t);
}

static void stacks_from_their_other_end(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 50, 12);
	take(&t, '3');
	assert_string_equal(row_of(&t, 3), "▏parse              50.0%▏idle     ▏draw     ▏b ▏a");
	assert_string_equal(row_of(&t, 4), "▏run                50.0%▏main     ▏run      ▏  ▏");
	take(&t, '1');
	assert_string_equal(row_of(&t, 3), "▏main                                       100.0%");
	close_view(&t);
}

/* ---- source --------------------------------------------------------------------------------- */

static int read_source(void *ctx, struct span name, struct view_source *s, struct err *e)
{
	if (!span_eq(name, SPAN("parse")))
		return err_set(e, ERR_IO, "no such function");
	*s = *(const struct view_source *)ctx;
	return OK;
}

struct source_for_test {
	struct line_cost cost[2];
	struct span line[3];
	struct annotated_text text[2];
	struct annotated_file file;
	struct annotated_instruction in[2];
	struct annotated_target target;
	struct weights cost_of_jump;
	struct annotated_code code;
	struct annotated_function function;
	struct annotations annotations;
	struct view_source source;
};

static void make_source(struct source_for_test *s)
{
	*s = (struct source_for_test){
		.cost = { { 11, { 10, 10, 10, 10 } }, { 12, { 40, 40, 50, 50 } } },
		.line = { SPAN("int parse(void)"), SPAN("\tread();"), SPAN("\t\x1b[2J") },
		.text = { { 10, 3, s->line }, { 90, 1, s->line } },
		.file = { .path = SPAN("src/parse.c"), .n_costs = 2, .n_texts = 1 },
		.in = { { .address = 0x1000,
				.mnemonic = "call",
				.operands = "0x2000",
				.target = 3,
				.line = 11,
				.cost = &s->cost[0].cost },
			{ .address = 0x1005,
				.mnemonic = "jmp",
				.operands = "0x1000",
				.target = 1,
				.line = 12,
				.cost = &s->cost_of_jump } },
		.target = { .name = SPAN("read") },
		.cost_of_jump = { 40, 40, 40, 40 },
		.code = { .name = SPAN("parse"), .n = 2 },
		.function = { .name = SPAN("parse"), .n_files = 1, .n_codes = 1 },
		.annotations = { .n = 1 },
	};
	s->file.cost = s->cost;
	s->file.text = s->text;
	s->code.instruction = s->in;
	s->code.target = &s->target;
	s->function.file = &s->file;
	s->function.code = &s->code;
	s->annotations.function = &s->function;
	s->source.annotations = &s->annotations;
}

static void open_with_source(struct shown_view *t, struct source_for_test *s)
{
	struct view_opts o = { .read_source = read_source, .ctx = &s->source };

	*t = (struct shown_view){ .columns = 60, .rows = 12 };
	make_source(s);
	s->source.p = o.of.p = test_profile_from_folded(&t->profile, STACKS);
	t->view = view_new(&o);
	type(t, "5a");
}

static void source_is_read_and_shown_with_its_costs(void **state)
{
	struct source_for_test s;
	struct shown_view t;

	(void)state;
	open_with_source(&t, &s);
	assert_true(view_is_waiting(t.view));
	assert_string_equal(row_of(&t, 2), "reading the source ...");
	view_work(t.view);
	assert_false(view_is_waiting(t.view));
	assert_string_equal(row_of(&t, 3), "src/parse.c");
	assert_string_equal(row_of(&t, 4), "                   10  int parse(void)");
	assert_string_equal(row_of(&t, 5), "  10.0%  10.0%     11          read();");
	assert_string_equal(row_of(&t, 6), "  40.0%  50.0%     12          \\x1b[2J");
	assert_string_equal(
		row_of(&t, -1), "50.0% of all in total, 40.0% by itself · 50 samples · ←→ in…");
	take(&t, 'h');
	assert_string_equal(
		row_of(&t, -1), "10.0% of all in total, 10.0% by itself · 10 samples · ←→ in…");
	take(&t, 'H');
	assert_string_equal(
		row_of(&t, -1), "50.0% of all in total, 40.0% by itself · 50 samples · ←→ in…");
	close_view(&t);
}

static void what_is_left_out_of_a_text_is_marked(void **state)
{
	struct source_for_test s;
	struct shown_view t;

	(void)state;
	open_with_source(&t, &s);
	s.file.n_texts = 2;
	s.cost[0].line = 80; /* the text does not have it */
	s.cost[1].line = 90;
	view_work(t.view);
	assert_string_equal(row_of(&t, 6), "                   12          \\x1b[2J");
	assert_string_equal(row_of(&t, 7), "  10.0%  10.0%     80");
	assert_string_equal(row_of(&t, 8), "...");
	assert_string_equal(row_of(&t, 9), "  40.0%  50.0%     90  int parse(void)");
	close_view(&t);
}

static void instructions_follow_jumps(void **state)
{
	struct source_for_test s;
	struct shown_view t;

	(void)state;
	open_with_source(&t, &s);
	view_work(t.view);
	take(&t, VIEW_KEY_RIGHT);
	assert_string_equal(row_of(&t, 5), "  10.0%  10.0%        1000:  call    0x2000  <read>");
	assert_string_equal(row_of(&t, 7), "  40.0%  40.0%        1005:  jmp     0x1000");
	take(&t, VIEW_KEY_ENTER);
	assert_string_equal(
		row_of(&t, -1), "10.0% of all in total, 10.0% by itself · 10 samples · ←→ so…");
	type(&t, "/JMP");
	take(&t, VIEW_KEY_ESCAPE);
	take(&t, VIEW_KEY_ESCAPE);
	assert_string_equal(row_of(&t, 2), "  self  total  function                      module");
	take(&t, VIEW_KEY_DOWN);
	take(&t, 'a');
	view_work(t.view);
	assert_string_equal(row_of(&t, 2), "no such function");
	close_view(&t);
}

/* ---- over time ------------------------------------------------------------------------------ */

static int read_rows(void *ctx, struct headline_source *of, struct err *e)
{
	(void)e;
	of->p = ctx;
	return OK;
}

/* Two threads; the second one runs in the second half only, and does something else. */
static void open_with_times(struct shown_view *t, unsigned columns)
{
	struct view_opts o = { .read_rows = read_rows };
	uint32_t a, b;
	uint64_t i;

	*t = (struct shown_view){ .columns = columns, .rows = 12 };
	test_profile_init(&t->profile);
	t->profile.p.unit = strtab_add_str(t->profile.p.strings, "nanoseconds");
	a = test_profile_add(&t->profile, SPAN("main;a"), 1000);
	b = test_profile_add(&t->profile, SPAN("main;b"), 500);
	for (i = 0; i < 10; i++)
		test_profile_thread_row(&t->profile, 0, a, 5000 + 100 * i, 100);
	for (i = 5; i < 10; i++)
		test_profile_thread_row(&t->profile, 1, b, 5000 + 100 * i, 100);
	o.of.p = o.ctx = (void *)test_profile_finish(&t->profile);
	t->view = view_new(&o);
}

static void threads_have_their_load_over_time(void **state)
{
	struct shown_view t;

	(void)state;
	open_with_times(&t, 60);
	take(&t, '2');
	assert_true(view_is_waiting(t.view));
	assert_string_equal(row_of(&t, 2), "reading the times ...");
	view_work(t.view);
	assert_string_equal(row_of(&t, 2), "                    ▏0.000 s            ▏0.000 s");
	assert_string_equal(
		row_of(&t, 3), "all threads         ▅   ▅   ▅    ▅   ▅    █   █    █   █   █");
	assert_string_equal(
		row_of(&t, 4), "thread 10           █   █   █    █   █    █   █    █   █   █");
	assert_string_equal(
		row_of(&t, 5), "thread 11                                 █   █    █   █   █");
	take(&t, VIEW_KEY_DOWN);
	assert_string_equal(row_of(&t, -2), "thread 10");
	take(&t, VIEW_KEY_END);
	take_at(&t, VIEW_KEY_CLICK, 3, 20);
	assert_string_equal(row_of(&t, -2), "all threads");
	close_view(&t);
}

static void an_interval_is_shown_alone_until_escape(void **state)
{
	struct shown_view t;
	unsigned i;

	(void)state;
	open_with_times(&t, 80);
	take(&t, '2');
	view_work(t.view);
	row_of(&t, 0);
	for (i = 0; i < 28; i++)
		take(&t, VIEW_KEY_RIGHT);
	take(&t, VIEW_KEY_ENTER);
	assert_non_null(strstr(row_of(&t, -1), "the end of the interval"));
	take(&t, VIEW_KEY_ESCAPE);
	assert_non_null(strstr(row_of(&t, -1), "the start of an interval"));
	take(&t, VIEW_KEY_ENTER);
	take(&t, VIEW_KEY_END);
	take(&t, VIEW_KEY_ENTER);
	assert_non_null(strstr(row_of(&t, 0), "0.000 s to 0.000 s · "));
	assert_string_equal(row_of(&t, -1), "100.0% of all · 0.0% self · 1.00 µs in 10 samples");
	assert_string_equal(row_of(&t, 4),
		"▏a                                 50.0%▏b                                 50.0%");
	take(&t, VIEW_KEY_ESCAPE);
	assert_non_null(strstr(row_of(&t, -1), "1.50 µs"));
	close_view(&t);
}

static void sums_have_no_times(void **state)
{
	struct shown_view t;

	(void)state;
	open_view(&t, STACKS, 60, 12);
	take(&t, '2');
	view_work(t.view);
	assert_string_equal(row_of(&t, 2), "no times are known");
	take(&t, VIEW_KEY_RIGHT);
	take(&t, VIEW_KEY_ENTER);
	take(&t, '5');
	assert_string_equal(row_of(&t, -2), "parse");
	close_view(&t);
}

static void a_profile_without_samples_is_shown(void **state)
{
	static const uint32_t keys[] = { VIEW_KEY_DOWN, VIEW_KEY_UP, VIEW_KEY_LEFT, VIEW_KEY_RIGHT,
		VIEW_KEY_ENTER, VIEW_KEY_PAGE_DOWN, VIEW_KEY_END, VIEW_KEY_HOME, '/', 'x',
		VIEW_KEY_ENTER, 'n', VIEW_KEY_ESCAPE, '5', VIEW_KEY_DOWN, VIEW_KEY_ENTER, 'o', 'o',
		'c', 'v', '?', VIEW_KEY_ESCAPE, '3', VIEW_KEY_DOWN, '4', VIEW_KEY_DOWN,
		VIEW_KEY_ENTER, 'n', '6', VIEW_KEY_DOWN, VIEW_KEY_RIGHT, 'h', '\t' };
	struct shown_view t;
	size_t i;

	(void)state;
	open_view(&t, SPAN(""), 60, 12);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_true(take(&t, keys[i]));
	assert_false(take(&t, 'q'));
	close_view(&t);
}

/* Any keys and clicks on screens of any size: nothing is put outside of them. */
static void any_events_are_taken(void **state)
{
	static const uint32_t keys[] = { VIEW_KEY_UP, VIEW_KEY_DOWN, VIEW_KEY_LEFT, VIEW_KEY_RIGHT,
		VIEW_KEY_PAGE_UP, VIEW_KEY_PAGE_DOWN, VIEW_KEY_HOME, VIEW_KEY_END,
		VIEW_KEY_BACKSPACE, VIEW_KEY_CLICK, VIEW_KEY_WHEEL_UP, VIEW_KEY_WHEEL_DOWN,
		VIEW_KEY_TAB, VIEW_KEY_ENTER, VIEW_KEY_ESCAPE, '1', '2', '3', '4', '5', '6', 's',
		'a', 'h', 'H', 'n', 'N', 'o', 'c', 'v', '/', '?', 'a', '.', 0x4e2d };
	struct shown_view t;
	uint64_t seed = 1;
	unsigned i;

	(void)state;
	open_with_times(&t, 80);
	for (i = 0; i < 20000; i++) {
		struct view_event event;

		seed = hash_pair(seed, i);
		event = (struct view_event){ keys[seed % (sizeof(keys) / sizeof(*keys))],
			(unsigned)(seed >> 16) % 30, (unsigned)(seed >> 24) % 100 };
		if (i % 50 == 0) {
			t.columns = (unsigned)(seed >> 32) % 100;
			t.rows = (unsigned)(seed >> 40) % 30;
		}
		screen_reset(&t.screen, t.columns, t.rows);
		view_draw(t.view, &t.screen);
		if (view_is_waiting(t.view))
			view_work(t.view);
		assert_true(view_take(t.view, &event));
	}
	close_view(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_as_wide_as_their_share),
		cmocka_unit_test(the_foot_says_what_is_chosen),
		cmocka_unit_test(zooming_goes_back_by_one),
		cmocka_unit_test(up_from_what_is_zoomed_to_shows_its_caller),
		cmocka_unit_test(narrow_frames_are_one_box),
		cmocka_unit_test(clicks_choose_and_then_zoom),
		cmocka_unit_test(a_search_says_how_much_has_it_and_n_goes_there),
		cmocka_unit_test(order_by_name_and_upside_down),
		cmocka_unit_test(functions_have_their_costs),
		cmocka_unit_test(names_are_escaped_and_wide_ones_fit),
		cmocka_unit_test(small_screens_are_refused_in_words),
		cmocka_unit_test(callers_and_callees_of_a_function),
		cmocka_unit_test(stacks_from_their_other_end),
		cmocka_unit_test(source_is_read_and_shown_with_its_costs),
		cmocka_unit_test(what_is_left_out_of_a_text_is_marked),
		cmocka_unit_test(instructions_follow_jumps),
		cmocka_unit_test(threads_have_their_load_over_time),
		cmocka_unit_test(an_interval_is_shown_alone_until_escape),
		cmocka_unit_test(sums_have_no_times),
		cmocka_unit_test(any_events_are_taken),
		cmocka_unit_test(a_profile_without_samples_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
