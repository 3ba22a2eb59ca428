/*
 * What stores check before they take a profile of pprof, checked of ours. Parca
 * (pkg/normalizer/validate.go): tables are complete and numbered in order, and each sample has a
 * value for each type. Pyroscope (pkg/validation/validate.go): no number is 0, types have no "-",
 * samples have few labels. Both: types and units are parts of names in PromQL.
 */
#include "output/output_formats.h"

#include "output/output_for_test.h"

#include "base/protobuf_for_test.h"
#include "model/pprof_fields.h"

/* Pyroscope's limits, unless somebody sets others. */
enum { STORE_LABELS_MAX = 100, DEPTH_MAX = 1000 };

static struct span text_at(struct span file, uint64_t n)
{
	assert_true(n < count_fields(file, PROFILE_STRING));
	return field_at(file, PROFILE_STRING, (unsigned)n).bytes;
}

static uint64_t number_of(struct span message, unsigned field)
{
	return count_fields(message, field) ? field_at(message, field, 0).value : 0;
}

static void check_text(struct span file, struct span message, unsigned field)
{
	text_at(file, number_of(message, field));
}

/* As part of a name in PromQL. */
static void check_name(struct span name)
{
	size_t i;

	assert_true(name.n > 0);
	for (i = 0; i < name.n; i++)
		assert_true((name.p[i] >= 'a' && name.p[i] <= 'z') || name.p[i] == '_' ||
			    (i && name.p[i] >= '0' && name.p[i] <= '9'));
}

static void check_type(struct span file, struct span type)
{
	check_name(text_at(file, number_of(type, VALUE_TYPE)));
	check_name(text_at(file, number_of(type, VALUE_UNIT)));
}

static void check_types(struct span file)
{
	unsigned i;

	assert_true(count_fields(file, PROFILE_SAMPLE_TYPE) > 0);
	for (i = 0; i < count_fields(file, PROFILE_SAMPLE_TYPE); i++)
		check_type(file, field_at(file, PROFILE_SAMPLE_TYPE, i).bytes);
	if (count_fields(file, PROFILE_PERIOD_TYPE))
		check_type(file, field_at(file, PROFILE_PERIOD_TYPE, 0).bytes);
}

static void check_tables(struct span file)
{
	unsigned n_functions = count_fields(file, PROFILE_FUNCTION);
	unsigned n_mappings = count_fields(file, PROFILE_MAPPING), i, k;

	assert_int_equal(text_at(file, 0).n, 0);
	for (i = 0; i < n_mappings; i++) {
		struct span m = field_at(file, PROFILE_MAPPING, i).bytes;

		assert_int_equal(number_of(m, ITEM_ID), i + 1);
		check_text(file, m, MAPPING_FILE);
		check_text(file, m, MAPPING_BUILD_ID);
	}
	for (i = 0; i < n_functions; i++) {
		struct span f = field_at(file, PROFILE_FUNCTION, i).bytes;

		assert_int_equal(number_of(f, ITEM_ID), i + 1);
		check_text(file, f, FUNCTION_NAME);
		check_text(file, f, FUNCTION_SYSTEM_NAME);
		check_text(file, f, FUNCTION_FILE);
	}
	for (i = 0; i < count_fields(file, PROFILE_LOCATION); i++) {
		struct span l = field_at(file, PROFILE_LOCATION, i).bytes;

		assert_int_equal(number_of(l, ITEM_ID), i + 1);
		assert_true(number_of(l, LOCATION_MAPPING) <= n_mappings);
		for (k = 0; k < count_fields(l, LOCATION_LINE); k++) {
			uint64_t f = number_of(field_at(l, LOCATION_LINE, k).bytes, LINE_FUNCTION);

			assert_true(f && f <= n_functions);
		}
	}
}

static void check_sample(struct span file, struct span s)
{
	struct span places = field_at(s, SAMPLE_LOCATIONS, 0).bytes;
	struct span values = field_at(s, SAMPLE_VALUES, 0).bytes;
	unsigned n, i;

	for (n = 0; places.n; n++) {
		uint64_t id = read_varint(&places);

		assert_true(id && id <= count_fields(file, PROFILE_LOCATION));
	}
	assert_true(n && n <= DEPTH_MAX);
	for (n = 0; values.n; n++)
		read_varint(&values);
	assert_int_equal(n, count_fields(file, PROFILE_SAMPLE_TYPE));
	assert_true(count_fields(s, SAMPLE_LABEL) <= STORE_LABELS_MAX);
	for (i = 0; i < count_fields(s, SAMPLE_LABEL); i++) {
		struct span label = field_at(s, SAMPLE_LABEL, i).bytes;

		check_name(text_at(file, number_of(label, LABEL_KEY)));
		check_text(file, label, LABEL_TEXT);
	}
}

