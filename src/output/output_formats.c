#include "output/output_formats.h"

#include "output/html/html.h"
#include "output/picture/picture.h"

const struct output_format *const output_formats[] = {
	&folded_format,
	&svg_format,
	&html_format,
	&cpuprofile_format,
	&speedscope_format,
	&chrome_trace_format,
	&firefox_format,
	&pprof_format,
	&callgrind_format,
	&summary_json_format,
	&markdown_format,
	&rows_format,
	&preagg_format,
	&unsymbolized_format,
	&autofdo_text_format,
	&autofdo_gcov_format,
	NULL,
};

const struct output_format *output_by_name(const char *name)
{
	const struct output_format *const *f;

	for (f = output_formats; *f; f++)
		if (!strcmp((*f)->name, name))
			return *f;
	return NULL;
}

static struct span without_compression(struct span path, enum sink_compression *packing)
{
	*packing = SINK_PLAIN;
	if (span_ends(path, SPAN(".gz")))
		*packing = SINK_GZIP;
	else if (span_ends(path, SPAN(".zst")))
		*packing = SINK_ZSTD;
	else
		return path;
	path.n -= *packing == SINK_GZIP ? 3 : 4;
	return path;
}

const struct output_format *output_by_path(const char *path, enum sink_compression *packing)
{
	struct span name = without_compression(span_of(path), packing);
	const struct output_format *const *f;
	const struct output_format *best = NULL;
	const char *const *suffix;
	size_t longest = 0;

	for (f = output_formats; *f; f++)
		for (suffix = (*f)->suffixes; *suffix; suffix++)
			if (strlen(*suffix) > longest && span_ends(name, span_of(*suffix))) {
				longest = strlen(*suffix);
				best = *f;
			}
	return best;
}
