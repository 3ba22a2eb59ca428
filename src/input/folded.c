#include "input/folded.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "input/chars.h"
#include "input/named.h"
#include "input/text.h"
#include "model/tree.h"

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

struct folded_rules {
	bool two_counts;
	bool by_samples; /* --weight samples: a count is a number of them */
};

/* A name that was met, its text behind it: what is compared lies where the comparison reads. */
struct folded_name {
	site_id site;
	uint32_t n;
	bool kernel;
	char text[];
};

struct folded_worker {
	struct recording *recording;
	module_id module;
	struct folded_rules rules;
	struct stacklog *log;
	struct tree *tree; /* the log's */
	struct diag diag;
	uint64_t lines, weight;
	uint32_t annotate; /* marks that were met: bits of enum annotate */

	/* Names that were met: where each lies in names, by its text. */
	struct buf names;
	struct index by_text;
	/* The frames of the line under way that are not in the one before. */
	struct folded_text {
		struct span text;
		uint64_t hash;
	} * texts;
	uint32_t n_texts, cap_texts;

	/* The stack before, in the same block: its nodes, where the text of each ends, ";"
	 * included, and how many samples are in it since it is open. Files are sorted, so most of a
	 * stack is that of the line before. */
	struct span before;
	struct folded_open {
		size_t end;
		uint32_t node;
		site_id site;
		uint64_t samples;
	} * open;
	uint32_t n_open, cap_open;
	uint32_t delimiter; /* behind how many of them the kernel's begin; NONE */

	uint64_t *samples; /* by site: in how many */
	uint32_t cap_samples;
};

static struct folded_worker *worker_new(
	struct recording *r, module_id module, struct folded_rules rules)
{
	struct folded_worker *w = xcalloc(1, sizeof(*w));
	struct root root = { .pid = -1, .tid = -1, .cpu = -1 };

	w->recording = r;
	w->module = module;
	w->rules = rules;
	w->log = stacklog_new_of_sums(roots_add(r->roots, &root));
	w->tree = stacklog_tree(w->log);
	return w;
}

static void worker_free(struct folded_worker *w)
{
	buf_release(&w->names);
	index_release(&w->by_text);
	free(w->texts);
	free(w->open);
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

static struct folded_name *name_at(const struct folded_worker *w, uint32_t at)
{
	return (struct folded_name *)(void *)(w->names.p + (size_t)at * sizeof(uint64_t));
}

static site_id add_name(struct folded_worker *w, const struct folded_text *t, bool kernel)
{
	struct folded_name head = { make_site(w, t->text, kernel), (uint32_t)t->text.n, kernel };
	uint32_t at = (uint32_t)(w->names.n / sizeof(uint64_t));
	static const char padding[sizeof(uint64_t)];

	buf_put(&w->names, &head, offsetof(struct folded_name, text));
	buf_put_span(&w->names, t->text);
	buf_put(&w->names, padding, -w->names.n % sizeof(uint64_t));
	index_add(&w->by_text, t->hash, at);
	return head.site;
}

static site_id find_site(struct folded_worker *w, const struct folded_text *t, bool kernel)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&w->by_text, t->hash, c, i) {
		const struct folded_name *name = name_at(w, i);

		if (name->n == t->text.n && name->kernel == kernel &&
			memcmp(name->text, t->text.p, t->text.n) == 0)
			return name->site;
	}
	return add_name(w, t, kernel);
}

static void count_site(struct folded_worker *w, site_id site, uint64_t samples)
{
	if (site >= w->cap_samples) {
		uint32_t old = w->cap_samples;

		ARRAY_RESERVE(w->samples, (size_t)site + 1, w->cap_samples);
		memset(w->samples + old, 0, (w->cap_samples - old) * sizeof(*w->samples));
	}
	w->samples[site] = add_saturated(w->samples[site], samples);
}

static void close_frame(struct folded_worker *w)
{
	const struct folded_open *top = &w->open[--w->n_open];

	count_site(w, top->site, top->samples);
	if (w->n_open)
		w->open[w->n_open - 1].samples =
			add_saturated(w->open[w->n_open - 1].samples, top->samples);
}

/* Forget the frames that are not those of the new stack, which begins with so many bytes as the one
 * before; where the others end. */
static size_t keep_frames(struct folded_worker *w, size_t shared)
{
	while (w->n_open && w->open[w->n_open - 1].end > shared)
		close_frame(w);
	if (w->delimiter != NONE && w->delimiter > w->n_open)
		w->delimiter = NONE;
	return w->n_open ? w->open[w->n_open - 1].end : 0;
}

static void open_frame(struct folded_worker *w, const struct folded_text *t, size_t end)
{
	uint32_t parent = w->n_open ? w->open[w->n_open - 1].node : 0;
	site_id site = find_site(w, t, w->delimiter != NONE);

	ARRAY_GROW(w->open, w->n_open, w->cap_open);
	w->open[w->n_open++] =
		(struct folded_open){ end, tree_child(w->tree, parent, site), site, 0 };
	if (w->delimiter == NONE && span_eq(t->text, SPAN("-")))
		w->delimiter = w->n_open;
}

