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
#include "input/script/script_branches.h"
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
	branch_history_free(w->history);
	text_log_release(&w->out);
	script_memo_release(&w->memo);
}

/* The place of the line that is being parsed. */
static uint64_t here(const struct script_parser *w)
{
	return text_place(w->block, w->line - 1);
}

/* ---- frames ---- */

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

/* ---- branches ---- */

/* Numbers of processes are where a line has "PID/TID", or one number of -F pid. */
static int32_t pid_of(const struct text_sample *s)
{
	return s->pid >= 0 ? s->pid : s->tid;
}

static void begin_branches(struct script_parser *w)
{
	bool known;
	uint32_t space = script_maps_space_of(w->maps, pid_of(&w->event), &known);

	if (!known && w->maps->n_spaces > 1)
		diag_count(&w->diag, DIAG_MAPS_OF_ALL, w->place);
	branch_history_begin(w->history, space, script_maps_moment(w->maps, w->place));
	w->saw_branches = true;
}

/* Are these branches to the end of the line? */
static bool branches_are_whole(struct span branches)
{
	struct branch_record branch;

	while (script_branches_next(&branches, &branch))
		;
	return !span_trim(branches).n;
}

static void add_branches(struct script_parser *w, struct span branches)
{
	struct branch_record branch;

	if (w->state == SCRIPT_LOST)
		return;
	if (!branches_are_whole(branches)) {
		diag_count(&w->diag, DIAG_BAD_LINE, here(w));
		return;
	}
	if (!w->history || w->state != SCRIPT_INSIDE || w->saw_branches)
		return;
	begin_branches(w);
	while (script_branches_next(&branches, &branch))
		branch_history_push(w->history, &branch);
	branch_history_end(w->history);
}

/* ---- samples ---- */

static void count_sample(struct script_parser *w)
{
	struct text_log *s = &w->out;

	if (s->n_entries)
		s->saw_chain = true;
	else
		add_only_frame(w);
	if (w->history && !w->saw_branches) {
		begin_branches(w);
		branch_history_end(w->history);
	}
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

/* A record that is no sample. */
static void read_other(struct script_parser *w, const struct script_event *v)
{
	struct script_mapping m;

	count_lost(w, v);
	if (w->history && script_maps_is_mapping(v->sample.event) &&
		!script_maps_parse(v->sample.event, &m))
		diag_count(&w->diag, DIAG_BAD_LINE, here(w));
}

static void begin_event(struct script_parser *w, const struct script_event *v)
{
	end_sample(w);
	w->understood++;
	w->state = SCRIPT_PASSING;
	if (v->kind == SCRIPT_RECORD)
		read_other(w, v);
	/* It has one line, and what follows in such a text may be a frame of a sample. */
	if (w->bare && v->kind == SCRIPT_RECORD && script_maps_is_mapping(v->sample.event))
		w->state = SCRIPT_OUTSIDE;
	if (v->kind == SCRIPT_DEFERRED)
		diag_count(&w->diag, DIAG_SPLIT_STACK, here(w));
	if (v->kind != SCRIPT_SAMPLE)
		return;
	if (!text_usage_count(&w->out.usage, &v->sample, here(w), &w->sample))
		return;
	w->state = SCRIPT_INSIDE;
	w->event = v->sample;
	w->srcline = (struct span){ 0 };
	w->place = here(w);
	w->saw_branches = false;
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

/* After its line feed. */
static const char *end_of_line(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));

	return lf ? lf + 1 : end;
}

static struct span next_line(struct script_parser *w)
{
	const char *end = end_of_line(w->next, w->end);
	struct span line = span_range(w->next, end > w->next && end[-1] == '\n' ? end - 1 : end);

	w->next = end;
	w->line++;
	return line;
}

static bool is_srcline(const char *p, const char *end)
{
	return end - p > 2 && p[0] == ' ' && p[1] == ' ' && !char_is_blank(p[2]) && p[2] != '\n';
}

static bool line_is_blank(struct span line)
{
	return span_trim(line).n == 0;
}

/* Is it a line before which blocks may be cut? */
static bool begins_sample(struct span line, bool has_branches)
{
	struct script_event v;
	size_t at;

	if (!line.n || line.p[0] == '\t')
		return false;
	if (has_branches && script_branches_find(line, &at))
		return !line_is_blank((struct span){ line.p, at });
	return script_event_is_strict(line, &v);
}

/* The source line below a frame. A line before which blocks may be cut cannot be one. */
static struct span parse_srcline(struct script_parser *w)
{
	const char *next = w->next;
	struct span line;

