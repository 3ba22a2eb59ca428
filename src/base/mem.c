#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
	if (!p) {
		fputs("perfold: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

void *xmalloc(size_t size_bytes)
{
	return checked(malloc(size_bytes ? size_bytes : 1));
}

void *xcalloc(size_t n, size_t size_bytes)
{
	return checked(calloc(n ? n : 1, size_bytes ? size_bytes : 1));
}

void *xrealloc(void *p, size_t size_bytes)
{
	return checked(realloc(p, size_bytes ? size_bytes : 1));
}

void *xreallocarray(void *p, size_t n, size_t size_bytes)
{
	return checked(reallocarray(p, n ? n : 1, size_bytes ? size_bytes : 1));
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

	return checked(vasprintf(&s, fmt, ap) < 0 ? NULL : s);
}

size_t mem_next_capacity(size_t cap, size_t need)
{
	size_t next = cap < 16 ? 16 : cap + cap / 2;

	return next < need ? need : next;
}
