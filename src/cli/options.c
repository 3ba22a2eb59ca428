/*
 * The command line is one table, rows[]: what parsing, --help, the completion of shells and the
 * checks of the man pages know of options comes from it. An option of several commands has one row,
 * or several if it means something else in each (-o); the rows of a command are picked by their
 * bits when getopt_long() gets its tables.
 *
 * A row names the field of struct options that its value goes to, and of what kind that is; only
 * options that mean more than one field have a function of their own (value.h). What options mean
 * together is worked out when all are read (options_finish.c).
 */
#include "cli/options.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "cli/suggest.h"
#include "cli/value.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kind of a value, which goes to a field of struct options. */
enum value_kind {
	VALUE_FLAG,   /* bool: the option has no value */
	VALUE_COUNT,  /* unsigned: how often the option is given */
	VALUE_STRING, /* const char * */
	VALUE_LIST,   /* struct string_list */
	VALUE_CHOICE, /* one of words: an enum has its number, a bool is false for the first one */
	VALUE_PARSED, /* what parse() makes of it */
	VALUE_CUSTOM, /* custom() knows where it goes */
};

struct option_row {
	const char *name;  /* NULL: a heading */
	char letter;       /* 0: none */
	const char *arg;   /* NULL: takes none */
	unsigned commands; /* enum command_bits */
	const char *help;
	enum value_kind kind;
	size_t offset, size_bytes; /* of the field */
	const char *words;         /* that the value may be one of, with blanks; NULL: any others */
	int (*parse)(void *field, const char *text, struct err *e);
	int (*custom)(struct options *o, const char *text, struct err *e);
};

#define FIELD(field)                                                                               \
	.offset = offsetof(struct options, field),                                                 \
	.size_bytes = sizeof(((struct options *)0)->field)
#define FLAG(field)             .kind = VALUE_FLAG, FIELD(field)
#define COUNT(field)            .kind = VALUE_COUNT, FIELD(field)
#define STRING(field)           .kind = VALUE_STRING, FIELD(field)
#define LIST(field)             .kind = VALUE_LIST, FIELD(field)
#define CHOICE(field, list)     .kind = VALUE_CHOICE, FIELD(field), .words = (list)
#define PARSED(field, function) .kind = VALUE_PARSED, FIELD(field), .parse = (function)
#define CUSTOM(function)        .kind = VALUE_CUSTOM, .custom = (function)

