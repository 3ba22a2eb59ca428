/*
 * jitdump_for_test.h - jitdumps made by hand
 *
 * For *_test.c and *_fuzz.c. A dump is begun, records are put into it, and its bytes are written
 * to a file.
 *
 * Owns: a struct test_dump owns its bytes. Threads: one.
 */
#ifndef PERFOLD_JIT_JITDUMP_FOR_TEST_H
#define PERFOLD_JIT_JITDUMP_FOR_TEST_H

#include "base/buf.h"

#define DUMP_FN __attribute__((unused)) static

struct test_dump {
	struct buf b;
	bool swapped;
	uint64_t next_index; /* of code */
};

DUMP_FN void dump_u32(struct test_dump *d, uint32_t v)
{
	v = d->swapped ? __builtin_bswap32(v) : v;
	buf_put(&d->b, &v, sizeof(v));
}

DUMP_FN void dump_u64(struct test_dump *d, uint64_t v)
{
	v = d->swapped ? __builtin_bswap64(v) : v;
	buf_put(&d->b, &v, sizeof(v));
}

DUMP_FN void dump_set_u32(struct test_dump *d, size_t at, uint32_t v)
{
	v = d->swapped ? __builtin_bswap32(v) : v;
	memcpy(d->b.p + at, &v, sizeof(v));
}

DUMP_FN struct test_dump dump_begin(bool swapped, uint32_t pid, uint64_t flags)
{
	struct test_dump d = { .swapped = swapped };

	dump_u32(&d, 0x4a695444);
	dump_u32(&d, 1);
	dump_u32(&d, 40);
	dump_u32(&d, 62); /* EM_X86_64 */
	dump_u32(&d, 0);
	dump_u32(&d, pid);
	dump_u64(&d, 1795246931901786); /* V8: another clock, another unit */
	dump_u64(&d, flags);
	return d;
}

DUMP_FN size_t dump_record(struct test_dump *d, uint32_t id, uint64_t time)
{
	size_t at = d->b.n;

	dump_u32(d, id);
	dump_u32(d, 0);
	dump_u64(d, time);
	return at;
}

DUMP_FN void dump_end(struct test_dump *d, size_t at)
{
	dump_set_u32(d, at + 4, (uint32_t)(d->b.n - at));
}

/* Returns where the record begins. */
DUMP_FN size_t dump_load(
	struct test_dump *d, uint64_t time, uint64_t start, uint64_t size_bytes, const char *name)
{
	size_t at = dump_record(d, 0, time);
	uint64_t i;

	dump_u32(d, 7);
	dump_u32(d, 7);
	dump_u64(d, start);
	dump_u64(d, start);
	dump_u64(d, size_bytes);
	dump_u64(d, d->next_index++);
	buf_put(&d->b, name, strlen(name) + 1);
	for (i = 0; i < size_bytes; i++)
		buf_putc(&d->b, '\xcc');
	dump_end(d, at);
	return at;
}

DUMP_FN void dump_move(struct test_dump *d, uint64_t time, uint64_t from, uint64_t to,
	uint64_t size_bytes, uint64_t index)
{
	size_t at = dump_record(d, 1, time);

	dump_u32(d, 7);
	dump_u32(d, 7);
	dump_u64(d, to);
	dump_u64(d, from);
	dump_u64(d, to);
	dump_u64(d, size_bytes);
	dump_u64(d, index);
	dump_end(d, at);
}

/* Two lines of the code at start: the first is the function's, at address first. */
DUMP_FN void dump_lines_at(
	struct test_dump *d, uint64_t start, uint64_t first, const char *file_name, uint32_t line)
{
	size_t at = dump_record(d, 2, 1);

	dump_u64(d, start);
	dump_u64(d, 2);
	dump_u64(d, first);
	dump_u32(d, line);
	dump_u32(d, 0);
	buf_put(&d->b, file_name, strlen(file_name) + 1);
	dump_u64(d, first + 4);
	dump_u32(d, line + 1);
	dump_u32(d, 0);
	buf_put(&d->b, "\xff", 2); /* the same file */
	dump_end(d, at);
}

DUMP_FN void dump_lines(struct test_dump *d, uint64_t start, const char *file_name, uint32_t line)
{
	dump_lines_at(d, start, start, file_name, line);
}

/* A single line of V8's, with its column. */
DUMP_FN void dump_place(
	struct test_dump *d, uint64_t start, const char *file_name, uint32_t line, uint32_t column)
{
	size_t at = dump_record(d, 2, 1);

	dump_u64(d, start);
	dump_u64(d, 1);
	dump_u64(d, start + 0x40);
	dump_u32(d, line);
	dump_u32(d, column);
	buf_put(&d->b, file_name, strlen(file_name) + 1);
	dump_end(d, at);
}

DUMP_FN void dump_unwinding(struct test_dump *d, const char *header, const char *frames)
{
	size_t at = dump_record(d, 4, 1);

	dump_u64(d, strlen(header) + strlen(frames));
	dump_u64(d, strlen(header));
	dump_u64(d, 0);
	buf_puts(&d->b, header);
	buf_puts(&d->b, frames);
	while (d->b.n % 8)
		buf_putc(&d->b, '\0');
	dump_end(d, at);
}

DUMP_FN void dump_close(struct test_dump *d, uint64_t time)
{
	dump_end(d, dump_record(d, 3, time));
}

#endif
