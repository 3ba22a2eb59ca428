/*
 * costs_json.c - the tables and trees of perfold top, for programs: man perfold-summary(5)
 *
 * A table has the rows that were asked for, and how many there are besides. A tree is the list of
 * its nodes, each with its depth, in the order in which branches.h gives them: a nested document
 * would end at the depth that parsers allow.
 */
#include "output/output.h"

#include "base/json_writer.h"
#include "base/sink.h"
#include "compare/branches.h"

enum { SCHEMA_VERSION = 1 };

struct costs_writer {
	const struct profile *p;
	struct json_writer *j;
	uint64_t whole;
};

static void put_number(struct costs_writer *w, const char *key, uint64_t value)
{
	json_writer_key(w->j, key);
	json_writer_u64(w->j, value);
}

static void put_text(struct costs_writer *w, const char *key, str_id text)
{
	if (!text)
		return;
	json_writer_key(w->j, key);
	json_writer_string(w->j, strtab_get(w->p->strings, text));
}

/* Percentages are cut at two digits, not rounded: 100 means all. */
static void put_share_of(
	struct costs_writer *w, const char *key, uint64_t weight, uint64_t samples, uint64_t whole)
{
	json_writer_key(w->j, key);
	json_writer_object(w->j);
	put_number(w, "weight", weight);
	if (w->p->sums != SUMS_OF_OTHERS)
		put_number(w, "samples", samples);
	json_writer_key(w->j, "percent");
	json_writer_decimal(
		w->j, whole ? (uint64_t)((unsigned __int128)weight * 10000 / whole) : 0, 2);
	json_writer_object_end(w->j);
}

static void put_cost(struct costs_writer *w, const char *key, uint64_t weight, uint64_t samples)
{
	put_share_of(w, key, weight, samples, w->whole);
}

static void put_head(struct costs_writer *w)
{
	json_writer_object(w->j);
	json_writer_key(w->j, "format");
	json_writer_str(w->j, "perfold-top");
	put_number(w, "version", SCHEMA_VERSION);
	put_text(w, "unit", w->p->unit);
	put_text(w, "event", w->p->event);
	put_number(w, "weight", w->whole);
}

static void finish(struct costs_writer *w, struct sink *to)
{
	json_writer_object_end(w->j);
	sink_putc(to, '\n');
	json_writer_free(w->j);
}

static void put_place(struct costs_writer *w, str_id module, str_id file, uint32_t line)
{
	put_text(w, "module", module);
	put_text(w, "file", file);
	if (file && line)
		put_number(w, "line", line);
}

static void put_cpu_time(struct costs_writer *w, const struct output_costs_table *t, uint32_t i)
{
	if (!t->cpu)
		return;
	json_writer_key(w->j, "cpu");
	json_writer_object(w->j);
	put_share_of(w, "self", t->cpu[i].self.weight, t->cpu[i].self.samples, t->cpu_whole);
	put_share_of(w, "total", t->cpu[i].total.weight, t->cpu[i].total.samples, t->cpu_whole);
	json_writer_object_end(w->j);
}

/* sum: of the self costs of the rows so far. */
static void put_row(
	struct costs_writer *w, const struct output_costs_table *t, uint32_t i, struct cost *sum)
{
	const struct functions *functions = &t->costs->functions;
	const struct function_cost *row = &t->row[i];
	const struct function *f = &functions->function[row->function];

	json_writer_object(w->j);
	json_writer_key(w->j, "name");
	json_writer_string(w->j, functions_name(functions, row->function));
	put_place(w, f->module, f->file, f->line);
	put_cost(w, "self", row->self.weight, row->self.samples);
	put_cost(w, "total", row->total.weight, row->total.samples);
	costs_add(sum, row->self.weight, row->self.samples);
	if (t->cumulative)
		put_cost(w, "sum", sum->weight, sum->samples);
	put_cpu_time(w, t, i);
	json_writer_object_end(w->j);
}

void output_costs_table_json(const struct output_costs_table *t, struct sink *to)
{
	struct costs_writer w = { .p = t->costs->functions.p, .j = json_writer_new(to) };
	struct cost sum = { 0 };
	uint32_t i;

	w.whole = w.p->n_nodes ? w.p->nodes[0].total : 0;
	put_head(&w);
	if (t->cpu)
		put_number(&w, "cpu_weight", t->cpu_whole);
	json_writer_key(w.j, "rows");
	json_writer_array(w.j);
	for (i = 0; i < t->n && i < t->most; i++)
		put_row(&w, t, i, &sum);
	json_writer_array_end(w.j);
	put_number(&w, "more", t->n - i);
	finish(&w, to);
}

static void put_node(struct costs_writer *w, node_id i, struct buf *name)
{
	const struct node *n = &w->p->nodes[i];
	const struct frame *f = frames_get(w->p->frames, n->frame);
	struct node_samples samples = profile_samples(w->p, i);

	name->n = 0;
	profile_put_name(w->p, n->frame, name);
	json_writer_object(w->j);
	put_number(w, "depth", n->depth);
	json_writer_key(w->j, "name");
	json_writer_string(w->j, buf_span(name));
	put_place(w, f->module, f->file, f->line);
	put_cost(w, "self", n->self, samples.self);
	put_cost(w, "total", n->total, samples.total);
	json_writer_object_end(w->j);
}

void output_costs_tree_json(
	const struct profile *tree, uint64_t whole, double least, uint32_t most, struct sink *to)
{
	struct costs_writer w = { .p = tree, .j = json_writer_new(to), .whole = whole };
	struct branches branches;
	struct branch b;
	struct buf name = { 0 };
	uint32_t rows;

	put_head(&w);
	json_writer_key(w.j, "tree");
	json_writer_array(w.j);
	branches_init(&branches, tree, least);
	for (rows = 0; rows < most && branches_next(&branches, &b); rows++)
		put_node(&w, b.node, &name);
	json_writer_array_end(w.j);
	put_number(&w, "more", branches_rest(&branches));
	finish(&w, to);
	branches_release(&branches);
	buf_release(&name);
}
