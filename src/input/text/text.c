/*
 * text.c - a text in blocks of whole units
 *
 * Blocks are made in one of two ways. Of a stream, and where units are more than lines, one buffer
 * is read ahead under the lock, and the block is what precedes its last cut:
 *
 *	ahead: [ unit unit unit un|it ... ]      the block gets the buffer itself; the part of a
 *	                           ^ cut         unit after the cut is copied to a new one
 *
 * Where units are the lines of a regular file, only the last 8 KiB of a block are read under the
 * lock, to find its last newline; the worker then reads the block itself, while others read theirs.
 *
 * A block that has no cut is doubled, up to 64 MiB. Where blocks are cut must not change what is
 * found: all tests of formats read their text in blocks of many sizes.
 */
#include "input/text/text.h"

#include "base/lock.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* A block should still be in the CPU's cache when it is parsed. */
#define DEFAULT_BLOCK ((size_t)512 << 10)
#define UNIT_MAX      ((size_t)64 << 20)
#define TAIL          ((size_t)8 << 10)

size_t text_cut_lines(const char *p, size_t n)
{
	const char *lf = memrchr(p, '\n', n);

	return lf ? (size_t)(lf - p) + 1 : 0;
}

void text_open(struct text_reader *r, const struct file *f, const struct input_head *head,
	text_cut cut, size_t block_bytes)
{
	*r = (struct text_reader){ .file = f, .cut = cut };
	r->block_bytes = block_bytes ? block_bytes : DEFAULT_BLOCK;
	lock_init(&r->lock);
	buf_put_span(&r->ahead, head->bytes);
	r->offset = head->bytes.n;
	r->ended = head->whole;
}

void text_close(struct text_reader *r)
{
	pthread_mutex_destroy(&r->lock);
	buf_release(&r->ahead);
	free(r->lines);
}

/* The kernel keeps the position in a stream, the reader the one in a file. */
static int read_some(struct text_reader *r, char *p, size_t n, size_t *got, struct err *e)
{
	ssize_t k;

	if (S_ISREG(r->file->st.st_mode))
		return file_read_some_at(r->file, p, n, r->offset, got, e);
	do
		k = read(r->file->fd, p, n);
	while (k < 0 && errno == EINTR);
	*got = k > 0 ? (size_t)k : 0;
	return k < 0 ? err_errno(e, "%s", r->file->path) : OK;
}

/* Reads until at least want bytes are ahead, or all there are. */
static int read_ahead(struct text_reader *r, size_t want, struct err *e)
{
	while (!r->ended && r->ahead.n < want) {
		size_t got;

		buf_reserve(&r->ahead, want - r->ahead.n);
		r->failed = read_some(r, r->ahead.p + r->ahead.n, want - r->ahead.n, &got, e);
		if (r->failed)
			return r->failed;
		r->ahead.n += got;
		r->offset += got;
		r->ended = got == 0;
	}
	return OK;
}

int text_peek(struct text_reader *r, size_t want, struct span *bytes, struct err *e)
{
	int rc = read_ahead(r, want, e);

	*bytes = buf_span(&r->ahead);
	return rc;
}

/* The size of the next block; reads on until a whole unit is there. */
static int find_cut(struct text_reader *r, size_t *cut, struct err *e)
{
	size_t want = r->block_bytes, n;

	for (;;) {
		if (read_ahead(r, want, e))
			return e->code;
		n = r->ahead.n < want ? r->ahead.n : want;
		if (n == r->ahead.n && r->ended) {
			*cut = n;
			return OK;
		}
		*cut = r->cut(r->ahead.p, n);
		if (*cut)
			return OK;
		if (want >= UNIT_MAX)
			break;
		want *= 2;
	}
	*cut = n;
	return OK;
}

/* The block gets the buffer with all that was read ahead; what follows the cut is copied back. */
static void fill_block(struct text_reader *r, struct text_block *b, size_t cut)
{
	struct buf whole = r->ahead;

	r->ahead = b->bytes;
	r->ahead.n = 0;
	buf_put(&r->ahead, whole.p + cut, whole.n - cut);
	whole.n = cut;
	progress_add(r->progress, cut);
	b->bytes = whole;
	b->number = r->n_blocks++;
}

/* Do workers read their own blocks? They do where units are lines of a file: the last bytes of a
 * block show where it ends, and the rest need not be read under the lock. */
