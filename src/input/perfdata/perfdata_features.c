/*
 * How it works: one function for each kind of section, in a table by feature bit. A function reads
 * from a bounds-checked cursor (base/bytes.h), which remembers the first read beyond the end;
 * whether a section is damaged is checked once, after its function has returned. Lists are appended
 * to entry by entry, so that what comes before the damage is kept. Counts from the file only bound
 * loops that also stop at the end of the bytes: they are never used as sizes.
 *
 * Two sections have more than one form. BUILD_ID of the first versions of perf has no pid, which
 * shows when the kernel's path lacks its first letters. META_INFO is simpleperf's and holds text.
 *
 * Source: tools/perf/util/header.c (process_*, perf_header__read_build_ids);
 * simpleperf/record_file_format.h.
 */
#include "input/perfdata/perfdata_features.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/cursor.h"
#include "input/perfdata/perfdata_record.h"

#include <stdlib.h>

enum { MISC_BUILD_ID_SIZE = 1 << 15, BUILD_ID_FIELD_BYTES = 24 };

struct feature_reader {
	struct perfdata_features *f;
	struct strtab *strings;
	struct cursor c;
};

/*	u32 length; char string[length] */
static struct span next_string(struct cursor *c)
{
	return cursor_string(c, cursor_u32(c));
}

static str_id intern_string(struct feature_reader *a)
{
	return strtab_add(a->strings, next_string(&a->c));
}

static void add_hostname(struct feature_reader *a)
{
	a->f->hostname = intern_string(a);
}

static void add_os_release(struct feature_reader *a)
{
	a->f->os_release = intern_string(a);
}

static void add_version(struct feature_reader *a)
{
	a->f->version = intern_string(a);
}

static void add_arch(struct feature_reader *a)
{
	a->f->arch = intern_string(a);
}

static void add_cpu_desc(struct feature_reader *a)
{
	a->f->cpu_desc = intern_string(a);
}

static void add_cpuid(struct feature_reader *a)
{
	a->f->cpuid = intern_string(a);
}

static void add_cpus(struct feature_reader *a)
{
	a->f->cpus_available = cursor_u32(&a->c);
	a->f->cpus_online = cursor_u32(&a->c);
}

static void add_total_mem(struct feature_reader *a)
{
	a->f->total_mem_kib = cursor_u64(&a->c);
}

/*	u32 n; string[n] */
static void add_cmdline(struct feature_reader *a)
{
	uint32_t n = cursor_u32(&a->c);
	struct buf b = { 0 };

	while (n-- && !a->c.failed) {
		if (b.n)
			buf_putc(&b, ' ');
		buf_put_span(&b, next_string(&a->c));
	}
	a->f->cmdline = strtab_add(a->strings, buf_span(&b));
	buf_release(&b);
}

/*	u32 n, attr_bytes; {attr, u32 n_ids; string name; u64 ids[n_ids]}[n] */
static void add_event_desc(struct feature_reader *a)
{
	struct perfdata_features *f = a->f;
	uint32_t n = cursor_u32(&a->c), attr_bytes = cursor_u32(&a->c);

	if (attr_bytes < 16) {
		a->c.failed = true;
		return;
	}
	while (n--) {
		const uint8_t *attr = cursor_bytes(&a->c, attr_bytes);
		uint32_t n_ids = cursor_u32(&a->c);
		str_id name = intern_string(a);

		cursor_array(&a->c, n_ids, 8);
		if (a->c.failed)
			return;
		ARRAY_GROW(f->events, f->n_events, f->cap_events);
		f->events[f->n_events++] = (struct perfdata_event_desc){
			.type = bytes_u32(attr, a->c.swapped),
			.config = bytes_u64(attr + 8, a->c.swapped),
			.name = name,
		};
	}
}

/*	u32 n; {u32 type; string name}[n] */
static void add_pmus(struct feature_reader *a)
{
	struct perfdata_features *f = a->f;
	uint32_t n = cursor_u32(&a->c);

	while (n--) {
		struct perfdata_pmu pmu = { .type = cursor_u32(&a->c) };

		pmu.name = intern_string(a);
		if (a->c.failed)
			return;
		ARRAY_GROW(f->pmus, f->n_pmus, f->cap_pmus);
		f->pmus[f->n_pmus++] = pmu;
	}
}

