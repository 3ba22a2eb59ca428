/*
 * script_frame.h - a frame line of `perf script`, as frames
 *
 *	<tab>IP SYMBOL[+0xOFFSET] (MODULE)      an inlined function has "(inlined)" for MODULE
 *	[  FILE:LINE]                           with -F +srcline, on a line of its own
 *
 * The name is kept as written, without the offset. In generated code "A->B->C" is A with B and C
 * inlined into it, as Java agents write it (perf-map-agent, unfold); in other code "->" belongs to
 * the name.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_FRAME_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_FRAME_H

#include "input/text/text.h"

enum { SCRIPT_PIECES_MAX = 32 }; /* functions in one line; the last piece keeps the rest */

struct script_frame_line {
	struct span text;    /* after the address: "SYMBOL+0xOFFSET (MODULE)" */
	struct span srcline; /* "FILE:LINE", may be empty */
	uint64_t address;    /* kept in frames without a name; 0: not wanted */
	bool has_modules;    /* the text has modules (-F +dso): brackets at the end hold one */
};

/* The sites of a line, outermost first. Returns how many: 0 for the placeholder of a deferred
 * callchain, "(cookie)". */
uint32_t script_frame_sites(struct recording *r, module_id text_module,
	const struct script_frame_line *line, site_id sites[SCRIPT_PIECES_MAX]);

#endif
