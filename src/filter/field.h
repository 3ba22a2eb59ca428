/*
 * field.h - what a rule looks at: the function's name, its module, the thread's name, ...
 *
 * Owns: nothing. Threads: any; a scratch buffer belongs to one.
 */
#ifndef PERFOLD_FILTER_FIELD_H
#define PERFOLD_FILTER_FIELD_H

#include "base/buf.h"
#include "model/frame.h"
#include "model/root.h"

enum field {
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

/* Sets of fields: bits 1 << enum field. */
enum field_set {
	FIELDS_NONE = 0,
	FIELDS_TEXT = 1 << FIELD_FUNCTION | 1 << FIELD_MODULE | 1 << FIELD_FILE,
	FIELDS_FRAME = FIELDS_TEXT | 1 << FIELD_KIND | 1 << FIELD_FRAME | 1 << FIELD_TIER,
	FIELDS_ROOT = 1 << FIELD_COMM | 1 << FIELD_PROCESS | 1 << FIELD_EVENT,
	FIELDS_ALL = FIELDS_FRAME | FIELDS_ROOT,
};

static inline bool field_in(enum field f, unsigned set)
{
	return set >> f & 1;
}

bool field_by_name(struct span name, enum field *f);
/* The names of a set as "function, module", for messages. */
void field_put_names(unsigned set, struct buf *b);

/* A field of FIELDS_FRAME; the text lives in the table of strings or in scratch. */
struct span field_of_frame(
	enum field f, const struct frame *frame, const struct strtab *strings, struct buf *scratch);
/* The place of a field of FIELDS_TEXT in a frame. */
str_id *field_in_frame(enum field f, struct frame *frame);
/* A field of FIELDS_ROOT; 0 where it is not known. */
str_id field_of_root(enum field f, const struct root *root);
/* The part of the root that must be recorded for a field of FIELDS_ROOT. */
enum root_part field_root_part(enum field f);

#endif
