/*
 * perfold top: what costs most, as a table of functions or as a tree.
 *
 * --callers, --callees, --paths and --group show a tree or a table of another profile, which
 * top_query.h makes of the whole one.
 *
 * The table ranks functions (compare/costs.h): self is what has them as the innermost frame, total
 * what has them anywhere, counted once for each stack. On a terminal names are cut to what its
 * width leaves, and rows fill its height; in a file names are whole, and there are 40 rows. The
 * tree shows callers first and follows the most expensive callee; subtrees below --min-percent are
 * hidden and counted.
 *
 * Costs: one pass over the nodes of the profile by name. --min-percent is not given to the
 * pipeline, as the costs of functions would lose their small parts.
 */
#include "base/counted.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/gate_check.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/terminal.h"
#include "cli/top_branches.h"
#include "cli/top_cpu_time.h"
#include "cli/top_query.h"
#include "compare/branches.h"
#include "compare/costs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	OTHER_ROWS = 6, /* of a terminal: heading, summary, prompt */
	FIRST_PAGE_ROWS = 3,
	NEXT_COLUMNS = 24,
	BAR = 12,
	MODULE_MOST = 24, /* columns of a terminal */
	NAME_LEAST = 20,
	FILE_NAME_MOST =
		60, /* a template's name of 600 bytes would push all modules out of sight */
	SHARE = 7,  /* "100.0% " */
};

struct top_table {
	const struct profile *p;
	struct terminal terminal;
	struct top_opts opts;
	uint64_t whole;     /* what shares are of */
	uint64_t of;        /* in trees of calls: the weight of the functions they are of; else 0 */
	double min_percent; /* of the tree */
	const struct top_cpu_time *cpu; /* for one more column, if it is known */
	struct terminal_line line;
};

static double percent(const struct top_table *t, uint64_t weight)
{
	return t->whole ? 100.0 * (double)weight / (double)t->whole : 0;
}

static void put_percent(struct top_table *t, double share, bool strong)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%5.1f%%", share);
	enum colour colour = share >= 10 && strong ? COLOUR_BOLD : COLOUR_NONE;

	terminal_put(&t->terminal, &t->line, (struct span){ text, (size_t)n },
		share > 0 ? colour : COLOUR_DIM, SHARE, 0);
}

static void put_share(struct top_table *t, uint64_t weight, bool strong)
{
	put_percent(t, percent(t, weight), strong);
}

static enum colour colour_of(const struct top_table *t, frame_id frame)
{
	switch (profile_frame_kind(t->p, frame)) {
	case FRAME_KERNEL:
		return COLOUR_WARM;
	case FRAME_JIT:
		return COLOUR_GREEN;
	case FRAME_ROOT:
	case FRAME_LABEL:
		return COLOUR_BLUE;
	case FRAME_UNKNOWN:
		return COLOUR_DIM;
	case FRAME_USER:
		break;
	}
	return COLOUR_NONE;
}

/* The last part of a path; "[kernel.kallsyms]" as it is. */
static struct span short_module(const struct top_table *t, str_id module)
{
	struct span s = strtab_get(t->p->strings, module);

	return t->terminal.is_terminal ? span_basename(s) : s;
}

/* The table. */

/* The widths of columns: in a file that of the longest name, within reason; on a terminal what is
 * left. */
struct widths {
	unsigned name, module;
	bool bar;
};

static unsigned larger(unsigned width, size_t n)
{
	return n > width ? (unsigned)n : width;
}

