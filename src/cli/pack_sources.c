#include "cli/pack_sources.h"

#include "base/counted.h"
#include "base/mem.h"
#include "cli/message.h"
#include "model/names/v8_name.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LINES_MAX = 10 };

/* Of a frame, where its line is; of generated code without lines, where its function is. */
static str_id file_of(const struct frame *f)
{
	if (f->at_line)
		return f->at_file ? f->at_file : f->file;
	return f->kind == FRAME_JIT && f->line ? f->file : 0;
}

static int by_name(const void *pa, const void *pb, void *strings)
{
	const struct pack_source *a = pa, *b = pb;

	return span_cmp(strtab_get(strings, a->file), strtab_get(strings, b->file));
}

static void mark(const struct frames *frames, bool *wanted, frame_id id)
{
	str_id file = id ? file_of(frames_get(frames, id)) : 0;

	wanted[file] = true;
}

static void mark_files(const struct recording *r, bool *wanted)
{
	site_id id;
	uint32_t n, i;

	for (id = 1; id < sites_count(r->sites); id++) {
		const frame_id *f = sites_frames(r->sites, id, &n);

		for (i = 0; i < n; i++)
			mark(r->frames, wanted, f[i]);
	}
	wanted[0] = false;
}

static void list_files(struct pack_sources *s, const struct recording *r)
{
	uint32_t n = strtab_count(r->strings), i;
	bool *wanted = xcalloc(n + 1, sizeof(*wanted));

	mark_files(r, wanted);
	for (i = 1; i < n; i++) {
		wanted[i] &= !v8_name_is_built_in(strtab_get(r->strings, i));
		s->n += wanted[i];
	}
	s->at = xcalloc(s->n + 1, sizeof(*s->at));
	s->n = 0;
	for (i = 1; i < n; i++)
		if (wanted[i])
			s->at[s->n++].file = i;
	qsort_r(s->at, s->n, sizeof(*s->at), by_name, r->strings);
	free(wanted);
}

static const struct files_step *refusal(const struct pipeline_result *r, str_id file)
{
	const struct files_trail *t = pipeline_source_trail(r, file);

	return t ? files_trail_refusal(t) : NULL;
}

void pack_sources_find(struct pack_sources *s, const struct pipeline_result *r)
{
	uint32_t i;

	*s = (struct pack_sources){ 0 };
	list_files(s, r->recordings[0]);
	for (i = 0; i < s->n; i++) {
		struct pack_source *at = &s->at[i];

		at->found = pipeline_source(r, at->file);
		at->refused = !at->found && refusal(r, at->file);
		s->n_missing += !at->found;
	}
}

static bool put_problem(
	struct buf *line, const struct pipeline_result *r, const struct pack_source *at)
{
	static const struct build_id none;
	const struct source_text *text = pipeline_source(r, at->file);
	const char *warning = text ? source_file_warning(text->doubt) : NULL;

	if (at->refused) {
		const struct files_step *step = refusal(r, at->file);

		buf_puts(line, "source left out: ");
		if (step->verdict == FILES_NOT_PROVED)
			buf_printf(line,
				"%s: no program of this machine names it; --source-dir DIR takes "
				"it",
				step->path);
		else
			files_step_put(line, step, &none);
	} else if (warning) {
		buf_printf(line, "source in doubt: %s: %s", text->path, warning);
	}
	return at->refused || warning;
}

void pack_sources_report(const struct pack_sources *s, const struct pipeline_result *r)
{
	struct buf line = { 0 };
	uint32_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		line.n = 0;
		if (put_problem(&line, r, &s->at[i]) && ++n <= LINES_MAX)
			message("%s", buf_str(&line));
	}
	if (n > LINES_MAX)
		message("and %" PRIu32 " more %s", n - LINES_MAX,
			counted(n - LINES_MAX, "source", "sources"));
	buf_release(&line);
}

void pack_sources_release(struct pack_sources *s)
{
	free(s->at);
	*s = (struct pack_sources){ 0 };
}
