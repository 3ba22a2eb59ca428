#include "input/folded.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "input/chars.h"
#include "input/named.h"
#include "input/text.h"

#include <stdlib.h>

#define FIRST_LOOK ((size_t)64 << 10)
#define NONE       UINT32_MAX

/* ---- lines ---- */

struct folded_line {
	struct span stack;
	uint64_t count;
};

/* "12", "12.5", "12." as a whole number. */
static bool parse_count(struct span s, uint64_t *count)
{
	if (!scan_dec(&s, count))
		return false;
	if (!s.n)
		return true;
	if (s.p[0] != '.')
		return false;
	s = span_from(s, 1);
	if (s.n && s.p[0] >= '5' && char_is_digit(s.p[0]) &&
		__builtin_add_overflow(*count, 1, count))
		return false;
	while (s.n && char_is_digit(s.p[0]))
		s = span_from(s, 1);
	return s.n == 0;
}

/* Cut a count off the end of *s; false (and *s unmoved) where none is there. */
static bool take_count(struct span *s, uint64_t *count)
{
	size_t end = s->n, start;

	while (end && char_is_blank(s->p[end - 1]))
		end--;
	for (start = end; start && !char_is_blank(s->p[start - 1]); start--)
		;
	if (!start || !parse_count((struct span){ s->p + start, end - start }, count))
		return false;
	while (start && char_is_blank(s->p[start - 1]))
		start--;
	s->n = start;
	return true;
}

static bool is_skipped(struct span line)
{
	return !span_trim(line).n || span_starts(line, SPAN("# "));
}

static bool parse_line(struct span line, bool two_counts, struct folded_line *f)
{
	uint64_t before;

	f->stack = line;
	if (!take_count(&f->stack, &f->count) || !f->stack.n)
		return false;
	if (two_counts)
		take_count(&f->stack, &before);
	return f->stack.n > 0;
}

/* ---- a worker ---- */

struct folded_worker {
	struct recording *recording;
	module_id module;
	bool two_counts;
	struct stacklog *log;
	struct diag diag;
	uint64_t lines, weight;
	uint32_t annotate; /* marks that were met: bits of enum annotate */
	root_id root;

	struct arena texts;
	struct index by_text;
	struct folded_frame {
		struct span text;
		bool kernel;
		site_id site;
	} * frames;
	uint32_t n_frames, cap_frames;

	/* The stack before, in the same block, and where each of its entries ends, ";" included:
	 * files are sorted, so most of a stack is that of the line before. */
	struct span before;
	uint64_t *entries;
	size_t *ends;
	uint32_t n_entries, cap_entries, cap_ends;
	uint32_t delimiter; /* behind how many entries the kernel's begin; NONE */
};

static struct folded_worker *worker_new(struct recording *r, module_id module, bool two_counts)
{
	struct folded_worker *w = xcalloc(1, sizeof(*w));
	struct root root = { .pid = -1, .tid = -1, .cpu = -1 };

	w->recording = r;
	w->module = module;
	w->two_counts = two_counts;
	w->log = stacklog_new_of_sites();
	w->root = roots_add(r->roots, &root);
	ARRAY_RESERVE(w->entries, 64, w->cap_entries); /* a stack may be empty, never NULL */
	return w;
}

static void worker_free(struct folded_worker *w)
{
	arena_release(&w->texts);
	index_release(&w->by_text);
	free(w->frames);
	free(w->entries);
	free(w->ends);
	free(w);
}

/* What stackcollapse-perf.pl puts behind a name. */
static struct span take_suffix(struct folded_worker *w, struct span name, struct frame *f)
{
	static const struct {
		const char *text;
		uint8_t kind, flags, annotate;
	} suffixes[] = {
		/* clang-format off */
		{ "_[k]", FRAME_KERNEL, 0, ANNOTATE_KERNEL },
		{ "_[j]", FRAME_JIT, 0, ANNOTATE_JIT },
		{ "_[i]", FRAME_USER, FRAME_INLINED, ANNOTATE_INLINE },
		/* clang-format on */
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(suffixes); i++) {
		if (name.n > 4 && span_ends(name, span_of(suffixes[i].text))) {
			f->kind = suffixes[i].kind;
			f->flags = suffixes[i].flags;
			w->annotate |= suffixes[i].annotate;
			name.n -= 4;
			break;
		}
	}
	return name;
}

