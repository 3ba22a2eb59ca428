#include "output/html/html_source.h"

#include "output/html/html_for_test.h"
#include "output/html/html.h"
#include "output/output_for_test.h"

/* Annotations made by hand: main in a.c calls an inlined function of b.h. */

#define COST(self, n)                                                                              \
	{                                                                                          \
		self, n, self, n                                                                   \
	}

static struct line_cost costs[] = { { 0, COST(1, 1) }, { 2, COST(1ull << 60, 2) } };
static struct line_call calls[] = {
	{ .line = 2, .name = { "</script>", 9 }, .function = 2, .inlined = true, .total = 5 },
};

struct bed {
	struct annotated_file file[3];
	struct annotated_text text[4];
	struct annotated_instruction instruction[3];
	struct annotated_code code;
	struct annotated_caller caller;
	struct annotated_function function[2];
	struct annotations a;
	struct buf page;
	uint32_t by_frame[8];
};

static void set_file(struct bed *b, int i, struct span path, uint32_t first,
	const struct span *lines, uint32_t n)
{
	b->text[i] = (struct annotated_text){ first, n, lines };
	b->file[i] = (struct annotated_file){
		.path = path, .cost = costs, .n_costs = 2, .text = &b->text[i], .n_texts = 1
	};
}

static const struct annotated_target targets[] = {
	{ .name = { "<b>", 3 } },
};

static const struct weights cost_of_call = COST(9, 3);

static const struct annotated_instruction instructions[] = {
	{ .address = 0xffffffff81000000,
		.mnemonic = "jmp",
		.operands = "0xffffffff81000005",
		.target = 2,
		.kind = INSTRUCTION_JUMP,
		.to_address = true },
	{ .address = 0xffffffff81000005,
		.mnemonic = "call",
		.operands = "",
		.target = 4,
		.file = 1,
		.line = 7,
		.kind = INSTRUCTION_CALL,
		.cost = &cost_of_call },
	{ .address = 0xffffffff8100000a,
		.mnemonic = "call",
		.operands = "0xffffffff81000000",
		.target = 1,
		.file = 1,
		.line = 6,
		.kind = INSTRUCTION_CALL,
		.to_address = true },
};

static void make(struct bed *b)
{
	static const struct span main_text[] = { { "int main()", 10 }, { "\tif (a < b)", 11 } };
	static const struct span one[] = { { "one", 3 }, { "two", 3 } },
				 two[] = { { "two", 3 }, { "three", 5 } };

	*b = (struct bed){ 0 };
	set_file(b, 0, SPAN("/src/a.c"), 1, main_text, 2);
	b->file[0].call = calls;
	b->file[0].n_calls = 1;
	set_file(b, 1, SPAN("/src/b.h"), 10, one, 2);
	set_file(b, 2, SPAN("/src/b.h"), 11, two, 2);
	b->file[2].note = SPAN("newer");
	memcpy(b->instruction, instructions, sizeof(instructions));
	b->code = (struct annotated_code){ .name = SPAN("main"),
		.start = 0xffffffff81000000,
		.instruction = b->instruction,
		.n = 3,
		.target = targets };
	b->caller = (struct annotated_caller){ .name = SPAN("start"), .line = 7, .total = 4 };
	b->function[0] = (struct annotated_function){ .name = SPAN("main"),
		.cost = COST(1ull << 60, 2),
		.file = &b->file[0],
		.n_files = 2,
		.code = &b->code,
		.n_codes = 1,
		.caller = &b->caller,
		.n_callers = 1 };
	b->function[1] = (struct annotated_function){
		.name = SPAN("</script>"), .file = &b->file[2], .n_files = 1
	};
	b->a = (struct annotations){
		.function = b->function, .n = 2, .by_frame = b->by_frame, .n_frames = 8
	};
}

static void write_source(struct bed *b, const struct profile *p, const struct html_frames *frames)
{
	struct html_source *s = html_source_new(&b->a, p);
	struct sink *to = sink_to_buf(&b->page);
	struct err e;
	uint32_t i;

	for (i = 0; s && i < html_source_pieces(s); i++)
		html_source_put(s, i, frames, to);
	html_source_free(s);
	assert_int_equal(sink_commit(to, &e), OK);
}

