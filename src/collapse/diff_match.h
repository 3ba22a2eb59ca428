/*
 * diff_match.h - which frames of two profiles are the same function
 *
 * Equal displayed names are the same function. The other names are on one side only. Of these,
 * names that differ only in what a compiler or a runtime adds are the same too:
 *
 *	f, f.part.0, f.constprop.0, f.isra.1.cold, f.llvm.123     copies that compilers make of f
 *	JS:~f a.js:9:1, JS:*f a.js:9:1, f a.js:9:1                tiers of a JavaScript function
 *	f, f_[i], f_[j]                                           marks of --annotate
 *	core::f::h0123456789abcdef, core::f::hfedcba9876543210    Rust's hashes
 *	f a.js:9:1, f a.js:12:1                                   a function that has moved: if as
 *	                                                          many are on both sides
 *
 * A function is identified by its name and its module's basename. Code without a name is one
 * function for each module, unless both sides have the same build of that (builds.h).
 *
 * Owns: its tables. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_DIFF_MATCH_H
#define PERFOLD_COLLAPSE_DIFF_MATCH_H

#include "collapse/builds.h"
#include "collapse/collapse.h"
#include "collapse/diff_moved.h"
#include "model/display_names.h"

struct diff_match {
	struct display_names shown;
	uint32_t *of_name;  /* by number of a displayed name: that of the name it is matched with */
	bool *unclear;      /* by number: see diff_moved_is_unclear() */
	frame_id *of_frame; /* by frame: the one that represents the function; 0: not in use */
	struct diff_moved moved;
	frame_id *as; /* by frame in use: itself, or that of its module */
};

/* p: how names are displayed. */
void diff_match_init(struct diff_match *m, const struct profile *p,
	const struct profile *const *before, size_t n_before, const struct profile *after,
	bool exact);
void diff_match_release(struct diff_match *m);

/* The number of the name that a frame of as[] is matched with. */
static inline uint32_t diff_match_name(struct diff_match *m, frame_id frame)
{
	return m->of_name[display_names_number(&m->shown, frame)];
}

#endif
