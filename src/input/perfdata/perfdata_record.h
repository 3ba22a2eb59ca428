/*
 * perfdata_record.h - the kinds of records, and views of those that are not samples
 *
 * A record: u32 type; u16 misc; u16 size (with these 8 bytes); then its own layout, quoted at each
 * view. Types below 64 are the kernel's; with sample_id_all they end in a trailer of 8-byte
 * words: [pid, tid] [time] [id] [stream_id] [cpu] [identifier]. Types from 64 up are perf's own.
 *
 * Strings end at the trailer, or at the record's end if there is no trailer, even if their NUL is
 * missing.
 *
 * Owns: nothing, views borrow from the record. Threads: any.
 * Source: perf_event_open(2); tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_RECORD_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_RECORD_H

#include "base/cursor.h"
#include "model/modules.h"

enum perfdata_record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6,
	RECORD_FORK = 7,
	RECORD_READ = 8,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_AUX = 11,
	RECORD_ITRACE_START = 12,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_NAMESPACES = 16,
	RECORD_KSYMBOL = 17,
	RECORD_BPF_EVENT = 18,
	RECORD_CGROUP = 19,
	RECORD_TEXT_POKE = 20,
	RECORD_AUX_OUTPUT_HW_ID = 21,
	RECORD_CALLCHAIN_DEFERRED = 22,
	RECORD_TOOLS = 64, /* from here on: made by perf, not by the kernel */
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_EVENT_TYPE = 65,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84,
	RECORD_SCHEDSTAT_CPU = 85,
	RECORD_SCHEDSTAT_DOMAIN = 86,
	RECORD_SIMPLEPERF = 32768, /* from here on: made by Android's simpleperf; not used */
	RECORD_SIMPLEPERF_END = 32778,
};

enum { RECORD_HEADER_BYTES = 8, RECORD_MAX_BYTES = 65535 };

enum perfdata_cpumode {
	CPUMODE_UNKNOWN = 0,
	CPUMODE_KERNEL = 1,
	CPUMODE_USER = 2,
	CPUMODE_HYPERVISOR = 3,
	CPUMODE_GUEST_KERNEL = 4,
	CPUMODE_GUEST_USER = 5,
};

struct perfdata_record {
	uint32_t type; /* enum perfdata_record_type */
	uint16_t misc;
	uint32_t size;     /* in bytes, with the header */
	const uint8_t *p;  /* the whole record, header included */
	uint64_t position; /* in the file; orders records of a recording */
};

static inline uint8_t perfdata_record_cpumode(const struct perfdata_record *r)
{
	return r->misc & 7;
}

static inline bool perfdata_record_is_compressed(uint32_t type)
{
	return type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2;
}

/* A kind of record: a row of the table in perfdata_record.c. */
/* The size of the raw bytes that follow a HEADER_TRACING_DATA record of at least 12 bytes. Old
 * versions of simpleperf count them in the record's size, so that none follow. */
static inline uint32_t perfdata_record_tracing_after(const uint8_t *p, uint32_t size, bool swapped)
{
	uint32_t bytes = bytes_u32(p + 8, swapped);

	return bytes <= size - 12 ? 0 : bytes;
}

struct perfdata_record_kind {
	const char *name;   /* "MMAP2"; NULL: an unknown type */
	uint16_t min_bytes; /* smaller ones are damaged */
	bool any_size;      /* its size need not be a multiple of 8 */
};

const struct perfdata_record_kind *perfdata_record_kind(uint32_t type);

struct perfdata;

/* The trailer. Records that perf made up itself have a time_ns and an id of 0. */
struct perfdata_trailer {
	uint64_t time_ns, id;
	int32_t pid, tid, cpu; /* -1: not recorded */
	bool has_time;
	uint32_t attr; /* the event that the record came with */
};

/* False if the record has no trailer: perf's own records, recordings without sample_id_all. */
bool perfdata_record_decode_trailer(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_trailer *out);

/* The bytes of the trailer; 0: it has none. */
uint32_t perfdata_record_trailer_bytes(const struct perfdata *pd, const struct perfdata_record *r);