static const struct option_row rows[] = {
	{ .help = "Input and output", .commands = FOR_PROFILE | FOR_INFO | FOR_PACK | FOR_STRIP },
	{ "from", 0, "FORMAT", FOR_PROFILE | FOR_INFO,
		"the input's format, instead of recognising it; \"list\" lists them",
		CUSTOM(value_from) },
	{ "inputs-from", 0, "FILE", FOR_MERGE,
		"read the inputs that FILE lists, one a line; \"-\" is standard input",
		STRING(merge.list.path) },
	{ "null", '0', NULL, FOR_MERGE,
		"entries of --inputs-from end with a NUL byte, as of find -print0",
		FLAG(merge.list.nul) },
	{ "keep-going", 0, NULL, FOR_MERGE,
		"leave out inputs that cannot be used, and exit with 5; with --strict, damaged "
		"ones, too",
		FLAG(merge.keep_going) },
	{ "errors", 0, "FILE", FOR_MERGE,
		"with --keep-going: write a line of JSON for each input left out",
		STRING(merge.errors) },
	{ "spill-limit", 0, "BYTES", FOR_PROFILE | FOR_INFO | FOR_PACK | FOR_STRIP,
		"limit copies of pipes and unpacked files in $TMPDIR to BYTES (suffix K, M, G); "
		"default: all the space there is",
		CUSTOM(value_spill_limit) },
	{ "output", 'o', "[FORMAT:]FILE", FOR_WRITERS,
		"write FILE in the format of its suffix (.gz, .zst compress); repeatable; \"-\" "
		"is standard output",
		CUSTOM(value_output) },
	{ "label", 0, "KEY=VALUE", FOR_PROFILE,
		"label the inputs: service=web, version=1.4 (repeatable); labels in pprof, "
		"columns in rows, and --root label:KEY",
		CUSTOM(value_label) },
	{ "source-limit", 0, "BYTES", FOR_FOLD,
		"in HTML reports, at most BYTES of source text (suffix K, M, G); 0: no source; "
		"default: 16M",
		CUSTOM(value_source_limit) },
	{ "page-tokens", 0, "N", FOR_WRITERS | FOR_TOP,
		"in Markdown, about N tokens at most, however much there is to say; default: 4000",
		COUNT(run.output.page_tokens) },
	{ "output", 'o', "FILE", FOR_PACK, "write the pack to FILE", STRING(pack.output) },
	{ "debug", 0, NULL, FOR_PACK,
		"include separate debug files, for inlined functions and lines", FLAG(pack.debug) },
	{ "light", 0, NULL, FOR_PACK,
		"include only the parts of binaries for names and unwinding, and sampled code: no "
		"data; debug information only with --debug",
		FLAG(pack.light) },
	{ "sources", 0, NULL, FOR_PACK,
		"include the sources of functions that were sampled; implies --debug",
		FLAG(pack.sources) },
	{ "no-stacks", 0, NULL, FOR_PACK,
		"pack a copy of the recording as of perfold strip: no copied stacks, no registers",
		FLAG(pack.no_stacks) },
	{ "output", 'o', "FILE", FOR_STRIP, "write the copy to FILE", STRING(strip.path) },
	{ "redact", 0, "LIST", FOR_STRIP | FOR_PACK,
		"what else the copy is not to have: hostname, cmdline, data (names of mapped files "
		"without code), users, paths, raw; all, none; default: hostname,cmdline,data",
		CUSTOM(value_redact), .words = VALUE_REDACT_WORDS },
	{ "to", 0, "FORMAT", FOR_WRITERS,
		"format of the next -o, or of standard output; \"list\" lists them",
		CUSTOM(value_to) },
	{ "split", 0, "BY", FOR_FOLD,
		"a file for each process, thread, event, cpu, cgroup, label:KEY, or interval "
		"(time:1s); -o "
		"x-%c-%p.svg names them (%c name, %p pid, %t tid, %e event, %u cpu, %n number)",
		CUSTOM(value_split), .words = VALUE_SPLIT_WORDS },

	{ "binary", 0, "FILE|BUILD-ID", FOR_FOLD | FOR_MERGE,
		"of branches (autofdo, gcov, preagg, unsymbolized): those in this file, by its "
		"path, name or build-id (repeatable); default: all, one output for each file",
		LIST(binaries) },

	{ .help = "Addresses", .commands = FOR_RESOLVE },
	{ "output", 'o', "FILE", FOR_RESOLVE, "write FILE instead of standard output",
		STRING(resolve.output) },
	{ "in-place", 0, NULL, FOR_RESOLVE,
		"replace the addresses by names, instead of adding names", FLAG(resolve.in_place) },
	{ "pid", 0, "N", FOR_RESOLVE,
		"the addresses are of process N; without --map-dir, one that runs here",
		PARSED(resolve.pid, value_positive) },
	{ "proc-maps", 0, "[PID=]FILE", FOR_RESOLVE,
		"a copy of /proc/PID/maps: which files were mapped where (repeatable)",
		PARSED(proc_maps, value_pid_file) },

	{ .help = "Choosing samples", .commands = FOR_PROFILE },
	{ "pid", 0, "LIST", FOR_PROFILE, "of these processes: numbers and ranges, 12,40-50",
		PARSED(choice.pids, value_numbers) },
	{ "tid", 0, "LIST", FOR_PROFILE, "of these threads", PARSED(choice.tids, value_numbers) },
	{ "cpu", 0, "LIST", FOR_PROFILE, "on these CPUs", PARSED(choice.cpus, value_numbers) },
	{ "comm", 0, "REGEX", FOR_PROFILE, "of threads whose name matches",
		PARSED(choice.comm, value_pattern) },
	{ "process", 0, "REGEX", FOR_PROFILE, "of processes whose name matches",
		PARSED(choice.process, value_pattern) },
	{ "cgroup", 0, "REGEX", FOR_PROFILE, "in control groups whose path matches",
		PARSED(choice.cgroup, value_pattern) },
	{ "event", 0, "NAME", FOR_PROFILE,
		"of this event (a name or glob; repeatable; \"all\"); default: the event of the "
		"first sample",
		LIST(events) },
	{ "time", 0, "FROM,TO", FOR_PROFILE,
		"in this interval: seconds from the first sample, or 10%,20%, or @5153.42 as "
		"recorded",
		CUSTOM(value_time) },
	{ "where", 0, "CONDITION", FOR_PROFILE,
		"of tracepoints whose fields meet 'FIELD OP VALUE'; OP is = != < <= > >= ~ !~ "
		"(repeatable: all must hold)",
		CUSTOM(value_where) },
	{ "during", 0, "CONDITION", FOR_PROFILE,
		"inside spans of their thread: 'event-loop > 20ms', 'BEGIN..END >= 5ms', "
		"'file-io #17', with \"!\" in front outside of them (repeatable: any)",
		CUSTOM(value_during) },

	{ .help = "Blocked time (man perfold-off-cpu)", .commands = FOR_PROFILE },
	{ "off-cpu", 0, NULL, FOR_PROFILE,
		"show the time that threads spent off-CPU, from context switches, not samples",
		FLAG(off_cpu) },
	{ "wall", 0, NULL, FOR_PROFILE,
		"--off-cpu plus on-CPU time from samples of --event: all of a thread's time",
		FLAG(wall) },
	{ "wakers", 0, NULL, FOR_PROFILE,
		"--off-cpu with the waker's stack on top, from sched:sched_waking",
		FLAG(run.read.wakers) },
	{ "waker-depth", 0, "N", FOR_PROFILE,
		"--wakers, and on top who woke these while the thread waited, up to N (1 to 16)",
		PARSED(run.read.waker_depth, value_waker_depth) },
	{ "min-block", 0, "TIME", FOR_PROFILE, "leave out shorter waits: 1ms, 50us",
		PARSED(run.read.min_block_ns, value_duration) },
	{ "max-block", 0, "TIME", FOR_PROFILE, "leave out longer waits",
		PARSED(run.read.max_block_ns, value_duration) },

	{ .help = "Stacks", .commands = FOR_PROFILE },
	{ "weight", 0, "WHAT", FOR_PROFILE,
		"weigh a sample by its \"period\" (default), by \"latency\" (its period, divided "
		"by "
		"the threads that ran at that moment) or by field:NAME of its tracepoint, or count "
		"\"samples\"",
		CUSTOM(value_weight), .words = "period samples latency" },
	{ "parallelism", 0, "OF", FOR_PROFILE,
		"with --weight latency, the threads that share a moment: those of the sample's "
		"\"process\" (default), or of the whole \"recording\", as in perf report --latency",
		CHOICE(run.read.parallelism_of, "process recording") },
	{ "root", 0, "LIST", FOR_PROFILE,
		"frames at the bottom: comm (default), comm-pid, comm-pid/tid, process, event, "
		"cgroup, cpu, state (of --off-cpu), field:NAME of a tracepoint, label:KEY, none",
		CUSTOM(value_root),
		.words = "comm comm-pid comm-pid/tid process event cgroup cpu state none" },
	{ "annotate", 0, "LIST", FOR_PROFILE & ~FOR_ANNOTATE,
		"mark frames: kernel as _[k], jit as _[j], inline as _[i]; all: kernel,jit",
		CUSTOM(value_annotate), .words = VALUE_ANNOTATE_WORDS },
	{ "no-inline", 0, NULL, FOR_PROFILE, "no frames for inlined functions",
		FLAG(run.symbolize.no_inline) },
	{ "lines", 0, NULL, FOR_PROFILE & ~FOR_ANNOTATE,
		"add :file:line to names: the line of the call, or the sampled line",
		FLAG(run.symbolize.lines_in_names) },
	{ "addresses", 0, NULL, FOR_PROFILE, "show the address of frames without a name",
		FLAG(run.collapse.addresses) },
	{ "no-functions", 0, NULL, FOR_PROFILE,
		"show code without a symbol as its [module], not as its function [module+0x1234]",
		FLAG(run.symbolize.no_functions) },
	{ "full-names", 0, NULL, FOR_PROFILE | FOR_RESOLVE, "keep argument lists",
		FLAG(run.collapse.full_names) },
	{ "tiers", 0, NULL, FOR_PROFILE,
		"keep the tiers of a JavaScript function apart, under V8's names (JS:~f, JS:^f, "
		"JS:*f)",
		FLAG(run.collapse.tiers) },
	{ "no-demangle", 0, NULL, FOR_PROFILE | FOR_RESOLVE,
		"leave names as the compiler wrote them", FLAG(run.symbolize.no_demangle) },
	{ "truncated", 0, "WHAT", FOR_PROFILE,
		"copied stacks that were cut off: \"keep\" them, above a frame [truncated] "
		"(default), \"drop\" their samples, or \"merge\" them with the complete stack that "
		"they are part of",
		CHOICE(run.read.truncated, "keep drop merge") },
	{ "lost", 0, "WHAT", FOR_PROFILE,
		"\"count\" samples that the kernel lost (default), or also add a \"frame\" [lost] "
		"of their weight",
		CHOICE(run.collapse.lost_frame, "count frame") },
	{ "max-depth", 0, "N", FOR_PROFILE, "keep the N outermost frames",
		PARSED(run.collapse.max_depth, value_positive) },
	{ "min-percent", 0, "X", FOR_PROFILE,
		"leave out frames below X percent of the whole; their weight stays with the caller",
		PARSED(run.collapse.min_percent, value_percent) },

	{ .help = "Filters (man perfold-filter)", .commands = FOR_PROFILE | FOR_FILTERS },
	{ "filter", 'F', "NAME|FILE", FOR_PROFILE,
		"apply a filter file: a shipped one (perfold filters lists them) or a path",
		CUSTOM(value_filter) },
	{ "rule", 'e', "RULE", FOR_PROFILE, "apply one rule: -e 'drop /^uv_/'",
		CUSTOM(value_rule) },
	{ "explain", 0, "NAME", FOR_FILTERS,
		"show which frames of INPUT each rule of this filter changes",
		CUSTOM(value_explain) },

	{ .help = "Symbols", .commands = FOR_ALL },
	{ "symfs", 0, "DIR", FOR_ALL, "look for recorded files below DIR (repeatable)",
		LIST(symfs) },
	{ "debug-dir", 0, "DIR", FOR_ALL, "look for files by build-id below DIR (repeatable)",
		LIST(debug_dirs) },
	{ "container", 0, "PID=DIR", FOR_ALL,
		"the files of process PID are below DIR, the root of its container (repeatable)",
		PARSED(containers, value_pid_dir) },
	{ "debuginfod", 0, NULL, FOR_ALL, "ask the servers in $DEBUGINFOD_URLS for missing files",
		FLAG(run.files.debuginfod) },
	{ "kallsyms", 0, "FILE", FOR_ALL, "the recorded kernel's /proc/kallsyms",
		STRING(run.files.kallsyms) },
	{ "vmlinux", 0, "FILE", FOR_ALL & ~FOR_RESOLVE, "the recorded kernel's image with symbols",
		STRING(run.files.vmlinux) },
	{ "perf-map", 0, "[PID=]FILE", FOR_ALL,
		"map of generated code, for one process or for all (repeatable)",
		PARSED(perf_maps, value_pid_file) },
	{ "jitdump", 0, "[PID=]FILE", FOR_ALL,
		"jitdump of generated code, for process PID or the one it names (repeatable)",
		PARSED(jitdumps, value_pid_file) },
	{ "map-dir", 0, "DIR", FOR_ALL, "look for perf-PID.map and jit-PID.dump in DIR",
		STRING(run.files.map_dir) },
	{ "source-maps", 0, "DIR", FOR_PROFILE,
		"show JavaScript by its source: look for source maps below DIR, or in DIR if it is "
		"the input, a pack that has them (repeatable)",
		LIST(source_maps) },
	{ "source-maps", 0, "DIR", FOR_PACK,
		"include the source maps of sampled JavaScript, looked for below DIR (repeatable)",
		LIST(source_maps) },
	{ "source-dir", 0, "DIR", FOR_SOURCES,
		"look for source text below DIR, by the longest end of its path (repeatable)",
		LIST(source_dirs) },
	{ "source-prefix", 0, "OLD=NEW", FOR_SOURCES,
		"sources that were compiled below OLD are below NEW (repeatable)",
		CUSTOM(value_source_prefix) },
	{ "trust-files", 0, NULL, FOR_ALL,
		"follow links out of the directories that are searched, and use maps of other "
		"users",
		FLAG(run.files.trust_files) },
	{ "symbol-cache", 0, "DIR", FOR_ALL,
		"keep what takes long to read, this machine's kernel symbols, in DIR for the next "
		"run; processes may share it",
		STRING(symbol_cache) },
	{ "symbol-cache-limit", 0, "BYTES", FOR_ALL,
		"at most BYTES in --symbol-cache (suffix K, M, G); default: 1G",
		CUSTOM(value_symbol_cache_limit) },
	{ "hermetic", 0, NULL, FOR_ALL,
		"use nothing of this machine: only files that are named, or beside the recording",
		FLAG(run.files.no_system) },
	{ "symbols", 0, NULL, FOR_INFO,
		"list all files: what was found, what was tried, what is missing",
		FLAG(all_files) },

	{ .help = "Pictures", .commands = FOR_WRITERS },
	{ "title", 0, "TEXT", FOR_WRITERS, "title of the picture",
		STRING(run.output.picture.title) },
	{ "subtitle", 0, "TEXT", FOR_WRITERS, "second line of the title",
		STRING(run.output.picture.subtitle) },
	{ "width", 0, "PIXELS", FOR_WRITERS, "width (default 1200)",
		PARSED(run.output.picture.width, value_positive) },
	{ "frame-height", 0, "PIXELS", FOR_WRITERS, "height of a frame (default 16)",
		PARSED(run.output.picture.frame_height, value_positive) },
	{ "min-width", 0, "PIXELS|N%", FOR_WRITERS,
		"leave out frames narrower than this (default 0.5)", CUSTOM(value_min_width) },
	{ "font-size", 0, "POINTS", FOR_WRITERS, "size of text (default 12)",
		PARSED(run.output.picture.font_size, value_number) },
	{ "font-type", 0, "NAME", FOR_WRITERS, "font family (default Verdana)",
		STRING(run.output.picture.font_type) },
	{ "colors", 0, "PALETTE", FOR_FOLD | FOR_MERGE,
		"hot, mem, io, wakeup, chain, java, js, perl, red, green, blue, ...; "
		"\"list\" lists them",
		CUSTOM(value_colors) },
	{ "background", 0, "COLOR", FOR_WRITERS, "yellow, blue, green, grey or #rrggbb",
		STRING(run.output.picture.background), .words = "yellow blue green grey" },
	{ "hash", 0, NULL, FOR_FOLD | FOR_MERGE,
		"colour by a hash of the name: similar names, similar colours",
		FLAG(run.output.picture.hash_colors) },
	{ "inverted", 0, NULL, FOR_WRITERS, "icicle: the root at the top",
		FLAG(run.output.picture.inverted) },
	{ "reverse", 0, NULL, FOR_FOLD | FOR_MERGE,
		"merge stacks from the leaf: above a function are its callers",
		FLAG(run.output.picture.reverse) },
	{ "flamechart", 0, NULL, FOR_FOLD, "what ran when: order by time, not by name",
		FLAG(run.output.picture.flamechart) },
	{ "count-name", 0, "TEXT", FOR_WRITERS, "what is counted (default: the event's unit)",
		STRING(run.output.picture.count_name) },
	{ "name-type", 0, "TEXT", FOR_WRITERS, "what a frame is called (default \"Function:\")",
		STRING(run.output.picture.name_type) },
	{ "notes", 0, "TEXT", FOR_WRITERS, "a comment inside the picture",
		STRING(run.output.picture.notes) },

	{ .help = "Comparing", .commands = FOR_DIFF },
	{ "normalize", 0, "BY", FOR_DIFF,
		"compare shares of the \"total\" (default), or with \"none\" weights as they are",
		CHOICE(diff.absolute, "total none") },
	{ "match", 0, "HOW", FOR_DIFF,
		"match names that are \"similar\" (default: copies by the compiler, tiers, moved "
		"lines, inlining) or only \"exact\" ones",
		CHOICE(diff.exact, "similar exact") },
	{ "confidence", 0, "PERCENT", FOR_DIFF | FOR_TOP,
		"changes less certain than this are noise (default 95, for --fail-if 99.9)",
		CUSTOM(value_confidence) },
	{ "widths", 0, "SIDE", FOR_DIFF,
		"frames in pictures are as wide as \"after\" (default) or \"before\"; what is not "
		"there is in a separate lane",
		CHOICE(diff.widths_before, "after before") },
	{ "outside", 0, "OPTION", FOR_DIFF,
		"compare one input with itself: BEFORE is what is outside of this option, AFTER "
		"what is inside (default: during, or the only one that is given)",
		CUSTOM(value_outside), .words = CHOICE_WORDS },
	{ "base", 0, "FILE", FOR_DIFF,
		"a recording before the change; repeatable, all are one side", LIST(diff.bases) },

	{ .help = "Gates", .commands = FOR_TOP | FOR_DIFF },
	{ "fail-if", 0, "RULES", FOR_TOP | FOR_DIFF,
		"exit with 3 if a rule holds: 'self(/^JSON/) > 10%', in comparisons also "
		"'total(module:/ssl/) > 1.2x', 'any-self > +2pp', 'new(/re/) > 1%', \"default\" "
		"(repeatable)",
		CUSTOM(value_fail_if) },
	{ "min-samples", 0, "N", FOR_TOP | FOR_DIFF,
		"rules ignore what has fewer samples (default 20)",
		PARSED(gate.min_samples, value_positive) },
	{ "variation", 0, "PERCENT", FOR_TOP | FOR_DIFF,
		"by how much a function's cost varies from run to run of the same program (default "
		"3; estimated from several --base)",
		PARSED(gate.variation, value_percent) },
	{ "verdict", 0, "FILE", FOR_TOP | FOR_DIFF,
		"write the verdict of the rules: FILE.md, FILE.json, else text (repeatable)",
		LIST(gate.verdicts) },
	{ "summary", 0, "FILE", FOR_TOP | FOR_DIFF,
		"append the verdict to FILE as Markdown: \"$GITHUB_STEP_SUMMARY\"",
		STRING(gate.summary) },

	{ .help = "Table", .commands = FOR_TOP | FOR_DIFF | FOR_VIEW },
	{ "by", 0, "WHAT", FOR_TOP | FOR_DIFF | FOR_VIEW,
		"order by \"self\" or \"total\" cost (default: self, with --off-cpu total)",
		CHOICE(top.by, "self total") },
	{ "rows", 0, "N", FOR_TOP | FOR_DIFF,
		"at most N rows (default: what fits a terminal, else 40)",
		PARSED(top.rows, value_positive) },
	{ "tree", 0, NULL, FOR_TOP, "a tree of callers with their callees instead of a table",
		FLAG(top.tree) },
	{ "callers", 0, "FUNCTION", FOR_TOP,
		"a tree of what calls FUNCTION: a name, or a regular expression",
		STRING(top.callers) },
	{ "callees", 0, "FUNCTION", FOR_TOP, "a tree of what FUNCTION calls, from wherever it ran",
		STRING(top.callees) },
	{ "paths", 0, "FUNCTION", FOR_TOP, "the paths that lead to FUNCTION, by weight",
		STRING(top.paths) },
	{ "group", 0, "BY", FOR_TOP,
		"a table of what functions belong to: module, category, package, file, comm, "
		"process, thread, cpu, cgroup; with --off-cpu, state",
		CHOICE(top.group,
			"none module category package file comm process thread cpu cgroup state") },
	{ "latency", 0, NULL, FOR_TOP,
		"a table by --weight latency, with the CPU time in one more column",
		FLAG(top.latency) },
	{ "cumulative", 0, NULL, FOR_TOP,
		"a column with the sum of the self costs so far: how many functions make up most",
		FLAG(top.cumulative) },
	{ "branches", 0, NULL, FOR_TOP,
		"the branches that were taken most, and those mispredicted most, of a recording "
		"with branch stacks",
		FLAG(top.branches) },
	{ "json", 0, NULL, FOR_TOP, "write JSON: see perfold-summary(5)", FLAG(top.json) },

	{ .help = "Source", .commands = FOR_ANNOTATE | FOR_VIEW },
	{ "asm", 0, NULL, FOR_ANNOTATE, "show instructions, between the lines that they are of",
		FLAG(annotate.asm_code) },
	{ "syntax", 0, "WHICH", FOR_ANNOTATE | FOR_VIEW,
		"of instructions of x86: \"att\" (default) or \"intel\"",
		CHOICE(annotate.intel, "att intel") },
	{ "rows", 0, "N", FOR_ANNOTATE,
		"at most N lines of each function: the most expensive, and those around them",
		PARSED(annotate.rows, value_positive) },
	{ "json", 0, NULL, FOR_ANNOTATE, "write JSON", FLAG(annotate.json) },

	{ .help = "Durations", .commands = FOR_SPANS },
	{ "preset", 0, "NAME", FOR_SPANS, "what to measure; may also be the first argument",
		STRING(spans.preset) },
	{ "begin", 0, "EVENT", FOR_SPANS,
		"instead of a preset: the event that begins something (\"*\" stands for text that "
		"is the same in --end)",
		STRING(spans.begin) },
	{ "end", 0, "EVENT", FOR_SPANS, "the event that ends it", STRING(spans.end) },
	{ "key", 0, "LIST", FOR_SPANS,
		"what both events have in common: tid (default), pid, field:NAME",
		STRING(spans.key) },
	{ "slower", 0, "TIME", FOR_SPANS,
		"list what took at least TIME (1ms, 250us), the slowest first, with its stack",
		PARSED(spans.slower_ns, value_duration) },
	{ "rows", 0, "N", FOR_SPANS, "list at most N (default 20)",
		PARSED(spans.rows, value_positive) },
	{ "fds", 0, "FILE", FOR_SPANS,
		"names of descriptors: the output of ls -l /proc/PID/fd, taken when the recording "
		"began",
		STRING(spans.fds) },
	{ "histogram", 0, "FILE", FOR_SPANS, "draw how many things took how long (.svg, .html)",
		STRING(spans.histogram) },
	{ "heatmap", 0, "FILE", FOR_SPANS, "draw how long things took over time (.svg, .html)",
		STRING(spans.heatmap) },
	{ "json", 0, "FILE", FOR_SPANS, "write figures and every duration as JSON",
		STRING(spans.json) },
	{ "force", 0, NULL, FOR_SPANS,
		"measure even though events are missing, recorded with a frequency",
		FLAG(spans.force) },

	{ .help = "Running", .commands = FOR_ALL },
	{ "jobs", 'j', "N", FOR_ALL, "worker threads (default: all CPUs)",
		PARSED(run.jobs, value_positive) },
	{ "quiet", 'q', NULL, FOR_ALL, "print errors only: no summary, no notes", FLAG(quiet) },
	{ "verbose", 'v', NULL, FOR_ALL, "say more: what each rule did, what each file gave",
		COUNT(verbose) },
	{ "progress", 0, "WHEN", FOR_PROFILE | FOR_INFO | FOR_PACK | FOR_STRIP,
		"auto (on a terminal, after a second), always, never",
		CHOICE(progress, "auto always never") },
	{ "strict", 0, NULL, FOR_PROFILE | FOR_INFO, "exit with 4 if the recording is damaged",
		FLAG(strict) },
	{ "require", 0, "LIST", FOR_FOLD | FOR_TOP | FOR_DIFF,
		"exit with 4 unless all conditions hold: 'lost<1%, unresolved<5%, truncated<10%, "
		"samples>1000'",
		CUSTOM(value_require) },
	{ "compat", 0, "perf", FOR_PROFILE, "give what perf 6.1 gives, for comparisons",
		CHOICE(run.read.compat_perf, "perf") },
	{ "completion", 0, "SHELL", FOR_FOLD, "print the completion script for bash, zsh or fish",
		STRING(completion), .words = "bash zsh fish" },
	{ "max-memory", 0, "BYTES", FOR_ALL,
		"use at most BYTES of memory (suffix K, M, G); default: three quarters of the "
		"machine's",
		CUSTOM(value_max_memory) },
	{ "sandbox", 0, "WHEN", FOR_ALL,
		"\"on\" (default): give up rights that are not needed; or \"off\"",
		CHOICE(sandbox, "on off") },
	{ "help", 'h', NULL, FOR_ALL, "this text", FLAG(help) },
	{ "version", 'V', NULL, FOR_ALL, "the version; with -v, also of the libraries",
		FLAG(version) },
};

