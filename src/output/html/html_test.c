#include "output/html/html.h"
#include "output/html/html_data.h"

#include "output/html/html_for_test.h"
#include "output/output_for_test.h"
#include "base/sha256.h"

static void write_page(struct output_bed *x, const char *title)
{
	struct output_opts o = { .picture.title = title, .version = "1" };

	write_output(&html_format, &x->t.p, &o, &x->text);
}

static size_t count(const struct output_bed *x, const char *text)
{
	struct span rest = buf_span(&x->text);
	const char *at;
	size_t n = 0;

	while ((at = memmem(rest.p, rest.n, text, strlen(text)))) {
		n++;
		rest = span_range(at + strlen(text), rest.p + rest.n);
	}
	return n;
}

static yajl_val facts_of(struct output_bed *x)
{
	struct span page = buf_span(&x->text), text;
	struct buf b = { 0 };
	yajl_val doc;

	assert_true(test_between(
		&page, "<script type=\"application/json\" id=\"facts\">", "</script>", &text));
	buf_put_span(&b, text);
	doc = parse_json(&b);
	buf_release(&b);
	return doc;
}

/* The hashes of the policy are those of the page's own script and style sheet. */
static void check_hash(struct output_bed *x, const char *directive, struct span content)
{
	struct span page = buf_span(&x->text), hash;
	struct buf written = { 0 };
	uint8_t expected[SHA256_SIZE];
	struct sha256 s;

	assert_true(test_between(&page, directive, "'", &hash));
	assert_true(base64_decode(hash, &written));
	sha256_init(&s);
	sha256_add(&s, content);
	sha256_finish(&s, expected);
	assert_int_equal(written.n, SHA256_SIZE);
	assert_memory_equal(written.p, expected, SHA256_SIZE);
	buf_release(&written);
}

static void the_policy_allows_the_pages_own_script_and_nothing_else(void **state)
{
	struct output_bed *x = *state;
	struct span page, content;

	test_profile_add_folded(&x->t, SPAN("a;b 1\n"), false);
	test_profile_finish(&x->t);
	write_page(x, NULL);
	assert_int_equal(count(x, "default-src 'none'; script-src 'sha256-"), 1);
	assert_int_equal(count(x, "unsafe-"), 0);
	page = buf_span(&x->text);
	assert_true(test_between(&page, "<script>", "</script>", &content));
	check_hash(x, "script-src 'sha256-", content);
	page = buf_span(&x->text);
	assert_true(test_between(&page, "<style>", "</style>", &content));
	check_hash(x, "style-src 'sha256-", content);
}

static void nothing_is_loaded_and_no_string_becomes_markup(void **state)
{
	static const char *const never[] = { "http:", "https:", " src=", "innerHTML", "eval(",
		"document.write", "insertAdjacentHTML", "XMLHttpRequest", "fetch(", "import(" };
	struct output_bed *x = *state;
	size_t i;

	test_profile_add_folded(&x->t, SPAN("a;b 1\n"), false);
	test_profile_finish(&x->t);
	write_page(x, NULL);
	for (i = 0; i < ARRAY_LEN(never); i++)
		if (count(x, never[i]))
			fail_msg("the page has %s", never[i]);
}

static void hostile_strings_stay_strings(void **state)
{
	static const char title[] = "</title><script>x</script>]]>\"'&\xe2\x80\xae";
	struct output_bed *x = *state;
	yajl_val facts;

	test_profile_add_folded(&x->t,
		SPAN("</script><img onerror=x>;]]>;\xe2\x80\xaetxet 1\n<!--<script> 2\n"), false);
	test_profile_finish(&x->t);
	write_page(x, title);
	assert_int_equal(count(x, "<img"), 0);
	assert_int_equal(count(x, "<!--"), 0);
	assert_int_equal(count(x, "\xe2\x80\xae"), 0);
	assert_int_equal(count(x, "<title>&lt;/title&gt;&lt;script&gt;"), 1);
	assert_int_equal(count(x, "<script"), count(x, "</script>"));
	facts = facts_of(x);
	assert_string_equal(
		text_of(facts, "title"), "</title><script>x</script>]]>\"'&\xef\xbf\xbd");
	yajl_tree_free(facts);
}

