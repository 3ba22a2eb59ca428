/* Durations as JSON, traces and pictures. */
#include "output/output_for_test.h"

struct made {
	struct strtab *strings;
	struct frames *frames;
	struct node nodes[3];
	struct profile p;
	struct durations d;
	struct buf text;
};

static int setup(void **state)
{
	struct made *m = calloc(1, sizeof(*m));
	struct duration_thread *thread = calloc(1, sizeof(*thread));
	uint32_t kind;

	m->strings = strtab_new();
	m->frames = frames_new(m->strings);
	m->nodes[0].subtree = 3;
	for (uint32_t i = 1; i < 3; i++) {
		m->nodes[i].frame = frames_add(m->frames,
			&(struct frame){
				.name = strtab_add_str(m->strings, i == 1 ? "outer" : "in<ner"),
				.kind = FRAME_USER });
		m->nodes[i].parent = i - 1;
		m->nodes[i].subtree = 3 - i;
	}
	m->p = (struct profile){
		.frames = m->frames, .strings = m->strings, .nodes = m->nodes, .n_nodes = 3
	};
	*thread = (struct duration_thread){ 10, 11, strtab_add_str(m->strings, "node"), 0 };
	m->d.threads = thread;
	m->d.n_threads = 1;
	kind = durations_kind(&m->d, strtab_add_str(m->strings, "<b>&\""));
	for (uint64_t i = 0; i < 10; i++)
		durations_add(
			&m->d, &(struct duration){ .from_ns = 1000 * i,
				       .duration_ns = i == 9 ? 5000000 : 300,
				       .kind = kind,
				       .stack = i ? 2 : UINT32_MAX,
				       .detail = i ? 0 : strtab_add_str(m->strings, "fd=1") });
	durations_finish(&m->d, m->strings);
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct made *m = *state;

	durations_release(&m->d);
	frames_free(m->frames);
	strtab_free(m->strings);
	buf_release(&m->text);
	free(m);
	return 0;
}

static void json_has_figures_and_every_duration(void **state)
{
	struct made *m = *state;
	struct sink *to = sink_to_buf(&m->text);
	yajl_val doc, spans;
	struct err e;

	output_durations_json(&m->d, &m->p, to);
	assert_int_equal(sink_commit(to, &e), OK);
	doc = parse_json(&m->text);
	assert_int_equal(YAJL_GET_INTEGER(member(doc, "to_ns")), 5009000);
	assert_int_equal(
		YAJL_GET_INTEGER(member(member(doc, "kinds")->u.array.values[0], "p50_ns")), 300);
	spans = member(doc, "spans");
	assert_int_equal(spans->u.array.len, 10);
	assert_string_equal(YAJL_GET_STRING(member(spans->u.array.values[0], "detail")), "fd=1");
	assert_string_equal(
		YAJL_GET_STRING(member(spans->u.array.values[1], "stack")->u.array.values[1]),
		"in<ner");
	yajl_tree_free(doc);
}

static void a_trace_has_a_pair_of_async_events_for_each(void **state)
{
	struct made *m = *state;
	struct sink *to = sink_to_buf(&m->text);
	yajl_val doc, first, last;
	struct err e;

	output_durations_trace(&m->d, &m->p, to);
	assert_int_equal(sink_commit(to, &e), OK);
	doc = parse_json(&m->text);
	assert_int_equal(doc->u.array.len, 21); /* and the thread's name */
	first = doc->u.array.values[1];
	last = doc->u.array.values[20];
	assert_string_equal(YAJL_GET_STRING(member(first, "ph")), "b");
	assert_string_equal(YAJL_GET_STRING(member(last, "ph")), "e");
	assert_int_equal(YAJL_GET_INTEGER(member(last, "ts")), 5009);
	yajl_tree_free(doc);
}

typedef void (*draw_picture)(
	const struct durations *d, const struct profile *p, bool page, struct sink *to);

static const char *drawn(struct made *m, draw_picture draw, bool page)
{
	struct sink *to;
	struct err e;

	m->text.n = 0;
	to = sink_to_buf(&m->text);
	draw(&m->d, &m->p, page, to);
	assert_int_equal(sink_commit(to, &e), OK);
	return buf_str(&m->text);
}

