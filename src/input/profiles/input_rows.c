/*
 * input_rows.c - rows as output/rows.c writes them: man perfold-rows(5)
 *
 *	{"perfold_rows":1,...,"comm":"node","pid":7,...,"samples":2,"weight":9,"stack":["main"],...}
 *
 * A line is an object. Its strings are copied to one buffer as they are parsed, and when it is
 * complete it is checked and counted; a line that is no row of this version is counted as damage.
 * perfold_rows, samples, weight and stack must be there; the other columns may be missing or null,
 * as queries may leave them out. What is of the whole recording (recording, host, time_us,
 * duration_us, period), and columns of strings that are not in the table below, are labels.
 *
 * A frame goes to stacktext_frame() as one string of its kind, name, module, file and line.
 */
#include "input/profiles/profiles.h"

#include "input/stacks/stacks.h"
#include "model/label_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1, STACK_MAX = 1 << 15 };

/* A string in the buffer of the row, or a number. */
struct piece {
	size_t at, n;
	int64_t number;
};

struct piece_list {
	struct piece *at;
	uint32_t n, cap;
	bool is_there;
};

enum text_column { PROCESS, COMM, EVENT, UNIT, KIND, N_TEXTS };
enum number_column { VERSION, PID, TID, CPU, SAMPLES, WEIGHT, PERIOD, TIME, DURATION, N_NUMBERS };
enum list_column { STACK, MODULE, SOURCE, LINE, N_LISTS };

static const char *const text_columns[] = { "process", "comm", "event", "unit", "kind" };
static const char *const number_columns[] = { "perfold_rows", "pid", "tid", "cpu", "samples",
	"weight", "period", "time_us", "duration_us" };
static const char *const list_columns[] = { "stack", "module", "file", "line" };

struct row {
	struct buf strings;
	struct piece text[N_TEXTS];
	int64_t number[N_NUMBERS]; /* -1: null */
	struct piece_list list[N_LISTS];
	struct label_list labels;
	uint32_t n_labels_left; /* over the limit */
	bool bad;
	struct buf frame; /* the string of a frame */
};

static void row_clear(struct row *r)
{
	int i;

	r->strings.n = 0;
	memset(r->text, 0, sizeof(r->text));
	for (i = 0; i < N_NUMBERS; i++)
		r->number[i] = -1;
	for (i = 0; i < N_LISTS; i++) {
		r->list[i].n = 0;
		r->list[i].is_there = false;
	}
	label_list_release(&r->labels);
	r->n_labels_left = 0;
	r->bad = false;
}

static void row_release(struct row *r)
{
	int i;

	buf_release(&r->strings);
	buf_release(&r->frame);
	for (i = 0; i < N_LISTS; i++)
		free(r->list[i].at);
	label_list_release(&r->labels);
}

static struct span text_of(const struct row *r, struct piece p)
{
	return p.n ? (struct span){ r->strings.p + p.at, p.n } : SPAN("");
}

/* ---- parsing ---- */

static int find_column(const struct json_reader *j, const char *const *columns, int n)
{
	int i;

	for (i = 0; i < n && !json_reader_key_is(j, 0, columns[i]); i++)
		;
	return i;
}

/* No name has a NUL, which ends the parts of a frame's string. */
static struct piece keep(struct row *r, struct span text)
{
	struct piece p = { .at = r->strings.n, .n = text.n };

	r->bad |= text.n && memchr(text.p, 0, text.n);
	buf_put_span(&r->strings, text);
	return p;
}

/* Of numbers, only whole ones: sums in SQL may have become others. */
static bool scan_number(const struct json_value *v, int64_t *number)
{
	struct span s = v->text;
	uint64_t n;

	if (v->kind != JSON_NUMBER || !span_scan_u64(&s, &n) || s.n || n > INT64_MAX)
		return false;
	*number = (int64_t)n;
	return true;
}

static void read_label(struct row *r, const struct json_reader *j, const struct json_value *v)
{
	struct span key = json_reader_key(j);

	if (v->kind == JSON_STRING && v->text.n && label_list_may_have(key))
		r->n_labels_left += !label_list_add(&r->labels, key, v->text);
}

static void read_column(struct row *r, const struct json_reader *j, const struct json_value *v)
{
	int text = find_column(j, text_columns, N_TEXTS);
	int number = find_column(j, number_columns, N_NUMBERS);
	bool known = text < N_TEXTS || number < N_NUMBERS ||
		     find_column(j, list_columns, N_LISTS) < N_LISTS;

	if (v->kind == JSON_OTHER)
		return;
	if (text < N_TEXTS && v->kind == JSON_STRING)
		r->text[text] = keep(r, v->text);
	else if (number < N_NUMBERS && scan_number(v, &r->number[number]))
		;
	else if (known)
		r->bad = true;
	else
		read_label(r, j, v);
}

