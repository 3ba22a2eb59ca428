/*
 * The features of a file: after the data there is a table, one {u64 offset, size} for each bit set
 * in the header, and after the table the sections.
 *
 *	| header | ids | attributes | data: records ... | table | section | section | ...
 *
 * How it works: the table is expected where the header says the data ends. If most entries cannot
 * be true, the size of the data is wrong. The records are then walked, and at each place that is no
 * record the bytes are tried as a table. perf writes the first section directly after the table,
 * which identifies it.
 *
 * In pipe mode sections come in HEADER_FEATURE records instead (pipe_mode.c).
 *
 * Source: tools/perf/Documentation/perf.data-file-format.txt, perf_header__process_sections() in
 * tools/perf/util/header.c.
 */
#include "input/perfdata/perfdata_private.h"

#include "input/perfdata/record_walk.h"

#include <inttypes.h>

enum { ENTRY_BYTES = 16, SECTION_MAX_BYTES = 256 << 20 };

static unsigned count_features(const struct perfdata_features *f)
{
	unsigned i, n = 0;

	for (i = 0; i < FEATURE_BITS; i++)
		n += perfdata_features_has(f, i);
	return n;
}

/* Sections come after their table: anything that points elsewhere is not an entry. */
static bool is_plausible(const struct perfdata *pd, struct file_section s, uint64_t table)
{
	return s.offset >= table && file_header_section_fits(s, pd->file->size_bytes);
}

/* Read the table at an offset; *n_plausible: how many of its entries can be true. */
static int read_table(struct perfdata *pd, uint64_t table, unsigned *n_plausible, struct err *e)
{
	uint8_t entries[FEATURE_BITS * ENTRY_BYTES];
	struct cursor c = { .p = entries, .swapped = pd->header.swapped };
	unsigned i;

	*n_plausible = 0;
	if (file_read_some_at(pd->file, entries, count_features(&pd->features) * ENTRY_BYTES, table,
		    &c.left, e))
		return e->code;
	for (i = 0; i < FEATURE_BITS; i++) {
		struct file_section *s = &pd->sections[i];

		if (!perfdata_features_has(&pd->features, i))
			continue;
		s->offset = cursor_u64(&c);
		s->size_bytes = cursor_u64(&c);
		if (c.failed || !is_plausible(pd, *s, table))
			*s = (struct file_section){ UINT64_MAX, 0 };
		else
			(*n_plausible)++;
	}
	return OK;
}

/* perf writes the first section directly after the table. */
static int is_table(struct perfdata *pd, uint64_t at, bool *found, struct err *e)
{
	unsigned n = count_features(&pd->features), n_plausible, i = 0;

	if (read_table(pd, at, &n_plausible, e))
		return e->code;
	while (!perfdata_features_has(&pd->features, i))
		i++;
	*found = n_plausible == n && pd->sections[i].offset == at + n * ENTRY_BYTES;
	return OK;
}

/* The size of the data is wrong, so the table is not where it should be. The table is not a record:
 * a walk over the records counts it as damage. */
static int search_table(struct perfdata *pd, uint64_t *at, bool *found, struct err *e)
{
	struct byte_source *all = byte_source_of_file(pd->file, pd->header.data.offset, 0, 0);
	struct perfdata_record r;
	uint32_t damages = 0;
	struct record_walk w;
	int rc;

	record_walk_begin(&w, all, pd->header.swapped, pd->block_bytes);
	do {
		rc = record_walk_next(&w, &r, e);
		if (rc < 0 || w.damages == damages)
			continue;
		damages = w.damages;
		*at = w.damage_at;
		if (is_table(pd, *at, found, e))
			rc = e->code;
	} while (!rc && !*found);
	record_walk_end(&w);
	byte_source_free(all);
	return rc < 0 ? rc : OK;
}

int feature_sections_find(struct perfdata *pd, struct diag *d, struct err *e)
{
	struct file_section *data = &pd->header.data;
	uint64_t table = data->offset + data->size_bytes, at;
	unsigned n, n_plausible;
	bool found = false;

	/* If the data reaches the end of the file, no features follow it. */
	if (!data->size_bytes || !file_header_section_fits(*data, pd->file->size_bytes))
		return OK;
	memcpy(pd->features.bits, pd->header.features, sizeof(pd->features.bits));
	n = count_features(&pd->features);
	if (read_table(pd, table, &n_plausible, e))
		return e->code;
	if (n_plausible * 2 >= n)
		return OK;
	if (search_table(pd, &at, &found, e))
		return e->code;
	if (!found)
		return read_table(pd, table, &n_plausible, e);
	data->size_bytes = at - data->offset;
	diag_count(d, DIAG_WRONG_SIZE, table);
	return OK;
}

int perfdata_read_section(const struct perfdata *pd, unsigned feature, struct buf *b, struct err *e)
{
	struct file_section s;

	if (feature >= FEATURE_BITS || !perfdata_features_has(&pd->features, feature))
		return END;
	s = pd->sections[feature];
	if (!file_header_section_fits(s, pd->file->size_bytes))
		return err_set(e, ERR_FORMAT, "%s: the section of feature %u is outside the file",
			pd->file->path, feature);
	if (s.size_bytes > SECTION_MAX_BYTES)
		return err_set(e, ERR_LIMIT, "%s: section of feature %u has %" PRIu64 " bytes",
			pd->file->path, feature, s.size_bytes);
	buf_reserve(b, (size_t)s.size_bytes + 1); /* never NULL, even of nothing */
	if (file_read_at(pd->file, b->p + b->n, (size_t)s.size_bytes, s.offset, e))
		return e->code;
	b->n += (size_t)s.size_bytes;
	return OK;
}

void feature_sections_read(struct perfdata *pd, struct diag *d)
{
	struct perfdata_features *f = &pd->features;
	struct buf b = { 0 };
	struct err ignored;
	unsigned bit;

	for (bit = 0; bit < FEATURE_BITS; bit++) {
		f->simpleperf |= bit >= FEATURE_SIMPLEPERF && bit != FEATURE_STRIPPED &&
				 perfdata_features_has(f, bit);
		if (!perfdata_features_has(f, bit))
			continue;
		if (!perfdata_features_used(bit)) {
			if (!file_header_section_fits(pd->sections[bit], pd->file->size_bytes))
				diag_count(d, DIAG_BAD_FEATURE, pd->sections[bit].offset);
			continue;
		}
		b.n = 0;
		if (perfdata_read_section(pd, bit, &b, &ignored) ||
			!perfdata_features_add(
				f, pd->strings, bit, (const uint8_t *)b.p, b.n, pd->header.swapped))
			diag_count(d, DIAG_BAD_FEATURE, pd->sections[bit].offset);
	}
	pd->n_header_build_ids = f->n_build_ids;
	buf_release(&b);
}
