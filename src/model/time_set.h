/*
 * time_set.h - ranges of time, in order
 *
 * Ranges are half-open: what ends one at a moment may begin the next there, and every moment is
 * either inside or outside. They are added in any order, then time_set_settle() sorts them and
 * merges those that touch or overlap. 16 bytes a range.
 *
 * Owns: its ranges. Threads: made by one, then read by any.
 */
#ifndef PERFOLD_MODEL_TIME_SET_H
#define PERFOLD_MODEL_TIME_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct time_range {
	uint64_t from_ns, to_ns;
};

/* A zeroed struct is empty. */
struct time_set {
	struct time_range *range; /* once settled: in order, none touches another */
	size_t n, cap;
};

void time_set_release(struct time_set *s);

/* An empty range is ignored. */
void time_set_add(struct time_set *s, struct time_range when);
/* All are added. */
void time_set_settle(struct time_set *s);
/* Take the times of another out; both are settled. */
void time_set_subtract(struct time_set *s, const struct time_set *by);

/* The first range that ends after a time. */
size_t time_set_after(const struct time_set *s, uint64_t time_ns);
bool time_set_has(const struct time_set *s, uint64_t time_ns);
/* How much of a time is in the set. */
uint64_t time_set_overlap_ns(const struct time_set *s, struct time_range when);

#endif
