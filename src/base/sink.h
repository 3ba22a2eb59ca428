/*
 * sink.h - buffered output to a file, standard output or memory
 *
 * Output is compressed on demand. A file appears whole or not at all: it is written without a name
 * in its directory (O_TMPFILE in open(2)), and sink_commit() gives it one. Where a file system does
 * not support that it has a temporary name, and where it replaces another file, it has one for a
 * moment. sink_abort() leaves nothing. A file that is replaced passes on its mode, a symbolic link
 * stays one. Another user's file in a directory with the sticky bit (/tmp) is not replaced: its
 * owner chose its mode, to read what is written. What is no regular file (/dev/null, a FIFO,
 * /dev/stdout) is written in place.
 *
 * Errors are sticky: writers need not check, sink_commit() reports the first. A closed pipe is
 * ERR_OUTPUT with errno_value EPIPE, given that SIGPIPE is ignored. Equal content is compressed to
 * equal bytes.
 *
 * Owns: its buffer, the descriptor, the temporary file. Threads: one at a time.
 */
#ifndef PERFOLD_BASE_SINK_H
#define PERFOLD_BASE_SINK_H

#include "base/buf.h"
#include "base/err.h"

#include <string.h>

/* The rest is private to sink.c. */
struct sink {
	char *at, *end; /* the next byte goes to at */
};

/* The temporary name: process, and number of the file where a directory has several. */
#define SINK_TEMPORARY ".perfold-%d-%u.tmp"

enum sink_compression { SINK_PLAIN, SINK_GZIP, SINK_ZSTD };

/* path "-" is standard output. */
int sink_open(struct sink **out, const char *path, enum sink_compression packing, struct err *e);
/* The same for what holds copies of memory: only this user can read a new file. */
int sink_open_private(
	struct sink **out, const char *path, enum sink_compression packing, struct err *e);
/* Into memory: appends to b, which is borrowed until sink_commit(). */
struct sink *sink_to_buf(struct buf *b);
/* The same, but full() is called before b grows, and may empty it. Once that has failed nothing
 * more is kept. */
typedef int (*sink_full)(void *ctx, struct err *e);
struct sink *sink_through_buf(struct buf *b, sink_full full, void *ctx);
/* If the output is a terminal, control characters and their like are shown as escapes from now on,
 * except ends of lines and tabs: strings of a recording are not to command it. */
void sink_guard_terminal(struct sink *s);
/* Everything is written and, for a file, in its place. Frees the sink, whatever happens. */
int sink_commit(struct sink *s, struct err *e);
/* Give up: no trace remains. Frees the sink. NULL is fine. */
void sink_abort(struct sink *s);

/* Out of line, as it is rare that there is no room. */
void sink_put_slow(struct sink *s, const void *p, size_t n);

/* A picture is millions of short strings, most of them literals. Where this is inlined, the
 * compiler knows their lengths, which saves a third of the time of writing it. */
static inline void sink_put(struct sink *s, const void *p, size_t n)
{
	if (n > (size_t)(s->end - s->at)) {
		sink_put_slow(s, p, n);
	} else if (n) {
		memcpy(s->at, p, n);
		s->at += n;
	}
}

static inline void sink_puts(struct sink *s, const char *text)
{
	sink_put(s, text, strlen(text));
}

static inline void sink_put_span(struct sink *s, struct span text)
{
	sink_put(s, text.p, text.n);
}

static inline void sink_putc(struct sink *s, char c)
{
	sink_put(s, &c, 1);
}

void sink_put_u64(struct sink *s, uint64_t v);
/* As printf() writes "%.1f", "%.2f" (digits: up to 6) and "%.10g", in a tenth of the time for all
 * but odd numbers. */
void sink_put_fixed(struct sink *s, double v, unsigned digits);
void sink_put_double(struct sink *s, double v);
/* Write what was put so far, for a reader that waits for it. Compressed output is not flushed. */
void sink_flush(struct sink *s);
void sink_printf(struct sink *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Overwrite bytes that were put before, n from offset at on. Only of a file that is not compressed
 * and was written from its beginning. */
void sink_patch(struct sink *s, size_t at, const void *p, size_t n);
/* True after a write failed: a long writer may stop early. */
int sink_failed(const struct sink *s);

#endif
