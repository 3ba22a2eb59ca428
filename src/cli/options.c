#include "cli/options.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "cli/suggest.h"
#include "cli/value.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a value is and where it goes: offset of the field in struct options. */
enum value_kind {
	VALUE_FLAG,     /* bool */
	VALUE_TEXT,     /* const char * */
	VALUE_LIST,     /* struct string_list */
	VALUE_POSITIVE, /* unsigned, not 0 */
	VALUE_DOUBLE,   /* double */
	VALUE_CUSTOM,   /* parse */
};

struct option_row {
	const char *name;
	char letter;       /* 0: none */
	const char *arg;   /* NULL: takes none */
	unsigned commands; /* enum command_bits */
	const char *help;
	enum value_kind kind;
	size_t offset;
	int (*parse)(struct options *o, const char *text, struct err *e);
};

/* What values an option may have, if that is a choice: for shells. */
static const struct {
	const char *option, *words;
} choices[] = {
	{ "split", "process thread event cpu cgroup time:1s" },
	{ "weight", "period samples" },
	{ "root", "comm comm-pid comm-pid/tid process event cgroup cpu state none" },
	{ "annotate", "kernel jit inline all" },
	{ "truncated", "keep drop merge" },
	{ "lost", "count frame" },
	{ "by", "self total" },
	{ "normalize", "total none" },
	{ "match", "similar exact" },
	{ "widths", "after before" },
	{ "background", "yellow blue green grey" },
	{ "progress", "auto always never" },
	{ "compat", "perf" },
	{ "completion", "bash zsh fish" },
};

#define AT(field) offsetof(struct options, field)

