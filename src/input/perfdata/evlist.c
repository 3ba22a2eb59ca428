/*
 * How it works: events come from the header of a file (an array of attributes, each with a section
 * of ids) or, in pipe mode, from HEADER_ATTR records. When all are known, evlist_finish() makes
 * what the decoders need:
 *
 *	attrs[]        one for each event, in the order of the file
 *	ids[]          the ids of all events; each attribute points to its own
 *	event_ids[]    {id, index of the attribute}, sorted by id: a binary search finds the event
 *
 * The event of a sample is found by an id in the sample, whose offset depends on the event. So all
 * events of a recording must have the id at one offset (perf selects PERF_SAMPLE_IDENTIFIER for
 * this purpose) or have equal samples; anything else is an error. Ids come from the file, hence a
 * sorted array and no hash table.
 *
 * An event's name is, in this order: the one from an EVENT_UPDATE record, from EVENT_DESC, or the
 * name that perf would make up (evsel_name.h).
 *
 * Source: evlist__id2evsel() and evlist__valid_sample_type() in tools/perf/util/evlist.c.
 */
#include "input/perfdata/perfdata_private.h"

#include "base/mem.h"
#include "input/perfdata/evsel_name.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	/* Bounds against hostile files, far above one event for each tracepoint of a system and one
	   counter for each event and CPU. */
	ATTRS_MAX = 1 << 16,
	IDS_MAX = 1 << 24,
};

/* ---- attributes --------------------------------------------------------------------------- */

int evlist_add(struct perfdata *pd, const struct evlist_attr *attr, uint64_t n_ids, uint64_t **ids,
	struct diag *d, struct err *e)
{
	struct perfdata_attr *a;

	if (pd->n_attrs == ATTRS_MAX)
		return err_set(e, ERR_LIMIT, "%s: more than %d events", pd->file->path, ATTRS_MAX);
	if (n_ids > IDS_MAX - pd->n_ids)
		return err_set(
			e, ERR_LIMIT, "%s: more than %d ids of events", pd->file->path, IDS_MAX);
	ARRAY_GROW(pd->attrs, pd->n_attrs, pd->cap_attrs);
	ARRAY_RESERVE(pd->ids, pd->n_ids + n_ids + 1, pd->cap_ids);
	a = &pd->attrs[pd->n_attrs++];
	if (!perfdata_attr_parse(a, attr->known, attr->known_bytes, pd->header.swapped))
		diag_count(d, DIAG_BAD_FEATURE, pd->header.attrs.offset);
	a->at = attr->at;
	a->bytes = attr->bytes;
	a->n_ids = (uint32_t)n_ids;
	*ids = pd->ids + pd->n_ids;
	pd->n_ids += n_ids;
	return OK;
}

/* The section of ids, given after the attribute. */
static struct file_section id_section(const struct perfdata *pd, const uint8_t *p, struct diag *d)
{
	struct file_section s = { bytes_u64(p, pd->header.swapped),
		bytes_u64(p + 8, pd->header.swapped) };

	if (file_header_section_fits(s, pd->file->size_bytes) && s.size_bytes % 8 == 0)
		return s;
	diag_count(d, DIAG_BAD_FEATURE, pd->header.attrs.offset);
	return (struct file_section){ 0 };
}

int evlist_read(struct perfdata *pd, struct diag *d, struct err *e)
{
	const struct file_header *l = &pd->header;
	uint64_t n = l->attr_bytes ? l->attrs.size_bytes / l->attr_bytes : 0, i;
	/* The known part of an entry, and the section after it. */
	size_t attr_bytes = (size_t)l->attr_bytes - sizeof(struct file_section);
	uint8_t known[ATTR_KNOWN_BYTES], where[sizeof(struct file_section)];

	for (i = 0; i < n; i++) {
		uint64_t at = l->attrs.offset + i * l->attr_bytes;
		size_t use = attr_bytes < sizeof(known) ? attr_bytes : sizeof(known);
		struct evlist_attr attr;
		struct file_section s;
		uint64_t *ids;

		if (file_read_at(pd->file, known, use, at, e) ||
			file_read_at(pd->file, where, sizeof(where), at + attr_bytes, e))
			return e->code;
		s = id_section(pd, where, d);
		attr = (struct evlist_attr){ known, use, at, (uint32_t)attr_bytes };
		if (evlist_add(pd, &attr, s.size_bytes / 8, &ids, d, e) ||
			file_read_at(pd->file, ids, (size_t)s.size_bytes, s.offset, e))
			return e->code;
	}
	return OK;
}

/* ---- ids ---------------------------------------------------------------------------------- */

/* Equal ids: the first attribute first. */
static int compare_event_ids(const void *left, const void *right)
{
	const struct event_id *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->attr > b->attr) - (a->attr < b->attr);
}

