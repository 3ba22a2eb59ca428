/*
 * buf.h - a growing array of bytes
 *
 * Owns: p. Threads: one at a time. A zeroed struct is an empty buffer.
 */
#ifndef PERFOLD_BASE_BUF_H
#define PERFOLD_BASE_BUF_H

#include "base/span.h"

struct buf {
	char *p;
	size_t n, cap;
};

void buf_reserve(struct buf *b, size_t more_bytes);
void buf_put(struct buf *b, const void *p, size_t n);
void buf_put_span(struct buf *b, struct span s);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The content with a NUL after it, which n does not count; valid until the next change. */
const char *buf_str(struct buf *b);
void buf_release(struct buf *b);

static inline struct span buf_span(const struct buf *b)
{
	return (struct span){ b->p, b->n };
}

#endif
