/*
 * requirements.h - what a recording must be like to be judged: --require 'lost<1%, samples>1000'
 *
 *	REQUIREMENTS = REQUIREMENT { "," REQUIREMENT }
 *	REQUIREMENT  = MEASURE ( "<" | "<=" | ">" | ">=" ) NUMBER [ "%" ]
 *	MEASURE      = "samples" | "lost" | "unresolved" | "truncated" | "broken"
 *
 * Owns: its list; strings are borrowed. Threads: one.
 */
#ifndef PERFOLD_CLI_REQUIREMENTS_H
#define PERFOLD_CLI_REQUIREMENTS_H

#include "base/err.h"
#include "base/span.h"

struct pipeline_result;

struct requirement {
	struct span text;
	unsigned measure; /* its number in the table */
	bool less, or_equal;
	bool percent;
	double limit;
};

/* A zeroed struct is empty. */
struct requirements {
	struct requirement *item;
	size_t n, cap;
};

/* Adds the requirements in a text. Errors: ERR_USAGE, with the column. */
int requirements_parse(struct requirements *q, const char *text, struct err *e);
void requirements_release(struct requirements *q);

/* Puts a line for each one that is not met: "lost<1%: 3.20% (32 of 1000)". */
void requirements_report(const struct requirements *q, const struct pipeline_result *r,
	void (*put)(void *ctx, const char *line), void *ctx);

#endif
