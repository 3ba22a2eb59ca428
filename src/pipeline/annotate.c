/*
 * annotate.c - which functions are annotated, and what their lines cost
 *
 *	profile, or its trees ─► functions by weight ─► chosen (choose())
 *	costs by place, of these ─► rows: function, file, line, cost   sorted by these
 *	                            ├ files: rows of the function; annotate_text.c
 *	                            └ codes: annotate_code.c, by another worker
 *
 * Functions are chosen before rows are made: most places are of functions that weigh too little.
 * A place is of the function that its frame is in the profile, without its line. A function may
 * have lines in several files: of macros and of code that is included, or two functions of one name
 * count as one.
 */
#include "pipeline/annotate.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sort.h"
#include "collapse/collapse.h"

#include <stdlib.h>
#include <string.h>

struct line_row {
	function_id function;
	str_id file; /* 0: not known */
	uint32_t line;
	uint32_t begin; /* the line of the declaration, where it is in this file; 0: it is not */
	struct weights cost;
};

void annotate_add_weights(struct weights *to, const struct weights *w)
{
	to->self += w->self;
	to->self_samples += w->self_samples;
	to->total += w->total;
	to->total_samples += w->total_samples;
}

struct span annotate_keep(struct arena *to, struct span s)
{
	return (struct span){ arena_string(to, s.p, s.n), s.n };
}

/* ---- rows ----------------------------------------------------------------------------------- */

static struct line_row row_of(
	const struct annotating *a, const struct place_cost *c, function_id function)
{
	const struct frame *f = frames_get(a->frames, c->place);
	str_id file = f->at_line && f->at_file ? f->at_file : f->file;

	return (struct line_row){
		.function = function,
		.file = file,
		.line = f->at_line,
		.begin = file == f->file ? f->line : 0,
		.cost = annotate_weights(c),
	};
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct line_row *a = pa, *b = pb;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Of functions that are annotated, in order. */
static struct line_row *make_rows(struct annotating *a, uint32_t *n)
{
	const struct place_costs *places = &a->p->result->places;
	struct line_row *rows = NULL;
	uint32_t i, cap = 0;

	*n = 0;
	ARRAY_RESERVE(rows, 1, cap);
	for (i = 0; i < places->n_lines; i++) {
		const struct place_cost *c = &places->line[i];
		function_id function;

		if (!annotate_is_code(a, c->function))
			continue;
		function = functions_of_frame(&a->costs.functions, c->function);
		if (!annotate_number(a, function))
			continue;
		ARRAY_GROW(rows, *n, cap);
		rows[(*n)++] = row_of(a, c, function);
	}
	qsort(rows, *n, sizeof(*rows), compare_rows);
	return rows;
}

/* ---- files ---------------------------------------------------------------------------------- */

static struct line_cost *costs_of_rows(
	struct annotating *a, const struct line_row *rows, uint32_t n, uint32_t *n_costs)
{
	struct line_cost *costs = arena_alloc(&a->text_memory, n * sizeof(*costs));
	uint32_t i;

	*n_costs = 0;
	for (i = 0; i < n; i++) {
		if (!i || rows[i].line != rows[i - 1].line)
			costs[(*n_costs)++] = (struct line_cost){ .line = rows[i].line };
		annotate_add_weights(&costs[*n_costs - 1].cost, &rows[i].cost);
	}
	return costs;
}

static int compare_lines(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	return sort_compare_u64(*a, *b);
}

/* Of all declarations of which a line ran: functions of one name have several. */
static uint32_t *begins_of_rows(
	struct annotating *a, const struct line_row *rows, uint32_t n, uint32_t *n_begins)
{
	uint32_t *begins = arena_alloc(&a->text_memory, n * sizeof(*begins));
	uint32_t i, all = 0;

	for (i = 0; i < n; i++)
		if (rows[i].begin)
			begins[all++] = rows[i].begin;
	qsort(begins, all, sizeof(*begins), compare_lines);
	*n_begins = 0;
	for (i = 0; i < all; i++)
		if (!i || begins[i] != begins[*n_begins - 1])
			begins[(*n_begins)++] = begins[i];
	return begins;
}

static void put_file(
	struct annotating *a, struct annotated_file *file, const struct line_row *rows, uint32_t n)
{
	file->path = strtab_get(a->strings, rows->file);
	file->source = rows->file;
	file->begin = begins_of_rows(a, rows, n, &file->n_begins);
	file->cost = costs_of_rows(a, rows, n, &file->n_costs);
	if (!rows->file)
		file->note = SPAN("no debug information says which lines ran");
}

static uint64_t file_weight(const struct annotated_file *f)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < f->n_costs; i++)
		sum += f->cost[i].cost.self;
	return sum;
}

