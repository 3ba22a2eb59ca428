/*
 * The header comes first but says how long the data is, so that it is written twice: without
 * numbers, and again at the end, over the first one (sink_patch()).
 *
 * Attributes are copied as bytes, since a newer perf may have written fields that are not known
 * here; those of parts of samples that are left out become 0. All have the size of the largest:
 * perf reads an array.
 *
 * Of features, kept[] are copied as they are. Others are made anew: build-ids, whose paths may have
 * to change, descriptions of events, which repeat the attributes. HOSTNAME is always there, hidden
 * or not: perf tells by it which byte order the bits of features are in.
 */
#include "input/perfdata/perfdata_private.h"

#include "base/mem.h"
#include "input/perfdata/perfdata_copy.h"
#include "model/strip.h"

#include <stdlib.h>

enum {
	HEADER_BYTES = 104,
	SECTION_BYTES = 16,
	STRING_ALIGN = 64, /* of strings in sections */
	MISC_BUILD_ID_SIZE = 1 << 15,
	BUILD_ID_BYTES = 24,
	BUILD_ID_FRONT_BYTES = RECORD_HEADER_BYTES + 4 + BUILD_ID_BYTES,
	ATTR_MAX_BYTES = 4096,
};

/* Numbers that say nothing about people or programs. */
static const uint8_t kept[] = { FEATURE_OSRELEASE, FEATURE_VERSION, FEATURE_ARCH, FEATURE_NRCPUS,
	FEATURE_CPUDESC, FEATURE_CPUID, FEATURE_TOTAL_MEM, FEATURE_CPU_TOPOLOGY,
	FEATURE_NUMA_TOPOLOGY, FEATURE_BRANCH_STACK, FEATURE_PMU_MAPPINGS, FEATURE_GROUP_DESC,
	FEATURE_CACHE, FEATURE_SAMPLE_TIME, FEATURE_MEM_TOPOLOGY, FEATURE_CLOCKID,
	FEATURE_CPU_PMU_CAPS, FEATURE_CLOCK_DATA, FEATURE_HYBRID_TOPOLOGY, FEATURE_PMU_CAPS,
	FEATURE_E_MACHINE };

static void put_number(struct buf *b, uint64_t v, unsigned bytes, bool swapped)
{
	uint8_t p[8];

	bytes_put(p, v, bytes, swapped);
	buf_put(b, p, bytes);
}

static void put_zeros(struct buf *b, size_t n)
{
	if (!n)
		return;
	buf_reserve(b, n);
	memset(b->p + b->n, 0, n);
	b->n += n;
}

static size_t rounded_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* u32 length; char string[length], with a NUL */
static void put_string(struct buf *b, struct span s, bool swapped)
{
	size_t n = rounded_up(s.n + 1, STRING_ALIGN);

	put_number(b, n, 4, swapped);
	buf_put_span(b, s);
	put_zeros(b, n - s.n);
}

/* ---- attributes --------------------------------------------------------------------------- */

static size_t attr_bytes(const struct perfdata_attr *a)
{
	size_t n =
		a->size_bytes < ATTR_FIRST_VERSION_BYTES ? ATTR_FIRST_VERSION_BYTES : a->size_bytes;

	n = n < a->bytes ? n : a->bytes;
	return n < ATTR_MAX_BYTES ? n : ATTR_MAX_BYTES;
}

static uint64_t largest_attr(const struct perfdata *pd)
{
	size_t n = ATTR_FIRST_VERSION_BYTES;
	uint32_t i;

	for (i = 0; i < pd->n_attrs; i++)
		if (attr_bytes(&pd->attrs[i]) > n)
			n = attr_bytes(&pd->attrs[i]);
	return rounded_up(n, 8);
}

/* Registers, stacks and AUX data are in no copy, so none are asked for. */
static void clear_fields(uint8_t *attr, size_t n)
{
	static const struct {
		uint16_t at, bytes;
	} fields[] = { { 80, 8 }, { 88, 4 }, { 96, 8 }, { 112, 4 } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(fields); i++)
		if (fields[i].at + fields[i].bytes <= n)
			memset(attr + fields[i].at, 0, fields[i].bytes);
}

static int put_attr(struct buf *b, const struct perfdata_copy *c, uint32_t i, struct err *e)
{
	enum { FLAGS = 40, EXCLUDE_CALLCHAIN_USER = 22 };
	const struct perfdata_attr *a = &c->pd->attrs[i];
	const bool swapped = c->pd->header.swapped;
	const unsigned bit = EXCLUDE_CALLCHAIN_USER % 8;
	size_t n = (size_t)c->entry_bytes - SECTION_BYTES;
	uint8_t *attr;

	put_zeros(b, n);
	attr = (uint8_t *)b->p + b->n - n;
	if (file_read_at(c->pd->file, attr, attr_bytes(a), a->at, e))
		return e->code;
	clear_fields(attr, n);
	bytes_put(attr + 4, n, 4, swapped);
	bytes_put(attr + 24, c->o->sample_type[i], 8, swapped);
	if (i < c->o->stripped->n_attrs && c->o->stripped->unwound[i])
		attr[FLAGS + EXCLUDE_CALLCHAIN_USER / 8] &=
			(uint8_t) ~(1u << (swapped ? 7 - bit : bit));
	return OK;
}

