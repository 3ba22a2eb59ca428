/*
 * Values are parsed in two ways: to a field of some type, which the table in options.c names, so
 * that options of one type share a function; and by a function of one option, where a value means
 * more than one field. The words that a value may be one of are a string in the table: completion
 * prints it, value_choose() finds a word in it and lists it in the message about a wrong one.
 */
#include "cli/value.h"

#include "base/mem.h"
#include "base/time_length.h"

#include <stdlib.h>

/* The next of the words in a list; false at the end. */
static bool next_word(struct span *rest, char separator, struct span *word)
{
	const char *end;

	if (!rest->p)
		return false;
	end = memchr(rest->p, separator, rest->n);
	*word = end ? span_range(rest->p, end) : *rest;
	*rest = end ? span_skip(*rest, word->n + 1) : (struct span){ 0 };
	return true;
}

/* Appends "is not one of auto, always, never", "is neither self nor total" or "is not \"perf\"". */
static void put_words(struct buf *b, const char *words, unsigned n)
{
	struct span rest = span_of(words), word;
	unsigned i;

	buf_puts(b, n > 2 ? "is not one of " : n == 2 ? "is neither " : "is not \"");
	for (i = 0; next_word(&rest, ' ', &word); i++) {
		buf_puts(b, !i ? "" : n == 2 ? " nor " : ", ");
		buf_put_span(b, word);
	}
	buf_puts(b, n == 1 ? "\"" : "");
}

int value_choose(unsigned *number, const char *words, struct span text, struct err *e)
{
	const int shown = (int)(text.n < 100 ? text.n : 100);
	struct span rest = span_of(words), word;
	struct buf b = { 0 };

	for (*number = 0; next_word(&rest, ' ', &word); ++*number)
		if (span_eq(word, text))
			return OK;
	put_words(&b, words, *number);
	err_set(e, ERR_USAGE, "\"%.*s\" %s", shown, text.p, buf_str(&b));
	buf_release(&b);
	return e->code;
}

/* Fields. */

int value_positive(void *field, const char *text, struct err *e)
{
	struct span s = span_of(text);
	uint64_t v;

	if (!span_scan_u64(&s, &v) || s.n || !v || v > INT32_MAX)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not a whole number from 1 to %d", text,
			INT32_MAX);
	*(unsigned *)field = (unsigned)v;
	return OK;
}

int value_waker_depth(void *field, const char *text, struct err *e)
{
	struct span s = span_of(text);
	uint64_t v;

	if (!span_scan_u64(&s, &v) || s.n || !v || v > SWITCHES_WAKERS_MAX)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not a whole number from 1 to %d", text,
			SWITCHES_WAKERS_MAX);
	*(unsigned *)field = (unsigned)v;
	return OK;
}

int value_number(void *field, const char *text, struct err *e)
{
	struct span s = span_of(text);

	if (!span_scan_double(&s, field) || s.n)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not a number from 0 on", text);
	return OK;
}

int value_percent(void *field, const char *text, struct err *e)
{
	if (value_number(field, text, e))
		return e->code;
	if (*(double *)field > 100)
		return err_set(e, ERR_USAGE, "\"%.100s\" is more than 100", text);
	return OK;
}

int value_duration(void *field, const char *text, struct err *e)
{
	if (!time_length_scan(span_of(text), field))
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is not a time such as 1s, 10ms, 250us, 1000ns", text);
	return OK;
}

int value_numbers(void *field, const char *text, struct err *e)
{
	return number_list_parse(field, text, e);
}

int value_pattern(void *field, const char *text, struct err *e)
{
	struct name_pattern **pattern = field;

	name_pattern_free(*pattern);
	return name_pattern_new(pattern, text, e);
}

