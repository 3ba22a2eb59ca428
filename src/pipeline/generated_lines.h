/*
 * generated_lines.h - the lines of instructions of generated code, from the jitdump that it is in
 *
 * Owns: the dump that was asked for last. Threads: one for each. Private to pipeline/.
 */
#ifndef PERFOLD_PIPELINE_GENERATED_LINES_H
#define PERFOLD_PIPELINE_GENERATED_LINES_H

#include "jit/jit.h"

/* Zeroed: none was opened yet. */
struct generated_lines {
	char *path;           /* of the dump; NULL: none */
	struct codemap *dump; /* NULL: it cannot be read */
};

/* The lines of the code that a dump's record loaded, to be closed in any case; frames get its
 * function. False: there are none. */
bool generated_lines_open(struct generated_lines *g, const char *path, uint64_t record,
	struct frames *frames, struct codemap_lines *lines);
void generated_lines_release(struct generated_lines *g);

#endif
