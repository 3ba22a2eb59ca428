/*
 * tally.h - sums of samples, instead of samples one by one
 *
 * Pass 1 needs only the number and times of most samples, of which there are millions. The offsets
 * of event, time and CPU are the same in all samples of a recording, and are looked up once. A
 * sample that lacks them, or that has an unknown event, is not counted here but visited as a
 * record.
 *
 * Owns: its lists. Threads: each has its own. Private to input/perfdata/.
 */
#ifndef PERFOLD_INPUT_PERFDATA_TALLY_H
#define PERFOLD_INPUT_PERFDATA_TALLY_H

#include "input/perfdata/perfdata_private.h"

enum { TALLY_EVENTS_MAX = 1024 };

/* Later times are not times but marks. */
#define TALLY_TIME_LIMIT_NS ((uint64_t)1 << 63)

struct tally {
	struct perfdata_tally sum;
	const struct perfdata *pd; /* borrowed */
	uint32_t time_at, cpu_at, id_at, fixed_bytes;
	uint64_t id; /* seen last */
	uint32_t attr;
	uint32_t cap_cpus;
};

/* Consecutive samples of one event and one CPU, the usual case: they are first summed up in
 * registers. */
struct tally_run {
	uint32_t cpu;
	uint64_t samples;
	uint64_t lowest_ns, highest_ns;
	uint64_t time_ns; /* of the last */
};

/* Can samples of the recording be summed up? They can if all have their time at one offset. */
bool tally_is_possible(const struct perfdata *pd);
void tally_init(struct tally *t, const struct perfdata *pd);
void tally_release(struct tally *t);
/* Set all sums to 0. */
void tally_clear(struct tally *t);
/* A run that begins with the sample, of size bytes at p; false if that has to be visited as a
 * record. */
bool tally_begin_run(
	struct tally *t, struct tally_run *run, const uint8_t *p, uint32_t size, bool swapped);
/* The run is over: position is that of its last sample, bytes the size of all of them. */
void tally_end_run(struct tally *t, struct tally_run run, uint64_t position, uint64_t bytes);
/* Add a sample. False if it has to be visited as a record. */
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
