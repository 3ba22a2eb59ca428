/*
 * Fuzz entry for perf maps: the reader and the sweep must keep ranges in order and apart, and
 * every range must have a name that lies in the text, however the bytes are cut into blocks.
 */
#include "jit/perfmap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct codemap *m)
{
	struct validity valid;
	size_t i;

	for (i = 0; i < m->live.n; i++) {
		const struct code_range *r = &m->live.at[i];

		if (r->start >= r->end || (i && r[-1].end > r->start))
			abort();
		if (r->name + r->name_size > m->text.n)
			abort();
		if (!codemap_find(m, r->start, (struct moment){ 0, 0 }, &valid) ||
			!codemap_find(m, r->end - 1, (struct moment){ 0, 0 }, &valid))
			abort();
	}
}

/* The first byte says how to read, the second how large a block is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct codemap_range range = { 0x20000, 0x7fffffff0000 };
	static const struct codemap_ranges exec = { &range, 1 };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct perf_map_reader r = { 0 };
	struct diag diag = { 0 };
	struct span text;
	size_t block;

	if (size >= 2) {
		text = (struct span){ (const char *)data + 2, size - 2 };
		block = data[1] + 1;
		r.diag = &diag;
		r.exec = data[0] & 1 ? &exec : NULL;
		r.compat_perf = data[0] & 2;
		r.map = codemap_new(frames, 1, r.compat_perf);
		for (; text.n > block; text = span_from(text, block))
			perf_map_take(&r, (struct span){ text.p, block });
		perf_map_take(&r, text);
		perf_map_end(&r);
		check(r.map);
		codemap_free(r.map);
	}
	frames_free(frames);
	strtab_free(strings);
	return 0;
}
