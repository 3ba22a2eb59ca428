#include "cli/value.h"

#include "base/mem.h"
#include "cli/file_args.h"

#include <stdlib.h>
#include <unistd.h>

void string_list_add(struct string_list *l, const char *text)
{
	ARRAY_RESERVE(l->item, l->n + 2, l->cap);
	l->item[l->n++] = text;
	l->item[l->n] = NULL;
}

int value_unsigned(unsigned *field, const char *text, unsigned least, struct err *e)
{
	struct span s = span_of(text);
	uint64_t v;

	if (!span_scan_u64(&s, &v) || s.n || v < least || v > INT32_MAX)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not a whole number from %u to %d", text,
			least, INT32_MAX);
	*field = (unsigned)v;
	return OK;
}

int value_double(double *field, const char *text, struct err *e)
{
	struct span s = span_of(text);

	if (!span_scan_double(&s, field) || s.n)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not a number from 0 on", text);
	return OK;
}

int value_min_percent(struct options *o, const char *text, struct err *e)
{
	double *percent = &o->run.collapse.min_percent;

	if (value_double(percent, text, e))
		return e->code;
	if (*percent > 100)
		return err_set(e, ERR_USAGE, "\"%.100s\" is more than 100", text);
	return OK;
}

int value_from(struct options *o, const char *text, struct err *e)
{
	o->list_from = strcmp(text, "list") == 0;
	if (!o->list_from && strcmp(text, "perf.data") != 0 && !input_by_name(text))
		return err_set(e, ERR_USAGE,
			"no format is called \"%.100s\"; --from list lists them", text);
	o->run.from = text;
	return OK;
}

int value_to(struct options *o, const char *text, struct err *e)
{
	o->list_to = strcmp(text, "list") == 0;
	if (o->list_to)
		return OK;
	if (o->to)
		return err_set(e, ERR_USAGE, "--to %.100s has no -o after it", o->to);
	if (!output_by_name(text))
		return err_set(
			e, ERR_USAGE, "no format is called \"%.100s\"; --to list lists them", text);
	o->to = text;
	return OK;
}

/* A length of time: 2s, 500ms, 250us, 1.5s; in whole nanoseconds. */
static bool scan_length(struct span *s, uint64_t *ns)
{
	static const struct {
		struct span name;
		double ns;
	} units[] = { { { "ns", 2 }, 1 }, { { "us", 2 }, 1e3 }, { { "ms", 2 }, 1e6 },
		{ { "s", 1 }, 1e9 }, { { "m", 1 }, 6e10 } };
	double value;
	size_t i;

	if (!span_scan_double(s, &value))
		return false;
	for (i = 0; i < ARRAY_LEN(units); i++) {
		if (!span_eq(*s, units[i].name))
			continue;
		value *= units[i].ns;
		*ns = value < 1e18 ? (uint64_t)(value + 0.5) : (uint64_t)1e18;
		return *ns > 0;
	}
	return false;
}

int value_split(struct options *o, const char *text, struct err *e)
{
	static const char *const names[] = {
		[SPLIT_PROCESS] = "process",
		[SPLIT_THREAD] = "thread",
		[SPLIT_EVENT] = "event",
		[SPLIT_CPU] = "cpu",
		[SPLIT_CGROUP] = "cgroup",
	};
	struct split *split = &o->run.split;
	struct span s = span_of(text);
	size_t i;

	*split = (struct split){ 0 };
	for (i = SPLIT_PROCESS; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], text) == 0)
			split->by = (enum split_by)i;
	if (split->by)
		return OK;
	if (!span_starts(s, SPAN("time:")))
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is not one of process, thread, event, cpu, cgroup, time:1s",
			text);
	split->by = SPLIT_TIME;
	s = span_skip(s, 5);
	if (!scan_length(&s, &split->width_ns))
		return err_set(
			e, ERR_USAGE, "\"%.100s\" is not a time such as 1s, 500ms, 20us", text + 5);
	return OK;
}

static int parse_block(uint64_t *ns, const char *text, struct err *e)
{
	struct span s = span_of(text);

	if (!scan_length(&s, ns))
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is not a time such as 1s, 10ms, 250us, 1000ns", text);
	return OK;
}

