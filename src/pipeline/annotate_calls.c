/*
 * annotate_calls.c - which lines call which functions
 *
 * Calls of places (place_costs.h) become calls between functions, once it is known which of these
 * are annotated. A row is looked up from both sides: as a call of its line, sorted by caller, and
 * as a caller of its function, sorted by callee.
 */
#include "pipeline/annotate.h"

#include "base/mem.h"

#include <stdlib.h>

struct call_row {
	function_id caller, callee;
	struct span caller_name, callee_name; /* for the order of rows */
	str_id file;
	struct span path;
	uint32_t line;
	bool inlined;
	uint64_t total, total_samples;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Of the same pair of functions, line and form. */
static int compare_pairs(const struct call_row *a, const struct call_row *b)
{
	int order = span_cmp(a->path, b->path);

	if (!order)
		order = compare_numbers(a->line, b->line);
	return order ? order : compare_numbers(a->inlined, b->inlined);
}

static int by_pair(const void *pa, const void *pb)
{
	const struct call_row *a = pa, *b = pb;
	int order = compare_numbers(a->caller, b->caller);

	if (!order)
		order = compare_numbers(a->callee, b->callee);
	return order ? order : compare_pairs(a, b);
}

static int by_line(const void *pa, const void *pb)
{
	const struct call_row *a = pa, *b = pb;
	int order = compare_numbers(a->caller, b->caller);

	if (!order)
		order = compare_numbers(a->file, b->file);
	if (!order)
		order = compare_numbers(a->line, b->line);
	if (!order)
		order = compare_numbers(b->total, a->total);
	if (!order)
		order = span_cmp(a->callee_name, b->callee_name);
	return order ? order : compare_numbers(a->inlined, b->inlined);
}

static int by_callee(const void *pa, const void *pb)
{
	const struct call_row *a = pa, *b = pb;
	int order = compare_numbers(a->callee, b->callee);

	if (!order)
		order = compare_numbers(b->total, a->total);
	if (!order)
		order = span_cmp(a->caller_name, b->caller_name);
	return order ? order : compare_pairs(a, b);
}

static struct call_row row_of(struct annotating *a, const struct place_call *c)
{
	const struct frame *f = frames_get(a->frames, c->line);
	struct functions *functions = &a->costs.functions;
	struct call_row row = {
		.caller = functions_of_frame(functions, c->caller),
		.callee = functions_of_frame(functions, c->callee),
		.file = f->at_line && f->at_file ? f->at_file : f->file,
		.line = f->at_line,
		.inlined = frames_get(a->frames, c->callee)->flags & FRAME_INLINED,
		.total = c->total,
		.total_samples = c->total_samples,
	};

	row.path = strtab_get(a->strings, row.file);
	row.caller_name = functions_name(functions, row.caller);
	row.callee_name = functions_name(functions, row.callee);
	return row;
}

/* Rows of the same line and function, from other frames, become one. */
static uint32_t merge_rows(struct call_row *rows, uint32_t n)
{
	uint32_t i, kept = 0;

	qsort(rows, n, sizeof(*rows), by_pair);
	for (i = 0; i < n; i++) {
		if (kept && !by_pair(&rows[kept - 1], &rows[i])) {
			rows[kept - 1].total += rows[i].total;
			rows[kept - 1].total_samples += rows[i].total_samples;
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

/* Only calls from or to a function that is annotated. */
static struct call_row *make_rows(struct annotating *a, uint32_t *n)
{
	const struct place_costs *places = &a->p->result->places;
	struct call_row *rows = xcalloc((size_t)places->n_calls + 1, sizeof(*rows));
	uint32_t i;

	*n = 0;
	for (i = 0; i < places->n_calls; i++) {
		const struct place_call *c = &places->call[i];

		if (!annotate_is_code(a, c->caller) || !annotate_is_code(a, c->callee))
			continue;
		rows[*n] = row_of(a, c);
		*n += annotate_number(a, rows[*n].caller) || annotate_number(a, rows[*n].callee);
	}
	*n = merge_rows(rows, *n);
	return rows;
}

static struct span module_of(const struct annotating *a, function_id function)
{
	return strtab_get(a->strings, a->costs.functions.function[function].module);
}

/* rows: of one caller and file. */
static void put_calls(struct annotating *a, const struct call_row *rows, uint32_t n)
{
	struct annotated_function *f = &a->out->function[annotate_number(a, rows->caller) - 1];
	struct annotated_file *file = NULL;
	uint32_t i;

	for (i = 0; i < f->n_files && !file; i++)
		if (span_eq(f->file[i].path, rows->path))
			file = &f->file[i];
	if (!file)
		return;
	file->call = arena_alloc(&a->calls_memory, n * sizeof(*file->call));
	for (i = 0; i < n; i++)
		file->call[file->n_calls++] = (struct line_call){
			.line = rows[i].line,
			.name = annotate_keep(&a->calls_memory, rows[i].callee_name),
			.module = module_of(a, rows[i].callee),
			.function = annotate_number(a, rows[i].callee),
			.inlined = rows[i].inlined,
			.total = rows[i].total,
			.total_samples = rows[i].total_samples,
		};
}

/* rows: of one callee. */
static void put_callers(struct annotating *a, const struct call_row *rows, uint32_t n)
{
	struct annotated_function *f = &a->out->function[annotate_number(a, rows->callee) - 1];
	uint32_t i;

	f->caller = arena_alloc(&a->calls_memory, n * sizeof(*f->caller));
	for (i = 0; i < n; i++)
		f->caller[f->n_callers++] = (struct annotated_caller){
			.function = annotate_number(a, rows[i].caller),
			.name = annotate_keep(&a->calls_memory, rows[i].caller_name),
			.module = module_of(a, rows[i].caller),
			.path = rows[i].path,
			.line = rows[i].line,
			.inlined = rows[i].inlined,
			.total = rows[i].total,
			.total_samples = rows[i].total_samples,
		};
}

void annotate_calls(struct annotating *a)
{
	uint32_t n, i, end;
	struct call_row *rows = make_rows(a, &n);

	qsort(rows, n, sizeof(*rows), by_line);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && rows[end].caller == rows[i].caller &&
				  rows[end].file == rows[i].file;)
			end++;
		if (annotate_number(a, rows[i].caller))
			put_calls(a, rows + i, end - i);
	}
	qsort(rows, n, sizeof(*rows), by_callee);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && rows[end].callee == rows[i].callee;)
			end++;
		if (annotate_number(a, rows[i].callee))
			put_callers(a, rows + i, end - i);
	}
	free(rows);
}
