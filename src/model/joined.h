/*
 * joined.h - what many recordings say together, when each of them is gone
 *
 * One recording without stacks stands for all: sums are added up, what is a text or a number of one
 * machine stays where all recordings have it alike. So it is the same in whatever order they come.
 *
 * Owns: the joined recording owns copies. Threads: one at a time.
 */
#ifndef PERFOLD_MODEL_JOINED_H
#define PERFOLD_MODEL_JOINED_H

#include "model/account.h"

struct joined {
	struct recording *whole; /* borrowed; new when nothing was added */
	size_t n;                /* recordings added */
};

/* from may have another strtab; account is that of its frames. */
void joined_add(
	struct joined *j, const struct recording *from, const struct frame_account *account);

#endif
