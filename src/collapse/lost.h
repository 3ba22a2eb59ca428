/*
 * lost.h - a frame for samples that the kernel lost, by --lost frame
 *
 * A lost sample is assumed to weigh what the used samples of its event do on average. If the
 * event's counter is read, nothing is missing, as the next sample has it. The frame [lost] is alone
 * at the root, since the threads of lost samples are not known, and is not in a timeline.
 *
 * Owns: nothing. Threads: one for each tree. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_LOST_H
#define PERFOLD_COLLAPSE_LOST_H

#include "model/tree.h"
#include "model/recording.h"

/* Add the lost samples of the chosen events. */
void lost_add(struct tree *t, const struct recording *r, bool weight_by_samples);

#endif