static void begin_list(struct row *r, const struct json_reader *j)
{
	int list = find_column(j, list_columns, N_LISTS);

	if (list < N_LISTS) {
		r->list[list].n = 0;
		r->list[list].is_there = true;
	} else {
		r->bad |= find_column(j, text_columns, N_TEXTS) < N_TEXTS ||
			  find_column(j, number_columns, N_NUMBERS) < N_NUMBERS;
	}
}

static void read_element(struct row *r, const struct json_reader *j, const struct json_value *v)
{
	int list = find_column(j, list_columns, N_LISTS);
	struct piece_list *l = &r->list[list];
	struct piece p = { 0 };

	if (list == N_LISTS)
		return;
	if (list == LINE && v->kind == JSON_NUMBER)
		r->bad |= !scan_number(v, &p.number);
	else if (list != LINE && v->kind == JSON_STRING)
		p = keep(r, v->text);
	else
		r->bad |= v->kind != JSON_OTHER || list == STACK;
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = p;
}

static bool on_value(void *ctx, const struct json_reader *j, const struct json_value *v)
{
	struct row *r = ctx;
	uint32_t depth = json_reader_depth(j);

	if (depth == 0)
		r->bad |= v->kind != JSON_OBJECT && v->kind != JSON_END;
	else if (depth == 1 && v->kind == JSON_ARRAY)
		begin_list(r, j);
	else if (depth == 1 && v->kind != JSON_END)
		read_column(r, j, v);
	else if (depth == 2 && json_reader_in_array(j) && v->kind != JSON_END)
		read_element(r, j, v);
	return !r->bad;
}

static bool in_range(int64_t id)
{
	return id <= INT32_MAX;
}

/* Does a list have an element for each frame, if it is there? */
static bool fits(const struct row *r, enum list_column list)
{
	return !r->list[list].is_there || r->list[list].n == r->list[STACK].n;
}

static bool is_complete(const struct row *r)
{
	return !r->bad && r->number[VERSION] == SCHEMA_VERSION && r->number[SAMPLES] >= 0 &&
	       r->number[WEIGHT] >= 0 && r->list[STACK].is_there && fits(r, MODULE) &&
	       fits(r, SOURCE) && fits(r, LINE) && r->list[STACK].n <= STACK_MAX &&
	       (!r->text[KIND].n || r->text[KIND].n == r->list[STACK].n) &&
	       in_range(r->number[PID]) && in_range(r->number[TID]) && in_range(r->number[CPU]);
}

static bool parse_row(struct row *r, struct span line)
{
	struct json_reader *j = json_reader_new(on_value, r);
	struct err e;

	row_clear(r);
	if (json_reader_feed(j, line, &e) || json_reader_finish(j, &e))
		r->bad = true;
	json_reader_free(j);
	return is_complete(r);
}

/* ---- frames ---- */

static struct span next_string(struct span *rest)
{
	struct span s = { rest->p, strnlen(rest->p, rest->n) };

	*rest = span_skip(*rest, s.n + 1);
	return s;
}

/* A frame without a name is shown as "[libc.so.6]", or "[libc.so.6+0x1230]" where its function is
 * known. */
static void make_unnamed(struct recording *r, struct frame *f, struct span name, struct span module)
{
	struct span address = name;
	size_t n = name.n;

	f->module = strtab_add(r->strings, module);
	f->kind = FRAME_UNKNOWN;
	f->why = WHY_IN_TEXT;
	while (n && name.p[n - 1] != '+')
		n--;
	address = span_skip(name, n);
	if (n && span_starts(address, SPAN("0x"))) {
		address = span_skip(address, 2);
		if (span_scan_hex(&address, &f->address) && span_eq(address, SPAN("]")))
			f->flags |= FRAME_FUNCTION;
		else
			f->address = 0;
	}
}

static bool make_frame(struct recording *r, struct span text, struct frame *f)
{
	char kind = text.p[0];
	struct span rest = span_skip(text, 1), line;
	struct span name = next_string(&rest), module = next_string(&rest);
	struct span file = next_string(&rest);
	uint64_t number = 0;

	line = next_string(&rest);
	span_scan_u64(&line, &number);
	if (kind == '?') {
		make_unnamed(r, f, name, module);
		return true;
	}
	stacktext_name(r, f, name, module);
	if (kind == 'k' || kind == 'K')
		f->kind = FRAME_KERNEL;
	else if (kind == 'j' || kind == 'J')
		f->kind = FRAME_JIT;
	else if (kind == 'l')
		f->kind = FRAME_LABEL;
	if (kind == 'U' || kind == 'K' || kind == 'J')
		f->flags |= FRAME_INLINED;
	if (number && number <= UINT32_MAX && file.n) {
		f->at_line = (uint32_t)number;
		f->at_file = strtab_add(r->strings, file);
	}
	return true;
}

