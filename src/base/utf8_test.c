#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define FFFD "\xef\xbf\xbd"

static void assert_decodes(struct span s, unsigned length, uint32_t code)
{
	uint32_t got = 0xdead;

	assert_int_equal(utf8_decode(s, &got), length);
	assert_int_equal(got, length ? code : 0xdead);
}

static void the_ends_of_every_length_are_decoded(void **state)
{
	(void)state;
	assert_decodes(SPAN("\0"), 1, 0);
	assert_decodes(SPAN("\x7f"), 1, 0x7f);
	assert_decodes(SPAN("\xc2\x80"), 2, 0x80);
	assert_decodes(SPAN("\xdf\xbf"), 2, 0x7ff);
	assert_decodes(SPAN("\xe0\xa0\x80"), 3, 0x800);
	assert_decodes(SPAN("\xef\xbf\xbf"), 3, 0xffff);
	assert_decodes(SPAN("\xf0\x90\x80\x80"), 4, 0x10000);
	assert_decodes(SPAN("\xf4\x8f\xbf\xbf"), 4, 0x10ffff);
}

static void overlong_forms_are_not_utf8(void **state)
{
	(void)state;
	assert_decodes(SPAN("\xc0\x80"), 0, 0);
	assert_decodes(SPAN("\xc1\xbf"), 0, 0);
	assert_decodes(SPAN("\xe0\x9f\xbf"), 0, 0);
	assert_decodes(SPAN("\xf0\x8f\xbf\xbf"), 0, 0);
}

static void surrogates_and_values_beyond_the_last_are_not_utf8(void **state)
{
	(void)state;
	assert_decodes(SPAN("\xed\x9f\xbf"), 3, 0xd7ff);
	assert_decodes(SPAN("\xed\xa0\x80"), 0, 0);
	assert_decodes(SPAN("\xed\xbf\xbf"), 0, 0);
	assert_decodes(SPAN("\xee\x80\x80"), 3, 0xe000);
	assert_decodes(SPAN("\xf4\x90\x80\x80"), 0, 0);
	assert_decodes(SPAN("\xf8\x88\x80\x80\x80"), 0, 0);
	assert_decodes(SPAN("\xff"), 0, 0);
}

static void cut_and_stray_sequences_are_not_utf8(void **state)
{
	(void)state;
	assert_decodes((struct span){ "\xc3\xa4", 1 }, 0, 0);
	assert_decodes((struct span){ "\xe2\x82\xac", 2 }, 0, 0);
	assert_decodes((struct span){ "\xf0\x9f\x94\xa5", 3 }, 0, 0);
	assert_decodes(SPAN("\x80"), 0, 0);
	assert_decodes(SPAN("\xc3("), 0, 0);
	assert_decodes(SPAN("\xe2\x82("), 0, 0);
}

static void a_string_is_valid_if_all_its_characters_are(void **state)
{
	(void)state;
	assert_true(utf8_valid(SPAN("")));
	assert_true(utf8_valid(SPAN("\xce\xbb \xe2\x82\xac \xf0\x9f\x94\xa5")));
	assert_false(utf8_valid(SPAN("abc\xff")));
}

static void length_counts_characters_and_bad_bytes(void **state)
{
	(void)state;
	assert_int_equal(utf8_length(SPAN("")), 0);
	assert_int_equal(utf8_length(SPAN("a\xce\xbb\xe2\x82\xac\xf0\x9f\x94\xa5")), 4);
	assert_int_equal(utf8_length(SPAN("\xe2\x82")), 2);
}

static void assert_put(void (*put)(struct buf *, struct span), struct span from, struct span to)
{
	struct buf b = { 0 };

	buf_putc(&b, '>');
	put(&b, from);
	assert_int_equal(b.n, to.n + 1);
	assert_memory_equal(b.p + 1, to.p, to.n);
	buf_release(&b);
}

static void markup_is_escaped_for_xml(void **state)
{
	(void)state;
	assert_put(utf8_put_xml, SPAN("</text><script>"), SPAN("&lt;/text&gt;&lt;script&gt;"));
	assert_put(utf8_put_xml, SPAN("a&b \"c\" 'd'"), SPAN("a&amp;b &quot;c&quot; &#39;d&#39;"));
	assert_put(utf8_put_xml, SPAN("plain \xce\xbb"), SPAN("plain \xce\xbb"));
	assert_put(utf8_put_xml, SPAN(""), SPAN(""));
}

static void line_breaks_and_tabs_live_through_an_attribute(void **state)
{
	(void)state;
	assert_put(utf8_put_xml, SPAN("a\tb\nc\rd"), SPAN("a&#9;b&#10;c&#13;d"));
}

