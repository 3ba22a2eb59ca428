/*
 * switch_match.h - switches that have the bytes of an earlier one, apart from their time
 *
 * A thread waits in few places, so most switches need not be decoded: a record that has the
 * bytes of an earlier one, but for time, CPU and next thread, is of the same wait.
 *
 *	header id ip tid  time cpu  nr ips[nr] raw size  prev_pid prev_state next_pid
 *	   =   =  =   =   read read  =  =        =          =         =       read
 *
 * Each pattern has the words of its record and their offsets, found when it was decoded. Sizes are
 * checked then, once: a record with the same header and the same numbers of addresses and raw bytes
 * has everything at the same offsets. Words are compared in the byte order of the file.
 *
 *	slots[hash of tid, id, caller]       the pattern that matched last
 *	slots[the same ^ 1]                  the one before; when it matches, the two are swapped
 *
 * It says what perfdata_sample_decode() and switch_events_decode_sample() say of the record, and
 * switch_corpus_test.c compares the two. Decoding every record takes nearly twice the CPU time for
 * all of --off-cpu, which would miss the goal of 50 times the speed of perf sched timehist.
 *
 * Owns: its slots. Threads: each has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_SWITCH_MATCH_H
#define PERFOLD_PROCESS_EVENTS_SWITCH_MATCH_H

#include "base/hash.h"
#include "input/perfdata/perfdata.h"
#include "process/events/switch_events.h"

enum {
	SWITCH_MATCH_SLOTS = 1024,
	SWITCH_MATCH_WORDS = 4, /* of 8 bytes: ip, thread, id of the event, number of addresses */
	/* of 4: number of raw bytes, prev_pid, both of prev_state, or the flags of a wake-up and
	 * what is next to them */
	SWITCH_MATCH_HALVES = 4,
	/* The kernel always leaves a CPU through the same functions: the word of nr, ips[] with
	 * their caller, which differs between waits of a thread. */
	SWITCH_MATCH_CALLER = 4,
};

/* Offsets are from the start of the record. At 0 is the header, which is compared first: 0 is also
 * for what a record does not have. */
struct switch_pattern {
	uint64_t header; /* 0, which no header is: the slot is empty */
	uint64_t word[SWITCH_MATCH_WORDS];
	uint32_t half[SWITCH_MATCH_HALVES];
	uint16_t word_at[SWITCH_MATCH_WORDS], half_at[SWITCH_MATCH_HALVES];
	uint16_t size_bytes; /* of the record */
	uint16_t ips_at, ips_bytes;
	size_t chain;      /* where those of the wait are */
	uint16_t other_at; /* who came, or who was woken; 0: not known */
	uint8_t time_at, cpu_at;
	uint32_t wait;
	bool needs_other; /* a sample without it is no switch */
};

struct switch_match {
	struct switch_pattern *slots;
	uint32_t least_bytes; /* a record must have, to be looked for */
	uint16_t tid_at, id_at, caller_at;
	bool swapped;
};

void switch_match_init(struct switch_match *m, const struct perfdata *pd);
void switch_match_release(struct switch_match *m);
void switch_match_clear(struct switch_match *m);

/* This record is of that wait, whose addresses begin at chain among the bytes of all. s is the
 * record, decoded; event is its event. */
void switch_match_add(struct switch_match *m, const struct perfdata_record *r,
	const struct perfdata_attr *a, const struct switch_event *event,
	const struct perfdata_sample *s, uint32_t wait, size_t chain);

static inline uint64_t switch_match_word(const uint8_t *p, uint32_t place)
{
	return bytes_u64(p + place, false);
}

/* By the thread, the id of the event, and a caller. */
static inline uint64_t switch_match_slot(const struct switch_match *m, const uint8_t *p)
{
	uint64_t hash = hash_fold(bytes_u32(p + m->tid_at, false) ^ 0x9e3779b97f4a7c15u,
		switch_match_word(p, m->id_at) ^ switch_match_word(p, m->caller_at) ^
			0xbf58476d1ce4e5b9u);

	return hash % SWITCH_MATCH_SLOTS;
}

static inline __attribute__((always_inline)) bool switch_match_equals(
	const struct switch_pattern *t, const uint8_t *p, size_t left, const uint8_t *chains)
{
	uint64_t words = 0;
	uint32_t halves = 0;
	unsigned i;

	if (t->header != switch_match_word(p, 0) || t->size_bytes > left)
		return false;
#pragma GCC unroll 4
	for (i = 0; i < SWITCH_MATCH_WORDS; i++)
		words |= t->word[i] ^ switch_match_word(p, t->word_at[i]);
#pragma GCC unroll 4
	for (i = 0; i < SWITCH_MATCH_HALVES; i++)
		halves |= t->half[i] ^ bytes_u32(p + t->half_at[i], false);
	return !(words | halves) &&
	       (!t->ips_bytes || memcmp(p + t->ips_at, chains + t->chain, t->ips_bytes) == 0);
}

/* The same for the second slot; swaps the two. */
const struct switch_pattern *switch_match_find_second(const struct switch_match *m, uint64_t slot,
	const uint8_t *p, size_t left, const uint8_t *chains);

/* The pattern of the record at p, where left bytes are; NULL: none. */
static inline __attribute__((always_inline)) const struct switch_pattern *switch_match_find(
	const struct switch_match *m, const uint8_t *p, size_t left, const uint8_t *chains)
{
	uint64_t slot;

	if (left < m->least_bytes)
		return NULL;
	slot = switch_match_slot(m, p);
	if (switch_match_equals(&m->slots[slot], p, left, chains))
		return &m->slots[slot];
	return switch_match_find_second(m, slot, p, left, chains);
}

/* Its time, CPU and other thread; false where it is no switch. */
static inline __attribute__((always_inline)) bool switch_match_decode(
	const struct switch_pattern *t, const uint8_t *p, bool swapped, struct switch_seen *seen)
{
	uint32_t other;

	seen->time_ns = bytes_u64(p + t->time_at, swapped);
	seen->cpu = t->cpu_at ? switch_events_cpu((int32_t)bytes_u32(p + t->cpu_at, swapped)) : -1;
	seen->other_tid = SWITCH_NOBODY;
	if (!t->other_at)
		return true;
	other = bytes_u32(p + t->other_at, swapped);
	if (other < SWITCH_TIDS_MAX)
		seen->other_tid = (int32_t)other;
	return !t->needs_other || seen->other_tid > 0;
}

#endif