static void put_ids(struct buf *b, const struct perfdata *pd, const struct perfdata_attr *a)
{
	uint32_t i;

	for (i = 0; i < a->n_ids; i++)
		put_number(b, a->ids[i], 8, pd->header.swapped);
}

int perfdata_copy_begin(struct perfdata_copy *c, const struct perfdata *pd,
	const struct perfdata_copy_opts *o, struct sink *to, struct err *e)
{
	struct buf b = { 0 };
	uint64_t ids_at = HEADER_BYTES;
	uint32_t i;
	int rc = OK;

	*c = (struct perfdata_copy){ .pd = pd, .o = o, .to = to };
	c->entry_bytes = largest_attr(pd) + SECTION_BYTES;
	put_zeros(&b, HEADER_BYTES);
	for (i = 0; i < pd->n_attrs; i++)
		put_ids(&b, pd, &pd->attrs[i]);
	c->attrs_at = b.n;
	for (i = 0; i < pd->n_attrs && !rc; i++) {
		const struct perfdata_attr *a = &pd->attrs[i];

		rc = put_attr(&b, c, i, e);
		put_number(&b, ids_at, 8, pd->header.swapped);
		put_number(&b, (uint64_t)a->n_ids * 8, 8, pd->header.swapped);
		ids_at += (uint64_t)a->n_ids * 8;
	}
	c->data_at = b.n;
	sink_put(to, b.p, b.n);
	buf_release(&b);
	return rc;
}

/* ---- features ----------------------------------------------------------------------------- */

static bool hides(const struct perfdata_copy *c, enum strip_hidden what)
{
	return c->o->stripped->hidden & what;
}

static void put_host(struct buf *b, const struct perfdata_copy *c)
{
	const struct perfdata *pd = c->pd;
	str_id host = pd->features.hostname;

	put_string(b,
		host && !hides(c, STRIP_HOSTNAME) ? strtab_get(pd->strings, host)
						  : SPAN("redacted"),
		pd->header.swapped);
}

/* As in BUILD_ID records: {header; s32 pid; u8 id[24]; char path[]} */
static void put_build_id(
	struct buf *b, const struct perfdata_copy *c, const struct perfdata_build_id *of)
{
	const bool swapped = c->pd->header.swapped;
	const bool kernel = of->cpumode == CPUMODE_KERNEL || of->cpumode == CPUMODE_GUEST_KERNEL;
	uint8_t id[BUILD_ID_BYTES] = { 0 };
	struct buf path = { 0 };
	size_t from = b->n, n;

	if (!c->o->path(c->o->ctx, strtab_get(c->pd->strings, of->path), kernel, &path) ||
		path.n > RECORD_MAX_BYTES - BUILD_ID_FRONT_BYTES - STRING_ALIGN) {
		buf_release(&path);
		return;
	}
	memcpy(id, of->id.byte, of->id.n);
	id[sizeof(of->id.byte)] = of->id.n;
	put_number(b, RECORD_HEADER_BUILD_ID, 4, swapped);
	put_zeros(b, 4);
	bytes_put_u16(b->p + from + 4, of->cpumode | MISC_BUILD_ID_SIZE, swapped);
	put_number(b, (uint32_t)of->pid, 4, swapped);
	buf_put(b, id, sizeof(id));
	n = rounded_up(path.n + 1, STRING_ALIGN);
	buf_put_span(b, buf_span(&path));
	put_zeros(b, n - path.n);
	bytes_put_u16(b->p + from + 6, (uint16_t)(b->n - from), swapped);
	buf_release(&path);
}

static void put_build_ids(struct buf *b, const struct perfdata_copy *c)
{
	const struct perfdata_features *f = &c->pd->features;
	uint32_t i;

	for (i = 0; i < f->n_build_ids; i++)
		put_build_id(b, c, &f->build_ids[i]);
}

static int put_event_desc(struct buf *b, const struct perfdata_copy *c, struct err *e)
{
	const struct perfdata *pd = c->pd;
	uint32_t i;
	int rc = OK;

	put_number(b, pd->n_attrs, 4, pd->header.swapped);
	put_number(b, c->entry_bytes - SECTION_BYTES, 4, pd->header.swapped);
	for (i = 0; i < pd->n_attrs && !rc; i++) {
		rc = put_attr(b, c, i, e);
		put_number(b, pd->attrs[i].n_ids, 4, pd->header.swapped);
		put_string(b, strtab_get(pd->strings, pd->attrs[i].name), pd->header.swapped);
		put_ids(b, pd, &pd->attrs[i]);
	}
	return rc;
}

static void put_stripped(struct buf *b, const struct perfdata_copy *c)
{
	const struct perfdata_stripped *s = c->o->stripped;
	const bool swapped = c->pd->header.swapped;
	uint32_t i;

	put_number(b, s->version, 4, swapped);
	put_number(b, s->hidden, 4, swapped);
	put_number(b, s->has_machine, 4, swapped);
	buf_put(b, s->machine, sizeof(s->machine));
	put_number(b, s->n_attrs, 4, swapped);
	for (i = 0; i < s->n_attrs; i++)
		put_number(b, s->unwound[i], 4, swapped);
}

