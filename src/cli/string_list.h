/*
 * string_list.h - a growing list of strings, ended by NULL
 *
 * Owns: the list, and the strings only where a caller says so by string_list_release_all().
 * Threads: one.
 */
#ifndef PERFOLD_CLI_STRING_LIST_H
#define PERFOLD_CLI_STRING_LIST_H

#include <stddef.h>

/* A zeroed struct is empty. */
struct string_list {
	const char **item; /* NULL ended; NULL: empty */
	size_t n, cap;
};

void string_list_add(struct string_list *l, const char *s);
void string_list_release(struct string_list *l);
/* Likewise, and the strings, which came from malloc(). */
void string_list_release_all(struct string_list *l);

#endif
