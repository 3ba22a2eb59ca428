/*
 * script_fields.h - fields of a tracepoint in the text of `perf script`
 *
 * The text behind the event is what its "print fmt" makes of the fields; these forms are read:
 *
 *	prev_comm=worker 7 prev_pid=1 prev_state=S ==> next_comm=node     NAME=VALUE
 *	fd: 0x13, buf: 0x7f00, count: 0x33                                NAME: VALUE,
 *	(55e0) host="example.org" service=""                              NAME="VALUE"
 *
 *	0x33                                                              the only thing there:
 *"ret"
 *
 * A value ends before the next " NAME=", ", NAME:" or " ==>". Numbers are decimal, or hexadecimal
 * behind 0x. Owns: nothing, texts point into the line. Threads: any.
 */
#ifndef PERFOLD_INPUT_SCRIPT_FIELDS_H
#define PERFOLD_INPUT_SCRIPT_FIELDS_H

#include "model/field_value.h"

/* False if the text has no such field. */
bool script_fields_find(struct span rest, struct span name, struct field_value *v);

#endif
