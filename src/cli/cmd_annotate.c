/*
 * perfold annotate: the source of functions, with what each line costs.
 *
 * The pipeline makes the annotations (model/annotations.h); here they are printed: the lines of
 * each file, or with --asm the instructions in order of address, each run of them below the line
 * that it was compiled from. Percentages are of the whole profile, as in perfold top. --rows
 * chooses the most expensive lines and, as far as there is room, the lines around them.
 */
#include "base/counted.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/terminal.h"
#include "model/name_pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SHARE = 8,
	NUMBER = 6,
	CONTEXT = 2,
	TAB = 8,
	MNEMONIC = 8,
	MATCHES_MOST = 10,
	INLINED_INTO_MOST = 3
};

struct annotate_printer {
	const struct profile *p;
	const struct annotations *a;
	const struct options *o;
	struct terminal terminal;
	struct terminal_line line;
	struct buf scratch;
	str_id file; /* of the last line of source above instructions */
	uint32_t last_line;
};

/* ---- lines ---------------------------------------------------------------------------------- */

static void put_share(struct annotate_printer *t, uint64_t weight)
{
	uint64_t whole = t->p->nodes[0].total;
	double percent = whole ? 100.0 * (double)weight / (double)whole : 0;
	char text[16];
	int n = weight ? snprintf(text, sizeof(text), "%6.2f%%", percent) : 0;

	terminal_put(&t->terminal, &t->line, (struct span){ text, (size_t)n },
		percent >= 5     ? COLOUR_WARM
		: percent >= 0.5 ? COLOUR_GREEN
				 : COLOUR_NONE,
		SHARE, 0);
}

static void put_costs(struct annotate_printer *t, const struct weights *w)
{
	put_share(t, w ? w->self : 0);
	put_share(t, w ? w->total : 0);
}

/* Tabs as a terminal shows them at the beginning of a line. */
static struct span without_tabs(struct annotate_printer *t, struct span text)
{
	size_t i, column = 0;

	t->scratch.n = 0;
	for (i = 0; i < text.n; i++) {
		size_t n = text.p[i] == '\t' ? TAB - column % TAB : 1;

		for (column += n; n; n--)
			buf_putc(&t->scratch, text.p[i] == '\t' ? ' ' : text.p[i]);
	}
	return buf_span(&t->scratch);
}

/* Of a line on a terminal behind some that are used; 0: without limit. */
static unsigned columns_left(const struct annotate_printer *t, size_t used)
{
	unsigned columns = t->terminal.columns;

	return !columns ? 0 : columns > used ? (unsigned)(columns - used) : 1;
}

static void print_line(
	struct annotate_printer *t, uint32_t number, const struct weights *cost, struct span text)
{
	char digits[16];
	int n = snprintf(digits, sizeof(digits), "%*" PRIu32 "  ", NUMBER, number);

	put_costs(t, cost);
	terminal_put(&t->terminal, &t->line, (struct span){ digits, (size_t)n }, COLOUR_DIM, 0, 0);
	terminal_put(&t->terminal, &t->line, without_tabs(t, text),
		cost && cost->self ? COLOUR_BOLD : COLOUR_NONE, 0,
		columns_left(t, 2 * SHARE + NUMBER + 2));
	terminal_end_line(&t->line);
}

static void print_note(struct annotate_printer *t, const char *text)
{
	terminal_put(&t->terminal, &t->line, SPAN(""), COLOUR_NONE, 2 * SHARE + NUMBER + 2, 0);
	terminal_put(&t->terminal, &t->line, span_of(text), COLOUR_DIM, 0, 0);
	terminal_end_line(&t->line);
}