enum { FIRST_LONG = 256 };

/* Is the value a path or a pattern? Those are never empty. */
static bool is_path_or_pattern(const char *arg)
{
	return strstr(arg, "FILE") || strstr(arg, "DIR") || strstr(arg, "REGEX");
}

static int set_choice(void *field, const struct option_row *row, const char *text, struct err *e)
{
	unsigned number;

	if (value_choose(&number, row->words, span_of(text), e))
		return e->code;
	if (row->size_bytes == sizeof(bool))
		*(bool *)field = number || !strchr(row->words, ' ');
	else
		*(unsigned *)field = number;
	return OK;
}

static int set_value(
	struct options *o, const struct option_row *row, const char *text, struct err *e)
{
	void *field = (char *)o + row->offset;

	/* "--symfs $DIR" where DIR is not set */
	if (text && !*text && is_path_or_pattern(row->arg))
		return err_set(e, ERR_USAGE, "the value is empty");
	switch (row->kind) {
	case VALUE_FLAG:
		*(bool *)field = true;
		return OK;
	case VALUE_COUNT:
		++*(unsigned *)field;
		return OK;
	case VALUE_STRING:
		*(const char **)field = text;
		return OK;
	case VALUE_LIST:
		string_list_add(field, text);
		return OK;
	case VALUE_CHOICE:
		return set_choice(field, row, text, e);
	case VALUE_PARSED:
		return row->parse(field, text, e);
	case VALUE_CUSTOM:
		return row->custom(o, text, e);
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

	*letter++ = ':'; /* so that a missing argument is not an unknown option */
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

/* Refuses "perfold -q top perf.data", where top would count as a file. */
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
	optind = 0; /* glibc: reset, as it remembers its place in the last argv */
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

/* Help text is wrapped at 80 columns, in a column of its own. */
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

bool options_next(unsigned commands, size_t *at, struct option_help *o)
{
	const struct option_row *row;

	for (; *at < ARRAY_LEN(rows); ++*at) {
		row = &rows[*at];
		if (!row->name || !(row->commands & commands))
			continue;
		*o = (struct option_help){ row->name, row->arg, row->help, row->words,
			row->letter };
		++*at;
		return true;
	}
	return false;
}
