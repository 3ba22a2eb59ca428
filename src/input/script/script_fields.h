/*
 * script_fields.h - fields of a tracepoint in the text of `perf script`
 *
 * What follows the event is the tracepoint's "print fmt", filled in; these forms are read:
 *
 *	prev_comm=worker 7 prev_pid=1 prev_state=S ==> next_comm=node     NAME=VALUE
 *	fd: 0x13, buf: 0x7f00, count: 0x33                                NAME: VALUE,
 *	(55e0) host="example.org" service=""                              NAME="VALUE"
 *	0x33                                                              alone: it is "ret"
 *
 * A value ends before the next " NAME=", ", NAME:" or " ==>". Numbers are decimal, or hexadecimal
 * after 0x. Owns: nothing, strings point into the line. Threads: any.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_FIELDS_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_FIELDS_H

#include "model/field_value.h"

/* A text_find_field: false if there is no such field. */
bool script_fields_find(struct span rest, struct span name, struct field_value *v);

#endif
