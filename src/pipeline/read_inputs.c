/*
 * Inputs to recordings whose sites have names. One input is one recording, with one exception: the
 * files of a `perf record --switch-output` run are parts of one recording, which have to share a
 * world, as each of them knows only the processes that began in its time.
 *
 *	inputs:  a.data.1   b.folded   a.data.2   x.perfpack
 *	run:     "A"        -          "A"        -
 *	groups:  { a.data.1, a.data.2 }, { b.folded }, { x.perfpack }
 *
 * Groups are read in the order of their first input, the parts of a run in order of time. A group
 * is opened, read (process/ for perf.data, input/ for texts), and its sites get names before the
 * next one is opened: at most one recording's files are open, apart from parts and copies of pipes,
 * which stay open once they were looked at.
 *
 * A pack is unpacked to a directory, which is searched before everything else.
 */
#include "base/fingerprint.h"
#include "base/mem.h"
#include "model/generated_code.h"
#include "pipeline/kept_files.h"
#include "pipeline/pack_paths.h"
#include "pipeline/stages.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct pipeline_input {
	const char *path;
	const struct label_list *labels; /* NULL: none of its own */
	struct input_source source;
	bool is_open; /* source is open */
	bool is_read;
	struct diag diag; /* of opening it ahead of its turn */
	struct process_part part;
};

/* Inputs that become one recording. */
struct input_group {
	struct pipeline_input **input;
	size_t n;
};

/* A group that is being read. */
struct group_reading {
	struct pipeline *p;
	struct recording *recording;
	struct symbolize_report *report;
	struct kept_files kept;       /* files, and where they are */
	struct process_kernel kernel; /* of a recording: where it was, for its symbols */
};

/* Names of sites. */

static void open_files(struct group_reading *g)
{
	struct recording *r = g->recording;
	const struct pipeline *p = g->p;
	struct files_opts *where = &g->kept.where;

	where->same_machine = r->facts.same_machine;
	where->arch = r->facts.arch ? strtab_str(r->strings, r->facts.arch) : NULL;
	if (!where->kallsyms_cache)
		where->kallsyms_cache = p->result->kallsyms_cache;
	where->progress = p->read.progress;
	g->kept.files = files_new(where, r->strings);
}

/* Stacks are all known, and names need the memory in which they were found. */
static void seal_logs(struct recording *r)
{
	unsigned log;

	for (log = 0; log < r->n_logs; log++)
		stacklog_seal(r->logs[log]);
}

static int name_sites(struct group_reading *g, struct err *e)
{
	struct recording *r = g->recording;
	const struct pipeline *p = g->p;
	struct symbolize_opts *o = &g->kept.symbolize;
	int rc;

	seal_logs(r);
	open_files(g);
	*o = p->opts->symbolize;
	o->files = g->kept.files;
	if (o->source_maps && g->kept.pack)
		o->source_maps = pack_search_source_maps(g->kept.pack, o->source_maps, r->path);
	if (!o->cache)
		o->cache = p->result->symbolize_cache;
	o->full_names = p->collapse.full_names;
	o->addresses = p->collapse.addresses;
	o->compat_perf = p->read.compat_perf;
	o->lines = stages_want_lines(p->opts) || p->sources;
	o->sources = p->sources;
	o->code_addresses = stages_want_addresses(p->opts) || stages_want_places(p->opts);
	o->code_later = !stages_want_addresses(p->opts) && stages_want_places(p->opts);
	if (g->kernel.known) {
		o->kernel_reference_symbol = g->kernel.reference_symbol;
		o->kernel_reference_address = g->kernel.reference_address;
	}
	progress_start(p->read.progress, "finding names", 0);
	rc = symbolize(r, o, p->pool, g->report, e);
	o->cache = NULL; /* the options may live on with the files */
	if (!rc && p->opts->count_frameless)
		frameless_find(r, g->kept.files);
	return rc;
}

/* One input, or the parts of one run. */

static bool is_perf_data(const struct pipeline_opts *o, const struct input_source *s)
{
	return o->from ? strcmp(o->from, "perf.data") == 0
		       : process_is_perf_data(buf_span(&s->head));
}

static int read_perf_data(
	struct group_reading *g, const struct process_part *parts, size_t n, struct err *e)
{
	struct read_opts o = g->p->read;

	o.files = &g->kept.where;
	return process_read_run(g->recording, parts, n, &o, &g->kernel, g->p->pool, e);
}

