/*
 * trace_format_for_test.h - sections TRACING_DATA for tests
 *
 *	section_begin(&b, big_endian, 1);
 *	section_add(&b, big_endian, "sched", "name: sched_switch\nID: 372\nformat:\n...", n);
 */
#ifndef PERFOLD_TRACE_TRACE_FORMAT_FOR_TEST_H
#define PERFOLD_TRACE_TRACE_FORMAT_FOR_TEST_H

#include "base/buf.h"

#include <string.h>

static inline void section_put(struct buf *b, bool big_endian, uint64_t v, unsigned bytes)
{
	unsigned i;

	for (i = 0; i < bytes; i++)
		buf_putc(b, (char)(v >> 8 * (big_endian ? bytes - 1 - i : i)));
}

static inline void section_put_sized(
	struct buf *b, bool big_endian, const char *text, size_t text_bytes)
{
	section_put(b, big_endian, text_bytes, 8);
	buf_put(b, text, text_bytes);
}

/* Longs have 8 bytes. */
static inline void section_begin(struct buf *b, bool big_endian, uint32_t n_systems)
{
	b->n = 0;
	buf_put(b,
		"\x17\x08"
		"Dtracing0.6",
		14);
	buf_putc(b, big_endian);
	buf_putc(b, 8);
	section_put(b, big_endian, 4096, 4);
	buf_put(b, "header_page", 12);
	section_put_sized(b, big_endian, "page", 4);
	buf_put(b, "header_event", 13);
	section_put_sized(b, big_endian, "event", 5);
	section_put(b, big_endian, 0, 4);
	section_put(b, big_endian, n_systems, 4);
}

/* A system with one format. */
static inline void section_add(
	struct buf *b, bool big_endian, const char *system, const char *text, size_t text_bytes)
{
	buf_put(b, system, strlen(system) + 1);
	section_put(b, big_endian, 1, 4);
	section_put_sized(b, big_endian, text, text_bytes);
}

#endif
