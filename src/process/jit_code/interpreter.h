/*
 * interpreter.h - the function that an interpreter was running, from user stack dumps
 *
 * V8 interprets all functions with the same code, so they do not differ in the addresses on a
 * stack. But each interpreter frame holds, at a fixed distance below the frame pointer, a tagged
 * pointer to the bytecode that it runs, and the perf map lists the bytecode of every function
 * (jit.h). Both this distance and the bytes between pointer and listed address (tag, header) depend
 * on the version:
 *
 *	Node.js 12, 14    fp - 0x18    listed 0x35 after the pointer
 *	16 to 20          fp - 0x20    0x35 to 0x37
 *	22 to 26          fp - 0x20    0x3f
 *
 * So they are measured on the recording itself, before the second pass: the first samples vote
 * (calibrate.h). Whether a frame is the interpreter's is known only when its code has a name: see
 * struct site.
 *
 * Owns: its votes; maps are borrowed. Threads: vote from one, find from any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_JIT_CODE_INTERPRETER_H
#define PERFOLD_PROCESS_JIT_CODE_INTERPRETER_H

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

/* A frame votes for the slots below its frame pointer that hold a pointer to bytecode. */
void interpreter_vote(
	struct interpreter *in, int32_t pid, const struct unwind_memory *memory, uint64_t fp);
/* Has each process enough votes? */
bool interpreter_has_votes(const struct interpreter *in);
/* Count the votes. The result is also put into the recording's list of processes. */
void interpreter_decide(struct interpreter *in, struct recording *r);

/* The address of the bytecode that a frame runs if it is one of the interpreter's; else any. */
uint64_t interpreter_bytecode(
	const struct interpreter *in, int32_t pid, const struct unwind_memory *memory, uint64_t fp);
/* The function whose bytecode begins at an address; 0: none. */
frame_id interpreter_find(const struct interpreter *in, int32_t pid, uint64_t bytecode);

#endif
