/*
 * number_list.h - a list of numbers and ranges, as options have it: "0,2-5"
 *
 * Owns: its ranges. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_NUMBER_LIST_H
#define PERFOLD_MODEL_NUMBER_LIST_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct number_list {
	struct number_range {
		int64_t from, to;
	} * range;
	uint32_t n; /* 0: everything */
};

int number_list_parse(struct number_list *l, const char *text, struct err *e);
bool number_list_has(const struct number_list *l, int64_t n);
void number_list_release(struct number_list *l);

#endif
