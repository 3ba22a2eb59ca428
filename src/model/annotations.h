/*
 * annotations.h - functions with their source and their instructions, and what each of these costs
 *
 * Made by pipeline/annotate.c from costs by place (place_costs.h), source text and machine code.
 * What could not be had says why, in words for a user.
 *
 * Owns: all of it, until annotations_release(). Threads: read by any.
 */
#ifndef PERFOLD_MODEL_ANNOTATIONS_H
#define PERFOLD_MODEL_ANNOTATIONS_H

#include "base/arena.h"
#include "model/instruction_kind.h"
#include "model/name_pattern.h"
#include "model/place_costs.h"

struct weights {
	uint64_t self, self_samples, total, total_samples;
};

struct line_cost {
	uint32_t line; /* 0: not known */
	struct weights cost;
};

/* What a line calls, or what was inlined there. */
struct line_call {
	uint32_t line;
	struct span name, module;
	uint32_t function; /* number of the callee plus 1; 0: it is not annotated */
	bool inlined;
	uint64_t total, total_samples;
};

/* Lines of a text that follow each other. */
struct annotated_text {
	uint32_t first, n;
	const struct span *line;
};

/* The lines of a function in one file. */
struct annotated_file {
	struct span path; /* as debug information has it; empty: not known */
	str_id source;    /* the number of path */
	uint32_t *begin;  /* the lines of its declarations that are in this file, in order */
	uint32_t n_begins;
	struct line_cost *cost;
	uint32_t n_costs; /* by line */
	struct line_call *call;
	uint32_t n_calls;            /* by line, the heaviest first */
	struct annotated_text *text; /* in order: what is far from lines that ran is left out */
	uint32_t n_texts;            /* 0: none, note says why */
	struct span found;           /* the file that the text is from */
	struct span note; /* why there is none, or why it may be another one; empty: nothing */
};

/* What a line costs; NULL: it did not run. */
static inline const struct weights *annotated_cost(const struct annotated_file *f, uint32_t line)
{
	uint32_t i;

	for (i = 0; i < f->n_costs; i++)
		if (f->cost[i].line == line)
			return &f->cost[i].cost;
	return NULL;
}

/* The text of a line; NULL: there is none. */
static inline const struct span *annotated_line(const struct annotated_file *f, uint32_t line)
{
	uint32_t i;

	for (i = 0; i < f->n_texts; i++)
		if (line >= f->text[i].first && line - f->text[i].first < f->text[i].n)
			return &f->text[i].line[line - f->text[i].first];
	return NULL;
}

/* Where a jump or a call goes that leaves the code. */
struct annotated_target {
	uint64_t address; /* 0: not known */
	struct span name; /* empty: not known */
};

/* A report has a hundred thousand of them. */
struct annotated_instruction {
	uint64_t address;
	const char *mnemonic, *operands;
	const struct weights *cost; /* NULL: none */
	/* From 1 on: up to n of the code, the instruction where it goes; then one of its targets.
	 * 0: none. */
	uint32_t target;
	str_id file;     /* of its line */
	uint32_t line;   /* 0: not known */
	uint8_t kind;    /* enum instruction_kind */
	bool to_address; /* operands are the address of its target */
};

/* The machine code of a function: of itself, of a part that was moved away, of a copy. */
struct annotated_code {
	struct span name, module;
	uint64_t start;                            /* 0: not known */
	struct annotated_instruction *instruction; /* by address */
	uint32_t n;
	const struct annotated_target *target; /* of those that leave the code */
	struct span *text; /* of the line of each, with instruction_text; else NULL */
	struct span found; /* the file that it is from */
	struct span note;  /* why there is none, or what is not sure of it; empty: nothing */
};

/* The instruction to which instruction i jumps, in the same code; NULL: to none there. */
static inline const struct annotated_instruction *annotated_inside(
	const struct annotated_code *c, uint32_t i)
{
	uint32_t target = c->instruction[i].target;

	return target && target <= c->n ? &c->instruction[target - 1] : NULL;
}

/* Where instruction i leaves the code; NULL: it does not, or nobody knows. */
static inline const struct annotated_target *annotated_outside(
	const struct annotated_code *c, uint32_t i)
{
	uint32_t target = c->instruction[i].target;

	return target > c->n ? &c->target[target - c->n - 1] : NULL;
}

/* The name of what it jumps to or calls outside of the code; empty: none is known. */
static inline struct span annotated_target_name(const struct annotated_code *c, uint32_t i)
{
	const struct annotated_target *target = annotated_outside(c, i);

	return target ? target->name : (struct span){ 0 };
}

/* The text of the line of an instruction; empty: not known. */
static inline struct span annotated_text(const struct annotated_code *c, uint32_t i)
{
	return c->text ? c->text[i] : (struct span){ 0 };
}

/* A line that calls a function. */
struct annotated_caller {
	uint32_t function; /* number plus 1; 0: it is not annotated */
	struct span name, module, path;
	uint32_t line; /* 0: not known */
	bool inlined;  /* the function is inlined there */
	uint64_t total, total_samples;
};

struct annotated_function {
	struct span name;
	str_id module;
	struct weights cost;
	struct annotated_file *file;     /* that of the function first, then the heaviest */
	struct annotated_code *code;     /* the heaviest first */
	struct annotated_caller *caller; /* the heaviest first */
	uint32_t n_files, n_codes, n_callers;
};

struct annotations {
	struct annotated_function *function; /* the heaviest first */
	uint32_t n;
	uint32_t n_more;    /* that were wanted as well, beyond the limit */
	uint32_t *by_frame; /* of frames of the profile: number of the function plus 1, or 0 */
	uint32_t n_frames;
	struct arena memory; /* of all the above */
};

void annotations_release(struct annotations *a);

/* Which functions, and what of them. */
struct annotation_opts {
	const char *name;                   /* only of this name, if some have it; may be NULL */
	const struct name_pattern *pattern; /* else only of names that match; NULL: of any */
	double min_percent;                 /* of the whole that a function must weigh in total */
	uint32_t most;                      /* functions; 0: all */
	uint64_t max_bytes;                 /* of source text; 0: any */
	bool instructions, intel;           /* of x86, in Intel's syntax */
	bool instruction_text;              /* with the text of the line of each */
	bool if_any;                        /* of none, where no frame has a line or an address */
	bool off;                           /* of none, whatever outputs could show */
};

#endif