static int read_parts(struct group_reading *g, const struct input_group *group, struct err *e)
{
	struct process_part *parts = xcalloc(group->n, sizeof(*parts));
	size_t i;
	int rc;

	for (i = 0; i < group->n; i++)
		parts[i] = group->input[i]->part;
	rc = read_perf_data(g, parts, group->n, e);
	free(parts);
	return rc;
}

/* A text is refused of which less is understood than not; all of what is understood is read if the
 * user names the format. */
static int check_understood(const struct group_reading *g, const struct input_format *format,
	const struct input_head *head, struct err *e)
{
	static const enum diag_kind bad[] = { DIAG_BAD_LINE, DIAG_BAD_COUNT, DIAG_BAD_SAMPLE,
		DIAG_BAD_RECORD };
	const struct input_foreign *foreign = input_find_foreign(head);
	const struct recording *r = g->recording;
	uint64_t understood = r->understood ? r->understood : r->samples_read, lost = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++)
		lost += r->diag.count[bad[i]];
	if (understood ? lost <= understood || g->p->opts->from : !lost && !g->p->opts->from)
		return OK;
	return err_set(e, ERR_FORMAT,
		"%s: %s of it is understood as %s: %" PRIu64 " of %" PRIu64 " lines%s%s%s%s",
		r->path, understood ? "less than half" : "nothing", format->about, understood,
		understood + lost, foreign ? "; it seems to be " : "", foreign ? foreign->what : "",
		understood ? "; to read that: --from " : "", understood ? format->name : "");
}

static int refuse_foreign(
	const struct input_source *s, const struct input_foreign *foreign, struct err *e)
{
	return err_set(e, ERR_FORMAT,
		"%s: is neither a perf.data file nor a text that perfold knows%s%s; --from list "
		"lists the formats",
		s->file.path, foreign ? ", but seems to be " : "", foreign ? foreign->what : "");
}

static int read_text(struct group_reading *g, struct input_source *s,
	const struct input_format *format, struct err *e)
{
	struct input_head head;
	const struct read_opts *o = &g->p->read;
	struct recording *r = g->recording;

	if (o->off_cpu)
		return err_set(e, ERR_UNSUPPORTED,
			"%s: --off-cpu and --wall need a recording (perf.data), not its text",
			s->file.path);
	if (o->weight_by_latency)
		return err_set(e, ERR_UNSUPPORTED,
			"%s: --weight latency needs a recording (perf.data), not its text",
			s->file.path);
	if (o->choice && o->choice->during && o->choice->during->n_conditions)
		return err_set(e, ERR_UNSUPPORTED,
			"%s: --during needs a recording (perf.data), not its text", s->file.path);
	r->facts.format = strtab_add_str(r->strings, format->about);
	if (o->branches && format->branches && input_make_regular(s, &g->p->source_opts, e))
		return e->code;
	head = (struct input_head){ buf_span(&s->head), s->whole };
	progress_start(o->progress, "reading", s->file.size_bytes);
	if (format->read(r, &s->file, &head, o, g->p->pool, e))
		return e->code;
	return check_understood(g, format, &head, e);
}

static int read_source(struct group_reading *g, struct input_source *s, struct err *e)
{
	const struct pipeline *p = g->p;
	const char *from = p->opts->from;
	struct input_head head = { buf_span(&s->head), s->whole };
	const struct input_format *format = from ? input_by_name(from) : NULL;

	if (is_perf_data(p->opts, s)) {
		struct process_part whole = { .file = &s->file };

		if (!S_ISREG(s->file.st.st_mode))
			progress_start(p->read.progress, "copying", 0);
		if (input_make_regular(s, &p->source_opts, e))
			return e->code;
		buf_release(&s->head); /* the next one that is read reuses its memory */
		return read_perf_data(g, &whole, 1, e);
	}
	if (!format) {
		const struct input_foreign *foreign = input_find_foreign(&head);

		if (!foreign || !foreign->certain)
			format = input_sniff(&head);
		if (!format)
			return refuse_foreign(s, foreign, e);
	}
	return read_text(g, s, format, e);
}

/* The directory of a path, for what is beside the recording; owned by the caller. */
static char *dir_of(const char *path)
{
	size_t n = strlen(path);
	char *dir;

	if (strcmp(path, "-") == 0)
		return NULL;
	/* The path of a recording that is a directory may end in a slash. */
	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	if (!n)
		return xstrdup(".");
	dir = xmemdup(path, n + 1);
	dir[n > 1 ? n - 1 : n] = '\0';
	return dir;
}

