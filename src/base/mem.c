#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void out_of_memory(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		fprintf(stderr,
			"perfold: out of memory: limited to %llu MB (--max-memory, ulimit -d)\n",
			(unsigned long long)limit.rlim_cur >> 20);
	else
		fputs("perfold: out of memory\n", stderr);
	exit(1);
}

void *xchecked(void *p)
{
	if (!p)
		out_of_memory();
	return p;
}

/* Large memory gets touched all over: faulting it in by 4 KiB took a tenth of a run's time. A
 * system that has no large pages, or gives none, just says no. */
static void ask_for_large_pages(void *p, size_t size_bytes)
{
	enum { LARGE_BYTES = 4 << 20, PAGE_BYTES = 4096 };

	/* The whole mapping: realloc() can only move one that is all of one kind. */
	if (size_bytes >= LARGE_BYTES && p) {
		uintptr_t from = (uintptr_t)p / PAGE_BYTES * PAGE_BYTES;
		uintptr_t to = ((uintptr_t)p + size_bytes + PAGE_BYTES - 1) / PAGE_BYTES;

		madvise((void *)from, to * PAGE_BYTES - from, MADV_HUGEPAGE);
	}
}

static void *checked_large(void *p, size_t size_bytes)
{
	ask_for_large_pages(xchecked(p), size_bytes);
	return p;
}

void *mem_try(size_t size_bytes)
{
	void *p = malloc(size_bytes ? size_bytes : 1);

	ask_for_large_pages(p, size_bytes);
	return p;
}

void *xmalloc(size_t size_bytes)
{
	return checked_large(malloc(size_bytes ? size_bytes : 1), size_bytes);
}

void *xcalloc(size_t n, size_t size_bytes)
{
	return checked_large(
		n && size_bytes ? calloc(n, size_bytes) : calloc(1, 1), n * size_bytes);
}

void *xcalloc_apart(size_t n, size_t size_bytes)
{
	size_t bytes, whole;
	void *p = NULL;

	if (!__builtin_mul_overflow(n, size_bytes, &bytes) &&
		!__builtin_add_overflow(bytes, MEM_APART_BYTES, &whole))
		p = aligned_alloc(MEM_APART_BYTES, whole / MEM_APART_BYTES * MEM_APART_BYTES);
	if (p)
		memset(p, 0, bytes);
	return xchecked(p);
}

void *xrealloc(void *p, size_t size_bytes)
{
	return checked_large(realloc(p, size_bytes ? size_bytes : 1), size_bytes);
}

void *xreallocarray(void *p, size_t n, size_t size_bytes)
{
	return checked_large(
		n && size_bytes ? reallocarray(p, n, size_bytes) : realloc(p, 1), n * size_bytes);
}

void *xmemdup(const void *p, size_t size_bytes)
{
	void *copy = xmalloc(size_bytes);

	if (size_bytes)
		memcpy(copy, p, size_bytes);
	return copy;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	return xchecked(vasprintf(&s, fmt, ap) < 0 ? NULL : s);
}

size_t mem_next_capacity(size_t cap, size_t need, size_t most)
{
	size_t next = cap < 16 ? 16 : cap + cap / 2;

	if (need > most)
		out_of_memory();
	if (next > most)
		next = most;
	return next < need ? need : next;
}

size_t mem_far_need(size_t n, size_t most)
{
	enum { MANY = 1 << 15, TIMES = 8 };

	if (n < MANY || n >= most)
		return n + 1;
	return n < most / TIMES ? n * TIMES : most;
}
