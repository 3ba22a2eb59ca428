/*
 * annotate_text.c - the text of the files that functions have lines in
 *
 * A file is read once, for all functions that have lines in it, and closed before the next one: the
 * sources of a compiler have 40 MB, of which the functions of a report show 9. Lines that several
 * functions show, most of all of inlined ones, are there once:
 *
 *	f   10 ... 30
 *	g           25 ... 40         one copy of 10 ... 40
 *	h                       50 ... 60
 *
 * Which functions are beyond the limit of text is known when all of it is there: the heaviest ones
 * have their text first.
 */
#include "base/mem.h"
#include "pipeline/annotate.h"
#include "pipeline/source_extent.h"

#include <stdlib.h>

/* Why there is no text, or why it may not be the one that was compiled. */
static struct span note_of(struct annotating *a, const struct source_text *text, str_id file)
{
	static const struct build_id none;
	const struct files_trail *trail;
	const struct files_step *refused;
	const char *warning = text ? source_file_warning(text->doubt) : NULL;
	struct buf note = { 0 };
	struct span kept;

	if (text)
		return span_of(warning ? warning : "");
	trail = pipeline_source_trail(a->p->result, file);
	refused = trail ? files_trail_refusal(trail) : NULL;
	if (refused)
		files_step_put(&note, refused, &none);
	else
		buf_puts(&note, "the file is not here (--source-dir DIR names where it is)");
	kept = annotate_keep(a, buf_span(&note));
	buf_release(&note);
	return kept;
}

/* Which lines of it are of the function. */
static void find_extent(struct annotated_file *file, const struct source_text *text)
{
	const struct line_cost *first = file->cost, *end = file->cost + file->n_costs;
	struct source_extent extent;

	while (first < end && !first->line)
		first++;
	extent = source_extent_find(
		text, file->begin, first < end ? first->line : 0, first < end ? end[-1].line : 0);
	if (!extent.last) {
		file->note = SPAN("the file that is here has no such lines");
		return;
	}
	file->first = extent.first;
	file->n_lines = extent.last - extent.first + 1;
}

/* Copies lines first to last, which follow each other in the text, too. */
static struct span *copy_lines(
	struct annotating *a, const struct source_text *text, uint32_t first, uint32_t last)
{
	struct span *lines = arena_alloc(&a->out->memory, (last - first + 1) * sizeof(*lines));
	struct span start = source_file_line(text, first), end = source_file_line(text, last);
	struct span all = annotate_keep(a, span_range(start.p, end.p + end.n));
	uint32_t i;

	for (i = 0; i <= last - first; i++) {
		struct span line = source_file_line(text, first + i);

		lines[i] = (struct span){ all.p + (line.p - start.p), line.n };
	}
	return lines;
}

/* By file, then by line. */
static int compare_files(const void *pa, const void *pb)
{
	const struct annotated_file *a = *(struct annotated_file *const *)pa;
	const struct annotated_file *b = *(struct annotated_file *const *)pb;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->n_lines < b->n_lines ? -1 : a->n_lines > b->n_lines;
}

/* files: n of them that have lines, in order. */
static void share_lines(struct annotating *a, const struct source_text *text,
	struct annotated_file **files, uint32_t n)
{
	uint32_t i, k, end, last;
	struct span *lines;

	for (i = 0; i < n; i = end) {
		last = files[i]->first + files[i]->n_lines - 1;
		for (end = i + 1; end < n && files[end]->first <= last; end++)
			if (files[end]->first + files[end]->n_lines - 1 > last)
				last = files[end]->first + files[end]->n_lines - 1;
		lines = copy_lines(a, text, files[i]->first, last);
		for (k = i; k < end; k++)
			files[k]->text = lines + (files[k]->first - files[i]->first);
	}
}

/* files: n of the same source. */
static void read_source(struct annotating *a, struct annotated_file **files, uint32_t n)
{
	str_id source = files[0]->source;
	const struct source_text *text = pipeline_source(a->p->result, source);
	struct span note = note_of(a, text, source), found = { 0 };
	uint32_t i, without = 0;

	if (text)
		found = annotate_keep(a, span_of(text->path));
	for (i = 0; i < n; i++) {
		files[i]->note = note;
		files[i]->found = found;
		if (text)
			find_extent(files[i], text);
	}
	qsort(files, n, sizeof(struct annotated_file *), compare_files);
	while (without < n && !files[without]->n_lines)
		without++;
	if (text)
		share_lines(a, text, files + without, n - without);
	if (!a->o->instruction_text) /* which reads it again */
		pipeline_source_close(a->p->result, source);
}

/* Files of functions, by the weight of these, have text until the limit is reached. */
static void limit_text(struct annotating *a)
{
	uint64_t sum_bytes = 0;
	uint32_t i, k, line;

	for (i = 0; i < a->out->n; i++)
		for (k = 0; k < a->out->function[i].n_files; k++) {
			struct annotated_file *f = &a->out->function[i].file[k];

			if (f->source && a->o->max_bytes && sum_bytes >= a->o->max_bytes) {
				f->note = SPAN("left out: the limit of source text is reached");
				f->found = (struct span){ 0 };
				f->n_lines = 0;
			}
			for (line = 0; line < f->n_lines; line++)
				sum_bytes += f->text[line].n + 1;
		}
}

void annotate_text(struct annotating *a)
{
	struct annotated_file **files = NULL;
	uint32_t i, k, end, n = 0, cap = 0;

	for (i = 0; i < a->out->n; i++)
		for (k = 0; k < a->out->function[i].n_files; k++)
			if (a->out->function[i].file[k].source) {
				ARRAY_GROW(files, n, cap);
				files[n++] = &a->out->function[i].file[k];
			}
	if (n)
		qsort(files, n, sizeof(*files), compare_files);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && files[end]->source == files[i]->source;)
			end++;
		read_source(a, files + i, end - i);
	}
	limit_text(a);
	free(files);
}
