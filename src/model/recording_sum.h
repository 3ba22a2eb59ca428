/*
 * recording_sum.h - the facts and counts of many recordings together, each of which is freed
 *
 * The result is a recording without stacks: counts are added up; a string or a number of one
 * machine is kept only if all recordings agree on it. So the result does not depend on their order.
 * Of modules, the build-id is kept by the name that is shown: readers of the sum find several for a
 * name if recordings do not agree, and no build-id if one of them knows none.
 *
 * Owns: the joined recording owns copies. Threads: one at a time.
 */
#ifndef PERFOLD_MODEL_RECORDING_SUM_H
#define PERFOLD_MODEL_RECORDING_SUM_H

#include "model/frame_account.h"
#include "model/profile.h"

struct recording_sum {
	struct recording *whole; /* borrowed; new while nothing was added */
	size_t n;                /* recordings added */
};

/* from may have another strtab; account is that of its frames. */
void recording_sum_add(
	struct recording_sum *j, const struct recording *from, const struct frame_account *account);
/* The modules of a recording that frames of its profile are in. */
void recording_sum_add_modules(
	struct recording_sum *j, const struct recording *from, const struct profile *p);

#endif
