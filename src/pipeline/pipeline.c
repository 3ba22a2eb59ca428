#include "pipeline/pipeline.h"

#include "base/mem.h"
#include "model/generated_code.h"

#include <stdlib.h>
#include <unistd.h>

struct pipeline {
	const struct pipeline_opts *opts;
	struct pipeline_result *result;
	struct pool *pool;
	struct input_open_opts source_opts;
	struct files_kallsyms_cache *kallsyms_cache; /* if there are several inputs */
	struct read_opts read;                       /* with all that is derived */
	struct collapse_opts collapse;               /* likewise */
	bool by_name_only;                           /* no output wants the full tree */
	bool weights_only;                           /* ... nor numbers of samples */
};

/* ---- reading ------------------------------------------------------------------------------ */

/* The folder that a path lies in, for what is beside the recording; owned by the caller. */
static char *folder_of(const char *path)
{
	size_t n = strlen(path);
	char *folder;

	if (strcmp(path, "-") == 0)
		return NULL;
	/* The path of a recording that is a folder may end in a slash. */
	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	if (!n)
		return xstrdup(".");
	folder = xmemdup(path, n + 1);
	folder[n > 1 ? n - 1 : n] = '\0';
	return folder;
}

/* The kernel's symbols as perf record --kcore copied them; owned by the caller. */
static char *recorded_kallsyms(const char *path)
{
	char *list = xasprintf("%s/kcore_dir/kallsyms", path);

	if (access(list, R_OK) == 0)
		return list;
	free(list);
	return NULL;
}

static int name_sites(const struct pipeline *run, struct recording *r,
	const struct files_opts *places, const struct process_kernel *kernel,
	struct symbolize_report *report, struct err *e)
{
	struct files_opts where = *places;
	const struct collapse_opts *names = &run->opts->collapse;
	struct symbolize_opts o = run->opts->symbolize;
	char *kallsyms = where.kallsyms ? NULL : recorded_kallsyms(r->path);
	struct files *files;
	int rc;

	if (kallsyms)
		where.kallsyms = kallsyms;
	where.same_machine = r->facts.same_machine;
	where.kallsyms_cache = where.kallsyms_cache ? where.kallsyms_cache : run->kallsyms_cache;
	where.progress = run->opts->read.progress;
	files = files_new(&where, r->strings);
	o.files = files;
	o.full_names = names->full_names;
	o.addresses = names->addresses;
	o.compat_perf = run->read.compat_perf;
	if (kernel->known) {
		o.kernel_reference_symbol = kernel->reference_symbol;
		o.kernel_reference_address = kernel->reference_address;
	}
	progress_start(run->opts->read.progress, "finding names", 0);
	rc = symbolize(r, &o, run->pool, report, e);
	files_free(files);
	free(kallsyms);
	return rc;
}

static int read_perf_data(const struct pipeline *run, struct recording *r,
	const struct process_part *parts, size_t n, const struct files_opts *places,
	struct process_kernel *kernel, struct err *e)
{
	const struct pipeline_opts *o = run->opts;
	struct read_opts opts = run->read;

	opts.files = places;
	/* perf's names depend on the order of samples (symbolize/dwarf/perf_asked.h). */
	opts.timeline |= o->read.compat_perf && !o->symbolize.no_inline;
	return process_read_run(r, parts, n, &opts, kernel, run->pool, e);
}

static int read_text(const struct pipeline *run, struct recording *r, const struct input_source *s,
	const struct input_format *format, struct err *e)
{
	const struct pipeline_opts *o = run->opts;
	struct input_head head = { buf_span(&s->head), s->whole };

	if (o->read.off_cpu)
		return err_set(e, ERR_UNSUPPORTED,
			"%s: --off-cpu and --wall need a recording (perf.data), not its text",
			s->file.path);
	r->facts.format = strtab_add_str(r->strings, format->about);
	progress_start(o->read.progress, "reading", s->file.size_bytes);
	return format->read(r, &s->file, &head, &run->read, run->pool, e);
}

static bool is_perf_data(const struct pipeline_opts *o, const struct input_source *s)
{
	return o->from ? strcmp(o->from, "perf.data") == 0
		       : process_is_perf_data(buf_span(&s->head));
}

