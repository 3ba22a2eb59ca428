/*
 * annotate.h - annotations in the making
 *
 * Owns: what it opens, until annotate_end_code(). Threads: one, but annotate_open_code() may run
 * beside all that does not read code, and annotate_code(), annotate_lines(), annotate_text() and
 * annotate_calls() beside each other, unless instructions have the text of their lines: then
 * annotate_text() looks at source as annotate_lines() does. Private to pipeline/.
 */
#ifndef PERFOLD_PIPELINE_ANNOTATE_H
#define PERFOLD_PIPELINE_ANNOTATE_H

#include "compare/costs.h"
#include "files/files.h"
#include "pipeline/generated_lines.h"
#include "pipeline/stages.h"
#include "symbolize/code/code.h"

/* Of filling in code: lines of a step are found beside the code of the next one. */
enum { ANNOTATE_STEPS = 4 };

struct annotating {
	struct pipeline *p;
	const struct annotation_opts *o;
	struct frames *frames; /* of the result */
	struct strtab *strings;
	struct profile profile;        /* a copy, with plain names */
	struct profile *without_lines; /* what it is a copy of; NULL: the result's */
	struct costs costs;
	bool by_name; /* a function has exactly the name that is asked for */
	struct annotations *out;
	uint32_t cap_functions;
	uint32_t *number_of; /* by function_id: number in out plus 1, or 0 */
	uint32_t n_numbers;
	function_id *id_of; /* by number in out */
	uint32_t cap_ids;
	uint64_t whole; /* weight of the profile */
	/* Files and their text, and calls, until out has that too. */
	struct arena text_memory, calls_memory;

	/* Private to annotate_code.c. */
	str_id opened; /* the module whose files are kept open until it has its turn; 0: none */
	struct code_row *code_rows; /* sorted by the first step */
	uint32_t n_code_rows;
	struct code_turn *code_turns; /* by the order in which code is read */
	unsigned code_step;
	struct code_reader **readers; /* by recording */
	struct disassembly_texts texts;
	struct generated_lines generated;
	struct unlined_code *unlined; /* found so far, and where each step ends */
	uint32_t n_unlined, unlined_end[ANNOTATE_STEPS];
	/* The same, of annotate_lines(). */
	unsigned lines_step;
	struct arena lines_memory;
	struct code_lines *lines; /* of one module at a time; NULL: not yet */
	size_t lines_recording;
	module_id lines_module;
};

static inline bool annotate_is_code(const struct annotating *a, frame_id frame)
{
	uint8_t kind = frames_get(a->frames, frame)->kind;

	return kind != FRAME_ROOT && kind != FRAME_LABEL;
}

/* The number of an annotated function plus 1, or 0. */
static inline uint32_t annotate_number(const struct annotating *a, function_id function)
{
	return function < a->n_numbers ? a->number_of[function] : 0;
}

/* The weights of a place. */
static inline struct weights annotate_weights(const struct place_cost *c)
{
	return (struct weights){ c->self, c->self_samples, c->total, c->total_samples };
}

void annotate_add_weights(struct weights *to, const struct weights *w);
struct span annotate_keep(struct arena *to, struct span s);

/* Fills the text of all that is annotated. */
void annotate_text(struct annotating *a);
/* Fills calls and callers of all that is annotated. */
void annotate_calls(struct annotating *a);
/* Opens the files of the module in which most code ran, and reads its symbols. */
void annotate_open_code(struct annotating *a);
/* Finds out which instructions of all that is annotated ran. */
void annotate_begin_code(struct annotating *a);
/* The next step of filling in the code of all that is annotated, without the lines of its
 * instructions. */
void annotate_code(struct annotating *a);
/* The next step of filling in these; the code of the step is there. */
void annotate_lines(struct annotating *a);
void annotate_end_code(struct annotating *a);

#endif
