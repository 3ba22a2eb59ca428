/*
 * What was read is turned into rows, one for each line on the screen: of all files that the
 * function has lines in, or of all pieces of its code, each run of instructions below the line that
 * it was compiled from. Percentages are of the whole profile, also while an interval of time is
 * shown elsewhere. At first the hottest row is chosen.
 */
#include "view/source_page.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHARE = 7, NUMBER = 7, ADDRESS = 12, MNEMONIC = 8, TAB = 8, WHEEL_ROWS = 3 };

static const struct screen_style plain, dim = { .attributes = SCREEN_DIM },
					bold = { .attributes = SCREEN_BOLD };

void source_page_init(struct source_page *p, struct view_names *names)
{
	*p = (struct source_page){ .names = names };
}

void source_page_release(struct source_page *p)
{
	free(p->row);
	buf_release(&p->why);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static struct source_row *add_row(struct source_page *p, enum source_row_kind kind)
{
	ARRAY_GROW(p->row, p->n, p->cap);
	p->row[p->n] = (struct source_row){ .kind = kind };
	return &p->row[p->n++];
}

static void add_text(struct source_page *p, enum source_row_kind kind, struct span text)
{
	if (text.n)
		add_row(p, kind)->text = text;
}

static void add_line(struct source_page *p, const struct annotated_file *f, uint32_t line)
{
	struct source_row *row = add_row(p, SOURCE_LINE);

	row->file = f;
	row->number = line;
	row->cost = annotated_cost(f, line);
}

/* Those from cost on that have no text, up to a line. Returns the next one. */
static uint32_t add_costs(
	struct source_page *p, const struct annotated_file *f, uint32_t cost, uint32_t line)
{
	while (cost < f->n_costs && f->cost[cost].line < line)
		add_line(p, f, f->cost[cost++].line);
	return cost;
}

static void add_file(struct source_page *p, const struct annotated_file *f)
{
	uint32_t i, k, cost = 0;

	add_text(p, SOURCE_HEADING, f->path.n ? f->path : SPAN("(file not known)"));
	add_text(p, SOURCE_NOTE, f->note);
	for (i = 0; i < f->n_texts; i++) {
		cost = add_costs(p, f, cost, f->text[i].first);
		if (i)
			add_text(p, SOURCE_NOTE, SPAN("..."));
		for (k = 0; k < f->text[i].n; k++)
			add_line(p, f, f->text[i].first + k);
		while (cost < f->n_costs && f->cost[cost].line < f->text[i].first + f->text[i].n)
			cost++;
	}
	add_costs(p, f, cost, UINT32_MAX);
}

static void add_code(struct source_page *p, const struct annotated_code *code)
{
	const struct annotated_instruction *last = NULL;
	uint32_t i;

	add_text(p, SOURCE_HEADING, code->name.n ? code->name : SPAN("(no symbol)"));
	add_text(p, SOURCE_NOTE, code->note);
	for (i = 0; i < code->n; i++) {
		const struct annotated_instruction *in = &code->instruction[i];
		struct source_row *row;

		if (in->line && (!last || in->line != last->line || in->file != last->file)) {
			row = add_row(p, SOURCE_LINE_OF);
			row->code = code;
			row->number = i;
		}
		last = in;
		row = add_row(p, SOURCE_INSTRUCTION);
		row->code = code;
		row->number = i;
		row->cost = in->cost && in->cost->total ? in->cost : NULL;
	}
}

static bool is_hotter(const struct source_row *a, const struct source_row *b)
{
	uint64_t self_a = a->cost ? a->cost->self : 0, self_b = b->cost ? b->cost->self : 0;
	uint64_t total_a = a->cost ? a->cost->total : 0, total_b = b->cost ? b->cost->total : 0;

	return self_a != self_b ? self_a > self_b : total_a > total_b;
}

static void choose_hottest(struct source_page *p)
{
	uint32_t i, context = p->area.rows / 3;

	for (i = p->chosen = 0; i < p->n; i++)
		if (is_hotter(&p->row[i], &p->row[p->chosen]))
			p->chosen = i;
	p->first = p->chosen > context ? p->chosen - context : 0;
}

static struct span why_no_code(struct source_page *p)
{
	const struct annotated_function *f = p->function;
	uint32_t i;

	p->why.n = 0;
	for (i = 0; i < f->n_callers; i++) {
		if (!f->caller[i].inlined)
			continue;
		buf_puts(&p->why, "inlined: its instructions are in ");
		buf_put_span(&p->why, f->caller[i].name);
		return buf_span(&p->why);
	}
	return SPAN("no instructions: the file that ran is not here, or the recording has only "
		    "names");
}

static void make_rows(struct source_page *p)
{
	const struct annotated_function *f = p->function;
	uint32_t i;

	p->n = 0;
	for (i = 0; f && !p->shows_code && i < f->n_files; i++)
		add_file(p, &f->file[i]);
	for (i = 0; f && p->shows_code && i < f->n_codes; i++)
		add_code(p, &f->code[i]);
	if (f && !p->n)
		add_text(p, SOURCE_NOTE,
			p->shows_code ? why_no_code(p)
				      : SPAN("no lines: nothing says which of them ran"));
	choose_hottest(p);
}

/* ---- reading ------------------------------------------------------------------------------- */

void source_page_show(struct source_page *p, frame_id frame)
{
	function_id function;

	if (frame == p->frame && frame)
		return;
	p->frame = view_names_function(p->names, frame, &function) ? frame : 0;
	p->is_waiting = p->frame != 0;
	p->function = NULL;
	p->n = p->chosen = 0;
	p->why.n = 0;
	if (!p->frame)
		buf_puts(&p->why, "no function is chosen: threads and \"all\" are none");
}

/* That of the same module, else the heaviest of the name. */
static const struct annotated_function *find_function(const struct source_page *p)
{
	const struct annotations *a = p->source.annotations;
	struct span module = view_names_module(p->names, p->frame);
	uint32_t i;

	for (i = 0; i < a->n; i++)
		if (span_eq(strtab_get(p->source.p->strings, a->function[i].module), module))
			return &a->function[i];
	return a->n ? &a->function[0] : NULL;
}

void source_page_read(struct source_page *p, const struct view_opts *o)
{
	struct span name = display_names_plain(view_names_get(p->names, p->frame));
	struct err e = { 0 };

	p->is_waiting = false;
	if (!o->read_source || o->read_source(o->ctx, name, &p->source, &e))
		buf_puts(&p->why, o->read_source ? e.msg : "there is no source");
	else
		p->function = find_function(p);
	if (!p->function && !p->why.n)
		buf_puts(&p->why, "nothing is known of the lines of this function");
	make_rows(p);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void put_share(
	struct source_page *p, struct screen_line *l, uint64_t weight, struct screen_style style)
{
	uint64_t whole = p->source.p->nodes[0].total;
	char text[16];
	int n = weight ? snprintf(text, sizeof(text), "%6.1f%%",
				 100.0 * (double)weight / (double)whole)
		       : 0;

	screen_put(l, (struct span){ text, (size_t)n }, style);
	screen_pad(l, l->column + SHARE - (unsigned)n, style);
}

/* Tabs as a terminal shows them at the beginning of a line. */
static void put_text(struct screen_line *l, struct span text, struct screen_style style)
{
	struct buf spread = { 0 };
	size_t i, column = 0;

	for (i = 0; i < text.n; i++) {
		size_t n = text.p[i] == '\t' ? TAB - column % TAB : 1;

		for (column += n; n; n--)
			buf_putc(&spread, text.p[i] == '\t' ? ' ' : text.p[i]);
	}
	screen_put(l, buf_span(&spread), style);
	buf_release(&spread);
}

static struct span text_of_line(const struct source_row *r)
{
	const struct span *text = annotated_line(r->file, r->number);

	return text ? *text : r->number ? SPAN("") : SPAN("(line not known)");
}

static void draw_instruction(
	struct screen_line *l, const struct source_row *r, struct screen_style style)
{
	const struct annotated_instruction *in = &r->code->instruction[r->number];
	struct span target = annotated_target_name(r->code, r->number);
	unsigned at;

	screen_printf(l, style, "%*" PRIx64 ":  ", ADDRESS, in->address);
	at = l->column;
	screen_put(l, span_of(in->mnemonic), style);
	screen_pad(l, at + MNEMONIC > l->column ? at + MNEMONIC : l->column + 1, style);
	screen_put(l, span_of(in->operands), style);
	if (target.n) {
		screen_put(l, SPAN("  <"), style);
		screen_put(l, target, style);
		screen_put(l, SPAN(">"), style);
	}
}

static void draw_line_of(struct source_page *p, struct screen_line *l, const struct source_row *r)
{
	const struct annotated_instruction *in = &r->code->instruction[r->number];

	screen_pad(l, 2 * SHARE, dim);
	screen_put(l, SPAN("  "), dim);
	screen_put(l, span_basename(strtab_get(p->source.p->strings, in->file)), dim);
	screen_printf(l, dim, ":%" PRIu32 "  ", in->line);
	put_text(l, span_trim(annotated_text(r->code, r->number)), dim);
}

static void draw_row(struct source_page *p, uint32_t at, unsigned row)
{
	const struct source_row *r = &p->row[at];
	struct screen_line l = screen_line(p->area.screen, row, 0, p->area.screen->columns);
	struct screen_style style = r->kind == SOURCE_HEADING || (r->cost && r->cost->self) ? bold
				    : r->kind == SOURCE_NOTE || !r->cost                    ? dim
											    : plain;

	if (at == p->chosen)
		style = (struct screen_style){ .attributes = SCREEN_REVERSE };
	switch (r->kind) {
	case SOURCE_HEADING:
	case SOURCE_NOTE:
		screen_put_end(&l, r->text, style);
		break;
	case SOURCE_LINE_OF:
		draw_line_of(p, &l, r);
		return;
	case SOURCE_LINE:
	case SOURCE_INSTRUCTION:
		put_share(p, &l, r->cost ? r->cost->self : 0, style);
		put_share(p, &l, r->cost ? r->cost->total : 0, style);
		if (r->kind == SOURCE_INSTRUCTION) {
			draw_instruction(&l, r, style);
			break;
		}
		screen_printf(
			&l, at == p->chosen ? style : dim, "%*" PRIu32 "  ", NUMBER, r->number);
		put_text(&l, text_of_line(r), r->cost || at == p->chosen ? style : plain);
		break;
	}
	screen_pad(&l, l.end, style);
}

void source_page_draw(struct source_page *p, const struct page_area *area)
{
	struct screen_line l = screen_line(area->screen, area->top, 0, area->screen->columns);
	unsigned i, rows = area->rows - 1;

	p->area = *area;
	if (p->is_waiting) {
		screen_put(&l, SPAN("reading the source ..."), dim);
		return;
	}
	if (!p->function) {
		screen_put(&l, buf_span(&p->why), plain);
		return;
	}
	screen_put(&l,
		p->shows_code ? SPAN("  self  total       address") : SPAN("  self  total    line"),
		dim);
	p->first = page_scroll(p->first, p->chosen, p->n, rows);
	for (i = 0; i < rows && p->first + i < p->n; i++)
		draw_row(p, p->first + i, area->top + 1 + i);
}

/* ---- events -------------------------------------------------------------------------------- */

/* In order of cost, the hottest first. */
static bool comes_before(const struct source_page *p, uint32_t i, uint32_t k)
{
	return is_hotter(&p->row[i], &p->row[k]) || (!is_hotter(&p->row[k], &p->row[i]) && i < k);
}

static void next_hottest(struct source_page *p, bool back)
{
	uint32_t i, best = p->n;

	for (i = 0; i < p->n; i++) {
		if (!p->row[i].cost || i == p->chosen || comes_before(p, i, p->chosen) != back)
			continue;
		if (best == p->n || comes_before(p, i, best) != back)
			best = i;
	}
	if (best < p->n)
		p->chosen = best;
}

/* A jump goes to where it leads. */
static void follow(struct source_page *p)
{
	const struct source_row *r = p->n ? &p->row[p->chosen] : NULL;
	const struct annotated_instruction *target;
	uint32_t i;

	if (!r || r->kind != SOURCE_INSTRUCTION)
		return;
	target = annotated_inside(r->code, r->number);
	for (i = 0; target && i < p->n; i++)
		if (p->row[i].kind == SOURCE_INSTRUCTION && p->row[i].code == r->code &&
			&r->code->instruction[p->row[i].number] == target) {
			p->chosen = i;
			return;
		}
}

static void click(struct source_page *p, const struct view_event *event)
{
	uint32_t row = p->first + event->row - p->area.top - 1;

	if (!page_has(&p->area, event->row) || event->row == p->area.top || row >= p->n)
		return;
	if (row == p->chosen)
		follow(p);
	else
		p->chosen = row;
}

bool source_page_take(struct source_page *p, const struct view_event *event)
{
	unsigned i, rows = p->area.rows ? p->area.rows - 1 : 0;

	switch (event->key) {
	case VIEW_KEY_LEFT:
	case VIEW_KEY_RIGHT:
		p->shows_code = !p->shows_code;
		make_rows(p);
		return true;
	case 'h':
	case 'H':
		next_hottest(p, event->key == 'H');
		return true;
	case VIEW_KEY_ENTER:
		follow(p);
		return true;
	case VIEW_KEY_CLICK:
		click(p, event);
		return true;
	case VIEW_KEY_WHEEL_UP:
	case VIEW_KEY_WHEEL_DOWN:
		for (i = 0; i < WHEEL_ROWS; i++)
			page_move(event->key == VIEW_KEY_WHEEL_UP ? VIEW_KEY_UP : VIEW_KEY_DOWN,
				&p->chosen, p->n, rows);
		return true;
	default:
		return page_move(event->key, &p->chosen, p->n, rows);
	}
}

static bool has_match(const struct source_page *p, const struct source_row *r)
{
	const struct name_pattern *pattern = p->names->pattern;
	const struct annotated_instruction *in;

	if (r->kind == SOURCE_LINE)
		return name_pattern_matches(pattern, text_of_line(r));
	if (r->kind != SOURCE_INSTRUCTION)
		return false;
	in = &r->code->instruction[r->number];
	return name_pattern_matches(pattern, span_of(in->mnemonic)) ||
	       name_pattern_matches(pattern, span_of(in->operands)) ||
	       name_pattern_matches(pattern, annotated_target_name(r->code, r->number));
}

void source_page_next_match(struct source_page *p, int step)
{
	uint32_t i, at = p->chosen;

	for (i = 0; p->names->pattern && i < p->n; i++) {
		at = step > 0 ? (at + 1) % p->n : (at + p->n - 1) % p->n;
		if (has_match(p, &p->row[at])) {
			p->chosen = at;
			return;
		}
	}
}

/* ---- what is chosen ------------------------------------------------------------------------ */

void source_page_put_status(struct source_page *p, struct page_status *status)
{
	const struct weights *cost = p->function && p->n ? p->row[p->chosen].cost : NULL;

	if (!p->frame)
		return;
	buf_put_span(&status->name, view_names_get(p->names, p->frame));
	buf_put_span(&status->module, view_names_module(p->names, p->frame));
	if (!p->function)
		return;
	if (cost) {
		double unit = 100.0 / (double)p->source.p->nodes[0].total;

		buf_printf(&status->share, "%.1f%% of all in total, %.1f%% by itself · ",
			(double)cost->total * unit, (double)cost->self * unit);
		headline_put_weight(
			&status->share, &p->names->of, cost->total, cost->total_samples);
	} else {
		buf_puts(&status->share, "no samples");
	}
	buf_puts(&status->share, p->shows_code ? " · ←→ source" : " · ←→ instructions");
}
