/*
 * bytecodes.h - the bytecode that a perf map lists
 *
 * V8 lists a function that is interpreted at the address of its bytecode (a BytecodeArray), in
 * memory that is not executable:
 *
 *	2a1b7c3d4e51 3e JS:~onRequest /srv/server.js:34:50
 *
 * No sample lies there; but the interpreter's frame on a stack points to it. A garbage collection
 * may free bytecode and put other to its address: an address that several functions claimed names
 * none of them.
 *
 * Owns: lines and texts. Threads: build from one, look up from any. Private to jit/.
 */
#ifndef PERFOLD_JIT_BYTECODES_H
#define PERFOLD_JIT_BYTECODES_H

#include "base/buf.h"
#include "model/frame.h"

#include <stdbool.h>

struct bytecode {
	uint64_t start;
	uint64_t name; /* place in bytecodes.text; the higher one is newer */
	uint32_t name_size;
	frame_id frame;  /* 0: not looked up yet; atomic */
	bool of_several; /* functions */
};

/* A zeroed struct is empty. */
struct bytecodes {
	struct bytecode *at; /* once finished: in order of start, each start once */
	size_t n, cap;
	size_t squeeze_at; /* so many lines */
	struct buf text;
};

/* Is that the name of a function's bytecode? */
bool bytecodes_wants(struct span name);
void bytecodes_add(struct bytecodes *b, uint64_t start, struct span name);
/* The name of the line added last goes on. */
void bytecodes_continue_name(struct bytecodes *b, struct span more);
/* No more lines. */
void bytecodes_finish(struct bytecodes *b);
void bytecodes_release(struct bytecodes *b);

/* The first line that starts at the address or behind it, NULL: none. */
struct bytecode *bytecodes_from(const struct bytecodes *b, uint64_t address);

static inline struct span bytecodes_name(const struct bytecodes *b, const struct bytecode *line)
{
	return (struct span){ b->text.p + line->name, line->name_size };
}

#endif
