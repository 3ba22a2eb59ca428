/*
 * All formats agree on a profile: what a reader sums for a stack, or for a function if a format has
 * no stacks, is the weight of the folded line, to the last unit.
 */
#include "output/output_formats.h"
#include "output/html/html.h"

#include "output/html/html_for_test.h"
#include "output/output_for_test.h"
#include "base/protobuf_for_test.h"

/* Sums by text: "a;b;c" or "c". */
struct tally {
	struct strtab *keys;
	uint64_t *sum;
	uint32_t n, cap;
};

static void tally_init(struct tally *t)
{
	*t = (struct tally){ .keys = strtab_new() };
}

static void tally_release(struct tally *t)
{
	strtab_free(t->keys);
	free(t->sum);
}

static void tally_add(struct tally *t, struct span key, uint64_t weight)
{
	str_id id = strtab_add(t->keys, key);

	if (id >= t->n) {
		ARRAY_RESERVE(t->sum, id + 1, t->cap);
		memset(t->sum + t->n, 0, (id + 1 - t->n) * sizeof(*t->sum));
		t->n = id + 1;
	}
	t->sum[id] += weight;
}

static uint64_t tally_get(const struct tally *t, struct span key)
{
	uint32_t i;

	for (i = 1; i < t->n; i++)
		if (span_eq(strtab_get(t->keys, i), key))
			return t->sum[i];
	return 0;
}

static void check_same(const struct tally *got, const struct tally *expected)
{
	uint32_t i;

	assert_true(expected->n > 1);
	for (i = 1; i < expected->n; i++)
		if (tally_get(got, strtab_get(expected->keys, i)) != expected->sum[i])
			fail_msg("%s: %llu, not %llu", strtab_str(expected->keys, i),
				(unsigned long long)tally_get(got, strtab_get(expected->keys, i)),
				(unsigned long long)expected->sum[i]);
	for (i = 1; i < got->n; i++)
		if (got->sum[i] && !tally_get(expected, strtab_get(got->keys, i)))
			fail_msg("%s is too much", strtab_str(got->keys, i));
}

/* The profile */

struct fixture {
	struct test_profile t;
	struct tally stacks, functions; /* as folded output has them */
	struct tally got;
	struct buf text;
};

/* Names of siblings are different, and shown as they are. */
static const char *const names[] = { "main", "a", "b", "c::d", "operator<", "größe", "x y", "z" };

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % n;
}

static uint32_t random_stack(struct test_profile *t, uint64_t *seed, uint64_t weight)
{
	struct buf b = { 0 };
	uint32_t depth = 1 + random_below(seed, 6), node;

	buf_puts(&b, names[0]);
	while (--depth) {
		buf_putc(&b, ';');
		buf_puts(&b, names[random_below(seed, ARRAY_LEN(names))]);
	}
	node = test_profile_add(t, buf_span(&b), weight);
	buf_release(&b);
	return node;
}

/* Three threads with gaps and bursts. */
static void make_samples(struct fixture *x, uint64_t weight)
{
	uint64_t seed = 7, time_ns;
	uint32_t thread, i;

	for (thread = 0; thread < 3; thread++) {
		time_ns = 1000 * MS;
		for (i = 0; i < 400; i++) {
			uint64_t w = weight == 1 ? 1 : weight + random_below(&seed, 1000);
			uint32_t stack = random_stack(&x->t, &seed, w);

			time_ns += random_below(&seed, 5) ? MS + random_below(&seed, 999) : 9 * MS;
			test_profile_thread_row(&x->t, thread, stack, time_ns, w);
		}
	}
}

static void add_folded(struct fixture *x)
{
	struct span text, line;
	struct buf folded = { 0 };

	write_output(&folded_format, &x->t.p, NULL, &folded);
	text = buf_span(&folded);
	while (span_next_line(&text, &line)) {
		size_t n = line.n, leaf;
		struct span count;
		uint64_t weight;

		while (line.p[n - 1] != ' ')
			n--;
		count = span_skip(line, n);
		assert_true(span_scan_u64(&count, &weight));
		line.n = leaf = n - 1;
		while (leaf && line.p[leaf - 1] != ';')
			leaf--;
		tally_add(&x->stacks, line, weight);
		tally_add(&x->functions, span_skip(line, leaf), weight);
	}
	buf_release(&folded);
}

static void make_profile(struct fixture *x, const char *unit, uint64_t weight)
{
	x->t.p.unit = strtab_add_str(x->t.p.strings, unit);
	x->t.p.event = strtab_add_str(x->t.p.strings, "cpu-clock");
	x->t.p.period_ns = MS;
	make_samples(x, weight);
	test_profile_finish(&x->t);
	add_folded(x);
}

