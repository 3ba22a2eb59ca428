/*
 * html_source.c - annotations as the data of a page
 *
 *	{ "files": [{ "path", "found", "text": [first line, how many, ...] }],
 *	  "functions": [{ "name", "module", "cost": WEIGHTS,
 *	    "files": [{ "file": number, "note", "shown": [first line, how many, ...],
 *	                "costs": [line, WEIGHTS..., ...],
 *	                "calls": [[line, function, inlined, total, samples, NAME, MODULE]] }],
 *	    "code": [{ "name", "module", "start", "found", "note", "n": instructions,
 *	               "from": where its numbers begin (html_code.h) }],
 *	    "callers": [[function, inlined, line, total, samples, NAME, MODULE, PATH]] }],
 *	  "texts": [NAME, MODULE or PATH, ...],
 *	  "instructions": { "ops": "push;...", "args": "%rbp;...", "sizes": [1, ...] } }
 *
 * WEIGHTS are self, its samples, total, its samples. A function's number is plus 1, 0 is none.
 * NAME, MODULE and PATH are numbers in "texts", 0 is "". Addresses that begin something are
 * strings, "0x1139": they may exceed 2^53. What is empty is left out.
 *
 * Several functions show lines of one file, most of all inlined ones of one header: each line is
 * there once, in an element of its own, as JSON escapes many of its characters: first those of the
 * first file. put_files() sorts the ranges of all functions by file and line and writes what they
 * cover together; a line that is longer than anybody reads (minified JavaScript) is cut. Source is
 * limited by who made the annotations, instructions in html_code.c.
 *
 * The last three elements come from one walk over the annotations, html_source_new(), as each has
 * numbers of what is in another. Deflating them takes longer than that: each is a stream of its
 * own, made by whoever puts it, and lines are one for each half megabyte, whose text is there only
 * then: larger memory would be mapped anew for each part.
 */
#include "output/html/html_source.h"

#include "base/json_writer.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "output/html/html_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE_BYTES_MOST = 2000, PART_BYTES = 512 << 10 };

/* Lines of a file that follow each other. */
struct line_run {
	const struct span *line; /* of the annotations */
	uint32_t n;
	bool begins_part; /* the lines of a part are a deflate stream */
};

/* All that are in the page, in their order. */
struct line_list {
	struct line_run *run;
	uint32_t n, cap, n_parts;
	size_t part_bytes; /* of the last part */
};

struct text_range {
	const struct annotated_file *file;
	const struct span *line; /* n from first on; a file without text has a range of none */
	uint32_t first, n;
	uint32_t number; /* of all functions' files */
};

struct source_writer {
	const struct annotations *a;
	const struct profile *p;
	struct json_writer *j;
	struct buf scratch;
	struct line_list lines;
	struct strtab *texts; /* that are there once */
	struct html_code code;
	struct text_range *range;
	uint32_t n_ranges, cap_ranges;
	uint32_t *file_number; /* by number of all functions' files: in "files" */
};

/* The last three elements, before they are deflated. */
struct html_source {
	const struct annotations *a;
	struct buf document, instructions;
	struct line_list lines;
};

/* ---- values --------------------------------------------------------------------------------- */

static void put_any(struct source_writer *w, struct span text)
{
	if (!utf8_is_ascii(text)) {
		w->scratch.n = 0;
		packed_put_text(&w->scratch, text);
		text = buf_span(&w->scratch);
	}
	json_writer_string(w->j, text);
}

static void put_span(struct source_writer *w, const char *key, struct span text)
{
	if (!text.n)
		return;
	json_writer_key(w->j, key);
	put_any(w, text);
}

/* By its number in "texts". */
static void put_shared(struct source_writer *w, struct span text)
{
	json_writer_u64(w->j, strtab_add(w->texts, text));
}

static void put_number(struct source_writer *w, const char *key, uint64_t value)
{
	json_writer_key(w->j, key);
	json_writer_u64(w->j, value);
}

static void begin_list(struct source_writer *w, const char *key)
{
	json_writer_key(w->j, key);
	json_writer_array(w->j);
}

