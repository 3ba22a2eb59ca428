/*
 * input_folded.c - folded stacks: one line for each stack, outermost frame first
 *
 *	FRAME;FRAME;FRAME COUNT
 *	FRAME;FRAME;FRAME COUNT COUNT      of two recordings (difffolded.pl): the last one counts
 *
 * A count may have a fraction ("12.5"); weights are whole numbers, so it is rounded, half up. Two
 * counts are expected only if all lines at the front of the text have two: a frame's name may end
 * in a number ("worker 7"). "_[k]", "_[j]" and "_[i]" after a name (stackcollapse-perf.pl --all)
 * become the kind of the frame; frames after a frame "-" are the kernel's (bcc -d). All frames are
 * plain ones, even the name of the thread: the text does not show where that ends. Blank lines and
 * lines that begin with "# " are skipped.
 *
 * Lines are sums, so a worker grows a tree (model/tree.h) instead of a log. Files are sorted, and
 * most of a stack is that of the line before: open[] holds its nodes, and only the frames after the
 * shared prefix are looked up:
 *
 *	a;b;c 1         open: a b c
 *	a;b;d;e 2       shared "a;b;": c is closed, d and e are opened
 *
 * Lines are handled in batches of 16, so that the look-ups of their names can be prefetched.
 *
 * Source: stackcollapse-perf.pl and difffolded.pl of FlameGraph.
 */
#include "input/profiles/profiles.h"

#include "base/chars.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/prefetch.h"
#include "base/saturated.h"
#include "input/text/text.h"
#include "model/names/module_name.h"
#include "model/tree.h"

#include <stdlib.h>

#define FRONT_BYTES ((size_t)64 << 10)

enum { LONG_STACK = 64 /* frames */ };
#define NONE  UINT32_MAX
#define BATCH 16

/* ---- lines ---- */

struct folded_line {
	struct span stack;
	uint64_t count;
	size_t shared;     /* how many bytes it shares with the stack before */
	uint32_t n_frames; /* of its frames, those that are not in the stack before */
};

/* "12", "12.5", "12." rounded to a whole number. */
static bool parse_count(struct span s, uint64_t *count)
{
	if (!span_scan_u64(&s, count))
		return false;
	if (!s.n)
		return true;
	if (s.p[0] != '.')
		return false;
	s = span_skip(s, 1);
	if (s.n && s.p[0] >= '5' && char_is_digit(s.p[0]) &&
		__builtin_add_overflow(*count, 1, count))
		return false;
	while (s.n && char_is_digit(s.p[0]))
		s = span_skip(s, 1);
	return s.n == 0;
}

/* Cut a count off the end of *s; false (and *s as it was) if there is none. */
static bool cut_count(struct span *s, uint64_t *count)
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
	if (!cut_count(&f->stack, &f->count) || !f->stack.n)
		return false;
	if (two_counts)
		cut_count(&f->stack, &before);
	return f->stack.n > 0;
}

/* ---- a worker ---- */

/* A name that was seen, followed by its text: the counter is in the cache line that the comparison
 * reads. */
struct folded_name {
	uint64_t samples; /* how many samples it is in */
	site_id site;
	uint32_t n;
	bool kernel;
	char text[];
};

struct folded_worker {
	struct recording *recording;
	module_id module;
	bool two_counts;
	struct stacklog *log;
	struct tree *tree; /* the log's */
	struct diag diag;
	uint64_t lines, weight;
	uint32_t annotate; /* suffixes that were seen: bits of enum annotate */

	/* Names that were seen, and an index of their offsets by text. */
	struct buf names;
	struct index by_text;
	/* Lines that are looked up together, and their frames. */
	struct folded_line batch[BATCH];
	uint32_t n_batch;
	struct folded_frame {
		struct span text;
		uint64_t hash;
		uint32_t name; /* the candidate, or INDEX_NONE */
	} * frames;
	uint32_t n_frames, cap_frames;

	/* The stack that was added last, of the same block: its nodes, where the text of each ends,
	 * ";" included, and how many samples were in it since it was opened. Files are sorted, so
	 * most of a stack is that of the line before. */
	struct folded_open {
		size_t end;
		uint32_t node, name;
		uint64_t samples;
	} * open;
	uint32_t n_open, cap_open;
	uint32_t delimiter; /* how many of them come before the kernel's; NONE */
};

static struct folded_worker *worker_new(struct recording *r, module_id module, bool two_counts)
{
	struct folded_worker *w = xcalloc_apart(1, sizeof(*w));
	struct root root = { .pid = -1, .tid = -1, .cpu = -1 };

