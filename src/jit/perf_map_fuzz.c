/*
 * Fuzz entry for perf maps: ranges must be in order and apart, and the name of every range must be
 * found again, however the bytes are cut into blocks.
 */
#include "jit/codemap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_ranges(const struct perf_map_ranges *l)
{
	struct perf_map_range_pos at;
	struct perf_map_range r = { 0 };
	uint64_t end = 0, n = 0;

	for (; perf_map_ranges_find(l, end, &at); n++) {
		r = perf_map_ranges_get(l, at);
		if (r.start >= r.end || r.start < end)
			abort();
		end = r.end;
	}
	if (n != l->n)
		abort();
}

static void check_names(const struct codemap *m)
{
	static const struct moment at = { 0, 0 };
	struct validity valid;
	struct perf_map_range_pos spot;
	struct perf_map_range r;
	uint64_t end = 0;

	for (; perf_map_ranges_find(&m->code, end, &spot); end = r.end) {
		r = perf_map_ranges_get(&m->code, spot);
		if (!codemap_find(m, r.start, at, &valid) ||
			!codemap_find(m, r.end - 1, at, &valid))
			abort();
	}
	for (end = 0; perf_map_ranges_find(&m->bytecode, end, &spot); end = r.end) {
		r = perf_map_ranges_get(&m->bytecode, spot);
		if (!codemap_find_bytecode(m, r.start) == !r.of_several)
			abort();
	}
}

/* The first byte says how to read, the second how large a block is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct codemap_range range = { 0x20000, 0x7fffffff0000 };
	static const struct codemap_ranges exec = { &range, 1 };
	struct perf_map_opts o = { .pid = 1 };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct diag diag = { 0 };
	struct codemap *m;
	struct err e;

	if (size >= 2) {
		o.exec = data[0] & 1 ? &exec : NULL;
		o.compat_perf = data[0] & 2;
		o.bytecode = data[0] & 4;
		m = codemap_new(frames, &o);
		m->source.size_bytes = size - 2;
		buf_put(&m->source.whole, data + 2, size - 2);
		if (perf_map_read(m, data[1] + 1, &diag, &e))
			abort();
		check_ranges(&m->code);
		check_ranges(&m->bytecode);
		if (m->tree)
			codemap_find(m, 0x20000, (struct moment){ 0, 0 }, &(struct validity){ 0 });
		else
			check_names(m);
		codemap_free(m);
	}
	frames_free(frames);
	strtab_free(strings);
	return 0;
}
