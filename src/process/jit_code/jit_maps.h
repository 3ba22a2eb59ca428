/*
 * jit_maps.h - the perf maps and jitdumps of all processes of a recording
 *
 * A map belongs to the process that made the code: a forked child that runs code it inherited is
 * looked up in its parent's, because the mapping is the parent's.
 *
 * A process may have a jitdump, which has times, and a perf map, which names what the dump never
 * lists.
 *
 * Owns: the maps. Threads: look up from any once loaded. Private to process/.
 */
#ifndef PERFOLD_PROCESS_JIT_CODE_JIT_MAPS_H
#define PERFOLD_PROCESS_JIT_CODE_JIT_MAPS_H

#include "files/files.h"
#include "jit/jit.h"
#include "model/recording.h"
#include "process/jit_code/jit_hints.h"
#include "process/world/world.h"

struct jit_maps {
	struct jit_process {
		int32_t pid;
		struct codemap *map, *dump; /* owned; NULL: none */
	} * of;                             /* processes with JIT code, in order of pid */
	uint32_t n, cap;
	const struct frames *frames; /* borrowed */
};

struct jit_maps_source {
	struct recording *recording;
	struct perfdata *pd; /* its blocks may be read, and are rewound */
	const struct world *world;
	const struct files *files;
	const struct jit_hints *hints;
	bool compat_perf;    /* maps alone, as perf script uses them */
	bool lines;          /* lines of dumps are wanted */
	bool columns;        /* and columns of V8's */
	bool code_addresses; /* and addresses of the code in them */
	bool has_times;
	bool copied_stacks;
};

/* Find and load the files of processes with JIT code; fills the recording's list of processes. */
void jit_maps_load(struct jit_maps *c, const struct jit_maps_source *from);
void jit_maps_release(struct jit_maps *c);

/* For a process that is in c; false if the file cannot be used. It is taken over in any case. */
bool jit_maps_load_perf_map(struct jit_maps *c, const struct jit_maps_source *from,
	struct process_use *process, struct file *file);
bool jit_maps_load_jitdump(struct jit_maps *c, const struct jit_maps_source *from,
	struct process_use *process, struct file *file);

/* NULL if there is none. */
const struct jit_process *jit_maps_of_process(const struct jit_maps *c, int32_t pid);

/* Give the process's perf map the times of its lines (first_seen.h). */
void jit_maps_set_first_seen(struct jit_maps *c, int32_t pid, const struct codemap_seen *seen);

/* The frame of JIT code that a process made, 0 where nothing names it; *valid says when that
 * holds. */
frame_id jit_maps_find(const struct jit_maps *c, int32_t pid, uint64_t address, struct moment at,
	struct validity *valid);
/* Were several functions there, according to a map without times? */
bool jit_maps_is_ambiguous(const struct jit_maps *c, int32_t pid, uint64_t address);

/* Does a jitdump of the process say how to unwind the code at an address? See jit.h. */
bool jit_maps_find_unwinding(const struct jit_maps *c, int32_t pid, uint64_t address,
	struct moment at, struct validity *valid, struct codemap_unwinding *out, struct buf *b);

#endif
