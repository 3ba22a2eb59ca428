/*
 * The tour of a run, in run_all(): rules are loaded, since they say what has to be read; all inputs
 * are read and their sites named (read_inputs.c); the recordings become one profile of named
 * stacks; that goes to every output (write_outputs.c). No other file knows all stages.
 *
 *	rules -> prepare -> read, name -> check units -> tiers -> collapse -> annotate -> report
 *	-> write
 *
 * A stage gets its own options; what it needs of those of others is derived once, in prepare().
 */
#include "pipeline/pipeline.h"

#include "base/mem.h"
#include "pipeline/kept_files.h"
#include "pipeline/source_shelf.h"
#include "pipeline/stages.h"

#include <stdlib.h>

static int load_rules(struct pipeline *p, struct err *e);
static void prepare(struct pipeline *p);
static int check_units(const struct pipeline *p, struct err *e);
static int check_order(const struct pipeline *p, struct err *e);
static void find_tiers(struct pipeline *p);
static int collapse_all(struct pipeline *p, struct err *e);
static void make_report(const struct pipeline *p);
static int annotate(struct pipeline *p, struct err *e);

/* Outputs need none of it, and the annotations of a report are at their largest there. */
static void free_symbolize_cache(struct pipeline_result *r)
{
	symbolize_cache_free(r->symbolize_cache);
	r->symbolize_cache = NULL;
}

static int run_all(struct pipeline *p, struct err *e)
{
	const struct pipeline_opts *o = p->opts;
	int rc = load_rules(p, e);

	prepare(p);
	if (p->sources)
		p->result->shelf = source_shelf_new(p->result);
	if (!rc)
		rc = read_inputs(p, e);
	branch_profile_finish(&p->result->branches, p->result->strings);
	if (rc || (!o->n_outputs && !o->needs))
		return rc;
	rc = check_units(p, e);
	if (!rc)
		rc = check_order(p, e);
	if (rc)
		return rc;
	find_tiers(p);
	rc = collapse_all(p, e);
	if (!rc)
		rc = annotate(p, e);
	free_symbolize_cache(p->result);
	if (p->result->filter) /* how its rules were used is known now */
		filter_diag(p->result->filter, &p->result->diag);
	if (rc)
		return rc;
	progress_start(o->read.progress, "writing", 0);
	make_report(p);
	return write_outputs(p, e);
}

int pipeline_check_rules(const struct pipeline_opts *o, struct err *e)
{
	struct pipeline_result r = { 0 };
	struct pipeline p = { .opts = o, .result = &r };
	int rc;

	r.strings = strtab_new();
	r.frames = frames_new(r.strings);
	rc = load_rules(&p, e);
	pipeline_release(&r);
	return rc;
}

static int load_rules(struct pipeline *p, struct err *e)
{
	const struct pipeline_opts *o = p->opts;
	struct filter *f;
	size_t i;
	int rc = OK;

	if (!o->n_rules)
		return OK;
	f = p->result->filter = filter_new(p->result->frames, o->filter_dirs);
	for (i = 0; i < o->n_rules && !rc; i++)
		rc = o->rules[i].is_file ? filter_add_file(f, o->rules[i].text, e)
					 : filter_add_rule(f, o->rules[i].text, e);
	return rc;
}

/* Does any reader of the profile need that? */
static bool any_needs(const struct pipeline_opts *o, unsigned what)
{
	unsigned needs = o->needs;
	size_t i;

	for (i = 0; i < o->n_outputs; i++)
		needs |= o->outputs[i].format->needs;
	return needs & what;
}

/* Is that all that every reader of the profile needs? A caller that reads it always needs numbers
 * of samples, so OUTPUT_WEIGHTS is true of outputs only. */
static bool all_need(const struct pipeline_opts *o, enum output_needs what)
{
	size_t i;

	for (i = 0; i < o->n_outputs; i++)
		if (!(o->outputs[i].format->needs & what))
			return false;
	return !o->needs || (o->needs & what & OUTPUT_BY_NAME);
}

bool stages_want_lines(const struct pipeline_opts *o)
{
	return o->symbolize.lines_in_names || any_needs(o, OUTPUT_LINES);
}