static int read_source(const struct pipeline *run, struct recording *r, struct input_source *s,
	const struct files_opts *places, struct process_kernel *kernel, struct err *e)
{
	const char *from = run->opts->from;
	struct input_head head = { buf_span(&s->head), s->whole };
	const struct input_format *format = from ? input_by_name(from) : NULL;

	if (is_perf_data(run->opts, s)) {
		struct process_part whole = { .file = &s->file };

		if (!S_ISREG(s->file.st.st_mode))
			progress_start(run->opts->read.progress, "copying", 0);
		if (input_make_regular(s, &run->source_opts, e))
			return e->code;
		buf_release(&s->head); /* the next one that is read takes its memory */
		return read_perf_data(run, r, &whole, 1, places, kernel, e);
	}
	if (!format)
		format = input_sniff(&head);
	if (!format)
		return err_set(e, ERR_FORMAT,
			"%s: is neither a perf.data file nor a text that perfold knows; "
			"--from list lists the formats",
			s->file.path);
	return read_text(run, r, s, format, e);
}

/* ---- inputs, and parts of one run --------------------------------------------------------- */

struct input {
	const char *path;
	struct input_source source;
	bool open; /* source is open */
	bool read;
	struct diag diag; /* of opening it ahead of its turn */
	struct process_part part;
};

static void close_input(struct input *in)
{
	if (in->open)
		input_close(&in->source);
	in->open = false;
}

/* Is it a part of a run? Only files that can be opened twice are asked; what is wrong with the
 * recording is told when it is read. Parts and copies stay open until then. */
static int look_at_input(const struct pipeline *run, struct input *in, struct err *e)
{
	struct err ignored;
	struct stat st;

	if (strcmp(in->path, "-") == 0 || stat(in->path, &st) || !S_ISREG(st.st_mode))
		return OK;
	if (input_open(&in->source, &run->source_opts, in->path, &in->diag, e))
		return e->code;
	in->open = true;
	in->part.file = &in->source.file;
	/* A pack has files of its own, which name nothing in other inputs. */
	if (!in->source.folder && is_perf_data(run->opts, &in->source))
		(void)process_find_run(&in->part, &ignored);
	if (in->part.run.n || in->source.copied)
		return OK;
	close_input(in);
	in->diag = (struct diag){ 0 };
	return OK;
}

static int earlier_first(const void *pa, const void *pb)
{
	const struct input *a = *(struct input *const *)pa, *b = *(struct input *const *)pb;

	if (a->part.begun_ns != b->part.begun_ns)
		return a->part.begun_ns < b->part.begun_ns ? -1 : 1;
	return strcmp(a->path, b->path);
}

/* The first of n inputs, which is not read yet, and those that are read as one with it, in order of
 * time. */
static size_t take_run(struct input *first, size_t n, struct input **group)
{
	size_t i, found = 0;

	for (i = 0; i < n; i++) {
		struct input *in = &first[i];

		if (in->read || (i && !first->part.run.n) ||
			!span_eq(buf_span(&in->part.run), buf_span(&first->part.run)))
			continue;
		in->read = true;
		group[found++] = in;
	}
	qsort(group, found, sizeof(*group), earlier_first);
	return found;
}

static int read_parts(const struct pipeline *run, struct recording *r, struct input *const *group,
	size_t n, const struct files_opts *places, struct process_kernel *kernel, struct err *e)
{
	struct process_part *parts = xcalloc(n, sizeof(*parts));
	size_t i;
	int rc;

	for (i = 0; i < n; i++)
		parts[i] = group[i]->part;
	rc = read_perf_data(run, r, parts, n, places, kernel, e);
	free(parts);
	return rc;
}

/* ---- packs: what is told to a user names the pack, not the folder it was unpacked to ------ */

static char *shown_path(const char *path, const char *folder, const char *pack)
{
	size_t n = strlen(folder);

	if (!path || strncmp(path, folder, n) != 0 || path[n] != '/')
		return NULL;
	return xasprintf("%s%s", pack, path + n);
}