int value_min_block(struct options *o, const char *text, struct err *e)
{
	return parse_block(&o->run.read.min_block_ns, text, e);
}

int value_max_block(struct options *o, const char *text, struct err *e)
{
	return parse_block(&o->run.read.max_block_ns, text, e);
}

int value_slower(struct options *o, const char *text, struct err *e)
{
	return parse_block(&o->spans.slower_ns, text, e);
}

int value_off_cpu(struct options *o, const char *text, struct err *e)
{
	(void)text;
	(void)e;
	if (!o->run.read.off_cpu)
		o->run.read.off_cpu = OFF_CPU_ALONE;
	return OK;
}

int value_wall(struct options *o, const char *text, struct err *e)
{
	(void)text;
	(void)e;
	o->run.read.off_cpu = OFF_CPU_WALL;
	return OK;
}

int value_wakers(struct options *o, const char *text, struct err *e)
{
	o->run.read.wakers = true;
	return value_off_cpu(o, text, e);
}

/* A name before the first colon is a format only if there is one of that name. */
static const struct output_format *prefixed_format(const char **path)
{
	const char *colon = strchr(*path, ':');
	const struct output_format *f;
	char *name;

	if (!colon)
		return NULL;
	name = xmemdup(*path, strlen(*path) + 1);
	name[colon - *path] = '\0';
	f = output_by_name(name);
	free(name);
	if (f)
		*path = colon + 1;
	return f;
}

int value_output(struct options *o, const char *text, struct err *e)
{
	struct pipeline_output out = { .path = text };
	const struct output_format *by_suffix;

	out.format = prefixed_format(&out.path);
	by_suffix = output_by_path(out.path, &out.packing);
	if (!out.format && o->to)
		out.format = output_by_name(o->to);
	o->to = NULL;
	if (!out.format)
		out.format = by_suffix;
	if (!out.format && strcmp(out.path, "-") == 0)
		out.format = output_by_name("folded");
	if (!out.format)
		return err_set(e, ERR_USAGE,
			"%.200s: no format has this suffix; name one: -o folded:%.200s", text,
			text);
	if (out.packing == SINK_PLAIN)
		out.packing = out.format->packing;
	if (!*out.path)
		return err_set(e, ERR_USAGE, "no file after \"%.100s\"", text);
	ARRAY_GROW(o->outputs, o->n_outputs, o->cap_outputs);
	o->outputs[o->n_outputs++] = out;
	return OK;
}

int value_spill_limit(struct options *o, const char *text, struct err *e)
{
	static const char letters[] = "KMG";
	struct span s = span_of(text);
	const char *letter;
	unsigned shift = 0;
	uint64_t v = 0;
	bool ok = span_scan_u64(&s, &v);

	letter = ok && s.n == 1 ? strchr(letters, s.p[0]) : NULL;
	if (letter) {
		shift = 10 * (unsigned)(letter - letters + 1);
		s.n = 0;
	}
	if (!ok || s.n || !v || v > (uint64_t)INT64_MAX >> shift)
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is not a size such as 1000000, 64K, 500M, 2G", text);
	o->run.spill_limit_bytes = v << shift;
	return OK;
}

int value_pid(struct options *o, const char *text, struct err *e)
{
	return number_list_parse(&o->choice.pids, text, e);
}

int value_tid(struct options *o, const char *text, struct err *e)
{
	return number_list_parse(&o->choice.tids, text, e);
}

int value_cpu(struct options *o, const char *text, struct err *e)
{
	return number_list_parse(&o->choice.cpus, text, e);
}

int value_comm(struct options *o, const char *text, struct err *e)
{
	name_pattern_free(o->choice.comm);
	return name_pattern_new(&o->choice.comm, text, e);
}

int value_process(struct options *o, const char *text, struct err *e)
{
	name_pattern_free(o->choice.process);
	return name_pattern_new(&o->choice.process, text, e);
}

