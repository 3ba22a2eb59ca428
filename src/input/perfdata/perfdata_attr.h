/*
 * perfdata_attr.h - the events of a recording, as requested from the kernel
 *
 * One struct perfdata_attr for each event of the recording: the perf_event_attr as whatever version
 * of perf wrote it (any size from 64 bytes up; fields beyond the known ones are ignored), the ids
 * of its counters, its name, and the offsets of the parts of its samples.
 *
 *	perf_event_attr:  0 type  4 size  8 config  16 period or frequency  24 sample_type
 *	32 read_format  40 flags (64 bits)  56 config1  64 config2  72 branch_sample_type
 *	80 sample_regs_user  88 sample_stack_user (u32)  92 clockid (s32)  96 sample_regs_intr
 *	108 sample_max_stack (u16)
 *
 * Owns: ids belong to the struct perfdata; the name to its strtab. Threads: read by any.
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_ATTR_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_ATTR_H

#include "base/strtab.h"

enum perfdata_event_type {
	EVENT_HARDWARE = 0,
	EVENT_SOFTWARE = 1,
	EVENT_TRACEPOINT = 2,
	EVENT_HW_CACHE = 3,
	EVENT_RAW = 4,
	EVENT_BREAKPOINT = 5,
};

/* PERF_COUNT_SW_*: those that are treated specially. */
enum perfdata_software_event {
	SOFTWARE_CPU_CLOCK = 0,
	SOFTWARE_TASK_CLOCK = 1,
	SOFTWARE_CONTEXT_SWITCHES = 3,
	SOFTWARE_DUMMY = 9,
	SOFTWARE_BPF_OUTPUT = 10,
};

/* Bits of sample_type: the parts that a sample has, not in the order of the bits. */
enum perfdata_sample_bits {
	SAMPLE_IP = 1u << 0,
	SAMPLE_TID = 1u << 1,
	SAMPLE_TIME = 1u << 2,
	SAMPLE_ADDR = 1u << 3,
	SAMPLE_READ = 1u << 4,
	SAMPLE_CALLCHAIN = 1u << 5,
	SAMPLE_ID = 1u << 6,
	SAMPLE_CPU = 1u << 7,
	SAMPLE_PERIOD = 1u << 8,
	SAMPLE_STREAM_ID = 1u << 9,
	SAMPLE_RAW = 1u << 10,
	SAMPLE_BRANCH_STACK = 1u << 11,
	SAMPLE_REGS_USER = 1u << 12,
	SAMPLE_STACK_USER = 1u << 13,
	SAMPLE_WEIGHT = 1u << 14,
	SAMPLE_DATA_SRC = 1u << 15,
	SAMPLE_IDENTIFIER = 1u << 16,
	SAMPLE_TRANSACTION = 1u << 17,
	SAMPLE_REGS_INTR = 1u << 18,
	SAMPLE_PHYS_ADDR = 1u << 19,
	SAMPLE_AUX = 1u << 20,
	SAMPLE_CGROUP = 1u << 21,
	SAMPLE_DATA_PAGE_SIZE = 1u << 22,
	SAMPLE_CODE_PAGE_SIZE = 1u << 23,
	SAMPLE_WEIGHT_STRUCT = 1u << 24,
};

enum perfdata_read_bits {
	READ_ENABLED = 1u << 0,
	READ_RUNNING = 1u << 1,
	READ_ID = 1u << 2,
	READ_GROUP = 1u << 3,
	READ_LOST = 1u << 4,
};

enum perfdata_branch_bits {
	BRANCH_CALL_STACK = 1u << 11,
	BRANCH_HW_INDEX = 1u << 17,
	BRANCH_COUNTERS = 1u << 19,
};

/* Offsets of the parts of fixed size in a sample, from its start, and in the trailer of the
 * kernel's other records (struct sample_id), back from the record's end. 0: the part is not there.
 */
struct perfdata_offsets {
	uint8_t identifier, ip, tid, time, addr, id, stream_id, cpu, period;
	uint8_t fixed_bytes; /* of a sample: the header and the parts above */
	uint8_t event_id;    /* the id that identifies the event: identifier, else id */
	struct perfdata_trailer_offsets {
		uint8_t tid, time, id, stream_id, cpu, identifier;
		uint8_t event_id;
		uint8_t bytes; /* of the whole trailer; 0: there is none */
	} trailer;
};

enum { ATTR_FIRST_VERSION_BYTES = 64, ATTR_KNOWN_BYTES = 112 /* as far as it is read */ };

struct perfdata_attr {
	uint32_t type;
	uint32_t size_bytes; /* as written */
	uint64_t config, config1, config2;
	uint64_t period;       /* fixed, 0 where it is a frequency */
	uint64_t frequency_hz; /* 0 where the period is fixed */
	uint64_t sample_type;  /* enum perfdata_sample_bits */
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user, regs_intr; /* masks */
	uint32_t stack_user_bytes;
	int32_t clockid;
	uint16_t max_stack;
	uint8_t precise_ip;
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest;
	bool exclude_callchain_kernel, exclude_callchain_user;
	bool inherit, mmap, mmap_data, comm, comm_exec, task, mmap2, sample_id_all;
	bool use_clockid, context_switch, namespaces, ksymbol, build_id, cgroup;
	bool write_backward, defer_callchain;
	bool swapped;            /* the byte order of the recording is not ours */
	uint64_t default_period; /* weight of a sample without a period of its own */
	bool unwound;            /* its chains are unwound copies of stacks (perfdata_features.h) */
	uint64_t at;             /* offset of its bytes in the recording; */
	uint32_t bytes;          /* so many are there */
	struct perfdata_offsets offsets;
	str_id name;         /* "cycles:u", "sched:sched_switch": recorded, or as perf would say */
	const uint64_t *ids; /* of its counters; may be none */
	uint32_t n_ids;
};

/* Parse an attribute of n >= 64 bytes; false if its own size field is below 64 (then it is parsed
 * as the first version, which has 64). Name and ids are left empty. */
bool perfdata_attr_parse(struct perfdata_attr *a, const uint8_t *p, size_t n, bool swapped);

#endif