static bool is_before(const struct annotated_file *a, const struct annotated_file *b)
{
	uint64_t weight_a = file_weight(a), weight_b = file_weight(b);

	return weight_a != weight_b ? weight_a > weight_b : span_cmp(a->path, b->path) < 0;
}

/* The heaviest first. */
static void sort_files(struct annotated_function *f)
{
	uint32_t i, k;

	for (i = 1; i < f->n_files; i++) {
		struct annotated_file file = f->file[i];

		for (k = i; k && is_before(&file, &f->file[k - 1]); k--)
			f->file[k] = f->file[k - 1];
		f->file[k] = file;
	}
}

/* rows: of the function, n of them. */
static void add_files(
	struct annotating *a, struct annotated_function *f, const struct line_row *rows, uint32_t n)
{
	uint32_t i, end, n_files = 0;

	for (i = 0; i < n; i++)
		n_files += !i || rows[i].file != rows[i - 1].file;
	f->file = arena_alloc(&a->text_memory, n_files * sizeof(*f->file));
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && rows[end].file == rows[i].file;)
			end++;
		f->file[f->n_files] = (struct annotated_file){ 0 };
		put_file(a, &f->file[f->n_files++], rows + i, end - i);
	}
	sort_files(f);
}

/* The rows of a function: the first, and how many. */
static uint32_t find_rows(
	const struct line_row *rows, uint32_t n, function_id function, uint32_t *count)
{
	uint32_t first = bisect(i, 0u, n, rows[i].function >= function);

	*count = bisect(i, first, n, rows[i].function > function) - first;
	return first;
}