static struct piece element(const struct row *r, enum list_column list, uint32_t i)
{
	return i < r->list[list].n ? r->list[list].at[i] : (struct piece){ 0 };
}

static void push_stack(struct stacktext *s, struct row *r)
{
	struct span kinds = text_of(r, r->text[KIND]);
	struct buf *b = &r->frame;
	uint32_t i;

	for (i = 0; i < r->list[STACK].n; i++) {
		b->n = 0;
		buf_putc(b, i < kinds.n ? kinds.p[i] : 'u');
		buf_put_span(b, text_of(r, element(r, STACK, i)));
		buf_putc(b, '\0');
		buf_put_span(b, text_of(r, element(r, MODULE, i)));
		buf_putc(b, '\0');
		buf_put_span(b, text_of(r, element(r, SOURCE, i)));
		buf_putc(b, '\0');
		buf_printf(b, "%" PRId64, element(r, LINE, i).number);
		stacktext_frame(s, buf_span(b));
	}
}

/* ---- samples ---- */

static void label_number(struct row *r, const char *key, int64_t number)
{
	char text[24];

	if (number <= 0)
		return;
	snprintf(text, sizeof(text), "%" PRId64, number);
	label_list_set(&r->labels, span_of(key), span_of(text));
}

static str_id pack_labels(const struct stacktext *s, struct row *r)
{
	if (!(s->reader->opts.root_fields >> ROOT_LABEL))
		return 0;
	label_number(r, "time_us", r->number[TIME]);
	label_number(r, "duration_us", r->number[DURATION]);
	label_number(r, "period", r->number[PERIOD]);
	return label_list_pack(&r->labels, s->reader->recording->strings);
}

static void count_row(struct stacktext *s, struct row *r)
{
	struct text_sample sample = stacktext_empty_sample(s);

	sample.comm = text_of(r, r->text[COMM]);
	sample.process = text_of(r, r->text[PROCESS]);
	sample.event = text_of(r, r->text[EVENT]);
	sample.unit = text_of(r, r->text[UNIT]);
	sample.pid = (int32_t)r->number[PID];
	sample.tid = (int32_t)r->number[TID];
	sample.cpu = (int32_t)r->number[CPU];
	sample.samples = (uint64_t)r->number[SAMPLES];
	sample.period = (uint64_t)r->number[WEIGHT];
	sample.labels = pack_labels(s, r);
	push_stack(s, r);
	if (sample.period)
		stacktext_count(s, &sample);
	stacktext_drop(s);
}

static void read_line(struct stacktext *s, struct span line)
{
	struct row *r = s->state;

	if (!span_trim(line).n)
		return;
	if (!parse_row(r, line)) {
		stacktext_bad(s, DIAG_BAD_LINE);
		return;
	}
	for (; r->n_labels_left; r->n_labels_left--)
		stacktext_bad(s, DIAG_LABELS_LIMIT);
	count_row(s, r);
}

/* If the user chooses no event, it is that of the first row. */
static void scan_front(struct stacktext_reader *reader, struct span front)
{
	struct row r = { 0 };
	struct span line;

	reader->sums = SUMS_OF_SAMPLES;
	while (span_next_line(&front, &line)) {
		if (!parse_row(&r, line))
			continue;
		reader->first_event = stacktext_keep(reader, text_of(&r, r.text[EVENT]));
		break;
	}
	row_release(&r);
}

static void release(struct stacktext *s)
{
	row_release(s->state);
}

/* ---- the format ---- */

static const struct stacktext_format format = {
	.title = "rows of perfold",
	.cut = text_cut_lines,
	.make = make_frame,
	.counted = true,
	.has_units = true,
	.state_bytes = sizeof(struct row),
	.scan_front = scan_front,
	.line = read_line,
	.release = release,
};

static int rows_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

/* A column that nothing else has; the order of columns is that of a query. */
static int rows_bid(const struct input_head *head)
{
	struct span front = stacktext_front(head), line;

	if (!span_next_line(&front, &line))
		return 0;
	if (span_starts(line, SPAN("{\"perfold_rows\":")))
		return 100;
	return span_starts(line, SPAN("{")) && span_find(line, SPAN("\"perfold_rows\"")) >= 0 ? 90
											      : 0;
}

const struct input_format input_rows = {
	.name = "rows",
	.about = "rows of perfold (.rows.json): see perfold-rows(5)",
	.json = true,
	.bid = rows_bid,
	.read = rows_read,
};