static void hide_in(char **path, const char *folder, const char *pack)
{
	char *shown = shown_path(*path, folder, pack);

	if (shown) {
		free(*path);
		*path = shown;
	}
}

static void hide_in_text(struct recording *r, str_id *text, const char *folder)
{
	char *shown = *text ? shown_path(strtab_str(r->strings, *text), folder, r->path) : NULL;

	if (shown)
		*text = strtab_add_str(r->strings, shown);
	free(shown);
}

static void hide_folder(
	struct recording *r, struct symbolize_report *report, const char *folder, struct err *e)
{
	char *message = e ? shown_path(e->msg, folder, r->path) : NULL;
	uint32_t i, k;

	r->facts.packed = true;
	if (message)
		err_set(e, e->code, "%s", message);
	free(message);
	for (i = 0; i < r->n_processes; i++) {
		hide_in_text(r, &r->processes[i].perf_map, folder);
		hide_in_text(r, &r->processes[i].jitdump, folder);
	}
	for (i = 0; i < report->n; i++) {
		struct symbolize_module *m = &report->modules[i];

		hide_in(&m->runtime_path, folder, r->path);
		hide_in(&m->symbols_path, folder, r->path);
		hide_in(&m->dwarf_path, folder, r->path);
		hide_in(&m->package_path, folder, r->path);
		for (k = 0; k < m->trail.n; k++)
			hide_in(&m->trail.step[k].path, folder, r->path);
	}
}

/* ---- one input, or the parts of one run --------------------------------------------------- */

static int read_opened(const struct pipeline *run, struct input *const *group, size_t n,
	struct recording *r, struct symbolize_report *report, struct err *e)
{
	struct input_source *s = &group[0]->source;
	char *folder = folder_of(group[0]->path);
	struct files_opts places = run->opts->files;
	struct process_kernel kernel = { 0 };
	struct pack_search *pack = NULL;
	int rc;

	places.recording_dir = folder;
	if (s->folder) {
		pack = pack_search_new(&run->opts->files, s->folder);
		places = *pack_search_opts(pack);
	}
	rc = n > 1 ? read_parts(run, r, group, n, &places, &kernel, e)
		   : read_source(run, r, s, &places, &kernel, e);
	if (!rc)
		rc = name_sites(run, r, &places, &kernel, report, e);
	if (pack)
		hide_folder(r, report, s->folder, rc ? e : NULL);
	pack_search_free(pack);
	free(folder);
	return rc;
}

static int read_group(
	const struct pipeline *run, struct input *const *group, size_t n, struct err *e)
{
	struct pipeline_result *result = run->result;
	struct input *in = group[0];
	struct recording *r = recording_new(in->path, result->strings, result->frames);
	struct symbolize_report *report = &result->reports[result->n_recordings];
	size_t i;
	int rc = OK;

	result->recordings[result->n_recordings++] = r;
	if (!in->open)
		rc = input_open(&in->source, &run->source_opts, in->path, &r->diag, e);
	in->open = !rc;
	for (i = 0; i < n; i++)
		diag_merge(&r->diag, &group[i]->diag);
	if (!rc)
		rc = read_opened(run, group, n, r, report, e);
	for (i = 0; i < n; i++)
		close_input(group[i]);
	if (!rc)
		generated_code_account(r);
	diag_merge(&result->diag, &r->diag);
	return rc;
}

static int read_in_turn(const struct pipeline *run, struct input *inputs, size_t n, struct err *e)
{
	struct input **group = xcalloc(n, sizeof(struct input *));
	size_t i, found;
	int rc = OK;

	for (i = 0; i < n && !rc; i++) {
		if (inputs[i].read)
			continue;
		found = take_run(&inputs[i], n - i, group);
		rc = read_group(run, group, found, e);
	}
	free(group);
	return rc;
}

