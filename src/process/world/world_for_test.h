/*
 * world_fixture.h - small worlds for tests
 *
 * Times are in milliseconds; positions count up as records are added. Mappings of code are given
 * by path; an answer is checked by path, offset and bounds of its validity.
 */
#ifndef PERFOLD_PROCESS_WORLD_WORLD_FIXTURE_H
#define PERFOLD_PROCESS_WORLD_WORLD_FIXTURE_H

#include "process/world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define MS UINT64_C(1000000)

struct fixture {
	struct strtab *strings;
	struct modules *modules;
	struct world *w;
	uint64_t position;
	struct validity valid; /* of the last look-up */
};

static inline int fixture_set_up(void **state, bool compat_perf)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->strings = strtab_new();
	f->modules = modules_new();
	f->w = world_new(f->strings, f->modules, compat_perf);
	*state = f;
	return 0;
}

static inline int set_up(void **state)
{
	return fixture_set_up(state, false);
}

static inline int set_up_compat(void **state)
{
	return fixture_set_up(state, true);
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;

	world_free(f->w);
	modules_free(f->modules);
	strtab_free(f->strings);
	free(f);
	return 0;
}

/* ---- records ------------------------------------------------------------------------------ */

static inline struct moment now(struct fixture *f, unsigned ms)
{
	return (struct moment){ ms * MS, ++f->position };
}

static inline void map_as(struct fixture *f, unsigned ms, int32_t pid, int32_t tid, uint64_t start,
	uint64_t length, const char *path)
{
	world_add_mmap(f->w, now(f, ms),
		&(struct world_mmap){ .pid = pid,
			.tid = tid,
			.start = start,
			.length = length,
			.executable = true,
			.path = span_of(path) });
}

static inline void map(struct fixture *f, unsigned ms, int32_t pid, uint64_t start, uint64_t length,
	const char *path)
{
	map_as(f, ms, pid, pid, start, length, path);
}

static inline void comm(struct fixture *f, unsigned ms, int32_t pid, int32_t tid, const char *name)
{
	world_add_comm(f->w, now(f, ms), pid, tid, span_of(name), false);
}

static inline void exec(struct fixture *f, unsigned ms, int32_t pid, const char *name)
{
	world_add_comm(f->w, now(f, ms), pid, pid, span_of(name), true);
}

static inline void fork_process(struct fixture *f, unsigned ms, int32_t ppid, int32_t pid)
{
	world_add_fork(f->w, now(f, ms), pid, ppid, pid, ppid, false);
}

static inline void fork_thread(
	struct fixture *f, unsigned ms, int32_t pid, int32_t ptid, int32_t tid)
{
	world_add_fork(f->w, now(f, ms), pid, pid, tid, ptid, false);
}

static inline void leave(struct fixture *f, unsigned ms, int32_t pid, int32_t tid)
{
	world_add_exit(f->w, now(f, ms), pid, tid);
}

/* ---- answers ------------------------------------------------------------------------------ */

/* Behind all records of its millisecond. */
static inline struct moment at(unsigned ms)
{
	return (struct moment){ ms * MS, UINT64_MAX };
}

static inline struct world_thread thread(struct fixture *f, int32_t pid, int32_t tid, unsigned ms)
{
	struct world_thread t = world_find_thread(f->w, pid, tid, at(ms), &f->valid);

	assert_true(validity_holds(f->valid, at(ms)));
	return t;
}

static inline const char *name(struct fixture *f, int32_t pid, int32_t tid, unsigned ms)
{
	return strtab_str(f->strings, thread(f, pid, tid, ms).name);
}

static inline const char *process(struct fixture *f, int32_t pid, int32_t tid, unsigned ms)
{
	return strtab_str(f->strings, thread(f, pid, tid, ms).process);
}

static inline const struct module *module(struct fixture *f, struct world_place p)
{
	return modules_get(f->modules, p.module);
}

static inline struct world_place place(
	struct fixture *f, int32_t pid, int32_t tid, uint64_t address, unsigned ms)
{
	space_id space = thread(f, pid, tid, ms).space;
	struct world_place p = world_find_user(f->w, space, address, at(ms), &f->valid);

	assert_true(validity_holds(f->valid, at(ms)));
	return p;
}

/* The path mapped there for the leader of the process; "" where nothing is. */
static inline const char *path(struct fixture *f, int32_t pid, uint64_t address, unsigned ms)
{
	return strtab_str(f->strings, module(f, place(f, pid, pid, address, ms))->path);
}

static inline struct world_place kernel_place(struct fixture *f, uint64_t address, unsigned ms)
{
	struct world_place p = world_find_kernel(f->w, address, at(ms), &f->valid);

	assert_true(validity_holds(f->valid, at(ms)));
	return p;
}

/* As perf prints it. */
static inline const char *kernel_shown(struct fixture *f, uint64_t address, unsigned ms)
{
	return strtab_str(f->strings, module(f, kernel_place(f, address, ms))->shown);
}

#endif
