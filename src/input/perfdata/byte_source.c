#include "input/perfdata/byte_source.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

struct file_source {
	struct byte_source base;
	const struct file *file; /* borrowed */
	uint64_t base_position;  /* of offset 0 */
};

static int file_source_read(
	struct byte_source *s, uint8_t *p, size_t n, uint64_t at, size_t *got, struct err *e)
{
	const struct file_source *fs = (const struct file_source *)s;
	uint64_t offset = at - fs->base_position;

	*got = 0;
	if (at >= s->end)
		return OK;
	n = n < s->end - at ? n : (size_t)(s->end - at);
	if (file_read_some_at(fs->file, p, n, offset, got, e))
		return e->code;
	if (*got < n)
		return err_set(e, ERR_IO, "%s: shrank to 0x%" PRIx64 " bytes while it was read",
			fs->file->path, offset + *got);
	return OK;
}

static void file_source_free(struct byte_source *s)
{
	free(s);
}

static const struct byte_source_kind file_source_kind = {
	.read = file_source_read,
	.free = file_source_free,
};

struct byte_source *byte_source_of_file(
	const struct file *f, uint64_t offset, uint64_t size_bytes, uint64_t base)
{
	struct file_source *s = xcalloc(1, sizeof(*s));
	uint64_t there = offset < f->size_bytes ? f->size_bytes - offset : 0;
	uint64_t use = size_bytes && size_bytes < there ? size_bytes : there;

	s->base.kind = &file_source_kind;
	s->base.begin = base + offset;
	s->base.end = base + offset + use;
	s->base.missing_bytes = size_bytes > use ? size_bytes - use : 0;
	s->base.cut = !size_bytes || size_bytes > use;
	s->file = f;
	s->base_position = base;
	return &s->base;
}

void byte_source_shift(struct byte_source *s, uint64_t by)
{
	struct file_source *fs = (struct file_source *)s;

	s->begin += by;
	s->end += by;
	fs->base_position += by;
}

struct byte_source *byte_source_split(struct byte_source *s, uint64_t at)
{
	struct file_source *rest = xmemdup(s, sizeof(struct file_source));

	rest->base.begin = at;
	s->end = at;
	s->missing_bytes = 0;
	s->cut = false;
	return &rest->base;
}