static struct widths measure(const struct top_table *t, const struct costs *c,
	const struct function_cost *row, uint32_t n)
{
	struct widths w = { .name = NAME_LEAST, .bar = t->terminal.is_terminal };
	unsigned fixed = (2u + t->cpu->known + t->opts.cumulative) * SHARE + 1 + 1;
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct function *f = &c->functions.function[row[i].function];

		w.name = larger(w.name, functions_name(&c->functions, row[i].function).n);
		w.module = larger(w.module, short_module(t, f->module).n);
	}
	if (!t->terminal.is_terminal) {
		w.name = w.name < FILE_NAME_MOST ? w.name : FILE_NAME_MOST;
		return w;
	}
	if (w.module > MODULE_MOST)
		w.module = MODULE_MOST;
	w.bar = t->terminal.columns >= fixed + NAME_LEAST + w.module + BAR + 1;
	fixed += w.module + (w.bar ? BAR + 1 : 0);
	if (t->terminal.columns < fixed + w.name)
		w.name = t->terminal.columns > fixed + NAME_LEAST ? t->terminal.columns - fixed
								  : NAME_LEAST;
	return w;
}

/* Finds one frame of each function: a function has a name, but not the kind of its code. */
static frame_id *frames_of_functions(const struct top_table *t, struct costs *c)
{
	frame_id *frame = xcalloc((size_t)c->functions.n + 1, sizeof(*frame));
	node_id i;

	for (i = 0; i < t->p->n_nodes; i++)
		if (stack_path_includes(t->p, i))
			frame[functions_of_frame(&c->functions, stack_path_frame(t->p, i))] =
				stack_path_frame(t->p, i);
	return frame;
}

/* The share of CPU time by which the table would be ordered. */
static void put_cpu_share(struct top_table *t, const struct function_cost *cpu)
{
	uint64_t weight = t->opts.by == TOP_BY_SELF ? cpu->self.weight : cpu->total.weight;

	put_percent(
		t, t->cpu->q.whole ? 100.0 * (double)weight / (double)t->cpu->q.whole : 0, false);
}

/* sum: of the self costs of this row and those before it. */
static void print_function(struct top_table *t, const struct costs *c,
	const struct function_cost *row, uint64_t sum, const struct function_cost *cpu,
	frame_id frame, const struct widths *w)
{
	const struct function *f = &c->functions.function[row->function];
	bool by_self = t->opts.by == TOP_BY_SELF;

	put_share(t, row->self.weight, by_self);
	if (t->opts.cumulative)
		put_share(t, sum, false);
	put_share(t, row->total.weight, !by_self);
	if (cpu)
		put_cpu_share(t, cpu);
	if (w->bar) {
		terminal_put_bar(&t->line,
			percent(t, by_self ? row->self.weight : row->total.weight) / 100, BAR);
		terminal_printf(&t->line, " ");
	}
	terminal_put(&t->terminal, &t->line, functions_name(&c->functions, row->function),
		colour_of(t, frame), w->name, t->terminal.is_terminal ? w->name : 0);
	terminal_printf(&t->line, " ");
	terminal_put(&t->terminal, &t->line, short_module(t, f->module), COLOUR_DIM, 0,
		t->terminal.is_terminal ? w->module : 0);
	terminal_end_line(&t->line);
}

static void print_heading(
	struct top_table *t, const char *first, const char *second, const char *third)
{
	terminal_put(&t->terminal, &t->line, span_of(first), COLOUR_DIM, SHARE, 0);
	terminal_put(&t->terminal, &t->line, span_of(second), COLOUR_DIM, SHARE, 0);
	terminal_put(&t->terminal, &t->line, span_of(third), COLOUR_DIM, 0, 0);
	terminal_end_line(&t->line);
}

static void print_table_heading(struct top_table *t)
{
	const char *what = t->opts.group ? "group" : "function, module";
	struct buf with_cpu = { 0 };

	buf_printf(&with_cpu, "%-*s%s", SHARE, t->cpu->known ? "   CPU" : "", what);
	print_heading(t, "  self", t->opts.cumulative ? "   sum  total " : " total",
		t->cpu->known ? buf_str(&with_cpu) : what);
	buf_release(&with_cpu);
}

static void print_rest(struct top_table *t, uint32_t n, const char *what)
{
	if (!n)
		return;
	terminal_printf(&t->line, "(%u more %s)", n, what);
	terminal_end_line(&t->line);
}

