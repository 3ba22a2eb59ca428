/*
 * field_list.h - the list of fields of a format, parsed by libtraceevent
 *
 * Owns: nothing. Threads: one at a time. Private to trace/.
 */
#ifndef PERFOLD_TRACE_FIELD_LIST_H
#define PERFOLD_TRACE_FIELD_LIST_H

#include "base/arena.h"
#include "trace/trace_format.h"

/* The lines after "format:", up to "print fmt". f->fields are allocated; names go into strings. */
void field_list_parse(struct trace_format *f, struct arena *strings, struct span lines,
	unsigned long_bytes, bool big_endian);

#endif
