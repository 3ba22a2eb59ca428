/*
 * cgroups.h - the control groups that samples ran in, by path
 *
 * A sample has the number of its group; a CGROUP record gives the path of a number. perf writes
 * those of groups that exist at its start, with time 0; the kernel writes those made later. Numbers
 * are hardly ever reused: at most CGROUP_PATHS_MAX paths of one are kept.
 *
 * Owns: its list. Threads: filled by one; read by any once cgroups_choose() was called.
 * Source: perf_event_open(2), PERF_RECORD_CGROUP. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CGROUPS_H
#define PERFOLD_PROCESS_CGROUPS_H

#include "base/index.h"
#include "base/strtab.h"
#include "model/sample_choice.h"
#include "model/stacklog.h"

enum { CGROUP_PATHS_MAX = 16 };

struct cgroups {
	struct cgroup {
		uint64_t id;
		struct moment from;
		str_id path;
		bool wanted;
	} * group;
	uint32_t n, cap;
	struct index by_id;
	const struct name_pattern *pattern; /* borrowed; NULL: all are wanted */
	bool outside;                       /* those are wanted that do not match it */
};

void cgroups_release(struct cgroups *c);
void cgroups_add(struct cgroups *c, struct moment at, uint64_t id, str_id path);
/* Once all are added: find those that match. */
void cgroups_choose(
	struct cgroups *c, const struct name_pattern *pattern, const struct strtab *strings);
/* The group that had the number at a moment; before its first record, that of the first. NULL: no
 * record has it. */
const struct cgroup *cgroups_find(const struct cgroups *c, uint64_t id, struct moment at);

static inline bool cgroups_wants(const struct cgroups *c, const struct cgroup *group)
{
	return !c->pattern || (group && group->wanted) != c->outside;
}

#endif