/* Where names have lines, each line is a function. */
bool stages_want_places(const struct pipeline_opts *o)
{
	return any_needs(o, OUTPUT_PLACES) && !o->annotation.off && !o->symbolize.lines_in_names &&
	       !o->split.by;
}

bool stages_want_jit_lines(const struct pipeline_opts *o)
{
	return stages_want_lines(o) || any_needs(o, OUTPUT_JIT_LINES);
}

bool stages_want_addresses(const struct pipeline_opts *o)
{
	return any_needs(o, OUTPUT_ADDRESSES);
}

bool stages_want_cells(const struct pipeline_opts *o)
{
	return any_needs(o, OUTPUT_CELLS);
}

bool stages_want_branches(const struct pipeline_opts *o)
{
	return any_needs(o, OUTPUT_BRANCHES);
}

/* Does nobody read the profile? */
static bool want_only_branches(const struct pipeline_opts *o)
{
	return !o->needs && all_need(o, OUTPUT_BRANCHES);
}

/* What functions that are annotated have at least; 0: nothing is known of them. */
static double min_percent_of_places(const struct pipeline_opts *o)
{
	const struct annotation_opts *a = &o->annotation;

	return a->name || a->pattern ? 0 : a->min_percent;
}

/* Can functions be weighed by the trees that become the profile? Then the one by name, in which
 * functions of one name are merged, is enough. With a timeline, trees are kept until then
 * (collapse_makes_alone()). */
static bool can_weigh_by_trees(const struct pipeline_opts *o, bool timeline)
{
	return timeline && !stages_want_jit_lines(o) && !stages_want_addresses(o);
}

static void prepare(struct pipeline *p)
{
	const struct pipeline_opts *o = p->opts;
	const bool timeline =
		o->output.picture.flamechart || o->split.by || any_needs(o, OUTPUT_TIMELINE);
	size_t i;

	p->collapse = o->collapse;
	p->collapse.weight_by_samples = o->read.weight_by_samples;
	p->collapse.timeline = timeline;
	p->collapse.tiers |= o->read.compat_perf;
	p->collapse.cut_at_first = o->read.compat_perf;
	p->collapse.by_name = all_need(o, OUTPUT_BY_NAME) &&
			      (!stages_want_places(o) || can_weigh_by_trees(o, timeline));
	p->collapse.weights_only = all_need(o, OUTPUT_WEIGHTS);
	p->sources = p->keep_files = o->sources || stages_want_places(o);
	p->keep_files |= any_needs(o, OUTPUT_BY_LINE);
	p->read = o->read;
	p->read.timeline = timeline;
	p->read.addresses = o->collapse.addresses;
	p->read.lines = stages_want_jit_lines(o) || p->sources;
	p->read.code_addresses = stages_want_addresses(o) || stages_want_places(o);
	p->read.branches |= stages_want_branches(o);
	p->read.branch_samples = stages_want_branches(o);
	p->read.columns = p->read.lines && o->symbolize.source_maps;
	if (stages_want_places(o)) {
		p->collapse.places = &p->result->places;
		p->collapse.places_min_percent = min_percent_of_places(o);
		p->collapse.without_lines = !stages_want_jit_lines(o);
	}
	p->read.by_cgroup = o->split.by == SPLIT_CGROUP;
	if (o->split.by == SPLIT_LABEL) {
		p->read.by_label = o->split.key;
		p->read.root_fields |= 1u << ROOT_LABEL;
	}
	for (i = 0; i < ROOT_PARTS_MAX && o->collapse.roots[i] != ROOT_END; i++)
		p->read.root_fields |= 1u << o->collapse.roots[i];
	if (o->needs & OUTPUT_LABELS) {
		p->collapse.cells = true;
		p->read.root_fields |= 1u << ROOT_LABEL;
	}
	if (stages_want_cells(o)) {
		p->collapse.cells = true;
		p->read.root_fields |= 1u << ROOT_COMM_PID_TID | 1u << ROOT_PROCESS |
				       1u << ROOT_EVENT | 1u << ROOT_LABEL;
	}
	if (p->result->filter)
		p->read.root_fields |= filter_root_fields(p->result->filter);
}

