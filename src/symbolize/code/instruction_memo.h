/*
 * instruction_memo.h - x86 instructions that were decoded before, by their bytes
 *
 * Half of the instructions of a program are like an earlier one, byte for byte, and a quarter are
 * jumps and calls whose last bytes are a distance. capstone takes 3,800 instructions of its own to
 * decode one.
 *
 * No instruction's bytes begin those of another, so the bytes at an address have at most one that
 * is known.
 *
 * Owns: its list; texts are borrowed. Threads: one. Private to symbolize/code/.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_INSTRUCTION_MEMO_H
#define PERFOLD_SYMBOLIZE_CODE_INSTRUCTION_MEMO_H

#include "base/index.h"
#include "base/span.h"

enum { INSTRUCTION_MEMO_BYTES = 15 }; /* no instruction is longer */

struct known_instruction {
	uint64_t low, high; /* its bytes, without the distance */
	uint8_t n_bytes;    /* of these */
	uint8_t distance_bytes;
	uint8_t kind;                   /* enum instruction_kind */
	struct span mnemonic, operands; /* operands: empty with a distance */
};

/* Zeroed: empty. */
struct instruction_memo {
	struct known_instruction *known;
	uint32_t n, cap;
	struct index by_bytes;
	/* A bit for each n_bytes that is known, so that few are looked up: up to 2 by the first
	 * byte, from 3 on by a hash of the first three, which say how long most instructions are.
	 */
	uint8_t short_lengths[256];
	uint16_t long_lengths[4096];
};

void instruction_memo_release(struct instruction_memo *m);
/* The instruction at the start of code, all of it; NULL: it is not known. Valid until the next one
 * is added. */
const struct known_instruction *instruction_memo_find(
	const struct instruction_memo *m, struct span code);
/* One that is not known, whose bytes, without the distance, are these: up to INSTRUCTION_MEMO_BYTES
 * of them. low, high and n_bytes need not be set. */
void instruction_memo_add(
	struct instruction_memo *m, struct span bytes, const struct known_instruction *known);
/* What is added to the address after an instruction, whose bytes these are. */
int32_t instruction_memo_distance(const struct known_instruction *known, const char *code);

#endif