static site_id make_site(struct folded_worker *w, struct span text, bool kernel)
{
	struct recording *r = w->recording;
	struct frame f = { .kind = kernel ? FRAME_KERNEL : FRAME_USER };
	struct span name = take_suffix(w, text, &f);
	struct v8_name v8;

	if (span_eq(name, SPAN("[unknown]"))) {
		f.kind = FRAME_UNKNOWN;
		f.why = WHY_IN_TEXT;
	} else {
		f.name = strtab_add(r->strings, name);
	}
	if (code_name_parse(name, &v8))
		named_set_v8(r, &f, &v8);
	return named_site(r, w->module, &f);
}

static site_id find_site(struct folded_worker *w, struct span text, bool kernel)
{
	uint64_t hash = hash_span(text) + kernel;
	struct folded_frame *f;
	struct index_cursor c;
	uint32_t i;

	index_for_each (&w->by_text, hash, c, i)
		if (w->frames[i].kernel == kernel && span_eq(w->frames[i].text, text))
			return w->frames[i].site;
	ARRAY_GROW(w->frames, w->n_frames, w->cap_frames);
	f = &w->frames[w->n_frames];
	f->text = (struct span){ arena_text(&w->texts, text.p, text.n), text.n };
	f->kernel = kernel;
	f->site = make_site(w, text, kernel);
	index_add(&w->by_text, hash, w->n_frames++);
	return f->site;
}

/* Forget the entries that are not those of the new stack; where these end. */
static size_t keep_entries(struct folded_worker *w, struct span stack)
{
	size_t shared = span_shared(w->before, stack);

	while (w->n_entries && w->ends[w->n_entries - 1] > shared)
		w->n_entries--;
	if (w->delimiter != NONE && w->delimiter > w->n_entries)
		w->delimiter = NONE;
	return w->n_entries ? w->ends[w->n_entries - 1] : 0;
}

static void take_entries(struct folded_worker *w, struct span stack)
{
	struct span rest = span_from(stack, keep_entries(w, stack));

	while (rest.n) {
		const char *end = memchr(rest.p, ';', rest.n);
		struct span text = end ? span_range(rest.p, end) : rest;

		rest = span_from(rest, text.n + 1);
		if (!text.n)
			continue;
		ARRAY_GROW(w->entries, w->n_entries, w->cap_entries);
		ARRAY_GROW(w->ends, w->n_entries, w->cap_ends);
		/* one behind the last byte where no ";" follows: never shared */
		w->ends[w->n_entries] = (size_t)(text.p - stack.p) + text.n + 1;
		w->entries[w->n_entries++] = find_site(w, text, w->delimiter != NONE);
		if (w->delimiter == NONE && span_eq(text, SPAN("-")))
			w->delimiter = w->n_entries;
	}
	w->before = stack;
}

static void add_stack(struct folded_worker *w, const struct folded_line *line)
{
	struct stacklog_sample s = { .root = w->root, .weight = line->count };

	take_entries(w, line->stack);
	s.n = w->n_entries;
	s.entries = w->entries;
	stacklog_add(w->log, &s);
	w->lines++;
	if (__builtin_add_overflow(w->weight, line->count, &w->weight))
		w->weight = UINT64_MAX;
}

static uint32_t parse_block(void *worker, const struct text_block *b)
{
	struct folded_worker *w = worker;
	struct span rest = buf_span(&b->bytes), line;
	uint32_t n = 0;

	w->before = (struct span){ 0 };
	w->n_entries = 0;
	w->delimiter = NONE;
	for (; span_next_line(&rest, &line); n++) {
		struct folded_line f;

		if (is_skipped(line))
			continue;
		if (parse_line(line, w->two_counts, &f))
			add_stack(w, &f);
		else if (memchr(line.p, ';', line.n))
			diag_count(&w->diag, DIAG_BAD_COUNT, text_place(b->number, n));
		else
			diag_count(&w->diag, DIAG_BAD_LINE, text_place(b->number, n));
	}
	return n;
}

