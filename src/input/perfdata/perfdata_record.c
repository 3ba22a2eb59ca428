/*
 * How it works: a table has a row for each record type, with its name and its smallest size. A
 * decoder takes the body of a record, which is the record without its header and trailer, as a
 * bounds-checked cursor; reads fields in order; and returns false if the cursor went beyond the end
 * or the type is not its own. Nothing is copied: strings and lists point into the record.
 *
 *	| header 8 | body: own layout ... | trailer (struct sample_id), see perfdata_attr.h |
 *
 * How long the trailer is depends on the event, and which event it is depends on the id in the
 * trailer; all events have that id at one offset from the end (evlist.c).
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h, tools/perf/util/event.h,
 * tools/lib/perf/include/perf/event.h.
 */
#include "input/perfdata/perfdata_record.h"

#include "base/mem.h"
#include "input/perfdata/perfdata_private.h"

#include <sys/mman.h>

enum record_misc {
	MISC_MMAP_DATA = 1 << 13,
	MISC_COMM_EXEC = 1 << 13,
	MISC_FORK_EXEC = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14,
	MISC_SWITCH_OUT_PREEMPT = 1 << 14,
	MISC_LOST_BY_BPF = 1 << 15,
	MISC_MAPS_TIMEOUT = 1 << 12,
};

enum { KSYMBOL_UNREGISTER = 1 };

/* A new type is a row here; the number is that of the bytes before strings and lists. */
#define KIND(type, min_bytes)             [RECORD_##type] = { #type, min_bytes, false }
#define KIND_OF_ANY_SIZE(type, min_bytes) [RECORD_##type] = { #type, min_bytes, true }

static const struct perfdata_record_kind kinds[] = {
	KIND(MMAP, 41),
	KIND(LOST, 24),
	KIND(COMM, 17),
	KIND(EXIT, 32),
	KIND(THROTTLE, 32),
	KIND(UNTHROTTLE, 32),
	KIND(FORK, 32),
	KIND(READ, 24),
	KIND(SAMPLE, 8),
	KIND(MMAP2, 73),
	KIND(AUX, 32),
	KIND(ITRACE_START, 16),
	KIND(LOST_SAMPLES, 16),
	KIND(SWITCH, 8),
	KIND(SWITCH_CPU_WIDE, 16),
	KIND(NAMESPACES, 24),
	KIND(KSYMBOL, 25),
	KIND(BPF_EVENT, 24),
	KIND(CGROUP, 17),
	KIND(TEXT_POKE, 24),
	KIND(AUX_OUTPUT_HW_ID, 16),
	KIND(CALLCHAIN_DEFERRED, 24),
	KIND(HEADER_ATTR, 72),
	KIND(HEADER_EVENT_TYPE, 8),
	KIND_OF_ANY_SIZE(HEADER_TRACING_DATA, 12),
	KIND_OF_ANY_SIZE(HEADER_BUILD_ID, 36),
	KIND(FINISHED_ROUND, 8),
	KIND(ID_INDEX, 16),
	KIND(AUXTRACE_INFO, 16),
	KIND(AUXTRACE, 48),
	KIND(AUXTRACE_ERROR, 48),
	KIND(THREAD_MAP, 16),
	KIND(CPU_MAP, 8),
	KIND(STAT_CONFIG, 16),
	KIND(STAT, 8),
	KIND(STAT_ROUND, 8),
	KIND(EVENT_UPDATE, 24),
	KIND(TIME_CONV, 32),
	KIND_OF_ANY_SIZE(HEADER_FEATURE, 16),
	KIND_OF_ANY_SIZE(COMPRESSED, 8),
	KIND(FINISHED_INIT, 8),
	KIND(COMPRESSED2, 16),
	KIND(BPF_METADATA, 32),
	KIND(SCHEDSTAT_CPU, 8),
	KIND(SCHEDSTAT_DOMAIN, 8),
};

const struct perfdata_record_kind *perfdata_record_kind(uint32_t type)
{
	static const struct perfdata_record_kind unknown = { NULL, RECORD_HEADER_BYTES, false },
						 simpleperf = { "SIMPLEPERF", 8, true };

	if (type > RECORD_SIMPLEPERF && type < RECORD_SIMPLEPERF_END)
		return &simpleperf;
	return type < ARRAY_LEN(kinds) && kinds[type].name ? &kinds[type] : &unknown;
}

/* The layout of the trailer depends on the event, and the event is known by the id in the trailer:
 * so all events have that id at one offset (evlist.c). */