/* perf itself reads each part alone. */
static int read_inputs(const struct pipeline *run, struct err *e)
{
	const struct pipeline_opts *o = run->opts;
	struct input *inputs = xcalloc(o->n_inputs, sizeof(*inputs));
	bool parts = o->n_inputs > 1 && !o->read.compat_perf;
	size_t i;
	int rc = OK;

	for (i = 0; i < o->n_inputs && !rc; i++) {
		inputs[i].path = o->inputs[i];
		if (parts)
			rc = look_at_input(run, &inputs[i], e);
	}
	if (!rc)
		rc = read_in_turn(run, inputs, o->n_inputs, e);
	for (i = 0; i < o->n_inputs; i++) {
		close_input(&inputs[i]);
		buf_release(&inputs[i].part.run);
	}
	free(inputs);
	return rc;
}

/* Weights of different units must not be added up. */
static int check_units(const struct pipeline *run, struct err *e)
{
	const struct pipeline_result *result = run->result;
	bool samples = run->opts->read.weight_by_samples;
	size_t i, first = SIZE_MAX;
	str_id known = 0;

	for (i = 0; i < result->n_recordings; i++) {
		str_id unit = recording_unit(result->recordings[i], samples);

		if (!result->recordings[i]->samples_kept)
			continue;
		if (span_eq(strtab_get(result->strings, unit), SPAN("events")))
			return err_set(e, ERR_USAGE,
				"%s: the chosen events count different things: choose one with "
				"--event, or count with --weight samples",
				result->recordings[i]->path);
		if (first == SIZE_MAX) {
			first = i;
			known = unit;
		}
		if (unit != known)
			return err_set(e, ERR_USAGE,
				"%s counts %s, %s counts %s: use --event or --weight samples",
				result->recordings[first]->path, strtab_str(result->strings, known),
				result->recordings[i]->path, strtab_str(result->strings, unit));
	}
	return OK;
}

/* ---- rules, collapse, outputs ------------------------------------------------------------- */

static int load_rules(struct pipeline *run, struct err *e)
{
	const struct pipeline_opts *o = run->opts;
	struct filter *f;
	size_t i;
	int rc = OK;

	if (!o->n_rules)
		return OK;
	f = run->result->filter = filter_new(run->result->frames, o->filter_dirs);
	for (i = 0; i < o->n_rules && !rc; i++)
		rc = o->rules[i].is_file ? filter_add_file(f, o->rules[i].text, e)
					 : filter_add_rule(f, o->rules[i].text, e);
	return rc;
}

static int collapse_all(struct pipeline *run, struct err *e)
{
	struct pipeline_result *result = run->result;
	struct collapse_opts o = run->collapse;
	struct profile **wanted = &result->profile;
	struct rewriter rules;
	size_t i;
	int rc;

	o.by_name = run->by_name_only;
	o.weights_only = run->weights_only;
	if (o.by_name)
		wanted = &result->by_name;
	for (i = 0; i < result->n_recordings; i++)
		o.annotate |= result->recordings[i]->facts.annotate;
	if (result->filter) {
		rules = filter_rewriter(result->filter);
		o.rewriter = &rules;
	}
	progress_start(run->opts->read.progress, "collapsing", 0);
	rc = collapse(wanted, result->recordings, (unsigned)result->n_recordings, &o, run->pool, e);
	if (result->filter)
		filter_diag(result->filter, &result->diag);
	return rc;
}

static void put_advice(void *ctx, const char *line)
{
	report_add_advice(ctx, line);
}

/* For writers that tell of the run as such. */
static void make_report(const struct pipeline *run, struct report *report)
{
	const struct pipeline_result *result = run->result;
	uint32_t i;

	for (i = 0; result->filter && i < filter_rule_count(result->filter); i++) {
		struct filter_rule_use u = filter_rule_use(result->filter, i);

		report_add_rule(report, u.place, u.text, u.hits, u.weight);
	}
	if (run->opts->advise)
		run->opts->advise(result, put_advice, report);
}

/* What is written: the whole, or a part of it. One of the two trees is there; the other one is made
 * from it when it is first wanted. */
struct written {
	struct profile *profile, *by_name;
};

/* Does a writer of the tree by name want rows? */
static bool rows_by_name(const struct pipeline *run)
{
	const unsigned both = OUTPUT_BY_NAME | OUTPUT_TIMELINE;
	size_t i;

	for (i = 0; i < run->opts->n_outputs; i++)
		if ((run->opts->outputs[i].format->needs & both) == both)
			return true;
	return run->opts->output.picture.flamechart;
}

