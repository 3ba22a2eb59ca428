/*
 * interpreted.h - which function the interpreter was running, from copied stacks
 *
 * V8 interprets all functions by the same code, so the addresses on a stack do not tell them
 * apart. But each of its frames holds, at a fixed distance below the frame pointer, a tagged
 * pointer to the bytecode that it runs, and the perf map lists the bytecode of every function
 * (jit.h). Neither the distance nor what lies between pointer and listed address (tag, header) is
 * the same in all versions:
 *
 *	Node.js 12, 14    fp - 0x18    listed 0x35 behind the pointer
 *	16 to 20          fp - 0x20    0x35 to 0x37
 *	22 to 26          fp - 0x20    0x3f
 *
 * So they are measured on the recording itself, before the second pass: the first samples vote.
 * Whether a frame is the interpreter's is known only when its code has a name: see struct site.
 *
 * Owns: its votes; maps are borrowed. Threads: measure by one, find by any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_GENERATED_INTERPRETED_H
#define PERFOLD_PROCESS_GENERATED_INTERPRETED_H

#include "model/recording.h"
#include "process/jit_code/jit_maps.h"
#include "unwind/unwind.h"

struct interpreter {
	struct interpreter_process {
		int32_t pid;
		const struct codemap *map;
		uint32_t *votes;  /* by slot and distance; NULL once settled */
		uint32_t n_votes; /* of all slots and distances */
		uint8_t slot;     /* words below the frame pointer; 0: not known */
		uint8_t ahead_bytes;
	} * of;
	uint32_t n, cap;
};

/* The processes whose maps list bytecode. */
void interpreter_init(struct interpreter *in, const struct jit_maps *maps);
void interpreter_release(struct interpreter *in);

/* A frame of a process: does a slot below its frame pointer hold a pointer to bytecode? */
void interpreter_vote(
	struct interpreter *in, int32_t pid, const struct unwind_memory *memory, uint64_t fp);
/* Have all voted enough? */
bool interpreter_has_votes(const struct interpreter *in);
/* Count the votes; what was found is noted in the recording's list of processes. */
void interpreter_decide(struct interpreter *in, struct recording *r);

/* The function that a frame runs if it is one of the interpreter's; 0: none. */
frame_id interpreter_find(
	const struct interpreter *in, int32_t pid, const struct unwind_memory *memory, uint64_t fp);

#endif
