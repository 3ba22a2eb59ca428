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

#include "input/script/script_maps.h"
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
	bool bare;          /* samples have only frames (-F ip,sym), and no line that begins them */
	bool only_branches; /* of it, each line is read for itself: it may be a block */
	bool has_branches;  /* lines end with branch stacks, */
	const struct script_maps *maps; /* which are looked up in these, borrowed, */
	struct branch_history *history; /* and counted here; NULL: they are not */

	/* The block being read. */
	const char *next, *end;
	uint32_t block, line;

	/* The sample being read. */
	enum script_state state;
	struct text_sample event; /* as its line says it */
	struct text_counted sample;
	struct span srcline; /* of a sample's only line */
	uint64_t place;      /* of the line that begins it */
	bool saw_branches;
};

void script_parse_init(struct script_parser *w, struct recording *r, const struct text_rules *rules,
	module_id text_module);
void script_parse_release(struct script_parser *w);

/* A text_parse: worker is a struct script_parser. */
uint32_t script_parse_block(void *worker, const struct text_block *b);

/* A text_cut: after a blank line, or before a line that is an event wherever it is. */
size_t script_parse_cut(const char *p, size_t n);
/* The same of a text with branch stacks, where a line of an address and branches is a sample. */
size_t script_parse_cut_branches(const char *p, size_t n);

/* Is a line a sample, "[COMM] ADDRESS [SYMBOL (MODULE)]", if the text has branches and nothing else
 * that begins samples? */
bool script_parse_is_only_line(struct span line);
/* The address and the text of a line that begins with a tab or blank and is a frame. */
bool script_parse_split_frame(struct span line, struct span *ip, struct span *text);

#endif
