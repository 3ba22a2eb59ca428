/*
 * How it works: a recording is a list of parts, each a byte source.
 *
 * Pass 1 goes through the parts in order. A part is read by parallel_scan.c up to the first place
 * that is not plain (damage, raw bytes after a record, compressed records), and from there on by
 * record_walk.c, record by record. Both hand good records to the visitor and note where blocks of
 * whole records are. At the first compressed record the part is split: what follows becomes a part
 * of its own, whose source decompresses (zstd_source.h).
 *
 *	part 0   [plain: by several workers | the rest: one by one]
 *	part 1   [decompressed on the fly: one by one]
 *	blocks   |b0|b1|b2| ... of about 1 MiB, nothing but records between begin and end
 *
 * Pass 2 hands out the blocks. A worker starts in one of 8 regions of the file and goes on with
 * neighbouring blocks, as what processes do at one time is similar. Blocks of a decompressed part
 * can only be read in order, under the lock.
 *
 * Both passes use perfdata_record_is_valid(), so they see the same records.
 */
#include "input/perfdata/record_scan.h"

#include "base/mem.h"
#include "input/perfdata/tally.h"
#include "input/perfdata/zstd_source.h"
#include "input/perfdata/record_walk.h"

#include <inttypes.h>
#include <stdlib.h>

/* For both passes. Compressed records are never valid here: those of a file are decompressed, and
 * perf does not nest them. */
bool perfdata_record_is_valid(uint32_t type, uint32_t size)
{
	const struct perfdata_record_kind *kind;

	if (type == RECORD_SAMPLE || type == RECORD_SWITCH)
		return true; /* nothing but the header is required */
	kind = perfdata_record_kind(type);
	return kind->name && size >= kind->min_bytes && !perfdata_record_is_compressed(type);
}

/* ---- pass 1 ------------------------------------------------------------------------------- */

/* A block goes on as long as its records are adjacent. */
static void blocks_add(struct record_scan *s, const struct perfdata_record *r)
{
	struct perfdata *pd = s->pd;
	struct block_place *b = pd->n_blocks ? &pd->blocks[pd->n_blocks - 1] : NULL;

	if (!b || b->visited || b->part != s->part || b->position + b->size_bytes != r->position ||
		b->size_bytes >= pd->block_bytes) {
		ARRAY_GROW(pd->blocks, pd->n_blocks, pd->cap_blocks);
		b = &pd->blocks[pd->n_blocks++];
		*b = (struct block_place){ .position = r->position, .part = s->part };
	}
	b->size_bytes += r->size;
}

/* Compressed records begin here: from here on, their contents are read instead of the part. */
static void decompress_from(struct record_scan *s, uint64_t at)
{
	struct perfdata *pd = s->pd;
	struct byte_source *rest = byte_source_split(pd->parts[s->part], at);
	uint32_t i;

	perfdata_add_part(pd, zstd_source_new(rest, pd->header.swapped, pd->block_bytes,
				      pd->features.compressed.mmap_bytes));
	for (i = pd->n_parts - 1; i > s->part + 1; i--) {
		struct byte_source *swap = pd->parts[i];

		pd->parts[i] = pd->parts[i - 1];
		pd->parts[i - 1] = swap;
	}
}

int record_scan_visit(struct record_scan *s, const struct perfdata_record *r, struct err *e)
{
	struct perfdata *pd = s->pd;

	if (!perfdata_record_is_valid(r->type, r->size)) {
		bool known = perfdata_record_kind(r->type)->name;

		diag_count(s->diag, known ? DIAG_BAD_RECORD : DIAG_UNKNOWN_RECORD, r->position);
		return OK;
	}
	if (r->type == RECORD_HEADER_BUILD_ID &&
		!perfdata_features_add(&pd->features, pd->strings, FEATURE_BUILD_ID, r->p, r->size,
			pd->header.swapped))
		diag_count(s->diag, DIAG_BAD_FEATURE, r->position);
	return s->visitor.record(s->visitor.ctx, r, e);
}

/* Record by record, from there on. */
static int scan_serially(struct record_scan *s, uint64_t from, struct err *e)
{
	struct byte_source *source = s->pd->parts[s->part];
	struct perfdata_record r;
	struct record_walk w;
	int rc;

	record_walk_begin(&w, source, s->pd->header.swapped, s->pd->block_bytes);
	record_walk_resume(&w, from);
	w.diag = s->diag;
	while (!(rc = record_walk_next(&w, &r, e))) {
		if (perfdata_record_is_compressed(r.type) && !source->no_payloads) {
			decompress_from(s, r.position);
			rc = END;
			break;
		}
		blocks_add(s, &r);
		rc = record_scan_visit(s, &r, e);
		if (rc)
			break;
	}
	record_walk_end(&w);
	return rc;
}

/* END, or why not. */
static int scan_part(struct record_scan *s, bool tally, struct pool *pool, struct err *e)
{
	struct byte_source *source = s->pd->parts[s->part];
	uint64_t from = source->begin;
	int rc = OK;

	byte_source_rewind(source, s->diag);
	if (tally && !source->sequential)
		rc = parallel_scan_part(s, pool, &from, e);
	if (!rc)
		rc = scan_serially(s, from, e);
	byte_source_rewind(source, NULL);
	return rc;
}

