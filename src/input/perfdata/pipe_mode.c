/*
 * In pipe mode a recording has a header of 16 bytes. What else a header would say comes in records,
 * mostly at the front, but at the end with `perf record --tail-synthesize`. They are read first, so
 * that the scan knows all events; the sections of features are entered in the same table as those
 * of a file, by their offsets.
 *
 * Source: tools/perf/util/header.c (perf_event__process_feature),
 * tools/perf/util/synthetic-events.c.
 */
#include "input/perfdata/perfdata_private.h"

#include "base/mem.h"
#include "input/perfdata/record_walk.h"

/*	HEADER_ATTR: perf_event_attr, of the size that it says; u64 ids[] up to the end */
static int add_attr(
	struct perfdata *pd, const struct perfdata_record *r, struct diag *d, struct err *e)
{
	const uint8_t *attr = r->p + RECORD_HEADER_BYTES;
	size_t there = r->size - RECORD_HEADER_BYTES;
	size_t n = bytes_u32(attr + 4, pd->header.swapped);
	uint64_t *ids;

	if (n < ATTR_FIRST_VERSION_BYTES)
		n = ATTR_FIRST_VERSION_BYTES;
	if (n > there)
		n = there;
	if (evlist_add(pd,
		    &(struct evlist_attr){
			    attr, n, r->position + RECORD_HEADER_BYTES, (uint32_t)n },
		    (there - n) / 8, &ids, d, e))
		return e->code;
	memcpy(ids, attr + n, (there - n) / 8 * 8);
	return OK;
}

/* The bytes that begin front_bytes after the start of a record; in pipe mode positions are offsets.
 */
static void set_section(struct perfdata *pd, uint64_t feature, const struct perfdata_record *r,
	unsigned front_bytes, uint64_t size_bytes)
{
	if (feature >= FEATURE_BITS || !size_bytes)
		return;
	pd->features.bits[feature / 64] |= (uint64_t)1 << (feature % 64);
	pd->sections[feature] = (struct file_section){ r->position + front_bytes, size_bytes };
}

/* HEADER_FEATURE: u64 feature; its section up to the end
 * Without a section it marks the end of them, and its number means nothing. */
static void add_feature(struct perfdata *pd, const struct perfdata_record *r)
{
	set_section(pd, bytes_u64(r->p + 8, pd->header.swapped), r, 16, r->size - 16);
}

/*	EVENT_UPDATE: u64 what, id; char name[] */
static void add_rename(struct perfdata *pd, const struct perfdata_record *r)
{
	enum { UPDATE_NAME = 2 };
	struct cursor c = { r->p + RECORD_HEADER_BYTES, r->size - RECORD_HEADER_BYTES,
		pd->header.swapped, false };
	uint64_t what = cursor_u64(&c), id = cursor_u64(&c);
	struct span name = cursor_string(&c, c.left);

	if (what != UPDATE_NAME || !name.n)
		return;
	ARRAY_GROW(pd->renames, pd->n_renames, pd->cap_renames);
	pd->renames[pd->n_renames++] = (struct event_rename){ id, strtab_add(pd->strings, name) };
}

static int handle_record(
	struct perfdata *pd, const struct perfdata_record *r, struct diag *d, struct err *e)
{
	if (r->size < perfdata_record_kind(r->type)->min_bytes)
		return OK;
	switch (r->type) {
	case RECORD_HEADER_ATTR:
		return add_attr(pd, r, d, e);
	case RECORD_HEADER_FEATURE:
		add_feature(pd, r);
		return OK;
	case RECORD_HEADER_TRACING_DATA:
		set_section(pd, FEATURE_TRACING_DATA, r, r->size,
			perfdata_record_tracing_after(r->p, r->size, pd->header.swapped));
		return OK;
	case RECORD_EVENT_UPDATE:
		add_rename(pd, r);
		return OK;
	case RECORD_STAT_CONFIG:
		pd->counts_only = true;
		return OK;
	case RECORD_SAMPLE:
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		/* Nothing more comes after these, unless all of it does. */
		return pd->n_attrs ? END : OK;
	}
	return OK;
}

int pipe_mode_read_head(struct perfdata *pd, struct diag *d, struct err *e)
{
	struct perfdata_record r;
	struct record_walk w;
	int rc;

	record_walk_begin(&w, pd->parts[0], pd->header.swapped, pd->block_bytes);
	while (!(rc = record_walk_next(&w, &r, e)) && !(rc = handle_record(pd, &r, d, e)))
		;
	record_walk_end(&w);
	return rc == END ? OK : rc;
}
