#include "symbolize/kernel/kallsyms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void parse(struct kallsyms *k, const char *text, bool compat_perf)
{
	struct buf b = { 0 };

	*k = (struct kallsyms){ 0 };
	buf_puts(&b, text);
	kallsyms_parse(k, &b, compat_perf);
}

static void assert_sym(const struct kallsym *s, const char *name, uint64_t start, uint64_t end)
{
	assert_true(span_eq(s->name, span_of(name)));
	assert_int_equal(s->start, start);
	assert_int_equal(s->end, end);
}

static void a_symbol_reaches_to_the_next(void **state)
{
	struct kallsyms k;

	(void)state;
	parse(&k, "1000 T a\n1040 t b\n2000 W c\n", false);
	assert_int_equal(k.n, 3);
	assert_sym(&k.sym[0], "a", 0x1000, 0x1040);
	assert_sym(&k.sym[1], "b", 0x1040, 0x2000);
	assert_sym(&k.sym[2], "c", 0x2000, 0x3000);
	kallsyms_release(&k);
}

static void only_code_and_data_are_kept(void **state)
{
	struct kallsyms k;

	(void)state;
	parse(&k, "1000 A abs\n1000 r ro\n1000 U undefined\n1000 d data\n1000 T $x\n1000 t .L12\n",
		false);
	assert_int_equal(k.n, 1);
	assert_true(span_eq(k.sym[0].name, SPAN("data")));
	kallsyms_release(&k);
}

static void broken_lines_are_left_out(void **state)
{
	struct kallsyms k;

	(void)state;
	parse(&k,
		"\n1000\n1000 \n1000 T\n1000 T \nxyz T a\n1000T a\n11112222333344445 T long\n"
		"1000 TT a\n  \t\n1000 T good\r\n2000 T last",
		false);
	assert_int_equal(k.n, 2);
	assert_sym(&k.sym[0], "good", 0x1000, 0x2000);
	assert_true(span_eq(k.sym[1].name, SPAN("last")));
	kallsyms_release(&k);
}

/* Most lines are read in one go, and others in parts: with the same result, whatever is next to
 * them. */
static void lines_of_all_forms_are_read_alike(void **state)
{
	static const char *const lines[] = { "ffffffff81000010 T name", "ffffffff81000010 T name\r",
		"ffffffff81000010 T name ", "ffffffff81000010 T name\t", "ffffffff81000010  T name",
		"ffffffff81000010\tT name", "ffffffff81000010 T\tname", " ffffffff81000010 T name",
		"ffffffff81000010 T name other" };
	static const bool good[] = { true, true, true, true, true, false, true, true, true };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct buf text = { 0 };
		struct kallsyms k = { 0 };

		buf_printf(&text, "ffffffff81000000 T before_it\n%s\nffffffff81000020 t after\n%s",
			lines[i], lines[i]);
		kallsyms_parse(&k, &text, false);
		assert_int_equal(k.n, good[i] ? 4 : 2);
		assert_true(span_eq(k.sym[0].name, SPAN("before_it")));
		assert_true(span_eq(k.sym[1].name, good[i] ? SPAN("name") : SPAN("after")));
		assert_int_equal(k.sym[0].end, k.sym[1].start);
		kallsyms_release(&k);
	}
}

static void symbols_of_a_module_are_kept_apart_from_the_kernel(void **state)
{
	struct kallsyms k;

	(void)state;
	parse(&k, "90000000 t ext4_map\t[ext4]\n1000 T _text\n90000800 t ext4_get\t[ext4]\n",
		false);
	assert_int_equal(k.n, 3);
	assert_sym(&k.sym[0], "_text", 0x1000, 0x2000);
	assert_true(span_eq(k.sym[1].module, SPAN("[ext4]")));
	assert_sym(&k.sym[1], "ext4_map", 0x90000000, 0x90000800);
	kallsyms_release(&k);
}

static void a_symbol_at_the_border_of_a_module_ends_after_a_page(void **state)
{
	struct kallsyms k;

	(void)state;
	parse(&k, "1000 T last\n90000000 t first\t[ext4]\n", false);
	assert_sym(&k.sym[0], "last", 0x1000, 0x2000);
	kallsyms_release(&k);
}

static void aliases_share_their_end_except_under_compat(void **state)
{
	static const char *const text = "1000 T memset\n1000 T __memset\n1100 T next\n";
	struct kallsyms k;

	(void)state;
	parse(&k, text, false);
	assert_sym(&k.sym[0], "memset", 0x1000, 0x1100);
	assert_sym(&k.sym[1], "__memset", 0x1000, 0x1100);
	kallsyms_release(&k);
	parse(&k, text, true);
	assert_sym(&k.sym[0], "memset", 0x1000, 0x1000);
	assert_sym(&k.sym[1], "__memset", 0x1000, 0x1100);
	kallsyms_release(&k);
}

static void the_reference_symbol_is_one_of_the_kernel(void **state)
{
	struct kallsyms k;
	uint64_t address = 0;

	(void)state;
	parse(&k, "9000 T _text\t[odd]\n1000 T _text\n", false);
	assert_true(kallsyms_address(&k, SPAN("_text"), &address));
	assert_int_equal(address, 0x1000);
	assert_false(kallsyms_address(&k, SPAN("_stext"), &address));
	kallsyms_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_symbol_reaches_to_the_next),
		cmocka_unit_test(only_code_and_data_are_kept),
		cmocka_unit_test(broken_lines_are_left_out),
		cmocka_unit_test(lines_of_all_forms_are_read_alike),
		cmocka_unit_test(symbols_of_a_module_are_kept_apart_from_the_kernel),
		cmocka_unit_test(a_symbol_at_the_border_of_a_module_ends_after_a_page),
		cmocka_unit_test(aliases_share_their_end_except_under_compat),
		cmocka_unit_test(the_reference_symbol_is_one_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