static void print_table(struct top_table *t)
{
	bool by_self = t->opts.by == TOP_BY_SELF;
	struct function_cost *ranked, *cpu = NULL;
	struct widths w;
	struct costs costs;
	frame_id *frame;
	uint32_t n, most, i;
	uint64_t sum = 0;

	costs_init(&costs, t->p);
	ranked = costs_ranked(&costs, by_self ? BY_SELF : BY_TOTAL, &n);
	frame = frames_of_functions(t, &costs);
	most = terminal_list_rows(&t->terminal, t->opts.rows,
		OTHER_ROWS + (t->opts.first_page ? FIRST_PAGE_ROWS : 0));
	most = most < n ? most : n;
	w = measure(t, &costs, ranked, most);
	if (t->cpu->known)
		cpu = top_cpu_time_of_rows(t->cpu, ranked, most, frame);
	print_table_heading(t);
	for (i = 0; i < most; i++) {
		sum += ranked[i].self.weight;
		print_function(t, &costs, &ranked[i], sum, cpu ? &cpu[i] : NULL,
			frame[ranked[i].function], &w);
	}
	print_rest(t, n - most,
		t->opts.group ? "groups; --rows N shows them" : "functions; --rows N shows them");
	free(cpu);
	free(frame);
	free(ranked);
	costs_release(&costs);
}

/* The tree. */

static double least_of_tree(const struct top_table *t)
{
	return t->min_percent / 100 * (double)(t->of ? t->of : t->whole);
}

/*
 * The only callee worth showing follows without an indent: stacks are deep, and of interest
 * only where they fork.
 *
 *	100.0%   0.0%  main
 *	100.0%   2.0%  run
 *	 60.0%  60.0%  |- parse
 *	 38.0%  38.0%  `- print
 */
struct top_tree {
	struct top_table *table;
	struct buf prefix;
	size_t *prefix_bytes; /* by depth: what is left of the callees of a node */
	size_t cap_prefixes;
};

static void put_prefix(struct top_tree *t, const struct branch *b)
{
	bool chained = b->siblings == 1;
	const char *joint = chained ? "" : b->is_last ? "└ " : "├ ";
	const char *onward = chained ? "" : b->is_last ? "  " : "│ ";

	ARRAY_RESERVE(t->prefix_bytes, b->depth + 1, t->cap_prefixes);
	t->prefix.n = b->depth > 1 ? t->prefix_bytes[b->depth - 1] : 0;
	terminal_printf(&t->table->line, "%s%s", buf_str(&t->prefix), joint);
	buf_puts(&t->prefix, onward);
	t->prefix_bytes[b->depth] = t->prefix.n;
}

static void print_node(struct top_tree *t, const struct branch *b)
{
	struct top_table *table = t->table;
	const struct node *n = &table->p->nodes[b->node];
	struct buf name = { 0 };
	size_t used;

	put_share(table, n->total, table->of);
	if (table->of)
		put_percent(table, 100.0 * (double)n->total / (double)table->of, false);
	else
		put_share(table, n->self, true);
	put_prefix(t, b);
	used = 2 * SHARE + utf8_length(buf_span(&t->prefix));
	profile_put_name(table->p, n->frame, &name);
	terminal_put(&table->terminal, &table->line, buf_span(&name), colour_of(table, n->frame), 0,
		table->terminal.columns > used + NAME_LEAST
			? (unsigned)(table->terminal.columns - used)
			: 0);
	terminal_end_line(&table->line);
	buf_release(&name);
}

static void print_tree(struct top_table *table)
{
	struct top_tree t = { .table = table };
	uint32_t rows, most = table->opts.rows ? table->opts.rows : UINT32_MAX;
	struct branches branches;
	struct branch b;

	if (!table->of)
		print_heading(table, " total", "  self", "callers, and what they call");
	else
		print_heading(table, " of all", " of it",
			table->opts.callees ? "functions, and what they call"
					    : "functions, and what calls them");
	branches_init(&branches, table->p, least_of_tree(table));
	for (rows = 0; rows < most && branches_next(&branches, &b); rows++)
		print_node(&t, &b);
	print_rest(table, branches_rest(&branches), "frames; --min-percent and --rows show them");
	branches_release(&branches);
	free(t.prefix_bytes);
	buf_release(&t.prefix);
}