/* A row without a name is a heading. */
static const struct option_row rows[] = {
	{ .help = "Input and output", .commands = FOR_PROFILE | FOR_INFO | FOR_PACK },
	{ "from", 0, "FORMAT", FOR_PROFILE | FOR_INFO,
		"the input's format, instead of recognising it; \"list\" lists them", VALUE_CUSTOM,
		0, value_from },
	{ "spill-limit", 0, "BYTES", FOR_PROFILE | FOR_INFO | FOR_PACK,
		"limit copies of pipes and unpacked files in $TMPDIR to BYTES (suffix K, M, G); "
		"default: all the space there is",
		VALUE_CUSTOM, 0, value_spill_limit },
	{ "output", 'o', "[FORMAT:]FILE", FOR_WRITERS,
		"write FILE in the format of its suffix (.gz, .zst compress); repeatable; \"-\" "
		"is standard output",
		VALUE_CUSTOM, 0, value_output },
	{ "output", 'o', "FILE", FOR_PACK, "write the pack to FILE", VALUE_TEXT, AT(pack.output),
		NULL },
	{ "debug", 0, NULL, FOR_PACK,
		"include separate debug files, for inlined functions and lines", VALUE_FLAG,
		AT(pack.debug), NULL },
	{ "light", 0, NULL, FOR_PACK,
		"include only the parts of binaries for names and unwinding: no code, no data; "
		"debug "
		"information only with --debug",
		VALUE_FLAG, AT(pack.light), NULL },
	{ "to", 0, "FORMAT", FOR_WRITERS,
		"format of the next -o, or of standard output; \"list\" lists them", VALUE_CUSTOM,
		0, value_to },
	{ "split", 0, "BY", FOR_FOLD,
		"a file for each process, thread, event, cpu, cgroup, or interval (time:1s); -o "
		"x-%c-%p.svg names them (%c name, %p pid, %t tid, %e event, %u cpu, %n number)",
		VALUE_CUSTOM, 0, value_split },

	{ .help = "Addresses", .commands = FOR_RESOLVE },
	{ "output", 'o', "FILE", FOR_RESOLVE, "write FILE instead of standard output", VALUE_TEXT,
		AT(resolve.output), NULL },
	{ "in-place", 0, NULL, FOR_RESOLVE,
		"replace the addresses by names, instead of adding names", VALUE_FLAG,
		AT(resolve.in_place), NULL },
	{ "pid", 0, "N", FOR_RESOLVE,
		"the addresses are of process N; without --map-dir, one that runs here",
		VALUE_POSITIVE, AT(resolve.pid), NULL },
	{ "proc-maps", 0, "[PID=]FILE", FOR_RESOLVE,
		"a copy of /proc/PID/maps: which files were mapped where (repeatable)",
		VALUE_CUSTOM, 0, value_proc_maps },

	{ .help = "Choosing samples", .commands = FOR_PROFILE },
	{ "pid", 0, "LIST", FOR_PROFILE, "of these processes: numbers and ranges, 12,40-50",
		VALUE_CUSTOM, 0, value_pid },
	{ "tid", 0, "LIST", FOR_PROFILE, "of these threads", VALUE_CUSTOM, 0, value_tid },
	{ "cpu", 0, "LIST", FOR_PROFILE, "on these processors", VALUE_CUSTOM, 0, value_cpu },
	{ "comm", 0, "REGEX", FOR_PROFILE, "of threads whose name matches", VALUE_CUSTOM, 0,
		value_comm },
	{ "process", 0, "REGEX", FOR_PROFILE, "of processes whose name matches", VALUE_CUSTOM, 0,
		value_process },
	{ "cgroup", 0, "REGEX", FOR_PROFILE, "in control groups whose path matches", VALUE_CUSTOM,
		0, value_cgroup },
	{ "event", 0, "NAME", FOR_PROFILE,
		"of this event (a name or glob; repeatable; \"all\"); default: the event of the "
		"first "
		"sample",
		VALUE_LIST, AT(events), NULL },
	{ "time", 0, "FROM,TO", FOR_PROFILE,
		"in this interval: seconds from the first sample, or 10%,20%, or @5153.42 as "
		"recorded",
		VALUE_CUSTOM, 0, value_time },
	{ "where", 0, "CONDITION", FOR_PROFILE,
		"of tracepoints whose fields meet 'FIELD OP VALUE'; OP is = != < <= > >= ~ !~ "
		"(repeatable: all must hold)",
		VALUE_CUSTOM, 0, value_where },

	{ .help = "Blocked time (man perfold-off-cpu)", .commands = FOR_PROFILE },
	{ "off-cpu", 0, NULL, FOR_PROFILE,
		"show the time that threads spent off-CPU, from context switches, not samples",
		VALUE_CUSTOM, 0, value_off_cpu },
	{ "wall", 0, NULL, FOR_PROFILE,
		"--off-cpu plus on-CPU time from samples of --event: all of a thread's time",
		VALUE_CUSTOM, 0, value_wall },
	{ "wakers", 0, NULL, FOR_PROFILE,
		"--off-cpu with the waker's stack on top, from sched:sched_waking", VALUE_CUSTOM, 0,
		value_wakers },
	{ "min-block", 0, "TIME", FOR_PROFILE, "leave out shorter waits: 1ms, 50us", VALUE_CUSTOM,
		0, value_min_block },
	{ "max-block", 0, "TIME", FOR_PROFILE, "leave out longer waits", VALUE_CUSTOM, 0,
		value_max_block },

	{ .help = "Stacks", .commands = FOR_PROFILE },
	{ "weight", 0, "WHAT", FOR_PROFILE,
		"weigh a sample by its \"period\" (default) or by field:NAME of its tracepoint, or "
		"count \"samples\"",
		VALUE_CUSTOM, 0, value_weight },
	{ "root", 0, "LIST", FOR_PROFILE,
		"frames at the bottom: comm (default), comm-pid, comm-pid/tid, process, event, "
		"cgroup, cpu, state (of --off-cpu), field:NAME of a tracepoint, none",
		VALUE_CUSTOM, 0, value_root },
	{ "annotate", 0, "LIST", FOR_PROFILE,
		"mark frames: kernel as _[k], jit as _[j], inline as _[i]; all: kernel,jit",
		VALUE_CUSTOM, 0, value_annotate },
	{ "no-inline", 0, NULL, FOR_PROFILE, "no frames for inlined functions", VALUE_FLAG,
		AT(run.symbolize.no_inline), NULL },
	{ "lines", 0, NULL, FOR_PROFILE,
		"add :file:line to names: the line of the call, or the sampled line", VALUE_FLAG,
		AT(run.symbolize.lines), NULL },
	{ "addresses", 0, NULL, FOR_PROFILE, "show the address of frames without a name",
		VALUE_FLAG, AT(run.collapse.addresses), NULL },
	{ "full-names", 0, NULL, FOR_PROFILE | FOR_RESOLVE, "keep argument lists", VALUE_FLAG,
		AT(run.collapse.full_names), NULL },
	{ "tiers", 0, NULL, FOR_PROFILE,
		"keep the tiers of a JavaScript function apart, under V8's names (JS:~f, JS:^f, "
		"JS:*f)",
		VALUE_FLAG, AT(run.collapse.tiers), NULL },
	{ "no-demangle", 0, NULL, FOR_PROFILE | FOR_RESOLVE,
		"leave names as the compiler wrote them", VALUE_FLAG, AT(run.symbolize.no_demangle),
		NULL },
	{ "truncated", 0, "WHAT", FOR_PROFILE,
		"copied stacks that were cut off: \"keep\" them, above a frame [truncated] "
		"(default), \"drop\" their samples, or \"merge\" them with the complete stack that "
		"they are part of",
		VALUE_CUSTOM, 0, value_truncated },
	{ "lost", 0, "WHAT", FOR_PROFILE,
		"\"count\" samples that the kernel lost (default), or also add a \"frame\" [lost] "
		"of their weight",
		VALUE_CUSTOM, 0, value_lost },
	{ "max-depth", 0, "N", FOR_PROFILE, "keep the N outermost frames", VALUE_POSITIVE,
		AT(run.collapse.max_depth), NULL },
	{ "min-percent", 0, "X", FOR_PROFILE,
		"leave out frames below X percent of the whole; their weight stays with the caller",
		VALUE_CUSTOM, 0, value_min_percent },

	{ .help = "Filters (man perfold-filter)", .commands = FOR_PROFILE | FOR_FILTERS },
	{ "filter", 'F', "NAME|FILE", FOR_PROFILE,
		"apply a filter file: a shipped one (perfold filters lists them) or a path",
		VALUE_CUSTOM, 0, value_filter },
	{ "rule", 'e', "RULE", FOR_PROFILE, "apply one rule: -e 'drop /^uv_/'", VALUE_CUSTOM, 0,
		value_rule },
	{ "explain", 0, "NAME", FOR_FILTERS,
		"show which frames of INPUT each rule of this filter changes", VALUE_CUSTOM, 0,
		value_explain },

	{ .help = "Symbols", .commands = FOR_ALL },
	{ "symfs", 0, "DIR", FOR_ALL, "look for recorded files below DIR (repeatable)", VALUE_LIST,
		AT(symfs), NULL },
	{ "debug-dir", 0, "DIR", FOR_ALL, "look for files by build-id below DIR (repeatable)",
		VALUE_LIST, AT(debug_dirs), NULL },
	{ "container", 0, "PID=DIR", FOR_ALL,
		"the files of process PID are below DIR, the root of its container (repeatable)",
		VALUE_CUSTOM, 0, value_container },
	{ "debuginfod", 0, NULL, FOR_ALL, "ask the servers in $DEBUGINFOD_URLS for missing files",
		VALUE_FLAG, AT(run.files.debuginfod), NULL },
	{ "kallsyms", 0, "FILE", FOR_ALL, "the recorded kernel's /proc/kallsyms", VALUE_TEXT,
		AT(run.files.kallsyms), NULL },
	{ "vmlinux", 0, "FILE", FOR_ALL & ~FOR_RESOLVE, "the recorded kernel's image with symbols",
		VALUE_TEXT, AT(run.files.vmlinux), NULL },
	{ "perf-map", 0, "[PID=]FILE", FOR_ALL,
		"map of generated code, for one process or for all (repeatable)", VALUE_CUSTOM, 0,
		value_perf_map },
	{ "jitdump", 0, "[PID=]FILE", FOR_ALL,
		"jitdump of generated code, for process PID or the one it names (repeatable)",
		VALUE_CUSTOM, 0, value_jitdump },
	{ "map-dir", 0, "DIR", FOR_ALL, "look for perf-PID.map and jit-PID.dump in DIR", VALUE_TEXT,
		AT(run.files.map_dir), NULL },
	{ "source-maps", 0, "DIR", FOR_PROFILE,
		"show JavaScript by its source: look for source maps below DIR (repeatable)",
		VALUE_LIST, AT(source_maps), NULL },
	{ "symbols", 0, NULL, FOR_INFO,
		"list all files: what was found, what was tried, what is missing", VALUE_FLAG,
		AT(all_files), NULL },

	{ .help = "Pictures", .commands = FOR_WRITERS },
	{ "title", 0, "TEXT", FOR_WRITERS, "title of the picture", VALUE_TEXT,
		AT(run.output.picture.title), NULL },
	{ "subtitle", 0, "TEXT", FOR_WRITERS, "second line of the title", VALUE_TEXT,
		AT(run.output.picture.subtitle), NULL },
	{ "width", 0, "PIXELS", FOR_WRITERS, "width (default 1200)", VALUE_POSITIVE,
		AT(run.output.picture.width), NULL },
	{ "frame-height", 0, "PIXELS", FOR_WRITERS, "height of a frame (default 16)",
		VALUE_POSITIVE, AT(run.output.picture.frame_height), NULL },
	{ "min-width", 0, "PIXELS|N%", FOR_WRITERS,
		"leave out frames narrower than this (default 0.1)", VALUE_CUSTOM, 0,
		value_min_width },
	{ "font-size", 0, "POINTS", FOR_WRITERS, "size of text (default 12)", VALUE_DOUBLE,
		AT(run.output.picture.font_size), NULL },
	{ "font-type", 0, "NAME", FOR_WRITERS, "font family (default Verdana)", VALUE_TEXT,
		AT(run.output.picture.font_type), NULL },
	{ "colors", 0, "PALETTE", FOR_FOLD | FOR_MERGE,
		"hot (default), mem, io, wakeup, chain, java, js, perl, red, green, blue, ...; "
		"\"list\" lists them",
		VALUE_CUSTOM, 0, value_colors },
	{ "background", 0, "COLOR", FOR_WRITERS, "yellow, blue, green, grey or #rrggbb", VALUE_TEXT,
		AT(run.output.picture.background), NULL },
	{ "hash", 0, NULL, FOR_FOLD | FOR_MERGE,
		"colour by a hash of the name: similar names, similar colours", VALUE_FLAG,
		AT(run.output.picture.hash_colors), NULL },
	{ "inverted", 0, NULL, FOR_WRITERS, "icicle: the root at the top", VALUE_FLAG,
		AT(run.output.picture.inverted), NULL },
	{ "reverse", 0, NULL, FOR_FOLD | FOR_MERGE,
		"merge stacks from the leaf: above a function are its callers", VALUE_FLAG,
		AT(run.output.picture.reverse), NULL },
	{ "flamechart", 0, NULL, FOR_FOLD, "what ran when: order by time, not by name", VALUE_FLAG,
		AT(run.output.picture.flamechart), NULL },
	{ "count-name", 0, "TEXT", FOR_WRITERS, "what is counted (default: the event's unit)",
		VALUE_TEXT, AT(run.output.picture.count_name), NULL },
	{ "name-type", 0, "TEXT", FOR_WRITERS, "what a frame is called (default \"Function:\")",
		VALUE_TEXT, AT(run.output.picture.name_type), NULL },
	{ "notes", 0, "TEXT", FOR_WRITERS, "a comment inside the picture", VALUE_TEXT,
		AT(run.output.picture.notes), NULL },

	{ .help = "Comparing", .commands = FOR_DIFF },
	{ "normalize", 0, "BY", FOR_DIFF,
		"compare shares of the \"total\" (default), or with \"none\" weights as they are",
		VALUE_CUSTOM, 0, value_normalize },
	{ "match", 0, "HOW", FOR_DIFF,
		"match names that are \"similar\" (default: copies by the compiler, tiers, moved "
		"lines, inlining) or only \"exact\" ones",
		VALUE_CUSTOM, 0, value_match },
	{ "confidence", 0, "PERCENT", FOR_DIFF | FOR_TOP,
		"changes less certain than this are noise (default 95, for --fail-if 99.9)",
		VALUE_CUSTOM, 0, value_confidence },
	{ "widths", 0, "SIDE", FOR_DIFF,
		"frames in pictures are as wide as \"after\" (default) or \"before\"; what is not "
		"there is in a separate lane",
		VALUE_CUSTOM, 0, value_widths },
	{ "base", 0, "FILE", FOR_DIFF,
		"a recording before the change; repeatable, all are one side", VALUE_LIST,
		AT(diff.bases), NULL },

	{ .help = "Gates", .commands = FOR_TOP | FOR_DIFF },
	{ "fail-if", 0, "RULES", FOR_TOP | FOR_DIFF,
		"exit with 3 if a rule holds: 'self(/^JSON/) > 10%', in comparisons also "
		"'total(module:/ssl/) > 1.2x', 'any-self > +2pp', 'new(/re/) > 1%', \"default\" "
		"(repeatable)",
		VALUE_CUSTOM, 0, value_fail_if },
	{ "min-samples", 0, "N", FOR_TOP | FOR_DIFF,
		"rules ignore what has fewer samples (default 20)", VALUE_POSITIVE,
		AT(gate.min_samples), NULL },
	{ "variation", 0, "PERCENT", FOR_TOP | FOR_DIFF,
		"by how much a function's cost varies from run to run of the same program (default "
		"3; estimated from several --base)",
		VALUE_CUSTOM, 0, value_variation },
	{ "verdict", 0, "FILE", FOR_TOP | FOR_DIFF,
		"write the verdict of the rules: FILE.md, FILE.json, else text (repeatable)",
		VALUE_LIST, AT(gate.verdicts), NULL },
	{ "summary", 0, "FILE", FOR_TOP | FOR_DIFF,
		"append the verdict to FILE as Markdown: \"$GITHUB_STEP_SUMMARY\"", VALUE_TEXT,
		AT(gate.summary), NULL },

	{ .help = "Table", .commands = FOR_TOP | FOR_DIFF },
	{ "by", 0, "WHAT", FOR_TOP | FOR_DIFF, "order by \"self\" (default) or \"total\" cost",
		VALUE_CUSTOM, 0, value_by },
	{ "rows", 0, "N", FOR_TOP | FOR_DIFF,
		"at most N rows (default: what fits a terminal, else 40)", VALUE_POSITIVE,
		AT(top.rows), NULL },
	{ "tree", 0, NULL, FOR_TOP, "a tree of callers with their callees instead of a table",
		VALUE_FLAG, AT(top.tree), NULL },

	{ .help = "Durations", .commands = FOR_SPANS },
	{ "preset", 0, "NAME", FOR_SPANS, "what to measure; may also be the first argument",
		VALUE_TEXT, AT(spans.preset), NULL },
	{ "begin", 0, "EVENT", FOR_SPANS,
		"instead of a preset: the event that begins something (\"*\" stands for text that "
		"is the same in --end)",
		VALUE_TEXT, AT(spans.begin), NULL },
	{ "end", 0, "EVENT", FOR_SPANS, "the event that ends it", VALUE_TEXT, AT(spans.end), NULL },
	{ "key", 0, "LIST", FOR_SPANS,
		"what both events have in common: tid (default), pid, field:NAME", VALUE_TEXT,
		AT(spans.key), NULL },
	{ "slower", 0, "TIME", FOR_SPANS,
		"list what took at least TIME (1ms, 250us), the slowest first, with its stack",
		VALUE_CUSTOM, 0, value_slower },
	{ "rows", 0, "N", FOR_SPANS, "list at most N (default 20)", VALUE_POSITIVE, AT(spans.rows),
		NULL },
	{ "fds", 0, "FILE", FOR_SPANS,
		"names of descriptors: the output of ls -l /proc/PID/fd, taken when the recording "
		"began",
		VALUE_TEXT, AT(spans.fds), NULL },
	{ "histogram", 0, "FILE", FOR_SPANS, "draw how many things took how long (.svg, .html)",
		VALUE_TEXT, AT(spans.histogram), NULL },
	{ "heatmap", 0, "FILE", FOR_SPANS, "draw how long things took over time (.svg, .html)",
		VALUE_TEXT, AT(spans.heatmap), NULL },
	{ "json", 0, "FILE", FOR_SPANS, "write figures and every duration as JSON", VALUE_TEXT,
		AT(spans.json), NULL },
	{ "force", 0, NULL, FOR_SPANS,
		"measure even though events are missing, recorded with a frequency", VALUE_FLAG,
		AT(spans.force), NULL },

	{ .help = "Running", .commands = FOR_ALL },
	{ "jobs", 'j', "N", FOR_ALL, "worker threads (default: all processors)", VALUE_POSITIVE,
		AT(run.jobs), NULL },
	{ "quiet", 'q', NULL, FOR_ALL, "print errors only: no summary, no notes", VALUE_FLAG,
		AT(quiet), NULL },
	{ "verbose", 'v', NULL, FOR_ALL, "say more: what each rule did, what each file gave",
		VALUE_CUSTOM, 0, value_verbose },
	{ "progress", 0, "WHEN", FOR_PROFILE | FOR_INFO | FOR_PACK,
		"auto (on a terminal, after a second), always, never", VALUE_CUSTOM, 0,
		value_progress },
	{ "strict", 0, NULL, FOR_PROFILE | FOR_INFO, "exit with 4 if the recording is damaged",
		VALUE_FLAG, AT(strict), NULL },
	{ "require", 0, "LIST", FOR_FOLD | FOR_TOP | FOR_DIFF,
		"exit with 4 unless all conditions hold: 'lost<1%, unresolved<5%, truncated<10%, "
		"samples>1000'",
		VALUE_CUSTOM, 0, value_require },
	{ "compat", 0, "perf", FOR_PROFILE, "give what perf 6.1 gives, for comparisons",
		VALUE_CUSTOM, 0, value_compat },
	{ "completion", 0, "SHELL", FOR_FOLD, "print the completion script for bash, zsh or fish",
		VALUE_TEXT, AT(completion), NULL },
	{ "help", 'h', NULL, FOR_ALL, "this text", VALUE_FLAG, AT(help), NULL },
	{ "version", 'V', NULL, FOR_ALL, "the version", VALUE_FLAG, AT(version), NULL },
};