/* A sorted list, not a hash table: the file chooses the ids. */
static void index_ids(struct perfdata *pd)
{
	uint64_t *ids = pd->ids;
	uint32_t i, k;

	pd->event_ids = xcalloc(pd->n_ids, sizeof(*pd->event_ids));
	for (i = 0; i < pd->n_attrs; i++) {
		pd->attrs[i].ids = ids;
		for (k = 0; k < pd->attrs[i].n_ids; k++, ids++) {
			*ids = bytes_u64((const uint8_t *)ids, pd->header.swapped);
			pd->event_ids[pd->n_event_ids++] = (struct event_id){ *ids, i };
		}
	}
	qsort(pd->event_ids, pd->n_event_ids, sizeof(*pd->event_ids), compare_event_ids);
}

bool perfdata_find_event(const struct perfdata *pd, uint64_t id, uint32_t *attr)
{
	const struct event_id *list = pd->event_ids;
	uint32_t n = pd->n_event_ids;

	*attr = 0;
	if (pd->n_attrs == 1 || (!id && pd->n_attrs))
		return true;
	/* The first id that is not smaller. */
	while (n > 1) {
		uint32_t half = n / 2;

		list += list[half - 1].id < id ? half : 0;
		n -= half;
	}
	if (!n || list->id != id)
		return false;
	*attr = list->attr;
	return true;
}

static bool id_offsets_agree(const struct perfdata *pd)
{
	uint32_t i;

	for (i = 1; i < pd->n_attrs; i++)
		if (pd->attrs[i].offsets.event_id != pd->attrs[0].offsets.event_id)
			return false;
	return true;
}

static bool sample_types_agree(const struct perfdata *pd)
{
	uint32_t i;

	for (i = 1; i < pd->n_attrs; i++)
		if (pd->attrs[i].sample_type != pd->attrs[0].sample_type)
			return false;
	return true;
}

static bool trailer_ids_agree(const struct perfdata *pd)
{
	uint32_t i;

	for (i = 1; i < pd->n_attrs; i++)
		if (pd->attrs[i].offsets.trailer.event_id != pd->attrs[0].offsets.trailer.event_id)
			return false;
	return true;
}

/* The id in a sample identifies its event, but the offset of the id depends on the event: all
 * events must have it at one offset (perf ensures that), or equal samples. */
static int find_id_offsets(struct perfdata *pd, struct err *e)
{
	if (!pd->n_attrs)
		return OK;
	if (!id_offsets_agree(pd) || (!pd->attrs[0].offsets.event_id && !sample_types_agree(pd)))
		return err_set(e, ERR_FORMAT,
			"%s: samples of its events differ, and have no id at a common place",
			pd->file->path);
	pd->sample_id_at = pd->attrs[0].offsets.event_id;
	if (trailer_ids_agree(pd))
		pd->trailer_id_at = pd->attrs[0].offsets.trailer.event_id;
	return OK;
}

bool perfdata_sample_event(
	const struct perfdata *pd, const struct perfdata_record *r, uint32_t *attr)
{
	*attr = 0;
	if (pd->n_attrs == 1)
		return true;
	if (!pd->n_attrs || !pd->sample_id_at)
		return pd->n_attrs > 0;
	if (r->size < pd->sample_id_at + 8u)
		return false;
	return perfdata_find_event(
		pd, bytes_u64(r->p + pd->sample_id_at, pd->header.swapped), attr);
}

/* ---- names -------------------------------------------------------------------------------- */

static bool is_of(const struct perfdata_event_desc *d, const struct perfdata_attr *a)
{
	return d->type == a->type && d->config == a->config;
}

/* perf lists events in EVENT_DESC in the order of the attributes; simpleperf does in any order. */
static str_id recorded_name(
	const struct perfdata_features *f, uint32_t i, const struct perfdata_attr *a)
{
	uint32_t k;

	if (i < f->n_events && is_of(&f->events[i], a))
		return f->events[i].name;
	for (k = 0; f->simpleperf && k < f->n_events; k++)
		if (is_of(&f->events[k], a))
			return f->events[k].name;
	return 0;
}

static void rename_events(struct perfdata *pd)
{
	uint32_t i, attr;

	for (i = 0; i < pd->n_renames; i++)
		if (perfdata_find_event(pd, pd->renames[i].id, &attr))
			pd->attrs[attr].name = pd->renames[i].name;
}

static void name_events(struct perfdata *pd)
{
	struct buf b = { 0 };
	uint32_t i;

	for (i = 0; i < pd->n_attrs; i++) {
		struct perfdata_attr *a = &pd->attrs[i];

		if (!a->name)
			a->name = recorded_name(&pd->features, i, a);
		if (a->name)
			continue;
		b.n = 0;
		evsel_name_append(&b, a, &pd->features, pd->strings);
		a->name = strtab_add(pd->strings, buf_span(&b));
	}
	buf_release(&b);
}

static void mark_unwound(struct perfdata *pd)
{
	uint32_t i;

	for (i = 0; i < pd->n_attrs && i < pd->features.stripped.n_attrs; i++)
		pd->attrs[i].unwound = pd->features.stripped.unwound[i];
}

int evlist_finish(struct perfdata *pd, struct err *e)
{
	if (find_id_offsets(pd, e))
		return e->code;
	index_ids(pd);
	rename_events(pd);
	name_events(pd);
	mark_unwound(pd);
	return OK;
}
