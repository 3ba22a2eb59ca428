/*
 * spill.c - copies of pipes and of compressed files
 *
 *	original -- from_next(): 256 KiB --> copy, gunzip, unzstd or unxz -- to_write() --> copy
 *
 * The copy begins in memory (memfd_create(2)): most recordings of a fleet are small, and a
 * container may have no disk to write to. Once it is larger than 16 MiB it moves to the disk. There
 * it is an O_TMPFILE, or a file that is unlinked as soon as it is open, so nothing is left behind
 * however the program ends. Where no file can be created it stays in memory, compressed, up to half
 * a gigabyte (base/packed_bytes.h).
 *
 * Two limits are checked before each write: --spill-limit, and for compressed files 1000 times the
 * bytes read so far, once the copy exceeds 64 MiB.
 *
 * A file that is cut off or damaged is used up to that point, and counted as DIAG_BAD_PACKING; only
 * one of which nothing can be decoded is an error.
 *
 * Source: RFC 1952 (gzip), RFC 8878 (zstd), lzma/container.h (xz), open(2) on O_TMPFILE.
 */
#include "input/spill.h"

#include "base/counted.h"
#include "base/mem.h"
#include "base/packed_bytes.h"
#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum {
	CHUNK_BYTES = 256 << 10,
	MEMORY_BYTES = 16 << 20, /* of a copy, before it moves to the disk */
};
static const uint64_t PACKED_BYTES = (uint64_t)512 << 20; /* of a copy without a disk */

/* Against decompression bombs: gzip shrinks data up to 1032 times, zstd up to 40000 times, xz up to
 * 7000; files of perf shrink up to 10 times, and dumps of empty stacks up to 300 times. */
static const uint64_t RATIO_FREE_BYTES = (uint64_t)64 << 20;
enum { RATIO_MAX = 1000 };
/* xz -9 needs 65 MiB; a header may ask for 4 GiB. */
static const uint64_t XZ_MEMORY_BYTES = (uint64_t)256 << 20;

/* ---- the original ---- */

struct spill_from {
	const struct file *file;
	struct span head; /* of a pipe: the bytes that were read before */
	uint64_t read_bytes;
	uint8_t *chunk; /* CHUNK_BYTES */
	size_t n;       /* bytes in it */
};

/* The next chunk; none at the end. */
static int from_next(struct spill_from *f, struct err *e)
{
	ssize_t k;

	f->n = 0;
	if (S_ISREG(f->file->st.st_mode)) {
		if (file_read_some_at(f->file, f->chunk, CHUNK_BYTES, f->read_bytes, &f->n, e))
			return e->code;
	} else if (f->head.n) {
		f->n = f->head.n < CHUNK_BYTES ? f->head.n : CHUNK_BYTES;
		memcpy(f->chunk, f->head.p, f->n);
		f->head = span_skip(f->head, f->n);
	} else {
		do
			k = read(f->file->fd, f->chunk, CHUNK_BYTES);
		while (k < 0 && errno == EINTR);
		if (k < 0)
			return err_errno(e, "%s", f->file->path);
		f->n = (size_t)k;
	}
	f->read_bytes += f->n;
	return OK;
}

/* ---- the copy ---- */

struct spill_to {
	int fd;                      /* -1: none */
	bool in_memory;              /* still */
	struct packed_bytes *packed; /* NULL: fd has the bytes */
	const char *dir;
	const char *path; /* of the original */
	uint64_t written_bytes, limit_bytes;
	const struct spill_from *decompressed_from; /* NULL: as it came */
};

const char *spill_dir_in_memory(void)
{
	const char *dir = scratch_parent();

	return scratch_is_in_memory(dir) ? dir : NULL;
}