static void put_weights(struct source_writer *w, const struct weights *c)
{
	json_writer_u64(w->j, c->self);
	json_writer_u64(w->j, c->self_samples);
	json_writer_u64(w->j, c->total);
	json_writer_u64(w->j, c->total_samples);
}

/* ---- files ---------------------------------------------------------------------------------- */

static int compare_files(const struct annotated_file *a, const struct annotated_file *b)
{
	int by_path = span_cmp(a->path, b->path);

	return by_path ? by_path : span_cmp(a->found, b->found);
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct text_range *a = pa, *b = pb;
	int by_file = compare_files(a->file, b->file);

	if (by_file)
		return by_file;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void add_range(struct source_writer *w, struct text_range range)
{
	ARRAY_GROW(w->range, w->n_ranges, w->cap_ranges);
	w->range[w->n_ranges++] = range;
}

static void add_ranges(struct source_writer *w, const struct annotated_file *f, uint32_t number)
{
	uint32_t i;

	if (!f->n_texts)
		add_range(w, (struct text_range){ .file = f, .number = number });
	for (i = 0; i < f->n_texts; i++)
		add_range(w, (struct text_range){
				     f, f->text[i].line, f->text[i].first, f->text[i].n, number });
}

static void collect_ranges(struct source_writer *w)
{
	uint32_t i, k, n = 0;

	for (i = 0; i < w->a->n; i++)
		for (k = 0; k < w->a->function[i].n_files; k++)
			add_ranges(w, &w->a->function[i].file[k], n++);
	w->file_number = xcalloc((size_t)n + 1, sizeof(*w->file_number));
	if (n)
		sort_in_place(w->range, w->n_ranges, sizeof(*w->range), compare_ranges);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Not within a character: UTF-8 is repaired later. */
static void put_line(struct buf *to, struct span line)
{
	bool cut = line.n > LINE_BYTES_MOST;

	if (cut) {
		line.n = LINE_BYTES_MOST;
		while (line.n && ((unsigned char)line.p[line.n] & 0xc0) == 0x80)
			line.n--;
	}
	packed_put_text(to, line);
	if (cut)
		buf_puts(to, "\u2026");
	buf_putc(to, '\n');
}

static void begin_run(struct line_list *l, const struct span *line)
{
	bool begins_part = !l->n_parts || l->part_bytes >= PART_BYTES;

	ARRAY_GROW(l->run, l->n, l->cap);
	l->run[l->n++] = (struct line_run){ .line = line, .begins_part = begins_part };
	if (!begins_part)
		return;
	l->n_parts++;
	l->part_bytes = 0;
}

static void add_lines(struct line_list *l, const struct span *line, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!i || l->part_bytes >= PART_BYTES)
			begin_run(l, line + i);
		l->run[l->n - 1].n++;
		l->part_bytes += line[i].n + 1;
	}
}

/* The text of lines that follow each other in memory, as those of a file mostly do, with line feeds
 * alone between them; empty: they do not, or have to be changed. */
static struct span plain_text(const struct line_run *r)
{
	const char *next = r->line->p;
	struct span all;
	uint32_t i;

	for (i = 0; i < r->n; next += r->line[i++].n + 1)
		if (r->line[i].p != next || r->line[i].n > LINE_BYTES_MOST ||
			(i && next[-1] != '\n'))
			return (struct span){ 0 };
	all = span_range(r->line->p, next - 1);
	return utf8_is_ascii(all) ? all : (struct span){ 0 };
}

static void put_run_of_lines(struct buf *to, const struct line_run *r)
{
	struct span all = plain_text(r);
	uint32_t i;

	if (all.n) {
		buf_put_span(to, all);
		buf_putc(to, '\n');
		return;
	}
	for (i = 0; i < r->n; i++)
		put_line(to, r->line[i]);
}

static void put_part(const struct line_list *l, uint32_t part, struct buf *to)
{
	uint32_t i, parts = 0;

	for (i = 0; i < l->n && parts <= part + 1; i++) {
		parts += l->run[i].begins_part;
		if (parts == part + 1)
			put_run_of_lines(to, &l->run[i]);
	}
}