/*	u32 n; {string name; u32 leader, n_members}[n] */
static void add_groups(struct feature_reader *a)
{
	struct perfdata_features *f = a->f;
	uint32_t n = cursor_u32(&a->c);

	while (n--) {
		struct perfdata_group g = { .name = intern_string(a) };

		g.leader = cursor_u32(&a->c);
		g.n_members = cursor_u32(&a->c);
		if (a->c.failed)
			return;
		ARRAY_GROW(f->groups, f->n_groups, f->cap_groups);
		f->groups[f->n_groups++] = g;
	}
}

static void add_sample_time(struct feature_reader *a)
{
	a->f->first_sample_ns = cursor_u64(&a->c);
	a->f->last_sample_ns = cursor_u64(&a->c);
}

static void add_clock_resolution(struct feature_reader *a)
{
	a->f->clock_resolution_ns = cursor_u64(&a->c);
}

static void add_dir_version(struct feature_reader *a)
{
	a->f->dir_version = cursor_u64(&a->c);
}

static void add_compressed(struct feature_reader *a)
{
	a->f->compressed.version = cursor_u32(&a->c);
	a->f->compressed.type = cursor_u32(&a->c);
	a->f->compressed.level = cursor_u32(&a->c);
	a->f->compressed.ratio = cursor_u32(&a->c);
	a->f->compressed.mmap_bytes = cursor_u32(&a->c);
}

/*	u32 version, clockid; u64 wall_ns, clock_ns */
static void add_clock_data(struct feature_reader *a)
{
	cursor_u32(&a->c);
	a->f->clock_data.clockid = cursor_u32(&a->c);
	a->f->clock_data.wall_ns = cursor_u64(&a->c);
	a->f->clock_data.clock_ns = cursor_u64(&a->c);
	a->f->clock_data.known = !a->c.failed;
}

static void add_e_machine(struct feature_reader *a)
{
	a->f->e_machine = cursor_u32(&a->c);
}

/* The bytes of a build-id as records hold it: u8 id[24], where byte 20 is its length if the
 * record says so; before that, all ids had 20 bytes. */
static struct build_id build_id_of(const uint8_t *field, uint16_t misc)
{
	struct build_id id = { .n = sizeof(id.byte) };

	if (misc & MISC_BUILD_ID_SIZE)
		id.n = field[20] <= sizeof(id.byte) ? field[20] : 0;
	memcpy(id.byte, field, id.n);
	return id;
}

/* {header; s32 pid; u8 id[24]; char path[]}[]
 * The first versions had no pid, which can be seen when the kernel's name lacks its front. */
static bool add_build_id_list(struct feature_reader *a, bool has_pid)
{
	static const struct span cut_kernel = { "nel.kallsyms]", 13 };
	struct perfdata_features *f = a->f;

	while (a->c.left && !a->c.failed) {
		struct cursor entry = a->c;
		uint16_t misc, size;
		struct perfdata_build_id b = { .pid = -1 };
		const uint8_t *field;
		struct span path;

		cursor_u32(&entry);
		misc = cursor_u16(&entry);
		size = cursor_u16(&entry);
		cursor_bytes(&a->c, size < RECORD_HEADER_BYTES ? UINT64_MAX : size);
		if (a->c.failed)
			return true;
		entry.left = size - RECORD_HEADER_BYTES;
		if (has_pid)
			b.pid = (int32_t)cursor_u32(&entry);
		field = cursor_bytes(&entry, BUILD_ID_FIELD_BYTES);
		path = cursor_string(&entry, entry.left);
		if (has_pid && span_starts(path, cut_kernel))
			return false;
		if (!field || !path.n) {
			a->c.failed = true;
			return true;
		}
		b.id = build_id_of(field, misc);
		b.cpumode = misc & 7;
		b.path = strtab_add(a->strings, path);
		ARRAY_GROW(f->build_ids, f->n_build_ids, f->cap_build_ids);
		f->build_ids[f->n_build_ids++] = b;
	}
	return true;
}

static void add_build_ids(struct feature_reader *a)
{
	struct cursor start = a->c;
	uint32_t before = a->f->n_build_ids;

	if (add_build_id_list(a, true))
		return;
	a->c = start;
	a->f->n_build_ids = before;
	add_build_id_list(a, false);
}

