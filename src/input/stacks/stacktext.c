/*
 * stacktext.c - what the readers of stacks in texts share
 *
 *	stacktext_reader    all of a text: its format, rules, and what the front says of it
 *	  stacktext         a worker: its log, the state of the format, and
 *	    known[]         the site of each distinct text of a frame, found by hash
 *
 * A format's functions see one line at a time. They push frames (stacktext_frame) and end the stack
 * (stacktext_end). A text has few distinct frames, so parsing one (format->make) is done once for
 * each worker. Nothing outlives a block but known[] and the log: what a format remembers, it resets
 * in begin() and end(), so it does not matter which worker gets which block.
 *
 * JSON and pprof do not consist of lines: their readers open a stacktext_reader with one worker,
 * and feed that.
 */
#include "input/stacks/stacktext.h"

#include "base/chars.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "model/sample_choice.h"

#include <stdlib.h>

enum { FRONT_BYTES = 64 << 10, RECOGNIZE_BYTES = 16 << 10 };

/* ---- workers ---- */

static struct stacktext *worker_new(const struct stacktext_reader *reader)
{
	struct stacktext *s = xcalloc(1, sizeof(*s));

	s->reader = reader;
	s->state = xcalloc(1, reader->format->state_bytes + 1);
	text_log_init(&s->log, reader->recording, &reader->rules);
	return s;
}

static void worker_free(struct stacktext *s)
{
	if (s->reader->format->release)
		s->reader->format->release(s);
	text_log_release(&s->log);
	arena_release(&s->strings);
	index_release(&s->by_string);
	free(s->known);
	free(s->state);
	free(s);
}

static void reader_init(struct stacktext_reader *reader, const struct stacktext_format *format,
	struct recording *r, const struct read_opts *o)
{
	*reader = (struct stacktext_reader){ .format = format, .recording = r, .opts = *o };
	reader->opts.weight_by_samples = o->weight_by_samples && !format->counted;
	reader->by_samples = o->weight_by_samples;
	reader->module = text_frame_module(r);
	reader->first_event = SPAN("samples");
	reader->unit = SPAN("samples");
	reader->rules.opts = &reader->opts;
	reader->pid = -1;
	r->facts.format = strtab_add_str(r->strings, format->title);
}

static int find_sums(struct stacktext_reader *reader, struct err *e)
{
	if (reader->format->counted && !reader->sums)
		reader->sums =
			span_eq(reader->unit, SPAN("samples")) ? SUMS_ASSUMED : SUMS_OF_OTHERS;
	if (reader->sums == SUMS_OF_OTHERS && reader->by_samples)
		return err_set(e, ERR_USAGE,
			"--weight samples: %.200s says %.*s, and not of how many samples",
			reader->recording->path, (int)reader->unit.n, reader->unit.p);
	return OK;
}

static int resolve_times(struct stacktext_reader *reader, struct err *e)
{
	const struct sample_choice *c = reader->opts.choice;
	struct text_rules *rules = &reader->rules;

	*rules = (struct text_rules){ .opts = &reader->opts, .to_ns = UINT64_MAX };
	rules->first_event = reader->first_event;
	if (!c)
		return OK;
	if (!reader->last_time_ns && (c->from.how == TIME_PERCENT || c->to.how == TIME_PERCENT))
		return err_set(e, ERR_UNSUPPORTED, "--time in percent: the end of %s is not known",
			reader->format->title);
	sample_choice_resolve_time(
		c, reader->first_time_ns, reader->last_time_ns, &rules->from_ns, &rules->to_ns);
	return OK;
}

static int start(struct stacktext_reader *reader, unsigned n, struct err *e)
{
	unsigned i;

	reader->n_workers = n;
	reader->workers = xcalloc(n, sizeof(*reader->workers));
	reader->logs = xcalloc(n, sizeof(*reader->logs));
	for (i = 0; i < n; i++) {
		reader->workers[i] = worker_new(reader);
		reader->logs[i] = &reader->workers[i]->log;
	}
	return find_sums(reader, e) ? e->code : resolve_times(reader, e);
}

static int merge(struct stacktext_reader *reader, struct err *e)
{
	struct recording *r = reader->recording;
	int rc = text_log_merge(r, reader->logs, reader->n_workers, reader->opts.choice, e);
	unsigned i;

	for (i = 0; reader->sums && i < reader->n_workers; i++)
		r->stacks_read = saturated_add(r->stacks_read, reader->workers[i]->stacks);
	r->facts.sums = reader->sums;
	if (!reader->format->has_units)
		r->weight_unit = strtab_add(r->strings, reader->unit);
	return rc;
}

