/*
 * offcpu.h - samples of perf record --off-cpu
 *
 * A BPF program counts who was blocked, where and for how long, and writes that as output of the
 * event offcpu-time. The sample around it is of the CPU's next thread; what counts is in the raw
 * part:
 *
 *	u32 pid, tid; u64 period; u64 n, ips[n]; u64 cgroup
 *
 * the period in nanoseconds, ips a callchain with context marks. Waits below --off-cpu-thresh are
 * summed up and written at the end, with an impossible time.
 *
 * Owns: nothing. Threads: any. Source: tools/perf/util/off_cpu.h, bpf_off_cpu.c (layout).
 * Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_OFFCPU_H
#define PERFOLD_PROCESS_EVENTS_OFFCPU_H

#include "base/span.h"
#include "input/perfdata/perfdata.h"

/* Times from here on are impossible. */
#define OFFCPU_TOTALS_NS (~0ull << 32)

bool offcpu_is_event(const struct perfdata_attr *a, struct span name);
/* Put what is in the raw part in place of the sample's own; a sample without one stays as it is.
 * Sums are counted at last_ns. False where the raw part is damaged. */
bool offcpu_decode(struct perfdata_sample *s, uint64_t last_ns);

#endif