enum { FIRST_LONG = 256 };

/* A file, a folder, or what is looked for: an empty text is none. */
static bool names_something(const char *arg)
{
	return strstr(arg, "FILE") || strstr(arg, "DIR") || strstr(arg, "REGEX");
}

static int set_value(
	struct options *o, const struct option_row *row, const char *text, struct err *e)
{
	void *field = (char *)o + row->offset;

	/* "--symfs $DIR" where DIR is not set */
	if (text && !*text && names_something(row->arg))
		return err_set(e, ERR_USAGE, "the value is empty");
	switch (row->kind) {
	case VALUE_FLAG:
		*(bool *)field = true;
		return OK;
	case VALUE_TEXT:
		*(const char **)field = text;
		return OK;
	case VALUE_LIST:
		string_list_add(field, text);
		return OK;
	case VALUE_POSITIVE:
		return value_unsigned(field, text, 1, e);
	case VALUE_DOUBLE:
		return value_double(field, text, e);
	case VALUE_CUSTOM:
		return row->parse(o, text, e);
	}
	return OK;
}

/* The tables that getopt_long() wants, for the options of one command. */
struct getopt_tables {
	struct option longs[ARRAY_LEN(rows) + 1];
	char letters[2 * ARRAY_LEN(rows) + 2];
};

