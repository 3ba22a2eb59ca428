/*
 * Fuzz entry for source maps: whatever the text, every answer must lie in the map's own texts and
 * every question be asked but once.
 */
#include "symbolize/sourcemap/sourcemap.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 6, COLUMNS = 9 };

static void check(const struct sourcemap_query *q)
{
	static volatile unsigned sum;
	size_t i;

	if (!q->found)
		return;
	if (!q->source.n || !q->source_line || (q->column > 0) != (q->source_column > 0))
		abort();
	for (i = 0; i < q->source.n; i++)
		sum += (unsigned char)q->source.p[i];
	for (i = 0; i < q->name.n; i++)
		sum += (unsigned char)q->name.p[i];
	(void)sum;
}

static void read_content(void *ctx, size_t section, size_t number, struct span text)
{
	volatile unsigned *sum = ctx;

	*sum += (unsigned)(section + number + text.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sourcemap_query q[LINES * COLUMNS];
	volatile unsigned sum = 0;
	struct sourcemap m;
	struct err e;
	size_t i;

	for (i = 0; i < ARRAY_LEN(q); i++)
		q[i] = (struct sourcemap_query){
			.line = (uint32_t)(i / COLUMNS) + 1,
			.column = (uint32_t)(i % COLUMNS) * 4,
			.function = SPAN("a"),
		};
	if (sourcemap_parse(&m, (struct span){ (const char *)data, size }, &e))
		return 0;
	sourcemap_read_contents(
		(struct span){ (const char *)data, size }, read_content, (void *)&sum);
	sourcemap_resolve(&m, q, ARRAY_LEN(q), &e);
	for (i = 0; i < ARRAY_LEN(q); i++)
		check(&q[i]);
	sourcemap_release(&m);
	return 0;
}
