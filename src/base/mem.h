/*
 * mem.h - allocation that does not fail
 *
 * The x-functions never return NULL: out of memory prints one line and exits with status 1, the
 * only exit outside main. No size taken from a file may reach them unchecked; sizes that come
 * from counts use the two-argument forms, which refuse an overflow.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_MEM_H
#define PERFOLD_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

void *xmalloc(size_t size_bytes);
void *xcalloc(size_t n, size_t size_bytes);
/* The same, in cache lines that hold nothing else: what one thread writes all the time, while
 * another one reads what is beside it. Structs of several threads in one array begin with
 * MEM_APART, too. Processors fetch lines in pairs. */
void *xcalloc_apart(size_t n, size_t size_bytes);
#define MEM_APART_BYTES 128
#define MEM_APART       _Alignas(MEM_APART_BYTES)
/* libiberty calls some functions by these names too; where they are missing it brings its own
 * xrealloc(), and second definitions of the rest with it. */
void *xrealloc(void *p, size_t size_bytes);
void *xreallocarray(void *p, size_t n, size_t size_bytes);
void *xmemdup(const void *p, size_t size_bytes);
char *xstrdup(const char *s);
/* As xmalloc(), or NULL: for what may be too large and is not essential. */
void *mem_try(size_t size_bytes);
/* Returns p, memory that a library has allocated; exits if it is NULL. */
void *xchecked(void *p);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* A capacity for at least need elements where there is one for cap: half as much again each time,
 * up to most. To need more than that is to be out of memory. */
size_t mem_next_capacity(size_t cap, size_t need, size_t most);

/* Make room for one more element in the array p of n elements, cap of them allocated. cap is of an
 * unsigned type, which bounds it. */
#define ARRAY_GROW(p, n, cap) ARRAY_RESERVE(p, (size_t)(n) + 1, cap)
#define ARRAY_RESERVE(p, need, cap)                                                                \
	do {                                                                                       \
		if ((size_t)(need) > (size_t)(cap)) {                                              \
			(cap) = (__typeof__(cap))mem_next_capacity(                                \
				(cap), (need), (__typeof__(cap))-1);                               \
			(p) = xreallocarray((p), (cap), sizeof(*(p)));                             \
		}                                                                                  \
	} while (0)

/* Likewise, for an array that may get millions of elements: once they are many there is room for
 * eight times as many, up to most. Memory that is not touched costs nothing, but each move to a
 * larger place breaks up the large pages that an array has. */
size_t mem_far_need(size_t n, size_t most);
#define ARRAY_GROW_FAR(p, n, cap, most)                                                            \
	do {                                                                                       \
		if ((n) == (cap))                                                                  \
			ARRAY_RESERVE(p, mem_far_need((n), (most)), cap);                          \
	} while (0)

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