static void unpack_part(struct span text, struct buf *plain)
{
	struct buf packed = { 0 };
	uLongf n = 1 << 24;

	assert_true(base64_decode(text, &packed));
	buf_reserve(plain, plain->n + n);
	assert_int_equal(
		uncompress((Bytef *)plain->p + plain->n, &n, (const Bytef *)packed.p, packed.n),
		Z_OK);
	plain->n += n;
	buf_release(&packed);
}

/* What an element of a page holds, appended. Returns the number of its parts. */
static unsigned unpack(struct bed *b, const char *element, struct buf *plain)
{
	struct span rest = buf_span(&b->page), text;
	unsigned parts = 0;
	ptrdiff_t dot;

	assert_true(test_between(&rest, element, "</script>", &text));
	for (; (dot = span_find(text, SPAN("."))) >= 0; parts++) {
		unpack_part((struct span){ text.p, (size_t)dot }, plain);
		text = span_skip(text, (size_t)dot + 1);
	}
	unpack_part(text, plain);
	return parts + 1;
}

/* The document; the caller frees it. */
static yajl_val unpacked(struct bed *b)
{
	struct buf plain = { 0 };
	yajl_val doc;

	unpack(b, "id=\"source\">", &plain);
	doc = parse_json(&plain);
	buf_release(&plain);
	return doc;
}

static const char *text_at(yajl_val list, size_t i)
{
	return YAJL_GET_STRING(element(list, i));
}

/* The text that an element of a list is the number of. */
static const char *shared_text(yajl_val doc, yajl_val list, size_t i)
{
	return text_at(member(doc, "texts"), (size_t)element_number(list, i));
}

static void the_lines_of_a_file_are_there_once(void **state)
{
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct bed b;
	struct buf lines = { 0 };
	yajl_val doc, files, text;

	make(&b);
	write_source(&b, &x->t.p, &no_frames);
	doc = unpacked(&b);
	files = member(doc, "files");
	assert_int_equal(length(files), 2);
	assert_string_equal(text_of(element(files, 1), "path"), "/src/b.h");
	text = member(element(files, 1), "text");
	assert_int_equal(length(text), 2);
	assert_int_equal(element_number(text, 0), 10);
	assert_int_equal(element_number(text, 1), 3);
	unpack(&b, "id=\"lines\">", &lines);
	assert_true(span_eq(buf_span(&lines), SPAN("int main()\n\tif (a < b)\none\ntwo\nthree\n")));
	yajl_tree_free(doc);
	buf_release(&lines);
	buf_release(&b.page);
}

static void ranges_with_a_gap_stay_apart(void **state)
{
	static const struct span far[] = { { "far", 3 } };
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct bed b;
	struct buf lines = { 0 };
	yajl_val doc, text, file, shown;

	make(&b);
	b.text[3] = (struct annotated_text){ 90, 1, far };
	b.file[2].n_texts = 2;
	write_source(&b, &x->t.p, &no_frames);
	doc = unpacked(&b);
	text = member(element(member(doc, "files"), 1), "text");
	assert_int_equal(length(text), 4);
	assert_int_equal(element_number(text, 0), 10);
	assert_int_equal(element_number(text, 1), 3);
	assert_int_equal(element_number(text, 2), 90);
	assert_int_equal(element_number(text, 3), 1);
	file = element(member(element(member(doc, "functions"), 1), "files"), 0);
	shown = member(file, "shown");
	assert_int_equal(length(shown), 4);
	assert_int_equal(element_number(shown, 0), 11);
	assert_int_equal(element_number(shown, 1), 2);
	assert_int_equal(element_number(shown, 2), 90);
	assert_int_equal(element_number(shown, 3), 1);
	unpack(&b, "id=\"lines\">", &lines);
	assert_true(span_ends(buf_span(&lines), SPAN("\nfar\n")));
	yajl_tree_free(doc);
	buf_release(&lines);
	buf_release(&b.page);
}

