/*
 * siblings.h - siblings of one displayed name become one, in a profile that is there
 *
 * Owns: nothing. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_SIBLINGS_H
#define PERFOLD_COLLAPSE_SIBLINGS_H

#include "model/profile.h"

/* Only nodes and their samples change; the order stays, that of displayed names. Returns by former
 * node what it is now, to be freed. */
node_id *siblings_merge(struct profile *p);

#endif
