/*
 * jit_hints.h - what the records of a recording say of JIT code
 *
 * A runtime that writes a jitdump maps it, executable, once: so perf records its path (see
 * tools/perf/Documentation/jitdump-specification.txt). The clock of the samples decides whether the
 * times in a dump can be compared with theirs.
 *
 * Owns: its list; paths belong to the strtab. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_JIT_CODE_JIT_HINTS_H
#define PERFOLD_PROCESS_JIT_CODE_JIT_HINTS_H

#include "base/index.h"
#include "input/perfdata/perfdata.h"
#include "jit/jit.h"

/* A zeroed struct is empty. */
struct jit_hints {
	struct jit_clock clock;
	struct jit_hint {
		int32_t pid; /* as perf sees it; the file's name may have another number */
		str_id path; /* of the dump that it mapped last */
	} * dumps;
	uint32_t n, cap;
	struct index by_pid;
};

void jit_hints_release(struct jit_hints *h);
/* The clock of the samples' times, according to the events. */
void jit_hints_clock(struct jit_hints *h, const struct perfdata *pd, bool has_times);
/* PERF_RECORD_TIME_CONV. */
void jit_hints_time_conv(
	struct jit_hints *h, const struct perfdata *pd, const struct perfdata_record *r);
/* A mapping, perhaps of a jitdump. */
void jit_hints_mmap(struct jit_hints *h, struct strtab *strings, const struct perfdata_mmap *m);
/* The path of the dump that a process mapped last, 0: none. */
str_id jit_hints_dump(const struct jit_hints *h, int32_t pid);

#endif