static void names_of_any_length_come_through(void **state)
{
	struct output_bed *x = *state;
	struct test_html_tree tree = { 0 };
	struct buf folded = { 0 }, block = { 0 };
	struct span page;
	int i;

	for (i = 0; i < 100000; i++)
		buf_putc(&folded, (char)('a' + i % 26));
	buf_puts(&folded, " 7\n");
	test_profile_add_folded(&x->t, buf_span(&folded), false);
	test_profile_finish(&x->t);
	write_page(x, NULL);
	page = buf_span(&x->text);
	assert_true(test_html_block(&page, &block));
	test_html_tree(buf_span(&block), &tree);
	assert_int_equal(tree.n, 2);
	assert_int_equal(tree.name[1].n, 100000);
	assert_int_equal(tree.self[1], 7);
	test_html_tree_release(&tree);
	buf_release(&folded);
	buf_release(&block);
}

#define START_NS (1ull << 62)

/* More rows than a block holds, two threads, times that go far. */
static void make_rows(struct output_bed *x, uint32_t n)
{
	uint32_t a, b, i;

	a = test_profile_add(&x->t, SPAN("main;a"), 0);
	b = test_profile_add(&x->t, SPAN("main;b"), 0);
	for (i = 0; i < n; i++)
		test_profile_thread_row(&x->t, i >= n / 2, i % 3 ? a : b,
			START_NS + (i % (n / 2)) * 1000003ull, 1 + i % 5);
	test_profile_finish(&x->t);
}

static void check_block(struct output_bed *x, struct span rest, size_t first_row)
{
	size_t n = test_varint(&rest), i;
	uint64_t thread = 0, time_ns = START_NS, stack = 0, weight = 0;
	struct span column = rest;

	assert_true(n <= HTML_DATA_BLOCK_ROWS && first_row + n <= x->t.p.n_rows);
	for (i = 0; i < n; i++)
		assert_int_equal(thread += test_change(&column), x->t.p.rows[first_row + i].thread);
	for (i = 0; i < n; i++)
		assert_int_equal(
			time_ns += test_change(&column), x->t.p.rows[first_row + i].time_ns);
	for (i = 0; i < n; i++)
		assert_int_equal(stack += test_change(&column), x->t.p.rows[first_row + i].stack);
	for (i = 0; i < n; i++)
		assert_int_equal(weight += test_change(&column), x->t.p.rows[first_row + i].weight);
	for (i = 0; i < 2 * n; i++) /* neither event nor CPU is known */
		assert_int_equal(test_varint(&column), 0);
	assert_int_equal(column.n, 0);
}

static void rows_are_read_back_as_they_were(void **state)
{
	struct output_bed *x = *state;
	struct buf block = { 0 };
	struct span page;
	size_t row, blocks = 0;
	yajl_val facts;

	make_rows(x, 2 * HTML_DATA_BLOCK_ROWS + 100);
	write_page(x, NULL);
	facts = facts_of(x);
	assert_int_equal(number(facts, "rows"), x->t.p.n_rows);
	assert_string_equal(text_of(facts, "start_ns"), "4611686018427387904");
	assert_int_equal(length(member(facts, "threads")), 2);
	yajl_tree_free(facts);
	page = buf_span(&x->text);
	assert_true(test_html_block(&page, &block)); /* the tree */
	for (row = 0; test_html_block(&page, &block); row += HTML_DATA_BLOCK_ROWS, blocks++)
		check_block(x, buf_span(&block), row);
	assert_int_equal(blocks, 3);
	buf_release(&block);
}

static void an_unknown_palette_is_an_error(void **state)
{
	struct output_bed *x = *state;
	struct output_opts o = { .picture.colors = "nonesuch" };
	struct sink *to = sink_to_buf(&x->text);
	struct err e = { 0 };

	test_profile_add_folded(&x->t, SPAN("a;b 1\n"), false);
	test_profile_finish(&x->t);
	assert_int_equal(html_format.write(&x->t.p, &o, to, &e), ERR_USAGE);
	sink_abort(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_BED(the_policy_allows_the_pages_own_script_and_nothing_else),
		TEST_IN_BED(nothing_is_loaded_and_no_string_becomes_markup),
		TEST_IN_BED(hostile_strings_stay_strings),
		TEST_IN_BED(names_of_any_length_come_through),
		TEST_IN_BED(rows_are_read_back_as_they_were),
		TEST_IN_BED(an_unknown_palette_is_an_error),
	};

	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
