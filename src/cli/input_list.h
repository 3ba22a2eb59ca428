/*
 * input_list.h - inputs that a file lists: more than a command line can hold
 *
 * An entry is a path, and ends with its line, or with a NUL byte (find -print0). Empty entries are
 * skipped. "-" stands for standard input only as the name of the list.
 *
 * Owns: the text, which the paths point into. Threads: one.
 */
#ifndef PERFOLD_CLI_INPUT_LIST_H
#define PERFOLD_CLI_INPUT_LIST_H

#include "base/buf.h"
#include "base/err.h"
#include "cli/string_list.h"

#include <stdbool.h>

/* A zeroed struct is empty. */
struct input_list {
	const char *path; /* of the list, "-": standard input; NULL: there is none */
	bool nul;         /* entries end with NUL */
	struct buf text;
};

/* Adds the inputs that the list names to inputs; a list that names none is an error. */
int input_list_read(struct input_list *l, struct string_list *inputs, struct err *e);
void input_list_release(struct input_list *l);

#endif
