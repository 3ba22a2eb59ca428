/*
 * fieldvalue.h - the value of a field of a tracepoint, and conditions on it (--where)
 *
 * Made by trace/ from the bytes of a sample, or by input/ from what perf script prints. A value is
 * a number, a text, or both: the state "S" of a thread is the number 1.
 *
 *	condition = FIELD OP VALUE         OP: = != < <= > >= ~ !~ (regular expression)
 *
 * A VALUE that is a number (decimal, 0x hexadecimal, with a "-" in front) is compared with the
 * number where the field has one; else texts are compared. "..." around VALUE is taken off.
 *
 * Owns: a condition owns its texts; texts of values are borrowed. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_FIELDVALUE_H
#define PERFOLD_MODEL_FIELDVALUE_H

#include "base/buf.h"
#include "base/err.h"

struct field_value {
	bool has_number, has_text;
	bool is_signed;  /* number is an int64_t */
	bool is_address; /* shown in hexadecimal */
	uint64_t number;
	struct span text;
};

/* As a user reads it; nothing if it is neither number nor text. */
void field_value_put(struct buf *b, const struct field_value *v);
/* The number that a text is: 12, -12, 0x1f. */
bool field_value_scan(struct span text, struct field_value *v);

struct where_condition;

struct where_list {
	struct where_condition *item;
	size_t n, cap;
};

/* Add a condition. */
int where_list_add(struct where_list *l, const char *text, struct err *e);
void where_list_release(struct where_list *l);
/* The field that a condition is about. */
struct span where_field(const struct where_list *l, size_t i);
bool where_holds(const struct where_list *l, size_t i, const struct field_value *v);

/* A field's name may be followed by an element of an array: args[2]. False if it is not a name;
 * *element is -1 if there is none. */
bool field_value_split_name(struct span s, struct span *name, int32_t *element);

#endif