static bool workers_read(struct text_reader *r)
{
	if (r->ended || r->cut != text_cut_lines || !S_ISREG(r->file->st.st_mode))
		return false;
	r->offset -= r->ahead.n;
	r->ahead.n = 0;
	return true;
}

/* Up to n bytes at an offset; fewer at the end of the file. */
static int read_all(
	const struct text_reader *r, char *p, size_t n, uint64_t at, size_t *got, struct err *e)
{
	size_t some = 1;
	int rc = OK;

	for (*got = 0; *got < n && some && !rc; *got += some)
		rc = file_read_some_at(r->file, p + *got, n - *got, at + *got, &some, e);
	return rc;
}

/* The size of the next block, from its last bytes. */
static int find_end(struct text_reader *r, size_t *n, struct err *e)
{
	size_t tail = r->block_bytes < TAIL ? r->block_bytes : TAIL, got, cut;
	char last[TAIL];

	for (*n = r->block_bytes;; *n *= 2) {
		r->failed = read_all(r, last, tail, r->offset + *n - tail, &got, e);
		if (r->failed)
			return r->failed;
		r->ended = got < tail;
		cut = r->ended ? got : text_cut_lines(last, tail);
		if (r->ended || cut)
			break;
		if (*n >= UNIT_MAX)
			return OK;
	}
	*n -= tail - cut;
	return OK;
}

/* The next block: its end is found under the lock, its bytes are read without it. */
static int read_unlocked(struct text_reader *r, struct text_block *b, struct err *e)
{
	uint64_t at = r->offset;
	size_t n;
	int rc = find_end(r, &n, e);

	if (rc)
		return rc;
	r->offset += n;
	progress_add(r->progress, n);
	b->number = r->n_blocks++;
	pthread_mutex_unlock(&r->lock);
	b->bytes.n = 0;
	buf_reserve(&b->bytes, n);
	rc = read_all(r, b->bytes.p, n, at, &b->bytes.n, e);
	pthread_mutex_lock(&r->lock);
	if (rc)
		r->failed = rc;
	return rc || b->bytes.n ? rc : END;
}

int text_next(struct text_reader *r, struct text_block *b, struct err *e)
{
	size_t cut = 0;
	int rc;

	pthread_mutex_lock(&r->lock);
	/* The worker that failed reports it; the others just stop. */
	if (!r->failed && workers_read(r)) {
		rc = read_unlocked(r, b, e);
	} else {
		rc = r->failed ? END : find_cut(r, &cut, e);
		if (!rc && !cut)
			rc = END;
		if (!rc)
			fill_block(r, b, cut);
	}
	pthread_mutex_unlock(&r->lock);
	return rc;
}

void text_block_release(struct text_block *b)
{
	buf_release(&b->bytes);
}

static void set_lines(struct text_reader *r, uint32_t block, uint32_t lines)
{
	pthread_mutex_lock(&r->lock);
	ARRAY_RESERVE(r->lines, (size_t)block + 1, r->cap_lines);
	r->lines[block] = lines;
	pthread_mutex_unlock(&r->lock);
}

static uint64_t line_number(const struct text_reader *r, uint64_t place)
{
	uint64_t line = (uint32_t)place + UINT64_C(1);
	uint32_t i;

	for (i = 0; i < place >> 32; i++)
		line += r->lines[i];
	return line;
}

void text_merge_diag(const struct text_reader *r, struct diag *into, const struct diag *from)
{
	struct diag d = *from;
	int k;

	for (k = 0; k < DIAG_KINDS; k++)
		if (d.count[k])
			d.first_at[k] = line_number(r, d.first_at[k]);
	diag_merge(into, &d);
}

struct text_run {
	struct text_reader *reader;
	text_parse parse;
	void *const *workers;
};

static int run_worker(void *ctx, unsigned worker, struct err *e)
{
	struct text_run *run = ctx;
	struct text_block block = { { 0 }, 0 };
	int rc;

	while (!(rc = text_next(run->reader, &block, e)))
		set_lines(run->reader, block.number, run->parse(run->workers[worker], &block));
	text_block_release(&block);
	return rc == END ? OK : rc;
}

int text_run(struct text_reader *r, struct pool *pool, text_parse parse, void *const *workers,
	struct err *e)
{
	struct text_run run = { r, parse, workers };

	return pool_run(pool, run_worker, &run, e);
}
