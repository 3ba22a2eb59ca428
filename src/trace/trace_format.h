/*
 * trace_format.h - the fields of tracepoints: formats from a recording, values from a sample
 *
 * perf copies the format files of the tracepoints it records into the section TRACING_DATA:
 *
 *	17 08 "Dtracing"  version NUL  u8 big_endian  u8 long_bytes  u32 page_bytes
 *	"header_page" NUL u64 n, text[n]    "header_event" NUL u64 n, text[n]
 *	u32 formats of ftrace { u64 n, text[n] }
 *	u32 systems { name NUL  u32 formats { u64 n, text[n] } }     what follows is not used
 *
 * Numbers are in the byte order that big_endian tells; those of samples are in the recording's. A
 * format says what lies where in the raw part of a sample:
 *
 *	name: sched_switch
 *	ID: 372
 *	format:
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *		...
 *	print fmt: ...
 *
 * libtraceevent parses declarations, and is given nothing else: the length and form of each line in
 * the list are checked, and the line is written anew; "print fmt" never reaches it. A line that
 * does not pass costs only its field.
 *
 *	trace_formats_parse(formats, section, n);
 *	f = trace_formats_find(formats, attr->config);
 *	field = trace_format_field(f, SPAN("prev_pid"));
 *	trace_format_read_field(field, sample->raw, sample->raw_bytes, sample->swapped, &value);
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
	bool is_dynamic;  /* what lies there is u16 offset, size: of the data, from the start of the
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

struct trace_formats;

struct trace_formats *trace_formats_new(void);
void trace_formats_free(struct trace_formats *t);
/* The section TRACING_DATA. False if it is damaged: then the formats before that are known. */
bool trace_formats_parse(struct trace_formats *t, const uint8_t *p, size_t n);
/* The text of one format. False if it has no name or number. */
bool trace_formats_add(struct trace_formats *t, struct span system, struct span text,
	unsigned long_bytes, bool big_endian);
/* NULL: none has this number. */
const struct trace_format *trace_formats_find(const struct trace_formats *t, uint64_t id);
uint32_t trace_formats_count(const struct trace_formats *t);
const struct trace_format *trace_formats_get(const struct trace_formats *t, uint32_t i);

/* By name; NULL: there is none. */
const struct trace_field *trace_format_field(const struct trace_format *f, struct span name);

/* False if the raw part is too short, or says that the data lies outside it. Numbers of 1, 2, 4 and
 * 8 bytes; texts, up to a NUL (borrowed from raw); of an array its first element. */
bool trace_format_read_field(const struct trace_field *f, const uint8_t *raw, size_t n,
	bool swapped, struct field_value *v);
/* An element of an array of numbers; false if it has no such element. */
bool trace_format_read_element(const struct trace_field *f, uint32_t element, const uint8_t *raw,
	size_t n, bool swapped, struct field_value *v);
/* How many elements an array has in this sample; 1 for anything else. */
uint32_t trace_format_count_elements(
	const struct trace_field *f, const uint8_t *raw, size_t n, bool swapped);

/* A name as a user gives it, even "args[2]": looked up once, read often. */
struct trace_picked {
	const struct trace_field *field; /* NULL: the format has no field of this name */
	int32_t element;                 /* -1: the whole */
};

struct trace_picked trace_format_pick(const struct trace_format *f, struct span name);
bool trace_format_read_picked(const struct trace_picked *p, const uint8_t *raw, size_t n,
	bool swapped, struct field_value *v);

/* A number that lies in the same place in every sample: for events that come by the million. */
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
