/*
 * instruction_kind.h - what an instruction does to the flow of control
 */
#ifndef PERFOLD_MODEL_INSTRUCTION_KIND_H
#define PERFOLD_MODEL_INSTRUCTION_KIND_H

enum instruction_kind {
	INSTRUCTION_OTHER,
	INSTRUCTION_JUMP,
	INSTRUCTION_CONDITIONAL, /* jumps, or goes on */
	INSTRUCTION_CALL,
	INSTRUCTION_RETURN,
	INSTRUCTION_BAD, /* does not decode */
};

#endif
