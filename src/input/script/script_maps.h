/*
 * script_maps.h - what was mapped where, by the text of `perf script --show-mmap-events`
 *
 *	PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 fd:01 21244721 0]: r-xp /usr/bin/app
 *	PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 <BUILD-ID>]: r-xp /usr/bin/app
 *	PERF_RECORD_MMAP 7/7: [0x400000(0x1000) @ 0]: x /usr/bin/app
 *	PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0xe00000) @ 0]: x [kernel.kallsyms]_text
 *
 * A mapping holds for what follows it in the text, which perf writes in order of time. Samples are
 * read by workers in any order, so that all mappings are read before, in a pass of their own.
 *
 * What is mapped at an address of a process is its own latest mapping there. Processes that have
 * none there, and samples that do not say which process they are of, get the latest of any process:
 * a fork inherits mappings that are recorded of its parent alone. What is mapped only later counts,
 * if nothing else ever was.
 *
 * Owns: its tables. Borrows: the recording. Threads: read by one; look-ups by any.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_MAPS_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_MAPS_H

#include "input/text/text.h"
#include "model/branch_history.h"
#include "model/overlay.h"

struct script_maps {
	uint64_t *place; /* of each mapping, in order: text_place() */
	uint32_t n;
	struct overlay any, kernel; /* of all processes, and the kernel's own */
	struct script_maps_space {
		int32_t pid;
		struct overlay own;
	} * space; /* by pid */
	uint32_t n_spaces;
};

struct script_mapping {
	int32_t pid; /* -1: the kernel's own */
	uint64_t start, length, file_offset;
	struct build_id build_id;
	bool executable;
	struct span path;
};

/* record: "PERF_RECORD_MMAP2 7/7: ...". False if it is no such line. */
bool script_maps_parse(struct span record, struct script_mapping *m);
bool script_maps_is_mapping(struct span record);

/* Reads all of a text, in the blocks in which it will be read for its samples. */
int script_maps_read(struct script_maps *m, struct recording *r, struct text_reader *t,
	struct pool *pool, struct err *e);
void script_maps_release(struct script_maps *m);

/* The space of a process, for branch_history_begin(); *known: the process has mappings. */
uint32_t script_maps_space_of(const struct script_maps *m, int32_t pid, bool *known);
/* The moment of a sample at that place of the text. */
struct moment script_maps_moment(const struct script_maps *m, uint64_t place);
/* A branch_history_look_up: ctx is a struct script_maps. */
struct branch_place script_maps_find(
	void *ctx, uint64_t address, uint32_t space, struct moment at, struct validity *valid);

#endif