static void characters_that_xml_forbids_are_replaced(void **state)
{
	(void)state;
	assert_put(utf8_put_xml, SPAN("\0\x01\x08\x0b\x1f"), SPAN(FFFD FFFD FFFD FFFD FFFD));
	assert_put(utf8_put_xml, SPAN("\x7f|\xc2\x80\xc2\x9f\xc2\xa0"),
		SPAN(FFFD "|" FFFD FFFD "\xc2\xa0"));
	assert_put(utf8_put_xml, SPAN("\xef\xbf\xbe\xef\xbf\xbf"), SPAN(FFFD FFFD));
	assert_put(utf8_put_xml,
		SPAN("a\xff\xfe"
		     "b"),
		SPAN("a" FFFD FFFD "b"));
	assert_put(utf8_put_xml, SPAN("\xed\xa0\x80"), SPAN(FFFD FFFD FFFD));
}

static void control_characters_are_shown_not_sent_to_a_terminal(void **state)
{
	(void)state;
	assert_put(utf8_put_terminal, SPAN("\x1b[31m\a\0\n"), SPAN("\\x1b[31m\\x07\\x00\\x0a"));
	assert_put(utf8_put_terminal, SPAN("\x7f"), SPAN("\\x7f"));
	assert_put(utf8_put_terminal, SPAN("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"),
		SPAN("\\u{80}\\u{9b}\\u{9f}\xc2\xa0"));
	assert_put(utf8_put_terminal,
		SPAN("\x9b"
		     "31m"),
		SPAN("\\x9b31m"));
}

static void overrides_of_direction_are_shown_not_sent_to_a_terminal(void **state)
{
	(void)state;
	assert_put(utf8_put_terminal, SPAN("\xe2\x80\xaa\xe2\x80\xae"), SPAN("\\u{202a}\\u{202e}"));
	assert_put(utf8_put_terminal, SPAN("\xe2\x81\xa6\xe2\x81\xa9"), SPAN("\\u{2066}\\u{2069}"));
	assert_put(utf8_put_terminal, SPAN("\xe2\x80\x8e\xe2\x80\xa8\xd8\x9c"),
		SPAN("\\u{200e}\\u{2028}\\u{61c}"));
}

static void ordinary_text_reaches_a_terminal_as_it_is(void **state)
{
	(void)state;
	assert_put(utf8_put_terminal, SPAN("std::sort<int*> \xce\xbb\xf0\x9f\x94\xa5"),
		SPAN("std::sort<int*> \xce\xbb\xf0\x9f\x94\xa5"));
}

static void repairing_changes_bad_bytes_only(void **state)
{
	(void)state;
	assert_put(utf8_put_repaired, SPAN("<\x01\n\xff\xce\xbb\xc3"),
		SPAN("<\x01\n" FFFD "\xce\xbb" FFFD));
}

static void plain_xml_needs_no_escape(void **state)
{
	char text[] = { 'a', '?', 'b' };
	int c;

	(void)state;
	for (c = 0; c < 256; c++) {
		struct span s = { text, sizeof(text) };
		struct buf b = { 0 };

		text[1] = (char)c;
		utf8_put_xml(&b, s);
		assert_int_equal(utf8_is_plain_xml(s), c < 0x80 && span_eq(buf_span(&b), s));
		buf_release(&b);
	}
	assert_true(utf8_is_plain_xml(SPAN("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ends_of_every_length_are_decoded),
		cmocka_unit_test(overlong_forms_are_not_utf8),
		cmocka_unit_test(surrogates_and_values_beyond_the_last_are_not_utf8),
		cmocka_unit_test(cut_and_stray_sequences_are_not_utf8),
		cmocka_unit_test(a_string_is_valid_if_all_its_characters_are),
		cmocka_unit_test(length_counts_characters_and_bad_bytes),
		cmocka_unit_test(markup_is_escaped_for_xml),
		cmocka_unit_test(line_breaks_and_tabs_live_through_an_attribute),
		cmocka_unit_test(characters_that_xml_forbids_are_replaced),
		cmocka_unit_test(control_characters_are_shown_not_sent_to_a_terminal),
		cmocka_unit_test(overrides_of_direction_are_shown_not_sent_to_a_terminal),
		cmocka_unit_test(ordinary_text_reaches_a_terminal_as_it_is),
		cmocka_unit_test(repairing_changes_bad_bytes_only),
		cmocka_unit_test(plain_xml_needs_no_escape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
