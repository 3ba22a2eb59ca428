/*
 * script_parse.c - from the lines of `perf script` to samples
 *
 * A worker is a machine of four states, driven line by line:
 *
 *	           event that is wanted                  any other event
 *	OUTSIDE ------------------------> INSIDE    OUTSIDE -----------> PASSING, LOST
 *	   ^                                 |                              |
 *	   '------------ blank line, end of the block, or the next event ---'
 *
 * INSIDE, frame lines are pushed innermost first and reversed when the sample ends; PASSING, they
 * are skipped; LOST, below a line that is no event where one is expected, they are counted as not
 * understood. Nearly all lines begin with a tab: these are tried as frames first, and
 * script_memo.h makes frames of a line only once.
 *
 * A block may be cut where its parse does not depend on what precedes it: after a blank line, or
 * before a line that is an event wherever it is (SCRIPT_STRICT). A line that is an event only where
 * one is expected (SCRIPT_LOOSE) is no such place.
 */
#include "input/script/script_parse.h"

#include "base/chars.h"
#include "input/script/script_event.h"
#include "input/script/script_marks.h"

void script_parse_init(struct script_parser *w, struct recording *r, const struct text_rules *rules,
	module_id text_module)
{
	*w = (struct script_parser){ 0 };
	text_log_init(&w->out, r, rules);
	if (rules->opts->marks)
		text_log_make_marks(&w->out);
	w->memo = (struct script_memo){
		.recording = r, .text_module = text_module, .addresses = rules->opts->addresses
	};
}

void script_parse_release(struct script_parser *w)
{
	text_log_release(&w->out);
	script_memo_release(&w->memo);
}

/* ---- samples ---- */

static void add_frame(
	struct script_parser *w, struct span ip, struct span text, struct span srcline)
{
	const struct script_memo_line *l = script_memo_find(&w->memo, ip, text, srcline);
	uint32_t i;

	for (i = l->n_sites; i--;)
		text_log_push(&w->out, w->memo.sites[l->first_site + i]);
}

/* A sample without a callchain has its frame after the event, on the same line. */
static void add_only_frame(struct script_parser *w)
{
	struct span frame, ip, text;

	if (script_event_frame(w->event.fields, &frame) &&
		script_parse_split_frame(frame, &ip, &text))
		add_frame(w, ip, text, w->srcline);
}

static void count_sample(struct script_parser *w)
{
	struct text_log *s = &w->out;

	if (s->n_entries)
		s->saw_chain = true;
	else
		add_only_frame(w);
	text_log_reverse(s);
	text_log_add(s, &w->sample);
	if (s->marks)
		script_marks_put(s->marks, s->usage.rules->opts->marks, w->event.fields,
			s->usage.recording->strings);
}

static void end_sample(struct script_parser *w)
{
	if (w->state == SCRIPT_INSIDE)
		count_sample(w);
	w->state = SCRIPT_OUTSIDE;
}

/* The place of the line that is being parsed. */
static uint64_t here(const struct script_parser *w)
{
	return text_place(w->block, w->line - 1);
}

/* "PERF_RECORD_LOST lost 12", as --show-lost-events prints it. */
static void count_lost(struct script_parser *w, const struct script_event *v)
{
	struct span record = v->sample.event;
	ptrdiff_t at = span_find(record, SPAN(" lost "));
	struct span number;
	uint64_t n;

	if (at < 0 || !span_starts(record, SPAN("PERF_RECORD_LOST")))
		return;
	number = span_skip(record, (size_t)at + 6);
	if (!span_scan_u64(&number, &n))
		return;
	diag_add(&w->diag, DIAG_LOST, n, here(w));
	diag_count(&w->diag, DIAG_LOST_CHUNKS, here(w));
	if (w->out.marks && v->sample.has_time)
		marks_add_gap(w->out.marks, v->sample.time_ns);
}

static void begin_event(struct script_parser *w, const struct script_event *v)
{
	end_sample(w);
	w->understood++;
	w->state = SCRIPT_PASSING;
	if (v->kind == SCRIPT_RECORD)
		count_lost(w, v);
	if (v->kind == SCRIPT_DEFERRED)
		diag_count(&w->diag, DIAG_SPLIT_STACK, here(w));
	if (v->kind != SCRIPT_SAMPLE)
		return;
	if (!text_usage_count(&w->out.usage, &v->sample, here(w), &w->sample))
		return;
	w->state = SCRIPT_INSIDE;
	w->event = v->sample;
	w->srcline = (struct span){ 0 };
	w->out.n_entries = 0;
}

/* ---- lines ---- */

bool script_parse_split_frame(struct span line, struct span *ip, struct span *text)
{
	size_t from = 0, to;

	while (from < line.n && char_is_blank(line.p[from]))
		from++;
	for (to = from; to < line.n && char_is_lower_hex(line.p[to]); to++)
		;
	*ip = span_range(line.p + from, line.p + to);
	*text = span_skip(line, to);
	/* a tab: report_sample.py of simpleperf, before Android 10 */
	if (to == from || (text->n && !char_is_blank(text->p[0])))
		return false;
	*text = span_skip(*text, 1);
	while (text->n && char_is_blank(text->p[text->n - 1]))
		text->n--;
	return true;
}

