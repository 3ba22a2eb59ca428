#include "input/perfdata/file_header.h"

#include "base/cursor.h"
#include "base/counted.h"
#include "input/perfdata/perfdata.h"

#include <inttypes.h>

enum {
	HEADER_BYTES = 104,
	HEADER_BYTES_OLD = 72, /* without the bits of features */
	HEADER_BYTES_PIPE = 16,
	ATTR_ENTRY_MIN_BYTES = 64 + 16,
};

/* The second is a number, of which a big-endian machine writes the last character first. */
static const struct span magic = { "PERFILE2", 8 };
static const struct span magic_big_endian = { "2ELIFREP", 8 };
static const struct span magic_v1 = { "PERFFILE", 8 };

bool perfdata_sniff(struct span head)
{
	return span_starts(head, magic) || span_starts(head, magic_big_endian) ||
	       span_starts(head, magic_v1);
}

bool file_header_section_fits(struct file_section s, uint64_t file_bytes)
{
	return s.offset <= file_bytes && s.size_bytes <= file_bytes - s.offset;
}

static int check_magic(struct file_header *h, const struct file *f, struct span head, struct err *e)
{
	if (head.n == 0)
		return err_set(e, ERR_FORMAT, "%s: is empty", f->path);
	if (!perfdata_sniff(head))
		return err_set(e, ERR_FORMAT,
			"%s: is not a perf.data file: does not begin with PERFILE2", f->path);
	if (head.n < HEADER_BYTES_PIPE)
		return err_set(e, ERR_FORMAT, "%s: ends in its header, after %zu %s", f->path,
			head.n, counted(head.n, "byte", "bytes"));
	h->first_version = span_starts(head, magic_v1);
	/* The first version does not say; but only the low bytes of its size are set. */
	if (h->first_version)
		h->swapped = bytes_u64((const uint8_t *)head.p + 8, false) > UINT32_MAX;
	else
		h->swapped = span_starts(head, HOST_IS_BIG_ENDIAN ? magic : magic_big_endian);
	return OK;
}

static int check_size(const struct file *f, uint64_t size, size_t there, struct err *e)
{
	if (size != HEADER_BYTES_OLD && size < HEADER_BYTES)
		return err_set(e, ERR_FORMAT, "%s: header of %" PRIu64 " bytes, not %d", f->path,
			size, HEADER_BYTES);
	if (there < HEADER_BYTES_OLD || (size >= HEADER_BYTES && there < HEADER_BYTES))
		return err_set(e, ERR_FORMAT, "%s: ends in its header, after %zu %s", f->path,
			there, counted(there, "byte", "bytes"));
	return OK;
}

static struct file_section decode_section(struct cursor *c)
{
	uint64_t offset = cursor_u64(c);

	return (struct file_section){ offset, cursor_u64(c) };
}

static bool has_hostname(const struct file_header *h)
{
	return h->features[0] >> FEATURE_HOSTNAME & 1;
}

/* The bits are an array of long, which has 4 bytes on some machines. Where such a machine is
 * big-endian, the halves of each 8 bytes change places. perf itself tells by the bit of HOSTNAME,
 * which every perf sets; without it, perf trusts only BUILD_ID. */
static void decode_features(struct file_header *h, const uint8_t *p)
{
	size_t i;

	for (i = 0; i < 4; i++)
		h->features[i] = bytes_u64(p + 8 * i, h->swapped);
	if (h->swapped == HOST_IS_BIG_ENDIAN || has_hostname(h))
		return;
	for (i = 0; i < 4; i++)
		h->features[i] = (uint64_t)bytes_u32(p + 8 * i + 4, h->swapped) << 32 |
				 bytes_u32(p + 8 * i, h->swapped);
	if (has_hostname(h))
		return;
	memset(h->features, 0, sizeof(h->features));
	h->features[0] = 1 << FEATURE_BUILD_ID;
}

static int check_sections(
	const struct file_header *h, const struct file *f, uint64_t header_bytes, struct err *e)
{
	if (h->attrs.size_bytes && h->attr_bytes < ATTR_ENTRY_MIN_BYTES)
		return err_set(e, ERR_FORMAT, "%s: attributes of %" PRIu64 " bytes, fewer than %d",
			f->path, h->attr_bytes, ATTR_ENTRY_MIN_BYTES);
	if (h->attrs.size_bytes && !file_header_section_fits(h->attrs, f->size_bytes))
		return err_set(e, ERR_FORMAT, "%s: attributes at 0x%" PRIx64 " end beyond the file",
			f->path, h->attrs.offset);
	/* An offset of 0 with nothing there is a recording that was killed at once. */
	if (h->data.offset < header_bytes && (h->data.offset || h->data.size_bytes))
		return err_set(e, ERR_FORMAT, "%s: records at 0x%" PRIx64 ", inside the header",
			f->path, h->data.offset);
	return OK;
}

int file_header_read(struct file_header *h, const struct file *f, struct err *e)
{
	uint8_t head[HEADER_BYTES];
	struct cursor c = { .p = head };
	const uint8_t *features;
	uint64_t size;

	*h = (struct file_header){ 0 };
	if (file_read_some_at(f, head, sizeof(head), 0, &c.left, e) ||
		check_magic(h, f, (struct span){ (const char *)head, c.left }, e))
		return e->code;
	c.swapped = h->swapped;
	cursor_bytes(&c, magic.n);
	size = cursor_u64(&c);
	if (size == HEADER_BYTES_PIPE) {
		h->pipe = true;
		h->data.offset = HEADER_BYTES_PIPE;
		return OK;
	}
	if (check_size(f, size, c.left + HEADER_BYTES_PIPE, e))
		return e->code;
	h->attr_bytes = cursor_u64(&c);
	h->attrs = decode_section(&c);
	h->data = decode_section(&c);
	decode_section(&c); /* names of event types: perf has EVENT_DESC instead */
	features = size >= HEADER_BYTES ? cursor_bytes(&c, sizeof(h->features)) : NULL;
	if (features)
		decode_features(h, features);
	return check_sections(h, f, size, e);
}
