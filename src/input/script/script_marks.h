/*
 * script_marks.h - the fields of a sample, as a mark (model/marks.h)
 *
 * These forms are read, and those of text_fields.h:
 *
 *	raw_syscalls:sys_enter: NR 257 (ffffff9c, 7f01b2, 0, 0, 0, 0)
 *	raw_syscalls:sys_exit: NR 257 = 24
 *
 * Threads: one for each list of marks.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_MARKS_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_MARKS_H

#include "model/marks.h"

/* Puts the values of the mark that was added last. rest: what follows the event. */
void script_marks_put(struct marks *m, const struct mark_fields *fields, struct span rest,
	struct strtab *strings);

#endif