static int setup(void **state)
{
	struct fixture *x = xcalloc(1, sizeof(*x));

	test_profile_init(&x->t);
	tally_init(&x->stacks);
	tally_init(&x->functions);
	tally_init(&x->got);
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;

	test_profile_release(&x->t);
	tally_release(&x->stacks);
	tally_release(&x->functions);
	tally_release(&x->got);
	buf_release(&x->text);
	free(x);
	return 0;
}

/* Readers */

/* Puts a name before those that are there. */
static void prepend(struct buf *stack, const char *name)
{
	struct buf b = { 0 };

	buf_puts(&b, name);
	if (stack->n)
		buf_putc(&b, ';');
	buf_put_span(&b, buf_span(stack));
	buf_release(stack);
	*stack = b;
}

static void read_speedscope_profile(struct fixture *x, yajl_val profile, yajl_val frames)
{
	yajl_val samples = member(profile, "samples"), weights = member(profile, "weights");
	size_t i, k;

	assert_int_equal(length(samples), length(weights));
	for (i = 0; i < length(samples); i++) {
		yajl_val sample = element(samples, i);
		struct buf stack = { 0 };

		for (k = length(sample); k-- > 0;)
			prepend(&stack, text_of(element(frames, (size_t)element_number(sample, k)),
						"name"));
		if (stack.n) /* else a gap */
			tally_add(&x->got, buf_span(&stack), (uint64_t)element_number(weights, i));
		buf_release(&stack);
	}
}

static void read_speedscope(struct fixture *x)
{
	yajl_val doc = parse_json(&x->text), profiles = member(doc, "profiles");
	size_t i;

	for (i = 0; i < length(profiles); i++)
		read_speedscope_profile(
			x, element(profiles, i), member(member(doc, "shared"), "frames"));
	yajl_tree_free(doc);
}

static bool encloses(yajl_val outer, yajl_val inner)
{
	return strcmp(text_of(outer, "ph"), "X") == 0 &&
	       number(outer, "tid") == number(inner, "tid") &&
	       number(outer, "ts") <= number(inner, "ts") &&
	       number(outer, "ts") + number(outer, "dur") >=
		       number(inner, "ts") + number(inner, "dur");
}

/* The parent of the i-th event: of those that enclose it the shortest; of those of one length
 * the last, and of those as long as it is itself the last before it. length(): none. */
static size_t parent_event(yajl_val doc, size_t i)
{
	yajl_val event = element(doc, i);
	size_t best = length(doc), k;

	for (k = 0; k < length(doc); k++) {
		yajl_val other = element(doc, k);
		bool equal;

		if (k == i || !encloses(other, event))
			continue;
		equal = number(other, "dur") == number(event, "dur");
		if (equal && k > i)
			continue;
		if (best == length(doc) ||
			number(other, "dur") <= number(element(doc, best), "dur"))
			best = k;
	}
	return best;
}

static void read_trace(struct fixture *x)
{
	yajl_val doc = parse_json(&x->text);
	size_t i, k;

	for (i = 0; i < length(doc); i++) {
		yajl_val event = element(doc, i);
		struct buf stack = { 0 };

		if (strcmp(text_of(event, "ph"), "X") != 0 || !has_member(event, "args"))
			continue;
		for (k = i; k < length(doc); k = parent_event(doc, k))
			prepend(&stack, text_of(element(doc, k), "name"));
		tally_add(
			&x->got, buf_span(&stack), (uint64_t)number(member(event, "args"), "self"));
		buf_release(&stack);
	}
	yajl_tree_free(doc);
}

static size_t cell(yajl_val table, const char *column, size_t row)
{
	return (size_t)element_number(member(table, column), row);
}

static void read_firefox_thread(struct fixture *x, yajl_val thread)
{
	yajl_val samples = member(thread, "samples"), stacks = member(thread, "stackTable");
	yajl_val frames = member(thread, "frameTable"), functions = member(thread, "funcTable");
	yajl_val texts = member(thread, "stringArray"), at;
	size_t i;

	for (i = 0; i < length(member(samples, "stack")); i++) {
		struct buf stack = { 0 };

		for (at = element(member(samples, "stack"), i); !YAJL_IS_NULL(at);
			at = element(member(stacks, "prefix"), (size_t)YAJL_GET_INTEGER(at))) {
			size_t frame = cell(stacks, "frame", (size_t)YAJL_GET_INTEGER(at));
			size_t name = cell(functions, "name", cell(frames, "func", frame));

			prepend(&stack, YAJL_GET_STRING(element(texts, name)));
		}
		if (!span_eq(buf_span(&stack), SPAN("(idle)")))
			tally_add(&x->got, buf_span(&stack), 1);
		buf_release(&stack);
	}
}

