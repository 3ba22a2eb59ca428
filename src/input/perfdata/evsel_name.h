/*
 * evsel_name.h - the name that perf would give an event whose name was not recorded
 *
 * Owns: nothing. Threads: any. Source: tools/perf/util/evsel.c (evsel__name).
 */
#ifndef PERFOLD_INPUT_PERFDATA_EVSEL_NAME_H
#define PERFOLD_INPUT_PERFDATA_EVSEL_NAME_H

#include "base/buf.h"
#include "input/perfdata/perfdata_attr.h"
#include "input/perfdata/perfdata_features.h"

/* "cycles:u", "L1-dcache-load-misses", "raw 0x1a8", "intel_bts/config=0x0/". Appended to b. */
void evsel_name_append(struct buf *b, const struct perfdata_attr *a,
	const struct perfdata_features *f, const struct strtab *strings);

#endif
