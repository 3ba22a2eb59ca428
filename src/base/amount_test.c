#include "base/amount.h"

#include "base/mem.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
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
	FILE *f = fopen("testdata/amounts/examples.tsv", "r");
	char part[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(part, 1, sizeof(part), f)))
		buf_put(text, part, n);
	fclose(f);
}

static void expect(uint64_t value, const char *unit, struct span expected)
{
	struct buf b = { 0 };

	amount_put(&b, value, unit);
	if (!span_eq(buf_span(&b), expected))
		fail_msg("%" PRIu64 " %s: \"%s\", not \"%.*s\"", value, unit, buf_str(&b),
			SPAN_ARG(expected));
	buf_release(&b);
}

static void amounts_are_those_of_the_examples(void **state)
{
	struct buf text = { 0 }, unit = { 0 };
	struct span rest, line;
	unsigned examples = 0;

	(void)state;
	read_examples(&text);
	rest = buf_span(&text);
	while (span_next_line(&rest, &line)) {
		struct span number = cut_field(&line);
		uint64_t value = 0;

		assert_true(span_scan_u64(&number, &value));
		unit.n = 0;
		buf_put_span(&unit, cut_field(&line));
		expect(value, buf_str(&unit), line);
		examples++;
	}
	assert_true(examples > 50);
	buf_release(&text);
	buf_release(&unit);
}

/* More than a script can count. */
static void the_largest_amount_is_one(void **state)
{
	(void)state;
	expect(UINT64_MAX, "nanoseconds", SPAN("213504 d 0 h"));
	expect(UINT64_MAX, "cycles", SPAN("18446744 T cycles"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_are_those_of_the_examples),
		cmocka_unit_test(the_largest_amount_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
