/*
 * perfold top --branches: two tables of edges, by how often they were taken and by how often they
 * were mispredicted. An edge goes from an instruction to another one, which frames name with their
 * address: equal frames are equal places, also of several recordings.
 *
 * A share is of all branches in the stacks, named or not, of mispredictions of all that were
 * mispredicted. Only edges that a recording has among its first (model/branch_sites.h) are added up
 * over several recordings.
 */
#include "cli/top_branches.h"

#include "base/counted.h"
#include "base/json_writer.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAMED_MOST = 2000, ROWS_DEFAULT = 20, SCHEMA_VERSION = 1 };

/* What is at an address: a function, and the function that was inlined there, or the same. */
struct branch_end {
	frame_id function, inlined;
};

struct shown_edge {
	struct branch_end from, to;
	uint64_t count, mispredicted;
};

struct branch_table {
	const struct pipeline_result *r;
	const struct branch_totals *totals;
	struct shown_edge *edge;
	uint32_t n;
	unsigned rows;
};

int top_branches_prepare(struct options *o, struct err *e)
{
	const struct top_opts *top = &o->top;

	if (!top->branches)
		return OK;
	if (top->tree || top->callers || top->callees || top->paths || top->group ||
		top->cumulative || top->latency)
		return err_set(e, ERR_USAGE,
			"--branches goes with none of --tree, --callers, --callees, --paths, "
			"--group, --cumulative and --latency");
	o->run.read.branches = true;
	o->run.branch_names = NAMED_MOST;
	o->run.needs |= OUTPUT_LINES | OUTPUT_ADDRESSES;
	return OK;
}

/* ---- edges of all recordings ---------------------------------------------------------------- */

static struct branch_end end_of(const struct recording *r, site_id site)
{
	uint32_t n;
	const frame_id *frames = sites_frames(r->sites, site, &n);

	return n ? (struct branch_end){ frames[0], frames[n - 1] } : (struct branch_end){ 0 };
}

static int compare_end(const struct branch_end *a, const struct branch_end *b)
{
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return a->inlined < b->inlined ? -1 : a->inlined > b->inlined;
}

static int compare_ends(const void *pa, const void *pb)
{
	const struct shown_edge *a = pa, *b = pb;
	int order = compare_end(&a->from, &b->from);

	return order ? order : compare_end(&a->to, &b->to);
}

static void add_recording(struct branch_table *t, const struct recording *r)
{
	uint32_t i;

	for (i = 0; i < r->branch_sites.n; i++) {
		const struct branch_site_edge *edge = &r->branch_sites.edge[i];

		t->edge[t->n++] = (struct shown_edge){ end_of(r, edge->from), end_of(r, edge->to),
			edge->count, edge->mispredicted };
	}
}

static void merge_edges(struct branch_table *t)
{
	uint32_t i, n = 0;

	qsort(t->edge, t->n, sizeof(*t->edge), compare_ends);
	for (i = 0; i < t->n; i++) {
		struct shown_edge *last = n ? &t->edge[n - 1] : NULL;

		if (!last || compare_ends(last, &t->edge[i])) {
			t->edge[n++] = t->edge[i];
			continue;
		}
		last->count = saturated_add(last->count, t->edge[i].count);
		last->mispredicted = saturated_add(last->mispredicted, t->edge[i].mispredicted);
	}
	t->n = n;
}

static void find_edges(struct branch_table *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->r->n_recordings; i++)
		n += t->r->recordings[i]->branch_sites.n;
	t->edge = xcalloc(n + 1, sizeof(*t->edge));
	for (i = 0; i < t->r->n_recordings; i++)
		add_recording(t, t->r->recordings[i]);
	merge_edges(t);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void put_function(struct buf *b, const struct pipeline_result *r, const struct frame *f)
{
	struct span module = span_basename(strtab_get(r->strings, f->module));

	if (f->name)
		buf_put_span(b, strtab_get(r->strings, f->name));
	else if (module.n && module.p[0] != '[')
		buf_printf(b, "[%.*s]", (int)module.n, module.p);
	else
		buf_put_span(b, module.n ? module : SPAN("[unknown]"));
	if (f->at_address)
		buf_printf(b, "+0x%" PRIx64,
			f->at_address - (f->at_function <= f->at_address ? f->at_function : 0));
}

