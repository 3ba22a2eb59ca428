/*
 * recording.h - what was read from an input: raw stacks, before symbolization
 *
 * Every input fills one. Stacks are in a log for each worker; sites say what their frames are;
 * there is a timeline only if a writer needs order.
 *
 * Owns: everything in it but the strtab and the frames, which all inputs of a run share (borrowed).
 * Threads: each worker fills its own log, timeline and diag; the tables have locks inside; the rest
 * belongs to the thread that reads.
 */
#ifndef PERFOLD_MODEL_RECORDING_H
#define PERFOLD_MODEL_RECORDING_H

#include "model/branch_profile.h"
#include "model/branch_sites.h"
#include "model/diag.h"
#include "model/label_list.h"
#include "model/marks.h"
#include "model/span_count.h"
#include "model/off_cpu.h"
#include "model/recorded_symbols.h"
#include "model/roots.h"
#include "model/site_code.h"
#include "model/source_files.h"
#include "model/thread_times.h"
#include "model/timeline.h"

/* What the counts of an input of sums say, from the best known to the least. */
enum sum_kind {
	SUMS_NONE,       /* it has single samples */
	SUMS_OF_SAMPLES, /* how many samples a stack has, maybe beside its weight */
	SUMS_ASSUMED,    /* not what they count: taken as samples (folded stacks) */
	SUMS_OF_OTHERS,  /* bytes, time, ...: each stack counts as one sample, as none is known */
};

/* An event (perf_event_attr) or, of a text input, an event name. */
struct event {
	str_id name;            /* "cycles:u", "sched:sched_switch" */
	str_id unit;            /* what weights count, where the input says so; else 0 */
	uint64_t samples;       /* in the recording, before any choice */
	uint64_t kept, weight;  /* the samples used, and the sum of their periods */
	uint64_t lost;          /* samples of it that the kernel says it lost */
	uint64_t throttled;     /* how often the kernel stopped it for a while */
	uint64_t first_time_ns; /* of its earliest sample; UINT64_MAX: none */
	uint64_t period;        /* fixed period, 0 where it is a frequency */
	uint64_t frequency_hz;  /* 0 where the period is fixed */
	bool chosen;            /* its samples are used */
	bool tracepoint;
	bool counted;      /* the period is the increase of a counter, and includes what was lost */
	bool time_ns_unit; /* the period is in nanoseconds: cpu-clock, task-clock */
	bool periods;      /* of a text: it has periods; if it has no name, they are the unit */
};

/* A process in the recording, for `info` and for choosing the busiest. */
struct process_use {
	int32_t pid;
	str_id name;
	uint64_t samples;
	uint64_t begun_ns;   /* by its latest exec or fork; 0: before the recording */
	bool generated_code; /* has executable memory without a file */
	str_id perf_map;     /* the map used for it, 0: none */
	str_id jitdump;      /* the dump used for it, 0: none */
	bool jit_untimed;    /* the dump's times cannot be compared with those of the samples */
	/* Files under another number (a container's), found by the addresses that they name:
	 * covered of those that were sampled. 0: found by their number, or not at all. */
	uint32_t covered, sampled;
	bool ambiguous;     /* several such files fit equally well: none is used */
	str_id map_refused; /* a map or dump that links or owners forbid, and why; 0: none */
	bool map_too_old;   /* a map in /tmp is another process's: it is older than this one */
	/* Where the function of an interpreter's frame is found, below the frame pointer; 0: it is
	 * not found. */
	uint32_t interpreter_slot_bytes;
};

struct thread_use {
	int32_t pid, tid;
	str_id name;
	uint64_t name_time_ns; /* since when it has that name, its latest */
	uint64_t samples, weight;
};

/* Branch stacks, from the least useful to the most. */
enum branch_stacks_kind {
	BRANCH_STACKS_NONE,
	BRANCH_STACKS_OF_CALLS,  /* that have not returned yet: perf record --call-graph lbr */
	BRANCH_STACKS_NAMED,     /* of a text, between symbols */
	BRANCH_STACKS_UNMAPPED,  /* of a text that does not say what was mapped where */
	BRANCH_STACKS_COUNTABLE, /* in the order in which they were taken */
};

