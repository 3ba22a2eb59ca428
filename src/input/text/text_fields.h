/*
 * text_fields.h - fields of an event, as its text shows them
 *
 * In the text of `perf script`, what follows the event is the tracepoint's "print fmt", filled in.
 * These forms are read:
 *
 *	prev_comm=worker 7 prev_pid=1 prev_state=S ==> next_comm=node     NAME=VALUE
 *	fd: 0x13, buf: 0x7f00, count: 0x33                                NAME: VALUE,
 *	(55e0) host="example.org" service=""                              NAME="VALUE"
 *	0x33                                                              alone: it is "ret"
 *
 * A value ends before the next " NAME=", ", NAME:" or " ==>". Numbers are decimal, or hexadecimal
 * after 0x. Owns: nothing, strings point into the line. Threads: any.
 */
#ifndef PERFOLD_INPUT_TEXT_TEXT_FIELDS_H
#define PERFOLD_INPUT_TEXT_TEXT_FIELDS_H

#include "model/field_value.h"

/* Finds a field by name in what follows an event; false if it is not there. */
bool text_fields_find(struct span rest, struct span name, struct field_value *v);

#endif