static void make_tables(struct getopt_tables *t, enum command_bits command)
{
	char *letter = t->letters;
	size_t i, n = 0;

	*letter++ = ':'; /* tell a missing argument from an unknown option */
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		const struct option_row *row = &rows[i];

		if (!row->name || !(row->commands & command))
			continue;
		t->longs[n++] = (struct option){ row->name,
			row->arg ? required_argument : no_argument, NULL, FIRST_LONG + (int)i };
		if (row->letter) {
			*letter++ = row->letter;
			if (row->arg)
				*letter++ = ':';
		}
	}
	t->longs[n] = (struct option){ 0 };
	*letter = '\0';
}

static const struct option_row *find_row(enum command_bits command, int found)
{
	size_t i;

	if (found >= FIRST_LONG)
		return &rows[found - FIRST_LONG];
	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].letter == found && rows[i].commands & command)
			return &rows[i];
	return NULL;
}

static int usage_error(struct err *e, enum command_bits command, int found, char **argv)
{
	const char *what =
		optopt && optopt < FIRST_LONG ? (char[]){ '-', (char)optopt, 0 } : argv[optind - 1];

	if (found == ':')
		return err_set(e, ERR_USAGE, "option %s needs a value", what);
	if (optopt >= FIRST_LONG)
		return err_set(
			e, ERR_USAGE, "option --%s takes no value", rows[optopt - FIRST_LONG].name);
	return suggest_option(command, what, e);
}

