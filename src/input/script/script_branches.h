/*
 * script_branches.h - the branch stack at the end of a line of `perf script -F brstack`
 *
 *	7f68c5788793 0x4005c8/0x4005dc/P/-/-/0  0x40062f/0x4005b0/M/-/-/12/COND/-  ...
 *	             FROM     TO      FLAGS...
 *
 * The newest branch is the first. FROM and TO may be followed by "(MODULE)" (-F +dso). The first of
 * FLAGS has M if the branch was mispredicted, P if it was predicted; what follows are transactions,
 * cycles and, since perf 5.18, types. With a callchain the stack has a line of its own.
 *
 * Symbols in place of addresses (-F brstacksym) say nothing about code: branches within a function
 * have the same names, and those of two files may.
 *
 * Owns: nothing. Threads: any.
 * Source: perf_sample__fprintf_brstack() in tools/perf/builtin-script.c, perf 4.x to 7.x.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_BRANCHES_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_BRANCHES_H

#include "base/span.h"
#include "model/branch_history.h"

/* Does a line have a branch, by which texts with branch stacks are known? */
bool script_branches_are_there(struct span line);
/* In a text with branch stacks: where they begin in a line. They may be damaged. */
bool script_branches_find(struct span line, size_t *at);
/* The branch at the front of *s, which is moved past it. False if there is none. */
bool script_branches_next(struct span *s, struct branch_record *branch);

/* Does a line have branches between symbols? */
bool script_branches_are_names(struct span line);

#endif
