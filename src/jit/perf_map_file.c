#include "jit/perf_map_file.h"

#include "jit/perf_map_ranges.h"

#include <inttypes.h>

enum { SMALL_BYTES = 1024 * 1024 };

#define SIZE_MAX_BYTES (UINT64_C(1) << PERF_MAP_OFFSET_BITS)

static int read_whole(struct perf_map_file *s, struct err *e)
{
	size_t got;

	buf_reserve(&s->whole, (size_t)s->size_bytes);
	if (file_read_some_at(&s->file, s->whole.p, (size_t)s->size_bytes, 0, &got, e))
		return e->code;
	s->whole.n = got;
	s->size_bytes = got;
	file_close(&s->file);
	s->is_open = false;
	return OK;
}

int perf_map_file_adopt(struct perf_map_file *s, struct file *file, struct err *e)
{
	int rc = OK;

	*s = (struct perf_map_file){
		.file = *file, .is_open = true, .size_bytes = file->size_bytes
	};
	*file = (struct file){ .fd = -1 };
	if (s->size_bytes >= SIZE_MAX_BYTES)
		rc = err_set(e, ERR_LIMIT, "%s: %" PRIu64 " bytes are more than 256 GiB",
			s->file.path, s->size_bytes);
	else if (s->size_bytes <= SMALL_BYTES)
		rc = read_whole(s, e);
	if (rc)
		perf_map_file_release(s);
	return rc;
}

void perf_map_file_release(struct perf_map_file *s)
{
	if (s->is_open)
		file_close(&s->file);
	buf_release(&s->whole);
	*s = (struct perf_map_file){ 0 };
}

int perf_map_file_read(const struct perf_map_file *s, char *room, size_t n, uint64_t offset,
	struct span *got, struct err *e)
{
	uint64_t left = offset < s->size_bytes ? s->size_bytes - offset : 0;

	n = left < n ? (size_t)left : n;
	got->p = room;
	if (s->is_open)
		return file_read_some_at(&s->file, room, n, offset, &got->n, e);
	*got = (struct span){ n ? s->whole.p + offset : room, n };
	return OK;
}
