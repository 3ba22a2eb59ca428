/*
 * code_log.h - which code was at which addresses, and when
 *
 * Code is made once and placed at an address; later it may be moved (by a garbage collector), and
 * other code placed where it was. What was placed last covers what it overlaps, from its time on:
 * model/overlay.h.
 *
 * Owns: its lists. Threads: build from one, look up from any. Private to jit/.
 */
#ifndef PERFOLD_JIT_CODE_LOG_H
#define PERFOLD_JIT_CODE_LOG_H

#include "base/index.h"
#include "base/span.h"
#include "model/overlay.h"
#include "model/stacklog.h"

enum { CODE_NONE = 0 };

/* A piece of code. Offsets are those of records in the jitdump, 0: there is none. */
struct code {
	uint64_t name;         /* an offset in the names of the log's owner */
	uint64_t loaded_at;    /* the record of the code itself */
	uint64_t lines_at;     /* a record of its lines */
	uint64_t unwinding_at; /* a record of how to unwind it */
	uint32_t name_size;
	uint32_t frame; /* the owner's cache: 0 until it is looked up; atomic */
};

/* A zeroed struct is empty. */
struct code_log {
	struct code *codes; /* number 0 is none */
	uint32_t n_codes, cap_codes;
	struct code_key {
		uint64_t key;
		uint32_t latest;
	} * keys;
	uint32_t n_keys, cap_keys;
	struct index by_key;
	struct placement {
		uint64_t time_ns, start, end;
		uint32_t code;
	} * placements; /* until frozen */
	uint32_t n_placements, cap_placements;
	uint64_t *times; /* of the placements, in order */
	struct overlay overlay;
};

/* The key identifies the code in a MOVE. Returns its number, 0 if there are too many. */
uint32_t code_log_add(struct code_log *l, const struct code *code, uint64_t key);
/* The last code of a key, 0: none. */
uint32_t code_log_by_key(const struct code_log *l, uint64_t key);
void code_log_place(
	struct code_log *l, uint64_t time_ns, uint64_t start, uint64_t end, uint32_t code);
/* To be called after the last placement. Without times all are valid at any time, and the last one
 * covers the others. */
void code_log_freeze(struct code_log *l, bool with_times);
void code_log_release(struct code_log *l);

struct code_hit {
	uint32_t code;  /* 0: none at that time */
	uint64_t start; /* of the placement */
	bool ever;      /* there was code at some time */
};

/* *valid is set to the interval in which the answer holds. */
struct code_hit code_log_find(
	const struct code_log *l, uint64_t address, struct moment at, struct validity *valid);

#endif
