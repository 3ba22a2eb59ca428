#include "symbolize/code/code_dump.h"

#include "base/cursor.h"

enum { MAGIC = 0x4a695444, HEADER_BYTES = 16, LOAD = 0, LOAD_BYTES = 56 };

static bool read_header(struct code_dump *d)
{
	uint8_t bytes[HEADER_BYTES];
	struct cursor c = { .p = bytes, .left = sizeof(bytes) };
	struct err e;
	uint32_t magic;

	if (file_read_at(&d->file, bytes, sizeof(bytes), 0, &e))
		return false;
	magic = cursor_u32(&c);
	d->swapped = c.swapped = magic == __builtin_bswap32(MAGIC);
	cursor_bytes(&c, 8); /* version, size */
	d->machine = (uint16_t)cursor_u32(&c);
	return magic == MAGIC || d->swapped;
}

bool code_dump_open(struct code_dump *d, const char *path)
{
	struct err e;

	*d = (struct code_dump){ 0 };
	if (file_open_regular(&d->file, path, &e)) {
		d->file = (struct file){ .fd = -1 };
		return false;
	}
	if (read_header(d))
		return true;
	code_dump_close(d);
	return false;
}

void code_dump_close(struct code_dump *d)
{
	if (d->file.path)
		file_close(&d->file);
	arena_release(&d->bytes);
	*d = (struct code_dump){ .file.fd = -1 };
}

/* "1f40@7f1200" */
static bool parse_build(struct span build, uint64_t *record_at, uint64_t *start)
{
	if (!span_scan_hex(&build, record_at) || !build.n || *build.p != '@')
		return false;
	build = span_skip(build, 1);
	return span_scan_hex(&build, start) && !build.n;
}

/* Where the code is in the file: at the end of its record. */
static bool find_code(const struct code_dump *d, uint64_t record_at, uint64_t *at, uint64_t *n)
{
	uint8_t bytes[LOAD_BYTES];
	struct cursor c = { .p = bytes, .left = sizeof(bytes), .swapped = d->swapped };
	uint32_t id, record_bytes;
	struct err e;

	if (record_at > INT64_MAX || file_read_at(&d->file, bytes, sizeof(bytes), record_at, &e))
		return false;
	id = cursor_u32(&c);
	record_bytes = cursor_u32(&c);
	cursor_bytes(&c, 32); /* time, pid, tid, vma, address */
	*n = cursor_u64(&c);
	if (id != LOAD || record_bytes < LOAD_BYTES || *n > record_bytes - LOAD_BYTES)
		return false;
	*at = record_at + record_bytes - *n;
	return true;
}

bool code_dump_read(struct code_dump *d, struct span build, uint64_t address, uint64_t most_bytes,
	struct code_dump_piece *piece)
{
	uint64_t record_at, at;
	unsigned char *bytes;
	struct err e;

	if (!d->file.path || !parse_build(build, &record_at, &piece->start) ||
		!find_code(d, record_at, &at, &piece->size_bytes) ||
		address - piece->start >= piece->size_bytes || piece->size_bytes > most_bytes ||
		at > d->file.size_bytes || piece->size_bytes > d->file.size_bytes - at)
		return false;
	bytes = arena_alloc(&d->bytes, piece->size_bytes);
	if (file_read_at(&d->file, bytes, piece->size_bytes, at, &e))
		return false;
	piece->bytes = bytes;
	return true;
}
