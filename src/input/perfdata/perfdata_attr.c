/*
 * How it works: a perf_event_attr says which parts a sample of its event has (sample_type). The
 * parts up to the period have a fixed size, and the kernel writes them in one order, so their
 * offsets follow from sample_type alone. They are computed here once for each event; decoding a
 * sample is then a load at each offset. The trailer of other records (struct sample_id) holds some
 * of the same parts, counted back from the end of the record:
 *
 *	sample    header | identifier | ip | pid, tid | time | addr | id | stream_id | ...
 *	          0        8 ->         16 -> ...     +8 for each part that is there
 *	trailer   ... | pid, tid | time | id | stream_id | cpu | identifier |
 *	               -8 for each part that is there    <- 16  <- 8         end of the record
 *
 * Attributes of any size are read: those of older versions of perf are shorter (missing fields are
 * 0), those of newer ones longer (the rest is ignored).
 *
 * Source: perf_output_sample() and perf_event__output_id_sample() in kernel/events/core.c;
 * swap_bitfield() in tools/perf/util/session.c.
 */
#include "input/perfdata/perfdata_attr.h"

#include "base/mem.h"
#include "base/cursor.h"
#include "input/perfdata/perfdata_record.h"

/* Bits of the flags, as numbered on little-endian machines. */
enum attr_flag {
	FLAG_INHERIT = 1,
	FLAG_EXCLUDE_USER = 4,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_EXCLUDE_HV = 6,
	FLAG_MMAP = 8,
	FLAG_COMM = 9,
	FLAG_FREQ = 10,
	FLAG_TASK = 13,
	FLAG_PRECISE_IP = 15, /* and 16 */
	FLAG_MMAP_DATA = 17,
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_EXCLUDE_HOST = 19,
	FLAG_EXCLUDE_GUEST = 20,
	FLAG_EXCLUDE_CALLCHAIN_KERNEL = 21,
	FLAG_EXCLUDE_CALLCHAIN_USER = 22,
	FLAG_MMAP2 = 23,
	FLAG_COMM_EXEC = 24,
	FLAG_USE_CLOCKID = 25,
	FLAG_CONTEXT_SWITCH = 26,
	FLAG_WRITE_BACKWARD = 27,
	FLAG_NAMESPACES = 28,
	FLAG_KSYMBOL = 29,
	FLAG_CGROUP = 32,
	FLAG_BUILD_ID = 34,
	FLAG_DEFER_CALLCHAIN = 38,
};

/* The flags are a bit field, which compilers on big-endian machines fill from the other end of each
 * byte. */
static uint64_t flags_read(const uint8_t *p, bool swapped)
{
	uint64_t flags = 0;
	unsigned i, bit;

	if (swapped == HOST_IS_BIG_ENDIAN)
		return bytes_u64(p, swapped);
	for (i = 0; i < 8; i++)
		for (bit = 0; bit < 8; bit++)
			if (p[i] >> bit & 1)
				flags |= (uint64_t)1 << (i * 8 + 7 - bit);
	return flags;
}

static bool has_flag(uint64_t flags, enum attr_flag flag)
{
	return flags >> flag & 1;
}

static void set_flags(struct perfdata_attr *a, uint64_t flags)
{
	a->inherit = has_flag(flags, FLAG_INHERIT);
	a->exclude_user = has_flag(flags, FLAG_EXCLUDE_USER);
	a->exclude_kernel = has_flag(flags, FLAG_EXCLUDE_KERNEL);
	a->exclude_hv = has_flag(flags, FLAG_EXCLUDE_HV);
	a->exclude_host = has_flag(flags, FLAG_EXCLUDE_HOST);
	a->exclude_guest = has_flag(flags, FLAG_EXCLUDE_GUEST);
	a->exclude_callchain_kernel = has_flag(flags, FLAG_EXCLUDE_CALLCHAIN_KERNEL);
	a->exclude_callchain_user = has_flag(flags, FLAG_EXCLUDE_CALLCHAIN_USER);
	a->mmap = has_flag(flags, FLAG_MMAP);
	a->mmap_data = has_flag(flags, FLAG_MMAP_DATA);
	a->mmap2 = has_flag(flags, FLAG_MMAP2);
	a->comm = has_flag(flags, FLAG_COMM);
	a->comm_exec = has_flag(flags, FLAG_COMM_EXEC);
	a->task = has_flag(flags, FLAG_TASK);
	a->precise_ip = flags >> FLAG_PRECISE_IP & 3;
	a->sample_id_all = has_flag(flags, FLAG_SAMPLE_ID_ALL);
	a->use_clockid = has_flag(flags, FLAG_USE_CLOCKID);
	a->context_switch = has_flag(flags, FLAG_CONTEXT_SWITCH);
	a->write_backward = has_flag(flags, FLAG_WRITE_BACKWARD);
	a->namespaces = has_flag(flags, FLAG_NAMESPACES);
	a->ksymbol = has_flag(flags, FLAG_KSYMBOL);
	a->cgroup = has_flag(flags, FLAG_CGROUP);
	a->build_id = has_flag(flags, FLAG_BUILD_ID);
	a->defer_callchain = has_flag(flags, FLAG_DEFER_CALLCHAIN);
}