static void read_firefox(struct fixture *x)
{
	yajl_val doc = parse_json(&x->text), threads = member(doc, "threads");
	size_t i;

	for (i = 0; i < length(threads); i++)
		read_firefox_thread(x, element(threads, i));
	yajl_tree_free(doc);
}

/* Tables of pprof are numbered from 1 in the order of the file, as perfold writes them. */
static void prepend_location(struct buf *stack, struct span file, uint64_t location)
{
	struct span l = field_at(file, 4, (unsigned)location - 1).bytes;
	struct span line = field_at(l, 4, 0).bytes;
	struct span function = field_at(file, 5, (unsigned)field_at(line, 1, 0).value - 1).bytes;
	struct span name = field_at(file, 6, (unsigned)field_at(function, 2, 0).value).bytes;
	struct buf b = { 0 };

	assert_int_equal(field_at(l, 1, 0).value, location);
	buf_put_span(&b, name);
	prepend(stack, buf_str(&b));
	buf_release(&b);
}

static void read_pprof(struct fixture *x)
{
	struct span file = buf_span(&x->text), rest = file, places, values;
	struct field f;

	while (next_field(&rest, &f)) {
		struct buf stack = { 0 };
		uint64_t weight = 0;

		if (f.number != 2)
			continue;
		places = field_at(f.bytes, 1, 0).bytes;
		while (places.n)
			prepend_location(&stack, file, read_varint(&places));
		values = field_at(f.bytes, 2, 0).bytes;
		while (values.n) /* the last is the weight */
			weight = read_varint(&values);
		tally_add(&x->got, buf_span(&stack), weight);
		buf_release(&stack);
	}
}

/* Self costs of functions: the lines after "fn=", but not those after "calls=". */
static void read_callgrind(struct fixture *x)
{
	struct span text = buf_span(&x->text), line;
	struct strtab *texts = strtab_new();
	str_id by_number[64] = { 0 }, current = 0;
	bool call = false;
	uint64_t n, cost;

	while (span_next_line(&text, &line)) {
		if (span_starts(line, SPAN("fn=(")) || span_starts(line, SPAN("cfn=("))) {
			bool callee = line.p[0] == 'c';

			line = span_skip(line, callee ? 5 : 4);
			assert_true(span_scan_u64(&line, &n) && n < ARRAY_LEN(by_number));
			if (line.n > 2)
				by_number[n] = strtab_add(texts, span_skip(line, 2));
			assert_true(by_number[n]);
			if (!callee)
				current = by_number[n];
		} else if (span_scan_u64(&line, &n)) {
			line = span_skip(line, 1);
			assert_true(span_scan_u64(&line, &cost));
			if (!call)
				tally_add(&x->got, strtab_get(texts, current), cost);
		}
		call = span_starts(line, SPAN("calls="));
	}
	strtab_free(texts);
}

static void read_summary(struct fixture *x)
{
	yajl_val doc = parse_json(&x->text);
	yajl_val functions = member(member(doc, "functions"), "self");
	size_t i;

	for (i = 0; i < length(functions); i++)
		tally_add(&x->got, span_of(text_of(element(functions, i), "name")),
			(uint64_t)number(element(functions, i), "weight"));
	yajl_tree_free(doc);
}

/* The tree; where there are rows, their sums must be the same. */
static void read_html(struct fixture *x)
{
	struct span page = buf_span(&x->text), rows;
	struct buf block = { 0 }, more = { 0 }, stack = { 0 };
	struct test_html_tree tree = { 0 };
	uint64_t node = 0, weight = 0, *sum, *at;
	size_t n, i;

	assert_true(test_html_block(&page, &block));
	test_html_tree(buf_span(&block), &tree);
	sum = xcalloc(tree.n, sizeof(*sum));
	while (test_html_block(&page, &more)) {
		rows = buf_span(&more);
		n = test_varint(&rows);
		at = xcalloc(n, sizeof(*at));
		free(test_column(&rows, 2 * n)); /* threads, times */
		for (i = 0, node = 0; i < n; i++)
			at[i] = node += test_change(&rows);
		for (i = 0, weight = 0; i < n; i++)
			sum[at[i]] += weight += test_change(&rows);
		free(at);
	}
	for (i = 0; i < tree.n; i++) {
		if (x->t.p.n_rows)
			assert_int_equal(sum[i], tree.self[i]);
		test_html_stack(&tree, i, &stack);
		tally_add(&x->got, buf_span(&stack), tree.self[i]);
	}
	free(sum);
	test_html_tree_release(&tree);
	buf_release(&block);
	buf_release(&more);
	buf_release(&stack);
}