static bool trailer_attr(const struct perfdata *pd, const struct perfdata_record *r, uint32_t *attr)
{
	uint64_t id = 0;

	*attr = 0;
	if (r->type >= RECORD_TOOLS || r->type == RECORD_SAMPLE || !pd->n_attrs)
		return false;
	if (pd->n_attrs > 1 && pd->trailer_id_at &&
		r->size - RECORD_HEADER_BYTES >= pd->trailer_id_at)
		id = bytes_u64(r->p + r->size - pd->trailer_id_at, pd->header.swapped);
	if (id && !perfdata_find_event(pd, id, attr))
		*attr = 0;
	return pd->attrs[*attr].offsets.trailer.bytes > 0;
}

/* A record without header and trailer. failed is set at once if not even the
 * trailer fits. */
static struct cursor record_body(const struct perfdata *pd, const struct perfdata_record *r)
{
	struct cursor c = { r->p, r->size, pd->header.swapped, false };
	uint32_t attr;

	cursor_bytes(&c, RECORD_HEADER_BYTES);
	if (!trailer_attr(pd, r, &attr))
		return c;
	if (pd->attrs[attr].offsets.trailer.bytes > c.left)
		cursor_bytes(&c, UINT64_MAX);
	else
		c.left -= pd->attrs[attr].offsets.trailer.bytes;
	return c;
}

uint32_t perfdata_record_trailer_bytes(const struct perfdata *pd, const struct perfdata_record *r)
{
	uint32_t attr;

	return trailer_attr(pd, r, &attr) ? pd->attrs[attr].offsets.trailer.bytes : 0;
}

bool perfdata_record_decode_trailer(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_trailer *out)
{
	const struct perfdata_attr *a;
	const uint8_t *end = r->p + r->size;
	uint32_t attr;

	if (!trailer_attr(pd, r, &attr))
		return false;
	a = &pd->attrs[attr];
	if (r->size - RECORD_HEADER_BYTES < a->offsets.trailer.bytes)
		return false;
	*out = (struct perfdata_trailer){ .pid = -1, .tid = -1, .cpu = -1, .attr = attr };
	if (a->offsets.trailer.time) {
		out->has_time = true;
		out->time_ns = bytes_u64(end - a->offsets.trailer.time, a->swapped);
	}
	if (a->offsets.trailer.event_id)
		out->id = bytes_u64(end - a->offsets.trailer.event_id, a->swapped);
	if (a->offsets.trailer.tid) {
		out->pid = (int32_t)bytes_u32(end - a->offsets.trailer.tid, a->swapped);
		out->tid = (int32_t)bytes_u32(end - a->offsets.trailer.tid + 4, a->swapped);
	}
	if (a->offsets.trailer.cpu)
		out->cpu = (int32_t)bytes_u32(end - a->offsets.trailer.cpu, a->swapped);
	return true;
}

static int32_t next_s32(struct cursor *c)
{
	return (int32_t)cursor_u32(c);
}

static struct span rest_string(struct cursor *c)
{
	return cursor_string(c, c->left);
}

/* The 24 bytes that hold device and inode, or the build-id of the file. */
static void decode_file_identity(struct cursor *c, bool has_build_id, struct perfdata_mmap *out)
{
	const uint8_t *id;
	uint8_t n;

	if (!has_build_id) {
		out->major = cursor_u32(c);
		out->minor = cursor_u32(c);
		out->inode = cursor_u64(c);
		out->generation = cursor_u64(c);
		return;
	}
	id = cursor_bytes(c, 24);
	n = id ? id[0] : 0;
	/* A length that cannot be true says nothing about the mapping. */
	if (!n || n > sizeof(out->build_id.byte))
		return;
	out->build_id.n = n;
	memcpy(out->build_id.byte, id + 4, n);
}

/* simpleperf writes what the JIT of Android's runtime has compiled to files, and records mappings
 * of these. Their symbols have addresses in memory, so the file offset of a mapping is made its
 * address. Source: simpleperf/thread_tree.cpp, ThreadTree::FindSymbol(). */
static void decode_generated(
	const struct perfdata *pd, uint32_t protection, struct perfdata_mmap *out)
{
	enum { PROT_JIT_SYMFILE_MAP = 0x4000 };

	if (!pd->features.simpleperf || !(protection & PROT_JIT_SYMFILE_MAP))
		return;
	out->generated = true;
	out->executable = true;
	out->file_offset = out->start;
}

bool perfdata_record_decode_mmap(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_mmap *out)
{
	struct cursor c = record_body(pd, r);
	uint32_t protection, flags;

	if (r->type != RECORD_MMAP && r->type != RECORD_MMAP2)
		return false;
	*out = (struct perfdata_mmap){ .pid = next_s32(&c), .cpumode = perfdata_record_cpumode(r) };
	out->tid = next_s32(&c);
	out->start = cursor_u64(&c);
	out->length = cursor_u64(&c);
	out->file_offset = cursor_u64(&c);
	out->executable = !(r->misc & MISC_MMAP_DATA);
	out->maps_timeout = r->misc & MISC_MAPS_TIMEOUT;
	if (r->type == RECORD_MMAP2) {
		decode_file_identity(&c, r->misc & MISC_MMAP_BUILD_ID, out);
		protection = cursor_u32(&c);
		flags = cursor_u32(&c);
		out->executable = protection & PROT_EXEC;
		out->huge = flags & MAP_HUGETLB;
		out->private = flags & MAP_PRIVATE;
		decode_generated(pd, protection, out);
	}
	out->path = rest_string(&c);
	return !c.failed;
}