/* A flame graph must not be called a chart. */
static int check_order(const struct pipeline *p, struct err *e)
{
	size_t i;

	for (i = 0; p->opts->output.picture.flamechart && i < p->result->n_recordings; i++) {
		const struct recording *r = p->result->recordings[i];

		if (!r->timelines && r->samples_kept)
			return err_set(e, ERR_USAGE,
				"--flamechart: %s has folded stacks, which are sums without times",
				r->path);
	}
	return OK;
}

/* Weights of different units must not be added up; cells have one event each. */
static int check_units(const struct pipeline *p, struct err *e)
{
	const struct pipeline_result *result = p->result;
	size_t i, first = SIZE_MAX;
	str_id known = 0;

	if (all_need(p->opts, OUTPUT_CELLS) || want_only_branches(p->opts))
		return OK;
	for (i = 0; i < result->n_recordings; i++) {
		const struct recording *r = result->recordings[i];
		str_id unit = recording_unit(r, p->read.weight_by_samples);

		if (!r->samples_kept)
			continue;
		if (span_eq(strtab_get(result->strings, unit), SPAN("events")))
			return err_set(e, ERR_USAGE,
				"%s: the chosen events count different things: choose one with "
				"--event, or count with --weight samples",
				r->path);
		if (first == SIZE_MAX) {
			first = i;
			known = unit;
		}
		if (unit != known)
			return err_set(e, ERR_USAGE,
				"%s counts %s, %s counts %s: use --event or --weight samples",
				result->recordings[first]->path, strtab_str(result->strings, known),
				r->path, strtab_str(result->strings, unit));
	}
	return OK;
}

/* The tiers of functions, for pictures of the whole. */
static void find_tiers(struct pipeline *p)
{
	struct pipeline_result *r = p->result;

	if (!p->opts->split.by && any_needs(p->opts, OUTPUT_PICTURE))
		collapse_tiers(&r->tiers, r->recordings, (unsigned)r->n_recordings, &p->collapse);
}

static bool has_code(const struct recording *r)
{
	site_id i;

	for (i = 1; i < r->n_code; i++)
		if (r->code[i].at_address)
			return true;
	return false;
}

static bool has_places(const struct pipeline_result *r)
{
	const struct frames *frames = r->frames;
	frame_id i;
	size_t k;

	for (k = 0; k < r->n_recordings; k++)
		if (has_code(r->recordings[k]))
			return true;
	for (i = 1; i < frames_count(frames); i++)
		if (frames_has_line(frames_get(frames, i)))
			return true;
	return false;
}

/* Folded stacks have no lines: to look for them took longer than all else. */
static void leave_out_places(struct pipeline *p)
{
	if (!p->collapse.places || !p->opts->annotation.if_any || has_places(p->result))
		return;
	p->collapse.places = NULL;
	p->collapse.without_lines = false;
	p->collapse.by_name = all_need(p->opts, OUTPUT_BY_NAME);
}

/* What one worker makes of stacks is left to annotate_make(), which has work for others. */
static void make_profile(struct pipeline *p)
{
	if (p->collapse.places) {
		if (collapse_makes_alone(p->collapsing))
			return;
		collapse_sum_places(p->collapsing);
	}
	*stages_profile(p) = collapse_make(p->collapsing, p->pool);
	collapse_free(p->collapsing);
	p->collapsing = NULL;
}

static int collapse_all(struct pipeline *p, struct err *e)
{
	struct pipeline_result *result = p->result;
	struct collapse_opts *o = &p->collapse;
	size_t i;

	leave_out_places(p);
	o->sorts_later = o->timeline && o->places; /* annotate_make() does */
	for (i = 0; i < result->n_recordings; i++)
		o->annotate |= result->recordings[i]->facts.annotate;
	if (result->filter) {
		p->rules = filter_rewriter(result->filter);
		o->rewriter = &p->rules;
	}
	progress_start(p->read.progress, "collapsing", 0);
	if (collapse_begin(&p->collapsing, result->recordings, (unsigned)result->n_recordings, o,
		    p->pool, e))
		return e->code;
	make_profile(p);
	return OK;
}

static int annotate(struct pipeline *p, struct err *e)
{
	if (!p->collapse.places)
		return OK;
	progress_start(p->read.progress, "reading source", 0);
	return annotate_make(p, e);
}

static void put_advice(void *ctx, const char *line)
{
	report_add_advice(ctx, line);
}