int perfdata_scan(struct perfdata *pd, const struct perfdata_visitor *v, struct pool *pool,
	struct diag *d, struct err *e)
{
	struct record_scan s = { .pd = pd, .visitor = *v, .diag = d };
	bool tally = v->samples && tally_is_possible(pd);
	int rc = END;

	pd->n_blocks = 0;
	pd->features.n_build_ids = pd->n_header_build_ids;
	for (s.part = 0; s.part < pd->n_parts && rc == END; s.part++)
		rc = scan_part(&s, tally, pool, e);
	perfdata_rewind(pd);
	return rc == END ? OK : rc;
}

/* ---- pass 2 ------------------------------------------------------------------------------- */

/* Of equal length. */
static void make_regions(struct perfdata *pd, size_t n)
{
	size_t i;

	pd->n_readers = 0;
	for (i = 0; i < BLOCK_REGIONS; i++)
		pd->regions[i] = i < n ? (struct block_region){ pd->n_blocks * i / n,
			pd->n_blocks * (i + 1) / n }
				       : (struct block_region){ 0, 0 };
}

void perfdata_rewind(struct perfdata *pd)
{
	bool in_turn = false;
	uint32_t i;

	pd->unread_only = false;
	for (i = 0; i < pd->n_parts; i++) {
		in_turn |= pd->parts[i]->sequential;
		byte_source_rewind(pd->parts[i], NULL);
	}
	make_regions(pd, in_turn ? 1 : BLOCK_REGIONS);
}

void perfdata_rewind_in_order(struct perfdata *pd)
{
	perfdata_rewind(pd);
	make_regions(pd, 1);
}

void perfdata_rewind_unread(struct perfdata *pd)
{
	perfdata_rewind(pd);
	pd->unread_only = true;
}

uint64_t perfdata_block_count(const struct perfdata *pd)
{
	return pd->n_blocks;
}

static int read_block(struct perfdata *pd, const struct block_place *place,
	struct perfdata_block *b, struct err *e)
{
	struct byte_source *source = pd->parts[place->part];

	if (b->cap_bytes < place->size_bytes) {
		free(b->bytes);
		b->bytes = xmalloc(place->size_bytes);
		b->cap_bytes = place->size_bytes;
	}
	b->position = place->position;
	b->swapped = pd->header.swapped;
	if (byte_source_read(source, b->bytes, place->size_bytes, place->position, &b->n_bytes, e))
		return e->code;
	if (b->n_bytes < place->size_bytes)
		return err_set(e, ERR_IO, "%s: changed while it was read, at 0x%" PRIx64,
			pd->file->path, place->position);
	return OK;
}

/* Workers start as far from one another as possible; after the end of a region they go on in the
 * next one. Called under the lock; NULL if there is none left. */
static const struct block_place *pop_place(struct perfdata *pd, struct perfdata_block *b)
{
	static const uint8_t first[BLOCK_REGIONS] = { 1, 5, 3, 7, 2, 6, 4, 8 };
	unsigned i;

	if (!b->region)
		b->region = first[pd->n_readers++ % BLOCK_REGIONS];
	for (i = 0; i < BLOCK_REGIONS; i++) {
		struct block_region *r = &pd->regions[b->region - 1];

		while (pd->unread_only && r->next < r->end && pd->blocks[r->next].visited)
			r->next++;
		if (r->next < r->end)
			return &pd->blocks[r->next++];
		b->region = b->region % BLOCK_REGIONS + 1;
	}
	b->region = 0;
	return NULL;
}

/* Called under the lock. */
static bool pop_kept(struct perfdata *pd, const struct block_place *place, struct perfdata_block *b)
{
	struct perfdata_block *kept = &pd->kept;

	if (pd->kept_part != place->part || kept->position != place->position ||
		kept->n_bytes < place->size_bytes)
		return false;
	free(b->bytes);
	b->bytes = kept->bytes;
	b->cap_bytes = kept->cap_bytes;
	b->n_bytes = place->size_bytes;
	b->position = kept->position;
	b->swapped = kept->swapped;
	*kept = (struct perfdata_block){ 0 };
	return true;
}

int perfdata_pop_block(struct perfdata *pd, struct perfdata_block *b, struct err *e)
{
	const struct block_place *place;
	bool in_turn;
	int rc;

	b->n_bytes = b->at = 0;
	pthread_mutex_lock(&pd->lock);
	place = pop_place(pd, b);
	if (!place || pop_kept(pd, place, b)) {
		pthread_mutex_unlock(&pd->lock);
		return place ? OK : END;
	}
	/* A sequential source is read in order, so under the lock. */
	in_turn = pd->parts[place->part]->sequential;
	if (!in_turn)
		pthread_mutex_unlock(&pd->lock);
	rc = read_block(pd, place, b, e);
	if (in_turn)
		pthread_mutex_unlock(&pd->lock);
	return rc;
}

void perfdata_block_release(struct perfdata_block *b)
{
	free(b->bytes);
	*b = (struct perfdata_block){ 0 };
}