/* What the recording has of the feature; of one that is damaged, nothing is copied. */
static void put_section(struct buf *b, const struct perfdata_copy *c, unsigned bit)
{
	struct err ignored;
	size_t from = b->n;

	if (perfdata_read_section(c->pd, bit, b, &ignored))
		b->n = from;
}

static bool is_kept(const struct perfdata_copy *c, unsigned bit)
{
	size_t i;

	if (bit == FEATURE_TRACING_DATA)
		return !hides(c, STRIP_RAW);
	if (bit == FEATURE_CMDLINE)
		return !hides(c, STRIP_CMDLINE);
	for (i = 0; i < sizeof(kept); i++)
		if (kept[i] == bit)
			return true;
	return false;
}

static int put_feature(struct buf *b, const struct perfdata_copy *c, unsigned bit, struct err *e)
{
	switch (bit) {
	case FEATURE_HOSTNAME:
		put_host(b, c);
		return OK;
	case FEATURE_BUILD_ID:
		put_build_ids(b, c);
		return OK;
	case FEATURE_EVENT_DESC:
		return put_event_desc(b, c, e);
	case FEATURE_STRIPPED:
		put_stripped(b, c);
		return OK;
	}
	if (is_kept(c, bit))
		put_section(b, c, bit);
	return OK;
}

/* ---- the end ------------------------------------------------------------------------------ */

static void patch_header(const struct perfdata_copy *c, const uint64_t *bits)
{
	const struct perfdata *pd = c->pd;
	const bool swapped = pd->header.swapped;
	static const uint64_t magic = 0x32454c4946524550; /* "PERFILE2" */
	const uint64_t words[] = { magic, HEADER_BYTES, c->entry_bytes, c->attrs_at,
		c->entry_bytes * pd->n_attrs, c->data_at, c->data_bytes, 0, 0 };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		put_number(&b, words[i], 8, swapped);
	for (i = 0; i < FEATURE_BITS / 64; i++)
		put_number(&b, bits[i], 8, swapped);
	sink_patch(c->to, 0, b.p, b.n);
	buf_release(&b);
}

int perfdata_copy_finish(struct perfdata_copy *c, struct err *e)
{
	const bool swapped = c->pd->header.swapped;
	uint64_t bits[FEATURE_BITS / 64] = { 0 }, at = c->data_at + c->data_bytes;
	struct buf table = { 0 }, sections = { 0 };
	size_t from[FEATURE_BITS + 1];
	unsigned bit, n = 0;
	int rc = OK;

	for (bit = 0; bit < FEATURE_BITS && !rc; bit++) {
		from[bit] = sections.n;
		rc = put_feature(&sections, c, bit, e);
		if (sections.n == from[bit])
			continue;
		bits[bit / 64] |= (uint64_t)1 << (bit % 64);
		n++;
	}
	from[FEATURE_BITS] = sections.n;
	for (bit = 0; bit < FEATURE_BITS && !rc; bit++) {
		if (!(bits[bit / 64] >> (bit % 64) & 1))
			continue;
		put_number(&table, at + n * SECTION_BYTES + from[bit], 8, swapped);
		put_number(&table, from[bit + 1] - from[bit], 8, swapped);
	}
	sink_put(c->to, table.p, table.n);
	sink_put(c->to, sections.p, sections.n);
	if (!rc)
		patch_header(c, bits);
	buf_release(&table);
	buf_release(&sections);
	return rc;
}

/* ---- records ------------------------------------------------------------------------------ */

bool perfdata_copy_wants(const struct perfdata *pd, uint32_t type)
{
	switch (type) {
	case RECORD_FINISHED_ROUND:
		/* Rounds of the files of a directory are not those of all together. */
		return !pd->n_dir_files;
	case RECORD_FINISHED_INIT:
	case RECORD_TIME_CONV:
	case RECORD_ID_INDEX:
		return true;
	case RECORD_AUX:
	case RECORD_ITRACE_START:
	case RECORD_AUX_OUTPUT_HW_ID:
	case RECORD_TEXT_POKE:
		return false;
	default:
		return type < RECORD_TOOLS;
	}
}

bool perfdata_copy_put_string(struct buf *b, const struct perfdata *pd,
	const struct perfdata_record *r, uint32_t front_bytes, struct span text)
{
	uint32_t trailer = perfdata_record_trailer_bytes(pd, r);
	size_t from = b->n, n = rounded_up(text.n + 1, 8);

	if (front_bytes + n + trailer > RECORD_MAX_BYTES)
		return false;
	buf_put(b, r->p, front_bytes);
	buf_put_span(b, text);
	put_zeros(b, n - text.n);
	buf_put(b, r->p + r->size - trailer, trailer);
	bytes_put_u16(b->p + from + 6, (uint16_t)(b->n - from), pd->header.swapped);
	return true;
}