/* Where each name is looked up is on its way from memory when its turn comes. */
static void split_texts(struct folded_worker *w, struct span rest)
{
	w->n_texts = 0;
	while (rest.n) {
		const char *end = memchr(rest.p, ';', rest.n);
		struct span text = end ? span_range(rest.p, end) : rest;

		rest = span_from(rest, text.n + 1);
		if (!text.n)
			continue;
		ARRAY_GROW(w->texts, w->n_texts, w->cap_texts);
		w->texts[w->n_texts] = (struct folded_text){ text, hash_span(text) };
		index_prefetch(&w->by_text, w->texts[w->n_texts++].hash);
	}
}

static void prefetch_names(const struct folded_worker *w)
{
	struct index_cursor c;
	uint32_t i, at;

	for (i = 0; i < w->n_texts; i++) {
		at = index_first(&w->by_text, w->texts[i].hash, &c);
		if (at != INDEX_NONE)
			__builtin_prefetch(name_at(w, at));
	}
}

static void open_stack(struct folded_worker *w, struct span stack, size_t shared)
{
	uint32_t i;

	split_texts(w, span_from(stack, keep_frames(w, shared < stack.n ? shared : stack.n)));
	prefetch_names(w);
	/* One behind the last byte where no ";" follows: never shared. */
	for (i = 0; i < w->n_texts; i++)
		open_frame(w, &w->texts[i],
			(size_t)(w->texts[i].text.p - stack.p) + w->texts[i].text.n + 1);
	w->before = stack;
}

static void add_stack(struct folded_worker *w, const struct folded_line *line, size_t shared)
{
	uint64_t samples = w->rules.by_samples ? line->count : 1;
	struct folded_open *top;

	open_stack(w, line->stack, shared);
	top = w->n_open ? &w->open[w->n_open - 1] : NULL;
	tree_count(w->tree, top ? top->node : 0, line->count, samples);
	if (top)
		top->samples = add_saturated(top->samples, samples);
	w->lines++;
	w->weight = add_saturated(w->weight, line->count);
}

static void bad_line(struct folded_worker *w, struct span line, uint64_t place)
{
	bool deep = memchr(line.p, ';', line.n) != NULL;

	diag_count(&w->diag, deep ? DIAG_BAD_COUNT : DIAG_BAD_LINE, place);
}

static uint32_t parse_block(void *worker, const struct text_block *b)
{
	struct folded_worker *w = worker;
	struct span rest = buf_span(&b->bytes);
	uint32_t n = 0;

	w->before = (struct span){ 0 };
	w->delimiter = NONE;
	for (; rest.n; n++) {
		/* There is no end of line in what it shares with a stack. */
		size_t shared = span_shared(w->before, rest);
		const char *lf = memchr(rest.p + shared, '\n', rest.n - shared);
		struct span line = lf ? span_range(rest.p, lf) : rest;
		struct folded_line f;

		rest = span_from(rest, line.n + 1);
		if (is_skipped(line))
			continue;
		if (parse_line(line, w->rules.two_counts, &f))
			add_stack(w, &f, shared);
		else
			bad_line(w, line, text_place(b->number, n));
	}
	keep_frames(w, 0);
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

static void hand_over_counts(struct folded_worker *w)
{
	uint32_t n = sites_count(w->recording->sites);

	stacklog_set_counts(w->log, w->samples, n < w->cap_samples ? n : w->cap_samples);
}

static int run(struct recording *r, struct text_reader *t, struct folded_rules rules,
	struct pool *pool, struct err *e)
{
	module_id module = named_module(r);
	unsigned n = pool_workers(pool), i;
	void **workers = xcalloc(n, sizeof(*workers));
	int rc;

	for (i = 0; i < n; i++)
		workers[i] = worker_new(r, module, rules);
	rc = text_run(t, pool, parse_block, workers, e);
	r->logs = xcalloc(n, sizeof(struct stacklog *));
	r->n_logs = n;
	for (i = 0; i < n; i++) {
		struct folded_worker *w = workers[i];

		tree_seal(w->tree);
		hand_over_counts(w);
		r->logs[i] = w->log;
		r->samples_read += w->lines;
		r->facts.annotate |= w->annotate;
		r->weight_kept = add_saturated(r->weight_kept, w->weight);
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
	struct folded_rules rules = { .by_samples = o->weight_by_samples };
	int rc;

	text_open(&t, f, head, text_cut_lines, o->block_bytes);
	t.progress = o->progress;
	rc = looks_doubled(&t, &rules.two_counts, e);
	if (!rc)
		rc = run(r, &t, rules, pool, e);
	text_close(&t);
	return rc;
}

const struct input_format input_folded = {
	.name = "folded",
	.about = "folded stacks (stackcollapse-*.pl, bcc -f, async-profiler, py-spy)",
	.bid = folded_bid,
	.read = folded_read,
};