static int open_unnamed(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *path;

	if (fd >= 0)
		return fd;
	/* Not every file system has O_TMPFILE. */
	path = xasprintf("%s/perfold-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

static void open_on_disk(struct spill_to *t)
{
	t->in_memory = false;
	t->fd = open_unnamed(t->dir);
	if (t->fd < 0)
		t->packed = packed_bytes_new();
}

static void to_open(struct spill_to *t)
{
	t->dir = scratch_parent();
	t->fd = memfd_create("perfold", MFD_CLOEXEC);
	t->in_memory = t->fd >= 0;
	if (!t->in_memory)
		open_on_disk(t);
}

static int check_limits(const struct spill_to *t, size_t more_bytes, struct err *e)
{
	uint64_t n = t->written_bytes + more_bytes;

	if (t->limit_bytes && n > t->limit_bytes)
		return err_set(e, ERR_LIMIT,
			"%s: its copy would exceed %" PRIu64 " bytes: raise --spill-limit", t->path,
			t->limit_bytes);
	if (t->decompressed_from && n > RATIO_FREE_BYTES &&
		n / RATIO_MAX > t->decompressed_from->read_bytes)
		return err_set(e, ERR_LIMIT,
			"%s: unpacks to more than %d times its size: unpack it yourself if that "
			"is right",
			t->path, RATIO_MAX);
	return OK;
}

static int add_packed(struct spill_to *t, const void *p, size_t n, struct err *e)
{
	if (!packed_bytes_add(t->packed, p, n, PACKED_BYTES)) {
		err_set(e, ERR_IO,
			"%s: no copy of it can be made in %s (see TMPDIR), and it does not fit in "
			"%u MiB of memory, compressed",
			t->path, t->dir, (unsigned)(PACKED_BYTES >> 20));
		return err_of_output(e);
	}
	t->written_bytes += n;
	return OK;
}

static int write_all(struct spill_to *t, const void *p, size_t n, struct err *e)
{
	const char *bytes = p;

	if (t->packed)
		return add_packed(t, p, n, e);
	while (n) {
		ssize_t k = write(t->fd, bytes, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			err_errno(e,
				"%s: the copy in %s, which is needed to read it twice, failed "
				"after %" PRIu64 " %s%s (see TMPDIR)",
				t->path, t->dir, t->written_bytes,
				counted(t->written_bytes, "byte", "bytes"),
				scratch_is_in_memory(t->dir) ? ", which lie in memory" : "");
			return err_of_output(e);
		}
		bytes += k;
		n -= (size_t)k;
		t->written_bytes += (uint64_t)k;
	}
	return OK;
}

static int move_to_disk(struct spill_to *t, struct err *e)
{
	const int from = t->fd;
	char *chunk = xmalloc(CHUNK_BYTES);
	ssize_t n = 0;
	int rc = OK;

	open_on_disk(t);
	t->written_bytes = 0;
	while (!rc && (n = file_pread(from, chunk, CHUNK_BYTES, t->written_bytes)) > 0)
		rc = write_all(t, chunk, (size_t)n, e);
	if (!rc && n < 0)
		rc = err_errno(e, "%s: its copy in memory", t->path);
	free(chunk);
	close(from);
	return rc;
}

static int to_write(struct spill_to *t, const void *p, size_t n, struct err *e)
{
	if (check_limits(t, n, e))
		return e->code;
	if (t->in_memory && t->written_bytes + n > MEMORY_BYTES && move_to_disk(t, e))
		return e->code;
	return write_all(t, p, n, e);
}

/* ---- decoders: END where the compressed bytes end, or are damaged (*damaged) ---- */

static int copy(struct spill_from *f, struct spill_to *t, bool *damaged, struct err *e)
{
	(void)damaged;
	if (from_next(f, e))
		return e->code;
	return f->n ? to_write(t, f->chunk, f->n, e) : END;
}

/* gzip files may be concatenated; anything else after one is padding. */
static bool next_member(z_stream *z)
{
	return z->avail_in && *z->next_in == 0x1f && inflateReset(z) == Z_OK;
}

static int gunzip_chunk(z_stream *z, struct spill_to *t, uint8_t *out, bool *ended, struct err *e)
{
	int state;

	do {
		if (*ended && !next_member(z))
			return z->avail_in ? END : OK;
		z->next_out = out;
		z->avail_out = CHUNK_BYTES;
		state = inflate(z, Z_NO_FLUSH);
		*ended = state == Z_STREAM_END;
		if (to_write(t, out, CHUNK_BYTES - z->avail_out, e))
			return e->code;
		if (state != Z_OK && state != Z_BUF_ERROR && !*ended)
			return END;
	} while (z->avail_in || !z->avail_out);
	return OK;
}

static int gunzip(struct spill_from *f, struct spill_to *t, bool *damaged, struct err *e)
{
	z_stream z = { 0 };
	uint8_t *out;
	bool ended = false;
	int rc = OK;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return err_set(e, ERR_LIMIT, "%s: not enough memory to unpack it", t->path);
	out = xmalloc(CHUNK_BYTES);
	while (!rc && !(rc = from_next(f, e)) && f->n) {
		z.next_in = f->chunk;
		z.avail_in = (uInt)f->n;
		rc = gunzip_chunk(&z, t, out, &ended, e);
	}
	*damaged = !ended;
	inflateEnd(&z);
	free(out);
	return rc ? rc : END;
}

static int unzstd_chunk(ZSTD_DStream *z, struct spill_from *f, struct spill_to *t, uint8_t *out,
	bool *ended, struct err *e)
{
	ZSTD_inBuffer in = { f->chunk, f->n, 0 };
	ZSTD_outBuffer to;

	do {
		size_t left;

		to = (ZSTD_outBuffer){ out, CHUNK_BYTES, 0 };
		left = ZSTD_decompressStream(z, &to, &in);
		*ended = left == 0;
		if (ZSTD_isError(left))
			return END;
		if (to_write(t, out, to.pos, e))
			return e->code;
	} while (in.pos < in.size || to.pos == to.size);
	return OK;
}

static int unzstd(struct spill_from *f, struct spill_to *t, bool *damaged, struct err *e)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	uint8_t *out = xmalloc(CHUNK_BYTES);
	bool ended = false;
	int rc = OK;

	while (!rc && !(rc = from_next(f, e)) && f->n)
		rc = unzstd_chunk(z, f, t, out, &ended, e);
	*damaged = !ended;
	ZSTD_freeDStream(z);
	free(out);
	return rc ? rc : END;
}

static int unxz_chunk(lzma_stream *z, struct spill_to *t, uint8_t *out, lzma_action action,
	bool *ended, struct err *e)
{
	lzma_ret state;

	do {
		z->next_out = out;
		z->avail_out = CHUNK_BYTES;
		state = lzma_code(z, action);
		*ended = state == LZMA_STREAM_END;
		if (to_write(t, out, CHUNK_BYTES - z->avail_out, e))
			return e->code;
		if (state != LZMA_OK && state != LZMA_BUF_ERROR)
			return END;
	} while (z->avail_in || !z->avail_out);
	return OK;
}

/* Files may be concatenated; the decoder is told where the last one ends. */
static int unxz(struct spill_from *f, struct spill_to *t, bool *damaged, struct err *e)
{
	lzma_stream z = LZMA_STREAM_INIT;
	bool ended = false;
	uint8_t *out;
	int rc = OK;

	if (lzma_stream_decoder(&z, XZ_MEMORY_BYTES, LZMA_CONCATENATED) != LZMA_OK)
		return err_set(e, ERR_LIMIT, "%s: not enough memory to unpack it", t->path);
	out = xmalloc(CHUNK_BYTES);
	while (!rc && !(rc = from_next(f, e))) {
		z.next_in = f->chunk;
		z.avail_in = f->n;
		rc = unxz_chunk(&z, t, out, f->n ? LZMA_RUN : LZMA_FINISH, &ended, e);
		if (!f->n)
			break;
	}
	*damaged = !ended;
	lzma_end(&z);
	free(out);
	return rc ? rc : END;
}

typedef int (*decoder)(struct spill_from *f, struct spill_to *t, bool *damaged, struct err *e);

static const struct {
	struct span magic;
	decoder decode;
} formats[] = {
	{ { "\x1f\x8b\x08", 3 }, gunzip },
	{ { "\x28\xb5\x2f\xfd", 4 }, unzstd },
	{ { "\3757zXZ\0", 6 }, unxz },
};

static decoder find_decoder(struct span head)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(formats); i++)
		if (span_starts(head, formats[i].magic))
			return formats[i].decode;
	return NULL;
}

