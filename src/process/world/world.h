/*
 * world.h - who ran, and what was mapped where, at every moment
 *
 * Built from the side-band records of a recording (pass 1), then frozen: look-ups change nothing
 * and need no lock. How that is done is at the top of world.c. The rules:
 *
 *  - Records are ordered by struct moment; world_add_*() may be called in any order. Time 0 or ~0
 *    in a recording whose samples have time means "before everything", in file order.
 *  - An address space begins with exec or with a fork, and ends with the last thread of its pid,
 *    at exec, or when a FORK makes the pid again: not with the leader's EXIT. (COMM with
 *    COMM_EXEC marks an exec; maps recorded after it belong to the new space.) A thread or space
 *    that has ended is found until its number is reused: tasks are sampled while they end.
 *  - A fork copies nothing: the child's space refers to its parent's as of the fork.
 *  - A new mapping covers what it overlaps, from its moment on. There are no records of munmap().
 *  - Late maps: if nothing covers an address at its time, the first later mapping of the same
 *    space counts when nothing else ever covered the address or it starts within 10 ms.
 *  - A thread's name belongs to a tid and a time.
 *  - An answer comes with its validity: the moments from which and until which it holds.
 *  - compat_perf: perf keeps the old maps at exec, ends no thread, has no late maps.
 *
 * The parts: model/overlay.h (mappings over one another), spaces.h (forks), threads.h (names,
 * lifetimes), kernel_maps.h, mapper.h (what a path means), build_ids.h.
 *
 * Owns: everything recorded. Borrows: strings, modules. Threads: build from one, look up from any.
 */
#ifndef PERFOLD_PROCESS_WORLD_WORLD_H
#define PERFOLD_PROCESS_WORLD_WORLD_H

#include "jit/jit.h"
#include "model/diag.h"
#include "model/modules.h"
#include "model/stacklog.h"

struct world;

struct world *world_new(struct strtab *strings, struct modules *modules, bool compat_perf);
struct files_opts;

/* To be called before the first mapping: files of a process in a container (files->containers) are
 * distinct from those of others. files is borrowed. */
void world_set_containers(struct world *w, const struct files_opts *files);
void world_free(struct world *w);

struct world_mmap {
	int32_t pid, tid; /* pid -1: the kernel's own map */
	uint64_t start, length, file_offset;
	bool executable;
	bool kernel;  /* recorded with kernel cpumode */
	bool huge;    /* MAP_HUGETLB */
	bool private; /* MAP_PRIVATE; false where that was not recorded */
	struct span path;
	struct build_id build_id;
};

void world_add_mmap(struct world *w, struct moment at, const struct world_mmap *m);
void world_add_comm(
	struct world *w, struct moment at, int32_t pid, int32_t tid, struct span name, bool exec);
void world_add_fork(struct world *w, struct moment at, int32_t pid, int32_t ppid, int32_t tid,
	int32_t ptid, bool synthesized);
void world_add_exit(struct world *w, struct moment at, int32_t pid, int32_t tid);
/* A BPF program or other code that the kernel made; unregister ends it. */
void world_add_ksymbol(struct world *w, struct moment at, uint64_t address, uint32_t length,
	uint16_t type, bool unregister, struct span name);
/* A build-id of the header is for mappings of the path that have none. */
void world_add_build_id(struct world *w, struct span path, bool kernel, const struct build_id *id);

/* No more records; build the look-up structures. */
void world_freeze(struct world *w);

typedef uint32_t space_id; /* 0: no user address space (only the kernel, or the pid is not known) */

struct world_thread {
	str_id name;    /* ":TID" where none was recorded; "swapper" for tid 0 */
	str_id process; /* the leader's name, or the executable's base name */
	space_id space;
	int32_t pid; /* as the thread's records say; else that of the look-up */
};

/* The thread tid of process pid at a moment. */
struct world_thread world_find_thread(
	const struct world *w, int32_t pid, int32_t tid, struct moment at, struct validity *valid);

struct world_place {
	module_id module; /* 0: nothing was mapped there */
	uint64_t rel;     /* see enum module_kind */
	bool executable;
	bool jit_code; /* executable memory that is no file: //anon, [anon:..], /memfd:, ... */
	bool late;     /* by the rule of late maps */
	bool ever_executable; /* some mapping of the address in this space was executable */
	int32_t owner_pid;    /* of the process whose record made the mapping (forks inherit it) */
};

/* What was mapped at a user address of a space. */
struct world_place world_find_user(const struct world *w, space_id space, uint64_t address,
	struct moment at, struct validity *valid);
/* What was at a kernel address: kernel text, a module, a BPF program. */
struct world_place world_find_kernel(
	const struct world *w, uint64_t address, struct moment at, struct validity *valid);

/* The kernel's reference symbol as recorded: name "_text" or "_stext" and its run-time address;
 * false where the recording has no kernel map or the address was hidden. */
bool world_kernel_reference(const struct world *w, str_id *symbol, uint64_t *address);

/* All memory that was ever executable in the process, its own or inherited; the caller frees
 * ranges->range. */
void world_executable_ranges(const struct world *w, int32_t pid, struct codemap_ranges *ranges);

struct world_process {
	int32_t pid;
	str_id name;
	bool jit_code;     /* it mapped executable memory without a file */
	uint64_t begun_ns; /* its latest exec or fork; 0: before the recording, or not known */
};

/* Each process, in order of pid: for `info` and for finding maps. */
typedef void (*world_visit_process)(void *ctx, const struct world_process *p);
void world_visit_processes(const struct world *w, world_visit_process visit, void *ctx);

#endif
