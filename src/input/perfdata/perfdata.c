#include "input/perfdata/private.h"

#include "base/mem.h"
#include "input/perfdata/event_name.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	BLOCK_BYTES = 1 << 20,
	/* Bounds against hostile files, far above one event for each tracepoint of a system and one
	 * counter for each event and processor. */
	ATTRS_MAX = 1 << 16,
	IDS_MAX = 1 << 24,
	SECTION_MAX_BYTES = 256 << 20,
};

/* ------------------------------------------------------------------------------------------
 * Events and their ids.
 */

static size_t attr_only_bytes(const struct perfdata *pd)
{
	return (size_t)pd->layout.attr_bytes - sizeof(struct section);
}

/* The ids of all attributes are kept in one array: their number first, so that it never moves. */
static struct section id_section(
	const struct perfdata *pd, const uint8_t *entry, struct diag *d, uint64_t at)
{
	const uint8_t *p = entry + attr_only_bytes(pd);
	struct section s = { get_u64(p, pd->layout.swapped), get_u64(p + 8, pd->layout.swapped) };

	if (section_fits(s, pd->file->size_bytes) && s.size_bytes % 8 == 0)
		return s;
	diag_count(d, DIAG_BAD_FEATURE, at);
	return (struct section){ 0 };
}

static int read_ids(
	struct perfdata *pd, const struct section *where, uint64_t total_bytes, struct err *e)
{
	uint64_t *next;
	uint32_t i, k;

	pd->ids = next = xmalloc((size_t)total_bytes);
	for (i = 0; i < pd->n_attrs; i++) {
		size_t n = (size_t)where[i].size_bytes;

		if (file_read_at(pd->file, next, n, where[i].offset, e))
			return e->code;
		for (k = 0; k < n / 8; k++)
			next[k] = get_u64((const uint8_t *)&next[k], pd->layout.swapped);
		pd->attrs[i].ids = next;
		pd->attrs[i].n_ids = (uint32_t)(n / 8);
		next += n / 8;
	}
	return OK;
}

static int parse_attrs(struct perfdata *pd, const uint8_t *entries, struct section *ids,
	struct diag *d, struct err *e)
{
	uint64_t total = 0;
	uint32_t i;

	for (i = 0; i < pd->n_attrs; i++) {
		const uint8_t *entry = entries + i * pd->layout.attr_bytes;
		uint64_t at = pd->layout.attrs.offset + i * pd->layout.attr_bytes;

		if (!perfdata_attr_parse(
			    &pd->attrs[i], entry, attr_only_bytes(pd), pd->layout.swapped))
			diag_count(d, DIAG_BAD_FEATURE, at);
		ids[i] = id_section(pd, entry, d, at);
		total += ids[i].size_bytes;
		if (total > IDS_MAX * sizeof(uint64_t))
			return err_set(e, ERR_LIMIT, "%s: more than %d ids of events",
				pd->file->path, IDS_MAX);
	}
	return read_ids(pd, ids, total, e);
}

static int read_attrs(struct perfdata *pd, struct diag *d, struct err *e)
{
	const struct layout *l = &pd->layout;
	uint64_t n = l->attr_bytes ? l->attrs.size_bytes / l->attr_bytes : 0;
	struct section *ids;
	uint8_t *entries;
	int rc;

	if (n > ATTRS_MAX)
		return err_set(e, ERR_LIMIT, "%s: %" PRIu64 " events, more than %d", pd->file->path,
			n, ATTRS_MAX);
	pd->n_attrs = (uint32_t)n;
	pd->attrs = xcalloc(n, sizeof(*pd->attrs));
	ids = xcalloc(n, sizeof(*ids));
	entries = xmalloc((size_t)(n * l->attr_bytes));
	rc = file_read_at(pd->file, entries, (size_t)(n * l->attr_bytes), l->attrs.offset, e);
	if (!rc)
		rc = parse_attrs(pd, entries, ids, d, e);
	free(entries);
	free(ids);
	return rc;
}

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
	uint32_t i, k, n = 0;

	for (i = 0; i < pd->n_attrs; i++)
		n += pd->attrs[i].n_ids;
	pd->event_ids = xcalloc(n, sizeof(*pd->event_ids));
	for (i = 0; i < pd->n_attrs; i++)
		for (k = 0; k < pd->attrs[i].n_ids; k++)
			pd->event_ids[pd->n_event_ids++] =
				(struct event_id){ pd->attrs[i].ids[k], i };
	qsort(pd->event_ids, n, sizeof(*pd->event_ids), compare_event_ids);
}

