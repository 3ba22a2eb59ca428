/*
 * read_opts.h - how an input is read: which of its samples, what each weighs, what is kept of it
 *
 * One struct is held by pointer from the command line to the workers that read: the pipeline fills
 * in what it derives from rules and outputs, process/ and input/ only read it. Text inputs
 * ignore the options marked "Recordings only".
 *
 * Owns: nothing; what it points to is borrowed. Threads: any may read it.
 */
#ifndef PERFOLD_MODEL_READ_OPTS_H
#define PERFOLD_MODEL_READ_OPTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct files_opts;
struct mark_fields;
struct progress;
struct root_fields;
struct sample_choice;
struct strip;

/* The treatment of copied stacks that were cut off by the size of the copy. */
enum truncated_mode {
	TRUNCATED_KEEP, /* they begin with a frame [truncated] */
	TRUNCATED_DROP, /* their samples are left out */
	/* They get the outermost frames of a complete one (process/callstack/stitch.h); those
	 * without a model are kept. Not with compat_perf. */
	TRUNCATED_MERGE,
};

/* Blocked time instead of samples, alone or with the samples of what ran. */
enum off_cpu_mode { OFF_CPU_NOT, OFF_CPU_ALONE, OFF_CPU_WALL };

/* Which threads share a moment, with --weight latency. */
enum parallelism_of { PARALLELISM_OF_PROCESS, PARALLELISM_OF_RECORDING };

struct read_opts {
	/* Samples: which are read */
	const char *const *events; /* NULL ended names or globs; NULL: that of the first sample */
	const struct sample_choice *choice; /* NULL: all samples */

	/* Samples: what is kept of them */
	uint32_t root_fields; /* bits 1 << enum root_part: what the key of a stack holds */
	const struct root_fields *root_field_names; /* of parts from ROOT_FIELD on; NULL: none */
	const char *weight_field; /* a sample weighs what this field says; NULL: its period */
	bool weight_by_samples;
	/* Recordings only: its period divided by how many threads ran at that moment. */
	bool weight_by_latency;
	enum parallelism_of parallelism_of;
	bool timeline;                   /* rows for writers that need time */
	const struct mark_fields *marks; /* make marks with these fields; NULL: none */
	/* Marks of all threads, and of records SWITCH: what one thread does ends another's wait. */
	bool marks_of_switches;
	bool addresses; /* of texts: keep the addresses of frames without a name */

	/* Recordings only */
	enum off_cpu_mode off_cpu;
	bool wakers;                         /* with, on top of it, the stack that ended it */
	unsigned waker_depth;                /* and who woke that one, ...; 0: as 1 */
	uint64_t min_block_ns, max_block_ns; /* max 0: any */
	enum truncated_mode truncated;
	bool lines;          /* frames from jitdumps have their line */
	bool code_addresses; /* frames from jitdumps have their address */
	bool branches;       /* branch stacks are counted: recording.branches; */
	/* and where no event that is wanted has any, addresses of samples instead. */
	bool branch_samples;
	bool columns; /* and V8's their column, for source maps */
	const char *
		by_label; /* timelines keep samples of several values of a label apart; NULL: not */
	bool by_cgroup;   /* timelines keep threads of several cgroups apart */
	bool compat_perf; /* no late maps; perf's choices in generated code */
	struct strip *strip;            /* a copy without stacks is to be written; NULL: none */
	const struct files_opts *files; /* where maps of generated code are looked for */

	/* The run */
	size_t block_bytes; /* 0: the default; small in tests */
	/* Held around libraries that have variables of their own; NULL: nothing else runs. */
	pthread_mutex_t *library_lock;
	struct progress *progress; /* may be NULL */
};

#endif
