#include "output/picture/picture.h"

#include "base/utf8.h"
#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/*
 * Enough of an XML reader to check that a document is well-formed: tags match, attributes are
 * quoted, entities are among the five, CDATA ends, and every character is allowed.
 */

struct xml {
	struct span rest;
	struct span open[16];
	size_t depth, elements;
	bool good;
};

static bool xml_eat(struct xml *x, const char *what)
{
	if (!span_starts(x->rest, span_of(what)))
		return false;
	x->rest = span_skip(x->rest, strlen(what));
	return true;
}

/* Everything up to what, which is eaten. */
static struct span xml_until(struct xml *x, const char *what)
{
	ptrdiff_t at = span_find(x->rest, span_of(what));
	struct span found = { x->rest.p, at < 0 ? x->rest.n : (size_t)at };

	x->good &= at >= 0;
	x->rest = span_skip(x->rest, found.n + strlen(what));
	return found;
}

static bool xml_char_allowed(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

static void xml_check_chars(struct xml *x, struct span s)
{
	uint32_t code = 0;
	unsigned n;

	for (; x->good && s.n; s = span_skip(s, n)) {
		n = utf8_decode(s, &code);
		x->good &= n && xml_char_allowed(code);
	}
}

static void xml_check_text(struct xml *x, struct span s)
{
	static const char *const entities[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;",
		"&#39;" };
	size_t i, k;

	xml_check_chars(x, s);
	x->good &= span_find(s, SPAN("<")) < 0 && span_find(s, SPAN("]]>")) < 0;
	for (i = 0; i < s.n; i++) {
		bool known = s.p[i] != '&';

		for (k = 0; k < ARRAY_LEN(entities); k++)
			known |= span_starts(span_skip(s, i), span_of(entities[k]));
		x->good &= known;
	}
}

static struct span xml_name(struct xml *x)
{
	size_t n = 0;

	while (n < x->rest.n && !memchr(" \n/>=", x->rest.p[n], 5))
		n++;
	x->good &= n > 0;
	x->rest = span_skip(x->rest, n);
	return (struct span){ x->rest.p - n, n };
}

static void xml_tag(struct xml *x)
{
	struct span name = xml_name(x);

	x->elements++;
	while (x->good && xml_eat(x, " ")) {
		xml_name(x);
		x->good &= xml_eat(x, "=\"");
		xml_check_text(x, xml_until(x, "\""));
	}
	if (xml_eat(x, "/>"))
		return;
	x->good &= xml_eat(x, ">") && x->depth < ARRAY_LEN(x->open);
	if (x->good)
		x->open[x->depth++] = name;
}

static void xml_text(struct xml *x)
{
	ptrdiff_t at = span_find(x->rest, SPAN("<"));
	struct span text = { x->rest.p, at < 0 ? x->rest.n : (size_t)at };

	xml_check_text(x, text);
	x->rest = span_skip(x->rest, text.n);
}

static bool xml_well_formed(struct span text, size_t *elements)
{
	struct xml x = { .rest = text, .good = true };

	x.good &= xml_eat(&x, "<?xml ");
	xml_until(&x, "?>\n");
	while (x.good && x.rest.n) {
		if (xml_eat(&x, "<![CDATA["))
			xml_check_chars(&x, xml_until(&x, "]]>"));
		else if (xml_eat(&x, "</"))
			x.good &= x.depth && span_eq(xml_until(&x, ">"), x.open[--x.depth]);
		else if (xml_eat(&x, "<"))
			xml_tag(&x);
		else
			xml_text(&x);
	}
	*elements = x.elements;
	return x.good && !x.depth;
}

static void the_xml_reader_of_this_test_finds_errors(void **state)
{
	static const char *const bad[] = { "<svg>", "<svg></g>", "<svg a=b/>", "<svg>&x</svg>",
		"<svg>\x01</svg>", "<svg>\xff</svg>", "<svg a=\"<\"/>", "<svg>]]></svg>",
		"<svg><![CDATA[</svg>" };
	struct buf text = { 0 };
	size_t i, n;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		text.n = 0;
		buf_printf(&text, "<?xml version=\"1.0\"?>\n%s", bad[i]);
		assert_false(xml_well_formed(buf_span(&text), &n));
	}
	assert_true(
		xml_well_formed(SPAN("<?xml ?>\n<svg><g a=\"&lt;\"/>x<![CDATA[<&]]></svg>"), &n));
	assert_int_equal(n, 2);
	buf_release(&text);
}

static void write_svg(struct buf *text, const struct profile *p, const struct picture_opts *picture)
{
	struct output_opts o = { .picture = *picture };
	struct sink *to = sink_to_buf(text);
	struct err e;

	assert_int_equal(svg_format.write(p, &o, to, &e), OK);
	assert_int_equal(sink_commit(to, &e), OK);
}

