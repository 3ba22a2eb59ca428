/*
 * trace_format.h - the fields of tracepoints: formats from a recording, values from a sample
 *
 * perf copies the format files of the tracepoints it records into the section TRACING_DATA:
 *
 *	17 08 "Dtracing"  version NUL  u8 big_endian  u8 long_bytes  u32 page_bytes
 *	"header_page" NUL u64 n, text[n]    "header_event" NUL u64 n, text[n]
 *	u32 formats of ftrace { u64 n, text[n] }
 *	u32 systems { name NUL  u32 formats { u64 n, text[n] } }     the rest is not used
 *
 * Numbers are in the byte order that big_endian says; those of samples are in the recording's. A
 * format describes the raw part of a sample:
 *
 *	name: sched_switch
 *	ID: 372
 *	format:
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *		...
 *	print fmt: ...
 *
 * The declarations are parsed by libtraceevent (field_list.h). A line that is no field costs only
 * itself.
 *
 *	trace_format_table_parse(table, section, n);
 *	f = trace_format_table_find(table, attr->config);
 *	picked = trace_format_pick(f, SPAN("prev_pid"));
 *	trace_format_read_picked(&picked, sample->raw, sample->raw_bytes, sample->swapped, &value);
 *
 * Owns: formats own their fields and names. Threads: parse in one (libtraceevent keeps its place in
 * static variables), read in any.
 * Source: trace-cmd.dat(5), Documentation/trace/events.rst, tools/perf/util/trace-event-read.c.
 */
#ifndef PERFOLD_TRACE_TRACE_FORMAT_H
#define PERFOLD_TRACE_TRACE_FORMAT_H

#include "base/cursor.h"
#include "model/field_value.h"

struct trace_field {
	const char *name;
	uint32_t offset, size_bytes; /* in the raw part */
	uint32_t element_bytes;      /* of an element of an array; else of the number */
	bool is_array, is_text, is_signed, is_address;
	bool is_dynamic;  /* its bytes are u16 offset, size: of the data, from the start of the
			     raw part */
	bool is_relative; /* likewise, from the end of the field */
	bool is_state;    /* prev_state of sched_switch: shown by letter, as perf does */
};

struct trace_format {
	uint32_t id; /* perf_event_attr.config */
	const char *system, *name;
	struct trace_field *fields; /* those common to all events first */
	uint32_t n_fields;
};

struct trace_format_table;

struct trace_format_table *trace_format_table_new(void);
void trace_format_table_free(struct trace_format_table *t);
/* The section TRACING_DATA. False if it is damaged: then the formats before that are known. */
bool trace_format_table_parse(struct trace_format_table *t, const uint8_t *p, size_t n);
/* NULL: none has this number. */
const struct trace_format *trace_format_table_find(const struct trace_format_table *t, uint64_t id);
/* A name as a user gives it, even "args[2]": looked up once, read often. */
struct trace_picked {
	const struct trace_field *field; /* NULL: the format has no field of this name */
	int32_t element;                 /* -1: the whole */
};

struct trace_picked trace_format_pick(const struct trace_format *f, struct span name);
bool trace_format_read_picked(const struct trace_picked *p, const uint8_t *raw, size_t n,
	bool swapped, struct field_value *v);

/* A number at the same place of every sample: for events that come by the million. */
struct trace_number {
	uint32_t offset;
	uint32_t end_bytes; /* how many the raw part must have */
	uint8_t size_bytes; /* 4 or 8; 0: there is none */
	bool is_signed;
};

/* Without a size if the format has no such field, or one of another kind. */
struct trace_number trace_format_number(const struct trace_format *f, struct span name);

/* False if there is none, or the raw part is too short. */
static inline bool trace_format_read_number(
	const struct trace_number *t, const uint8_t *raw, size_t n, bool swapped, uint64_t *v)
{
	if (n < t->end_bytes || !t->size_bytes)
		return false;
	if (t->size_bytes == 8)
		*v = bytes_u64(raw + t->offset, swapped);
	else if (t->is_signed)
		*v = (uint64_t)(int32_t)bytes_u32(raw + t->offset, swapped);
	else
		*v = bytes_u32(raw + t->offset, swapped);
	return true;
}

#endif
