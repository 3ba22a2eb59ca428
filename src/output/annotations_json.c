/*
 * annotations_json.c - the source of functions with what each line and instruction costs, for
 * programs
 *
 * One JSON document; man/perfold-annotate.1.scd describes it. Weights are in the unit of the
 * profile. Lines that cost nothing have their text alone.
 */
#include "output/output.h"

#include "base/json_writer.h"

#include <inttypes.h>
#include <stdio.h>

enum { SCHEMA_VERSION = 1 };

struct writer {
	const struct profile *p;
	struct json_writer *j;
};

static void put_number(struct writer *w, const char *key, uint64_t value)
{
	json_writer_key(w->j, key);
	json_writer_u64(w->j, value);
}

static void put_span(struct writer *w, const char *key, struct span text)
{
	if (!text.n)
		return;
	json_writer_key(w->j, key);
	json_writer_string(w->j, text);
}

static void put_address(struct writer *w, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_writer_key(w->j, key);
	json_writer_str(w->j, text);
}

static void put_weights(struct writer *w, const struct weights *c)
{
	put_number(w, "self", c->self);
	put_number(w, "self_samples", c->self_samples);
	put_number(w, "total", c->total);
	put_number(w, "total_samples", c->total_samples);
}

static void begin(struct writer *w, const char *key)
{
	json_writer_key(w->j, key);
	json_writer_array(w->j);
}

static void put_line(struct writer *w, uint32_t line, const struct weights *cost, struct span text)
{
	json_writer_object(w->j);
	put_number(w, "line", line);
	if (cost)
		put_weights(w, cost);
	put_span(w, "text", text);
	json_writer_object_end(w->j);
}

/* Lines of the text and lines that cost, both in order. */
static void put_lines(struct writer *w, const struct annotated_file *f)
{
	const struct line_cost *c = f->cost, *end = f->cost + f->n_costs;
	uint32_t i, k;

	begin(w, "lines");
	for (i = 0; i < f->n_texts; i++)
		for (k = 0; k < f->text[i].n; k++) {
			uint32_t line = f->text[i].first + k;

			for (; c < end && c->line < line; c++)
				put_line(w, c->line, &c->cost, (struct span){ 0 });
			put_line(w, line, c < end && c->line == line ? &c->cost : NULL,
				f->text[i].line[k]);
			c += c < end && c->line == line;
		}
	for (; c < end; c++)
		put_line(w, c->line, &c->cost, (struct span){ 0 });
	json_writer_array_end(w->j);
}

static void put_file(struct writer *w, const struct annotated_file *f)
{
	json_writer_object(w->j);
	put_span(w, "path", f->path);
	put_span(w, "found", f->found);
	put_span(w, "note", f->note);
	put_lines(w, f);
	json_writer_object_end(w->j);
}

/* Where an instruction jumps to; 0: nobody knows. */
static uint64_t target_of(const struct annotated_code *c, uint32_t number)
{
	const struct annotated_instruction *inside = annotated_inside(c, number);
	const struct annotated_target *outside = annotated_outside(c, number);

	return inside ? inside->address : outside ? outside->address : 0;
}

static void put_instruction(struct writer *w, const struct annotated_code *c, uint32_t number)
{
	const struct annotated_instruction *i = &c->instruction[number];
	uint64_t target = target_of(c, number);

	json_writer_object(w->j);
	put_address(w, "address", i->address);
	put_span(w, "mnemonic", span_of(i->mnemonic));
	put_span(w, "operands", span_of(i->operands));
	if (target)
		put_address(w, "target", target);
	put_span(w, "target_name", annotated_target_name(c, number));
	if (i->line) {
		put_span(w, "file", strtab_get(w->p->strings, i->file));
		put_number(w, "line", i->line);
	}
	if (i->cost)
		put_weights(w, i->cost);
	json_writer_object_end(w->j);
}

static void put_code(struct writer *w, const struct annotated_code *c)
{
	uint32_t i;

	json_writer_object(w->j);
	put_span(w, "name", c->name);
	put_span(w, "module", c->module);
	if (c->start)
		put_address(w, "start", c->start);
	put_span(w, "found", c->found);
	put_span(w, "note", c->note);
	begin(w, "instructions");
	for (i = 0; i < c->n; i++)
		put_instruction(w, c, i);
	json_writer_array_end(w->j);
	json_writer_object_end(w->j);
}

static void put_function(struct writer *w, const struct annotated_function *f)
{
	uint32_t i;

	json_writer_object(w->j);
	put_span(w, "name", f->name);
	put_span(w, "module", strtab_get(w->p->strings, f->module));
	put_weights(w, &f->cost);
	begin(w, "files");
	for (i = 0; i < f->n_files; i++)
		put_file(w, &f->file[i]);
	json_writer_array_end(w->j);
	begin(w, "code");
	for (i = 0; i < f->n_codes; i++)
		put_code(w, &f->code[i]);
	json_writer_array_end(w->j);
	json_writer_object_end(w->j);
}

void output_annotations_json(const struct annotations *a, const struct profile *p, struct sink *to)
{
	struct writer w = { .p = p, .j = json_writer_new(to) };
	uint32_t i;

	json_writer_object(w.j);
	put_number(&w, "version", SCHEMA_VERSION);
	put_span(&w, "unit", strtab_get(p->strings, p->unit));
	put_number(&w, "total", p->nodes[0].total);
	put_number(&w, "samples", p->n_samples);
	begin(&w, "functions");
	for (i = 0; i < a->n; i++)
		put_function(&w, &a->function[i]);
	json_writer_array_end(w.j);
	put_number(&w, "more_functions", a->n_more);
	json_writer_object_end(w.j);
	sink_putc(to, '\n');
	json_writer_free(w.j);
}
