/*
 * summary_json.c - totals, losses and advice of a run, for programs
 *
 * One JSON document; man/perfold-summary.5.scd describes it. A key without a known value is
 * left out. Tables are cut at TOP rows. Percentages are cut at two digits, not rounded: 100
 * means all.
 */
#include "output/output_formats.h"

#include "base/mem.h"
#include "model/frame_account.h"
#include "compare/costs.h"
#include "base/json_writer.h"

#include <stdlib.h>

enum { TOP = 50, SCHEMA_VERSION = 1 };

struct summary {
	const struct profile *p;
	const struct output_opts *o;
	struct json_writer *j;
	uint64_t weight; /* of everything */
};

static void write_text(struct summary *s, const char *key, str_id text)
{
	if (!text)
		return;
	json_writer_key(s->j, key);
	json_writer_string(s->j, strtab_get(s->p->strings, text));
}

static void write_number(struct summary *s, const char *key, uint64_t value)
{
	json_writer_key(s->j, key);
	json_writer_u64(s->j, value);
}

static void write_percent(struct summary *s, uint64_t part, uint64_t whole)
{
	json_writer_key(s->j, "percent");
	json_writer_decimal(
		s->j, whole ? (uint64_t)((unsigned __int128)part * 10000 / whole) : 0, 2);
}

static void begin_list(struct summary *s, const char *key)
{
	json_writer_key(s->j, key);
	json_writer_array(s->j);
}

/* Tables of weight */

struct weight_row {
	uint32_t what; /* module or kind */
	struct cost cost;
	struct span key; /* decides between rows of the same cost */
};

static int compare_rows(const void *pa, const void *pb)
{
	const struct weight_row *a = pa, *b = pb;

	int order = costs_compare(&a->cost, &b->cost);

	return order ? order : span_cmp(a->key, b->key);
}

/* Moves rows that weigh anything to the front, the largest first; returns how many. */
static uint32_t rank_rows(struct weight_row *rows, uint32_t n)
{
	uint32_t used = 0, i;

	for (i = 0; i < n; i++)
		if (!costs_is_zero(rows[i].cost))
			rows[used++] = rows[i];
	if (used)
		qsort(rows, used, sizeof(*rows), compare_rows);
	return used;
}

/* What is not known is left out. */
static void write_samples(struct summary *s, const char *key, uint8_t sums, uint64_t n)
{
	if (sums != SUMS_OF_OTHERS)
		write_number(s, key, n);
}

static void write_cost(struct summary *s, const struct cost *cost)
{
	write_number(s, "weight", cost->weight);
	write_samples(s, "samples", s->p->sums, cost->samples);
	write_percent(s, cost->weight, s->weight);
	json_writer_object_end(s->j);
}

static void write_functions(
	struct summary *s, const char *key, const struct costs *costs, enum cost_order by)
{
	uint32_t n, i;
	struct function_cost *ranked = costs_ranked(costs, by, &n);

	begin_list(s, key);
	for (i = 0; i < n && i < TOP; i++) {
		const struct function *f = &costs->functions.function[ranked[i].function];
		const struct cost *cost = by == BY_SELF ? &ranked[i].self : &ranked[i].total;

		json_writer_object(s->j);
		json_writer_key(s->j, "name");
		json_writer_string(s->j, functions_name(&costs->functions, ranked[i].function));
		write_text(s, "module", f->module);
		write_text(s, "file", f->file);
		if (f->file && f->line)
			write_number(s, "line", f->line);
		write_cost(s, cost);
	}
	json_writer_array_end(s->j);
	free(ranked);
}

static void write_all_functions(struct summary *s)
{
	struct costs costs;

	costs_init(&costs, s->p);
	json_writer_key(s->j, "functions");
	json_writer_object(s->j);
	write_functions(s, "self", &costs, BY_SELF);
	write_functions(s, "total", &costs, BY_TOTAL);
	json_writer_object_end(s->j);
	costs_release(&costs);
}

static void write_modules(struct summary *s)
{
	const struct profile *p = s->p;
	uint32_t count = strtab_count(p->strings), n, i;
	struct weight_row *rows = xcalloc(count, sizeof(*rows));
	node_id at;

	for (at = 0; at < p->n_nodes; at++) {
		struct weight_row *row = &rows[frames_get(p->frames, p->nodes[at].frame)->module];

		costs_add(&row->cost, p->nodes[at].self, profile_samples(p, at).self);
	}
	for (i = 0; i < count; i++) {
		rows[i].what = i;
		rows[i].key = strtab_get(p->strings, i);
	}
	n = rank_rows(rows, count);
	begin_list(s, "modules");
	for (i = 0; i < n && i < TOP; i++) {
		json_writer_object(s->j);
		write_text(s, "module", rows[i].what);
		write_cost(s, &rows[i].cost);
	}
	json_writer_array_end(s->j);
	free(rows);
}

