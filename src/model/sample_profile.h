/*
 * sample_profile.h - how often each line ran, as compilers read it to optimise
 *
 * A tree of functions. A root is a function that has code of its own; a child is one that was
 * inlined into its parent, at a call site. Lines count from the line at which their function is
 * declared, so that a profile still fits when code above has changed; a discriminator tells apart
 * what is on one line. A line has a count, and the functions that were called there.
 *
 *	main: total, head			a root
 *	  line 3			count
 *	  line 5			count, calls decide: n
 *	  line 7 ─► kind_of: total	inlined there
 *	    line 2		count
 *
 * What the numbers mean is up to who adds them.
 *
 * Owns: all of it; names are of the caller's strtab. Threads: one.
 * Source: LLVM, llvm/ProfileData/SampleProfReader.h; GCC, auto-profile.cc.
 */
#ifndef PERFOLD_MODEL_SAMPLE_PROFILE_H
#define PERFOLD_MODEL_SAMPLE_PROFILE_H

#include "base/index.h"
#include "base/strtab.h"

#include <stdbool.h>

/* Within a function. */
struct sample_place {
	uint32_t line, discriminator; /* line: since that of the declaration */
};

struct sample_function {
	uint32_t parent;          /* SAMPLE_NO_FUNCTION: a root */
	struct sample_place site; /* in the parent */
	str_id name;              /* as linkers have it */
	uint64_t total;           /* of its lines and of all that is inlined, by bytes of code */
	uint64_t head;            /* calls of a root */
	uint32_t first_child, n_children; /* once sorted: what was inlined */
};

struct sample_line {
	uint32_t function;
	struct sample_place place;
	uint64_t count;
};

struct sample_target {
	uint32_t function; /* that has the call */
	struct sample_place place;
	str_id name; /* what is called */
	uint64_t count;
};

enum { SAMPLE_NO_FUNCTION = UINT32_MAX };

struct sample_profile {
	struct sample_function *function;
	struct sample_line *line;
	struct sample_target *target;
	uint32_t n_functions, cap_functions;
	uint32_t n_lines, cap_lines;
	uint32_t n_targets, cap_targets;
	struct index functions, lines, targets; /* empty once sorted */
	const struct strtab *strings;
};

struct sample_profile *sample_profile_new(const struct strtab *strings);
void sample_profile_free(struct sample_profile *p);

/* Each returns a number, which is new where there was none; counts begin at 0. */
uint32_t sample_profile_root(struct sample_profile *p, str_id name);
uint32_t sample_profile_inlined(
	struct sample_profile *p, uint32_t parent, struct sample_place site, str_id name);
uint32_t sample_profile_line(
	struct sample_profile *p, uint32_t function, struct sample_place place);
uint32_t sample_profile_target(
	struct sample_profile *p, uint32_t function, struct sample_place place, str_id name);

/* Puts all in the order of writers; afterwards numbers are others, and nothing can be added.
 * Children: by call site and name. Roots: by total, the heaviest first, and by name. Lines: by
 * function and place. Targets: by function, place and count, the most frequent first, and name. */
void sample_profile_sort(struct sample_profile *p);

/* Once sorted: the number of the first root, from which on all are roots. */
uint32_t sample_profile_first_root(const struct sample_profile *p);
/* The first line of a function, and how many it has. */
const struct sample_line *sample_profile_lines(
	const struct sample_profile *p, uint32_t function, uint32_t *n);
/* What a line calls. */
const struct sample_target *sample_profile_targets(
	const struct sample_profile *p, const struct sample_line *line, uint32_t *n);

#endif
