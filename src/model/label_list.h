/*
 * label_list.h - what the user says of a recording: service=web, version=1.4
 *
 * A key is of [a-z0-9_.], begins with a letter and has at most 60 bytes, so that it can be the name
 * of a column and of a label in pprof. Names of columns that perfold fills itself are refused (man
 * perfold-rows), except "recording" and "host", which replace what is known of the recording.
 *
 * A zeroed struct has none. It is sorted by the bytes of its keys, and has each once.
 *
 * Owns: copies of keys and values. Threads: one that changes it, then read by any.
 */
#ifndef PERFOLD_MODEL_LABEL_LIST_H
#define PERFOLD_MODEL_LABEL_LIST_H

#include "base/err.h"
#include "base/strtab.h"

struct label {
	char *key, *value;
};

enum {
	LABELS_MAX = 256, /* of a sample, and different ones of all samples in a table of rows */
	LABEL_MAX_BYTES = 1024 /* a value; many samples of a pprof file may refer to one string */
};

struct label_list {
	struct label *at;
	size_t n, cap;
};

/* Adds KEY=VALUE. ERR_USAGE if it is something else, or another value of a key that is there. */
int label_list_parse(struct label_list *l, struct span text, struct err *e);
/* Adds those of another list, which may be NULL; where both have a key, its value. */
void label_list_set_all(struct label_list *l, const struct label_list *from);
/* Replaces the value of one key, or adds it. */
void label_list_set(struct label_list *l, struct span key, struct span value);
/* As label_list_set(), for what strangers wrote: false if that is more than LABELS_MAX, or longer
 * than LABEL_MAX_BYTES. */
bool label_list_add(struct label_list *l, struct span key, struct span value);
void label_list_remove(struct label_list *l, struct span key);
void label_list_release(struct label_list *l);

/* May a label have that key? */
bool label_list_may_have(struct span key);
/* NULL: it has no such label. */
const char *label_list_find(const struct label_list *l, struct span key);

/* All labels as one string of a table, equal for equal lists; 0: none. Samples of one recording
 * that differ in labels have such a string each (struct root). */
str_id label_list_pack(const struct label_list *l, struct strtab *strings);
/* Adds those of a packed list, as label_list_set_all(). */
void label_list_unpack(struct label_list *l, struct span packed);

#endif