/* Lines first ... first + n - 1 of a file are there. */
static void put_run(struct source_writer *w, uint64_t first, uint64_t n)
{
	if (!n)
		return;
	json_writer_u64(w->j, first);
	json_writer_u64(w->j, n);
}

/* The lines of a file that n ranges have, each once. */
static void put_text(struct source_writer *w, const struct text_range *range, uint32_t n)
{
	uint64_t first = 0, next = 0; /* the first line that may still come */
	uint32_t i, k;

	begin_list(w, "text");
	for (i = 0; i < n; i++) {
		const struct text_range *r = &range[i];

		if (!r->n || (uint64_t)r->first + r->n <= next)
			continue;
		if (!next || r->first > next) {
			put_run(w, first, next - first);
			first = next = r->first;
		}
		k = (uint32_t)(next - r->first);
		add_lines(&w->lines, r->line + k, r->n - k);
		next = (uint64_t)r->first + r->n;
	}
	put_run(w, first, next - first);
	json_writer_array_end(w->j);
}

static void put_files(struct source_writer *w)
{
	uint32_t i, end, number = 0;

	begin_list(w, "files");
	for (i = 0; i < w->n_ranges; i = end, number++) {
		const struct annotated_file *f = w->range[i].file;

		for (end = i; end < w->n_ranges && !compare_files(w->range[end].file, f); end++)
			w->file_number[w->range[end].number] = number;
		json_writer_object(w->j);
		put_span(w, "path", f->path);
		if (!span_eq(f->found, f->path))
			put_span(w, "found", f->found);
		put_text(w, w->range + i, end - i);
		json_writer_object_end(w->j);
	}
	json_writer_array_end(w->j);
}

/* ---- lines of functions --------------------------------------------------------------------- */

static void put_calls(struct source_writer *w, const struct annotated_file *f)
{
	uint32_t i;

	if (!f->n_calls)
		return;
	begin_list(w, "calls");
	for (i = 0; i < f->n_calls; i++) {
		const struct line_call *c = &f->call[i];

		json_writer_array(w->j);
		json_writer_u64(w->j, c->line);
		json_writer_u64(w->j, c->function);
		json_writer_u64(w->j, c->inlined);
		json_writer_u64(w->j, c->total);
		json_writer_u64(w->j, c->total_samples);
		put_shared(w, c->name);
		put_shared(w, c->module);
		json_writer_array_end(w->j);
	}
	json_writer_array_end(w->j);
}

static void put_function_file(
	struct source_writer *w, const struct annotated_file *f, uint32_t number)
{
	uint32_t i;

	json_writer_object(w->j);
	put_number(w, "file", w->file_number[number]);
	put_span(w, "note", f->note);
	if (f->n_texts)
		begin_list(w, "shown");
	for (i = 0; i < f->n_texts; i++)
		put_run(w, f->text[i].first, f->text[i].n);
	if (f->n_texts)
		json_writer_array_end(w->j);
	begin_list(w, "costs");
	for (i = 0; i < f->n_costs; i++) {
		json_writer_u64(w->j, f->cost[i].line);
		put_weights(w, &f->cost[i].cost);
	}
	json_writer_array_end(w->j);
	put_calls(w, f);
	json_writer_object_end(w->j);
}

/* ---- functions ------------------------------------------------------------------------------ */

static void put_code(struct source_writer *w, const struct annotated_code *c)
{
	size_t from;
	bool has_room = html_code_add(&w->code, c, &from);
	char start[24];

	snprintf(start, sizeof(start), "0x%" PRIx64, c->start);
	json_writer_object(w->j);
	put_span(w, "name", c->name);
	put_span(w, "module", c->module);
	put_span(w, "start", span_of(start));
	put_span(w, "found", c->found);
	put_span(w, "note", has_room ? c->note : SPAN("left out: the page has too many others"));
	if (c->n && has_room) {
		put_number(w, "n", c->n);
		put_number(w, "from", from);
	}
	json_writer_object_end(w->j);
}