/* Of all that is annotated. */
static void put_files(struct annotating *a)
{
	uint32_t n, i, count;
	struct line_row *rows = make_rows(a, &n);

	for (i = 0; i < a->out->n; i++) {
		uint32_t first = find_rows(rows, n, a->id_of[i], &count);

		add_files(a, &a->out->function[i], rows + first, count);
	}
	free(rows);
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool is_wanted(const struct annotating *a, const struct function_cost *c)
{
	const struct annotation_opts *o = a->o;
	struct span name = functions_name(&a->costs.functions, c->function);

	if (a->by_name)
		return span_eq(name, span_of(o->name));
	if (o->pattern)
		return name_pattern_matches(o->pattern, name);
	return (double)c->total.weight * 100 >= o->min_percent * (double)a->whole;
}

static void annotate_function(struct annotating *a, const struct function_cost *c)
{
	const struct function *function = &a->costs.functions.function[c->function];

	ARRAY_GROW(a->out->function, a->out->n, a->cap_functions);
	a->out->function[a->out->n++] = (struct annotated_function){
		.name = annotate_keep(
			&a->out->memory, functions_name(&a->costs.functions, c->function)),
		.module = function->module,
		.cost = { c->self.weight, c->self.samples, c->total.weight, c->total.samples },
	};
	ARRAY_RESERVE(a->id_of, a->out->n, a->cap_ids);
	a->id_of[a->out->n - 1] = c->function;
	a->number_of[c->function] = a->out->n;
}

static bool has_function(const struct annotating *a, struct span name)
{
	uint32_t i;

	for (i = 0; i < a->costs.functions.n; i++)
		if (!costs_is_zero(a->costs.of[i].total) &&
			span_eq(functions_name(&a->costs.functions, i), name))
			return true;
	return false;
}

/* Which functions are wanted, by function_id; owned by the caller. */
static bool *find_wanted(const struct annotating *a)
{
	bool *wanted = xcalloc((size_t)a->costs.functions.n + 1, sizeof(*wanted));
	uint32_t i;

	for (i = 0; i < a->costs.functions.n; i++)
		wanted[i] = is_wanted(a, &a->costs.of[i]);
	return wanted;
}

/* By what they cost themselves, then those that only call; owned by the caller. */
static struct function_cost *rank(const struct annotating *a, uint32_t *n_ranked)
{
	bool *wanted = find_wanted(a);
	uint32_t n, i;
	struct function_cost *all = costs_ranked_among(&a->costs, BY_TOTAL, wanted, &n);
	struct function_cost *ranked = costs_ranked_among(&a->costs, BY_SELF, wanted, n_ranked);

	ranked = xrealloc(ranked, ((size_t)n + *n_ranked + 1) * sizeof(*ranked));
	for (i = 0; i < n; i++)
		if (costs_is_zero(all[i].self))
			ranked[(*n_ranked)++] = all[i];
	free(all);
	free(wanted);
	return ranked;
}

/* By frame, for outputs. Frames of code in the profile have had a function since costs were added
 * up. */
static void number_frames(struct annotating *a)
{
	const struct functions *functions = &a->costs.functions;
	frame_id i;

	a->out->n_frames = functions->n_frames;
	a->out->by_frame = xcalloc(functions->n_frames, sizeof(*a->out->by_frame));
	for (i = 1; i < functions->n_frames; i++)
		if (functions->by_frame[i] && annotate_is_code(a, i))
			a->out->by_frame[i] = annotate_number(a, functions->by_frame[i] - 1);
}

/* Of the profile as if no line had been looked up, with names as they are. */
static void weigh_functions(struct annotating *a)
{
	const struct profile *p = a->p->result->profile;

	if (stages_want_jit_lines(a->p->opts))
		p = a->without_lines = collapse_without_lines(p);
	a->profile = *p;
	a->profile.annotate = 0;
	a->whole = a->profile.nodes[0].total;
	costs_init(&a->costs, &a->profile);
}

/* The same, beside the making of the profile. */
static void weigh_functions_of_trees(struct annotating *a)
{
	uint32_t n;
	const struct tree **trees = collapse_list_trees(a->p->collapsing, &n);

	a->profile = (struct profile){ .frames = a->frames, .strings = a->strings };
	a->whole = costs_init_of_trees(&a->costs, &a->profile, trees, n).weight;
	free(trees);
}

/* Which functions there will be. */
static void choose(struct annotating *a)
{
	struct function_cost *ranked;
	uint32_t n, i;

	if (a->p->collapse.by_name)
		weigh_functions_of_trees(a);
	else
		weigh_functions(a);
	a->n_numbers = a->costs.functions.n;
	a->number_of = xcalloc((size_t)a->n_numbers + 1, sizeof(*a->number_of));
	a->by_name = a->o->name && has_function(a, span_of(a->o->name));
	ranked = rank(a, &n);
	for (i = 0; i < n; i++) {
		if (a->o->most && a->out->n == a->o->most)
			a->out->n_more++;
		else
			annotate_function(a, &ranked[i]);
	}
	free(ranked);
	number_frames(a);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void task_make_profile(void *ctx)
{
	const struct annotating *a = ctx;

	if (a->p->collapsing)
		*stages_profile(a->p) = collapse_make(a->p->collapsing, NULL);
}

static void task_sum_places(void *ctx)
{
	const struct annotating *a = ctx;

	if (a->p->collapsing)
		collapse_sum_places(a->p->collapsing);
}

static void task_choose(void *a)
{
	choose(a);
}

static void task_list_code(void *ctx)
{
	struct annotating *a = ctx;

	if (a->o->instructions)
		annotate_begin_code(a);
}

static void task_list_files(void *a)
{
	put_files(a);
}

/* Who asks for a function by name gets what its own module has, and waits for no other. */
static void task_open_code(void *ctx)
{
	struct annotating *a = ctx;

	if (a->o->instructions && !a->o->name && !a->o->pattern)
		annotate_open_code(a);
}

static void task_code(void *ctx)
{
	struct annotating *a = ctx;

	if (a->o->instructions)
		annotate_code(a);
}

static void task_lines(void *ctx)
{
	struct annotating *a = ctx;

	if (a->o->instructions)
		annotate_lines(a);
}

static void task_text(void *a)
{
	annotate_text(a);
}

static void task_calls(void *a)
{
	annotate_calls(a);
}

/* No other task needs rows. */
static void task_sort_rows(void *ctx)
{
	const struct annotating *a = ctx;

	if (a->p->collapse.sorts_later)
		collapse_sort_rows(*stages_profile(a->p));
}

static void task_free_trees(void *ctx)
{
	const struct annotating *a = ctx;

	collapse_free(a->p->collapsing);
	a->p->collapsing = NULL;
}

enum {
	TASK_CHOOSE,
	TASK_SUM_PLACES,
	TASK_LIST_CODE,
	TASK_LIST_FILES,
	TASK_OPEN_CODE,
	TASK_MAKE_PROFILE,
	TASK_FREE_TREES,
	TASK_TEXT,
	TASK_CODE, /* its steps, of which each follows the one before */
	TASK_LINES = TASK_CODE + ANNOTATE_STEPS, /* its steps, likewise */
	TASK_SORT_ROWS = TASK_LINES + ANNOTATE_STEPS,
	TASK_CALLS,
	TASKS
};

/* The longest ways to the end first: those of text and of code. */
static const struct pool_task all_tasks[TASKS] = {
	[TASK_CHOOSE] = { .run = task_choose },
	[TASK_SUM_PLACES] = { .run = task_sum_places },
	/* Both look functions up, which adds some. */
	[TASK_LIST_CODE] = { task_list_code, POOL_TASK(TASK_CHOOSE) | POOL_TASK(TASK_SUM_PLACES) },
	[TASK_LIST_FILES] = { task_list_files, POOL_TASK(TASK_LIST_CODE) },
	[TASK_OPEN_CODE] = { task_open_code, POOL_TASK(TASK_SUM_PLACES) },
	[TASK_MAKE_PROFILE] = { .run = task_make_profile },
	[TASK_FREE_TREES] = { task_free_trees, POOL_TASK(TASK_CHOOSE) | POOL_TASK(TASK_SUM_PLACES) |
						       POOL_TASK(TASK_MAKE_PROFILE) },
	[TASK_TEXT] = { task_text, POOL_TASK(TASK_LIST_FILES) },
	[TASK_SORT_ROWS] = { task_sort_rows, POOL_TASK(TASK_MAKE_PROFILE) },
	[TASK_CALLS] = { task_calls, POOL_TASK(TASK_LIST_FILES) },
};

static void run_tasks(struct annotating *a)
{
	struct pool_task tasks[TASKS];
	uint32_t i;

	memcpy(tasks, all_tasks, sizeof(tasks));
	if (!a->p->collapse.by_name)
		tasks[TASK_CHOOSE].after = POOL_TASK(TASK_MAKE_PROFILE);
	for (i = 0; i < ANNOTATE_STEPS; i++) {
		uint32_t before_code = i ? POOL_TASK(TASK_CODE + i - 1)
					 : POOL_TASK(TASK_LIST_CODE) | POOL_TASK(TASK_OPEN_CODE);
		uint32_t before_lines = i ? POOL_TASK(TASK_LINES + i - 1) : 0;

		if (a->o->instruction_text) /* one at a time looks at source */
			before_lines |= POOL_TASK(TASK_TEXT);
		tasks[TASK_CODE + i] = (struct pool_task){ task_code, before_code };
		tasks[TASK_LINES + i] =
			(struct pool_task){ task_lines, POOL_TASK(TASK_CODE + i) | before_lines };
	}
	pool_run_tasks(a->p->pool, tasks, TASKS, a);
}

int annotate_make(struct pipeline *p, struct err *e)
{
	struct annotating a = {
		.p = p,
		.o = &p->opts->annotation,
		.frames = p->result->frames,
		.strings = p->result->strings,
		.out = &p->result->annotations,
	};

	(void)e;
	run_tasks(&a);
	arena_take(&a.out->memory, &a.text_memory);
	arena_take(&a.out->memory, &a.calls_memory);
	annotate_end_code(&a);
	costs_release(&a.costs);
	profile_free(a.without_lines);
	free(a.number_of);
	free(a.id_of);
	return OK;
}