static str_id file_of(const struct frame *f)
{
	return f->at_file ? f->at_file : f->file;
}

/* "parse+0x1f main.c:12", "next in parse+0x1f main.c:7" or, without a name, "[libc.so.6]+0x1f". */
static void put_end(struct buf *b, const struct pipeline_result *r, const struct branch_end *end)
{
	const struct frame *f = frames_get(r->frames, end->function),
			   *inlined = frames_get(r->frames, end->inlined);
	struct span file = span_basename(strtab_get(r->strings, file_of(inlined)));

	if (end->inlined != end->function && inlined->name)
		buf_printf(b, "%s in ", strtab_str(r->strings, inlined->name));
	put_function(b, r, f);
	if (inlined->at_line)
		buf_printf(b, " %.*s:%" PRIu32, (int)file.n, file.p, inlined->at_line);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Numbers of frames depend on the order in which names were found. */
static int compare_names(
	const struct pipeline_result *r, const struct shown_edge *a, const struct shown_edge *b)
{
	struct buf left = { 0 }, right = { 0 };
	int order;

	put_end(&left, r, &a->from), buf_putc(&left, '\n'), put_end(&left, r, &a->to);
	put_end(&right, r, &b->from), buf_putc(&right, '\n'), put_end(&right, r, &b->to);
	order = strcmp(buf_str(&left), buf_str(&right));
	buf_release(&left);
	buf_release(&right);
	return order;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_counts(const void *pa, const void *pb, void *ctx)
{
	const struct shown_edge *a = pa, *b = pb;
	int order = compare_u64(b->count, a->count);

	if (!order)
		order = compare_u64(b->mispredicted, a->mispredicted);
	return order ? order : compare_names(ctx, a, b);
}

static int compare_mispredicted(const void *pa, const void *pb, void *ctx)
{
	const struct shown_edge *a = pa, *b = pb;
	int order = compare_u64(b->mispredicted, a->mispredicted);

	return order ? order : compare_counts(a, b, ctx);
}

static uint32_t rows_of(const struct branch_table *t, bool mispredicted)
{
	uint32_t i;

	for (i = 0; i < t->n && i < t->rows; i++)
		if (mispredicted && !t->edge[i].mispredicted)
			break;
	return i;
}

static void sort_edges(struct branch_table *t, bool mispredicted)
{
	qsort_r(t->edge, t->n, sizeof(*t->edge),
		mispredicted ? compare_mispredicted : compare_counts, (void *)t->r);
}

/* ---- text ----------------------------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_edge(
	const struct branch_table *t, const struct shown_edge *edge, bool mispredicted)
{
	const struct branch_totals *all = t->totals;
	struct terminal_line line = { 0 };
	struct buf from = { 0 }, to = { 0 };
	uint64_t of = mispredicted ? all->mispredicted : all->entries;

	put_end(&from, t->r, &edge->from);
	put_end(&to, t->r, &edge->to);
	terminal_printf(&line, "%6.1f%% %12.1f%%  %s -> %s",
		percent(mispredicted ? edge->mispredicted : edge->count, of),
		percent(edge->mispredicted, edge->count), buf_str(&from), buf_str(&to));
	terminal_end_line(&line);
	terminal_line_release(&line);
	buf_release(&from);
	buf_release(&to);
}

static void print_table(struct branch_table *t, bool mispredicted)
{
	uint32_t n, i;

	sort_edges(t, mispredicted);
	n = rows_of(t, mispredicted);
	if (mispredicted && !n)
		return;
	printf("%s  %s  from -> to\n", mispredicted ? "\n misses" : "  taken", "mispredicted");
	for (i = 0; i < n; i++)
		print_edge(t, &t->edge[i], mispredicted);
}

static void print_text(struct branch_table *t)
{
	const struct branch_totals *all = t->totals;

	printf("%" PRIu64 " %s in the stacks of %" PRIu64 " %s", all->entries,
		counted(all->entries, "branch", "branches"), all->samples,
		counted(all->samples, "sample", "samples"));
	if (all->predictions)
		printf(", %.1f%% mispredicted", percent(all->mispredicted, all->predictions));
	putchar('\n');
	print_table(t, false);
	print_table(t, true);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void put_number(struct json_writer *j, const char *key, uint64_t value)
{
	json_writer_key(j, key);
	json_writer_u64(j, value);
}

static void put_string(
	struct json_writer *j, const char *key, const struct strtab *strings, str_id id)
{
	if (!id)
		return;
	json_writer_key(j, key);
	json_writer_string(j, strtab_get(strings, id));
}

static void put_json_end(struct json_writer *j, const char *key, const struct pipeline_result *r,
	struct branch_end end)
{
	const struct frame *f = frames_get(r->frames, end.function),
			   *inlined = frames_get(r->frames, end.inlined);

	json_writer_key(j, key);
	json_writer_object(j);
	put_string(j, "function", r->strings, f->name);
	if (end.inlined != end.function)
		put_string(j, "inlined", r->strings, inlined->name);
	put_string(j, "module", r->strings, f->module);
	if (f->at_address)
		put_number(j, "address", f->at_address);
	if (inlined->at_line) {
		put_string(j, "file", r->strings, file_of(inlined));
		put_number(j, "line", inlined->at_line);
	}
	json_writer_object_end(j);
}

static void put_edges(
	struct json_writer *j, const char *key, struct branch_table *t, bool mispredicted)
{
	uint32_t n, i;

	sort_edges(t, mispredicted);
	n = rows_of(t, mispredicted);
	json_writer_key(j, key);
	json_writer_array(j);
	for (i = 0; i < n; i++) {
		json_writer_object(j);
		put_number(j, "count", t->edge[i].count);
		put_number(j, "mispredicted", t->edge[i].mispredicted);
		put_json_end(j, "from", t->r, t->edge[i].from);
		put_json_end(j, "to", t->r, t->edge[i].to);
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

static int print_json(struct branch_table *t, struct err *e)
{
	struct json_writer *j;
	struct sink *to;

	if (sink_open(&to, "-", SINK_PLAIN, e))
		return e->code;
	j = json_writer_new(to);
	json_writer_object(j);
	json_writer_key(j, "format");
	json_writer_str(j, "perfold-branches");
	put_number(j, "version", SCHEMA_VERSION);
	put_number(j, "samples", t->totals->samples);
	put_number(j, "branches", t->totals->entries);
	put_number(j, "predictions", t->totals->predictions);
	put_number(j, "mispredicted", t->totals->mispredicted);
	put_edges(j, "taken_most", t, false);
	put_edges(j, "mispredicted_most", t, true);
	json_writer_object_end(j);
	json_writer_free(j);
	sink_puts(to, "\n");
	return sink_commit(to, e);
}

static int check_countable(const struct pipeline_result *r, struct err *e)
{
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		const char *why = recording_uncountable_branches(r->recordings[i]);

		if (why)
			return err_set(e, ERR_FORMAT, "%s: %s", r->recordings[i]->path, why);
	}
	return OK;
}

int top_branches_print(const struct options *o, const struct pipeline_result *r, struct err *e)
{
	struct branch_table t = { .r = r, .totals = &r->branches.totals };
	int rc = check_countable(r, e);

	if (rc)
		return rc;
	if (!t.totals->entries)
		return err_set(e, ERR_FORMAT,
			"the recording has no branches; perf record -j any,u records them");
	t.rows = o->top.rows ? o->top.rows : ROWS_DEFAULT;
	find_edges(&t);
	if (o->top.json)
		rc = print_json(&t, e);
	else
		print_text(&t);
	free(t.edge);
	return rc;
}