static void lines_calls_and_callers_of_a_function(void **state)
{
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct bed b;
	yajl_val doc, f, file, list;

	make(&b);
	write_source(&b, &x->t.p, &no_frames);
	doc = unpacked(&b);
	f = element(member(doc, "functions"), 0);
	file = element(member(f, "files"), 0);
	assert_int_equal(number(file, "file"), 0);
	assert_int_equal(length(member(file, "shown")), 2);
	assert_int_equal(element_number(member(file, "shown"), 1), 2);
	list = member(file, "costs");
	assert_int_equal(length(list), 10);
	assert_int_equal(element_number(list, 5), 2);
	assert_int_equal(element_number(list, 6), 1ll << 60);
	list = element(member(file, "calls"), 0);
	assert_int_equal(element_number(list, 1), 2);
	assert_int_equal(element_number(list, 2), 1);
	assert_string_equal(shared_text(doc, list, 5), "</script>");
	assert_string_equal(shared_text(doc, list, 6), "");
	list = element(member(f, "callers"), 0);
	assert_int_equal(element_number(list, 2), 7);
	assert_string_equal(shared_text(doc, list, 5), "start");
	file = element(member(element(member(doc, "functions"), 1), "files"), 0);
	assert_int_equal(number(file, "file"), 1);
	assert_string_equal(text_of(file, "note"), "newer");
	yajl_tree_free(doc);
	buf_release(&b.page);
}

static void assert_numbers(struct span *from, const uint64_t *expected, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		assert_int_equal(test_varint(from), expected[i]);
}

#define ASSERT_NUMBERS(from, ...)                                                                  \
	assert_numbers(from, (const uint64_t[]){ __VA_ARGS__ },                                    \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void instructions_are_numbers_of_texts_and_jumps_of_instructions(void **state)
{
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct buf numbers = { 0 };
	struct span rest;
	struct bed b;
	yajl_val doc, code, list, texts;
	str_id file;

	make(&b);
	file = strtab_add(x->t.p.strings, SPAN("/src/a.c"));
	b.instruction[1].file = b.instruction[2].file = file;
	write_source(&b, &x->t.p, &no_frames);
	doc = unpacked(&b);
	code = element(member(element(member(doc, "functions"), 0), "code"), 0);
	assert_string_equal(text_of(code, "start"), "0xffffffff81000000");
	assert_int_equal(number(code, "n"), 3);
	assert_int_equal(number(code, "from"), 0);
	list = member(doc, "instructions");
	assert_string_equal(text_of(list, "ops"), "jmp;call;call");
	assert_string_equal(text_of(list, "args"), ";;");
	assert_int_equal(element_number(member(list, "sizes"), 0), 5);
	texts = member(doc, "texts");
	unpack(&b, "id=\"instructions\">", &numbers);
	rest = buf_span(&numbers);
	ASSERT_NUMBERS(&rest, 0, 1, 2);
	ASSERT_NUMBERS(&rest, 1, 0, 1); /* a call within the function is no jump */
	ASSERT_NUMBERS(&rest, 2, 1);    /* targets: of the second instruction */
	assert_string_equal(text_at(texts, test_varint(&rest)), "<b>");
	ASSERT_NUMBERS(&rest, 0, 1, 0, 1, 0); /* and of the third, which calls its own function */
	ASSERT_NUMBERS(&rest, 2, 1);          /* lines */
	assert_string_equal(text_at(texts, test_varint(&rest)), "/src/a.c");
	ASSERT_NUMBERS(&rest, 14, 1);
	assert_string_equal(text_at(texts, test_varint(&rest)), "/src/a.c");
	ASSERT_NUMBERS(&rest, 1);
	ASSERT_NUMBERS(&rest, 1, 1, 9, 3, 9, 3);
	assert_int_equal(rest.n, 0);
	yajl_tree_free(doc);
	buf_release(&numbers);
	buf_release(&b.page);
}

/* Unlike those of a jump to another place, which differ with each. */
static void an_instruction_that_comes_again_has_one_text(void **state)
{
	static struct annotated_instruction twice[] = {
		{ .address = 0x10, .mnemonic = "push", .operands = "%rbp" },
		{ .address = 0x11,
			.mnemonic = "jmp",
			.operands = "0x20",
			.target = 5,
			.to_address = true },
		{ .address = 0x13,
			.mnemonic = "jmp",
			.operands = "0x7f0000000000",
			.target = 6,
			.to_address = true },
		{ .address = 0x15, .mnemonic = "ret", .operands = "" },
	};
	static const struct annotated_target outside[] = {
		{ .address = 0x8 },
		{ .address = UINT64_MAX / 2 },
	};
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct annotated_code both[2];
	struct buf numbers = { 0 };
	struct span rest;
	struct bed b;
	yajl_val doc, list;

	make(&b);
	b.code = (struct annotated_code){
		.start = 0x10, .instruction = twice, .n = 4, .target = outside
	};
	twice[1].mnemonic = twice[2].mnemonic;
	both[0] = both[1] = b.code;
	b.function[0].code = both;
	b.function[0].n_codes = 2;
	write_source(&b, &x->t.p, &no_frames);
	doc = unpacked(&b);
	list = member(doc, "instructions");
	assert_string_equal(text_of(list, "ops"), "push;jmp;jmp;ret");
	/* As numbers of the page have 53 bits, an address that is too far is text. */
	assert_string_equal(text_of(list, "args"), "%rbp;;0x7f0000000000;");
	unpack(&b, "id=\"instructions\">", &numbers);
	rest = buf_span(&numbers);
	ASSERT_NUMBERS(&rest, 0, 1, 2, 3, 0, 1, 1, 0, 1, 15, 0, 0);
	ASSERT_NUMBERS(&rest, 0, 1, 2, 3, 0, 1, 1, 0, 1, 15, 0, 0);
	assert_int_equal(rest.n, 0);
	yajl_tree_free(doc);
	buf_release(&numbers);
	buf_release(&b.page);
}

static void a_long_line_is_cut_between_characters(void **state)
{
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct buf line = { 0 }, lines = { 0 };
	struct span text;
	struct bed b;
	int i;

	make(&b);
	buf_putc(&line, 'x');
	for (i = 0; i < 3000; i++)
		buf_puts(&line, "\u00e9");
	text = buf_span(&line);
	b.text[0] = (struct annotated_text){ 1, 1, &text };
	write_source(&b, &x->t.p, &no_frames);
	unpack(&b, "id=\"lines\">", &lines);
	line.n = 1999;
	buf_puts(&line, "\u2026\n");
	assert_true(span_starts(buf_span(&lines), buf_span(&line)));
	buf_release(&lines);
	buf_release(&line);
	buf_release(&b.page);
}

/* Whatever there is between lines, and however these are changed. */
static void lines_that_follow_each_other_are_those_of_the_file(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "a\nbc\n\nd", "a\nbc\n\nd\n" },
		{ "a\nbc\r\nd", "a\nbc\nd\n" },
		{ "a\nb\u00e9c\nd", "a\nb\u00e9c\nd\n" },
		{ "a\nb\u202ec\nd", "a\nb\ufffdc\nd\n" },
	};
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct span rest = span_of(cases[i].text), text[4] = { 0 };
		struct buf lines = { 0 };
		struct bed b;
		uint32_t n;

		make(&b);
		for (n = 0; span_next_line(&rest, &text[n]); n++)
			if (text[n].n && text[n].p[text[n].n - 1] == '\r')
				text[n].n--;
		set_file(&b, 0, SPAN("follow.c"), 1, text, n);
		b.file[1].n_texts = b.file[2].n_texts = 0;
		write_source(&b, &x->t.p, &no_frames);
		unpack(&b, "id=\"lines\">", &lines);
		assert_string_equal(buf_str(&lines), cases[i].shown);
		buf_release(&lines);
		buf_release(&b.page);
	}
}

