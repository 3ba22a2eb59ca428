/*
 * perfdata_features.h - what a recording says about itself
 *
 * Sections after the data, one for each bit set in the header. Strings are u32 length (rounded up
 * to 64), then bytes with a NUL among them. Each section is optional, and damage to one costs only
 * that one: it is counted (DIAG_BAD_FEATURE) and its contents are left out.
 *
 * Owns: the lists; strings belong to the strtab. Threads: read by any.
 * Source: tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_FEATURES_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_FEATURES_H

#include "base/strtab.h"
#include "model/diag.h"
#include "model/modules.h"

enum perfdata_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_E_MACHINE = 33,
	FEATURE_SIMPLEPERF = 128, /* from here on: made by Android's simpleperf */
	FEATURE_FILE = 128,
	FEATURE_META_INFO = 129,
	FEATURE_FILE2 = 132,
	FEATURE_STRIPPED = 224, /* made by perfold strip */
	FEATURE_BITS = 256,
};

struct perfdata_build_id {
	struct build_id id;
	int32_t pid; /* -1: the host's */
	uint8_t cpumode;
	str_id path;
};

struct perfdata_event_desc {
	uint32_t type;
	uint64_t config;
	str_id name;
};

struct perfdata_pmu {
	uint32_t type;
	str_id name;
};

struct perfdata_group {
	str_id name;
	uint32_t leader, n_members; /* indices of attributes */
};

struct perfdata_features {
	uint64_t bits[FEATURE_BITS / 64]; /* as the header says */
	str_id hostname, os_release, version, arch, cpu_desc, cpuid;
	str_id cmdline; /* joined by blanks */
	uint32_t cpus_available, cpus_online;
	uint64_t total_mem_kib;
	uint64_t first_sample_ns,
		last_sample_ns; /* as perf recorded at its end; both 0: not recorded */
	uint64_t clock_resolution_ns;
	struct {
		bool known;
		uint32_t clockid;
		uint64_t wall_ns, clock_ns; /* the same moment on both clocks */
	} clock_data;
	uint64_t dir_version;
	struct {
		uint32_t version, type, level, ratio, mmap_bytes;
	} compressed;
	uint32_t e_machine; /* as in ELF; 0: not said */
	/* Made by simpleperf, whose call chains hold addresses of calls instead of return
	 * addresses. */
	bool simpleperf;
	bool unfinished; /* the header was never completed: the recorder was killed */
	struct perfdata_stripped {
		uint32_t version; /* 0: it is not stripped */
		uint32_t hidden;  /* enum strip_hidden of model/strip.h */
		bool has_machine;
		uint8_t machine[32]; /* of the machine that was recorded: perfdata_copy.h */
		bool *unwound;       /* by attribute: its chains are unwound copies of stacks */
		uint32_t n_attrs, cap_attrs;
	} stripped;
	struct perfdata_build_id *build_ids;
	uint32_t n_build_ids, cap_build_ids;
	struct perfdata_event_desc *events;
	uint32_t n_events, cap_events;
	struct perfdata_pmu *pmus;
	uint32_t n_pmus, cap_pmus;
	struct perfdata_group *groups;
	uint32_t n_groups, cap_groups;
};

static inline bool perfdata_features_has(const struct perfdata_features *f, unsigned bit)
{
	return f->bits[bit / 64] >> (bit % 64) & 1;
}

/* Parse a section and add what it says; BUILD_ID may come several times. False if it is damaged:
 * the good front of a list is kept. True for sections that are not used. */
bool perfdata_features_add(struct perfdata_features *f, struct strtab *strings, unsigned bit,
	const uint8_t *p, size_t n, bool swapped);
bool perfdata_features_used(unsigned bit);
void perfdata_features_release(struct perfdata_features *f);

#endif