	w->recording = r;
	w->module = module;
	w->two_counts = two_counts;
	w->log = stacklog_new_of_sums(roots_add(r->roots, &root));
	w->tree = stacklog_tree(w->log);
	ARRAY_GROW(w->frames, w->n_frames, w->cap_frames); /* a line may have none of its own */
	return w;
}

static void worker_free(struct folded_worker *w)
{
	buf_release(&w->names);
	index_release(&w->by_text);
	free(w->frames);
	free(w->open);
	free(w);
}

/* Cuts off the suffix of stackcollapse-perf.pl --all. */
static struct span cut_suffix(struct folded_worker *w, struct span name, struct frame *f)
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

/* JIT code that had no name is shown by its module: [perf-7.map] by stackcollapse-perf.pl, and
 * [JIT] by the filter jit. The text stays as it is, but it is no function. */
static void mark_unnamed_jit(struct recording *r, struct span name, struct frame *f)
{
	struct span module = { name.p + 1, name.n - 2 };

	if (name.n < 3 || name.p[0] != '[' || name.p[name.n - 1] != ']')
		return;
	if (span_eq(name, SPAN("[JIT]")))
		module = name;
	else if (!module_name_is_perf_map(module))
		return;
	f->kind = FRAME_UNKNOWN;
	f->why = WHY_IN_TEXT;
	f->module = strtab_add(r->strings, module);
}

static site_id make_site(struct folded_worker *w, struct span text, bool kernel)
{
	struct recording *r = w->recording;
	struct frame f = { .kind = kernel ? FRAME_KERNEL : FRAME_USER };
	struct span name = cut_suffix(w, text, &f);
	struct v8_name v8;

	if (span_eq(name, SPAN("[unknown]"))) {
		f.kind = FRAME_UNKNOWN;
		f.why = WHY_IN_TEXT;
	} else {
		f.name = strtab_add(r->strings, name);
		mark_unnamed_jit(r, name, &f);
	}
	if (runtime_name_parse(name, &v8))
		text_frame_set_v8(r, &f, &v8);
	return text_frame_site(r, w->module, &f);
}

static struct folded_name *name_at(const struct folded_worker *w, uint32_t at)
{
	return (struct folded_name *)(void *)(w->names.p + (size_t)at * sizeof(uint64_t));
}

/* The size of an entry in names: each begins at a whole word. */
static size_t name_bytes(size_t n)
{
	size_t bytes = offsetof(struct folded_name, text) + n;

	return bytes + -bytes % sizeof(uint64_t);
}

static uint32_t add_name(struct folded_worker *w, const struct folded_frame *t, bool kernel)
{
	struct folded_name head = { 0, make_site(w, t->text, kernel), (uint32_t)t->text.n, kernel };
	size_t begin = w->names.n, end = begin + name_bytes(t->text.n);
	uint32_t at = (uint32_t)(begin / sizeof(uint64_t));
	static const char padding[sizeof(uint64_t)];

	buf_put(&w->names, &head, offsetof(struct folded_name, text));
	buf_put_span(&w->names, t->text);
	buf_put(&w->names, padding, end - w->names.n);
	index_add(&w->by_text, t->hash, at);
	return at;
}

static bool is_name(
	const struct folded_worker *w, uint32_t at, const struct folded_frame *t, bool kernel)
{
	const struct folded_name *name = name_at(w, at);

	return name->n == t->text.n && name->kernel == kernel &&
	       memcmp(name->text, t->text.p, t->text.n) == 0;
}

static uint32_t find_name(struct folded_worker *w, const struct folded_frame *t, bool kernel)
{
	struct index_cursor c;
	uint32_t i;

	if (t->name != INDEX_NONE && is_name(w, t->name, t, kernel))
		return t->name;
	index_for_each (&w->by_text, t->hash, c, i)
		if (is_name(w, i, t, kernel))
			return i;
	return add_name(w, t, kernel);
}

static void close_frame(struct folded_worker *w)
{
	const struct folded_open *top = &w->open[--w->n_open];
	struct folded_name *name = name_at(w, top->name);

	name->samples = saturated_add(name->samples, top->samples);
	if (w->n_open)
		w->open[w->n_open - 1].samples =
			saturated_add(w->open[w->n_open - 1].samples, top->samples);
}

/* Closes the frames that the new stack does not have; shared: how many bytes both begin with. */
static void keep_frames(struct folded_worker *w, size_t shared)
{
	while (w->n_open && w->open[w->n_open - 1].end > shared)
		close_frame(w);
	if (w->delimiter != NONE && w->delimiter > w->n_open)
		w->delimiter = NONE;
}

