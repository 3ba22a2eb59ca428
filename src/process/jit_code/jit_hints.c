#include "process/jit_code/jit_hints.h"

#include "base/hash.h"
#include "base/mem.h"
#include "files/files.h"

#include <stdlib.h>
#include <time.h>

void jit_hints_release(struct jit_hints *h)
{
	free(h->dumps);
	index_release(&h->by_pid);
	*h = (struct jit_hints){ 0 };
}

/* ---- clocks ------------------------------------------------------------------------------- */

void jit_hints_clock(struct jit_hints *h, const struct perfdata *pd, bool has_times)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);
	bool monotonic = has_times, own = has_times;

	for (i = 0; i < n; i++) {
		monotonic &= a[i].use_clockid && a[i].clockid == CLOCK_MONOTONIC;
		own &= !a[i].use_clockid;
	}
	h->clock.monotonic = monotonic;
	h->clock.counter.known &= own; /* led to perf's own clock */
}

void jit_hints_time_conv(
	struct jit_hints *h, const struct perfdata *pd, const struct perfdata_record *r)
{
	struct jit_counter *counter = &h->clock.counter;
	struct perfdata_time_conv t;

	*counter = (struct jit_counter){ 0 };
	if (!perfdata_record_decode_time_conv(pd, r, &t) || t.shift >= 64)
		return;
	*counter = (struct jit_counter){ .known = !t.has_caps || t.cap_zero,
		.shift = (uint8_t)t.shift,
		.mult = t.mult,
		.zero = t.zero,
		.cycles = t.cap_short ? t.cycles : 0,
		.mask = t.cap_short ? t.mask : 0 };
}

/* ---- dumps -------------------------------------------------------------------------------- */

static struct jit_hint *find_hint(const struct jit_hints *h, int32_t pid)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&h->by_pid, hash_u64((uint32_t)pid), c, i)
		if (h->dumps[i].pid == pid)
			return &h->dumps[i];
	return NULL;
}

static struct jit_hint *add_hint(struct jit_hints *h, int32_t pid)
{
	ARRAY_GROW(h->dumps, h->n, h->cap);
	h->dumps[h->n].pid = pid;
	index_add(&h->by_pid, hash_u64((uint32_t)pid), h->n);
	return &h->dumps[h->n++];
}

void jit_hints_mmap(struct jit_hints *h, struct strtab *strings, const struct perfdata_mmap *m)
{
	struct span path = m->path, deleted = SPAN(" (deleted)");
	struct jit_hint *hint;
	int32_t number;

	if (span_ends(path, deleted))
		path.n -= deleted.n;
	if (m->cpumode != CPUMODE_USER || !files_is_jitdump_name(path, &number))
		return;
	hint = find_hint(h, m->pid);
	if (!hint)
		hint = add_hint(h, m->pid);
	hint->path = strtab_add(strings, path);
}

str_id jit_hints_dump(const struct jit_hints *h, int32_t pid)
{
	const struct jit_hint *hint = find_hint(h, pid);

	return hint ? hint->path : 0;
}
