/*
 * frame_info.h - .eh_frame and .debug_frame: where the registers of a caller are
 *
 * An index of all entries by address, made in one pass; a row of the table that an entry's
 * instructions describe is made anew for each call (rules are kept, see cfi.h).
 *
 * Own code rather than libdw's dwarf_cfi_addrframe(), because libdw trusts register numbers of any
 * size and allocates a table up to the largest, and because (0.188) its rows after
 * DW_CFA_restore_state have too low a start.
 *
 * Owns: the index. Borrows: the bytes, of the ELF file. Threads: build from one; look up from any.
 * Source: DWARF 5, 6.4. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_FRAME_INFO_H
#define PERFOLD_UNWIND_FRAME_INFO_H

#include "base/frame_entry.h"
#include "files/files.h"
#include "unwind/arch.h"

struct frame_info {
	struct frame_section section;
	struct frame_range {
		uint64_t start;
		uint32_t size_bytes;
		uint32_t entry; /* its FDE, as an offset in bytes */
	} * ranges;             /* by start */
	uint32_t n, cap;
};

/* From a section, whose bytes are borrowed. False if it has no entries. */
bool frame_info_read(struct frame_info *f, struct frame_section section);
/* False if the file has none. */
bool frame_info_read_eh_frame(struct frame_info *f, const struct elf_file *ef);
bool frame_info_read_debug_frame(struct frame_info *f, const struct elf_file *ef);
void frame_info_release(struct frame_info *f);

enum reg_rule_kind {
	REG_RULE_UNSPECIFIED,
	REG_RULE_SAME_VALUE,
	REG_RULE_UNDEFINED,
	REG_RULE_OFFSET,     /* in memory, offset from the CFA */
	REG_RULE_VAL_OFFSET, /* CFA + offset itself */
	REG_RULE_REGISTER,   /* in the register that offset names */
	REG_RULE_EXPRESSION,
	REG_RULE_VAL_EXPRESSION,
};

struct reg_rule {
	uint8_t kind;
	int64_t offset;
	struct span expr;
};

struct frame_row {
	uint64_t start, end; /* it holds for these addresses */
	bool signal;         /* the caller did not call: it was interrupted */
	bool guessed;        /* it may hold for other code */
	uint64_t ra;         /* column of the return address */
	uint64_t cfa_column;
	int64_t cfa_offset;
	struct span cfa_expr; /* instead, where it is not empty */
	struct reg_rule column[UNWIND_REGS];
};

/* The row for an address; false if there is none, or it makes no sense. */
bool frame_info_row(const struct frame_info *f, uint64_t address, struct frame_row *row);
/* Where the first entry begins that does so at the address or after it; UINT64_MAX: there is none.
 */
uint64_t frame_info_next_start(const struct frame_info *f, uint64_t address);

#endif