/* Paths. */

/* "main > run > parse", outermost first: in a tree of callers a node leads inwards. */
static void put_path(struct top_table *t, node_id from)
{
	struct buf path = { 0 };
	unsigned room = t->terminal.columns > 2 * SHARE + NAME_LEAST
				? t->terminal.columns - 2 * SHARE
				: NAME_LEAST;
	node_id i;

	for (i = from; i; i = t->p->nodes[i].parent) {
		buf_puts(&path, i == from ? "" : " > ");
		profile_put_name(t->p, t->p->nodes[i].frame, &path);
	}
	if (t->terminal.is_terminal && t->terminal.columns)
		terminal_put_end(&t->line, buf_span(&path), room);
	else
		terminal_put(&t->terminal, &t->line, buf_span(&path), COLOUR_NONE, 0, 0);
	buf_release(&path);
}

static void print_paths(struct top_table *t, const struct top_query *q)
{
	uint32_t n, most, i;
	node_id *path = top_query_paths(q, &n);

	most = terminal_list_rows(&t->terminal, t->opts.rows, OTHER_ROWS);
	most = most < n ? most : n;
	print_heading(t, " of all", " of it", "paths, outermost first");
	for (i = 0; i < most; i++) {
		put_share(t, t->p->nodes[path[i]].self, true);
		put_percent(t, 100.0 * (double)t->p->nodes[path[i]].self / (double)t->of, false);
		put_path(t, path[i]);
		terminal_end_line(&t->line);
	}
	print_rest(t, n - most, "paths; --rows N shows them");
	free(path);
}

/* JSON. */

static int print_json(struct top_table *t, bool about_function, struct err *e)
{
	struct output_costs_table table = { .costs = NULL };
	struct function_cost *ranked, *cpu = NULL;
	frame_id *frame;
	struct costs costs;
	struct sink *to;

	if (sink_open(&to, "-", SINK_PLAIN, e))
		return e->code;
	if (t->opts.tree || about_function) {
		output_costs_tree_json(t->p, t->whole, least_of_tree(t),
			t->opts.rows ? t->opts.rows : UINT32_MAX, to);
		return sink_commit(to, e);
	}
	costs_init(&costs, t->p);
	ranked = costs_ranked(&costs, t->opts.by == TOP_BY_SELF ? BY_SELF : BY_TOTAL, &table.n);
	frame = frames_of_functions(t, &costs);
	if (t->cpu->known)
		cpu = top_cpu_time_of_rows(t->cpu, ranked, table.n, frame);
	table.costs = &costs;
	table.row = ranked;
	table.most = t->opts.rows ? t->opts.rows : table.n;
	table.cumulative = t->opts.cumulative;
	table.cpu = cpu;
	table.cpu_whole = t->cpu->q.whole;
	output_costs_table_json(&table, to);
	free(cpu);
	free(frame);
	free(ranked);
	costs_release(&costs);
	return sink_commit(to, e);
}

/* The command. */

static void print_next(struct top_table *t, const struct options *o, const char *before,
	const char *after, const char *what)
{
	struct buf command = { 0 };
	size_t i;

	buf_printf(&command, "perfold%s", before);
	for (i = 0; i < o->inputs.n && !o->default_input; i++) {
		buf_putc(&command, ' ');
		shell_put_file(&command, span_of(o->inputs.item[i]));
	}
	buf_puts(&command, after);
	terminal_put(&t->terminal, &t->line, span_of(what), COLOUR_DIM, NEXT_COLUMNS, 0);
	terminal_put(&t->terminal, &t->line, buf_span(&command), COLOUR_NONE, 0, 0);
	terminal_end_line(&t->line);
	buf_release(&command);
}

