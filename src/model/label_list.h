/*
 * label_list.h - what the user says of a recording: service=web, version=1.4
 *
 * A key is of [a-z0-9_.] and begins with a letter, so that it can be the name of a column and of a
 * label in pprof. Names of columns that perfold fills itself are refused (man perfold-rows), except
 * "recording" and "host", which replace what is known of the recording.
 *
 * A zeroed struct has none. It is sorted by the bytes of its keys, and has each once.
 *
 * Owns: copies of keys and values. Threads: one that changes it, then read by any.
 */
#ifndef PERFOLD_MODEL_LABEL_LIST_H
#define PERFOLD_MODEL_LABEL_LIST_H

#include "base/err.h"
#include "base/span.h"

struct label {
	char *key, *value;
};

struct label_list {
	struct label *at;
	size_t n, cap;
};

/* Adds KEY=VALUE. ERR_USAGE if it is something else, or another value of a key that is there. */
int label_list_parse(struct label_list *l, struct span text, struct err *e);
/* Adds those of another list, which may be NULL; where both have a key, its value. */
void label_list_set_all(struct label_list *l, const struct label_list *from);
void label_list_release(struct label_list *l);

/* NULL: it has no such label. */
const char *label_list_find(const struct label_list *l, struct span key);

#endif
