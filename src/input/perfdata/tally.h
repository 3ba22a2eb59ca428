/*
 * tally.h - samples summed up instead of being handed out one by one
 *
 * Of most samples, and there are millions, pass 1 wants only their number and times. Where event,
 * time and processor lie is the same in all samples of a recording, and is found once. A sample
 * that lacks them, or whose event is not known, is not counted here, but handed out as a record.
 *
 * Owns: its lists. Threads: each has its own. Private to input/perfdata/.
 */
#ifndef PERFOLD_INPUT_PERFDATA_TALLY_H
#define PERFOLD_INPUT_PERFDATA_TALLY_H

#include "input/perfdata/perfdata_private.h"

enum { TALLY_EVENTS_MAX = 1024 };

/* Later times are marks, not times. */
#define TALLY_TIME_LIMIT_NS ((uint64_t)1 << 63)

struct tally {
	struct perfdata_tally sum;
	const struct perfdata *pd; /* borrowed */
	uint32_t time_at, cpu_at, id_at, fixed_bytes;
	uint64_t id; /* seen last */
	uint32_t attr;
	uint32_t cap_cpus;
};

/* Samples of one event and one processor that follow one another, as nearly all do: they are first
 * summed up in registers. */
struct tally_run {
	uint32_t cpu;
	uint64_t samples;
	uint64_t lowest_ns, highest_ns;
	uint64_t time_ns; /* of the last */
};

/* Can samples of the recording be summed up? They can if all have their time at one place. */
bool tally_is_possible(const struct perfdata *pd);
void tally_init(struct tally *t, const struct perfdata *pd);
void tally_release(struct tally *t);
/* Begin anew. */
void tally_clear(struct tally *t);
/* A run that begins with the sample, of size bytes at p; false if that has to be handed out. */
bool tally_begin_run(
	struct tally *t, struct tally_run *run, const uint8_t *p, uint32_t size, bool swapped);
/* The run is over: last is where the last of its samples lies, bytes how many all of them have. */
void tally_end_run(struct tally *t, struct tally_run run, uint64_t position, uint64_t bytes);
/* One sample. False if it has to be handed out. */
bool tally_add(struct tally *t, const uint8_t *p, uint32_t size, uint64_t position, bool swapped);

/* False if the sample does not belong to such a run. */
static inline __attribute__((always_inline)) bool tally_add_to_run(
	const struct tally *t, struct tally_run *run, const uint8_t *p, uint32_t size, bool swapped)
{
	uint64_t time_ns;

	if (size < t->fixed_bytes || (t->id_at && bytes_u64(p + t->id_at, swapped) != t->id) ||
		(t->cpu_at && bytes_u32(p + t->cpu_at, swapped) != run->cpu))
		return false;
	time_ns = bytes_u64(p + t->time_at, swapped);
	if (time_ns >= TALLY_TIME_LIMIT_NS)
		return false;
	run->samples++;
	run->time_ns = time_ns;
	run->lowest_ns = time_ns < run->lowest_ns ? time_ns : run->lowest_ns;
	run->highest_ns = time_ns > run->highest_ns ? time_ns : run->highest_ns;
	return true;
}

#endif