void stacktext_close(struct stacktext_reader *reader)
{
	unsigned i;

	for (i = 0; i < reader->n_workers; i++)
		worker_free(reader->workers[i]);
	free(reader->workers);
	free(reader->logs);
	arena_release(&reader->arena);
}

/* ---- strings of lines ---- */

static uint32_t parse_block(void *worker, const struct text_block *b)
{
	struct stacktext *s = worker;
	const struct stacktext_format *format = s->reader->format;
	struct span rest = buf_span(&b->bytes), line;

	s->block = b->number;
	s->line = 0;
	if (format->begin)
		format->begin(s);
	for (; span_next_line(&rest, &line); s->line++) {
		if (line.n && line.p[line.n - 1] == '\r')
			line.n--;
		format->line(s, line);
	}
	if (format->end)
		format->end(s);
	stacktext_drop(s);
	return s->line;
}

static int read_lines(
	struct stacktext_reader *reader, struct text_reader *text, struct pool *pool, struct err *e)
{
	struct span front;
	unsigned i;
	int rc;

	if (text_peek(text, FRONT_BYTES, &front, e))
		return e->code;
	if (front.n > FRONT_BYTES)
		front.n = FRONT_BYTES;
	if (reader->format->scan_front && front.n)
		reader->format->scan_front(reader, front);
	rc = start(reader, pool_workers(pool), e);
	if (!rc)
		rc = text_run(text, pool, parse_block, (void *const *)reader->workers, e);
	text_log_hand_over(reader->recording, reader->logs, reader->n_workers);
	for (i = 0; !rc && i < reader->n_workers; i++)
		text_merge_diag(text, &reader->recording->diag, &reader->workers[i]->diag);
	return rc ? rc : merge(reader, e);
}

int stacktext_read(const struct stacktext_format *format, struct recording *r, const struct file *f,
	const struct input_head *head, const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct stacktext_reader reader;
	struct text_reader text;
	int rc;

	text_open(&text, f, head, format->cut, o->block_bytes);
	text.progress = o->progress;
	reader_init(&reader, format, r, o);
	rc = read_lines(&reader, &text, pool, e);
	stacktext_close(&reader);
	text_close(&text);
	return rc;
}

/* ---- documents that are not lines ---- */

void stacktext_open(struct stacktext_reader *reader, const struct stacktext_format *format,
	struct recording *r, const struct read_opts *o)
{
	reader_init(reader, format, r, o);
}

int stacktext_begin(struct stacktext_reader *reader, struct stacktext **worker, struct err *e)
{
	int rc = start(reader, 1, e);

	*worker = reader->workers[0];
	return rc;
}

struct span stacktext_keep(struct stacktext_reader *reader, struct span string)
{
	return (struct span){ arena_string(&reader->arena, string.p, string.n), string.n };
}

int stacktext_finish(struct stacktext_reader *reader, int rc, struct err *e)
{
	text_log_hand_over(reader->recording, reader->logs, reader->n_workers);
	if (rc)
		return rc;
	diag_merge(&reader->recording->diag, &reader->workers[0]->diag);
	return merge(reader, e);
}

/* ---- while reading ---- */

struct text_sample stacktext_empty_sample(const struct stacktext *s)
{
	struct text_sample v = TEXT_SAMPLE_INIT;

	v.pid = s->reader->pid;
	v.comm = s->reader->comm;
	v.event = SPAN("samples");
	return v;
}

static site_id find_site(struct stacktext *s, struct span text)
{
	const struct stacktext_reader *reader = s->reader;
	uint64_t hash = hash_span(text);
	struct stacktext_known *k;
	struct frame f = { .kind = FRAME_USER };
	struct index_cursor c;
	uint32_t i;

	index_for_each (&s->by_string, hash, c, i)
		if (span_eq(s->known[i].string, text))
			return s->known[i].site;
	ARRAY_GROW(s->known, s->n_known, s->cap_known);
	k = &s->known[s->n_known];
	*k = (struct stacktext_known){ { arena_string(&s->strings, text.p, text.n), text.n }, 0 };
	if (reader->format->make(reader->recording, text, &f)) {
		if (!reader->opts.addresses && !(f.flags & FRAME_FUNCTION))
			f.address = 0;
		k->site = text_frame_site(reader->recording, reader->module, &f);
	}
	index_add(&s->by_string, hash, s->n_known++);
	return k->site;
}