static struct span member_span(yajl_val doc, const char *key)
{
	const char *path[] = { key, NULL };

	return span_of(YAJL_GET_STRING(yajl_tree_get(doc, path, yajl_t_string)));
}

static void read_row(struct fixture *x, struct span line)
{
	const char *stack_path[] = { "stack", NULL }, *weight_path[] = { "weight", NULL };
	struct buf text = { 0 }, stack = { 0 };
	yajl_val row, frames;
	size_t i;

	buf_put_span(&text, line);
	row = parse_json(&text);
	frames = yajl_tree_get(row, stack_path, yajl_t_array);
	for (i = 0; i < frames->u.array.len; i++)
		buf_printf(&stack, "%s%s", i ? ";" : "", frames->u.array.values[i]->u.string);
	assert_true(span_eq(member_span(row, "comm"), SPAN("thread")));
	tally_add(&x->got, buf_span(&stack),
		(uint64_t)YAJL_GET_INTEGER(yajl_tree_get(row, weight_path, yajl_t_number)));
	yajl_tree_free(row);
	buf_release(&text);
	buf_release(&stack);
}

static void read_rows(struct fixture *x)
{
	struct span text = buf_span(&x->text), line;

	while (span_next_line(&text, &line))
		read_row(x, line);
}

/* Two threads share the weight of each node. */
static void make_cells(struct fixture *x)
{
	struct profile_key key = { .root = { .pid = 10, .tid = 10, .cpu = -1 } };
	node_id i;

	key.root.comm = strtab_add_str(x->t.p.strings, "thread");
	test_profile_key(&x->t, &key);
	key.root.tid = 11;
	test_profile_key(&x->t, &key);
	for (i = 0; i < x->t.p.n_nodes; i++) {
		uint64_t self = x->t.p.nodes[i].self;

		if (self)
			test_profile_cell(&x->t, i, 0, 1, self / 3);
		if (self)
			test_profile_cell(&x->t, i, 1, 1, self - self / 3);
	}
}

/* Tests */

static void check(struct fixture *x, const struct output_format *format,
	void (*read)(struct fixture *x), const struct tally *expected)
{
	write_output(format, &x->t.p, NULL, &x->text);
	read(x);
	check_same(&x->got, expected);
	tally_release(&x->got);
	tally_init(&x->got);
	buf_release(&x->text);
	x->text = (struct buf){ 0 };
}

static void check_formats_with_weights(struct fixture *x)
{
	check(x, &speedscope_format, read_speedscope, &x->stacks);
	check(x, &chrome_trace_format, read_trace, &x->stacks);
	check(x, &pprof_format, read_pprof, &x->stacks);
	check(x, &callgrind_format, read_callgrind, &x->functions);
	check(x, &summary_json_format, read_summary, &x->functions);
	check(x, &html_format, read_html, &x->stacks);
	make_cells(x);
	check(x, &rows_format, read_rows, &x->stacks);
}

static void all_formats_agree_on_nanoseconds(void **state)
{
	struct fixture *x = *state;

	make_profile(x, "nanoseconds", MS);
	check_formats_with_weights(x);
}

static void all_formats_agree_on_weights_that_are_no_time(void **state)
{
	struct fixture *x = *state;

	make_profile(x, "cycles", 250000);
	check_formats_with_weights(x);
}

static void all_formats_agree_on_samples(void **state)
{
	struct fixture *x = *state;

	make_profile(x, "samples", 1);
	check_formats_with_weights(x);
	check(x, &firefox_format, read_firefox, &x->stacks);
}

/* As folded stacks come: no samples one by one. */
static void all_formats_agree_on_a_profile_without_times(void **state)
{
	struct fixture *x = *state;
	uint64_t seed = 3;
	int i;

	for (i = 0; i < 300; i++)
		random_stack(&x->t, &seed, 1 + random_below(&seed, 100));
	test_profile_finish(&x->t);
	add_folded(x);
	check_formats_with_weights(x);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_formats_agree_on_nanoseconds),
		TEST(all_formats_agree_on_weights_that_are_no_time),
		TEST(all_formats_agree_on_samples),
		TEST(all_formats_agree_on_a_profile_without_times),
	};

	return cmocka_run_group_tests_name("totals", tests, NULL, NULL);
}