static void svg_of(struct buf *text, const char *folded, const struct picture_opts *picture)
{
	struct test_profile t;

	write_svg(text, test_profile_from_folded(&t, span_of(folded)), picture);
	test_profile_release(&t);
}

static bool has(const struct buf *text, const char *what)
{
	return span_find(buf_span(text), span_of(what)) >= 0;
}

/* One frame, as flamegraph.pl draws it. */
static void a_frame_is_a_group_of_hover_text_box_and_label(void **state)
{
	struct picture_opts o = { 0 };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "main 1233\nmain;f 1\n", &o);
	assert_true(has(&text, "<g><title>main (1,234 samples, 100.00%)</title>"
			       "<rect x=\"10.0\" y=\"77\" width=\"1180.0\" height=\"15\" rx=\"2\" "
			       "ry=\"2\" fill=\"#f3b32a\"/>"
			       "<text x=\"13.00\" y=\"87.5\">main</text></g>"));
	assert_true(has(&text, "<title>all (1,234 samples, 100%)</title>"));
	assert_true(has(&text, "<title>f (1 sample, 0.08%)</title>"));
	assert_true(has(&text, " width=\"1200\" height=\"142\" viewBox=\"0 0 1200 142\" "));
	buf_release(&text);
}

/* Most boxes of a large picture: one element, without round corners. */
static void a_frame_without_room_for_a_label_is_a_box_with_hover_text(void **state)
{
	struct picture_opts o = { 0 };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "main 9984\nmain;f 10\nmain;g 6\n", &o);
	assert_true(has(&text, "\n<rect x=\"1188.1\" y=\"61\" width=\"1.2\" height=\"15\" rx=\"2\" "
			       "ry=\"2\" fill=\"#"));
	assert_true(has(&text, "\"><title>f (10 samples, 0.10%)</title></rect>\n"));
	assert_true(
		has(&text, "\n<rect x=\"1189.3\" y=\"61\" width=\"0.7\" height=\"15\" fill=\"#"));
	assert_true(has(&text, "\"><title>g (6 samples, 0.06%)</title></rect>\n"));
	buf_release(&text);
}

static void an_icicle_is_below_title_and_subtitle(void **state)
{
	struct picture_opts o = { .inverted = true, .subtitle = "sub" };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "main 1\n", &o);
	assert_true(has(&text, "<rect x=\"10.0\" y=\"60\" "));
	assert_true(has(&text, "<rect x=\"10.0\" y=\"76\" "));
	assert_true(has(&text, ">Profile</text>"));
	assert_true(has(&text, ">sub</text>"));
	assert_true(has(&text, " height=\"126\" "));
	buf_release(&text);
}

static void sizes_are_those_of_the_options(void **state)
{
	struct picture_opts o = { .width = 500, .frame_height = 20, .font_size = 10.5 };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "main 1\n", &o);
	assert_true(has(&text, " width=\"500\" height=\"123.5\" viewBox=\"0 0 500 123.5\" "));
	assert_true(has(&text, " font-size=\"10.5\""));
	assert_true(has(&text, "<rect x=\"10.0\" y=\"53.5\" width=\"480.0\" height=\"19\" "));
	assert_false(has(&text, "data-fluid=\""));
	buf_release(&text);
}

static void narrow_frames_are_left_out_by_pixels_or_percent(void **state)
{
	struct picture_opts pixels = { .min_width = 12, .min_width_given = true };
	struct picture_opts percent = {
		.min_width = 2, .min_width_given = true, .min_width_is_percent = true
	};
	struct picture_opts all = { .min_width_given = true };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "a 98\nb 1\nc 1\n", &pixels);
	assert_false(has(&text, "<title>b ("));
	text.n = 0;
	svg_of(&text, "a 96\nb 1\nc 3\n", &percent);
	assert_false(has(&text, "<title>b ("));
	assert_true(has(&text, "<title>c ("));
	text.n = 0;
	svg_of(&text, "a 99999\nb 1\n", &all);
	assert_true(has(&text, "<title>b ("));
	buf_release(&text);
}

static void narrow_frames_are_one_box_with_their_number(void **state)
{
	struct picture_opts o = { .min_width = 20, .min_width_given = true };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "a 196\nb 3\nc 2\n", &o);
	assert_true(has(&text, "<g class=\"small\"><title>(2 small) (5 samples, 2.49%)</title>"
			       "<rect x=\"1160.6\" y=\"61\" width=\"29.4\" "));
	text.n = 0;
	svg_of(&text, "a 99\nb 1\n", &o);
	assert_false(has(&text, "class=\"small\""));
	buf_release(&text);
}

