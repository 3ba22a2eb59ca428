/*
 * world_for_test.h - small worlds, and short ways to ask them
 *
 *	struct world_bed *f = *state;
 *
 *	map(f, 0, 7, 0x1000, 0x1000, "/bin/a");		at 0 ms, process 7
 *	fork_process(f, 10, 7, 8);
 *	world_freeze(f->w);
 *	assert_string_equal(path(f, 8, 0x1010, 20), "/bin/a");
 *
 * Times are in milliseconds; positions count up as records are added. Each look-up checks that the
 * moment asked for is within the validity of the answer, which is left in f->valid.
 *
 * Owns: struct world_bed, made by set_up(), freed by tear_down(). Threads: one.
 */
#ifndef PERFOLD_PROCESS_WORLD_WORLD_FOR_TEST_H
#define PERFOLD_PROCESS_WORLD_WORLD_FOR_TEST_H

#include "process/world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#define MS UINT64_C(1000000)

struct world_bed {
	struct strtab *strings;
	struct modules *modules;
	struct world *w;
	uint64_t position;
	struct validity valid; /* of the last look-up */
};

static inline int bed_set_up(void **state, bool compat_perf)
{
	struct world_bed *f = calloc(1, sizeof(*f));

	f->strings = strtab_new();
	f->modules = modules_new();
	f->w = world_new(f->strings, f->modules, compat_perf);
	*state = f;
	return 0;
}

static inline int set_up(void **state)
{
	return bed_set_up(state, false);
}

static inline int set_up_compat(void **state)
{
	return bed_set_up(state, true);
}

static inline int tear_down(void **state)
{
	struct world_bed *f = *state;

	world_free(f->w);
	modules_free(f->modules);
	strtab_free(f->strings);
	free(f);
	return 0;
}

/* ---- records ------------------------------------------------------------------------------ */

static inline struct moment now(struct world_bed *f, unsigned ms)
{
	return (struct moment){ ms * MS, ++f->position };
}

static inline void map_as(struct world_bed *f, unsigned ms, int32_t pid, int32_t tid,
	uint64_t start, uint64_t length, const char *path)
{
	world_add_mmap(f->w, now(f, ms),
		&(struct world_mmap){ .pid = pid,
			.tid = tid,
			.start = start,
			.length = length,
			.executable = true,
			.path = span_of(path) });
}

static inline void map(struct world_bed *f, unsigned ms, int32_t pid, uint64_t start,
	uint64_t length, const char *path)
{
	map_as(f, ms, pid, pid, start, length, path);
}

static inline void comm(
	struct world_bed *f, unsigned ms, int32_t pid, int32_t tid, const char *name)
{
	world_add_comm(f->w, now(f, ms), pid, tid, span_of(name), false);
}

static inline void exec(struct world_bed *f, unsigned ms, int32_t pid, const char *name)
{
	world_add_comm(f->w, now(f, ms), pid, pid, span_of(name), true);
}

static inline void fork_process(struct world_bed *f, unsigned ms, int32_t ppid, int32_t pid)
{
	world_add_fork(f->w, now(f, ms), pid, ppid, pid, ppid, false);
}

static inline void fork_thread(
	struct world_bed *f, unsigned ms, int32_t pid, int32_t ptid, int32_t tid)
{
	world_add_fork(f->w, now(f, ms), pid, pid, tid, ptid, false);
}

static inline void leave(struct world_bed *f, unsigned ms, int32_t pid, int32_t tid)
{
	world_add_exit(f->w, now(f, ms), pid, tid);
}

static inline void map_kernel(struct world_bed *f, unsigned ms, uint64_t start, uint64_t length,
	uint64_t offset, const char *file)
{
	world_add_mmap(f->w, now(f, ms),
		&(struct world_mmap){ .pid = -1,
			.kernel = true,
			.start = start,
			.length = length,
			.file_offset = offset,
			.executable = true,
			.path = span_of(file) });
}

static inline void ksymbol(struct world_bed *f, unsigned ms, uint64_t address, uint32_t length,
	bool unregister, const char *symbol)
{
	world_add_ksymbol(f->w, now(f, ms), address, length, 1, unregister, span_of(symbol));
}

/* ---- answers ------------------------------------------------------------------------------ */

/* After all records of its millisecond. */
static inline struct moment at(unsigned ms)
{
	return (struct moment){ ms * MS, UINT64_MAX };
}

static inline struct world_thread thread(struct world_bed *f, int32_t pid, int32_t tid, unsigned ms)
{
	struct world_thread t = world_find_thread(f->w, pid, tid, at(ms), &f->valid);

	assert_true(validity_holds(f->valid, at(ms)));
	return t;
}

static inline const char *name(struct world_bed *f, int32_t pid, int32_t tid, unsigned ms)
{
	return strtab_str(f->strings, thread(f, pid, tid, ms).name);
}

static inline const char *process(struct world_bed *f, int32_t pid, int32_t tid, unsigned ms)
{
	return strtab_str(f->strings, thread(f, pid, tid, ms).process);
}

static inline const struct module *module(struct world_bed *f, struct world_place p)
{
	return modules_get(f->modules, p.module);
}

static inline struct world_place place(
	struct world_bed *f, int32_t pid, int32_t tid, uint64_t address, unsigned ms)
{
	space_id space = thread(f, pid, tid, ms).space;
	struct world_place p = world_find_user(f->w, space, address, at(ms), &f->valid);

	assert_true(validity_holds(f->valid, at(ms)));
	return p;
}

/* The path mapped there for the leader of the process; "" where nothing is. */
static inline const char *path(struct world_bed *f, int32_t pid, uint64_t address, unsigned ms)
{
	return strtab_str(f->strings, module(f, place(f, pid, pid, address, ms))->path);
}

static inline struct world_place kernel_place(struct world_bed *f, uint64_t address, unsigned ms)
{
	struct world_place p = world_find_kernel(f->w, address, at(ms), &f->valid);

	assert_true(validity_holds(f->valid, at(ms)));
	return p;
}

/* As perf prints it. */
static inline const char *kernel_shown(struct world_bed *f, uint64_t address, unsigned ms)
{
	return strtab_str(f->strings, module(f, kernel_place(f, address, ms))->shown);
}

/* ---- cost ------------------------------------------------------------------------------- */

/* What is quadratic takes minutes or hours; sanitizers, and an emulator, make all 5 to 15 times
 * slower. */
#if defined(PERFOLD_SANITIZED) || defined(PERFOLD_EMULATED) || !defined(__OPTIMIZE__)
enum { BULK_SECONDS = 20 };
#else
enum { BULK_SECONDS = 2 };
#endif

/* CPU time of this process. */
static inline double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
