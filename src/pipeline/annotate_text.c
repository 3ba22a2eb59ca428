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
 * have their text first. Files are read in the order in which these need them, and where they have
 * several times as much text as that, as a stranger's may, the others are not read.
 */
#include "base/mem.h"
#include "pipeline/annotate.h"
#include "pipeline/source_extent.h"

#include <stdlib.h>

enum { LIMITS_READ = 4 };

struct text_turn {
	struct annotated_file *file;
	uint32_t source; /* sources are numbered as functions need them */
};

/* Of all files of functions that have one source. */
struct text_list {
	struct annotated_text **text;
	size_t n, cap;
};

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
	kept = annotate_keep(&a->text_memory, buf_span(&note));
	buf_release(&note);
	return kept;
}

/* Which lines of it are of the function. */
static void find_texts(struct annotating *a, struct annotated_file *file,
	const struct source_text *text, struct text_list *all)
{
	size_t most = (size_t)file->n_begins + file->n_costs;
	struct source_extent *extents = xmalloc((most + 1) * sizeof(*extents));
	uint32_t n = source_extent_find_all(text, file, extents), i;

	if (!n)
		file->note = SPAN("the file that is here has no such lines");
	file->text = arena_alloc(&a->text_memory, n * sizeof(*file->text));
	file->n_texts = n;
	ARRAY_RESERVE(all->text, all->n + n, all->cap);
	for (i = 0; i < n; i++) {
		struct source_extent e = extents[i];

		file->text[i] = (struct annotated_text){ e.first, e.last - e.first + 1, NULL };
		all->text[all->n++] = &file->text[i];
	}
	free(extents);
}

/* Copies lines first to last, which follow each other in the text, too. */
static const struct span *copy_lines(
	struct annotating *a, const struct source_text *text, uint32_t first, uint32_t last)
{
	struct span *lines = arena_alloc(&a->text_memory, (last - first + 1) * sizeof(*lines));
	struct span start = source_file_line(text, first), end = source_file_line(text, last);
	struct span all = annotate_keep(&a->text_memory, span_range(start.p, end.p + end.n));
	struct source_lines from = source_file_lines(text, first);
	uint32_t i;

	for (i = 0; i <= last - first; i++) {
		struct span line = source_file_next_line(&from);

		lines[i] = (struct span){ all.p + (line.p - start.p), line.n };
	}
	return lines;
}

static int compare_turns(const void *pa, const void *pb)
{
	const struct text_turn *a = pa, *b = pb;

	return a->source < b->source ? -1 : a->source > b->source;
}

static int compare_texts(const void *pa, const void *pb)
{
	const struct annotated_text *a = *(struct annotated_text *const *)pa;
	const struct annotated_text *b = *(struct annotated_text *const *)pb;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->n < b->n ? -1 : a->n > b->n;
}

static uint32_t last_line(const struct annotated_text *t)
{
	return t->first + t->n - 1;
}

static void share_lines(
	struct annotating *a, const struct source_text *text, const struct text_list *all)
{
	struct annotated_text **t = all->text;
	size_t i, k, end;

	if (all->n)
		qsort(t, all->n, sizeof(*t), compare_texts);
	for (i = 0; i < all->n; i = end) {
		uint32_t first = t[i]->first, last = last_line(t[i]);
		const struct span *lines;

		for (end = i + 1; end < all->n && t[end]->first <= last; end++)
			if (last_line(t[end]) > last)
				last = last_line(t[end]);
		lines = copy_lines(a, text, first, last);
		for (k = i; k < end; k++)
			t[k]->line = lines + (t[k]->first - first);
	}
}

/* turns: n of the same source. Returns the bytes that were copied. */
static uint64_t read_source(struct annotating *a, struct text_turn *turns, uint32_t n)
{
	str_id source = turns->file->source;
	const struct source_text *text = pipeline_source(a->p->result, source);
	struct span note = note_of(a, text, source), found = { 0 };
	uint64_t before = a->text_memory.total_bytes;
	struct text_list all = { 0 };
	uint32_t i;

	if (text)
		found = annotate_keep(&a->text_memory, span_of(text->path));
	for (i = 0; i < n; i++) {
		turns[i].file->note = note;
		turns[i].file->found = found;
		if (text)
			find_texts(a, turns[i].file, text, &all);
	}
	if (text)
		share_lines(a, text, &all);
	free(all.text);
	if (!a->o->instruction_text) /* which reads it again */
		pipeline_source_close(a->p->result, source);
	return a->text_memory.total_bytes - before;
}

static void leave_out(struct annotated_file *f)
{
	f->note = SPAN("left out: the limit of source text is reached");
	f->found = (struct span){ 0 };
	f->n_texts = 0;
}

static uint64_t text_bytes(const struct annotated_file *f)
{
	uint64_t sum = 0;
	uint32_t i, k;

	for (i = 0; i < f->n_texts; i++)
		for (k = 0; k < f->text[i].n; k++)
			sum += f->text[i].line[k].n + 1;
	return sum;
}

/* Files of functions, by the weight of these, have text until the limit is reached. */
static void limit_text(struct annotating *a)
{
	uint64_t sum_bytes = 0;
	uint32_t i, k;

	if (!a->o->max_bytes)
		return;
	for (i = 0; i < a->out->n; i++)
		for (k = 0; k < a->out->function[i].n_files; k++) {
			struct annotated_file *f = &a->out->function[i].file[k];

			if (f->source && sum_bytes >= a->o->max_bytes)
				leave_out(f);
			sum_bytes += text_bytes(f);
		}
}

/* All files that have a name, in the order in which they are read; owned by the caller. */
static struct text_turn *take_turns(const struct annotating *a, uint32_t *n)
{
	uint32_t *number = xcalloc(strtab_count(a->strings), sizeof(*number));
	uint32_t i, k, n_sources = 0, cap = 0;
	struct text_turn *turns = NULL;

	*n = 0;
	for (i = 0; i < a->out->n; i++)
		for (k = 0; k < a->out->function[i].n_files; k++) {
			struct annotated_file *f = &a->out->function[i].file[k];

			if (!f->source)
				continue;
			if (!number[f->source])
				number[f->source] = ++n_sources;
			ARRAY_GROW(turns, *n, cap);
			turns[(*n)++] = (struct text_turn){ f, number[f->source] };
		}
	if (*n)
		qsort(turns, *n, sizeof(*turns), compare_turns);
	free(number);
	return turns;
}

void annotate_text(struct annotating *a)
{
	uint64_t copied = 0;
	uint32_t n, i, k, end;
	struct text_turn *turns = take_turns(a, &n);

	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && turns[end].source == turns[i].source;)
			end++;
		if (!a->o->max_bytes || copied / LIMITS_READ < a->o->max_bytes)
			copied += read_source(a, turns + i, end - i);
		else
			for (k = i; k < end; k++)
				leave_out(turns[k].file);
	}
	limit_text(a);
	free(turns);
}
