/*
 * left_out.h - the inputs that --keep-going left out, and why
 *
 * A program reads the list: one line of JSON for each, in the order of the inputs, with its path,
 * the kind of fault, by which it may decide what to do, and the text that a person reads.
 *
 * Owns: the texts; paths are borrowed. Threads: one at a time.
 */
#ifndef PERFOLD_CLI_LEFT_OUT_H
#define PERFOLD_CLI_LEFT_OUT_H

#include "base/err.h"
#include "model/diag.h"

#include <stddef.h>

struct left_out {
	struct left_out_input {
		uint32_t number; /* of the input */
		const char *path, *kind;
		char *text;
	} * item;
	size_t n, cap;
};

/* The kind of an error: a word of perfold-merge(1). */
const char *left_out_kind(const char *path, const struct err *e);
/* That of damage. */
const char *left_out_damage(enum diag_kind kind);

void left_out_add(struct left_out *l, struct left_out_input input);
/* Puts them in order of number. */
void left_out_sort(struct left_out *l);
int left_out_write(const struct left_out *l, const char *path, struct err *e);
/* Prints the first few; the rest is counted. errors: where all are listed; NULL: nowhere. */
void left_out_print(const struct left_out *l, const char *errors);
void left_out_release(struct left_out *l);

#endif
