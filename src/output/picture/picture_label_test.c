#include "output/picture/picture_label.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static struct span cut_field(struct span *line)
{
	const char *tab = line->n ? memchr(line->p, '\t', line->n) : NULL;
	struct span field = tab ? span_range(line->p, tab) : *line;

	*line = span_skip(*line, field.n + (tab ? 1 : 0));
	return field;
}

static void read_examples(struct buf *text)
{
	FILE *f = fopen("testdata/labels/examples.tsv", "r");
	char part[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(part, 1, sizeof(part), f)))
		buf_put(text, part, n);
	fclose(f);
}

static void labels_are_those_of_the_examples(void **state)
{
	struct buf text = { 0 }, label = { 0 };
	struct span rest, line;
	unsigned examples = 0;

	(void)state;
	read_examples(&text);
	rest = buf_span(&text);
	while (span_next_line(&rest, &line)) {
		struct span name = cut_field(&line), number = cut_field(&line);
		uint64_t columns = 0;

		assert_true(span_scan_u64(&number, &columns));
		label.n = 0;
		picture_label_put(&label, name, columns);
		if (!span_eq(buf_span(&label), line))
			fail_msg("%.*s in %u: \"%s\", not \"%.*s\"", SPAN_ARG(name),
				(unsigned)columns, buf_str(&label), SPAN_ARG(line));
		examples++;
	}
	assert_true(examples > 50);
	buf_release(&text);
	buf_release(&label);
}

static void a_label_is_never_too_long(void **state)
{
	static const char *const parts[] = { "(", "a::", "a<", "x", "operator<", ">", " /a", "\xff",
		"\u00e4", "::<", "&", " const" };
	struct buf name = { 0 }, label = { 0 };
	size_t i, k, columns;

	(void)state;
	for (i = 0; i < ARRAY_LEN(parts) * ARRAY_LEN(parts); i++) {
		name.n = 0;
		for (k = 0; k < 50; k++) {
			buf_puts(&name, parts[i % ARRAY_LEN(parts)]);
			buf_puts(&name, parts[i / ARRAY_LEN(parts)]);
		}
		for (columns = 0; columns < 60; columns += 3) {
			label.n = 0;
			picture_label_put(&label, buf_span(&name), columns);
			assert_true(utf8_length(buf_span(&label)) <= columns);
		}
	}
	buf_release(&name);
	buf_release(&label);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_those_of_the_examples),
		cmocka_unit_test(a_label_is_never_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
