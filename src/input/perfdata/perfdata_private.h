/*
 * private.h - what the files of this folder share of a recording
 *
 * A recording has parts, which are sources of records read one after the other, and blocks, which
 * are places in parts. A new form of recording needs a source, and a layout that tells of it.
 *
 *	layout.c     the header              events.c    attributes, ids and names of events
 *	sections.c   features of a file      pipe.c      both, of a recording written to a pipe
 *	folder.c     the other files of a folder    run.c       parts of one run
 *	walk.c       records and damage      unpack.c    compressed records
 *	scan.c       both passes             simpleperf.c   symbols in the recording
 *	plain.c      pass 1 of what is not damaged, by several workers
 *	stretch.c    a piece of that         tally.c     samples summed up
 *	perfdata.c   puts it all together
 *
 * Owns and threads: see perfdata.h.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_PRIVATE_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_PRIVATE_H

#include "input/perfdata/file_header.h"
#include "input/perfdata/perfdata.h"
#include "input/perfdata/byte_source.h"

#include <pthread.h>

/* Records of a folder are ordered by file, then by place: each file has this many positions. */
enum { PART_POSITION_BITS = 48, PARTS_MAX = 1 << 15 };

/* Blocks are handed out from this many places of the file. */
enum { BLOCK_REGIONS = 8 };

/* Records without damage between them. */
struct block_place {
	uint64_t position;
	uint32_t size_bytes;
	uint32_t part : 31;
	bool visited : 1; /* by the visitor of the scan */
};

_Static_assert(PARTS_MAX < 1u << 31, "the number of a part has 31 bits");

/* Which event has the id; sorted by id. */
struct event_id {
	uint64_t id;
	uint32_t attr;
};

/* An EVENT_UPDATE record, which gives the event with the id its name. */
struct event_rename {
	uint64_t id;
	str_id name;
};

/* A later part of the same run, read behind the file itself. */
struct appended_part {
	uint64_t begun_ns;
	const struct file *file; /* borrowed */
};

struct perfdata {
	const struct file *file; /* borrowed */
	struct strtab *strings;  /* borrowed */
	struct file_header header;
	size_t block_bytes;
	struct perfdata_features features;
	struct file_section sections[FEATURE_BITS]; /* where each feature lies */
	uint32_t n_header_build_ids;                /* known without reading records */
	bool counts_only;                           /* perf stat */

	struct perfdata_attr *attrs;
	uint32_t n_attrs, cap_attrs;
	uint64_t *ids; /* of all attributes, which point into it */
	size_t n_ids, cap_ids;
	struct event_id *event_ids;
	uint32_t n_event_ids;
	struct event_rename *renames;
	uint32_t n_renames, cap_renames;
	uint8_t sample_id_at;  /* where every sample has the id of its event; 0: not in one place */
	uint8_t trailer_id_at; /* likewise in other records, back from their end */

	struct byte_source **parts; /* read one after the other */
	uint32_t n_parts, cap_parts;
	struct file *dir_files; /* data.0, data.1, ... */
	uint32_t n_dir_files;
	struct appended_part *appended;
	uint32_t n_appended, cap_appended;

	struct block_place *blocks;
	size_t n_blocks, cap_blocks;
	pthread_mutex_t lock; /* what follows, and reading in turn */
	struct block_region {
		size_t next, end;
	} regions[BLOCK_REGIONS];
	unsigned n_readers; /* workers that were given a region */
	bool unread_only;   /* blocks that the scan's visitor has taken are passed over */
	/* What the scan has read of a part of one block: whoever wants it first need not read it.
	 * What is unpacked is another part, at the same position. */
	struct perfdata_block kept;
	uint32_t kept_part;
};

void perfdata_add_part(struct perfdata *pd, struct byte_source *s);

/* ---- events.c ----------------------------------------------------------------------------- */

/* One more event. The caller fills *ids, of n_ids elements, as recorded, before it adds another. */
int evlist_add(struct perfdata *pd, const uint8_t *attr, size_t attr_bytes, uint64_t n_ids,
	uint64_t **ids, struct diag *d, struct err *e);
/* The events that the header of a file lists. */
int evlist_read(struct perfdata *pd, struct diag *d, struct err *e);
/* All events are added: find out how to tell them apart, and what they are called. */
int evlist_finish(struct perfdata *pd, struct err *e);

/* ---- sections.c --------------------------------------------------------------------------- */

/* Where the features of a file lie. Corrects the size of the data in the layout if it cannot be
 * true. */
int feature_sections_find(struct perfdata *pd, struct diag *d, struct err *e);
void feature_sections_read(struct perfdata *pd, struct diag *d);

/* ---- pipe.c ------------------------------------------------------------------------------- */

/* Events and features, from the records at the front of a recording written to a pipe. */
int pipe_mode_read_head(struct perfdata *pd, struct diag *d, struct err *e);

/* ---- folder.c ----------------------------------------------------------------------------- */

/* Open the files of the folder in which the recording is the file "data". */
int data_dir_open(struct perfdata *pd, struct diag *d, struct err *e);

#endif