static void open_frame(struct folded_worker *w, const struct folded_frame *t, size_t end)
{
	uint32_t parent = w->n_open ? w->open[w->n_open - 1].node : 0;
	uint32_t name = find_name(w, t, w->delimiter != NONE);
	uint32_t node = tree_child(w->tree, parent, name_at(w, name)->site);

	ARRAY_GROW(w->open, w->n_open, w->cap_open);
	w->open[w->n_open++] = (struct folded_open){ end, node, name, 0 };
	if (w->delimiter == NONE && span_eq(t->text, SPAN("-")))
		w->delimiter = w->n_open;
}

static void add_frame(struct folded_worker *w, struct span text)
{
	struct folded_frame *t;

	ARRAY_GROW(w->frames, w->n_frames, w->cap_frames);
	t = &w->frames[w->n_frames++];
	*t = (struct folded_frame){ text, hash_span(text), INDEX_NONE };
	index_prefetch(&w->by_text, t->hash);
}

/* Splits the frames after the shared prefix, which is cut to whole frames. */
static void split_frames(struct folded_worker *w, struct folded_line *line)
{
	const char *shared_end = memrchr(line->stack.p, ';', line->shared);
	size_t from = shared_end ? (size_t)(shared_end - line->stack.p) + 1 : 0;
	struct span rest = span_skip(line->stack, from);
	uint32_t before = w->n_frames;

	line->shared = from;
	while (rest.n) {
		const char *end = memchr(rest.p, ';', rest.n);
		struct span text = end ? span_range(rest.p, end) : rest;

		rest = span_skip(rest, text.n + 1);
		if (text.n)
			add_frame(w, text);
	}
	line->n_frames = w->n_frames - before;
}

static void add_stack(
	struct folded_worker *w, const struct folded_line *line, const struct folded_frame *text)
{
	struct folded_open *top;
	uint32_t i;

	keep_frames(w, line->shared);
	/* One more than the last byte if no ";" follows: such a frame is never shared. */
	for (i = 0; i < line->n_frames; i++, text++)
		open_frame(w, text, (size_t)(text->text.p - line->stack.p) + text->text.n + 1);
	top = w->n_open ? &w->open[w->n_open - 1] : NULL;
	tree_add(w->tree, top ? top->node : 0, line->count, line->count);
	if (top)
		top->samples = saturated_add(top->samples, line->count);
	w->lines++;
	w->weight = saturated_add(w->weight, line->count);
}

static void prefetch_name(struct folded_worker *w, struct folded_frame *t)
{
	const struct folded_name *name;
	struct index_cursor c;

	t->name = index_first(&w->by_text, t->hash, &c);
	if (t->name == INDEX_NONE)
		return;
	name = name_at(w, t->name);
	prefetch(name);
	prefetch(name->text + t->text.n - 1);
}

/* Prefetches the slot of each name, then the name itself, before it is compared. */
static void add_batch(struct folded_worker *w)
{
	const struct folded_frame *text = w->frames;
	uint32_t i;

	for (i = 0; i < w->n_frames; i++)
		prefetch_name(w, &w->frames[i]);
	for (i = 0; i < w->n_batch; text += w->batch[i++].n_frames)
		add_stack(w, &w->batch[i], text);
	w->n_batch = 0;
	w->n_frames = 0;
}

static void bad_line(struct folded_worker *w, struct span line, uint64_t place)
{
	bool deep = memchr(line.p, ';', line.n) != NULL;

	diag_count(&w->diag, deep ? DIAG_BAD_COUNT : DIAG_BAD_LINE, place);
}

static uint32_t parse_block(void *worker, const struct text_block *b)
{
	struct folded_worker *w = worker;
	struct span rest = buf_span(&b->bytes), before = { 0 };
	uint32_t n = 0;

	w->delimiter = NONE;
	for (; rest.n; n++) {
		/* A prefix shared with a stack has no newline in it. */
		size_t shared = span_common_prefix(before, rest);
		const char *lf = memchr(rest.p + shared, '\n', rest.n - shared);
		struct span line = lf ? span_range(rest.p, lf) : rest;
		struct folded_line *f = &w->batch[w->n_batch];

		rest = span_skip(rest, line.n + 1);
		if (is_skipped(line))
			continue;
		if (!parse_line(line, w->two_counts, f)) {
			bad_line(w, line, text_place(b->number, n));
			continue;
		}
		f->shared = shared < f->stack.n ? shared : f->stack.n;
		split_frames(w, f);
		before = f->stack;
		if (++w->n_batch == BATCH)
			add_batch(w);
	}
	add_batch(w);
	keep_frames(w, 0);
	return n;
}

/* ---- the format ---- */

struct folded_front {
	uint32_t stacks, deep, two, bad; /* lines */
	uint32_t odd;                    /* with what is in a program's text, and in no stack */
};

/* "SUCCESS = 0", "timeout: 30", "retries, 3", "V10 57": an assignment, a setting, a table. A stack
 * of one frame is a name, mostly of a thread: "swapper/0 12". */
