/*
 * A toy code generator (x86-64): functions with a frame pointer that spin, then call one other. The
 * caller names them in a perf-PID.map of its own.
 */
#ifndef JIT_H
#define JIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void (*jit_fn)(void);

static inline unsigned char *jit_arena(void *at, size_t size_bytes)
{
	void *p = mmap(at, size_bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

/* Writes a function of size_bytes (40 or more) at p; the loop takes the first 16 bytes. */
static inline jit_fn jit_emit(unsigned char *p, size_t size_bytes, unsigned rounds, jit_fn callee)
{
	unsigned char *start = p;

	memcpy(p, "\x55\x48\x89\xe5\xb9", 5); /* push rbp; mov rbp, rsp; mov ecx, */
	memcpy(p + 5, &rounds, 4);
	memcpy(p + 9, "\xff\xc9\x75\xfc", 4); /* 1: dec ecx; jnz 1b */
	p += 13;
	if (callee) {
		memcpy(p, "\x48\xb8", 2); /* mov rax, callee; call rax */
		memcpy(p + 2, &callee, 8);
		memcpy(p + 10, "\xff\xd0", 2);
		p += 12;
	}
	memcpy(p, "\x5d\xc3", 2); /* pop rbp; ret */
	p += 2;
	memset(p, 0x90, (size_t)(start + size_bytes - p));
	return (jit_fn)(void *)start;
}

static inline FILE *jit_map_open(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");

	if (!map)
		exit(2);
	setvbuf(map, NULL, _IOLBF, 0);
	return map;
}

static inline void jit_map_add(FILE *map, jit_fn fn, size_t size_bytes, const char *name)
{
	fprintf(map, "%lx %zx %s\n", (unsigned long)fn, size_bytes, name);
}

#endif
