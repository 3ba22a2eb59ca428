/*
 * marks.h - samples that begin or end a span (perfold spans), and a few of their fields
 *
 * Only on demand (perfold spans), instead of the timeline: 32 bytes a sample, and 8 for each of the
 * wanted fields that it has. A worker appends; once all stacks are known, mark.stack (a number in
 * the worker's log) is turned into a node of the profile.
 *
 * Owns: its marks and values; texts are in the strtab of the run. Threads: each has its own.
 */
#ifndef PERFOLD_MODEL_MARKS_H
#define PERFOLD_MODEL_MARKS_H

#include "model/field_value.h"
#include "model/timeline.h"

enum { MARK_FIELDS_MAX = 8 };
/* The name of the field that a number alone is taken for: "syscalls:sys_exit_read: 0x4b". */
#define MARK_RESULT_FIELD "ret"

/* The fields to keep, of any event that has them. */
struct mark_fields {
	const char *name[MARK_FIELDS_MAX];
	uint32_t n;
};

enum { MARK_NO_STACK = UINT32_MAX };
/* No event, but a record SWITCH: the thread is on a CPU again. */
enum { MARK_SWITCHED_IN = (1 << 15) - 1 };

struct mark {
	uint64_t time_ns;
	uint64_t position;     /* in the recording: orders marks of the same time */
	uint32_t thread;       /* number in marks.threads */
	uint32_t stack;        /* stack_id of the log; after collapse: node of the profile */
	uint32_t first;        /* of its values */
	uint16_t event : 15;   /* index into recording.events, or MARK_SWITCHED_IN */
	uint16_t unwanted : 1; /* by its thread, its CPU or a field: kept for what it says of others
				*/
	uint8_t has, text;     /* bits, by field: is present; is a string */
};

_Static_assert(sizeof(struct mark) == 32, "there are as many as samples");

/* Records were lost somewhere in this interval. */
struct mark_gap {
	uint64_t from_ns, to_ns;
};

struct marks {
	struct mark *mark;
	size_t n, cap;
	uint64_t *value; /* numbers, or a str_id */
	size_t n_values, cap_values;
	struct timeline *threads; /* without rows */
	struct mark_gap *gaps;    /* seen by the worker; those of all go to the recording */
	size_t n_gaps, cap_gaps;
};

struct marks *marks_new(void);
void marks_free(struct marks *m);
/* Returns the number of the mark, which is the tag for stacklog_add(). The values added next are
 * its values. */
uint32_t marks_add(struct marks *m, const struct mark *mark);
/* A value of the mark added last; fields come in order. */
void marks_add_value(
	struct marks *m, uint32_t field, const struct field_value *v, struct strtab *strings);
/* For stacklog_set_on_stack(). */
void marks_set_stack(void *marks, uint32_t tag, stack_id stack);

/* False if the mark has no such field. A string is a str_id. */
bool marks_value(const struct marks *m, const struct mark *mark, uint32_t field, uint64_t *value);
static inline bool marks_is_string(const struct mark *mark, uint32_t field)
{
	return mark->text >> field & 1;
}

/* Records were lost between the mark added last and a time. */
void marks_add_gap(struct marks *m, uint64_t until_ns);
/* The gaps of n lists in order of time, merged where they overlap; owned by the caller. */
struct mark_gap *marks_merge_gaps(struct marks *const *parts, unsigned n, size_t *n_gaps);

/* All marks of n lists in order of time, with the threads of all; the lists are freed. */
struct marks *marks_merge(struct marks **parts, unsigned n);

#endif
