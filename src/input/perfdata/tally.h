/*
 * tally.h - samples summed up, in place of being handed out one by one
 *
 * Of most samples pass 1 wants their number and their times alone, and there are millions. What
 * makes a sample countable is the same for all of a recording, and is found once: where its event,
 * its time and its processor lie. One that lacks them, or whose event nobody knows, is not counted
 * here: it is handed out as a record.
 *
 * Owns: its lists. Threads: one for each. Private to input/perfdata/.
 */
#ifndef PERFOLD_INPUT_PERFDATA_TALLY_H
#define PERFOLD_INPUT_PERFDATA_TALLY_H

#include "input/perfdata/private.h"

enum { TALLY_EVENTS_MAX = 1024 };

/* Later times are marks, not times. */
#define TALLY_TIME_LIMIT_NS ((uint64_t)1 << 63)

struct tally {
	struct perfdata_tally sum;
	const struct perfdata *pd; /* borrowed */
	uint8_t time_at, cpu_at, id_at, fixed_bytes;
	uint64_t id; /* seen last */
	uint32_t attr;
};

/* Whether samples of the recording can be summed up: all have their time at one place. */
bool tally_is_possible(const struct perfdata *pd);
void tally_init(struct tally *t, const struct perfdata *pd);
void tally_release(struct tally *t);
/* Begin anew. */
void tally_clear(struct tally *t);
/* Another id than the one before; false where it is nobody's. */
bool tally_find_event(struct tally *t, uint64_t id);

/* False where the sample, of size bytes at p, has to be handed out. */
static inline __attribute__((always_inline)) bool tally_add(
	struct tally *t, const uint8_t *p, uint32_t size, uint64_t position, bool swapped)
{
	struct tally_moment at = { .position = position };
	struct tally_event *event;
	uint32_t cpu;

	if (size < t->fixed_bytes)
		return false;
	if (t->id_at) {
		uint64_t id = get_u64(p + t->id_at, swapped);

		if (id != t->id && !tally_find_event(t, id))
			return false;
	}
	at.time_ns = get_u64(p + t->time_at, swapped);
	cpu = t->cpu_at ? get_u32(p + t->cpu_at, swapped) : 0;
	if (at.time_ns >= TALLY_TIME_LIMIT_NS || cpu >= TALLY_CPUS_MAX)
		return false;
	event = &t->sum.event[t->attr];
	event->samples++;
	if (at.time_ns < event->first_time_ns)
		event->first_time_ns = at.time_ns;
	if (at.time_ns > t->sum.last_time_ns)
		t->sum.last_time_ns = at.time_ns;
	if (cpu >= t->sum.n_cpus)
		t->sum.n_cpus = cpu + 1;
	t->sum.cpu[cpu] = at;
	t->sum.last = at;
	t->sum.bytes += size;
	return true;
}

#endif
