/*
 * disassembly.h - machine code as instructions, by capstone
 *
 * x86-64, x86, aarch64 and 32-bit ARM. What does not decode becomes "(bad)", of one byte on x86, of
 * an instruction's width elsewhere, and decoding goes on after it. Instructions of x86 that
 * capstone lacks, but whose length is known, are "(unknown)": 1350 in glibc 2.36, of AVX-512. The
 * operands of both are their bytes.
 * libcapstone is loaded when it is first needed.
 *
 * Owns: its instructions and, unless somebody else keeps it, their text. Threads: any, one
 * disassembly each. Source: the manual of capstone 4; AT&T syntax as in objdump(1) of binutils.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_DISASSEMBLY_H
#define PERFOLD_SYMBOLIZE_CODE_DISASSEMBLY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "model/instruction_kind.h"
#include "symbolize/code/instruction_memo.h"

#include <stdbool.h>
#include <stdint.h>

/* Of x86; other machines have one. */
enum disassembly_syntax { DISASSEMBLY_ATT, DISASSEMBLY_INTEL };

struct instruction {
	uint64_t address;
	uint64_t target; /* of a jump or call whose target is in the instruction; 0: none */
	struct span mnemonic, operands; /* a NUL follows each that is not empty; operands of a
					 * target: its address in hex, "0x1139"; empty where only a
					 * relocation says what it is */
	struct span
		target_name;   /* outside of the function: "malloc@plt", "main+0x10"; empty: none */
	uint32_t target_index; /* inside: the number of that instruction; else UINT32_MAX */
	uint8_t size_bytes;
	uint8_t kind;    /* enum instruction_kind */
	bool to_address; /* operands are the address of target */
};

/* Texts for several disassemblies, one after the other: most instructions have been there before.
 * Zeroed: empty. */
struct disassembly_texts {
	struct arena *arena; /* of who needs them; NULL: there are none yet */
	struct instruction_memo memo;
	uint16_t machine; /* that memo is of, with the syntax */
	uint8_t syntax;
};

struct disassembly {
	struct instruction *instruction;
	uint32_t n, cap;
	uint32_t n_bad;
	struct arena text; /* of instructions, without struct disassembly_texts */
};

struct disassembly_code {
	const unsigned char *bytes;
	uint64_t size_bytes, address;
	uint16_t machine; /* EM_* of elf(5) */
	bool big_endian, thumb;
	enum disassembly_syntax syntax;
	struct disassembly_texts *texts; /* they live as long as its arena; NULL: as d */
	/* Names an address outside of the code, appended; false: not known. May be NULL. */
	bool (*name)(void *ctx, uint64_t address, struct buf *out);
	/* Are bytes of this instruction of an object file filled in only when that is loaded? Then
	 * its target, or else its name is set, where they are known. May be NULL. */
	bool (*relocated)(void *ctx, struct instruction *i);
	void *ctx;
};

/* Fills d; to be released in any case. */
int disassembly_make(struct disassembly *d, const struct disassembly_code *code, struct err *e);
void disassembly_release(struct disassembly *d);
/* What arena does not hold. */
void disassembly_texts_release(struct disassembly_texts *t);

#endif