	if (!is_srcline(next, w->end))
		return (struct span){ 0 };
	line = next_line(w);
	if (!begins_sample(line, w->has_branches))
		return span_trim(line);
	w->next = next;
	w->line--;
	return (struct span){ 0 };
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

/* Is it an address that stands alone, "4005dc", and not the number of a process? */
static bool is_address(struct span line, struct span ip)
{
	enum { COLUMNS = 16, ID_DIGITS_MAX = 10 };
	size_t i;

	for (i = 0; i < ip.n && char_is_digit(ip.p[i]); i++)
		;
	return i < ip.n || ip.n > ID_DIGITS_MAX || (size_t)(ip.p - line.p) + ip.n >= COLUMNS;
}

/* "[COMM] ADDRESS [SYMBOL (MODULE)]" */
static bool split_only_line(struct span line, struct span *comm, struct span *ip, struct span *text)
{
	struct span frame;

	*comm = (struct span){ 0 };
	if (script_event_frame(line, &frame))
		*comm = span_trim(span_range(line.p, frame.p));
	else
		frame = line;
	return script_parse_split_frame(frame, ip, text) && is_address(line, *ip);
}

bool script_parse_is_only_line(struct span line)
{
	struct span comm, ip, text;

	return split_only_line(line, &comm, &ip, &text);
}

static bool parse_only_line(struct script_parser *w, struct span line)
{
	struct span comm, ip, text;

	if (!split_only_line(line, &comm, &ip, &text))
		return false;
	end_sample(w);
	begin_nameless(w, comm);
	if (w->state == SCRIPT_INSIDE)
		add_frame(w, ip, text, (struct span){ 0 });
	return true;
}

static void parse_other_line(struct script_parser *w, struct span line)
{
	struct script_event v;

	if (line_is_blank(line))
		end_sample(w);
	else if (script_event_is_strict(line, &v))
		begin_event(w, &v);
	else if (line.p[0] == '#' || (w->bare && w->has_branches && parse_only_line(w, line)))
		return;
	else if (w->state == SCRIPT_OUTSIDE)
		parse_outer_line(w, line);
	else
		parse_inner_line(w, line);
}

/* Branches alone on their line: below frames, or they are all that there is of samples. */
static void parse_branches(struct script_parser *w, struct span branches)
{
	if (w->state == SCRIPT_OUTSIDE && w->bare)
		begin_nameless(w, (struct span){ 0 });
	else if (w->state == SCRIPT_OUTSIDE || w->state == SCRIPT_LOST)
		bad_line(w);
	else
		w->understood++;
	add_branches(w, branches);
}

static void begin_sample_line(struct script_parser *w, struct span line)
{
	struct script_event v;

	end_sample(w);
	if (script_event_is_strict(line, &v))
		begin_event(w, &v);
	else if (!parse_only_line(w, line))
		parse_outer_line(w, line);
}

/* A line that ends with a branch stack. */
static void parse_branch_line(struct script_parser *w, struct span before, struct span branches)
{
	if (line_is_blank(before)) {
		parse_branches(w, branches);
	} else {
		if (before.p[0] == '\t')
			parse_tab_line(w, before);
		else
			begin_sample_line(w, before);
		add_branches(w, branches);
	}
	if (w->bare)
		end_sample(w);
}

static void parse_line(struct script_parser *w, struct span line)
{
	size_t at;

	if (w->has_branches && script_branches_find(line, &at))
		parse_branch_line(w, (struct span){ line.p, at }, span_skip(line, at));
	else if (line.n && line.p[0] == '\t')
		parse_tab_line(w, line);
	else
		parse_other_line(w, line);
}

uint32_t script_parse_block(void *worker, const struct text_block *b)
{
	struct script_parser *w = worker;
	const char *end = b->bytes.p + b->bytes.n;

	w->next = b->bytes.p;
	w->block = b->number;
	w->line = 0;
	while (w->next < end) {
		w->end = w->only_branches ? end_of_line(w->next, end) : end;
		while (w->next < w->end)
			parse_line(w, next_line(w));
		end_sample(w);
	}
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

static size_t find_cut(const char *p, size_t n, bool has_branches)
{
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
		if (whole && begins_sample(line, has_branches))
			return start;
		end = start - 1;
		whole = true;
	}
	return 0;
}

size_t script_parse_cut(const char *p, size_t n)
{
	return find_cut(p, n, false);
}

size_t script_parse_cut_branches(const char *p, size_t n)
{
	return find_cut(p, n, true);
}
