/*
 * jitdump.h - the records of a jitdump
 *
 *	header: u32 magic "JiTD", version 1, total_size, elf_mach, pad, pid; u64 timestamp, flags
 *	record: u32 id, total_size; u64 timestamp; then by id
 *	0 LOAD		u32 pid, tid; u64 vma, code_addr, code_size, code_index; name; code bytes
 *	1 MOVE		u32 pid, tid; u64 vma, old_addr, new_addr, code_size, code_index
 *	2 DEBUG_INFO	u64 code_addr, n; {u64 addr; s32 line, discriminator; name}[n]
 *	3 CLOSE		nothing
 *	4 UNWINDING	u64 unwinding_size, eh_frame_hdr_size, mapped_size; .eh_frame_hdr, .eh_frame
 *
 * Names end in a NUL. DEBUG_INFO and UNWINDING come before the LOAD that they belong to. The byte
 * order is that of the recorded machine. The last record of a process that is alive or was killed
 * may be cut short: what comes before it is used, and so is a LOAD without its code bytes.
 *
 * Code bytes, lines and unwinding information are skipped, but the offsets of the latter two are
 * kept.
 *
 * Known deviations: the header's timestamp is from another clock than the records' (V8 writes
 * microseconds of the time of day), and is never used. V8's addresses of lines are 0x40 too high,
 * because of the ELF header that perf inject puts before the code.
 *
 * Source: tools/perf/Documentation/jitdump-specification.txt.
 *
 * Owns: its window of the file. Threads: one. Private to jit/.
 */
#ifndef PERFOLD_JIT_JITDUMP_H
#define PERFOLD_JIT_JITDUMP_H

#include "base/file.h"
#include "jit/codemap.h"

enum {
	JITDUMP_HEADER_BYTES = 40,
	JITDUMP_PREFIX_BYTES = 16,
	JITDUMP_NAME_MAX = 16 * 1024, /* longer names are cut, as V8 does at 4096 */
};

/* The source line of the first instruction of a function, from its DEBUG_INFO record at lines_at in
 * the file. file_name has room for JITDUMP_NAME_MAX bytes; false if there is no line. */
bool jitdump_first_line(
	const struct file *f, bool swapped, uint64_t lines_at, char *file_name, uint32_t *line);
/* A place in a source. */
struct jitdump_line {
	uint32_t line, column; /* from 1; column 0: not known */
	struct span file;      /* of the record */
};

/* A record of lines in memory. */
struct jitdump_lines {
	uint8_t *bytes;       /* owned */
	struct dump_line *at; /* owned; by address */
	uint32_t n;
	uint64_t start; /* address of the code, as in the record */
};

/* The lines of a function in own_file, which is borrowed. None where they cannot be read; to be
 * released in any case. */
void jitdump_lines_read(struct jitdump_lines *l, const struct file *f, bool swapped,
	uint64_t lines_at, struct span own_file);
void jitdump_lines_release(struct jitdump_lines *l);
/* The source line of the instruction at an offset in the piece of code; false if there is none. */
bool jitdump_lines_find(const struct jitdump_lines *l, uint64_t offset, struct jitdump_line *at);
/* The sections in an UNWINDING record, appended to b. */
bool jitdump_unwinding(const struct file *f, bool swapped, uint64_t unwinding_at,
	uint64_t *header_bytes, struct buf *b);

#endif
