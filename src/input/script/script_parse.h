/*
 * script_parse.h - blocks of `perf script` text to samples
 *
 * A worker finds events, frame lines and the ends of samples, and counts samples in its own tables.
 * A block begins where a sample may begin (script_parse_cut), so blocks need no order.
 *
 * A sample ends with a blank line, with the next line that is an event wherever it is, or with the
 * text. What follows an event that is no sample, or is not wanted, is skipped.
 *
 * Owns: its tables, until script_parse_release(). Threads: each has its own.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_PARSE_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_PARSE_H

#include "input/script/script_memo.h"
#include "input/text/text.h"

enum script_state {
	SCRIPT_OUTSIDE, /* an event is expected */
	SCRIPT_INSIDE,  /* frames of a sample that counts */
	SCRIPT_PASSING, /* lines of an event that does not count */
	SCRIPT_LOST,    /* lines below one that is not understood: neither are they */
};

struct script_parser {
	struct text_log out; /* a stack is innermost first until its sample ends */
	struct script_memo memo;
	struct diag diag;
	uint64_t understood; /* lines */
	bool bare; /* samples have only frames (-F ip,sym), and no line that begins them */

	/* The block being read. */
	const char *next, *end;
	uint32_t block, line;

	/* The sample being read. */
	enum script_state state;
	struct text_sample event; /* as its line says it */
	struct text_counted sample;
	struct span srcline; /* of a sample's only line */
};

void script_parse_init(struct script_parser *w, struct recording *r, const struct text_rules *rules,
	module_id text_module);
void script_parse_release(struct script_parser *w);

/* A text_parse: worker is a struct script_parser. */
uint32_t script_parse_block(void *worker, const struct text_block *b);

/* A text_cut: after a blank line, or before a line that is an event wherever it is. */
size_t script_parse_cut(const char *p, size_t n);

/* The address and the text of a line that begins with a tab or blank and is a frame. */
bool script_parse_split_frame(struct span line, struct span *ip, struct span *text);

#endif