/* Plain facts from the header. Strings are 0 where the recording does not have them. */
struct recording_facts {
	str_id format;      /* "perf.data", "perf script text", "folded" */
	str_id fingerprint; /* base/fingerprint.h of its file or files; 0: nobody asked, or a pipe
			     */
	str_id host, os_release, arch, cmdline, perf_version, cpu;
	uint32_t n_cpus;
	uint32_t n_parts; /* how many files of one run it was read from; 0: not from perf.data */
	uint64_t first_time_ns, last_time_ns; /* of the samples; first > last: no times */
	uint64_t wall_ns; /* time of day of the first one, since 1970; 0: not recorded */
	bool has_callchains, has_times;
	bool copied_stacks; /* chains of the chosen events come from copied stacks */
	bool links;         /* callers that the link register says were put into chains */
	bool kernel_hidden; /* kptr_restrict: kernel addresses were recorded as 0 */
	bool exclude_kernel;
	bool same_machine; /* host name and kernel release are those of this machine */
	bool v8_samples;   /* they are V8's: its profiles count samples in hitCount, not time */
	bool packed;       /* it comes from a pack, */
	bool packed_source_maps; /* which has source maps */
	bool killed;             /* the recorder did not finish its file */
	uint32_t annotate;       /* bits of enum annotate: the marks that names of the input had */
	uint8_t sums;            /* enum sum_kind */
	uint8_t branch_stacks;   /* enum branch_stacks_kind: the best of its events */
	bool parallelism_estimated; /* --weight latency: how many threads ran is known by samples */
};

/* How well generated code was named: see model/generated_code.h. */
struct recording_generated {
	/* Samples with a frame at an address for which a map without times has several
	 * functions. */
	uint64_t ambiguous_samples, ambiguous_weight;
	/* In copied stacks: frames of an interpreter, and those of them that show their function. A
	 * frame counts as often as there are samples with it. */
	uint64_t interpreted, interpreted_named;
	uint32_t slot_bytes; /* below the frame pointer, where it is found; 0: nowhere */
};

struct recording {
	const char *path;       /* borrowed */
	struct strtab *strings; /* borrowed */
	struct frames *frames;  /* borrowed */
	struct modules *modules;
	struct sites *sites;
	struct roots *roots;
	struct stacklog **logs;           /* at least one */
	struct timeline **timelines;      /* NULL, or one for each log */
	struct marks **marks;             /* likewise, instead of them */
	struct branch_traces *branches;   /* sorted; NULL: nobody asked, or binaries have them */
	struct branch_sites branch_sites; /* of these, if somebody asked for names */
	struct branch_binary *written_branches; /* of a profile for compilers; NULL: it is none */
	struct mark_gap *gaps; /* with marks: when records were lost, in order of time */
	size_t n_gaps;
	struct thread_times *inside;    /* with marks and --during: times of spans to report */
	struct span_count *span_counts; /* by condition of --during */
	uint32_t n_span_counts;
	struct numbered_span *numbered; /* those that are to be listed, in order of numbers */
	size_t n_numbered;
	unsigned n_logs;
	struct event *events;
	uint32_t n_events;
	struct process_use *processes; /* by pid */
	uint32_t n_processes;
	struct thread_use *threads;
	uint32_t n_threads;
	struct recorded_symbols symbols; /* that the recording itself holds */
	struct source_files *sources;    /* that frames name; NULL: nobody wants them */
	struct recording_facts facts;
	struct label_list labels;             /* that the user gave it */
	struct recording_generated generated; /* once names are found */
	struct off_cpu off_cpu;               /* only with timelines */
	struct diag diag;
	uint64_t samples_read, samples_kept;
	/* If counted: samples whose innermost function of user code had no stack frame of its own,
	 * so that frame pointers led past its caller. */
	uint64_t frameless_samples;
	uint64_t understood;  /* of a text: lines or stacks; those that were not are in diag */
	uint64_t stacks_read; /* of an input of sums: how many; else 0 */
	uint64_t weight_kept;
	bool rows_have_duration; /* a row begins at its time, and lasts as long as it weighs:
				    --off-cpu */
	str_id weighs;           /* "Off-CPU time": where that is not the event's; else 0 */
	str_id weight_unit;      /* what weights count, if not what events do; else 0 */
	/* By site, of those there were when names were looked for; NULL: frames say it. */
	struct site_code *code;
	uint32_t n_code;
	struct site_counts *site_counts; /* those that site_use.h made last */
	/* Of a sum of recordings (model/recording_sum.h): their frames, by enum frame_why. */
	uint64_t summed_frames[WHY_COUNT];
};

struct recording *recording_new(const char *path, struct strtab *strings, struct frames *frames);
void recording_free(struct recording *r);

/* NULL: there is none. */
struct process_use *recording_process(const struct recording *r, int32_t pid);

/* Why the branch stacks of a recording cannot be counted, and how to record or print others; NULL:
 * they can, or there are none. */
const char *recording_uncountable_branches(const struct recording *r);

/* What the weights of the chosen events count: "samples", "nanoseconds" (of cpu-clock and
 * task-clock), or the event's name without modifiers; "events" if the chosen ones differ. */
str_id recording_unit(const struct recording *r, bool weight_by_samples);
/* The same of one event, among others that may be chosen. */
str_id recording_event_unit(
	const struct recording *r, const struct event *v, bool weight_by_samples);
/* The weight of one sample of an event at the recorded rate; 0: not known. */
uint64_t recording_event_period(const struct event *v);

#endif
