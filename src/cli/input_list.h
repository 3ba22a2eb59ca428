/*
 * input_list.h - inputs that a file lists: more than a command line can hold
 *
 * An entry is a path, and ends with its line, or with a NUL byte (find -print0). In a line, labels
 * may follow the path, each after a TAB: KEY=VALUE. Empty entries are skipped. "-" stands for
 * standard input only as the name of the list.
 *
 * Owns: the text, which the paths point into, and the labels. Threads: one reads it, then any.
 */
#ifndef PERFOLD_CLI_INPUT_LIST_H
#define PERFOLD_CLI_INPUT_LIST_H

#include "base/buf.h"
#include "base/err.h"
#include "cli/string_list.h"
#include "model/label_list.h"

#include <stdbool.h>

/* A zeroed struct is empty. */
struct input_list {
	const char *path; /* of the list, "-": standard input; NULL: there is none */
	bool nul;         /* entries end with NUL */
	struct buf text;
	struct listed_labels {
		size_t input; /* its number */
		struct label_list labels;
	} * labelled; /* inputs with labels of their own, in their order */
	size_t n_labelled, cap_labelled;
};

/* Adds the inputs that the list names to inputs; a list that names none is an error. */
int input_list_read(struct input_list *l, struct string_list *inputs, struct err *e);
/* The labels that the list has for an input, by its number; NULL: none. */
const struct label_list *input_list_labels(const struct input_list *l, size_t input);
void input_list_release(struct input_list *l);

#endif