static void check_file(struct span file)
{
	unsigned n = count_fields(file, PROFILE_SAMPLE), i;

	assert_true(n > 0);
	check_types(file);
	check_tables(file);
	for (i = 0; i < n; i++)
		check_sample(file, field_at(file, PROFILE_SAMPLE, i).bytes);
}

static const char *const events[][2] = { { "cpu-clock", "nanoseconds" },
	{ "page-faults", "page-faults" }, { "context-switches", "context-switches" },
	{ "sched:sched_switch", "sched:sched_switch" }, { "cycles:u", "cycles" },
	{ "cpu/mem-loads,ldlat=30/pp", "cpu/mem-loads,ldlat=30/pp" },
	{ "L1-dcache-loads", "samples" }, { "\xc3\xa4", "\xc3\xa4" }, { "dummy:HG", "samples" } };

/* A function, and one that was inlined into it, of a module with a build-id. */
static uint32_t add_stack(struct output_bed *x)
{
	struct frame f = { .kind = FRAME_USER, .at_address = 0x1234, .at_line = 7 };
	frame_id stack[2];

	f.name = strtab_add_str(x->t.p.strings, "main");
	f.module = strtab_add_str(x->t.p.strings, "/bin/x");
	f.file = strtab_add_str(x->t.p.strings, "x.c");
	f.build = strtab_add_str(x->t.p.strings, "ab01");
	stack[0] = frames_add(x->t.p.frames, &f);
	f = (struct frame){ .kind = FRAME_USER, .flags = FRAME_INLINED };
	f.name = strtab_add_str(x->t.p.strings, "std::map<int, char>::find");
	f.module = strtab_add_str(x->t.p.strings, "/bin/x");
	stack[1] = frames_add(x->t.p.frames, &f);
	return test_profile_add_frames(&x->t, stack, 2, 1);
}

static struct recording *make_recording(struct output_bed *x, size_t first, size_t n)
{
	struct recording *r = recording_new("x", x->t.p.strings, x->t.p.frames);
	struct module m = { .kind = MODULE_FILE, .build_id = { 2, { 0xab, 1 } } };
	size_t i;

	m.path = m.shown = strtab_add_str(x->t.p.strings, "/bin/x");
	modules_add(r->modules, &m);
	r->facts.host = strtab_add_str(x->t.p.strings, "server");
	label_list_set(&r->labels, SPAN("service"), SPAN("web"));
	r->events = xcalloc(n, sizeof(*r->events));
	r->n_events = (uint32_t)n;
	for (i = 0; i < n; i++)
		r->events[i].name = strtab_add_str(x->t.p.strings, events[first + i][0]);
	return r;
}

/* A profile of n events from the first one on; with rows, or as a sum. */
static void check_events(struct output_bed *x, size_t first, size_t n, bool rows)
{
	struct recording *r = make_recording(x, first, n);
	struct output_opts o = { .recordings = &r, .n_recordings = 1 };
	uint32_t node = add_stack(x);
	size_t i;

	x->t.p.unit = strtab_add_str(x->t.p.strings, n > 1 ? "samples" : events[first][1]);
	x->t.p.event = n > 1 ? 0 : r->events[0].name;
	x->t.p.period = 1000;
	for (i = 0; rows && i < n; i++) {
		test_profile_row(&x->t, node, (i + 1) * MS, 1);
		x->t.p.rows[i].event = (uint32_t)i & 0xff;
	}
	test_profile_finish(&x->t);
	write_output(&pprof_format, &x->t.p, &o, &x->text);
	check_file(buf_span(&x->text));
	recording_free(r);
}

static void check_in_bed(size_t first, size_t n, bool rows)
{
	struct output_bed x = { .doc = NULL };

	test_profile_init(&x.t);
	check_events(&x, first, n, rows);
	test_profile_release(&x.t);
	buf_release(&x.text);
}

static void stores_take_a_profile_of_each_event(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(events); i++) {
		check_in_bed(i, 1, true);
		check_in_bed(i, 1, false);
	}
}

static void stores_take_a_profile_of_all_events(void **state)
{
	(void)state;
	check_in_bed(0, ARRAY_LEN(events), true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stores_take_a_profile_of_each_event),
		cmocka_unit_test(stores_take_a_profile_of_all_events),
	};

	return cmocka_run_group_tests_name("pprof_stores", tests, NULL, NULL);
}
