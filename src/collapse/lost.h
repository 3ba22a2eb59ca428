/*
 * lost.h - a frame for what the kernel could not write down, by --lost frame
 *
 * A lost sample is assumed to weigh what the used samples of its event do on average. Where the
 * event's counter is read nothing is missing, as the next sample has it. The frame [lost] stands
 * alone at the root, since nobody knows whose samples they were, and has no place in a timeline.
 *
 * Owns: nothing. Threads: one for each tree. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_LOST_H
#define PERFOLD_COLLAPSE_LOST_H

#include "model/tree.h"
#include "model/recording.h"

/* Add what was lost of the chosen events. */
void lost_add(struct tree *t, const struct recording *r, bool weight_by_samples);

#endif
