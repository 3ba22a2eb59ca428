/*
 * roots.h - the frames at the bottom of a stack: thread, process, event ...
 *
 * Which fields count is the user's choice (--root); what was not chosen is 0 in the key, so
 * stacks that are drawn alike are counted together.
 *
 * Owns: the table owns the keys. Threads: any thread may intern (a lock inside).
 */
#ifndef PERFOLD_MODEL_ROOTS_H
#define PERFOLD_MODEL_ROOTS_H

#include "model/stacklog.h"

enum root_part {
	ROOT_END,
	ROOT_COMM,         /* the thread's name */
	ROOT_COMM_PID,     /* name-PID */
	ROOT_COMM_PID_TID, /* name-PID/TID */
	ROOT_PROCESS,      /* the name of the process: its leader's, or its executable's */
	ROOT_EVENT,
	ROOT_CPU,
	ROOT_CGROUP,
	ROOT_STATE, /* why a thread was off its CPU (--off-cpu) */
	ROOT_FIELD, /* a field of a tracepoint: this and the next ROOT_FIELDS_MAX - 1 */
	ROOT_LABEL = ROOT_FIELD + 3, /* a label: this and the next ROOT_LABELS_MAX - 1 */
};

enum { ROOT_PARTS_MAX = 8, ROOT_FIELDS_MAX = 3, ROOT_LABELS_MAX = 3 };

_Static_assert(ROOT_LABEL - ROOT_FIELD == ROOT_FIELDS_MAX, "fields are before labels");

/* The fields that parts from ROOT_FIELD on are. */
struct root_fields {
	const char *name[ROOT_FIELDS_MAX];
	uint32_t n;
};

/* The keys of the labels that parts from ROOT_LABEL on are. */
struct root_labels {
	const char *key[ROOT_LABELS_MAX];
	uint32_t n;
};

struct root {
	str_id comm, process, event, cgroup;
	int32_t pid, tid; /* -1: not known or not chosen */
	int32_t cpu;      /* -1: not known or not chosen */
	str_id state, field[ROOT_FIELDS_MAX];
	str_id labels; /* of an input whose samples have some: label_list_pack(); else 0 */
};

struct roots;

bool roots_equal(const struct root *a, const struct root *b);

struct roots *roots_new(void);
void roots_free(struct roots *t);
root_id roots_add(struct roots *t, const struct root *r);
const struct root *roots_get(const struct roots *t, root_id id);

#endif
