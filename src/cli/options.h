/*
 * options.h - the command line: one table, from which parsing, --help and the checks of the man
 * page come
 *
 * Owns: lists of arguments; the arguments themselves belong to argv (borrowed).
 * Threads: one.
 */
#ifndef PERFOLD_CLI_OPTIONS_H
#define PERFOLD_CLI_OPTIONS_H

#include "cli/input_list.h"
#include "cli/requirements.h"
#include "cli/string_list.h"
#include "compare/gate.h"
#include "model/strip.h"
#include "pipeline/pipeline.h"
#include "trace/trace.h"

#include <stdio.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
enum sandbox_mode { SANDBOX_ON, SANDBOX_OFF };

struct top_opts {
	/* As the words of --by; without it, decided once all options are read. */
	enum top_order { TOP_BY_SELF, TOP_BY_TOTAL, TOP_BY_DEFAULT } by;
	unsigned rows; /* 0: as many as fit */
	bool tree, json;
	bool latency;                          /* by latency, with CPU time beside it */
	bool branches;                         /* edges, not functions */
	bool cumulative;                       /* a column with the sum of self */
	bool first_page;                       /* of perfold alone: with commands to go on with */
	const char *callers, *callees, *paths; /* names of functions, or regular expressions */
	enum top_group { /* as the words of --group; from TOP_GROUP_COMM on, by root frame */
		TOP_GROUP_NONE,
		TOP_GROUP_MODULE,
		TOP_GROUP_CATEGORY,
		TOP_GROUP_PACKAGE,
		TOP_GROUP_FILE,
		TOP_GROUP_COMM,
		TOP_GROUP_PROCESS,
		TOP_GROUP_THREAD,
		TOP_GROUP_CPU,
		TOP_GROUP_CGROUP,
		TOP_GROUP_STATE,
	} group;
};

struct diff_command_opts {
	struct string_list bases; /* of several recordings before */
	bool absolute, exact;
	bool widths_before;       /* of pictures */
	enum choice_part outside; /* of an input compared with itself; CHOICE_NONE: as given */
	double confidence;        /* percent */
};

struct annotate_command_opts {
	const char *function; /* a name or a regular expression; NULL: the hottest function */
	bool asm_code;        /* instructions between the lines of source */
	bool intel;           /* of x86, in Intel's syntax */
	bool json;
	unsigned rows; /* of each function; 0: all */
};

struct gate_opts {
	struct gate_rules rules;
	struct string_list verdicts; /* files to write, by their suffix */
	const char *summary;         /* a file to append Markdown to */
	unsigned min_samples;
	double confidence, variation; /* percent */
};

struct pack_command_opts {
	const char *output;
	bool debug;     /* with files for inlined functions and lines */
	bool light;     /* without data of binaries, and code that was not sampled */
	bool sources;   /* with the sources of what was sampled; implies debug */
	bool no_stacks; /* of the recording, a copy as struct strip says */
};

struct merge_command_opts {
	struct input_list list;
	bool keep_going;
	const char *errors; /* a file to write; NULL: none */
};

struct resolve_opts {
	const char *output; /* NULL: standard output */
	unsigned pid;       /* 0: not said */
	bool in_place;
};

struct spans_command_opts {
	const char *preset; /* NULL: by begin and end */
	const char *begin, *end, *key;
	const char *fds;                        /* a list of open descriptors */
	const char *histogram, *heatmap, *json; /* files to write */
	uint64_t slower_ns;                     /* list what took as long; 0: nothing */
	unsigned rows;
	bool force; /* even of events that were not all recorded */
};

struct options {
	unsigned command; /* enum command_bits: the one that has them */
	struct pipeline_opts run;
	struct sample_choice choice;    /* run.read.choice */
	struct during during;           /* run.read.choice.during */
	struct root_fields root_fields; /* run.read.root_field_names */
	struct label_list labels;       /* run.labels */
	struct string_list inputs, events, symfs, debug_dirs, source_maps, source_dirs, binaries;
	struct source_prefixes {
		struct files_source_prefix *item; /* owned; from is in strings */
		size_t n, cap;
	} source_prefixes;
	struct string_list strings; /* owned: parts of arguments */
	struct pipeline_output *outputs;
	size_t n_outputs, cap_outputs;
	struct pipeline_rule *rules;
	size_t n_rules, cap_rules;
	struct numbered_files {
		struct files_perf_map *item;
		size_t n, cap;
	} perf_maps, jitdumps, containers, proc_maps;
	const char *to; /* the last --to, until an -o uses it */
	enum progress_mode progress;
	enum sandbox_mode sandbox;
	uint64_t max_memory_bytes; /* 0: by the machine */
	const char *symbol_cache;  /* a directory; NULL: none */
	uint64_t symbol_cache_bytes;
	uint64_t source_bytes; /* at most, of source in outputs; 0: none */
	bool all_files;        /* of info: --symbols */
	bool off_cpu, wall;    /* run.read.off_cpu, with --wakers */
	bool quiet, strict, help, version;
	unsigned verbose;
	bool list_from, list_to, list_colors;
	bool explain;         /* of the filters command */
	struct top_opts top;  /* of the top command */
	struct progress work; /* how far the command is, with all runs of the pipeline */
	struct spans_command_opts spans;
	struct resolve_opts resolve;
	struct pack_command_opts pack;
	struct strip strip;
	struct merge_command_opts merge;
	struct diff_command_opts diff;
	struct annotate_command_opts annotate;
	struct gate_opts gate;
	struct requirements requirements;
	bool default_input;     /* no input was given */
	bool default_output;    /* neither was an output, nor a format */
	const char *completion; /* the shell to print the completion for */
};

/* The commands that have an option. */
enum command_bits {
	FOR_FOLD = 1,
	FOR_INFO = 2,
	FOR_FILTERS = 4,
	FOR_TOP = 8,
	FOR_DIFF = 16,
	FOR_MERGE = 32,
	FOR_SPANS = 64,
	FOR_PACK = 128,
	FOR_RESOLVE = 256,
	FOR_ANNOTATE = 512,
	FOR_VIEW = 1024,
	FOR_STRIP = 2048,
	/* those that make a profile of samples */
	FOR_PROFILE =
		FOR_FOLD | FOR_TOP | FOR_DIFF | FOR_MERGE | FOR_SPANS | FOR_ANNOTATE | FOR_VIEW,
	FOR_WRITERS = FOR_FOLD | FOR_DIFF | FOR_SPANS | FOR_MERGE, /* those that have outputs */
	FOR_SOURCES =
		FOR_FOLD | FOR_PACK | FOR_ANNOTATE | FOR_VIEW, /* that show or take source text */
	FOR_ALL = 4095,
};

/* For options_parse(): before the options are read, and after. */
void options_defaults(struct options *o);
int options_finish(struct options *o, struct err *e);

int options_parse(
	struct options *o, enum command_bits command, int argc, char **argv, struct err *e);
void options_release(struct options *o);
/* Prints the part of --help that lists the options of a command. */
void options_print_help(FILE *to, enum command_bits command);

/* Gets the options of commands one by one: *at begins with 0; false when there are no more. */
struct option_help {
	const char *name, *arg, *help;
	const char *words; /* that the value may be one of; NULL: any others */
	char letter;       /* 0: none */
};
bool options_next(unsigned commands, size_t *at, struct option_help *o);

#endif