static bool is_odd(struct span stack)
{
	static const bool after_name[256] = {
		['='] = true, [':'] = true, [','] = true, ['{'] = true, ['|'] = true
	};

	return after_name[(unsigned char)stack.p[stack.n - 1]] ||
	       memchr(stack.p, '\t', stack.n) != NULL;
}

/* Counts the kinds of all whole lines at the front. */
static struct folded_front scan_front(struct span bytes, bool whole)
{
	struct folded_front k = { 0 };
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
		k.odd += !memchr(f.stack.p, ';', f.stack.n) && is_odd(f.stack);
		k.two += cut_count(&f.stack, &before) && f.stack.n;
	}
	return k;
}

/* Is it the front of one stack that is longer than all of the front? A recursion has hundreds of
 * frames there; programs and data on one line have what is rare in names. */
static bool is_long_stack(struct span bytes)
{
	static const bool of_programs[256] = {
		['{'] = true, ['}'] = true, ['"'] = true, ['='] = true
	};
	size_t frames = 0, odd = 0, i;

	for (i = 0; i < bytes.n; i++) {
		unsigned char c = (unsigned char)bytes.p[i];

		if (c < ' ')
			return false;
		frames += c == ';';
		odd += of_programs[c];
	}
	return frames >= LONG_STACK && odd < frames / 8;
}

static int folded_bid(const struct input_head *head)
{
	struct span bytes = head->bytes;
	struct folded_front k;

	if (bytes.n && memchr(bytes.p, 0, bytes.n))
		return 0;
	if (bytes.n > FRONT_BYTES)
		bytes.n = FRONT_BYTES;
	k = scan_front(bytes, head->whole && bytes.n == head->bytes.n);
	if (!k.stacks && !k.bad && !head->whole && is_long_stack(bytes))
		return 20;
	if (!k.stacks || k.odd > k.stacks / 8)
		return 0;
	/* Two of three lines are a mark of their own if most have several frames. */
	if (k.deep >= k.stacks - k.deep && k.bad <= k.deep / 2)
		return k.bad ? 40 : 50;
	return k.bad || k.odd ? 0 : 20;
}

static int find_two_counts(struct text_reader *t, bool *two_counts, struct err *e)
{
	struct span bytes;
	struct folded_front k;

	if (text_peek(t, FRONT_BYTES, &bytes, e))
		return e->code;
	if (bytes.n > FRONT_BYTES)
		k = scan_front((struct span){ bytes.p, FRONT_BYTES }, false);
	else
		k = scan_front(bytes, t->ended);
	*two_counts = k.stacks && k.two == k.stacks;
	return OK;
}

/* Several names may have one site. */
static void move_counts(struct folded_worker *w)
{
	uint32_t n = sites_count(w->recording->sites);
	uint64_t *samples = xcalloc((size_t)n + 1, sizeof(*samples));
	const struct folded_name *name;
	size_t at;

	for (at = 0; at < w->names.n; at += name_bytes(name->n)) {
		name = name_at(w, (uint32_t)(at / sizeof(uint64_t)));
		samples[name->site] = saturated_add(samples[name->site], name->samples);
	}
	stacklog_set_counts(w->log, samples, n);
}

static int run_workers(struct recording *r, struct text_reader *t, bool two_counts,
	struct pool *pool, struct err *e)
{
	module_id module = text_frame_module(r);
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

		tree_seal(w->tree);
		move_counts(w);
		r->logs[i] = w->log;
		r->stacks_read += w->lines;
		r->samples_read = saturated_add(r->samples_read, w->weight);
		r->facts.annotate |= w->annotate;
		r->weight_kept = saturated_add(r->weight_kept, w->weight);
		if (!rc)
			text_merge_diag(t, &r->diag, &w->diag);
		worker_free(w);
	}
	free(workers);
	r->samples_kept = r->samples_read;
	r->understood = r->stacks_read;
	r->facts.sums = SUMS_ASSUMED;
	r->facts.format = strtab_add_str(r->strings, "folded");
	r->facts.has_callchains = true;
	return rc;
}

static int folded_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct text_reader t;
	bool two_counts = false;
	int rc;

	text_open(&t, f, head, text_cut_lines, o->block_bytes);
	t.progress = o->progress;
	rc = find_two_counts(&t, &two_counts, e);
	if (!rc)
		rc = run_workers(r, &t, two_counts, pool, e);
	text_close(&t);
	return rc;
}

const struct input_format input_folded = {
	.name = "folded",
	.about = "folded stacks (stackcollapse-*.pl, bcc -f, async-profiler, py-spy)",
	.bid = folded_bid,
	.read = folded_read,
};