static void the_script_finds_options_in_attributes_and_frames_in_data(void **state)
{
	struct picture_opts o = { .reverse = true,
		.inverted = true,
		.min_width = 2,
		.min_width_given = true,
		.min_width_is_percent = true };
	struct picture_opts plain = { .background = "grey" };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "a;b 1\n", &o);
	assert_true(has(&text, " data-min-width=\"2%\" data-fluid=\"1\" data-inverted=\"1\""
			       " data-reversed=\"1\" role=\"img\">"));
	assert_true(has(&text, "<metadata id=\"data\">eAF")); /* zlib's mark, in base64 */
	text.n = 0;
	svg_of(&text, "a;b 1\n", &plain);
	assert_true(has(
		&text, " data-min-width=\"0.5\" data-fluid=\"1\" class=\"painted\" role=\"img\">"));
	buf_release(&text);
}

static void the_footer_has_the_unit_and_the_quality(void **state)
{
	struct recording *r;
	struct diag d = { 0 };
	struct test_profile t;
	struct buf text = { 0 };
	struct output_opts o = { .recordings = &r, .n_recordings = 1, .diag = &d };
	struct sink *to = sink_to_buf(&text);
	struct err e;

	(void)state;
	test_profile_from_folded(&t, SPAN("a 1234\n"));
	t.p.event = strtab_add_str(t.p.strings, "cycles:<u>");
	r = recording_new("x", t.p.strings, t.p.frames);
	r->samples_read = 90;
	r->facts.perf_version = t.p.event;
	d.count[DIAG_LOST] = 10;
	d.count[DIAG_STACK_TRUNCATED] = 45;
	assert_int_equal(svg_format.write(&t.p, &o, to, &e), OK);
	assert_int_equal(sink_commit(to, &e), OK);
	assert_true(has(&text, "cycles:&lt;u&gt; \u00b7 1,234 samples \u00b7 10% lost \u00b7 "
			       "50% of stacks truncated \u00b7 0% of frames unresolved</text>"));
	recording_free(r);
	buf_release(&text);
	test_profile_release(&t);
}

static void labels_are_cut_by_characters(void **state)
{
	struct picture_opts o = { .width = 62 }; /* 36 pixels: 5 characters of 7.08 */
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "日本語の関数名 1\n", &o);
	assert_true(has(&text, ">日本…数名</text>"));
	text.n = 0;
	svg_of(&text, "abcde 1\n", &o);
	assert_true(has(&text, ">abcde</text>"));
	text.n = 0;
	svg_of(&text, "abcde 1\nfghij 1\n", &o);
	assert_false(has(&text, ">abcde</text>"));
	buf_release(&text);
}

static void annotations_colour_but_are_not_shown(void **state)
{
	struct picture_opts o = { .colors = "java" };
	struct buf text = { 0 };

	(void)state;
	svg_of(&text, "read_[k] 1\n", &o);
	assert_true(has(&text, "<title>read ("));
	assert_true(has(&text, ">read</text>"));
	assert_false(has(&text, "_[k]"));
	buf_release(&text);
}

static void titles_and_labels_are_those_of_the_options(void **state)
{
	struct picture_opts o = { .title = "A & B",
		.count_name = "<bytes>",
		.name_type = "\"Node\":",
		.notes = "-->",
		.font_type = "a\"b" };
	struct buf text = { 0 };
	size_t n;

	(void)state;
	svg_of(&text, "main 1\n", &o);
	assert_true(has(&text, ">A &amp; B</text>"));
	assert_true(has(&text, "(1 &lt;bytes&gt;, 100.00%)"));
	assert_true(has(&text, "data-name-type=\"&quot;Node&quot;:\""));
	assert_true(has(&text, "<desc>--&gt; 1 &lt;bytes&gt;: main 100.00%</desc>"));
	assert_true(has(&text, "font-family=\"a&quot;b\""));
	assert_true(xml_well_formed(buf_span(&text), &n));
	buf_release(&text);
}

/* A frame of which nothing at all is known has number 0, as the root has. */
static void an_unknown_frame_is_not_the_root(void **state)
{
	struct picture_opts o = { 0 };
	struct test_profile t;
	struct buf text = { 0 };
	frame_id none = 0;

	(void)state;
	test_profile_init(&t);
	test_profile_add_frames(&t, &none, 1, 1);
	write_svg(&text, test_profile_finish(&t), &o);
	assert_true(has(&text, "<title>[unknown] (1 sample, 100.00%)</title>"));
	assert_true(has(&text, ">[unknown]</text>"));
	buf_release(&text);
	test_profile_release(&t);
}