static int write_output(const struct pipeline *run, const struct pipeline_output *out,
	const char *path, struct written *w, struct err *e)
{
	const struct pipeline_result *result = run->result;
	struct output_opts o = run->opts->output;
	const struct profile *p = w->profile ? w->profile : w->by_name;
	struct sink *sink;

	o.facts = &result->recordings[0]->facts;
	o.recordings = result->recordings;
	o.n_recordings = result->n_recordings;
	o.report = &result->report;
	o.diag = &result->diag;
	o.pool = run->pool;
	o.tiers = &result->tiers;
	if (out->format->needs & OUTPUT_BY_NAME) {
		if (!w->by_name)
			w->by_name = collapse_by_name(w->profile, rows_by_name(run));
		p = w->by_name;
	}
	if (sink_open(&sink, path, out->packing, e))
		return e->code;
	if (out->format->write(p, &o, sink, e)) {
		sink_abort(sink);
		return err_wrap(e, "%s", path);
	}
	return sink_commit(sink, e);
}

static int write_whole(const struct pipeline *run, struct err *e)
{
	struct pipeline_result *result = run->result;
	struct written w = { result->profile, result->by_name };
	size_t i;
	int rc = OK;

	for (i = 0; i < run->opts->n_outputs && !rc; i++)
		rc = write_output(run, &run->opts->outputs[i], run->opts->outputs[i].path, &w, e);
	result->by_name = w.by_name;
	return rc;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* The files of all parts, output by output. */
struct part_paths {
	char **path;
	size_t n;
};

static void name_paths(
	const struct pipeline *run, const struct split_profile *parts, struct part_paths *paths)
{
	size_t i;
	uint32_t k;

	paths->path =
		xcalloc(run->opts->n_outputs * split_profile_count(parts) + 1, sizeof(char *));
	for (i = 0; i < run->opts->n_outputs; i++) {
		for (k = 0; k < split_profile_count(parts); k++) {
			struct profile_part part = split_profile_name(parts, k);
			struct buf b = { 0 };

			output_part_path(
				&b, run->opts->outputs[i].path, &part, run->result->strings);
			paths->path[paths->n++] = xstrdup(buf_str(&b));
			buf_release(&b);
		}
	}
}

static int write_part(const struct pipeline *run, struct split_profile *parts, uint32_t part,
	const struct part_paths *paths, struct err *e)
{
	struct profile *made = split_profile_get(parts, part);
	bool by_name = !run->result->profile;
	struct written w = { by_name ? NULL : made, by_name ? made : NULL };
	size_t i;
	int rc = OK;

	for (i = 0; i < run->opts->n_outputs && !rc; i++)
		rc = write_output(run, &run->opts->outputs[i],
			paths->path[i * split_profile_count(parts) + part], &w, e);
	profile_free(w.profile);
	profile_free(w.by_name);
	return rc;
}

/* Texts do not tell cgroups. */
static int check_parts(const struct split_profile *parts, struct err *e)
{
	struct profile_part only;

	if (split_profile_count(parts) != 1)
		return OK;
	only = split_profile_name(parts, 0);
	if (only.by != SPLIT_CGROUP || only.name)
		return OK;
	return err_set(e, ERR_USAGE, "--split: the input has no cgroups");
}

static int write_parts(const struct pipeline *run, struct err *e)
{
	const struct pipeline_result *result = run->result;
	const struct profile *p = result->profile ? result->profile : result->by_name;
	struct part_paths paths = { 0 };
	struct split_profile *parts;
	uint32_t i;
	int rc;

	if (!p->n_rows && p->n_nodes && p->nodes[0].total)
		return err_set(e, ERR_USAGE, "--split: the input has only sums, no single samples");
	parts = split_profile_new(p, &run->opts->split, result->recordings);
	rc = check_parts(parts, e);
	name_paths(run, parts, &paths);
	if (!rc)
		rc = output_check_paths(paths.path, paths.n, e);
	for (i = 0; i < split_profile_count(parts) && !rc; i++)
		rc = write_part(run, parts, i, &paths, e);
	while (paths.n)
		free(paths.path[--paths.n]);
	free(paths.path);
	split_profile_free(parts);
	return rc;
}

static bool wants(const struct pipeline *run, enum output_needs what)
{
	size_t i;

	if (run->opts->needs & what)
		return true;
	for (i = 0; i < run->opts->n_outputs; i++)
		if (run->opts->outputs[i].format->needs & what)
			return true;
	return false;
}

static void prepare(struct pipeline *run)
{
	const struct pipeline_opts *o = run->opts;
	size_t i;

	run->collapse = o->collapse;
	run->collapse.weight_by_samples = o->read.weight_by_samples;
	run->collapse.timeline =
		o->output.picture.flamechart || o->split.by || wants(run, OUTPUT_TIMELINE);
	run->collapse.tiers |= o->read.compat_perf;
	run->collapse.cut_at_first = o->read.compat_perf;
	run->read = o->read;
	run->read.timeline = run->collapse.timeline;
	run->read.addresses = o->collapse.addresses;
	run->read.lines = o->symbolize.lines;
	run->read.by_cgroup = o->split.by == SPLIT_CGROUP;
	for (i = 0; i < ROOT_PARTS_MAX && o->collapse.roots[i] != ROOT_END; i++)
		run->read.root_fields |= 1u << o->collapse.roots[i];
	if (run->result->filter)
		run->read.root_fields |= filter_root_fields(run->result->filter);
	run->by_name_only = !o->needs || (o->needs & OUTPUT_BY_NAME);
	run->weights_only = !o->needs;
	for (i = 0; i < o->n_outputs; i++) {
		run->by_name_only &= (o->outputs[i].format->needs & OUTPUT_BY_NAME) != 0;
		run->weights_only &= (o->outputs[i].format->needs & OUTPUT_WEIGHTS) != 0;
	}
}

/* Will it all be over in a few milliseconds, apart from finding names? */
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

static int run_all(struct pipeline *run, struct err *e)
{
	const struct pipeline_opts *o = run->opts;
	int rc = load_rules(run, e);

	prepare(run);
	if (!rc)
		rc = read_inputs(run, e);
	if (rc || (!o->n_outputs && !o->needs))
		return rc;
	rc = check_units(run, e);
	if (!rc && !o->split.by && wants(run, OUTPUT_PICTURE))
		collapse_tiers(&run->result->tiers, run->result->recordings,
			(unsigned)run->result->n_recordings, &run->collapse);
	if (!rc)
		rc = collapse_all(run, e);
	progress_start(o->read.progress, "writing", 0);
	if (!rc && wants(run, OUTPUT_REPORT))
		make_report(run, &run->result->report);
	if (!rc)
		rc = o->split.by ? write_parts(run, e) : write_whole(run, e);
	return rc;
}

int pipeline_run(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e)
{
	struct pipeline run = { .opts = o,
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
	run.pool = pool_new(o->jobs);
	if (is_short(o))
		pool_rest(run.pool);
	if (o->n_inputs > 1)
		run.kallsyms_cache = files_kallsyms_cache_new();
	rc = run_all(&run, e);
	progress_start(o->read.progress, NULL, 0);
	files_kallsyms_cache_free(run.kallsyms_cache);
	pool_free(run.pool);
	return rc;
}

int pipeline_write(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e)
{
	struct pipeline run = { .opts = o, .result = r };

	if (wants(&run, OUTPUT_REPORT))
		make_report(&run, &r->report);
	return write_whole(&run, e);
}

void pipeline_release(struct pipeline_result *r)
{
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		recording_free(r->recordings[i]);
		symbolize_report_release(&r->reports[i]);
	}
	free(r->recordings);
	free(r->reports);
	profile_free(r->profile);
	profile_free(r->by_name);
	tiers_release(&r->tiers);
	filter_free(r->filter);
	report_release(&r->report);
	frames_free(r->shares ? NULL : r->frames);
	strtab_free(r->shares ? NULL : r->strings);
	*r = (struct pipeline_result){ 0 };
}
