/*
 * perfdata_private.h - what the files of this directory share about a recording
 *
 * A recording has parts, which are byte sources of records, read one after the other, and blocks,
 * which are ranges of a part. A new form of recording needs a source, and a header that says so.
 *
 *	file_header.c       the header                 evlist.c         events, their ids and names
 *	feature_sections.c  features of a file         pipe_mode.c      both, in pipe mode
 *	data_dir.c          --threads directories      switch_output.c  parts of one run
 *	record_walk.c       records and damage         zstd_source.c    compressed records
 *	record_scan.c       both passes                simpleperf.c     symbols in the recording
 *	parallel_scan.c     pass 1 of undamaged parts by several workers
 *	record_chunk.c      a piece of that            tally.c          samples summed up
 *	perfdata.c          opens a recording
 *
 * Owns and threads: see perfdata.h.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_PRIVATE_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_PRIVATE_H

#include "input/perfdata/file_header.h"
#include "input/perfdata/perfdata.h"
#include "input/perfdata/byte_source.h"

#include <pthread.h>

/* Records of a directory are ordered by file, then by offset: each file has this many positions. */
enum { PART_POSITION_BITS = 48, PARTS_MAX = 1 << 15 };

/* Workers start at this many places in the file. */
enum { BLOCK_REGIONS = 8 };

/* Records without damage between them. */
struct block_place {
	uint64_t position;
	uint32_t size_bytes;
	uint32_t part : 31;
	bool visited : 1; /* the visitor of the scan had it */
};

_Static_assert(PARTS_MAX < 1u << 31, "the number of a part has 31 bits");

/* The event with an id; sorted by id. */
struct event_id {
	uint64_t id;
	uint32_t attr;
};

/* An EVENT_UPDATE record: the name of the event with the id. */
struct event_rename {
	uint64_t id;
	str_id name;
};

/* A later part of the same run, read after the file itself. */
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
	struct file_section sections[FEATURE_BITS]; /* of each feature */
	uint32_t n_header_build_ids;                /* from the feature, not from records */
	bool counts_only;                           /* perf stat */

	struct perfdata_attr *attrs;
	uint32_t n_attrs, cap_attrs;
	uint64_t *ids; /* of all attributes, which point into it */
	size_t n_ids, cap_ids;
	struct event_id *event_ids;
	uint32_t n_event_ids;
	struct event_rename *renames;
	uint32_t n_renames, cap_renames;
	uint8_t sample_id_at;  /* offset of the id of the event in every sample; 0: it differs */
	uint8_t trailer_id_at; /* likewise in other records, back from their end */

	struct byte_source **parts; /* read one after the other */
	uint32_t n_parts, cap_parts;
	struct file *dir_files; /* data.0, data.1, ... */
	uint32_t n_dir_files;
	struct appended_part *appended;
	uint32_t n_appended, cap_appended;

	struct block_place *blocks;
	size_t n_blocks, cap_blocks;
	pthread_mutex_t lock; /* for what follows, and for reading sequential sources */
	struct block_region {
		size_t next, end;
	} regions[BLOCK_REGIONS];
	unsigned n_readers; /* workers that were given a region */
	bool unread_only;   /* blocks that the scan's visitor had are passed over */
	/* The bytes of a part that is a single block, kept by the scan: the first reader of the
	 * block need not read them again. Decompressed records are another part, at the same
	 * position. */
	struct perfdata_block kept;
	uint32_t kept_part;
};

void perfdata_add_part(struct perfdata *pd, struct byte_source *s);

/* evlist.c */

struct evlist_attr {
	const uint8_t *known; /* its front, as far as it is read */
	size_t known_bytes;
	uint64_t at; /* offset of all of it */
	uint32_t bytes;
};

/* Add an event. The caller fills *ids, of n_ids elements, as recorded, before it adds another. */
int evlist_add(struct perfdata *pd, const struct evlist_attr *attr, uint64_t n_ids, uint64_t **ids,
	struct diag *d, struct err *e);
/* Read the events that the header of a file lists. */
int evlist_read(struct perfdata *pd, struct diag *d, struct err *e);
/* All events are added: index their ids and name them. */
int evlist_finish(struct perfdata *pd, struct err *e);

/* feature_sections.c */

/* Find the sections of the features of a file. Corrects the size of the data in the header if it
 * cannot be true. */
int feature_sections_find(struct perfdata *pd, struct diag *d, struct err *e);
void feature_sections_read(struct perfdata *pd, struct diag *d);

/* pipe_mode.c */

/* Read events and features from the records at the front of a recording in pipe mode. */
int pipe_mode_read_head(struct perfdata *pd, struct diag *d, struct err *e);

/* data_dir.c */

/* Open the other files of the directory in which the recording is the file "data". */
int data_dir_open(struct perfdata *pd, struct diag *d, struct err *e);

#endif