static void hostile_names_make_well_formed_xml(void **state)
{
	static const char *const names[] = { "</script><img src=x onerror=alert(1)>", "]]>",
		"<![CDATA[", "&lt", "\"'", "\xff\xfe", "a\xc3", "\xed\xa0\x80", "\x1b[31mred\x07",
		"\u202egnp.exe", "\xef\xbf\xbf", "<!--", "" };
	struct picture_opts o = { 0 };
	struct test_profile t;
	struct buf text = { 0 }, huge = { 0 };
	size_t i, n;
	frame_id f;

	(void)state;
	test_profile_init(&t);
	for (i = 0; i < ARRAY_LEN(names); i++) {
		f = test_frame(&t, span_of(names[i]), FRAME_USER);
		test_profile_add_frames(&t, &f, 1, 1);
	}
	for (i = 0; i < 100000; i++)
		buf_putc(&huge, '<');
	f = test_frame(&t, buf_span(&huge), FRAME_USER);
	test_profile_add_frames(&t, &f, 1, 1);
	write_svg(&text, test_profile_finish(&t), &o);
	assert_true(xml_well_formed(buf_span(&text), &n));
	assert_false(has(&text, "<img"));
	assert_false(has(&text, "\u202e"));
	assert_true(has(&text, "<title>\ufffdgnp.exe ("));
	buf_release(&text);
	buf_release(&huge);
	test_profile_release(&t);
}

static void a_picture_without_weight_says_so(void **state)
{
	struct picture_opts o = { 0 };
	struct buf text = { 0 };
	size_t n;

	(void)state;
	svg_of(&text, "", &o);
	assert_true(has(&text, "nothing to draw"));
	assert_true(xml_well_formed(buf_span(&text), &n));
	text.n = 0;
	svg_of(&text, "a;b 0\n", &o);
	assert_true(has(&text, "nothing to draw"));
	buf_release(&text);
}

static void impossible_options_are_a_usage_error(void **state)
{
	static const struct picture_opts bad[] = { { .colors = "pink" }, { .background = "pink" },
		{ .width = 20 } };
	struct test_profile t;
	struct buf text = { 0 };
	struct err e;
	size_t i;

	(void)state;
	test_profile_from_folded(&t, SPAN("a 1\n"));
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		struct output_opts o = { .picture = bad[i] };
		struct sink *to = sink_to_buf(&text);

		assert_int_equal(svg_format.write(&t.p, &o, to, &e), ERR_USAGE);
		sink_abort(to);
	}
	buf_release(&text);
	test_profile_release(&t);
}

static void a_flame_chart_is_drawn_in_order_of_time(void **state)
{
	struct picture_opts o = { .flamechart = true };
	struct test_profile t;
	struct buf text = { 0 };
	uint32_t a, b;

	(void)state;
	test_profile_init(&t);
	a = test_profile_add(&t, SPAN("a"), 2);
	b = test_profile_add(&t, SPAN("b"), 1);
	test_profile_row(&t, a, 1, 1);
	test_profile_row(&t, b, 2, 1);
	test_profile_row(&t, a, 3, 1);
	write_svg(&text, test_profile_finish(&t), &o);
	assert_true(has(&text, ">thread</text>"));
	assert_true(has(&text, "<title>a (1 ns, 33.33%)</title><rect x=\"10.0\" "));
	assert_true(has(&text, "<title>b (1 ns, 33.33%)</title><rect x=\"403.3\" "));
	assert_true(has(&text, "<title>a (1 ns, 33.33%)</title><rect x=\"796.7\" "));
	buf_release(&text);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_xml_reader_of_this_test_finds_errors),
		cmocka_unit_test(a_frame_is_a_group_of_hover_text_box_and_label),
		cmocka_unit_test(a_frame_without_room_for_a_label_is_a_box_with_hover_text),
		cmocka_unit_test(an_icicle_is_below_title_and_subtitle),
		cmocka_unit_test(sizes_are_those_of_the_options),
		cmocka_unit_test(narrow_frames_are_left_out_by_pixels_or_percent),
		cmocka_unit_test(narrow_frames_are_one_box_with_their_number),
		cmocka_unit_test(the_script_finds_options_in_attributes_and_frames_in_data),
		cmocka_unit_test(the_footer_has_the_unit_and_the_quality),
		cmocka_unit_test(labels_are_cut_by_characters),
		cmocka_unit_test(annotations_colour_but_are_not_shown),
		cmocka_unit_test(titles_and_labels_are_those_of_the_options),
		cmocka_unit_test(an_unknown_frame_is_not_the_root),
		cmocka_unit_test(hostile_names_make_well_formed_xml),
		cmocka_unit_test(a_picture_without_weight_says_so),
		cmocka_unit_test(impossible_options_are_a_usage_error),
		cmocka_unit_test(a_flame_chart_is_drawn_in_order_of_time),
	};

	return cmocka_run_group_tests_name("svg", tests, NULL, NULL);
}
