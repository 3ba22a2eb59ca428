/*
 * mem.h - memory that is always there
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
/* libiberty calls some functions of these names too and brings its own xrealloc() otherwise, with
 * second copies of the rest. */
void *xrealloc(void *p, size_t size_bytes);
void *xreallocarray(void *p, size_t n, size_t size_bytes);
void *xmemdup(const void *p, size_t size_bytes);
char *xstrdup(const char *s);
/* The same, or NULL: of what one can do without, as it may be too large. */
void *mem_try(size_t size_bytes);
/* What a library has allocated: the same, never NULL. */
void *xchecked(void *p);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Capacity for at least need elements when cap are there: half as much again each time. */
size_t mem_next_capacity(size_t cap, size_t need);

/* Make room for one more element in the array p of n elements, cap of them allocated. */
#define ARRAY_GROW(p, n, cap) ARRAY_RESERVE(p, (n) + 1, cap)
#define ARRAY_RESERVE(p, need, cap)                                                                \
	do {                                                                                       \
		if ((size_t)(need) > (size_t)(cap)) {                                              \
			(cap) = mem_next_capacity((cap), (need));                                  \
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
