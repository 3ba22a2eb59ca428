/*
 * open_fuzz.c - packs whose checksums are right, with any entries
 *
 *	byte 0: bits 0-1 plain, gzip, zstd, xz; bit 2 twice; bit 3 the input is no tar
 *	then for each entry its type, the lengths of name and link (a byte each), the length of the
 *	content (two bytes, little-endian) and these themselves
 *
 * A tar has a sum in each header, and what packs it has one of its own; random changes hardly get
 * past either. Here both are made after the change. Nothing may appear but below the directory that
 * the pack is unpacked into, and that is gone when the input is closed.
 */
#include "input/input.h"

#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BLOCK = 512, ENTRY = 5, ENTRIES_MAX = 64 };

static struct span cut(struct span *from, size_t n)
{
	struct span part = { from->p, n < from->n ? n : from->n };

	*from = span_skip(*from, part.n);
	return part;
}

static void put_text(char *to, size_t room, struct span text)
{
	if (text.n)
		memcpy(to, text.p, text.n < room ? text.n : room);
}

static void put_entry(struct buf *tar, struct span *rest)
{
	const struct span head = cut(rest, ENTRY);
	const unsigned char *h = (const unsigned char *)head.p;
	const struct span name = cut(rest, h[1]), link = cut(rest, h[2]);
	const struct span content = cut(rest, h[3] | (size_t)h[4] << 8);
	char block[BLOCK] = { 0 };
	unsigned sum = 0, i;

	put_text(block, 100, name);
	memcpy(block + 100, "0000644\0000000000\0000000000", 24);
	snprintf(block + 124, 12, "%011zo", content.n);
	memcpy(block + 136, "00000000000", 12);
	memset(block + 148, ' ', 8);
	block[156] = (char)h[0];
	put_text(block + 157, 100, link);
	memcpy(block + 257, "ustar\00000", 8);
	for (i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum);
	buf_put(tar, block, BLOCK);
	buf_put_span(tar, content);
	memset(block, 0, sizeof(block));
	if (content.n % BLOCK)
		buf_put(tar, block, BLOCK - content.n % BLOCK);
}

static void make_tar(struct buf *tar, struct span rest)
{
	const char end[2 * BLOCK] = { 0 };
	unsigned n = 0;

	while (rest.n >= ENTRY && n++ < ENTRIES_MAX)
		put_entry(tar, &rest);
	buf_put(tar, end, sizeof(end));
}

static void pack_gzip(struct buf *out, struct span s)
{
	z_stream z = { .next_in = (Bytef *)s.p, .avail_in = (uInt)s.n };

	if (deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	buf_reserve(out, deflateBound(&z, s.n));
	z.next_out = (Bytef *)out->p;
	z.avail_out = (uInt)out->cap;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	out->n = z.total_out;
	deflateEnd(&z);
}

static void pack_zstd(struct buf *out, struct span s)
{
	buf_reserve(out, ZSTD_compressBound(s.n));
	out->n = ZSTD_compress(out->p, out->cap, s.p, s.n, 1);
}

static void pack_xz(struct buf *out, struct span s)
{
	buf_reserve(out, lzma_stream_buffer_bound(s.n));
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)s.p, s.n,
		    (uint8_t *)out->p, &out->n, out->cap) != LZMA_OK)
		abort();
}

static void pack(struct buf *b, unsigned how)
{
	static void (*const packers[])(
		struct buf *, struct span) = { NULL, pack_gzip, pack_zstd, pack_xz };
	struct buf packed = { 0 };

	if (!packers[how])
		return;
	packers[how](&packed, buf_span(b));
	buf_release(b);
	*b = packed;
}

/* How many entries a directory has that are not hidden. */
static unsigned count(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *entry;
	unsigned n = 0;

	while (d && (entry = readdir(d)))
		n += entry->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

static void open_pack(const char *dir, const struct buf *b)
{
	const struct input_open_opts o = { .spill_limit_bytes = 1 << 20 };
	char *path = xasprintf("%s/input", dir);
	struct input_source s;
	struct diag d = { 0 };
	struct err e = { 0 };
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, b->p, b->n) != (ssize_t)b->n)
		abort();
	close(fd);
	if (input_open(&s, &o, path, &d, &e) == OK) {
		if (s.dir.path && access(s.dir.path, F_OK))
			abort();
		input_close(&s);
	}
	if (count(dir) != 1)
		abort();
	free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data + 1, size - 1 };
	const char *tmpdir = getenv("TMPDIR");
	char *parent = tmpdir ? xstrdup(tmpdir) : NULL, *dir;
	struct buf b = { 0 };
	struct err e;

	if (!size) {
		free(parent);
		return 0;
	}
	if (scratch_make(&dir, NULL, &e) || setenv("TMPDIR", dir, 1))
		abort();
	if (data[0] & 8)
		buf_put_span(&b, rest);
	else
		make_tar(&b, rest);
	pack(&b, data[0] & 3);
	if (data[0] & 4)
		pack(&b, data[0] & 3);
	open_pack(dir, &b);
	if (parent ? setenv("TMPDIR", parent, 1) : unsetenv("TMPDIR"))
		abort();
	free(parent);
	scratch_remove(dir);
	free(dir);
	buf_release(&b);
	return 0;
}