int value_cgroup(struct options *o, const char *text, struct err *e)
{
	name_pattern_free(o->choice.cgroup);
	return name_pattern_new(&o->choice.cgroup, text, e);
}

int value_time(struct options *o, const char *text, struct err *e)
{
	return sample_choice_parse_time(&o->choice, text, e);
}

int value_where(struct options *o, const char *text, struct err *e)
{
	return where_list_add(&o->choice.where, text, e);
}

/* The name behind "field:"; NULL if there is none. */
static const char *field_name(const char *text)
{
	struct span name;
	int32_t element;

	if (strncmp(text, "field:", 6) != 0 ||
		!field_value_split_name(span_of(text + 6), &name, &element))
		return NULL;
	return text + 6;
}

int value_weight(struct options *o, const char *text, struct err *e)
{
	o->run.read.weight_field = field_name(text);
	if (o->run.read.weight_field)
		return OK;
	o->run.read.weight_by_samples = strcmp(text, "samples") == 0;
	if (!o->run.read.weight_by_samples && strcmp(text, "period") != 0)
		return err_set(
			e, ERR_USAGE, "\"%.100s\" is not one of period, samples, field:NAME", text);
	return OK;
}

/* The next of the words in a list with commas; false at the end. */
static bool next_word(struct span *rest, struct span *word)
{
	const char *comma;

	if (!rest->p)
		return false;
	comma = memchr(rest->p, ',', rest->n);
	*word = comma ? span_range(rest->p, comma) : *rest;
	*rest = comma ? span_skip(*rest, word->n + 1) : (struct span){ 0 };
	return true;
}

static const struct {
	const char *name;
	enum root_part part;
} root_names[] = {
	{ "comm", ROOT_COMM },
	{ "comm-pid", ROOT_COMM_PID },
	{ "comm-pid/tid", ROOT_COMM_PID_TID },
	{ "process", ROOT_PROCESS },
	{ "event", ROOT_EVENT },
	{ "cgroup", ROOT_CGROUP },
	{ "cpu", ROOT_CPU },
	{ "state", ROOT_STATE },
	{ "none", ROOT_END },
};

/* A part that is a field; its name is kept as long as the program runs. */
static bool add_root_field(struct options *o, struct span word, enum root_part *part)
{
	struct root_fields *fields = &o->root_fields;
	char *text = xmemdup(word.p, word.n + 1);
	const char *name;

	text[word.n] = '\0';
	name = field_name(text);
	if (!name || fields->n == ROOT_FIELDS_MAX) {
		free(text);
		return false;
	}
	string_list_add(&o->strings, text);
	*part = (enum root_part)(ROOT_FIELD + fields->n);
	fields->name[fields->n++] = name;
	return true;
}

static bool find_root_part(struct options *o, struct span word, enum root_part *part)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(root_names); i++) {
		if (!span_eq(word, span_of(root_names[i].name)))
			continue;
		*part = root_names[i].part;
		return true;
	}
	return add_root_field(o, word, part);
}

int value_root(struct options *o, const char *text, struct err *e)
{
	struct span rest = span_of(text), word;
	enum root_part *roots = o->run.collapse.roots, part;
	size_t n = 0;

	memset(roots, 0, sizeof(o->run.collapse.roots));
	o->root_fields.n = 0;
	while (next_word(&rest, &word)) {
		if (!find_root_part(o, word, &part))
			return err_set(e, ERR_USAGE,
				"\"%.*s\" is not one of comm, comm-pid, comm-pid/tid, process, "
				"event, cgroup, cpu, state, field:NAME (up to %d), none",
				SPAN_ARG(word), ROOT_FIELDS_MAX);
		if (n + 1 >= ROOT_PARTS_MAX)
			return err_set(e, ERR_USAGE, "more than %d parts", ROOT_PARTS_MAX - 1);
		if (part != ROOT_END)
			roots[n++] = part;
	}
	return OK;
}