static int by_cost(const void *pa, const void *pb)
{
	const struct line_cost *a = pa, *b = pb;

	if (a->cost.self != b->cost.self)
		return a->cost.self < b->cost.self ? 1 : -1;
	if (a->cost.total != b->cost.total)
		return a->cost.total < b->cost.total ? 1 : -1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Shows rows around one, as far as there are some left; returns how many are new. */
static uint32_t show_around(uint32_t row, uint32_t context, bool *shown, uint32_t n, uint32_t left)
{
	uint32_t from = row > context ? row - context : 0, to = row + context, i, added = 0;

	for (i = from; i <= to && i < n && added < left; i++) {
		added += !shown[i];
		shown[i] = true;
	}
	return added;
}

/* Which of n rows are shown; owned by the caller. rows: numbers of those that cost something. */
static bool *choose_rows(
	const struct annotate_printer *t, uint32_t n, struct line_cost *rows, uint32_t n_costs)
{
	bool *shown = xcalloc((size_t)n + 1, sizeof(*shown));
	uint32_t left = t->o->annotate.rows, context, i;

	if (!left || left >= n) {
		memset(shown, true, n);
		return shown;
	}
	qsort(rows, n_costs, sizeof(*rows), by_cost);
	for (context = 0; context <= CONTEXT; context++)
		for (i = 0; i < n_costs && left; i++)
			left -= show_around(rows[i].line, context, shown, n, left);
	return shown;
}

/* Which lines of the texts are shown; owned by the caller. */
static bool *choose_lines(const struct annotate_printer *t, const struct annotated_file *f)
{
	struct line_cost *rows = xcalloc((size_t)f->n_costs + 1, sizeof(*rows));
	uint32_t i, k, n = 0, n_costs = 0;
	bool *shown;

	for (i = 0; i < f->n_texts; n += f->text[i++].n)
		for (k = 0; k < f->n_costs; k++) {
			uint32_t at = f->cost[k].line - f->text[i].first;

			if (f->cost[k].line >= f->text[i].first && at < f->text[i].n)
				rows[n_costs++] = (struct line_cost){ n + at, f->cost[k].cost };
		}
	shown = choose_rows(t, n, rows, n_costs);
	free(rows);
	return shown;
}

static void print_text(struct annotate_printer *t, const struct annotated_file *f)
{
	bool *shown = choose_lines(t, f), *row = shown, gap = false;
	uint32_t i, k;

	for (i = 0; i < f->n_texts; i++)
		for (k = 0; k < f->text[i].n; k++) {
			uint32_t line = f->text[i].first + k;

			gap |= (i && !k) || !*row;
			if (!*row++)
				continue;
			if (gap)
				print_note(t, "...");
			gap = false;
			print_line(t, line, annotated_cost(f, line), f->text[i].line[k]);
		}
	if (gap)
		print_note(t, "...");
	free(shown);
}

static void print_other_line(struct annotate_printer *t, const struct line_cost *c)
{
	if (c->line) {
		print_line(t, c->line, &c->cost, SPAN(""));
		return;
	}
	put_costs(t, &c->cost);
	terminal_put(&t->terminal, &t->line, SPAN("     ?  (line not known)"), COLOUR_DIM, 0, 0);
	terminal_end_line(&t->line);
}

/* Which of the costs are shown if there is no text; owned by the caller. */
static bool *choose_costs(const struct annotate_printer *t, const struct annotated_file *f)
{
	struct line_cost *rows = xmemdup(f->cost, f->n_costs * sizeof(*rows));
	bool *shown;
	uint32_t i;

	for (i = 0; i < f->n_costs; i++)
		rows[i].line = i;
	shown = choose_rows(t, f->n_costs, rows, f->n_costs);
	free(rows);
	return shown;
}

/* Lines without text. */
static void print_numbers(struct annotate_printer *t, const struct annotated_file *f)
{
	bool *shown = choose_costs(t, f), gap = false;
	uint32_t i;

	for (i = 0; i < f->n_costs; i++) {
		if (shown[i] && gap)
			print_note(t, "...");
		if (shown[i])
			print_other_line(t, &f->cost[i]);
		gap = !shown[i];
	}
	if (gap)
		print_note(t, "...");
	free(shown);
}

/* Lines that are outside of the text. */
static void print_other_lines(struct annotate_printer *t, const struct annotated_file *f)
{
	uint32_t i;

	for (i = 0; i < f->n_costs; i++)
		if (!annotated_line(f, f->cost[i].line))
			print_other_line(t, &f->cost[i]);
}

/* Why there is nothing, or what is not sure of it. */
static void print_warning(struct annotate_printer *t, struct span note, uint32_t n_shown)
{
	if (!note.n)
		return;
	if (n_shown)
		terminal_put(&t->terminal, &t->line, SPAN("warning: "), COLOUR_WARM, 0, 0);
	terminal_put(&t->terminal, &t->line, note, COLOUR_DIM, 0, 0);
	terminal_end_line(&t->line);
}

static void print_file(struct annotate_printer *t, const struct annotated_file *f)
{
	if (f->path.n) {
		terminal_put(&t->terminal, &t->line, f->path, COLOUR_BLUE, 0, 0);
		if (f->found.n && !span_eq(f->found, f->path)) {
			terminal_put(&t->terminal, &t->line, SPAN(" from "), COLOUR_NONE, 0, 0);
			terminal_put(&t->terminal, &t->line, f->found, COLOUR_NONE, 0, 0);
		}
		terminal_end_line(&t->line);
	}
	print_warning(t, f->note, f->n_texts);
	terminal_put(&t->terminal, &t->line, SPAN("   self   total   line"), COLOUR_DIM, 0, 0);
	terminal_end_line(&t->line);
	if (!f->n_texts) {
		print_numbers(t, f);
		return;
	}
	print_text(t, f);
	print_other_lines(t, f);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* "main.cold, /usr/bin/spin". */
static void print_code_heading(struct annotate_printer *t, const struct annotated_function *f,
	const struct annotated_code *code)
{
	struct span name = code->name.n ? code->name : SPAN("(no symbol)");

	/* It is a long one in C++, and in the line above. */
	if (span_eq(name, f->name))
		name = SPAN("code");
	terminal_put(&t->terminal, &t->line, name, COLOUR_BLUE, 0, 0);
	if (code->start)
		terminal_printf(&t->line, " at %" PRIx64, code->start);
	terminal_put(&t->terminal, &t->line, SPAN(", "), COLOUR_NONE, 0, 0);
	terminal_put(&t->terminal, &t->line, code->found.n ? code->found : code->module,
		COLOUR_NONE, 0, 0);
	terminal_end_line(&t->line);
	print_warning(t, code->note, code->n);
	if (!code->n)
		return;
	terminal_put(
		&t->terminal, &t->line, SPAN("   self   total      address"), COLOUR_DIM, 0, 0);
	terminal_end_line(&t->line);
}

static void print_instruction(
	struct annotate_printer *t, const struct annotated_code *code, uint32_t i)
{
	const struct annotated_instruction *in = &code->instruction[i];
	struct span mnemonic = span_of(in->mnemonic), operands = span_of(in->operands);
	char text[48];
	int n = snprintf(text, sizeof(text), "%*" PRIx64 ":   ", 2 * NUMBER, in->address);
	size_t width = mnemonic.n < MNEMONIC ? MNEMONIC : mnemonic.n + 1;
	size_t used = 2 * SHARE + (size_t)n + width;
	struct span target = annotated_target_name(code, i);

	put_costs(t, in->cost);
	terminal_put(&t->terminal, &t->line, (struct span){ text, (size_t)n }, COLOUR_DIM, 0, 0);
	terminal_put(&t->terminal, &t->line, mnemonic,
		in->cost && in->cost->self ? COLOUR_BOLD : COLOUR_NONE,
		operands.n ? (unsigned)width : 0, 0);
	terminal_put(&t->terminal, &t->line, operands, COLOUR_NONE, 0, columns_left(t, used));
	used += operands.n + 3;
	if (target.n && columns_left(t, used) != 1) {
		terminal_put(&t->terminal, &t->line, SPAN(" <"), COLOUR_DIM, 0, 0);
		terminal_put(&t->terminal, &t->line, target, COLOUR_BLUE, 0, columns_left(t, used));
		terminal_put(&t->terminal, &t->line, SPAN(">"), COLOUR_DIM, 0, 0);
	}
	terminal_end_line(&t->line);
}

/* Which instructions are shown; owned by the caller. */
static bool *choose_instructions(
	const struct annotate_printer *t, const struct annotated_code *code)
{
	struct line_cost *rows = xcalloc((size_t)code->n + 1, sizeof(*rows));
	uint32_t i, n_costs = 0;
	bool *shown;

	for (i = 0; i < code->n; i++)
		if (code->instruction[i].cost && code->instruction[i].cost->total)
			rows[n_costs++] = (struct line_cost){ i, *code->instruction[i].cost };
	shown = choose_rows(t, code->n, rows, n_costs);
	free(rows);
	return shown;
}

/* The line of an instruction, if it is not that of the one before: "spin.c:12   while (n--)". */
static void print_source_of(
	struct annotate_printer *t, const struct annotated_code *code, uint32_t i)
{
	const struct annotated_instruction *in = &code->instruction[i];
	struct span text = span_trim(annotated_text(code, i));
	struct span name = span_basename(strtab_get(t->p->strings, in->file));
	char line[24];
	int n;

	if (!in->line || (in->file == t->file && in->line == t->last_line))
		return;
	t->file = in->file;
	t->last_line = in->line;
	put_costs(t, NULL);
	n = snprintf(line, sizeof(line), ":%" PRIu32 "  ", in->line);
	terminal_put(&t->terminal, &t->line, name, COLOUR_DIM, 0, 0);
	terminal_put(&t->terminal, &t->line, (struct span){ line, (size_t)n }, COLOUR_DIM, 0, 0);
	terminal_put(&t->terminal, &t->line, without_tabs(t, text), COLOUR_GREEN, 0,
		columns_left(t, 2 * SHARE + utf8_length(name) + (size_t)n));
	terminal_end_line(&t->line);
}

static void print_code(struct annotate_printer *t, const struct annotated_function *f,
	const struct annotated_code *code)
{
	bool *shown = choose_instructions(t, code), gap = false;
	uint32_t i;

	print_code_heading(t, f, code);
	t->file = t->last_line = 0;
	for (i = 0; i < code->n; i++) {
		if (!shown[i]) {
			gap = true;
			continue;
		}
		if (gap)
			print_note(t, "...");
		gap = false;
		print_source_of(t, code, i);
		print_instruction(t, code, i);
	}
	if (gap)
		print_note(t, "...");
	free(shown);
}

/* ---- functions ------------------------------------------------------------------------------ */

/* "main  /usr/bin/spin: 12.4% self, 98.0% total". */
static void print_heading(struct annotate_printer *t, const struct annotated_function *f)
{
	uint64_t whole = t->p->nodes[0].total;
	double unit = whole ? 100.0 / (double)whole : 0;

	terminal_put(&t->terminal, &t->line, f->name, COLOUR_BOLD, 0, 0);
	if (f->module) {
		terminal_put(&t->terminal, &t->line, SPAN("  "), COLOUR_NONE, 0, 0);
		terminal_put(&t->terminal, &t->line, strtab_get(t->p->strings, f->module),
			COLOUR_DIM, 0, 0);
	}
	terminal_printf(&t->line, ": %.2f%% self, %.2f%% total", (double)f->cost.self * unit,
		(double)f->cost.total * unit);
	terminal_end_line(&t->line);
}

/* Of generated code that only a perf map knows. */
static bool is_from_map(const struct annotate_printer *t, const struct annotated_function *f)
{
	struct span module = span_basename(strtab_get(t->p->strings, f->module));

	return span_starts(module, SPAN("perf-")) && span_ends(module, SPAN(".map"));
}

/* Is a caller that a function is inlined into the first one of its name? */
static bool is_new_host(const struct annotated_function *f, uint32_t caller)
{
	uint32_t i;

	for (i = 0; i < caller; i++)
		if (f->caller[i].inlined && span_eq(f->caller[i].name, f->caller[caller].name))
			return false;
	return f->caller[caller].inlined;
}

/* "inlined: its instructions are in work, main". */
static uint32_t print_hosts(struct annotate_printer *t, const struct annotated_function *f)
{
	uint32_t i, n = 0;

	for (i = 0; i < f->n_callers && n < INLINED_INTO_MOST; i++) {
		if (!is_new_host(f, i))
			continue;
		terminal_put(&t->terminal, &t->line,
			n ? SPAN(", ") : SPAN("inlined: its instructions are in "), COLOUR_DIM, 0,
			0);
		terminal_put(&t->terminal, &t->line, f->caller[i].name, COLOUR_NONE, 0, 0);
		n++;
	}
	while (i < f->n_callers && !is_new_host(f, i))
		i++;
	if (i < f->n_callers)
		terminal_put(&t->terminal, &t->line, SPAN(", ..."), COLOUR_DIM, 0, 0);
	return n;
}

static void print_no_code(struct annotate_printer *t, const struct annotated_function *f)
{
	if (print_hosts(t, f))
		terminal_end_line(&t->line);
	else if (is_from_map(t, f))
		print_warning(t,
			SPAN("a perf map has no code: a jitdump has it (Node.js: --perf-prof)"), 0);
	else
		print_warning(t,
			SPAN("its instructions are not known: the file that ran is not here, or "
			     "the recording has only names"),
			0);
}

static void print_function(struct annotate_printer *t, const struct annotated_function *f)
{
	uint32_t i;

	print_heading(t, f);
	for (i = 0; i < f->n_files && !t->o->annotate.asm_code; i++)
		print_file(t, &f->file[i]);
	if (!t->o->annotate.asm_code && is_from_map(t, f))
		print_warning(t,
			SPAN("a perf map has no lines: a jitdump has them (Node.js: --perf-prof)"),
			0);
	for (i = 0; i < f->n_codes; i++)
		print_code(t, f, &f->code[i]);
	if (t->o->annotate.asm_code && !f->n_codes)
		print_no_code(t, f);
}

static void print_text_form(const struct options *o, const struct pipeline_result *r)
{
	struct annotate_printer t = { .p = r->profile,
		.a = &r->annotations,
		.o = o,
		.terminal = terminal_query(STDOUT_FILENO) };
	const struct headline_source of = {
		.p = r->profile, .recordings = r->recordings, .n_recordings = r->n_recordings
	};
	uint32_t i;

	terminal_print_headline(&t.terminal, &t.line, &of);
	for (i = 0; i < t.a->n; i++) {
		terminal_end_line(&t.line);
		print_function(&t, &t.a->function[i]);
	}
	if (t.a->n_more && o->annotate.function) {
		terminal_end_line(&t.line);
		terminal_printf(&t.line, "(%" PRIu32 " more %s)", t.a->n_more,
			counted(t.a->n_more, "function matches", "functions match"));
		terminal_end_line(&t.line);
	}
	terminal_line_release(&t.line);
	buf_release(&t.scratch);
}

/* ---- the command ---------------------------------------------------------------------------- */

static int print_json(const struct pipeline_result *r, struct err *e)
{
	struct sink *to;

	if (sink_open(&to, "-", SINK_PLAIN, e))
		return e->code;
	output_annotations_json(&r->annotations, r->profile, to);
	return sink_commit(to, e);
}

static int print(const struct options *o, const struct pipeline_result *r, struct err *e)
{
	if (!r->annotations.n && o->annotate.function)
		return err_set(e, ERR_USAGE,
			"no function that is called \"%.200s\", or whose name matches that, has "
			"samples%s",
			o->annotate.function,
			access(o->annotate.function, F_OK) == 0
				? "; the directory of that name has no recording"
				: "");
	if (o->annotate.json)
		return print_json(r, e);
	print_text_form(o, r);
	return OK;
}

static int choose_functions(struct options *o, struct name_pattern **pattern, struct err *e)
{
	struct annotation_opts *a = &o->run.annotation;

	*pattern = NULL;
	a->most = !o->annotate.function ? 1 : o->annotate.json ? 0 : MATCHES_MOST;
	a->instructions = a->instruction_text = o->annotate.asm_code;
	a->intel = o->annotate.intel;
	if (!o->annotate.function)
		return OK;
	if (name_pattern_new(pattern, o->annotate.function, e))
		return e->code;
	a->name = o->annotate.function;
	a->pattern = *pattern;
	return OK;
}

static int run_annotate(struct options *o, int *status, struct err *e)
{
	struct pipeline_result result = { 0 };
	struct name_pattern *pattern;
	int rc = choose_functions(o, &pattern, e);

	o->run.n_outputs = 0;
	o->run.needs = OUTPUT_FULL | OUTPUT_PLACES;
	if (!rc)
		rc = run_command_pipeline(o, &result, e);
	if (!rc)
		rc = print(o, &result, e);
	if (!rc) {
		rc = run_command_flush(e);
		run_summary_print(&result, o);
		run_command_check_quality(o, &result, status);
	}
	pipeline_release(&result);
	name_pattern_free(pattern);
	return rc;
}

int cmd_annotate(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_ANNOTATE, (struct command_line){ argc, argv },
		"perfold annotate [OPTION...] [FUNCTION] [INPUT...]\n\n"
		"Shows the source of a function, with what each line costs by itself (self) and\n"
		"with all that it calls (total): of the hottest function, or of those that are\n"
		"called FUNCTION or else match it as a regular expression.",
		run_annotate, status, e);
}