static struct span next_line(struct script_parser *w)
{
	const char *lf = memchr(w->next, '\n', (size_t)(w->end - w->next));
	struct span line = span_range(w->next, lf ? lf : w->end);

	w->next = lf ? lf + 1 : w->end;
	w->line++;
	return line;
}

static bool is_srcline(const char *p, const char *end)
{
	return end - p > 2 && p[0] == ' ' && p[1] == ' ' && !char_is_blank(p[2]) && p[2] != '\n';
}

/* The source line below a frame. A line that is an event wherever it is cannot be one: blocks are
 * cut at those. */
static struct span parse_srcline(struct script_parser *w)
{
	const char *next = w->next;
	struct script_event v;
	struct span line;

	if (!is_srcline(next, w->end))
		return (struct span){ 0 };
	line = next_line(w);
	if (!script_event_is_strict(line, &v))
		return span_trim(line);
	w->next = next;
	w->line--;
	return (struct span){ 0 };
}

static bool line_is_blank(struct span line)
{
	return span_trim(line).n == 0;
}

static void bad_line(struct script_parser *w)
{
	diag_count(&w->diag, DIAG_BAD_LINE, here(w));
	if (w->state == SCRIPT_OUTSIDE)
		w->state = SCRIPT_LOST;
}

static void begin_nameless(struct script_parser *w, struct span comm)
{
	struct script_event v = { .sample = TEXT_SAMPLE_INIT };

	v.sample.comm = comm;
	begin_event(w, &v);
}

/* A line that begins with a tab, as nearly all do. */
static void parse_tab_line(struct script_parser *w, struct span line)
{
	struct span ip, text, srcline;

	if (script_parse_split_frame(line, &ip, &text)) {
		srcline = parse_srcline(w);
		if (w->state == SCRIPT_OUTSIDE && w->bare)
			begin_nameless(w, (struct span){ 0 });
		if (w->state == SCRIPT_OUTSIDE || w->state == SCRIPT_LOST) {
			bad_line(w);
			return;
		}
		w->understood++;
		if (w->state == SCRIPT_INSIDE)
			add_frame(w, ip, text, srcline);
	} else if (line_is_blank(line)) {
		end_sample(w);
	} else if (w->state != SCRIPT_PASSING) {
		bad_line(w);
	}
}

/* A line inside a sample that is no event and does not begin with a tab. */
static void parse_inner_line(struct script_parser *w, struct span line)
{
	struct span ip, text;

	if (w->state == SCRIPT_PASSING)
		return;
	if (w->state == SCRIPT_LOST)
		bad_line(w);
	else if (!w->out.n_entries && is_srcline(line.p, line.p + line.n))
		w->srcline = span_trim(line);
	else if (script_parse_split_frame(line, &ip, &text)) /* tabs were lost on the way */
		add_frame(w, ip, text, parse_srcline(w));
	else
		bad_line(w);
}

/* An event is expected. */
static void parse_outer_line(struct script_parser *w, struct span line)
{
	struct script_event v;

	if (script_event_parse(line, &v) != SCRIPT_NO)
		begin_event(w, &v);
	else if (line.n <= 16 && w->next < w->end && *w->next == '\t')
		begin_nameless(w, span_trim(line)); /* -F comm,ip,sym */
	else
		bad_line(w);
}

static void parse_other_line(struct script_parser *w, struct span line)
{
	struct script_event v;

	if (line_is_blank(line))
		end_sample(w);
	else if (script_event_is_strict(line, &v))
		begin_event(w, &v);
	else if (line.p[0] == '#')
		return;
	else if (w->state == SCRIPT_OUTSIDE)
		parse_outer_line(w, line);
	else
		parse_inner_line(w, line);
}

uint32_t script_parse_block(void *worker, const struct text_block *b)
{
	struct script_parser *w = worker;

	w->next = b->bytes.p;
	w->end = b->bytes.p + b->bytes.n;
	w->block = b->number;
	w->line = 0;
	while (w->next < w->end) {
		struct span line = next_line(w);

		if (line.n && line.p[0] == '\t')
			parse_tab_line(w, line);
		else
			parse_other_line(w, line);
	}
	end_sample(w);
	return w->line;
}

/* ---- where blocks are cut ---- */

/* Is there nothing but blanks between the last newline before p[n] and p[n]? */
static bool ends_blank(const char *p, size_t n)
{
	while (n && char_is_blank(p[n - 1]))
		n--;
	return !n || p[n - 1] == '\n';
}

size_t script_parse_cut(const char *p, size_t n)
{
	struct script_event v;
	size_t end = n; /* of the line under test, when it is whole */
	bool whole = false;

	while (end) {
		const char *lf = memrchr(p, '\n', end);
		size_t start = lf ? (size_t)(lf - p) + 1 : 0;
		struct span line = { p + start, end - start };

		if (!start)
			break;
		if (ends_blank(p, start - 1))
			return start;
		if (whole && line.n && line.p[0] != '\t' && script_event_is_strict(line, &v))
			return start;
		end = start - 1;
		whole = true;
	}
	return 0;
}
