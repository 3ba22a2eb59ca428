/*
 * output.h - profiles to bytes: the table of formats
 *
 * A format is one file with a struct output_format and a line in output_formats.c.
 */
#ifndef PERFOLD_OUTPUT_OUTPUT_H
#define PERFOLD_OUTPUT_OUTPUT_H

#include "base/pool.h"
#include "base/sink.h"
#include "model/annotations.h"
#include "model/branch_profile.h"
#include "model/durations.h"
#include "model/profile_part.h"
#include "model/profile.h"
#include "model/sample_profile.h"
#include "model/report.h"
#include "model/tiers.h"
#include "compare/costs.h"
#include "compare/verdict.h"

/* Options for pictures; zero and NULL mean the default. */
struct picture_opts {
	const char *title, *subtitle, *notes, *count_name, *name_type, *font_type;
	const char *colors;     /* a palette's name */
	const char *background; /* yellow, blue, green, grey or #rrggbb */
	unsigned width, frame_height;
	double font_size;
	double min_width; /* in pixels, or a share of the whole in percent: */
	bool min_width_is_percent;
	bool min_width_given; /* else 0.1 pixels */
	bool flamechart;      /* wants rows in order of time */
	bool inverted, reverse, hash_colors, negate;
};

/* An input that a profile is compared with. */
struct output_side {
	struct recording *const *recordings;
	size_t n_recordings;
	const struct diag *diag; /* of reading it */
};

struct output_opts {
	struct picture_opts picture;
	const struct recording_facts *facts; /* of the first input; may be NULL */
	struct recording *const *recordings; /* all inputs, by profile_thread.recording */
	size_t n_recordings;
	const char *const *before; /* paths of the inputs that the profile is compared with */
	size_t n_before;
	const struct output_side *sides; /* n_before of them, of a difference; may be NULL */
	const char *diff_args; /* of a command that compares the same again; NULL: none does */
	const struct verdict *verdict;           /* of --fail-if; may be NULL */
	const struct durations_shown *durations; /* of perfold spans; else NULL */
	const struct report *report;             /* rules, advice; may be NULL */
	const struct diag *diag;                 /* of the whole run; may be NULL */
	const struct tiers *tiers;               /* for pictures of the whole; may be NULL */
	const struct annotations *annotations;   /* source and costs of functions; may be NULL */
	const struct branch_binary *branches;    /* of OUTPUT_BRANCHES; else NULL */
	const struct sample_profile *samples;    /* of OUTPUT_BY_LINE; else NULL */
	const char *version;                     /* of perfold */
	bool native_places;                      /* --lines: native code is shown with its source */
	unsigned page_tokens;                    /* of Markdown, at most about; 0: the default */
	struct pool *pool;                       /* workers for long jobs; may be NULL */
};

enum output_needs {
	OUTPUT_BY_NAME = 1u << 0,    /* needs the tree by name, not the full one */
	OUTPUT_TIMELINE = 1u << 1,   /* needs rows in order of time */
	OUTPUT_ONE_THREAD = 1u << 2, /* reports only the busiest thread */
	OUTPUT_REPORT = 1u << 3,     /* needs output_opts.report */
	OUTPUT_FULL = 1u << 4,       /* for a caller: the full tree, and nothing else */
	OUTPUT_DIFFERENCE = 1u << 5, /* can show a difference (profile.before) */
	OUTPUT_PICTURE = 1u << 6,    /* draws it: needs widths as weights (diff_picture()) */
	OUTPUT_SAMPLES = 1u << 7,    /* is made from rows: sums are not enough */
	OUTPUT_WEIGHTS = 1u << 8,    /* never asks how many samples a weight is of */
	OUTPUT_LINES = 1u << 9,      /* shows lines: nodes differ in the line of what ran */
	/* Shows addresses of instructions, with OUTPUT_LINES: nodes differ in these, too. */
	OUTPUT_ADDRESSES = 1u << 10,
	OUTPUT_JIT_LINES = 1u << 11, /* shows lines of generated code; may be given any */
	OUTPUT_PLACES = 1u << 12,    /* shows the source of functions (output_opts.annotations) */
	/* Is made from cells: samples by stack, thread and event, which may count different things;
	 * with --lines, of frames that have lines. */
	OUTPUT_CELLS = 1u << 13,
	/* Shows branches in a binary (output_opts.branches), nothing of the profile: one file for
	 * each binary. */
	OUTPUT_BRANCHES = 1u << 15,
	/* With OUTPUT_BRANCHES: shows how often lines ran (output_opts.samples), of binaries with
	 * debug information. With OUTPUT_PLAIN_DISCRIMINATORS as GCC has these, else as LLVM has.
	 */
	OUTPUT_BY_LINE = 1u << 16,
	OUTPUT_PLAIN_DISCRIMINATORS = 1u << 17,
	OUTPUT_LABELS = 1u << 14, /* shows labels of samples: of a sum, it has cells for them */
};