int value_pid_file(void *field, const char *text, struct err *e)
{
	struct numbered_files *files = field;
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

int value_pid_dir(void *field, const char *text, struct err *e)
{
	struct numbered_files *dirs = field;

	if (value_pid_file(dirs, text, e))
		return e->code;
	if (dirs->item[dirs->n - 1].pid < 0)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not PID=DIR", text);
	return OK;
}

/* Compilers split at the "=" as well (-ffile-prefix-map). */
int value_source_prefix(struct options *o, const char *text, struct err *e)
{
	const char *to = strchr(text, '=');
	char *from;

	if (!to || to == text || !to[1])
		return err_set(e, ERR_USAGE, "\"%.100s\" is not OLD=NEW", text);
	from = xasprintf("%.*s", (int)(to - text), text);
	string_list_add(&o->strings, from);
	ARRAY_GROW(o->source_prefixes.item, o->source_prefixes.n, o->source_prefixes.cap);
	o->source_prefixes.item[o->source_prefixes.n++] =
		(struct files_source_prefix){ from, to + 1 };
	return OK;
}

/* Input and output. */

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

/* The format in front of a path. What is before the first colon is part of the path unless a format
 * has that name. */
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

/* least: 0 or 1. */
static int parse_size(const char *text, uint64_t least, uint64_t *bytes, struct err *e)
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
	if (!ok || s.n || v < least || v > (uint64_t)INT64_MAX >> shift)
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is not a size such as 1000000, 64K, 500M, 2G", text);
	*bytes = v << shift;
	return OK;
}

int value_label(struct options *o, const char *text, struct err *e)
{
	return label_list_parse(&o->labels, span_of(text), e);
}

int value_spill_limit(struct options *o, const char *text, struct err *e)
{
	return parse_size(text, 1, &o->run.spill_limit_bytes, e);
}

int value_symbol_cache_limit(struct options *o, const char *text, struct err *e)
{
	return parse_size(text, 1, &o->symbol_cache_bytes, e);
}

int value_source_limit(struct options *o, const char *text, struct err *e)
{
	return parse_size(text, 0, &o->source_bytes, e);
}

int value_max_memory(struct options *o, const char *text, struct err *e)
{
	return parse_size(text, 1, &o->max_memory_bytes, e);
}

int value_split(struct options *o, const char *text, struct err *e)
{
	struct split *split = &o->run.split;
	struct span s = span_of(text);
	unsigned number;

	*split = (struct split){ 0 };
	if (span_starts(s, SPAN("label:")) && s.n > 6) {
		*split = (struct split){ .by = SPLIT_LABEL, .key = text + 6 };
		return OK;
	}
	if (!span_starts(s, SPAN("time:"))) {
		if (value_choose(&number, VALUE_SPLIT_WORDS, s, e))
			return e->code;
		split->by = SPLIT_PROCESS + number; /* the words are in that order */
		return OK;
	}
	split->by = SPLIT_TIME;
	s = span_skip(s, 5);
	if (!time_length_scan(s, &split->width_ns))
		return err_set(
			e, ERR_USAGE, "\"%.100s\" is not a time such as 1s, 500ms, 20us", text + 5);
	return OK;
}

/* Samples and stacks. */

int value_time(struct options *o, const char *text, struct err *e)
{
	return sample_choice_parse_time(&o->choice, text, e);
}

int value_where(struct options *o, const char *text, struct err *e)
{
	return where_list_add(&o->choice.where, text, e);
}

int value_during(struct options *o, const char *text, struct err *e)
{
	o->choice.during = &o->during;
	return during_add(&o->during, text, e);
}

int value_outside(struct options *o, const char *text, struct err *e)
{
	unsigned number;

	if (value_choose(&number, CHOICE_WORDS, span_of(text), e))
		return e->code;
	o->diff.outside = CHOICE_NONE + 1 + number;
	return OK;
}

/* The name after "field:"; NULL if there is none. */
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
	o->run.read.weight_by_samples = o->run.read.weight_by_latency = false;
	o->run.read.weight_field = field_name(text);
	if (o->run.read.weight_field)
		return OK;
	o->run.read.weight_by_samples = strcmp(text, "samples") == 0;
	o->run.read.weight_by_latency = strcmp(text, "latency") == 0;
	if (!o->run.read.weight_by_samples && !o->run.read.weight_by_latency &&
		strcmp(text, "period") != 0)
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is not one of period, samples, latency, field:NAME", text);
	return OK;
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