/* Each a stream of its own; a line is in one of them. */
static void half_a_megabyte_of_lines_is_a_part(void **state)
{
	enum { LINES = 30000 };
	static struct span text[LINES];
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct buf lines = { 0 }, expected = { 0 };
	struct bed b;
	uint32_t i;

	make(&b);
	for (i = 0; i < LINES; i++)
		buf_printf(&expected, "%99u\n", i);
	for (i = 0; i < LINES; i++)
		text[i] = (struct span){ expected.p + 100 * (size_t)i, 99 };
	set_file(&b, 0, SPAN("long.c"), 1, text, LINES / 2);
	set_file(&b, 1, SPAN("long.c"), LINES / 2, text + LINES / 2 - 1, LINES / 2 + 1);
	b.file[2].n_texts = 0;
	write_source(&b, &x->t.p, &no_frames);
	assert_int_equal(unpack(&b, "id=\"lines\">", &lines), 6);
	assert_true(span_eq(buf_span(&lines), buf_span(&expected)));
	buf_release(&lines);
	buf_release(&expected);
	buf_release(&b.page);
}

static void instructions_are_limited(void **state)
{
	enum { N = (1 << 17) + 1 };
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct annotated_code both[2];
	struct bed b;
	yajl_val doc, code;
	uint32_t i;

	make(&b);
	b.code.instruction = xcalloc(N, sizeof(*b.code.instruction));
	for (i = 0; i < N; i++)
		b.code.instruction[i].mnemonic = b.code.instruction[i].operands = "";
	b.code.n = N;
	both[0] = both[1] = b.code;
	b.function[0].code = both;
	b.function[0].n_codes = 2;
	write_source(&b, &x->t.p, &no_frames);
	doc = unpacked(&b);
	code = member(element(member(doc, "functions"), 0), "code");
	assert_int_equal(number(element(code, 0), "n"), N);
	assert_false(has_member(element(code, 1), "n"));
	assert_string_equal(
		text_of(element(code, 1), "note"), "left out: the page has too many others");
	yajl_tree_free(doc);
	free(b.code.instruction);
	buf_release(&b.page);
}

