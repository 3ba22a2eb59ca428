/*
 * A jitdump as a runtime writes it: ./jit-PID.dump, mapped executable once so that perf records its
 * path, times of CLOCK_MONOTONIC.
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "jit.h"
#include "phase.h"

static inline void jitdump_u32(FILE *dump, uint32_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static inline void jitdump_u64(FILE *dump, uint64_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static inline FILE *jitdump_open(void)
{
	char path[64];

	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	FILE *dump = fopen(path, "w+");

	if (!dump ||
		mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		exit(2);
	jitdump_u32(dump, 0x4a695444);
	jitdump_u32(dump, 1);
	jitdump_u32(dump, 40);
	jitdump_u32(dump, 62); /* EM_X86_64 */
	jitdump_u32(dump, 0);
	jitdump_u32(dump, (uint32_t)getpid());
	jitdump_u64(dump, phase_now_ns());
	jitdump_u64(dump, 0);
	return dump;
}

static inline void jitdump_begin(FILE *dump, uint32_t id, size_t body_bytes)
{
	jitdump_u32(dump, id);
	jitdump_u32(dump, (uint32_t)(16 + body_bytes));
	jitdump_u64(dump, phase_now_ns());
}

static inline void jitdump_task(FILE *dump)
{
	jitdump_u32(dump, (uint32_t)getpid());
	jitdump_u32(dump, (uint32_t)getpid());
}

static inline void jitdump_load(
	FILE *dump, jit_fn fn, size_t size_bytes, uint64_t index, const char *name)
{
	jitdump_begin(dump, 0, 40 + strlen(name) + 1 + size_bytes);
	jitdump_task(dump);
	jitdump_u64(dump, (uint64_t)fn);
	jitdump_u64(dump, (uint64_t)fn);
	jitdump_u64(dump, size_bytes);
	jitdump_u64(dump, index);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite((void *)fn, size_bytes, 1, dump);
	fflush(dump);
}

static inline void jitdump_move(
	FILE *dump, jit_fn from, jit_fn to, size_t size_bytes, uint64_t index)
{
	jitdump_begin(dump, 1, 48);
	jitdump_task(dump);
	jitdump_u64(dump, (uint64_t)to);
	jitdump_u64(dump, (uint64_t)from);
	jitdump_u64(dump, (uint64_t)to);
	jitdump_u64(dump, size_bytes);
	jitdump_u64(dump, index);
	fflush(dump);
}

#endif