/* Adds a part that is a field. */
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

static bool add_root_label(struct options *o, struct span word, enum root_part *part)
{
	struct root_labels *labels = &o->run.collapse.root_labels;
	char *key;

	if (!span_starts(word, SPAN("label:")) || word.n == 6 || labels->n == ROOT_LABELS_MAX)
		return false;
	word = span_skip(word, 6);
	key = xmemdup(word.p, word.n + 1);
	key[word.n] = '\0';
	string_list_add(&o->strings, key);
	*part = (enum root_part)(ROOT_LABEL + labels->n);
	labels->key[labels->n++] = key;
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
	return add_root_field(o, word, part) || add_root_label(o, word, part);
}

int value_root(struct options *o, const char *text, struct err *e)
{
	struct span rest = span_of(text), word;
	enum root_part *roots = o->run.collapse.roots, part;
	size_t n = 0;

	memset(roots, 0, sizeof(o->run.collapse.roots));
	o->root_fields.n = 0;
	o->run.collapse.root_labels.n = 0;
	while (next_word(&rest, ',', &word)) {
		if (!find_root_part(o, word, &part))
			return err_set(e, ERR_USAGE,
				"\"%.*s\" is not one of comm, comm-pid, comm-pid/tid, process, "
				"event, cgroup, cpu, state, field:NAME (up to %d), label:KEY (up "
				"to %d), none",
				SPAN_ARG(word), ROOT_FIELDS_MAX, ROOT_LABELS_MAX);
		if (n + 1 >= ROOT_PARTS_MAX)
			return err_set(e, ERR_USAGE, "more than %d parts", ROOT_PARTS_MAX - 1);
		if (part != ROOT_END)
			roots[n++] = part;
	}
	return OK;
}

int value_annotate(struct options *o, const char *text, struct err *e)
{
	static const uint32_t marks[] = { ANNOTATE_KERNEL, ANNOTATE_JIT, ANNOTATE_INLINE,
		ANNOTATE_KERNEL | ANNOTATE_JIT };
	struct span rest = span_of(text), word;
	unsigned number;

	while (next_word(&rest, ',', &word)) {
		if (value_choose(&number, VALUE_ANNOTATE_WORDS, word, e))
			return e->code;
		o->run.collapse.annotate |= marks[number];
	}
	return OK;
}

/* The list replaces the default, also that of an earlier --redact. */
int value_redact(struct options *o, const char *text, struct err *e)
{
	static const uint32_t parts[] = { STRIP_HOSTNAME, STRIP_CMDLINE, STRIP_DATA, STRIP_USERS,
		STRIP_PATHS, STRIP_RAW, STRIP_ALL, 0 };
	struct span rest = span_of(text), word;
	unsigned number;

	o->strip.hidden = 0;
	while (next_word(&rest, ',', &word)) {
		if (value_choose(&number, VALUE_REDACT_WORDS, word, e))
			return e->code;
		o->strip.hidden |= parts[number];
	}
	return OK;
}

/* Filters. */

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

/* Pictures and gates. */

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

int value_fail_if(struct options *o, const char *text, struct err *e)
{
	return gate_rules_parse(&o->gate.rules, text, o->command == FOR_DIFF, e);
}

int value_require(struct options *o, const char *text, struct err *e)
{
	/* Samples are counted in the profile, which some formats do not need. */
	o->run.needs |= OUTPUT_BY_NAME;
	return requirements_parse(&o->requirements, text, e);
}

int value_confidence(struct options *o, const char *text, struct err *e)
{
	if (value_number(&o->diff.confidence, text, e))
		return e->code;
	if (o->diff.confidence < 50 || o->diff.confidence >= 100)
		return err_set(e, ERR_USAGE, "\"%.100s\" is not from 50 to below 100", text);
	o->gate.confidence = o->diff.confidence;
	return OK;
}