/* Standard input has been read: no command can read it again. */
static bool can_be_read_again(const struct options *o)
{
	size_t i;

	for (i = 0; i < o->inputs.n; i++)
		if (!strcmp(o->inputs.item[i], "-"))
			return false;
	return true;
}

static void print_first_page_end(struct top_table *t, const struct options *o)
{
	if (!can_be_read_again(o))
		return;
	print_next(t, o, "", " -o report.html", "A report for a browser:");
	print_next(t, o, " top --tree", "", "Who calls what:");
	print_next(t, o, " info", "", "What has no name:");
}

static int print(const struct options *o, const struct pipeline_result *r,
	const struct top_cpu_time *cpu, double min_percent, struct err *e)
{
	struct top_table t = { .terminal = terminal_query(STDOUT_FILENO),
		.opts = o->top,
		.cpu = cpu,
		.min_percent = min_percent };
	const struct headline_source of = {
		.p = r->by_name, .recordings = r->recordings, .n_recordings = r->n_recordings
	};
	struct top_query q;
	int rc = top_query_make(&q, &o->top, r->by_name, e);

	t.p = q.p;
	t.whole = q.whole;
	t.of = q.about_function && !rc ? q.p->nodes[0].total : 0;
	if (!rc && t.opts.json) {
		rc = print_json(&t, q.about_function, e);
	} else if (!rc) {
		terminal_print_headline(&t.terminal, &t.line, &of);
		if (t.opts.paths)
			print_paths(&t, &q);
		else if (t.opts.tree || t.of)
			print_tree(&t);
		else
			print_table(&t);
		if (t.opts.first_page)
			print_first_page_end(&t, o);
	}
	terminal_line_release(&t.line);
	top_query_release(&q);
	return rc;
}

static int run_top(struct options *o, int *status, struct err *e)
{
	double min_percent = o->run.collapse.min_percent;
	struct pipeline_result result;
	struct top_cpu_time cpu = { .known = false };
	struct gate_result *judged;
	int rc;

	if (o->top.latency && !can_be_read_again(o))
		return err_set(e, ERR_USAGE,
			"standard input cannot be read twice, as --latency does: once for CPU "
			"time");
	o->run.n_outputs = 0;
	o->run.needs = o->top.branches ? OUTPUT_FULL : OUTPUT_BY_NAME;
	if (top_query_prepare(o, e) || top_branches_prepare(o, e))
		return e->code;
	/* --min-percent limits what is shown of the tree; costs of functions must not lose their
	 * small parts. */
	o->run.collapse.min_percent = 0;
	rc = run_command_pipeline(o, &result, e);
	if (!rc)
		rc = top_cpu_time_read(&cpu, o, &result, e);
	if (!rc) {
		rc = o->top.branches ? top_branches_print(o, &result, e)
				     : print(o, &result, &cpu, min_percent, e);
		rc = rc ? rc : run_command_flush(e);
		run_summary_print(&result, o);
		run_command_check_quality(o, &result, status);
		judged = rc ? NULL : gate_check_profile(&result, o);
		rc = rc ? rc : gate_check_report(judged, o, status, e);
		gate_check_free(judged);
	}
	top_cpu_time_release(&cpu);
	pipeline_release(&result);
	return rc;
}

static int run_first_page(struct options *o, int *status, struct err *e)
{
	o->top.first_page = true;
	return run_top(o, status, e);
}

int cmd_top_first_page(int argc, char **argv, bool *fits, int *status, struct err *e)
{
	struct options probe;
	struct err unfit;

	*fits = options_parse(&probe, FOR_TOP, argc, argv, &unfit) == OK;
	options_release(&probe);
	if (!*fits)
		return OK;
	return run_command(
		FOR_TOP, (struct command_line){ argc, argv }, "", run_first_page, status, e);
}

int cmd_top(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_TOP, (struct command_line){ argc, argv },
		"perfold top [OPTION...] [INPUT...]\n\n"
		"Shows the functions that cost most, by themselves (self) and with all that they\n"
		"call (total), or with --tree who calls what.",
		run_top, status, e);
}