static void write_kinds(struct summary *s)
{
	static const char *const name[] = {
		[FRAME_UNKNOWN] = "unknown",
		[FRAME_USER] = "user",
		[FRAME_KERNEL] = "kernel",
		[FRAME_JIT] = "jit",
		[FRAME_ROOT] = "none",
		[FRAME_LABEL] = "label",
	};
	struct weight_row rows[ARRAY_LEN(name)] = { 0 };
	const struct profile *p = s->p;
	uint32_t n, i;
	node_id at;

	for (at = 0; at < p->n_nodes; at++) {
		const struct node *node = &p->nodes[at];
		struct weight_row *row =
			&rows[at ? profile_frame_kind(p, node->frame) : FRAME_ROOT];

		costs_add(&row->cost, node->self, profile_samples(p, at).self);
	}
	for (i = 0; i < ARRAY_LEN(name); i++)
		rows[i].key = span_of(name[i]);
	n = rank_rows(rows, ARRAY_LEN(name));
	begin_list(s, "kinds");
	for (i = 0; i < n; i++) {
		json_writer_object(s->j);
		json_writer_key(s->j, "kind");
		json_writer_string(s->j, rows[i].key);
		write_cost(s, &rows[i].cost);
	}
	json_writer_array_end(s->j);
}

/* Inputs */

static void write_events(struct summary *s, const struct recording *r)
{
	uint32_t i;

	begin_list(s, "events");
	for (i = 0; i < r->n_events; i++) {
		json_writer_object(s->j);
		write_text(s, "name", r->events[i].name);
		json_writer_key(s->j, "chosen");
		json_writer_bool(s->j, r->events[i].chosen);
		write_samples(s, "samples", r->facts.sums, r->events[i].samples);
		write_number(s, "weight", r->events[i].weight);
		if (r->events[i].period)
			write_number(s, "period", r->events[i].period);
		if (r->events[i].frequency_hz)
			write_number(s, "frequency_hz", r->events[i].frequency_hz);
		json_writer_object_end(s->j);
	}
	json_writer_array_end(s->j);
}