/* If the event has that part, it is the next 8 bytes. */
static void set_offset(uint64_t sample_type, uint64_t bit, uint8_t *offset, uint8_t *bytes)
{
	if (!(sample_type & bit))
		return;
	*offset = *bytes;
	*bytes = (uint8_t)(*bytes + 8);
}

static void set_trailer_offset(uint64_t sample_type, uint64_t bit, uint8_t *offset, uint8_t *bytes)
{
	if (!(sample_type & bit))
		return;
	*bytes = (uint8_t)(*bytes + 8);
	*offset = *bytes;
}

static struct perfdata_offsets offsets_of(uint64_t t, bool sample_id_all)
{
	struct perfdata_offsets l = { .fixed_bytes = RECORD_HEADER_BYTES };

	set_offset(t, SAMPLE_IDENTIFIER, &l.identifier, &l.fixed_bytes);
	set_offset(t, SAMPLE_IP, &l.ip, &l.fixed_bytes);
	set_offset(t, SAMPLE_TID, &l.tid, &l.fixed_bytes);
	set_offset(t, SAMPLE_TIME, &l.time, &l.fixed_bytes);
	set_offset(t, SAMPLE_ADDR, &l.addr, &l.fixed_bytes);
	set_offset(t, SAMPLE_ID, &l.id, &l.fixed_bytes);
	set_offset(t, SAMPLE_STREAM_ID, &l.stream_id, &l.fixed_bytes);
	set_offset(t, SAMPLE_CPU, &l.cpu, &l.fixed_bytes);
	set_offset(t, SAMPLE_PERIOD, &l.period, &l.fixed_bytes);
	l.event_id = l.identifier ? l.identifier : l.id;
	if (!sample_id_all)
		return l;
	set_trailer_offset(t, SAMPLE_IDENTIFIER, &l.trailer.identifier, &l.trailer.bytes);
	set_trailer_offset(t, SAMPLE_CPU, &l.trailer.cpu, &l.trailer.bytes);
	set_trailer_offset(t, SAMPLE_STREAM_ID, &l.trailer.stream_id, &l.trailer.bytes);
	set_trailer_offset(t, SAMPLE_ID, &l.trailer.id, &l.trailer.bytes);
	set_trailer_offset(t, SAMPLE_TIME, &l.trailer.time, &l.trailer.bytes);
	set_trailer_offset(t, SAMPLE_TID, &l.trailer.tid, &l.trailer.bytes);
	l.trailer.event_id = l.trailer.identifier ? l.trailer.identifier : l.trailer.id;
	return l;
}

bool perfdata_attr_parse(struct perfdata_attr *a, const uint8_t *p, size_t n, bool swapped)
{
	uint8_t known[ATTR_KNOWN_BYTES] = { 0 };
	uint64_t flags, period;
	uint32_t size = bytes_u32(p + 4, swapped);
	bool sane = !size || size >= ATTR_FIRST_VERSION_BYTES;
	size_t use = size < ATTR_FIRST_VERSION_BYTES ? ATTR_FIRST_VERSION_BYTES : size;

	/* Size 0 means the first version; an attribute larger than ours is from a newer perf. */
	use = use < n ? use : n;
	memcpy(known, p, use < sizeof(known) ? use : sizeof(known));
	*a = (struct perfdata_attr){
		.type = bytes_u32(known, swapped),
		.size_bytes = size,
		.config = bytes_u64(known + 8, swapped),
		.sample_type = bytes_u64(known + 24, swapped),
		.read_format = bytes_u64(known + 32, swapped),
		.config1 = bytes_u64(known + 56, swapped),
		.config2 = bytes_u64(known + 64, swapped),
		.branch_sample_type = bytes_u64(known + 72, swapped),
		.regs_user = bytes_u64(known + 80, swapped),
		.stack_user_bytes = bytes_u32(known + 88, swapped),
		.clockid = (int32_t)bytes_u32(known + 92, swapped),
		.regs_intr = bytes_u64(known + 96, swapped),
		.max_stack = bytes_u16(known + 108, swapped),
		.swapped = swapped,
	};
	flags = flags_read(known + 40, swapped);
	set_flags(a, flags);
	period = bytes_u64(known + 16, swapped);
	if (has_flag(flags, FLAG_FREQ))
		a->frequency_hz = period;
	else
		a->period = period;
	a->default_period = a->period ? a->period : 1;
	a->offsets = offsets_of(a->sample_type, a->sample_id_all);
	return sane;
}