/* "cpu-cycles,0,0": name, type and config. */
static void add_event_type(struct feature_reader *a, struct span line)
{
	struct perfdata_features *f = a->f;
	ptrdiff_t comma = span_find(line, SPAN(","));
	struct span rest = span_skip(line, (size_t)(comma + 1));
	uint64_t type, config;

	if (comma <= 0 || !span_scan_u64(&rest, &type) || !span_starts(rest, SPAN(",")))
		return;
	rest = span_skip(rest, 1);
	if (!span_scan_u64(&rest, &config) || rest.n)
		return;
	ARRAY_GROW(f->events, f->n_events, f->cap_events);
	f->events[f->n_events++] = (struct perfdata_event_desc){
		.type = (uint32_t)type,
		.config = config,
		.name = strtab_add(a->strings, (struct span){ line.p, (size_t)comma }),
	};
}

/* Up to the next NUL, or the end. */
static struct span next_c_string(struct cursor *c)
{
	struct span s = { (const char *)c->p, strnlen((const char *)c->p, c->left) };

	cursor_bytes(c, s.n < c->left ? s.n + 1 : s.n);
	return s;
}

/* simpleperf:	{char key[], NUL, value[], NUL}[]; one value lists the events, one a line */
static void add_meta_info(struct feature_reader *a)
{
	while (a->c.left) {
		struct span key = next_c_string(&a->c), value = next_c_string(&a->c), line;

		if (!span_eq(key, SPAN("event_type_info")))
			continue;
		while (span_next_line(&value, &line))
			add_event_type(a, line);
	}
}

/*	u32 version, hidden, has_machine; u8 machine[32]; u32 n; u32 unwound[n] */
static void add_stripped(struct feature_reader *a)
{
	struct perfdata_stripped *s = &a->f->stripped;
	const uint8_t *machine;
	uint32_t n;

	s->version = cursor_u32(&a->c);
	s->hidden = cursor_u32(&a->c);
	s->has_machine = cursor_u32(&a->c);
	machine = cursor_bytes(&a->c, sizeof(s->machine));
	if (machine)
		memcpy(s->machine, machine, sizeof(s->machine));
	for (n = cursor_u32(&a->c); n && a->c.left && !a->c.failed; n--) {
		ARRAY_GROW(s->unwound, s->n_attrs, s->cap_attrs);
		s->unwound[s->n_attrs++] = cursor_u32(&a->c);
	}
	a->c.failed |= n > 0;
}

/* A new section is a function and a row. */
static const struct {
	unsigned bit;
	void (*feature_reader)(struct feature_reader *a);
} sections[] = {
	{ FEATURE_BUILD_ID, add_build_ids },
	{ FEATURE_HOSTNAME, add_hostname },
	{ FEATURE_OSRELEASE, add_os_release },
	{ FEATURE_VERSION, add_version },
	{ FEATURE_ARCH, add_arch },
	{ FEATURE_NRCPUS, add_cpus },
	{ FEATURE_CPUDESC, add_cpu_desc },
	{ FEATURE_CPUID, add_cpuid },
	{ FEATURE_TOTAL_MEM, add_total_mem },
	{ FEATURE_CMDLINE, add_cmdline },
	{ FEATURE_EVENT_DESC, add_event_desc },
	{ FEATURE_PMU_MAPPINGS, add_pmus },
	{ FEATURE_GROUP_DESC, add_groups },
	{ FEATURE_SAMPLE_TIME, add_sample_time },
	{ FEATURE_CLOCKID, add_clock_resolution },
	{ FEATURE_DIR_FORMAT, add_dir_version },
	{ FEATURE_COMPRESSED, add_compressed },
	{ FEATURE_CLOCK_DATA, add_clock_data },
	{ FEATURE_E_MACHINE, add_e_machine },
	{ FEATURE_META_INFO, add_meta_info },
	{ FEATURE_STRIPPED, add_stripped },
};

bool perfdata_features_used(unsigned bit)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(sections); i++)
		if (sections[i].bit == bit)
			return true;
	return false;
}

bool perfdata_features_add(struct perfdata_features *f, struct strtab *strings, unsigned bit,
	const uint8_t *p, size_t n, bool swapped)
{
	struct feature_reader a = { f, strings, { p, n, swapped, false } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(sections); i++)
		if (sections[i].bit == bit)
			sections[i].feature_reader(&a);
	return !a.c.failed;
}

void perfdata_features_release(struct perfdata_features *f)
{
	free(f->build_ids);
	free(f->events);
	free(f->pmus);
	free(f->groups);
	free(f->stripped.unwound);
	*f = (struct perfdata_features){ 0 };
}
