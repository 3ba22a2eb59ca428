/*
 * profile_part.h - a part of a profile, which --split writes into a file of its own
 *
 * Owns: nothing; strings belong to the profile's strtab. Threads: read by any.
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
	SPLIT_LABEL,
	SPLIT_TIME,   /* intervals of equal length from the first sample on */
	SPLIT_BINARY, /* of outputs that are about one binary; no option says it */
};

struct split {
	enum split_by by;
	uint64_t width_ns; /* of SPLIT_TIME */
	const char *key;   /* of SPLIT_LABEL */
};

/* What a part consists of. Names of 0 and numbers of -1 are not used. */
struct profile_part {
	enum split_by by;
	uint32_t number, n_parts; /* from 0 */
	str_id name;              /* of the process, thread or cgroup */
	int32_t pid, tid, cpu;
	str_id event;
};

#endif
