#include "input/perfdata/layout.h"

#include "input/perfdata/bytes.h"
#include "input/perfdata/perfdata.h"

#include <inttypes.h>

enum {
	HEADER_BYTES = 104,
	HEADER_BYTES_OLD = 72, /* without the bits of features */
	HEADER_BYTES_PIPE = 16,
	ATTR_ENTRY_MIN_BYTES = 64 + 16,
};

static const struct span magic = { "PERFILE2", 8 };
static const struct span magic_swapped = { "2ELIFREP", 8 };
static const struct span magic_v1 = { "PERFFILE", 8 };

bool perfdata_sniff(struct span head)
{
	return span_starts(head, magic) || span_starts(head, magic_swapped) ||
	       span_starts(head, magic_v1);
}

bool section_fits(struct section s, uint64_t file_bytes)
{
	return s.offset <= file_bytes && s.size_bytes <= file_bytes - s.offset;
}

static int check_kind(const struct file *f, struct span head, struct err *e)
{
	if (head.n == 0)
		return err_set(e, ERR_FORMAT, "%s: is empty", f->path);
	if (!perfdata_sniff(head))
		return err_set(e, ERR_FORMAT, "%s: is no perf.data: does not begin with PERFILE2",
			f->path);
	if (span_starts(head, magic_v1))
		return err_set(e, ERR_UNSUPPORTED, "%s: the first version of perf.data (PERFFILE)",
			f->path);
	if (span_starts(head, magic_swapped))
		return err_set(e, ERR_UNSUPPORTED,
			"%s: recorded on a machine of the other byte order", f->path);
	if (head.n < HEADER_BYTES_PIPE)
		return err_set(
			e, ERR_FORMAT, "%s: ends in its header, after %zu bytes", f->path, head.n);
	return OK;
}

static int check_size(const struct file *f, uint64_t size, size_t there, struct err *e)
{
	if (size == HEADER_BYTES_PIPE)
		return err_set(
			e, ERR_UNSUPPORTED, "%s: written to a pipe (perf record -o -)", f->path);
	if (size != HEADER_BYTES_OLD && size < HEADER_BYTES)
		return err_set(e, ERR_FORMAT, "%s: header of %" PRIu64 " bytes, not %d", f->path,
			size, HEADER_BYTES);
	if (there < HEADER_BYTES_OLD || (size >= HEADER_BYTES && there < HEADER_BYTES))
		return err_set(
			e, ERR_FORMAT, "%s: ends in its header, after %zu bytes", f->path, there);
	return OK;
}

static struct section take_section(struct cursor *c)
{
	uint64_t offset = cursor_u64(c);

	return (struct section){ offset, cursor_u64(c) };
}

static int check_sections(
	const struct layout *l, const struct file *f, uint64_t header_bytes, struct err *e)
{
	if (l->attrs.size_bytes && l->attr_bytes < ATTR_ENTRY_MIN_BYTES)
		return err_set(e, ERR_FORMAT, "%s: attributes of %" PRIu64 " bytes, fewer than %d",
			f->path, l->attr_bytes, ATTR_ENTRY_MIN_BYTES);
	if (l->attrs.size_bytes && !section_fits(l->attrs, f->size_bytes))
		return err_set(e, ERR_FORMAT, "%s: attributes at 0x%" PRIx64 " end behind the file",
			f->path, l->attrs.offset);
	/* An offset of 0 with nothing there is a recording that was killed at once. */
	if (l->data.offset < header_bytes && (l->data.offset || l->data.size_bytes))
		return err_set(e, ERR_FORMAT, "%s: records at 0x%" PRIx64 ", inside the header",
			f->path, l->data.offset);
	return OK;
}

int layout_read(struct layout *l, const struct file *f, struct err *e)
{
	uint8_t head[HEADER_BYTES];
	struct cursor c = { head, 0, false, false };
	uint64_t size;
	size_t i;

	*l = (struct layout){ 0 };
	if (file_read_some_at(f, head, sizeof(head), 0, &c.left, e) ||
		check_kind(f, (struct span){ (const char *)head, c.left }, e))
		return e->code;
	c.swapped = l->swapped;
	cursor_take(&c, magic.n);
	size = cursor_u64(&c);
	if (check_size(f, size, c.left + HEADER_BYTES_PIPE, e))
		return e->code;
	l->attr_bytes = cursor_u64(&c);
	l->attrs = take_section(&c);
	l->data = take_section(&c);
	take_section(&c); /* names of event types: perf has EVENT_DESC instead */
	for (i = 0; i < 4 && size >= HEADER_BYTES; i++)
		l->features[i] = cursor_u64(&c);
	return check_sections(l, f, size, e);
}
