/*
 * filter_field.h - what a rule looks at: the function's name, its module, the thread's name, ...
 *
 * Owns: nothing. Threads: any; a scratch buffer belongs to one.
 */
#ifndef PERFOLD_FILTER_FILTER_FIELD_H
#define PERFOLD_FILTER_FILTER_FIELD_H

#include "base/buf.h"
#include "model/frames.h"
#include "model/roots.h"

enum filter_field {
	FIELD_FUNCTION, /* the name, as perf script prints it: "[unknown]" where there is none */
	FIELD_MODULE,   /* the module, as perf script prints it */
	FIELD_FILE,     /* source file or URL */
	FIELD_KIND,     /* kernel, user, jit, inlined, unknown, label */
	FIELD_FRAME,    /* "function (module)" */
	FIELD_TIER,     /* interpreted, baseline, maglev, turbofan */
	FIELD_COMM,     /* the last three are of the whole stack */
	FIELD_PROCESS,
	FIELD_EVENT,
	FIELD_COUNT
};

/* Sets of fields: bits 1 << enum filter_field. */
enum filter_field_set {
	FIELDS_NONE = 0,
	FIELDS_TEXT = 1 << FIELD_FUNCTION | 1 << FIELD_MODULE | 1 << FIELD_FILE,
	FIELDS_FRAME = FIELDS_TEXT | 1 << FIELD_KIND | 1 << FIELD_FRAME | 1 << FIELD_TIER,
	FIELDS_ROOT = 1 << FIELD_COMM | 1 << FIELD_PROCESS | 1 << FIELD_EVENT,
	FIELDS_ALL = FIELDS_FRAME | FIELDS_ROOT,
};

static inline bool filter_field_in(enum filter_field f, unsigned set)
{
	return set >> f & 1;
}

bool filter_field_find(struct span name, enum filter_field *f);
/* The names of a set as "function, module", for messages. */
void filter_field_put_names(unsigned set, struct buf *b);

/* A field of FIELDS_FRAME; the string is in the table of strings or in scratch. */
struct span filter_field_of_frame(enum filter_field f, const struct frame *frame,
	const struct strtab *strings, struct buf *scratch);
/* The place of a field of FIELDS_TEXT in a frame. */
str_id *filter_field_in_frame(enum filter_field f, struct frame *frame);
/* A field of FIELDS_ROOT; 0 where it is not known. */
str_id filter_field_of_root(enum filter_field f, const struct root *root);
/* The part of the root that must be recorded for a field of FIELDS_ROOT. */
enum root_part filter_field_root_part(enum filter_field f);

#endif
