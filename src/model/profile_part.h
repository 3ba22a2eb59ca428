/*
 * profile_part.h - a part of a profile: what --split makes a file of
 *
 * Owns: nothing; texts belong to the profile's strtab. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_PROFILE_PART_H
#define PERFOLD_MODEL_PROFILE_PART_H

#include "model/profile.h"

enum split_by {
	SPLIT_NONE,
	SPLIT_PROCESS,
	SPLIT_THREAD,
	SPLIT_EVENT,
	SPLIT_CPU,
	SPLIT_CGROUP,
	SPLIT_TIME, /* stretches of equal length from the first sample on */
};

struct split {
	enum split_by by;
	uint64_t width_ns; /* of SPLIT_TIME */
};

/* What a part is called. A name of 0 and a number of -1 say nothing. */
struct profile_part {
	enum split_by by;
	uint32_t number, n_parts; /* from 0 */
	str_id name;              /* of the process, thread or cgroup */
	int32_t pid, tid, cpu;
	str_id event;
};

#endif
