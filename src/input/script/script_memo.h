/*
 * script_memo.h - the frame lines one worker has seen
 *
 * A text has few distinct frame lines, and parsing one is slow, so each worker does it once for
 * each line (without the address column). Lines of one frame that differ in the offset
 * have the same sites, so that their stacks are the same stack.
 *
 * Owns: copies of the lines. Borrows: the recording. Threads: one for each memo.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_MEMO_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_MEMO_H

#include "base/arena.h"
#include "base/index.h"
#include "input/script/script_frame.h"

struct script_memo {
	struct recording *recording;
	module_id text_module;
	bool has_modules; /* see script_frame.h */
	bool addresses;   /* keep those of frames without a name */

	struct arena strings;
	struct index by_line;
	struct script_memo_line {
		struct span line;
		uint64_t address; /* part of the key; 0 in all frames that have a name */
		uint32_t first_site, n_sites;
		bool unnamed;
	} * lines;
	uint32_t n_lines, cap_lines;
	site_id *sites; /* of all lines */
	uint32_t n_all_sites, cap_sites;
};

/* The line of ip, text and srcline, which follow each other in memory: "IP TEXT", or
 * "IP TEXT<newline> SRCLINE" (srcline.p NULL: none). */
const struct script_memo_line *script_memo_find(
	struct script_memo *m, struct span ip, struct span text, struct span srcline);
void script_memo_release(struct script_memo *m);

#endif
