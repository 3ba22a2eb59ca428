/*
 * field_list.h - the list of fields of a format, parsed by libtraceevent
 *
 * Owns: nothing. Threads: one at a time. Private to trace/.
 */
#ifndef PERFOLD_TRACE_FIELD_LIST_H
#define PERFOLD_TRACE_FIELD_LIST_H

#include "base/arena.h"
#include "trace/trace_format.h"

/* The lines behind "format:", up to the first that does not belong to them. f->fields are
 * allocated; names go into texts. */
void field_list_parse(struct trace_format *f, struct arena *texts, struct span lines,
	unsigned long_bytes, bool big_endian);

#endif