int value_annotate(struct options *o, const char *text, struct err *e)
{
	struct span rest = span_of(text), word;

	while (next_word(&rest, &word)) {
		if (span_eq(word, SPAN("kernel")))
			o->run.collapse.annotate |= ANNOTATE_KERNEL;
		else if (span_eq(word, SPAN("jit")))
			o->run.collapse.annotate |= ANNOTATE_JIT;
		else if (span_eq(word, SPAN("inline")))
			o->run.collapse.annotate |= ANNOTATE_INLINE;
		else if (span_eq(word, SPAN("all")))
			o->run.collapse.annotate |= ANNOTATE_KERNEL | ANNOTATE_JIT;
		else
			return err_set(e, ERR_USAGE,
				"\"%.*s\" is not one of kernel, jit, inline, all", SPAN_ARG(word));
	}
	return OK;
}

static int add_rule(struct options *o, const char *text, bool is_file)
{
	ARRAY_GROW(o->rules, o->n_rules, o->cap_rules);
	o->rules[o->n_rules++] = (struct pipeline_rule){ text, is_file };
	return OK;
}

int value_filter(struct options *o, const char *text, struct err *e)
{
	(void)e;
	return add_rule(o, text, true);
}

int value_rule(struct options *o, const char *text, struct err *e)
{
	(void)e;
	return add_rule(o, text, false);
}

int value_explain(struct options *o, const char *text, struct err *e)
{
	(void)e;
	o->explain = true;
	return add_rule(o, text, true);
}

static int add_numbered(struct numbered_files *files, const char *text, struct err *e)
{
	struct files_perf_map file = { -1, text };
	struct span s = span_of(text);
	uint64_t pid;

	if (span_scan_u64(&s, &pid) && s.n && s.p[0] == '=') {
		if (pid > INT32_MAX)
			return err_set(e, ERR_USAGE, "%.100s: not a process ID", text);
		file = (struct files_perf_map){ (int32_t)pid, s.p + 1 };
	}
	ARRAY_GROW(files->item, files->n, files->cap);
	files->item[files->n++] = file;
	return OK;
}

int value_perf_map(struct options *o, const char *text, struct err *e)
{
	return add_numbered(&o->perf_maps, text, e);
}