/* Facts about the run as such, for the outputs that show them: use of the rules, and advice. */
static void make_report(const struct pipeline *p)
{
	struct pipeline_result *result = p->result;
	uint32_t i;

	if (!any_needs(p->opts, OUTPUT_REPORT))
		return;
	for (i = 0; result->filter && i < filter_rule_count(result->filter); i++) {
		struct filter_rule_use u = filter_rule_use(result->filter, i);

		report_add_rule(&result->report, u.place, u.text, u.hits, u.weight);
	}
	if (p->opts->advise)
		p->opts->advise(result, put_advice, &result->report);
}

/* Are the inputs so short that only finding names is worth waking the workers for? */
static bool is_short(const struct pipeline_opts *o)
{
	enum { SHORT_BYTES = 128 * 1024 };
	uint64_t sum_bytes = 0;
	struct stat st;
	size_t i;

	for (i = 0; i < o->n_inputs; i++) {
		if (stat(o->inputs[i], &st) || !S_ISREG(st.st_mode))
			return false;
		sum_bytes += (uint64_t)st.st_size;
	}
	return sum_bytes <= SHORT_BYTES;
}

/* Of one recording, debug information is kept only until its instructions have lines. */
enum { ONE_CACHE_BYTES = 64 << 20 };

int pipeline_run(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e)
{
	struct pipeline p = { .opts = o,
		.result = r,
		.source_opts = { .spill_limit_bytes = o->spill_limit_bytes,
			.warn = o->warn,
			.warn_ctx = o->warn_ctx,
			.scratch = o->scratch } };
	int rc;

	*r = (struct pipeline_result){ .shares = o->share != NULL };
	r->strings = o->share ? o->share->strings : strtab_new();
	r->frames = o->share ? o->share->frames : frames_new(r->strings);
	r->recordings = xcalloc(o->n_inputs, sizeof(struct recording *));
	r->reports = xcalloc(o->n_inputs, sizeof(*r->reports));
	r->kept = xcalloc(o->n_inputs, sizeof(*r->kept));
	p.pool = pool_new(o->jobs);
	if (is_short(o))
		pool_rest(p.pool);
	if (o->n_inputs > 1)
		r->kallsyms_cache = files_kallsyms_cache_new();
	if (o->n_inputs > 1 || stages_want_places(o))
		r->symbolize_cache = symbolize_cache_new(
			o->n_inputs > 1 ? SYMBOLIZE_CACHE_BYTES : ONE_CACHE_BYTES,
			o->n_inputs == 1);
	rc = run_all(&p, e);
	free_symbolize_cache(r);
	if (!p.keep_files) {
		files_kallsyms_cache_free(r->kallsyms_cache);
		r->kallsyms_cache = NULL;
	}
	progress_start(o->read.progress, NULL, 0);
	pool_free(p.pool);
	return rc;
}

int pipeline_write(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e)
{
	const struct pipeline p = { .opts = o, .result = r };

	make_report(&p);
	return write_outputs(&p, e);
}

int pipeline_annotate(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e)
{
	struct pipeline p = { .opts = o, .result = r };

	annotations_release(&r->annotations);
	return annotate_make(&p, e);
}

const struct symbolize_opts *pipeline_named_with(const struct pipeline_result *r, size_t recording)
{
	return r->kept && recording < r->n_recordings && r->kept[recording].files
		       ? &r->kept[recording].symbolize
		       : NULL;
}

void pipeline_release(struct pipeline_result *r)
{
	size_t i;

	source_shelf_free(r->shelf);
	for (i = 0; i < r->n_recordings; i++) {
		if (r->kept) /* a result that the caller made has none */
			kept_files_release(&r->kept[i]);
		recording_free(r->recordings[i]);
		symbolize_report_release(&r->reports[i]);
	}
	free(r->recordings);
	free(r->reports);
	free(r->kept);
	files_kallsyms_cache_free(r->kallsyms_cache);
	profile_free(r->profile);
	profile_free(r->by_name);
	tiers_release(&r->tiers);
	filter_free(r->filter);
	report_release(&r->report);
	place_costs_release(&r->places);
	annotations_release(&r->annotations);
	branch_profile_release(&r->branches);
	frames_free(r->shares ? NULL : r->frames);
	strtab_free(r->shares ? NULL : r->strings);
	*r = (struct pipeline_result){ 0 };
}
