/*
 * field_value.h - the value of a field of a tracepoint
 *
 * Made by trace/ from the bytes of a sample, or by input/ from what perf script prints. A value is
 * a number, a string, or both: the state "S" of a thread is the number 1.
 *
 * Owns: nothing, strings are borrowed. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_FIELD_VALUE_H
#define PERFOLD_MODEL_FIELD_VALUE_H

#include "base/buf.h"
#include "base/err.h"

struct field_value {
	bool has_number, has_text;
	bool is_signed;  /* number is an int64_t */
	bool is_address; /* shown in hexadecimal */
	uint64_t number;
	struct span text;
};

/* As a user reads it; nothing if it is neither number nor string. */
void field_value_put(struct buf *b, const struct field_value *v);
/* Parses a number: 12, -12, 0x1f. */
bool field_value_scan(struct span text, struct field_value *v);

/* A field's name may be followed by an element of an array: args[2]. False if it is not a name;
 * *element is -1 if there is none. */
bool field_value_split_name(struct span s, struct span *name, int32_t *element);

#endif