static bool is_root(const char *dir)
{
	struct stat st, root;

	return dir && !stat(dir, &st) && !stat("/", &root) && st.st_dev == root.st_dev &&
	       st.st_ino == root.st_ino;
}

/* What is below the root directory belongs to this machine, and not to a recording that is there.
 */
static char *recording_dir(const struct pipeline_opts *o, const char *path)
{
	char *dir = dir_of(path);

	if (!o->files.no_system || !is_root(dir))
		return dir;
	free(dir);
	return NULL;
}

static int find_fingerprint(struct recording *r, const struct input_group *group, struct err *e)
{
	struct buf all = { 0 }, whole = { 0 };
	size_t i;
	int rc = OK;

	for (i = 0; i < group->n && !rc; i++)
		if (S_ISREG(group->input[i]->source.file.st.st_mode))
			rc = fingerprint_file(&all, &group->input[i]->source.file, e);
	if (group->n > 1)
		fingerprint_bytes(&whole, buf_span(&all));
	if (!rc)
		r->facts.fingerprint =
			strtab_add(r->strings, buf_span(group->n > 1 ? &whole : &all));
	buf_release(&all);
	buf_release(&whole);
	return rc;
}

/* Traces are many, and nobody reads them once they are rows of binaries. */
static int place_branches(const struct group_reading *g, struct err *e)
{
	struct pipeline_result *result = g->p->result;
	struct recording *r = g->recording;

	if (r->written_branches && !branch_profile_add_written(
					   &result->branches, r->written_branches, result->strings))
		return err_set(e, ERR_FORMAT,
			"%s: is of another binary than those before: the code begins elsewhere",
			r->path);
	symbolize_branches(r, result->n_recordings - 1, &g->kept.symbolize, &result->branches);
	branch_traces_free(r->branches);
	r->branches = NULL;
	return OK;
}

static int read_opened(struct group_reading *g, const struct input_group *group, struct err *e)
{
	struct input_source *s = &group->input[0]->source;
	struct kept_files *k = &g->kept;
	uint32_t n_unread;
	int rc;

	k->recording = g->recording;
	k->dir = recording_dir(g->p->opts, group->input[0]->path);
	k->where = g->p->opts->files;
	k->where.recording_dir = k->dir;
	k->where.input_dir = s->in_dir ? group->input[0]->path : NULL;
	if (s->dir.path) {
		k->pack = pack_search_new(&g->p->opts->files, s->dir.path);
		k->where = *pack_search_opts(k->pack);
	}
	k->where.unread = g->report->unread = files_unread_new();
	if (k->pack)
		files_unread_show(k->where.unread, s->dir.path, g->recording->path);
	rc = group->n > 1 ? read_parts(g, group, e) : read_source(g, s, e);
	if (!rc && stages_want_cells(g->p->opts))
		rc = find_fingerprint(g->recording, group, e);
	if (!rc && g->p->opts->branch_names && g->recording->branches)
		branch_sites_find(&g->recording->branch_sites, g->recording->branches,
			g->recording->modules, g->recording->sites, g->p->opts->branch_names);
	if (!rc)
		rc = name_sites(g, e);
	if (!rc && g->p->read.branches)
		rc = place_branches(g, e);
	n_unread = files_unread_visit(g->report->unread, NULL, NULL);
	if (n_unread)
		diag_add(&g->recording->diag, DIAG_UNREAD_FILE, n_unread, 0);
	if (k->pack) {
		g->recording->facts.packed = true;
		g->recording->facts.packed_source_maps = pack_search_has_source_maps(k->pack);
		pack_paths_show(g->recording, g->report, s->dir.path, rc ? e : NULL);
	}
	return rc;
}

/* What is found later is found in the same places, so these stay if somebody wants it. */
static void keep_files(struct group_reading *g, struct input_source *s)
{
	struct pipeline_result *result = g->p->result;

	if (!g->p->keep_files) {
		kept_files_release(&g->kept);
		return;
	}
	g->kept.unpacked = s->dir;
	s->dir.path = NULL;
	result->kept[result->n_recordings - 1] = g->kept;
}

static void close_input(struct pipeline_input *in)
{
	if (in->is_open)
		input_close(&in->source);
	in->is_open = false;
}