static int compare_threads(const void *pa, const void *pb)
{
	const struct thread_use *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static void write_threads(struct summary *s, const struct recording *r)
{
	struct thread_use *threads = NULL;
	uint32_t i;

	if (r->n_threads) {
		threads = xmemdup(r->threads, r->n_threads * sizeof(*threads));
		qsort(threads, r->n_threads, sizeof(*threads), compare_threads);
	}
	begin_list(s, "threads");
	for (i = 0; i < r->n_threads && i < TOP; i++) {
		json_writer_object(s->j);
		json_writer_key(s->j, "pid");
		json_writer_int(s->j, threads[i].pid);
		json_writer_key(s->j, "tid");
		json_writer_int(s->j, threads[i].tid);
		write_text(s, "name", threads[i].name);
		write_number(s, "weight", threads[i].weight);
		write_samples(s, "samples", r->facts.sums, threads[i].samples);
		json_writer_object_end(s->j);
	}
	json_writer_array_end(s->j);
	free(threads);
}

static void write_facts(struct summary *s, const struct recording_facts *f)
{
	write_text(s, "format", f->format);
	write_text(s, "host", f->host);
	write_text(s, "os_release", f->os_release);
	write_text(s, "arch", f->arch);
	write_text(s, "cpu", f->cpu);
	if (f->n_cpus)
		write_number(s, "cpus", f->n_cpus);
	write_text(s, "command", f->cmdline);
	write_text(s, "perf_version", f->perf_version);
	if (f->first_time_ns > f->last_time_ns)
		return;
	write_number(s, "first_time_ns", f->first_time_ns);
	write_number(s, "last_time_ns", f->last_time_ns);
}

static void write_generated(struct summary *s, const struct recording_generated *g)
{
	if (!g->ambiguous_samples && !g->interpreted)
		return;
	json_writer_key(s->j, "generated");
	json_writer_object(s->j);
	write_number(s, "ambiguous_samples", g->ambiguous_samples);
	write_number(s, "ambiguous_weight", g->ambiguous_weight);
	write_number(s, "interpreted", g->interpreted);
	write_number(s, "interpreted_named", g->interpreted_named);
	json_writer_object_end(s->j);
}

static void write_inputs(struct summary *s)
{
	size_t i;

	begin_list(s, "inputs");
	for (i = 0; i < s->o->n_recordings; i++) {
		const struct recording *r = s->o->recordings[i];

		json_writer_object(s->j);
		json_writer_key(s->j, "path");
		json_writer_str(s->j, r->path);
		write_facts(s, &r->facts);
		if (r->stacks_read)
			write_number(s, "stacks_read", r->stacks_read);
		write_samples(s, "samples_read", r->facts.sums, r->samples_read);
		write_samples(s, "samples_kept", r->facts.sums, r->samples_kept);
		write_number(s, "weight_kept", r->weight_kept);
		write_generated(s, &r->generated);
		write_events(s, r);
		write_threads(s, r);
		json_writer_object_end(s->j);
	}
	json_writer_array_end(s->j);
}

/* Quality */

/* "BAD_RECORD" is "bad_record" here. */
static void write_loss_kind(struct summary *s, const char *name)
{
	struct buf b = { 0 };

	for (; *name; name++)
		buf_putc(&b, *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name);
	json_writer_key(s->j, "kind");
	json_writer_string(s->j, buf_span(&b));
	buf_release(&b);
}

static void write_losses(struct summary *s)
{
	const struct diag *d = s->o->diag;
	int k;

	begin_list(s, "losses");
	for (k = 0; d && k < DIAG_KINDS; k++) {
		const struct diag_info *info = diag_info(k);

		if (!d->count[k])
			continue;
		json_writer_object(s->j);
		write_loss_kind(s, info->name);
		write_number(s, "count", d->count[k]);
		json_writer_key(s->j, "text");
		json_writer_str(s->j, diag_message(d, k));
		if (info->hint) {
			json_writer_key(s->j, "hint");
			json_writer_str(s->j, info->hint);
		}
		json_writer_key(s->j, "damage");
		json_writer_bool(s->j, info->strict);
		json_writer_object_end(s->j);
	}
	json_writer_array_end(s->j);
}

static void write_account(struct summary *s)
{
	struct frame_account a = { 0 };
	size_t i;

	for (i = 0; i < s->o->n_recordings; i++)
		frame_account_add(&a, s->o->recordings[i]);
	json_writer_key(s->j, "frames");
	json_writer_object(s->j);
	write_number(s, "all", a.frames);
	write_number(s, "named", a.why[WHY_HAS_NAME]);
	write_percent(s, a.why[WHY_HAS_NAME], a.frames);
	json_writer_object_end(s->j);
}

static void write_gaps(struct summary *s)
{
	uint32_t n, i;
	struct frame_gap *gaps = frame_account_gaps(s->o->recordings, s->o->n_recordings, &n);

	begin_list(s, "unresolved");
	for (i = 0; i < n; i++) {
		json_writer_object(s->j);
		write_text(s, "module", gaps[i].module);
		json_writer_key(s->j, "reason");
		json_writer_str(s->j, frames_why_name(gaps[i].why));
		write_number(s, "frames", gaps[i].frames);
		write_number(s, "places", gaps[i].sites);
		json_writer_object_end(s->j);
	}
	json_writer_array_end(s->j);
	free(gaps);
}

static void write_report(struct summary *s)
{
	static const struct report nothing;
	const struct report *r = s->o->report ? s->o->report : &nothing;
	uint32_t i;

	begin_list(s, "rules");
	for (i = 0; i < r->n_rules; i++) {
		json_writer_object(s->j);
		json_writer_key(s->j, "place");
		json_writer_str(s->j, r->rules[i].place);
		json_writer_key(s->j, "rule");
		json_writer_str(s->j, r->rules[i].text);
		write_number(s, "hits", r->rules[i].hits);
		write_number(s, "weight", r->rules[i].weight);
		json_writer_object_end(s->j);
	}
	json_writer_array_end(s->j);
	begin_list(s, "advice");
	for (i = 0; i < r->n_advice; i++)
		json_writer_str(s->j, r->advice[i]);
	json_writer_array_end(s->j);
}

static void write_head(struct summary *s)
{
	json_writer_key(s->j, "format");
	json_writer_str(s->j, "perfold-summary");
	write_number(s, "version", SCHEMA_VERSION);
	if (s->o->version) {
		json_writer_key(s->j, "perfold");
		json_writer_str(s->j, s->o->version);
	}
	write_text(s, "unit", s->p->unit);
	write_text(s, "event", s->p->event);
	json_writer_key(s->j, "total");
	json_writer_object(s->j);
	write_number(s, "weight", s->weight);
	write_samples(s, "samples", s->p->sums, s->p->n_nodes ? profile_samples(s->p, 0).total : 0);
	json_writer_object_end(s->j);
}

static int summary_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct summary s = { .p = p, .o = o, .j = json_writer_new(to) };

	(void)e;
	s.weight = p->n_nodes ? p->nodes[0].total : 0;
	json_writer_object(s.j);
	write_head(&s);
	write_inputs(&s);
	write_kinds(&s);
	write_modules(&s);
	write_all_functions(&s);
	write_losses(&s);
	write_account(&s);
	write_gaps(&s);
	write_report(&s);
	json_writer_object_end(s.j);
	sink_putc(to, '\n');
	json_writer_free(s.j);
	return OK;
}

static const char *const suffixes[] = { ".summary.json", NULL };

const struct output_format summary_json_format = {
	.name = "summary",
	.suffixes = suffixes,
	.about = "totals, top functions, losses and advice, for programs",
	.needs = OUTPUT_REPORT,
	.write = summary_write,
};