/* "perfold -q top perf.data": here top would be taken for a file. */
static int check_no_command(char *input, struct err *e)
{
	char *line[] = { NULL, input };
	const char *name = commands_find(2, line)->name;

	if (!access(input, F_OK))
		return OK;
	if (!name && (name = suggest_command(input)))
		return err_set(e, ERR_USAGE,
			"%.200s is neither a file nor a command; did you mean perfold %s?", input,
			name);
	if (!name)
		return OK;
	return err_set(e, ERR_USAGE,
		"%s is a command, not a file: put commands before options, as in perfold %s", name,
		name);
}

int options_parse(
	struct options *o, enum command_bits command, int argc, char **argv, struct err *e)
{
	struct getopt_tables tables;
	int found;

	options_defaults(o);
	o->command = command;
	make_tables(&tables, command);
	opterr = 0;
	optind = 0; /* start anew: it remembers where it was in the words of the last call */
	while ((found = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		const struct option_row *row;

		if (found == '?' || found == ':')
			return usage_error(e, command, found, argv);
		row = find_row(command, found);
		if (set_value(o, row, optarg, e))
			return err_wrap(e, "--%s", row->name);
	}
	for (; optind < argc; optind++) {
		if (command == FOR_FOLD && check_no_command(argv[optind], e))
			return e->code;
		string_list_add(&o->inputs, argv[optind]);
	}
	return options_finish(o, e);
}

/* Help texts are wrapped at 80 columns, in a column of their own. */
enum { HELP_COLUMN = 24, HELP_WIDTH = 80 };

static void print_wrapped(FILE *to, const char *text, int column)
{
	while (*text) {
		size_t room = HELP_WIDTH - HELP_COLUMN, n = strlen(text);

		if (n > room) {
			n = room;
			while (n > 1 && text[n] != ' ')
				n--;
		}
		fprintf(to, "%*s%.*s\n", HELP_COLUMN - column, "", (int)n, text);
		column = 0;
		text += n;
		while (*text == ' ')
			text++;
	}
}

static void print_row(FILE *to, const struct option_row *row)
{
	char left[64];
	int n;

	if (!row->name) {
		fprintf(to, "\n%s:\n", row->help);
		return;
	}
	n = snprintf(left, sizeof(left), "  %c%c%s --%s%s%s", row->letter ? '-' : ' ',
		row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
		row->arg ? " " : "", row->arg ? row->arg : "");
	fputs(left, to);
	if (n >= HELP_COLUMN) {
		fputc('\n', to);
		n = 0;
	}
	print_wrapped(to, row->help, n);
}

void options_print_help(FILE *to, enum command_bits command)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].commands & command)
			print_row(to, &rows[i]);
}

static const char *choice_of(const char *option)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(choices); i++)
		if (strcmp(choices[i].option, option) == 0)
			return choices[i].words;
	return NULL;
}

bool options_next(unsigned commands, size_t *at, struct option_help *o)
{
	const struct option_row *row;

	for (; *at < ARRAY_LEN(rows); ++*at) {
		row = &rows[*at];
		if (!row->name || !(row->commands & commands))
			continue;
		*o = (struct option_help){ row->name, row->arg, row->help, choice_of(row->name),
			row->letter };
		++*at;
		return true;
	}
	return false;
}