int value_container(struct options *o, const char *text, struct err *e)
{
	if (add_numbered(&o->containers, text, e))
		return e->code;
	if (o->containers.item[o->containers.n - 1].pid < 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not PID=DIR", text);
	return OK;
}

int value_proc_maps(struct options *o, const char *text, struct err *e)
{
	return add_numbered(&o->proc_maps, text, e);
}

int value_jitdump(struct options *o, const char *text, struct err *e)
{
	return add_numbered(&o->jitdumps, text, e);
}

int value_min_width(struct options *o, const char *text, struct err *e)
{
	struct picture_opts *p = &o->run.output.picture;
	struct span s = span_of(text);

	if (!span_scan_double(&s, &p->min_width) || (s.n && !span_eq(s, SPAN("%"))))
		return err_set(
			e, ERR_USAGE, "\"%.100s\" is neither a number of pixels nor N%%", text);
	p->min_width_is_percent = s.n;
	p->min_width_given = true;
	return OK;
}

int value_colors(struct options *o, const char *text, struct err *e)
{
	unsigned i = 0;

	o->list_colors = strcmp(text, "list") == 0;
	while (output_palette(i) && strcmp(output_palette(i), text) != 0)
		i++;
	if (!o->list_colors && !output_palette(i))
		return err_set(e, ERR_USAGE,
			"no palette is called \"%.100s\"; --colors list lists them", text);
	o->run.output.picture.colors = text;
	return OK;
}

int value_verbose(struct options *o, const char *text, struct err *e)
{
	(void)text;
	(void)e;
	o->verbose++;
	return OK;
}

int value_progress(struct options *o, const char *text, struct err *e)
{
	if (strcmp(text, "auto") == 0)
		o->progress = PROGRESS_AUTO;
	else if (strcmp(text, "always") == 0)
		o->progress = PROGRESS_ALWAYS;
	else if (strcmp(text, "never") == 0)
		o->progress = PROGRESS_NEVER;
	else
		return err_set(e, ERR_USAGE, "\"%.100s\" is not one of auto, always, never", text);
	return OK;
}

int value_truncated(struct options *o, const char *text, struct err *e)
{
	if (strcmp(text, "keep") == 0)
		o->run.read.truncated = TRUNCATED_KEEP;
	else if (strcmp(text, "drop") == 0)
		o->run.read.truncated = TRUNCATED_DROP;
	else if (strcmp(text, "merge") == 0)
		o->run.read.truncated = TRUNCATED_MERGE;
	else
		return err_set(e, ERR_USAGE, "\"%.100s\" is not one of keep, drop, merge", text);
	return OK;
}

int value_lost(struct options *o, const char *text, struct err *e)
{
	o->run.collapse.lost_frame = strcmp(text, "frame") == 0;
	if (!o->run.collapse.lost_frame && strcmp(text, "count") != 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is neither count nor frame", text);
	return OK;
}

int value_by(struct options *o, const char *text, struct err *e)
{
	o->top.by = strcmp(text, "total") == 0 ? TOP_BY_TOTAL : TOP_BY_SELF;
	if (o->top.by != TOP_BY_TOTAL && strcmp(text, "self") != 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is neither self nor total", text);
	return OK;
}

int value_normalize(struct options *o, const char *text, struct err *e)
{
	o->diff.absolute = strcmp(text, "none") == 0;
	if (!o->diff.absolute && strcmp(text, "total") != 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is neither total nor none", text);
	return OK;
}

int value_widths(struct options *o, const char *text, struct err *e)
{
	o->diff.widths_before = strcmp(text, "before") == 0;
	if (!o->diff.widths_before && strcmp(text, "after") != 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is neither after nor before", text);
	return OK;
}

int value_match(struct options *o, const char *text, struct err *e)
{
	o->diff.exact = strcmp(text, "exact") == 0;
	if (!o->diff.exact && strcmp(text, "similar") != 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is neither similar nor exact", text);
	return OK;
}

int value_confidence(struct options *o, const char *text, struct err *e)
{
	if (value_double(&o->diff.confidence, text, e))
		return e->code;
	if (o->diff.confidence < 50 || o->diff.confidence >= 100)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not from 50 to below 100", text);
	o->gate.confidence = o->diff.confidence;
	return OK;
}

int value_fail_if(struct options *o, const char *text, struct err *e)
{
	return gate_rules_parse(&o->gate.rules, text, o->command == FOR_DIFF, e);
}

int value_variation(struct options *o, const char *text, struct err *e)
{
	if (value_double(&o->gate.variation, text, e))
		return e->code;
	if (o->gate.variation > 100)
		return err_set(e, ERR_USAGE, "\"%.100s\" is more than 100", text);
	return OK;
}

int value_require(struct options *o, const char *text, struct err *e)
{
	/* Samples are counted in the profile, which some formats do not ask for. */
	o->run.needs |= OUTPUT_BY_NAME;
	return requirements_parse(&o->requirements, text, e);
}

int value_compat(struct options *o, const char *text, struct err *e)
{
	if (strcmp(text, "perf") != 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not \"perf\"", text);
	o->run.read.compat_perf = true;
	return OK;
}

void options_defaults(struct options *o)
{
	*o = (struct options){ 0 };
	o->run.read.choice = &o->choice;
	o->run.read.root_field_names = &o->root_fields;
	o->run.collapse.roots[0] = ROOT_COMM;
	o->run.output.version = PERFOLD_VERSION;
	o->diff.confidence = 95;
	o->gate.confidence = 99.9;
	o->gate.variation = 3;
	o->gate.min_samples = 20;
}

/* Without INPUT: standard input if something is piped in, else perf.data, as in perf. */
static void default_input(struct options *o)
{
	struct stat st;

	o->default_input = true;
	if (fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		string_list_add(&o->inputs, "-");
	else
		string_list_add(&o->inputs, "perf.data");
}

static int default_output(struct options *o, struct err *e)
{
	if (o->to && o->n_outputs)
		return err_set(e, ERR_USAGE, "--to %.100s has no -o after it", o->to);
	if (o->n_outputs || (o->command & (FOR_DIFF | FOR_SPANS) && !o->to))
		return OK; /* these print a table if nothing else is asked for */
	return value_output(o, "-", e);
}

/* Parts have names, which marks in the output's name tell. */
static int check_split(const struct options *o, struct err *e)
{
	size_t i;

	for (i = 0; i < o->n_outputs && o->run.split.by; i++) {
		if (strcmp(o->outputs[i].path, "-") == 0)
			return err_set(
				e, ERR_USAGE, "--split makes several files: name them by -o FILE");
		if (output_check_marks(o->outputs[i].path, e))
			return err_wrap(e, "%.200s", o->outputs[i].path);
	}
	return OK;
}

/* For tests: small blocks make every recording cross borders, and results must not depend on what
 * is installed on a machine. */
static void read_environment(struct options *o)
{
	const char *text = getenv("PERFOLD_BLOCK_SIZE");
	struct span s = span_of(text);
	uint64_t bytes;

	if (text && span_scan_u64(&s, &bytes) && !s.n && bytes >= 64 && bytes <= 64 << 20)
		o->run.read.block_bytes = (size_t)bytes;
	o->run.files.no_system = getenv("PERFOLD_NO_SYSTEM") != NULL;
}

/* What can be combined with blocked time, and what cannot. */
static int check_off_cpu(const struct options *o, struct err *e)
{
	const struct pipeline_opts *run = &o->run;

	if (run->read.off_cpu && run->read.weight_field)
		return err_set(e, ERR_USAGE,
			"--off-cpu weighs by time: leave out --weight field:%s",
			run->read.weight_field);
	if (run->read.off_cpu && run->read.compat_perf)
		return err_set(
			e, ERR_USAGE, "--compat perf: perf has no --off-cpu to compare with");
	if (!run->read.off_cpu && (run->read.min_block_ns || run->read.max_block_ns))
		return err_set(e, ERR_USAGE, "--min-block and --max-block need --off-cpu");
	return OK;
}

static int check_gate(const struct options *o, struct err *e)
{
	if (!o->gate.rules.n && (o->gate.verdicts.n || o->gate.summary))
		return err_set(e, ERR_USAGE, "%s writes what --fail-if found: give --fail-if RULES",
			o->gate.summary ? "--summary" : "--verdict");
	return OK;
}

int options_finish(struct options *o, struct err *e)
{
	struct pipeline_opts *run = &o->run;

	if (!o->inputs.n)
		default_input(o);
	if (default_output(o, e) || file_args_check(o, e) || check_split(o, e) ||
		check_off_cpu(o, e) || check_gate(o, e))
		return e->code;
	run->inputs = o->inputs.item;
	run->n_inputs = o->inputs.n;
	run->outputs = o->outputs;
	run->n_outputs = o->n_outputs;
	run->read.events = o->events.item;
	run->files.symfs = o->symfs.item;
	run->symbolize.source_maps = o->source_maps.item;
	run->files.debug_dirs = o->debug_dirs.item;
	run->files.perf_maps = o->perf_maps.item;
	run->files.n_perf_maps = (uint32_t)o->perf_maps.n;
	run->files.containers = o->containers.item;
	run->files.n_containers = (uint32_t)o->containers.n;
	run->files.jitdumps = o->jitdumps.item;
	run->files.n_jitdumps = (uint32_t)o->jitdumps.n;
	run->files.home = getenv("HOME");
	run->rules = o->rules;
	run->n_rules = o->n_rules;
	read_environment(o);
	return OK;
}

void options_release(struct options *o)
{
	while (o->strings.n)
		free((char *)o->strings.item[--o->strings.n]);
	free(o->strings.item);
	free(o->inputs.item);
	free(o->diff.bases.item);
	gate_rules_release(&o->gate.rules);
	free(o->gate.verdicts.item);
	requirements_release(&o->requirements);
	free(o->events.item);
	free(o->symfs.item);
	free(o->source_maps.item);
	free(o->debug_dirs.item);
	free(o->outputs);
	free(o->rules);
	free(o->perf_maps.item);
	free(o->proc_maps.item);
	free(o->jitdumps.item);
	free(o->containers.item);
	sample_choice_release(&o->choice);
}
