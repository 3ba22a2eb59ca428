/*
 * frame_entry.h - the entries of .eh_frame and .debug_frame
 *
 *	CIE: length, id, version, augmentation, [address size, segment size,]
 *	     code alignment, data alignment, return column, [augmentation data,] instructions
 *	FDE: length, CIE, first address, size, [augmentation data,] instructions
 *
 * An FDE is about the code of one function, or of a part of it.
 *
 * Owns: nothing. Threads: any. Source: DWARF 5, 6.4 (call frame information) and 7.24 (encodings);
 * Linux Standard Base Core, 10.6 ("Exception Frames"); libdw/cie.c of elfutils for what producers
 * write beyond that (augmentations "eh", B, G).
 */
#ifndef PERFOLD_BASE_FRAME_ENTRY_H
#define PERFOLD_BASE_FRAME_ENTRY_H

#include "base/frame_reader.h"

struct frame_section {
	struct span bytes;
	uint64_t address; /* of the first byte */
	bool debug_frame; /* it is .debug_frame */
	bool narrow;      /* addresses have 4 bytes, else 8 */
};

/* The content of an entry after its id. */
struct frame_entry {
	struct frame_reader r;
	uint64_t id, id_at;
};

struct frame_cie {
	uint64_t at; /* of its first byte; UINT64_MAX: none */
	bool valid, augmented, signal;
	uint8_t encoding;
	uint64_t code_alignment, ra;
	int64_t data_alignment;
	struct span instructions;
};

struct frame_fde {
	uint64_t start, end; /* [start, end) */
	struct span instructions;
};

/* The entry at *at, which is advanced to the next one; false at the end. */
bool frame_entry_next(const struct frame_section *s, uint64_t *at, struct frame_entry *e);
bool frame_entry_is_cie(const struct frame_section *s, const struct frame_entry *e);
/* Reads an entry that is no CIE; false if it makes no sense. *c is the CIE of the entry before; it
 * is read anew if this entry has another. */
bool frame_entry_read_fde(const struct frame_section *s, struct frame_entry *e, struct frame_cie *c,
	struct frame_fde *out);

/* The address of the reader's next byte. */
uint64_t frame_entry_address(const struct frame_section *s, const struct frame_reader *r);
/* An address in one of the DW_EH_PE encodings; at is the address of its first byte. */
uint64_t frame_entry_encoded(
	const struct frame_section *s, struct frame_reader *r, uint8_t encoding, uint64_t at);

#endif