static void put_callers(struct source_writer *w, const struct annotated_function *f)
{
	uint32_t i;

	begin_list(w, "callers");
	for (i = 0; i < f->n_callers; i++) {
		const struct annotated_caller *c = &f->caller[i];

		json_writer_array(w->j);
		json_writer_u64(w->j, c->function);
		json_writer_u64(w->j, c->inlined);
		json_writer_u64(w->j, c->line);
		json_writer_u64(w->j, c->total);
		json_writer_u64(w->j, c->total_samples);
		put_shared(w, c->name);
		put_shared(w, c->module);
		put_shared(w, c->path);
		json_writer_array_end(w->j);
	}
	json_writer_array_end(w->j);
}

/* first_file: the number of its first file among those of all. */
static void put_function(
	struct source_writer *w, const struct annotated_function *f, uint32_t first_file)
{
	uint32_t i;

	json_writer_object(w->j);
	put_span(w, "name", f->name);
	put_span(w, "module", strtab_get(w->p->strings, f->module));
	begin_list(w, "cost");
	put_weights(w, &f->cost);
	json_writer_array_end(w->j);
	begin_list(w, "files");
	for (i = 0; i < f->n_files; i++)
		put_function_file(w, &f->file[i], first_file + i);
	json_writer_array_end(w->j);
	begin_list(w, "code");
	for (i = 0; i < f->n_codes; i++)
		put_code(w, &f->code[i]);
	json_writer_array_end(w->j);
	put_callers(w, f);
	json_writer_object_end(w->j);
}

static void put_texts(struct source_writer *w)
{
	uint32_t n = strtab_count(w->texts), i;

	begin_list(w, "texts");
	for (i = 0; i < n; i++)
		put_any(w, strtab_get(w->texts, i));
	json_writer_array_end(w->j);
}

static void put_document(struct source_writer *w)
{
	uint32_t i, first_file = 0;

	json_writer_object(w->j);
	put_files(w);
	begin_list(w, "functions");
	for (i = 0; i < w->a->n; i++) {
		put_function(w, &w->a->function[i], first_file);
		first_file += w->a->function[i].n_files;
	}
	json_writer_array_end(w->j);
	put_texts(w);
	json_writer_key(w->j, "instructions");
	json_writer_object(w->j);
	html_code_put_list(&w->code, w->j);
	json_writer_object_end(w->j);
	json_writer_object_end(w->j);
}

/* ---- the elements --------------------------------------------------------------------------- */

static bool has_source(const struct annotations *a)
{
	uint32_t i, k;

	for (i = 0; i < a->n; i++) {
		const struct annotated_function *f = &a->function[i];

		for (k = 0; k < f->n_files; k++)
			if (f->file[k].n_texts)
				return true;
		for (k = 0; k < f->n_codes; k++)
			if (f->code[k].n)
				return true;
	}
	return false;
}

static void put_frames(struct source_writer *w, const struct html_frames *frames)
{
	const struct annotations *a = w->a;
	uint32_t i;

	begin_list(w, "frames");
	for (i = 1; i < frames->n; i++) {
		frame_id id = frames->id[i];

		if (id >= a->n_frames || !a->by_frame[id])
			continue;
		json_writer_u64(w->j, i);
		json_writer_u64(w->j, a->by_frame[id] - 1);
	}
	json_writer_array_end(w->j);
}

/* The line that most of a function's weight passes through; NULL: none is known. */
static const struct line_cost *hottest_line(
	const struct annotated_function *f, const struct annotated_file **file)
{
	const struct line_cost *hottest = NULL;
	uint32_t i, k;

	for (i = 0; i < f->n_files; i++)
		for (k = 0; k < f->file[i].n_costs; k++) {
			const struct line_cost *c = &f->file[i].cost[k];

			if (!c->line || !f->file[i].path.n ||
				(hottest && c->cost.total <= hottest->cost.total))
				continue;
			hottest = c;
			*file = &f->file[i];
		}
	return hottest;
}

