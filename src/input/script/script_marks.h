/*
 * script_marks.h - what the text of a sample says, as a mark (model/marks.h)
 *
 * Beside the forms of script_fields.h:
 *
 *	raw_syscalls:sys_enter: NR 257 (ffffff9c, 7f01b2, 0, 0, 0, 0)
 *	raw_syscalls:sys_exit: NR 257 = 24
 *
 * Threads: one for each list of marks.
 */
#ifndef PERFOLD_INPUT_SCRIPT_MARKS_H
#define PERFOLD_INPUT_SCRIPT_MARKS_H

#include "model/marks.h"

/* The values of the mark added last. rest: what stands behind the event. */
void script_marks_put(struct marks *m, const struct mark_fields *fields, struct span rest,
	struct strtab *strings);

#endif