/* ---- the format ---- */

struct look {
	uint32_t stacks, deep, two, bad; /* lines */
};

/* All whole lines at the front. */
static struct look look_at(struct span bytes, bool whole)
{
	struct look k = { 0 };
	struct folded_line f;
	struct span line;

	if (!whole)
		bytes.n = bytes.n ? text_cut_lines(bytes.p, bytes.n) : 0;
	while (span_next_line(&bytes, &line)) {
		uint64_t before;

		if (is_skipped(line))
			continue;
		if (!parse_line(line, false, &f)) {
			k.bad++;
			continue;
		}
		k.stacks++;
		k.deep += memchr(f.stack.p, ';', f.stack.n) != NULL;
		k.two += take_count(&f.stack, &before) && f.stack.n;
	}
	return k;
}

static int folded_bid(const struct input_head *head)
{
	struct span bytes = head->bytes;
	struct look k;

	if (bytes.n && memchr(bytes.p, 0, bytes.n))
		return 0;
	if (bytes.n > FIRST_LOOK)
		bytes.n = FIRST_LOOK;
	k = look_at(bytes, head->whole && bytes.n == head->bytes.n);
	if (!k.stacks || k.bad > k.stacks / 8)
		return 0;
	return (k.deep ? 50 : 20) - (k.bad ? 10 : 0);
}

static int looks_doubled(struct text_reader *t, bool *two_counts, struct err *e)
{
	struct span bytes;
	struct look k;

	if (text_peek(t, FIRST_LOOK, &bytes, e))
		return e->code;
	if (bytes.n > FIRST_LOOK)
		k = look_at((struct span){ bytes.p, FIRST_LOOK }, false);
	else
		k = look_at(bytes, t->ended);
	*two_counts = k.stacks && k.two == k.stacks;
	return OK;
}

static int run(struct recording *r, struct text_reader *t, bool two_counts, struct pool *pool,
	struct err *e)
{
	module_id module = named_module(r);
	unsigned n = pool_workers(pool), i;
	void **workers = xcalloc(n, sizeof(*workers));
	int rc;

	for (i = 0; i < n; i++)
		workers[i] = worker_new(r, module, two_counts);
	rc = text_run(t, pool, parse_block, workers, e);
	r->logs = xcalloc(n, sizeof(struct stacklog *));
	r->n_logs = n;
	for (i = 0; i < n; i++) {
		struct folded_worker *w = workers[i];

		stacklog_flush(w->log);
		r->logs[i] = w->log;
		r->samples_read += w->lines;
		r->facts.annotate |= w->annotate;
		if (__builtin_add_overflow(r->weight_kept, w->weight, &r->weight_kept))
			r->weight_kept = UINT64_MAX;
		if (!rc)
			text_merge_diag(t, &r->diag, &w->diag);
		worker_free(w);
	}
	free(workers);
	r->samples_kept = r->samples_read;
	r->facts.format = strtab_add_str(r->strings, "folded");
	r->facts.has_callchains = true;
	return rc;
}

static int folded_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct input_opts *o, struct pool *pool, struct err *e)
{
	struct text_reader t;
	bool two_counts = false;
	int rc;

	text_open(&t, f, head, text_cut_lines, o->block_bytes);
	t.progress = o->progress;
	rc = looks_doubled(&t, &two_counts, e);
	if (!rc)
		rc = run(r, &t, two_counts, pool, e);
	text_close(&t);
	return rc;
}

const struct input_format input_folded = {
	.name = "folded",
	.about = "folded stacks (stackcollapse-*.pl, bcc -f, async-profiler, py-spy)",
	.bid = folded_bid,
	.read = folded_read,
};