static int read_group(struct pipeline *p, const struct input_group *group, struct err *e)
{
	struct pipeline_result *result = p->result;
	struct pipeline_input *in = group->input[0];
	struct recording *r = recording_new(in->path, result->strings, result->frames);
	struct group_reading g = {
		.p = p, .recording = r, .report = &result->reports[result->n_recordings]
	};
	size_t i;
	int rc = OK;

	result->recordings[result->n_recordings++] = r;
	label_list_set_all(&r->labels, p->opts->labels);
	label_list_set_all(&r->labels, in->labels);
	if (!in->is_open)
		rc = input_open(&in->source, &p->source_opts, in->path, &r->diag, e);
	in->is_open = !rc;
	for (i = 0; i < group->n; i++)
		diag_merge(&r->diag, &group->input[i]->diag);
	if (!rc)
		rc = read_opened(&g, group, e);
	keep_files(&g, &in->source);
	for (i = 0; i < group->n; i++)
		close_input(group->input[i]);
	if (!rc)
		generated_code_account(r);
	diag_merge(&result->diag, &r->diag);
	return rc;
}

/* Groups. */

/* Finds out whether the input is a part of a run. Only files that can be opened twice are looked
 * at; what is wrong with the recording is reported when it is read. Parts and copies stay open
 * until then. */
static int look_at_input(const struct pipeline *p, struct pipeline_input *in, struct err *e)
{
	struct err ignored;
	struct stat st;

	if (strcmp(in->path, "-") == 0 || stat(in->path, &st) || !S_ISREG(st.st_mode))
		return OK;
	if (input_open(&in->source, &p->source_opts, in->path, &in->diag, e))
		return e->code;
	in->is_open = true;
	in->part.file = &in->source.file;
	/* A pack has files of its own, which name nothing in other inputs. */
	if (!in->source.dir.path && is_perf_data(p->opts, &in->source))
		(void)process_find_run(&in->part, &ignored);
	if (in->part.run.n || in->source.copied)
		return OK;
	close_input(in);
	in->diag = (struct diag){ 0 };
	return OK;
}

static int compare_begin(const void *pa, const void *pb)
{
	const struct pipeline_input *a = *(struct pipeline_input *const *)pa;
	const struct pipeline_input *b = *(struct pipeline_input *const *)pb;

	if (a->part.begun_ns != b->part.begun_ns)
		return a->part.begun_ns < b->part.begun_ns ? -1 : 1;
	return strcmp(a->path, b->path);
}

/* Fills the group with the first of n inputs, which is not read yet, and the other parts of its
 * run. */
static void find_group(struct input_group *group, struct pipeline_input *first, size_t n)
{
	size_t i;

	group->n = 0;
	for (i = 0; i < n; i++) {
		struct pipeline_input *in = &first[i];

		if (in->is_read || (i && !first->part.run.n) ||
			!span_eq(buf_span(&in->part.run), buf_span(&first->part.run)))
			continue;
		in->is_read = true;
		group->input[group->n++] = in;
	}
	qsort(group->input, group->n, sizeof(*group->input), compare_begin);
}

static void begin_progress(const struct pipeline *p, const struct input_group *group)
{
	uint64_t bytes = 0;
	size_t i;

	if (!p->read.progress)
		return;
	for (i = 0; i < group->n; i++)
		bytes += file_size_bytes(group->input[i]->path);
	progress_input(p->read.progress, group->input[0]->path, bytes);
}

static int read_groups(struct pipeline *p, struct pipeline_input *inputs, size_t n, struct err *e)
{
	struct input_group group = { .input = xcalloc(n, sizeof(*group.input)) };
	size_t i;
	int rc = OK;

	for (i = 0; i < n && !rc; i++) {
		if (inputs[i].is_read)
			continue;
		find_group(&group, &inputs[i], n - i);
		begin_progress(p, &group);
		rc = read_group(p, &group, e);
	}
	progress_input(p->read.progress, NULL, 0);
	free(group.input);
	return rc;
}

/* With --compat perf each part is a recording of its own, as in perf. */
int read_inputs(struct pipeline *p, struct err *e)
{
	const struct pipeline_opts *o = p->opts;
	struct pipeline_input *inputs = xcalloc(o->n_inputs, sizeof(*inputs));
	bool parts = o->n_inputs > 1 && !o->read.compat_perf;
	size_t i;
	int rc = OK;

	for (i = 0; i < o->n_inputs && !rc; i++) {
		inputs[i].path = o->inputs[i];
		inputs[i].labels = o->labels_of ? o->labels_of[i] : NULL;
		if (parts)
			rc = look_at_input(p, &inputs[i], e);
	}
	if (!rc)
		rc = read_groups(p, inputs, o->n_inputs, e);
	for (i = 0; i < o->n_inputs; i++) {
		close_input(&inputs[i]);
		buf_release(&inputs[i].part.run);
	}
	free(inputs);
	return rc;
}
