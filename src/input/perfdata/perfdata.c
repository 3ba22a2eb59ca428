#include "input/perfdata/perfdata_private.h"

#include "base/mem.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 20 };

void perfdata_add_part(struct perfdata *pd, struct byte_source *s)
{
	ARRAY_GROW(pd->parts, pd->n_parts, pd->cap_parts);
	pd->parts[pd->n_parts++] = s;
}

static int check_supported(const struct perfdata *pd, struct err *e)
{
	if (pd->counts_only || perfdata_features_has(&pd->features, FEATURE_STAT))
		return err_set(e, ERR_UNSUPPORTED,
			"%s: made by perf stat: it has counts, not samples", pd->file->path);
	return OK;
}

static void open_data(struct perfdata *pd)
{
	const struct file_section *data = &pd->header.data;
	uint64_t offset = data->offset ? data->offset : pd->file->size_bytes;

	perfdata_add_part(pd, byte_source_of_file(pd->file, offset, data->size_bytes, 0));
	pd->features.unfinished = data->size_bytes == 0 && !pd->header.pipe;
}

/* What the header of a file says, or the records at the front of a pipe. */
static int read_header(struct perfdata *pd, struct diag *d, struct err *e)
{
	bool pipe = pd->header.pipe;

	if (!pipe && feature_sections_find(pd, d, e))
		return e->code;
	open_data(pd);
	if (pipe && pipe_mode_read_head(pd, d, e))
		return e->code;
	feature_sections_read(pd, d);
	if (check_supported(pd, e) || (!pipe && evlist_read(pd, d, e)))
		return e->code;
	return evlist_finish(pd, e);
}

static int open_all(struct perfdata *pd, struct diag *d, struct err *e)
{
	if (file_header_read(&pd->header, pd->file, e) || read_header(pd, d, e) ||
		data_dir_open(pd, d, e))
		return e->code;
	if (pd->header.first_version)
		diag_count(d, DIAG_FIRST_VERSION, 0);
	if (pd->features.simpleperf)
		diag_count(d, DIAG_SIMPLEPERF, 0);
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
	pthread_mutex_init(&pd->lock, NULL);
	rc = open_all(pd, d, e);
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
		byte_source_free(pd->parts[i]);
	free(pd->parts);
	for (i = 0; i < pd->n_dir_files; i++)
		file_close(&pd->dir_files[i]);
	free(pd->dir_files);
	free(pd->appended);
	perfdata_features_release(&pd->features);
	free(pd->attrs);
	free(pd->ids);
	free(pd->event_ids);
	free(pd->renames);
	free(pd->blocks);
	perfdata_block_release(&pd->kept);
	pthread_mutex_destroy(&pd->lock);
	free(pd);
}

bool perfdata_has_switches(const struct perfdata *pd)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	for (i = 0; i < n; i++)
		if (a[i].context_switch)
			return true;
	return false;
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

uint64_t perfdata_size_bytes(const struct perfdata *pd)
{
	uint64_t n = pd->file->size_bytes;
	uint32_t i;

	for (i = 0; i < pd->n_dir_files; i++)
		n += pd->dir_files[i].size_bytes;
	for (i = 0; i < pd->n_appended; i++)
		n += pd->appended[i].file->size_bytes;
	return n;
}