bool stacktext_frame(struct stacktext *s, struct span text)
{
	site_id site = find_site(s, text);

	if (site)
		text_log_push(&s->log, site);
	return site != 0;
}

void stacktext_drop(struct stacktext *s)
{
	s->log.n_entries = 0;
}

void stacktext_count(struct stacktext *s, const struct text_sample *sample)
{
	struct text_counted counted;
	struct text_sample sum = *sample;

	if (s->reader->sums == SUMS_ASSUMED)
		sum.samples = sum.period;
	s->stacks += !sum.counted;
	s->log.saw_chain |= s->log.n_entries > 1;
	if (text_usage_count(&s->log.usage, &sum, text_place(s->block, s->line), &counted))
		text_log_add(&s->log, &counted);
}

void stacktext_end(struct stacktext *s, const struct text_sample *sample)
{
	text_log_reverse(&s->log);
	stacktext_count(s, sample);
	stacktext_drop(s);
}

void stacktext_bad(struct stacktext *s, enum diag_kind kind)
{
	diag_count(&s->diag, kind, text_place(s->block, s->line));
}

/* ---- frames ---- */

void stacktext_name(struct recording *r, struct frame *f, struct span name, struct span module)
{
	struct v8_name v8;

	f->module = strtab_add(r->strings, module);
	if (!name.n || span_eq(name, SPAN("[unknown]"))) {
		f->kind = FRAME_UNKNOWN;
		f->why = WHY_IN_TEXT;
		return;
	}
	f->name = strtab_add(r->strings, name);
	if (runtime_name_parse(name, &v8))
		text_frame_set_v8(r, f, &v8);
}

struct span stacktext_without_offset(struct span name)
{
	size_t n = name.n;

	while (n && char_is_lower_hex(name.p[n - 1]))
		n--;
	if (n < name.n && n > 3 && !memcmp(name.p + n - 3, "+0x", 3))
		return (struct span){ name.p, n - 3 };
	for (n = name.n; n && char_is_digit(name.p[n - 1]); n--)
		;
	if (n < name.n && n > 1 && name.p[n - 1] == '+')
		return (struct span){ name.p, n - 1 };
	return name;
}

bool stacktext_is_address(struct span s, uint64_t *address)
{
	if (!span_starts(s, SPAN("0x")))
		return false;
	s = span_skip(s, 2);
	return span_scan_hex(&s, address) && !s.n;
}

/* ---- lines ---- */

uint32_t stacktext_indent(struct span line)
{
	uint32_t width = 0;
	size_t i;

	for (i = 0; i < line.n && char_is_blank(line.p[i]); i++)
		width += line.p[i] == '\t' ? 8 : 1;
	return width;
}

bool stacktext_number(struct span word, uint64_t *n)
{
	return span_scan_u64(&word, n) && !word.n;
}

bool stacktext_is_count(struct span line, uint64_t *count)
{
	return stacktext_number(span_trim(line), count);
}

struct span stacktext_word(struct span *rest)
{
	struct span word;
	size_t from = 0, to;

	while (from < rest->n && char_is_blank(rest->p[from]))
		from++;
	for (to = from; to < rest->n && !char_is_blank(rest->p[to]); to++)
		;
	word = (struct span){ rest->p + from, to - from };
	*rest = span_skip(*rest, to);
	return word;
}

size_t stacktext_cut_before(const char *p, size_t n, stacktext_begins begins)
{
	size_t end = text_cut_lines(p, n);

	/* end follows a newline: only whole lines begin before it */
	while (end) {
		const char *lf = end > 1 ? memrchr(p, '\n', end - 1) : NULL;

		if (!lf)
			return 0;
		end = (size_t)(lf - p) + 1;
		if (begins(p, n, end))
			return end;
	}
	return 0;
}

struct span stacktext_front(const struct input_head *head)
{
	struct span s = head->bytes;

	if (s.n > RECOGNIZE_BYTES)
		s.n = RECOGNIZE_BYTES;
	return s.n && memchr(s.p, 0, s.n) ? (struct span){ 0 } : s;
}