/* What cards of frames say, before anybody asks for source. */
static void put_hottest(struct source_writer *w)
{
	uint32_t i;

	begin_list(w, "hottest");
	for (i = 0; i < w->a->n; i++) {
		const struct annotated_function *f = &w->a->function[i];
		const struct annotated_file *file = NULL;
		const struct line_cost *c = hottest_line(f, &file);

		if (!c)
			continue;
		json_writer_u64(w->j, i);
		put_any(w, file->path);
		json_writer_u64(w->j, c->line);
		json_writer_u64(w->j, c->cost.total);
		json_writer_u64(w->j, f->cost.total);
	}
	json_writer_array_end(w->j);
}

static void put_summary(
	const struct html_source *s, const struct html_frames *frames, struct sink *to)
{
	struct source_writer w = { .a = s->a, .j = json_writer_new(to) };

	json_writer_object(w.j);
	put_frames(&w, frames);
	put_hottest(&w);
	json_writer_object_end(w.j);
	json_writer_free(w.j);
	buf_release(&w.scratch);
}

struct html_source *html_source_new(const struct annotations *a, const struct profile *p)
{
	struct source_writer w = { .a = a, .p = p };
	struct html_source *made;
	struct err e;
	struct sink *s;

	if (!a || !has_source(a))
		return NULL;
	made = xcalloc(1, sizeof(*made));
	s = sink_to_buf(&made->document);
	w.j = json_writer_new(s);
	w.texts = strtab_new();
	w.code = (struct html_code){ .strings = p->strings, .texts = w.texts };
	collect_ranges(&w);
	put_document(&w);
	json_writer_free(w.j);
	sink_commit(s, &e); /* into memory: cannot fail */
	made->a = a;
	made->lines = w.lines;
	made->instructions = w.code.numbers;
	w.code.numbers = (struct buf){ 0 };
	html_code_release(&w.code);
	buf_release(&w.scratch);
	strtab_free(w.texts);
	free(w.range);
	free(w.file_number);
	return made;
}

void html_source_free(struct html_source *s)
{
	if (!s)
		return;
	buf_release(&s->document);
	free(s->lines.run);
	buf_release(&s->instructions);
	free(s);
}

static void begin_packed(const char *id, struct sink *to)
{
	sink_puts(to, "<script type=\"text/plain\" id=\"");
	sink_puts(to, id);
	sink_puts(to, "\">");
}

static void put_packed(const char *id, const struct buf *bytes, struct sink *to)
{
	begin_packed(id, to);
	packed_put_base64(to, buf_span(bytes));
	sink_puts(to, "</script>\n");
}

/* The parts follow each other in one element, with "." between them. */
static void put_line_part(const struct line_list *l, uint32_t part, struct sink *to)
{
	struct buf text = { 0 };

	if (!part)
		begin_packed("lines", to);
	else
		sink_putc(to, '.');
	buf_reserve(&text, part + 1 < l->n_parts ? PART_BYTES + LINE_BYTES_MOST : l->part_bytes);
	put_part(l, part, &text);
	packed_put_base64(to, buf_span(&text));
	buf_release(&text);
	if (part + 1 >= l->n_parts)
		sink_puts(to, "</script>\n");
}

/* Without lines, there is a part that is empty. */
static uint32_t count_line_parts(const struct html_source *s)
{
	return s->lines.n_parts ? s->lines.n_parts : 1;
}

/* The summary, the document, parts of lines, instructions. */
uint32_t html_source_pieces(const struct html_source *s)
{
	return s ? 3 + count_line_parts(s) : 0;
}

void html_source_put(const struct html_source *s, uint32_t piece, const struct html_frames *frames,
	struct sink *to)
{
	if (piece == 0) {
		sink_puts(to, "<script type=\"application/json\" id=\"source-frames\">");
		put_summary(s, frames, to);
		sink_puts(to, "</script>\n");
	} else if (piece == 1) {
		put_packed("source", &s->document, to);
	} else if (piece < 2 + count_line_parts(s)) {
		put_line_part(&s->lines, piece - 2, to);
	} else {
		put_packed("instructions", &s->instructions, to);
	}
}