static void nothing_is_written_where_there_is_neither_text_nor_code(void **state)
{
	const struct html_frames no_frames = { 0 };
	struct output_bed *x = *state;
	struct bed b;
	int i;

	make(&b);
	for (i = 0; i < 3; i++)
		b.file[i].n_texts = 0;
	b.code.n = 0;
	write_source(&b, &x->t.p, &no_frames);
	assert_int_equal(b.page.n, 0);
	assert_null(html_source_new(NULL, &x->t.p));
	buf_release(&b.page);
}

/* Line 0 is none. */
#define HOTTEST                                                                                    \
	",\"hottest\":[0,\"/src/a.c\",2,1152921504606846976,1152921504606846976,"                  \
	"1,\"/src/b.h\",2,1152921504606846976,0]}"

/* In a whole page: its frames are told which function they are. */
static void frames_of_the_page_know_their_function(void **state)
{
	struct output_bed *x = *state;
	struct output_opts o = { .version = "1" };
	struct span page, text;
	struct bed b;

	make(&b);
	test_profile_add_folded(&x->t, SPAN("a;main 5\n"), false);
	test_profile_finish(&x->t);
	b.by_frame[x->t.p.nodes[2].frame] = 1;
	o.annotations = &b.a;
	write_output(&html_format, &x->t.p, &o, &x->text);
	page = buf_span(&x->text);
	assert_true(test_between(&page, "id=\"source-frames\">", "</script>", &text));
	assert_true(span_eq(text, SPAN("{\"frames\":[2,0]" HOTTEST)) ||
		    span_eq(text, SPAN("{\"frames\":[1,0]" HOTTEST)));
	assert_null(memmem(x->text.p, x->text.n, "<b>", 3));
	x->text.n = 0;
	o.annotations = NULL;
	write_output(&html_format, &x->t.p, &o, &x->text);
	page = buf_span(&x->text);
	assert_false(test_between(&page, "id=\"source-frames\">", "</script>", &text));
	buf_release(&b.page);
}

static void workers_make_the_page_that_one_makes(void **state)
{
	struct output_bed *x = *state;
	struct output_opts o = { .version = "1" };
	struct buf alone = { 0 };
	struct bed b;

	make(&b);
	test_profile_add_folded(&x->t, SPAN("a;main 5\na;main;f 7\n"), false);
	test_profile_finish(&x->t);
	b.by_frame[x->t.p.nodes[2].frame] = 1;
	o.annotations = &b.a;
	write_output(&html_format, &x->t.p, &o, &alone);
	o.pool = pool_new(3);
	write_output(&html_format, &x->t.p, &o, &x->text);
	assert_true(span_eq(buf_span(&x->text), buf_span(&alone)));
	pool_free(o.pool);
	buf_release(&alone);
	buf_release(&b.page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_BED(the_lines_of_a_file_are_there_once),
		TEST_IN_BED(ranges_with_a_gap_stay_apart),
		TEST_IN_BED(lines_calls_and_callers_of_a_function),
		TEST_IN_BED(instructions_are_numbers_of_texts_and_jumps_of_instructions),
		TEST_IN_BED(an_instruction_that_comes_again_has_one_text),
		TEST_IN_BED(a_long_line_is_cut_between_characters),
		TEST_IN_BED(lines_that_follow_each_other_are_those_of_the_file),
		TEST_IN_BED(half_a_megabyte_of_lines_is_a_part),
		TEST_IN_BED(instructions_are_limited),
		TEST_IN_BED(nothing_is_written_where_there_is_neither_text_nor_code),
		TEST_IN_BED(frames_of_the_page_know_their_function),
		TEST_IN_BED(workers_make_the_page_that_one_makes),
	};

	return cmocka_run_group_tests_name("html_source", tests, NULL, NULL);
}
