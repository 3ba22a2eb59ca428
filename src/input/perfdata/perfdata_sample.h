/*
 * perfdata_sample.h - decoding a sample
 *
 * The variable parts are pointers into the record; their numbers are in the byte order of the
 * recording and not aligned: use the accessors. A part that the event does not have is zero.
 *
 *	u64 identifier · u64 ip · u32 pid, tid · u64 time · u64 addr · u64 id · u64 stream_id
 *	· u32 cpu, reserved · u64 period · read · u64 n, ips[n] · u32 n, raw[n]
 *	· u64 n, [u64 hw_idx], {from, to, flags}[n], [u64 counters[n]]
 *	· u64 abi, user registers[] · u64 size, stack[size], dyn_size · u64 weight · u64 data_src
 *	· u64 transaction · u64 abi, registers[] · u64 phys_addr · u64 cgroup · u64 data_page_size
 *	· u64 code_page_size · u64 n, aux[n]
 *
 * Switches are also recognised by their bytes, without decoding them
 * (process/events/switch_match.h); switch_corpus_test.c compares that with what is decoded here.
 *
 * Owns: nothing, all is borrowed from the record. Threads: any.
 * Source: perf_event_open(2), PERF_RECORD_SAMPLE.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_SAMPLE_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_SAMPLE_H

#include "input/perfdata/perfdata_attr.h"
#include "base/buf.h"
#include "base/cursor.h"
#include "input/perfdata/perfdata_record.h"

enum perfdata_regs_abi { REGS_ABI_NONE = 0, REGS_ABI_32 = 1, REGS_ABI_64 = 2 };

struct perfdata_regs {
	uint64_t abi;  /* NONE: no registers were there to copy (a kernel thread) */
	uint64_t mask; /* which registers follow, the lowest first; 0 where abi is NONE */
	const uint8_t *values;
};

struct perfdata_sample {
	uint64_t ip, time_ns, addr, id, stream_id;
	uint64_t period;  /* the sample's own, else the event's default */
	int32_t pid, tid; /* -1: not recorded */
	int32_t cpu;      /* -1: not recorded */
	uint32_t has;     /* enum perfdata_sample_bits: the parts the event has */
	uint8_t cpumode;  /* enum perfdata_cpumode */
	bool exact_ip;    /* ip is the instruction itself (PEBS, IBS) */
	bool swapped;
	uint32_t n_ips;
	const uint8_t *ips; /* with context marks, innermost first */
	const uint8_t *raw;
	uint32_t raw_bytes;
	uint32_t n_branches;
	const uint8_t *branches, *branch_counters; /* the newest first */
	uint64_t branch_hw_idx;                    /* UINT64_MAX: not recorded */
	struct perfdata_regs regs_user, regs_intr;
	const uint8_t *stack;           /* from the user stack pointer up */
	uint32_t stack_bytes;           /* bytes of the stack that were copied */
	uint32_t stack_requested_bytes; /* size of the copy as requested: if equal, the stack was
					   cut off */
	uint32_t n_reads;
	const uint8_t *reads;
	uint64_t time_enabled, time_running;
	uint64_t weight, data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_bytes, code_page_bytes;
	const uint8_t *aux;
	uint32_t aux_bytes;
};

/* False if the sample is damaged, which the caller counts. a is the attribute of the
 * sample's event (perfdata_sample_event()). */
bool perfdata_sample_decode(const struct perfdata_attr *a, const struct perfdata_record *r,
	struct perfdata_sample *out);

/* Do samples of the event have nothing after the raw part, and no counters before it? */
bool perfdata_sample_is_short(const struct perfdata_attr *a);
/* For samples of such an event (context switches come by the million): ip, time, thread, CPU, call
 * chain and raw part. Everything else in out stays as it was. Gives the same as
 * perfdata_sample_decode(), see perfdata_agree_test.c. */
bool perfdata_sample_decode_short(const struct perfdata_attr *a, const struct perfdata_record *r,
	struct perfdata_sample *out);

/* Only the time; false if the event does not record it, or the sample is too short. */
static inline bool perfdata_sample_time(
	const struct perfdata_attr *a, const struct perfdata_record *r, uint64_t *time_ns)
{
	if (!a->offsets.time || r->size < a->offsets.fixed_bytes)
		return false;
	*time_ns = bytes_u64(r->p + a->offsets.time, a->swapped);
	return true;
}

/* The process, of a sample whose time could be read; -1 if the event does not record it. */
static inline int32_t perfdata_sample_pid(
	const struct perfdata_attr *a, const struct perfdata_record *r)
{
	return a->offsets.tid ? (int32_t)bytes_u32(r->p + a->offsets.tid, a->swapped) : -1;
}

static inline uint64_t perfdata_sample_ip(const struct perfdata_sample *s, uint32_t i)
{
	return bytes_u64(s->ips + (size_t)i * 8, s->swapped);
}

struct perfdata_branch {
	uint64_t from, to, flags;
};

static inline struct perfdata_branch perfdata_sample_branch(
	const struct perfdata_sample *s, uint32_t i)
{
	const uint8_t *p = s->branches + (size_t)i * 24;

	return (struct perfdata_branch){ bytes_u64(p, s->swapped), bytes_u64(p + 8, s->swapped),
		bytes_u64(p + 16, s->swapped) };
}

/* A counter of the group. id and lost are 0 if read_format does not have them. */
struct perfdata_read {
	uint64_t value, id, lost;
};

struct perfdata_read perfdata_sample_read(
	const struct perfdata_attr *a, const struct perfdata_sample *s, uint32_t i);

/* Append the sample again, without registers and stack, and without other parts that are not in
 * sample_type (parts of fixed size must be). chain: the words of its call chain, in the recording's
 * byte order. False if it is too large for a record; then nothing is appended. */
bool perfdata_sample_encode(struct buf *b, const struct perfdata_attr *a,
	const struct perfdata_record *r, const struct perfdata_sample *s, uint64_t sample_type,
	struct span chain);

#endif