struct output_format {
	const char *name;            /* --to NAME */
	const char *const *suffixes; /* ".svg", NULL ended */
	const char *about;           /* for --to list */
	unsigned needs;
	enum sink_compression packing; /* of its own, where the path says none */
	int (*write)(const struct profile *p, const struct output_opts *o, struct sink *to,
		struct err *e);
};

extern const struct output_format *const output_formats[]; /* NULL ended */

/* Names for picture_opts.colors, by number; NULL after the last. */
const char *output_palette(unsigned number);

const struct output_format *output_by_name(const char *name);
/* The format for the suffix of a path; a .gz or .zst after it sets *packing. NULL: none. */
const struct output_format *output_by_path(const char *path, enum sink_compression *packing);

/* The file of a part, appended to b: path with its placeholders (%c name, %p pid, %t tid, %e event,
 * %u cpu, %n number, %% a percent sign) filled in; without placeholders, with a name for the part
 * before the suffix. Names are made safe for a file name. */
void output_part_path(struct buf *b, const char *path, const struct profile_part *part,
	const struct strtab *strings);
/* Two parts must not become one file: ERR_USAGE if two paths are the same. */
int output_check_paths(char *const *paths, size_t n, struct err *e);
/* ERR_USAGE if a path has any other placeholder. */
int output_check_marks(const char *path, struct err *e);

/* Durations, of perfold spans (output/durations_*.c). d is settled. */

void output_durations_json(const struct durations *d, const struct profile *p, struct sink *to);
void output_durations_trace(const struct durations *d, const struct profile *p, struct sink *to);
/* How many took how long, as a page of its own or as a picture. */
void output_durations_histogram(
	const struct durations *d, const struct profile *p, bool page, struct sink *to);
/* What took how long when. */
void output_durations_heatmap(
	const struct durations *d, const struct profile *p, bool page, struct sink *to);

/* Source, of perfold annotate. */
void output_annotations_json(const struct annotations *a, const struct profile *p, struct sink *to);

/* Tables and trees of perfold top --json (output/costs_json.c). */

struct output_costs_table {
	const struct costs *costs;
	const struct function_cost *row;
	uint32_t n, most; /* at most so many of n rows are written */
	bool cumulative;  /* with the sum of the self costs so far */
	/* Beside latency, CPU time: of each row, and of everything. NULL: not wanted. */
	const struct function_cost *cpu;
	uint64_t cpu_whole;
};

void output_costs_table_json(const struct output_costs_table *t, struct sink *to);
/* What weighs at least so much, the first nodes of it; shares are of whole. */
void output_costs_tree_json(
	const struct profile *tree, uint64_t whole, double least, uint32_t most, struct sink *to);

/* Verdicts, of --fail-if (output/verdict_*.c). */

void output_verdict_text(const struct verdict *v, struct sink *to);
void output_verdict_markdown(const struct verdict *v, struct sink *to);
void output_verdict_json(const struct verdict *v, struct sink *to);

#endif
