#include "output/output_formats.h"
#include "output/pprof_types.h"

#include "output/output_for_test.h"
#include "base/protobuf_for_test.h"

static struct span write_file(struct output_bed *x, const struct output_opts *o)
{
	if (!x->t.p.nodes)
		test_profile_finish(&x->t);
	write_output(&pprof_format, &x->t.p, o, &x->text);
	return buf_span(&x->text);
}

static struct span text_at(struct span file, uint64_t n)
{
	return field_at(file, 6, (unsigned)n).bytes;
}

static void check_text(struct span file, struct span message, unsigned field, const char *expected)
{
	struct span s = text_at(file, field_at(message, field, 0).value);

	assert_true(span_eq(s, span_of(expected)));
}

/* "key=text" or "key=number" for each label of a sample. */
static void check_labels(struct span file, unsigned sample, const char *expected)
{
	struct span s = field_at(file, 2, sample).bytes;
	unsigned n = count_fields(s, 3), i;
	struct buf b = { 0 };

	for (i = 0; i < n; i++) {
		struct span label = field_at(s, 3, i).bytes;

		buf_put_span(&b, text_at(file, field_at(label, 1, 0).value));
		if (count_fields(label, 2)) {
			buf_putc(&b, '=');
			buf_put_span(&b, text_at(file, field_at(label, 2, 0).value));
		} else {
			buf_printf(&b, "=%u",
				count_fields(label, 3) ? (unsigned)field_at(label, 3, 0).value : 0);
		}
		buf_putc(&b, ' ');
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void check_values(struct span file, unsigned sample, const char *expected)
{
	struct span values = field_at(field_at(file, 2, sample).bytes, 2, 0).bytes;
	struct buf b = { 0 };

	while (values.n)
		buf_printf(&b, "%llu ", (unsigned long long)read_varint(&values));
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void equal_samples_are_one_with_labels(void **state)
{
	struct output_bed *x = *state;
	uint32_t a;
	struct span file;

	x->t.p.unit = strtab_add_str(x->t.p.strings, "nanoseconds");
	x->t.p.event = strtab_add_str(x->t.p.strings, "cpu-clock");
	x->t.p.period = MS;
	a = test_profile_add(&x->t, SPAN("a"), 0);
	test_profile_row(&x->t, a, 1 * MS, 5);
	test_profile_row(&x->t, a, 2 * MS, 6);
	test_profile_row(&x->t, a, 3 * MS, 7);
	x->t.p.rows[0].cpu = x->t.p.rows[2].cpu = 1;
	x->t.p.rows[1].cpu = 0;
	file = write_file(x, NULL);
	assert_int_equal(count_fields(file, 2), 2);
	check_values(file, 0, "2 12 ");
	check_labels(file, 0, "comm=thread pid=10 tid=10 cpu=1 event=cpu-clock ");
	check_values(file, 1, "1 6 ");
	check_labels(file, 1, "comm=thread pid=10 tid=10 cpu=0 event=cpu-clock ");
	check_text(file, field_at(file, 1, 0).bytes, 1, "samples");
	check_text(file, field_at(file, 1, 0).bytes, 2, "count");
	check_text(file, field_at(file, 1, 1).bytes, 1, "cpu");
	check_text(file, field_at(file, 1, 1).bytes, 2, "nanoseconds");
	check_text(file, file, 14, "cpu");
	check_text(file, file, 13, "event cpu: cpu-clock");
	assert_int_equal(field_at(file, 12, 0).value, MS);
	check_text(file, field_at(file, 11, 0).bytes, 1, "cpu");
	assert_int_equal(text_at(file, 0).n, 0);
}

static void inlined_functions_are_lines_of_one_location(void **state)
{
	struct output_bed *x = *state;
	struct frame f = { .kind = FRAME_USER, .line = 7 };
	frame_id stack[4];
	struct span file, places, location;

	f.name = strtab_add_str(x->t.p.strings, "outer");
	f.module = strtab_add_str(x->t.p.strings, "/bin/x");
	f.file = strtab_add_str(x->t.p.strings, "x.c");
	stack[0] = test_frame(&x->t, SPAN("x"), FRAME_ROOT);
	stack[1] = frames_add(x->t.p.frames, &f);
	f.flags = FRAME_INLINED;
	f.line = 9;
	f.name = strtab_add_str(x->t.p.strings, "middle");
	stack[2] = frames_add(x->t.p.frames, &f);
	f.name = strtab_add_str(x->t.p.strings, "inner");
	stack[3] = frames_add(x->t.p.frames, &f);
	test_profile_add_frames(&x->t, stack, 4, 1);
	test_profile_add_frames(&x->t, stack, 2, 1);
	file = write_file(x, NULL);

	places = field_at(field_at(file, 2, 1).bytes, 1, 0).bytes;
	location = field_at(file, 4, (unsigned)read_varint(&places) - 1).bytes;
	assert_int_equal(places.n, 0);
	assert_int_equal(count_fields(location, 4), 3);
	assert_int_equal(field_at(field_at(location, 4, 0).bytes, 2, 0).value, 9);
	assert_int_equal(field_at(field_at(location, 4, 2).bytes, 2, 0).value, 7);
	check_text(file,
		field_at(
			file, 5, (unsigned)field_at(field_at(location, 4, 0).bytes, 1, 0).value - 1)
			.bytes,
		2, "inner");
	check_text(file, field_at(file, 3, 0).bytes, 5, "/bin/x");

	places = field_at(field_at(file, 2, 0).bytes, 1, 0).bytes;
	location = field_at(file, 4, (unsigned)read_varint(&places) - 1).bytes;
	assert_int_equal(count_fields(location, 4), 1);
}

static uint64_t line_of_sample(struct span file, unsigned sample)
{
	struct span places = field_at(field_at(file, 2, sample).bytes, 1, 0).bytes;
	struct span location = field_at(file, 4, (unsigned)read_varint(&places) - 1).bytes;

	return field_at(field_at(location, 4, 0).bytes, 2, 0).value;
}

static void lines_of_one_function_are_locations_of_their_own(void **state)
{
	struct output_bed *x = *state;
	struct frame f = { .kind = FRAME_USER, .line = 7 };
	static const uint32_t at[] = { 0, 9, 12 };
	struct span file;
	unsigned i;

	f.name = strtab_add_str(x->t.p.strings, "f");
	f.file = strtab_add_str(x->t.p.strings, "x.c");
	for (i = 0; i < 4; i++) {
		frame_id stack[2] = { test_frame(&x->t, SPAN("x"), FRAME_ROOT) };

		f.at_line = i < 3 ? at[i] : 20;
		f.at_file = i < 3 ? 0 : strtab_add_str(x->t.p.strings, "other.inc");
		stack[1] = frames_add(x->t.p.frames, &f);
		test_profile_add_frames(&x->t, stack, 2, 1 + i);
	}
	file = write_file(x, NULL);
	assert_int_equal(count_fields(file, 2), 4);
	/* Without a line, the function's own. */
	assert_int_equal(line_of_sample(file, 0), 7);
	assert_int_equal(line_of_sample(file, 1), 9);
	assert_int_equal(line_of_sample(file, 2), 12);
	assert_int_equal(line_of_sample(file, 3), 20);
	/* A line is in the file of its function, so that is there once for each file. */
	assert_int_equal(count_fields(file, 5), 2);
	for (i = 0; i < 2; i++) {
		struct span function = field_at(file, 5, i).bytes;

		check_text(file, function, 2, "f");
		check_text(file, function, 4, i ? "other.inc" : "x.c");
		assert_int_equal(count_fields(function, 5), !i);
	}
}

static struct recording *make_recording(struct output_bed *x, const char *module, unsigned char id)
{
	struct recording *r = recording_new("x", x->t.p.strings, x->t.p.frames);
	struct module m = { .kind = MODULE_FILE, .build_id = { 2, { 0xab, id } } };

	m.path = m.shown = strtab_add_str(x->t.p.strings, module);
	modules_add(r->modules, &m);
	r->facts.host = strtab_add_str(x->t.p.strings, "server");
	r->events = xcalloc(2, sizeof(*r->events));
	r->n_events = 2;
	r->events[0].name = strtab_add_str(x->t.p.strings, "page-faults");
	r->events[1].name = strtab_add_str(x->t.p.strings, "cs");
	return r;
}

static void add_frame_of_module(struct output_bed *x)
{
	struct frame f = { .kind = FRAME_USER };
	frame_id id;
	uint32_t node;

	f.name = strtab_add_str(x->t.p.strings, "f");
	f.module = strtab_add_str(x->t.p.strings, "/bin/x");
	id = frames_add(x->t.p.frames, &f);
	node = test_profile_add_frames(&x->t, &id, 1, 1);
	test_profile_row(&x->t, node, MS, 1);
	test_profile_row(&x->t, node, 2 * MS, 1);
	x->t.p.rows[1].event = 1;
}

static void an_input_gives_build_ids_events_and_its_host(void **state)
{
	struct output_bed *x = *state;
	struct recording *r = make_recording(x, "/bin/x", 1);
	struct output_opts o = { .recordings = &r, .n_recordings = 1 };
	struct span file;

	add_frame_of_module(x);
	file = write_file(x, &o);
	check_text(file, field_at(file, 3, 0).bytes, 6, "ab01");
	check_text(file, field_at(file, 1, 0).bytes, 1, "page_faults");
	check_text(file, field_at(file, 1, 1).bytes, 1, "cs");
	check_values(file, 0, "1 0 ");
	check_values(file, 1, "0 1 ");
	check_labels(file, 1, "comm=thread pid=10 tid=10 event=cs host=server ");
	recording_free(r);
}

static void a_build_id_that_inputs_do_not_agree_on_is_left_out(void **state)
{
	struct output_bed *x = *state;
	struct recording *r[2] = { make_recording(x, "/bin/x", 1), make_recording(x, "/bin/x", 2) };
	struct output_opts o = { .recordings = r, .n_recordings = 2 };
	struct span file;

	add_frame_of_module(x);
	file = write_file(x, &o);
	assert_int_equal(count_fields(field_at(file, 3, 0).bytes, 6), 0);
	recording_free(r[0]);
	recording_free(r[1]);
}

static void two_inputs_are_merged_as_pprof_merges_files(void **state)
{
	struct output_bed *x = *state;
	struct recording *r[2] = { make_recording(x, "/bin/x", 1), make_recording(x, "/bin/x", 1) };
	struct output_opts o = { .recordings = r, .n_recordings = 2 };
	struct span file;
	int i;

	for (i = 0; i < 2; i++) {
		r[i]->facts.first_time_ns = 100;
		r[i]->facts.last_time_ns = i ? 107 : 103;
		r[i]->facts.wall_ns = i ? 5000 : 6000;
		r[i]->facts.cmdline = strtab_add_str(x->t.p.strings, "perf record");
	}
	add_frame_of_module(x);
	file = write_file(x, &o);
	assert_int_equal(field_at(file, 9, 0).value, 5000);
	assert_int_equal(field_at(file, 10, 0).value, 10);
	assert_int_equal(count_fields(file, 13), 2);
	check_text(file, file, 13, "perf record");
	recording_free(r[0]);
	recording_free(r[1]);
}

static void expect_types(struct output_bed *x, const char *unit, const char *const *events,
	uint32_t n, const char *expected)
{
	struct recording *r = recording_new("x", x->t.p.strings, x->t.p.frames);
	struct output_opts o = { .recordings = &r, .n_recordings = 1 };
	struct pprof_types t;
	struct buf b = { 0 };
	uint32_t i;

	r->events = xcalloc(n, sizeof(*r->events));
	r->n_events = n;
	x->t.p.unit = strtab_add_str(x->t.p.strings, unit);
	x->t.p.event = n == 1 ? strtab_add_str(x->t.p.strings, events[0]) : 0;
	x->t.p.n_rows = 0;
	for (i = 0; i < n; i++) {
		r->events[i].name = strtab_add_str(x->t.p.strings, events[i]);
		test_profile_row(&x->t, 0, MS, 1);
		x->t.p.rows[i].event = (uint16_t)i;
	}
	x->t.p.n_threads = 1;
	x->t.p.threads = xcalloc(1, sizeof(*x->t.p.threads));
	pprof_types_init(&t, &x->t.p, &o);
	for (i = 0; i < t.n; i++)
		buf_printf(&b, "%s ", t.value[i].type);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
	pprof_types_release(&t);
	free(x->t.p.threads);
	x->t.p.threads = NULL;
	x->t.p.n_threads = 0;
	recording_free(r);
}

#define EXPECT_TYPES(unit, expected, ...)                                                          \
	do {                                                                                       \
		static const char *const events[] = { __VA_ARGS__ };                               \
		expect_types(x, unit, events, ARRAY_LEN(events), expected);                        \
	} while (0)

static void types_have_the_names_that_readers_know(void **state)
{
	struct output_bed *x = *state;

	EXPECT_TYPES("nanoseconds", "cpu ", "cpu-clock:pppH");
	EXPECT_TYPES("nanoseconds", "cpu ", "task-clock");
	EXPECT_TYPES("samples", "samples ", "cpu-clock");
	EXPECT_TYPES("nanoseconds", "off_cpu ", "off-CPU");
	EXPECT_TYPES("cycles", "cycles ", "cycles:u");
	EXPECT_TYPES("cycles", "cpu_core_cycles ", "cpu_core/cycles/");
	EXPECT_TYPES("events", "sched_sched_switch ", "sched:sched_switch");
	EXPECT_TYPES("events", "events ", "\303\244");
	EXPECT_TYPES("events", "samples_2 ", "samples");
	EXPECT_TYPES("cycles", "cycles cycles_k cycles_2 ", "cycles:u", "cycles:k", "cycles");
	EXPECT_TYPES("nanoseconds", "cpu task_clock ", "cpu-clock", "task-clock");
}

static void check_mapping(struct span file, unsigned n, uint64_t start, uint64_t limit,
	uint64_t offset, unsigned known)
{
	struct span mapping = field_at(file, 3, n).bytes;
	unsigned i;

	assert_true((count_fields(mapping, 2) ? field_at(mapping, 2, 0).value : 0) == start);
	assert_true((count_fields(mapping, 3) ? field_at(mapping, 3, 0).value : 0) == limit);
	assert_true((count_fields(mapping, 4) ? field_at(mapping, 4, 0).value : 0) == offset);
	for (i = 0; i < 4; i++)
		assert_int_equal(count_fields(mapping, 7 + i), known >> i & 1);
}

/* x has two segments with code, at odd distances from their offsets, as mold links. */
static void locations_have_the_addresses_of_their_segment(void **state)
{
	static const struct module_segment segments[] = { { 0x201234, 0x1234, 0x800 },
		{ 0x403000, 0x2000, 0x1000 } };
	struct output_bed *x = *state;
	struct recording *r = make_recording(x, "/bin/x", 1);
	struct output_opts o = { .recordings = &r, .n_recordings = 1 };
	struct frame f = { .kind = FRAME_USER, .at_address = 0x403010 };
	struct span file;
	frame_id stack[3];

	modules_set_segments(r->modules, 1, 0, segments, 2);
	f.name = strtab_add_str(x->t.p.strings, "f");
	f.module = strtab_add_str(x->t.p.strings, "/bin/x");
	f.build = strtab_add_str(x->t.p.strings, "ab01");
	f.file = strtab_add_str(x->t.p.strings, "x.c");
	stack[0] = frames_add(x->t.p.frames, &f);
	f.name = strtab_add_str(x->t.p.strings, "[x+0x1230]"); /* as a text calls it */
	f.file = 0;
	f.at_address = 0x201240;
	stack[1] = frames_add(x->t.p.frames, &f);
	test_profile_add_frames(&x->t, stack, 2, 1);
	f = (struct frame){ .kind = FRAME_USER, .module = f.module, .flags = FRAME_INLINED };
	f.name = strtab_add_str(x->t.p.strings, "g");
	f.at_line = 7;
	stack[1] = frames_add(x->t.p.frames, &f);
	test_profile_add_frames(&x->t, stack, 2, 1);
	file = write_file(x, &o);
	assert_int_equal(count_fields(file, 3), 2);
	check_mapping(file, 0, 0x403000, 0x404000, 0x2000, 15);
	check_mapping(file, 1, 0x201000, 0x202000, 0x1000, 0);
	assert_int_equal(count_fields(file, 4), 3);
	assert_int_equal(field_at(field_at(file, 4, 0).bytes, 3, 0).value, 0x403010);
	assert_int_equal(field_at(field_at(file, 4, 1).bytes, 3, 0).value, 0x201240);
	/* inlined: at the address of the function that it is part of */
	assert_int_equal(count_fields(field_at(file, 4, 2).bytes, 4), 2);
	assert_int_equal(field_at(field_at(file, 4, 2).bytes, 3, 0).value, 0x403010);
	recording_free(r);
}

static void builds_of_a_module_are_mappings_of_their_own(void **state)
{
	struct output_bed *x = *state;
	struct recording *r[2] = { make_recording(x, "/bin/x", 1), make_recording(x, "/bin/x", 2) };
	struct output_opts o = { .recordings = r, .n_recordings = 2 };
	struct frame f = { .kind = FRAME_USER, .at_address = 0x1000 };
	struct span file;
	unsigned i;

	f.name = strtab_add_str(x->t.p.strings, "f");
	f.module = strtab_add_str(x->t.p.strings, "/bin/x");
	for (i = 0; i < 2; i++) {
		frame_id id;

		f.build = strtab_add_str(x->t.p.strings, i ? "ab02" : "ab01");
		id = frames_add(x->t.p.frames, &f);
		test_profile_add_frames(&x->t, &id, 1, 1 + i);
	}
	file = write_file(x, &o);
	assert_int_equal(count_fields(file, 3), 2);
	assert_int_equal(count_fields(file, 4), 2);
	check_text(file, field_at(file, 3, 0).bytes, 6, "ab01");
	check_text(file, field_at(file, 3, 1).bytes, 6, "ab02");
	recording_free(r[0]);
	recording_free(r[1]);
}

/* Sizes are as hostile as the file that they are from. */
static void a_range_that_makes_no_sense_is_left_out(void **state)
{
	static const struct module_segment odd[] = { { 0x201234, 0x1235, 0x800 },
		{ 0x1000, 0x1000, UINT64_MAX - 0x100 }, { 0x1000, 0x1000, UINT64_MAX - 0x1001 } };
	struct output_bed *x = *state;
	unsigned i;

	for (i = 0; i < ARRAY_LEN(odd); i++) {
		struct recording *r = make_recording(x, "/bin/x", 1);
		struct output_opts o = { .recordings = &r, .n_recordings = 1 };

		modules_set_segments(r->modules, 1, 0, &odd[i], 1);
		if (!i)
			add_frame_of_module(x);
		x->text.n = 0;
		check_mapping(write_file(x, &o), 0, 0, 0, 0, 1);
		recording_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_BED(equal_samples_are_one_with_labels),
		TEST_IN_BED(inlined_functions_are_lines_of_one_location),
		TEST_IN_BED(lines_of_one_function_are_locations_of_their_own),
		TEST_IN_BED(an_input_gives_build_ids_events_and_its_host),
		TEST_IN_BED(two_inputs_are_merged_as_pprof_merges_files),
		TEST_IN_BED(types_have_the_names_that_readers_know),
		TEST_IN_BED(locations_have_the_addresses_of_their_segment),
		TEST_IN_BED(builds_of_a_module_are_mappings_of_their_own),
		TEST_IN_BED(a_range_that_makes_no_sense_is_left_out),
		TEST_IN_BED(a_build_id_that_inputs_do_not_agree_on_is_left_out),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