static int spill(struct file *out, struct spill_from *f, struct spill_to *t, decoder decode,
	bool *damaged, struct err *e)
{
	int rc;

	*damaged = false;
	to_open(t);
	f->chunk = xmalloc(CHUNK_BYTES);
	while (!(rc = decode(f, t, damaged, e)))
		;
	free(f->chunk);
	if (rc == END && t->packed) {
		file_of_packed(out, t->packed, t->path);
		return OK;
	}
	if (rc == END)
		return file_adopt(out, t->fd, t->path, e);
	packed_bytes_free(t->packed);
	if (t->fd >= 0)
		close(t->fd);
	return rc;
}

int spill_pipe(struct file *out, const struct file *pipe, struct span head, uint64_t limit_bytes,
	struct err *e)
{
	struct spill_from f = { .file = pipe, .head = head };
	struct spill_to t = { .path = pipe->path, .limit_bytes = limit_bytes };
	bool damaged;

	*out = (struct file){ .fd = -1 };
	return spill(out, &f, &t, copy, &damaged, e);
}

bool spill_is_compressed(struct span head)
{
	return find_decoder(head) != NULL;
}

int spill_decompress(struct file *out, const struct file *compressed, struct span head,
	uint64_t limit_bytes, struct diag *d, struct err *e)
{
	struct spill_from f = { .file = compressed, .head = head };
	struct spill_to t = {
		.path = compressed->path, .limit_bytes = limit_bytes, .decompressed_from = &f
	};
	bool damaged;

	*out = (struct file){ .fd = -1 };
	if (spill(out, &f, &t, find_decoder(head), &damaged, e))
		return e->code;
	if (damaged && !t.written_bytes) {
		file_close(out);
		return err_set(
			e, ERR_FORMAT, "%s: is damaged: nothing can be unpacked", compressed->path);
	}
	if (damaged)
		diag_count(d, DIAG_BAD_PACKING, f.read_bytes);
	return OK;
}
