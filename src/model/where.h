/*
 * where.h - conditions on the fields of tracepoints (--where)
 *
 *	condition = FIELD OP VALUE         OP: = != < <= > >= ~ !~ (regular expression)
 *
 * A VALUE that is a number (decimal, 0x hexadecimal, with a "-" in front) is compared with the
 * number where the field has one; otherwise strings are compared. "..." around VALUE is removed.
 *
 * Owns: a list owns its conditions. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_WHERE_H
#define PERFOLD_MODEL_WHERE_H

#include "base/err.h"
#include "model/field_value.h"

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

#endif