bool perfdata_record_decode_comm(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_comm *out)
{
	struct cursor c = record_body(pd, r);

	*out = (struct perfdata_comm){ .pid = next_s32(&c), .exec = r->misc & MISC_COMM_EXEC };
	out->tid = next_s32(&c);
	out->name = rest_string(&c);
	return r->type == RECORD_COMM && !c.failed;
}

bool perfdata_record_decode_task(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_task *out)
{
	struct cursor c = record_body(pd, r);

	*out = (struct perfdata_task){ .pid = next_s32(&c) };
	out->ppid = next_s32(&c);
	out->tid = next_s32(&c);
	out->ptid = next_s32(&c);
	out->time_ns = cursor_u64(&c);
	out->synthesized = r->type == RECORD_FORK && (r->misc & MISC_FORK_EXEC);
	return (r->type == RECORD_FORK || r->type == RECORD_EXIT) && !c.failed;
}

bool perfdata_record_decode_lost(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_lost *out)
{
	struct cursor c = record_body(pd, r);
	bool samples = r->type == RECORD_LOST_SAMPLES;

	*out = (struct perfdata_lost){ .by_bpf = samples && (r->misc & MISC_LOST_BY_BPF) };
	if (!samples)
		out->id = cursor_u64(&c);
	out->lost = cursor_u64(&c);
	return (samples || r->type == RECORD_LOST) && !c.failed;
}

bool perfdata_record_decode_throttle(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_throttle *out)
{
	struct cursor c = record_body(pd, r);

	*out = (struct perfdata_throttle){ .time_ns = cursor_u64(&c) };
	out->id = cursor_u64(&c);
	out->stream_id = cursor_u64(&c);
	return (r->type == RECORD_THROTTLE || r->type == RECORD_UNTHROTTLE) && !c.failed;
}

bool perfdata_record_decode_ksymbol(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_ksymbol *out)
{
	struct cursor c = record_body(pd, r);

	*out = (struct perfdata_ksymbol){ .address = cursor_u64(&c) };
	out->length = cursor_u32(&c);
	out->type = cursor_u16(&c);
	out->unregister = cursor_u16(&c) & KSYMBOL_UNREGISTER;
	out->name = rest_string(&c);
	return r->type == RECORD_KSYMBOL && !c.failed;
}

bool perfdata_record_decode_switch(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_switch *out)
{
	struct cursor c;

	*out = (struct perfdata_switch){
		.out = perfdata_record_is_switch_out(r),
		.preempted = r->misc & MISC_SWITCH_OUT_PREEMPT,
		.other_pid = -1,
		.other_tid = -1,
	};
	if (r->type == RECORD_SWITCH)
		return true; /* it has no body */
	c = record_body(pd, r);
	out->other_pid = next_s32(&c);
	out->other_tid = next_s32(&c);
	return r->type == RECORD_SWITCH_CPU_WIDE && !c.failed;
}

bool perfdata_record_decode_cgroup(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_cgroup *out)
{
	struct cursor c = record_body(pd, r);

	*out = (struct perfdata_cgroup){ .id = cursor_u64(&c) };
	out->path = rest_string(&c);
	return r->type == RECORD_CGROUP && !c.failed;
}

bool perfdata_record_decode_deferred(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_deferred *out)
{
	struct cursor c = record_body(pd, r);
	uint64_t n;

	*out = (struct perfdata_deferred){ .cookie = cursor_u64(&c), .swapped = c.swapped };
	n = cursor_u64(&c);
	out->ips = cursor_array(&c, n, 8);
	out->n_ips = (uint32_t)n;
	return r->type == RECORD_CALLCHAIN_DEFERRED && !c.failed;
}

bool perfdata_record_decode_time_conv(
	const struct perfdata *pd, const struct perfdata_record *r, struct perfdata_time_conv *out)
{
	struct cursor c = record_body(pd, r);

	*out = (struct perfdata_time_conv){ .shift = cursor_u64(&c) };
	out->mult = cursor_u64(&c);
	out->zero = cursor_u64(&c);
	out->has_caps = c.left >= 18;
	if (out->has_caps) {
		const uint8_t *caps;

		out->cycles = cursor_u64(&c);
		out->mask = cursor_u64(&c);
		caps = cursor_bytes(&c, 2);
		out->cap_zero = caps[0];
		out->cap_short = caps[1];
	}
	return r->type == RECORD_TIME_CONV && !c.failed;
}
