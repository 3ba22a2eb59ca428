/*
 * Fuzz entry for perf maps: ranges must be in order and disjoint, and the name of every range must
 * be found again, however the bytes are cut into blocks.
 */
#include "jit/codemap.h"
#include "jit/jit_load_for_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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
		if (!codemap_find_bytecode(m, r.start) == !r.ambiguous)
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
	char path[64];
	int fd = memfd_create("map", 0);

	if (size >= 2 && fd >= 0) {
		o.exec = data[0] & 1 ? &exec : NULL;
		o.compat_perf = data[0] & 2;
		o.bytecode = data[0] & 4;
		o.block_bytes = data[1] + 1u;
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (write(fd, data + 2, size - 2) != (ssize_t)size - 2 ||
			load_map_at(path, &m, frames, &diag, &o, &e))
			abort();
		check_ranges(&m->code);
		check_ranges(&m->bytecode);
		if (m->tree)
			codemap_find(m, 0x20000, (struct moment){ 0, 0 }, &(struct validity){ 0 });
		else
			check_names(m);
		codemap_free(m);
	}
	close(fd);
	frames_free(frames);
	strtab_free(strings);
	return 0;
}