/* The views below: false where the record is damaged, or of another type. */

/*	MMAP:  u32 pid, tid; u64 start, length, pgoff; char path[]
 *	MMAP2: ..., pgoff; u32 major, minor; u64 inode, generation; u32 prot, flags; char path[]
 *	with misc bit 14, for major to generation: u8 build_id_bytes, reserved[3], build_id[20] */
struct perfdata_mmap {
	int32_t pid, tid;
	uint64_t start, length, file_offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	struct build_id build_id; /* n 0: not recorded */
	bool executable;
	bool huge;         /* MAP_HUGETLB */
	bool private;      /* MAP_PRIVATE; false where that was not recorded */
	bool generated;    /* simpleperf: of the Java runtime, and file_offset is start, too */
	bool maps_timeout; /* perf gave up reading /proc/PID/maps: some mappings are missing */
	uint8_t cpumode;
	struct span path;
};
bool perfdata_record_decode_mmap(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_mmap *out);

/*	u32 pid, tid; char comm[] */
struct perfdata_comm {
	int32_t pid, tid;
	bool exec;
	struct span name;
};
bool perfdata_record_decode_comm(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_comm *out);

/*	FORK, EXIT: u32 pid, ppid, tid, ptid; u64 time */
struct perfdata_task {
	int32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
	bool synthesized; /* a FORK that perf made at its start: maps come in records of their own
			   */
};
bool perfdata_record_decode_task(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_task *out);

/*	LOST: u64 id, lost     LOST_SAMPLES: u64 lost */
struct perfdata_lost {
	uint64_t id, lost;
	bool by_bpf; /* LOST_SAMPLES: dropped by a filter, not lost */
};
bool perfdata_record_decode_lost(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_lost *out);

/*	THROTTLE, UNTHROTTLE: u64 time, id, stream_id */
struct perfdata_throttle {
	uint64_t time_ns, id, stream_id;
};
bool perfdata_record_decode_throttle(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_throttle *out);

/*	u64 address; u32 length; u16 type, flags; char name[] */
struct perfdata_ksymbol {
	uint64_t address;
	uint32_t length;
	uint16_t type; /* 1: BPF, 2: out of line (kprobes, ftrace) */
	bool unregister;
	struct span name;
};
bool perfdata_record_decode_ksymbol(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_ksymbol *out);

enum { PERFDATA_MISC_SWITCH_OUT = 1 << 13 };

/* Did the thread of the trailer leave the CPU? Else it came. */
static inline bool perfdata_record_is_switch_out(const struct perfdata_record *r)
{
	return r->misc & PERFDATA_MISC_SWITCH_OUT;
}

/*	SWITCH: nothing     SWITCH_CPU_WIDE: u32 next_prev_pid, next_prev_tid */
struct perfdata_switch {
	bool out;                     /* the thread of the trailer left the CPU */
	bool preempted;               /* it could have gone on running */
	int32_t other_pid, other_tid; /* the next, or the previous thread; -1: not recorded */
};
bool perfdata_record_decode_switch(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_switch *out);

/*	u64 id; char path[] */
struct perfdata_cgroup {
	uint64_t id;
	struct span path;
};
bool perfdata_record_decode_cgroup(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_cgroup *out);

/*	CALLCHAIN_DEFERRED: u64 cookie, n; u64 ips[n] */
struct perfdata_deferred {
	uint64_t cookie;
	const uint8_t *ips; /* as in a sample */
	uint32_t n_ips;
	bool swapped;
};
bool perfdata_record_decode_deferred(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_deferred *out);

/*	u64 time_shift, time_mult, time_zero; since Linux 5.9: u64 time_cycles, time_mask;
 *	u8 cap_user_time_zero, cap_user_time_short */
struct perfdata_time_conv {
	uint64_t shift, mult, zero, cycles, mask;
	bool has_caps; /* the fields of Linux 5.9 are there */
	bool cap_zero, cap_short;
};
bool perfdata_record_decode_time_conv(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_time_conv *out);

#endif