static void pictures_show_a_single_slow_one_and_escape_names(void **state)
{
	static const draw_picture draws[] = { output_durations_histogram,
		output_durations_heatmap };
	struct made *m = *state;

	for (size_t i = 0; i < 2; i++) {
		const char *text = drawn(m, draws[i], false);

		assert_non_null(strstr(text, "&lt;b&gt;&amp;&quot;"));
		assert_null(strstr(text, "<b>"));
		assert_non_null(strstr(text, "<title>1 from 3.98 ms to 6.31 ms"));
		assert_int_equal(strncmp(text, "<?xml", 5), 0);
		assert_int_equal(strncmp(drawn(m, draws[i], true), "<!DOCTYPE html>", 15), 0);
	}
	assert_non_null(strstr(drawn(m, draws[0], false), "<title>9 from 251 ns to 398 ns"));
}

/* The height of the bar before a title. */
static double bar_height(const char *text, const char *title)
{
	const char *at = strstr(text, title), *height;

	assert_non_null(at);
	for (height = at; strncmp(height, "height=\"", 8) != 0; height--)
		assert_true(height > text);
	return strtod(height + 8, NULL);
}

/* To those of setup(), whose figures are computed anew. */
static void add_short_ones(struct made *m, unsigned n, uint64_t duration_ns)
{
	unsigned i;

	free(m->d.ranked);
	free(m->d.by_total);
	m->d.ranked = m->d.by_total = NULL;
	m->d.kinds[0] = (struct duration_kind){ .name = m->d.kinds[0].name };
	for (i = 0; i < n; i++)
		durations_add(&m->d, &(struct duration){ .from_ns = 1000 * i,
					     .duration_ns = duration_ns,
					     .stack = UINT32_MAX });
	durations_finish(&m->d, m->strings);
}

static void bars_of_rare_lengths_are_seen(void **state)
{
	struct made *m = *state;
	const char *text = drawn(m, output_durations_histogram, false);

	assert_true(bar_height(text, "<title>1 from 3.98 ms") < 88.0 / 8);
	add_short_ones(m, 4991, 300);
	text = drawn(m, output_durations_histogram, false);
	assert_true(bar_height(text, "<title>5000 from 251 ns") >= 88);
	assert_true(bar_height(text, "<title>1 from 3.98 ms") > 6);
	assert_non_null(strstr(text, ">5,000</text>"));
	assert_non_null(strstr(text, ">100</text>"));
}

static void axes_have_round_labels(void **state)
{
	struct made *m = *state;
	const char *text = drawn(m, output_durations_heatmap, false);

	assert_non_null(strstr(text, ">0</text>"));
	assert_non_null(strstr(text, ">1 ms</text>"));
	assert_non_null(strstr(text, ">5 ms</text>"));
	assert_null(strstr(text, ">1.00 ms</text>"));
	assert_non_null(strstr(text, ">10 \u00b5s</text>"));
}

/* 63 ns is a fifth of a power of ten below 100 ns. */
static void the_lowest_label_leaves_room_for_the_next(void **state)
{
	static const draw_picture draws[] = { output_durations_histogram,
		output_durations_heatmap };
	struct made *m = *state;
	const char *text;
	unsigned i;

	add_short_ones(m, 3, 70);
	for (i = 0; i < 2; i++) {
		text = drawn(m, draws[i], false);
		assert_non_null(strstr(text, " from 63 ns to 100 ns"));
		assert_null(strstr(text, ">63 ns</text>"));
		assert_non_null(strstr(text, ">100 ns</text>"));
	}
}

static void no_durations_make_an_empty_picture(void **state)
{
	struct made *m = *state;

	durations_release(&m->d);
	durations_finish(&m->d, m->strings);
	assert_non_null(strstr(drawn(m, output_durations_heatmap, false), "</svg>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			json_has_figures_and_every_duration, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_trace_has_a_pair_of_async_events_for_each, setup, teardown),
		cmocka_unit_test_setup_teardown(
			pictures_show_a_single_slow_one_and_escape_names, setup, teardown),
		cmocka_unit_test_setup_teardown(bars_of_rare_lengths_are_seen, setup, teardown),
		cmocka_unit_test_setup_teardown(axes_have_round_labels, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_lowest_label_leaves_room_for_the_next, setup, teardown),
		cmocka_unit_test_setup_teardown(
			no_durations_make_an_empty_picture, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
