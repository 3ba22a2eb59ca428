/*
 * switch_waits.h - switches recorded in pass 1, before threads and addresses can be resolved
 *
 * A thread waits in few places, again and again: most of a million switches have the thread, the
 * state and the callchain of one before. So each such wait is kept once, and each switch has a row
 * that names its wait. The blocks of these switches are not read again: once the world is frozen,
 * pass 2 resolves each wait, and from when until when that holds (pass2_switches.c). Mostly it
 * holds for all of its switches, or for all but the earliest: only those are resolved one by one.
 *
 * No more is kept of a switch than this. It is enough where roots depend on thread, event and state
 * alone, and stacks on recorded callchains.
 *
 * Owns: rows and waits. Threads: each has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_SWITCH_WAITS_H
#define PERFOLD_PROCESS_EVENTS_SWITCH_WAITS_H

#include "base/index.h"
#include "input/perfdata/perfdata.h"
#include "process/events/switch_match.h"
#include "process/events/switch_events.h"

/* What all switches of a wait have in common, beside its chain. No padding: compared as words. */
union switch_wait_key {
	struct {
		uint64_t ip;
		int32_t pid, tid;
		uint32_t n_ips;
		uint16_t event;
		uint8_t kind : 4, state : 4, cpumode;
	};
	uint64_t word[3];
};

_Static_assert(sizeof(union switch_wait_key) == 3 * 8, "no padding: compared as words");

struct switch_wait {
	union switch_wait_key key;
	size_t ips;         /* where its chain is in the bytes of all chains */
	uint64_t from_ns;   /* its first switch */
	struct moment last; /* and its last */
};

/* A zeroed struct is empty, and nothing can be added. */
struct switch_waits {
	const struct switch_events *switch_events; /* borrowed; NULL: switches are left to pass 2 */
	const struct perfdata *pd;                 /* borrowed */
	const struct perfdata_attr *attrs;         /* borrowed */
	struct switch_log log;
	struct switch_wait *waits;
	uint32_t n_waits, cap_waits;
	uint32_t first_class; /* of the log: that of wait 0, and so on; not resolved yet */
	struct index by_hash;
	uint32_t *last; /* by the lower bits of a tid: its last wait */
	struct switch_match matches;
	struct buf ips;
	size_t full_bytes; /* of waits and their chains */
	/* Rows from a number on come from records after a position, and no record from there to the
	 * next of these blocks changes the world. */
	struct switch_waits_block {
		uint64_t position;
		size_t row;
	} * blocks;
	uint32_t n_blocks, cap_blocks;
	uint64_t n_bytes; /* of blocks that were added */
	struct diag diag;
};

/* Is this enough for what is wanted of the recording? */
bool switch_waits_suffice(
	const struct switch_events *s, const struct perfdata *pd, const struct read_opts *o);
void switch_waits_init(struct switch_waits *sw, const struct switch_events *s,
	const struct perfdata *pd, const struct read_opts *o);
void switch_waits_release(struct switch_waits *sw);

/* All records of a block. */
void switch_waits_add_block(struct switch_waits *sw, struct perfdata_block *b);
/* Waits should be resolved before more are added. */
bool switch_waits_is_full(const struct switch_waits *sw);
/* A wait as a sample again, without time and CPU. */
struct perfdata_sample switch_waits_sample(
	const struct switch_waits *sw, const struct switch_wait *w);
/* Another class of the log like that of a wait, to be resolved for itself. */
uint32_t switch_waits_add_class(struct switch_waits *sw, uint32_t wait);
/* All waits are resolved: only the rows are kept. */
void switch_waits_clear(struct switch_waits *sw);

#endif