bool perfdata_find_event(const struct perfdata *pd, uint64_t id, uint32_t *attr)
{
	const struct event_id *list = pd->event_ids;
	uint32_t n = pd->n_event_ids;

	*attr = 0;
	if (pd->n_attrs == 1 || (!id && pd->n_attrs))
		return true;
	/* The first whose id is not below. */
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

static bool places_agree(const struct perfdata *pd)
{
	uint32_t i;

	for (i = 1; i < pd->n_attrs; i++)
		if (pd->attrs[i].places.event_id != pd->attrs[0].places.event_id)
			return false;
	return true;
}

static bool layouts_agree(const struct perfdata *pd)
{
	uint32_t i;

	for (i = 1; i < pd->n_attrs; i++)
		if (pd->attrs[i].sample_type != pd->attrs[0].sample_type)
			return false;
	return true;
}

static bool trailers_agree(const struct perfdata *pd)
{
	uint32_t i;

	for (i = 1; i < pd->n_attrs; i++)
		if (pd->attrs[i].places.trailer.event_id != pd->attrs[0].places.trailer.event_id)
			return false;
	return true;
}

/* Which event a sample is of says its id, and where the id lies says the event: with several
 * events, all must have it in one place (perf sees to that), or be alike. */
static int find_id_places(struct perfdata *pd, struct err *e)
{
	if (!pd->n_attrs)
		return OK;
	if (!places_agree(pd) || (!pd->attrs[0].places.event_id && !layouts_agree(pd)))
		return err_set(e, ERR_FORMAT,
			"%s: events whose samples differ, without an id in one place",
			pd->file->path);
	pd->sample_id_at = pd->attrs[0].places.event_id;
	if (trailers_agree(pd))
		pd->trailer_id_at = pd->attrs[0].places.trailer.event_id;
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
	return perfdata_find_event(pd, get_u64(r->p + pd->sample_id_at, pd->layout.swapped), attr);
}

/* EVENT_DESC lists the events in the order of the attributes. */
static str_id recorded_name(
	const struct perfdata_features *f, uint32_t i, const struct perfdata_attr *a)
{
	if (i >= f->n_events || f->events[i].type != a->type || f->events[i].config != a->config)
		return 0;
	return f->events[i].name;
}

static void name_events(struct perfdata *pd)
{
	struct buf b = { 0 };
	uint32_t i;

	for (i = 0; i < pd->n_attrs; i++) {
		struct perfdata_attr *a = &pd->attrs[i];

		a->name = recorded_name(&pd->features, i, a);
		if (a->name)
			continue;
		b.n = 0;
		event_name_put(&b, a, &pd->features, pd->strings);
		a->name = strtab_add(pd->strings, buf_span(&b));
	}
	buf_release(&b);
}

/* ------------------------------------------------------------------------------------------
 * Sections of features.
 */

static uint64_t feature_table(const struct perfdata *pd)
{
	return pd->layout.data.offset + pd->layout.data.size_bytes;
}

/* How many sections lie before that of the feature. */
static unsigned feature_rank(const struct perfdata_features *f, unsigned bit)
{
	unsigned i, rank = 0;

	for (i = 0; i < bit; i++)
		rank += perfdata_has_feature(f, i);
	return rank;
}

/* The sections lie behind their table. Where they do not, the size of the data is wrong, and what
 * was read as the table are records. */
static int find_section(const struct perfdata *pd, unsigned bit, struct section *s, struct err *e)
{
	unsigned rank = feature_rank(&pd->features, bit);
	uint64_t table = feature_table(pd), at = table + rank * sizeof(*s);
	uint8_t p[sizeof(*s)];

	if (file_read_at(pd->file, p, sizeof(p), at, e))
		return e->code;
	s->offset = get_u64(p, pd->layout.swapped);
	s->size_bytes = get_u64(p + 8, pd->layout.swapped);
	if (s->offset < table || !section_fits(*s, pd->file->size_bytes))
		return err_set(e, ERR_FORMAT,
			"%s: section of feature %u at 0x%" PRIx64 " lies outside the file",
			pd->file->path, bit, s->offset);
	if (s->size_bytes > SECTION_MAX_BYTES)
		return err_set(e, ERR_LIMIT, "%s: section of feature %u has %" PRIu64 " bytes",
			pd->file->path, bit, s->size_bytes);
	return OK;
}

int perfdata_read_section(const struct perfdata *pd, unsigned feature, struct buf *b, struct err *e)
{
	struct section s;

	if (feature >= FEATURE_BITS || !perfdata_has_feature(&pd->features, feature))
		return END;
	if (find_section(pd, feature, &s, e))
		return e->code;
	buf_reserve(b, (size_t)s.size_bytes + 1); /* never NULL, even of nothing */
	if (file_read_at(pd->file, b->p + b->n, (size_t)s.size_bytes, s.offset, e))
		return e->code;
	b->n += (size_t)s.size_bytes;
	return OK;
}

static void read_features(struct perfdata *pd, struct diag *d)
{
	struct perfdata_features *f = &pd->features;
	struct buf b = { 0 };
	struct err ignored;
	unsigned bit;

	for (bit = 0; bit < FEATURE_BITS; bit++) {
		if (!perfdata_has_feature(f, bit) || !perfdata_feature_used(bit))
			continue;
		b.n = 0;
		if (perfdata_read_section(pd, bit, &b, &ignored) ||
			!perfdata_features_add(
				f, pd->strings, bit, (const uint8_t *)b.p, b.n, pd->layout.swapped))
			diag_count(d, DIAG_BAD_FEATURE, feature_table(pd));
	}
	buf_release(&b);
}

/* ------------------------------------------------------------------------------------------ */

static int check_supported(const struct perfdata *pd, struct err *e)
{
	if (perfdata_has_feature(&pd->features, FEATURE_COMPRESSED))
		return err_set(
			e, ERR_UNSUPPORTED, "%s: compressed (perf record -z)", pd->file->path);
	if (pd->features.dir_version > 0)
		return err_set(e, ERR_UNSUPPORTED, "%s: part of a folder (perf record --threads)",
			pd->file->path);
	return OK;
}

/* Where the data reaches the end of the file, no features follow it. */
static void open_data(struct perfdata *pd)
{
	const struct section *data = &pd->layout.data;
	uint64_t offset = data->offset ? data->offset : pd->file->size_bytes;
	struct source *s = source_of_file(pd->file, offset, data->size_bytes);

	pd->parts = xcalloc(1, sizeof(*pd->parts));
	pd->parts[pd->n_parts++] = s;
	pd->features.unfinished = data->size_bytes == 0;
	if (!s->cut)
		memcpy(pd->features.bits, pd->layout.features, sizeof(pd->features.bits));
}

static int read_header(struct perfdata *pd, struct diag *d, struct err *e)
{
	if (layout_read(&pd->layout, pd->file, e))
		return e->code;
	open_data(pd);
	read_features(pd, d);
	if (check_supported(pd, e) || read_attrs(pd, d, e) || find_id_places(pd, e))
		return e->code;
	index_ids(pd);
	name_events(pd);
	return OK;
}

int perfdata_open(struct perfdata **out, const struct file *f, struct strtab *strings,
	size_t block_bytes, struct diag *d, struct err *e)
{
	struct perfdata *pd = xcalloc(1, sizeof(*pd));
	int rc;

	pd->file = f;
	pd->strings = strings;
	pd->block_bytes = block_bytes ? block_bytes : BLOCK_BYTES;
	rc = read_header(pd, d, e);
	if (rc) {
		perfdata_free(pd);
		pd = NULL;
	}
	*out = pd;
	return rc;
}

void perfdata_free(struct perfdata *pd)
{
	uint32_t i;

	if (!pd)
		return;
	for (i = 0; i < pd->n_parts; i++)
		source_free(pd->parts[i]);
	free(pd->parts);
	perfdata_features_release(&pd->features);
	free(pd->attrs);
	free(pd->ids);
	free(pd->event_ids);
	free(pd->blocks);
	free(pd);
}

const struct perfdata_attr *perfdata_attrs(const struct perfdata *pd, uint32_t *n)
{
	*n = pd->n_attrs;
	return pd->attrs;
}

const struct perfdata_features *perfdata_features(const struct perfdata *pd)
{
	return &pd->features;
}
