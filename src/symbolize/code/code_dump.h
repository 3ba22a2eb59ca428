/*
 * code_dump.h - the bytes of generated code, from a jitdump
 *
 * A frame of a jitdump says which record of the dump it is from, and where the code was placed
 * (frame.build). A dump may have been replaced meanwhile: a record that does not fit is none.
 *
 * Owns: the file, and the bytes. Threads: one for each. Private to symbolize/code/. Source:
 * tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_CODE_DUMP_H
#define PERFOLD_SYMBOLIZE_CODE_CODE_DUMP_H

#include "base/arena.h"
#include "base/file.h"

struct code_dump {
	struct file file; /* path NULL: there is none */
	struct arena bytes;
	bool swapped;
	uint16_t machine; /* EM_* of elf(5) */
};

/* What was loaded by a record. */
struct code_dump_piece {
	uint64_t start, size_bytes; /* start: where it was placed */
	const unsigned char *bytes;
};

/* False if it cannot be read. */
bool code_dump_open(struct code_dump *d, const char *path);
void code_dump_close(struct code_dump *d);
/* The code of a frame's build that has the address; false: no such record, or it is larger than
 * most_bytes. */
bool code_dump_read(struct code_dump *d, struct span build, uint64_t address, uint64_t most_bytes,
	struct code_dump_piece *piece);

#endif
