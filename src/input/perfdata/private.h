/*
 * private.h - what the files of this folder share of a recording
 *
 * A recording has parts, each a source of records read after the other, and blocks, which are
 * places in parts. What a new form of recording needs is a source, and a layout that tells of it.
 *
 * Owns and threads: see perfdata.h.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PRIVATE_H
#define PERFOLD_INPUT_PERFDATA_PRIVATE_H

#include "input/perfdata/layout.h"
#include "input/perfdata/perfdata.h"
#include "input/perfdata/source.h"

#include <stdatomic.h>

/* Records without damage between them. */
struct block_place {
	uint64_t position;
	uint32_t size_bytes;
	uint32_t part;
};

/* Which event has the id; sorted by id. */
struct event_id {
	uint64_t id;
	uint32_t attr;
};

struct perfdata {
	const struct file *file; /* borrowed */
	struct strtab *strings;  /* borrowed */
	struct layout layout;
	size_t block_bytes;
	struct perfdata_features features;
	struct perfdata_attr *attrs;
	uint32_t n_attrs;
	uint64_t *ids; /* of all attributes, which point into it */
	struct event_id *event_ids;
	uint32_t n_event_ids;
	uint8_t sample_id_at;  /* where every sample has the id of its event; 0: nowhere */
	uint8_t trailer_id_at; /* the same of other records, back from their end */
	struct source **parts; /* read one after the other */
	uint32_t n_parts;
	struct block_place *blocks;
	size_t n_blocks, cap_blocks;
	_Atomic uint64_t next_block;
};

/* The event with the id; 0 is the first. */
bool perfdata_find_event(const struct perfdata *pd, uint64_t id, uint32_t *attr);

/* A record without its trailer, which starts behind the header. Failed from the start where not
 * even the trailer fits. */
struct cursor perfdata_record_body(const struct perfdata *pd, const struct perfdata_record *r);

#endif
