/*
 * grouping.h - a profile whose frames are modules, packages, files or kinds of code
 *
 * Each frame becomes that of its group, so that whatever ranks functions ranks groups: a stack
 * counts once for each group that it goes through (compare/costs.h). Frames of the thread's name
 * stay as they are; to group by them, every frame becomes the outermost frame of its stack.
 *
 * Owns: the profile, its frames and strings. Threads: one.
 */
#ifndef PERFOLD_COMPARE_GROUPING_H
#define PERFOLD_COMPARE_GROUPING_H

#include "model/profile.h"

enum grouping_by {
	GROUPING_NONE,
	GROUPING_MODULE,
	GROUPING_CATEGORY, /* a rule's label, else the kind of code */
	GROUPING_PACKAGE,  /* model/names/package_name.h */
	GROUPING_FILE,
	GROUPING_ROOT,  /* the outermost frame: of a thread, a CPU, ... as --root says */
	GROUPING_STATE, /* likewise, where a stack without such a frame is of a running thread */
};

/* Does any stack begin with the frame of a thread, a CPU, ...? */
bool grouping_has_roots(const struct profile *p);
struct profile *grouping_make(const struct profile *p, enum grouping_by by);
void grouping_free(struct profile *p);

#endif
