/*
 * text_usage.h - the events and threads that one worker has seen, and which of them are wanted
 *
 * The strings of a sample become numbers once for each distinct event and each distinct (name, pid,
 * tid); only the rest is decided sample by sample.
 *
 * A text has neither the name of the process nor the cgroup: the thread's name serves as the
 * former, and the latter is never known.
 *
 * Owns: its tables. Borrows: the recording, the options. Threads: each has its own; merging is done
 * by one, when all are finished.
 */
#ifndef PERFOLD_INPUT_TEXT_TEXT_USAGE_H
#define PERFOLD_INPUT_TEXT_TEXT_USAGE_H

#include "base/arena.h"
#include "base/index.h"
#include "input/input.h"
#include "input/text/text_sample.h"

/* What holds for all of a text, known from its front. */
struct text_rules {
	const struct read_opts *opts;
	struct span first_event; /* of the first sample; owned by the reader of the text */
	uint64_t from_ns, to_ns; /* both inclusive */
};

struct text_usage {
	struct recording *recording;
	const struct text_rules *rules;
	struct arena strings;

	struct index by_event;
	struct text_usage_event {
		struct span name;
		struct event event;
		uint64_t place; /* in the text, of its first sample */
	} * events;
	uint32_t n_events, cap_events, last_event;

	struct index by_thread;
	struct text_usage_thread {
		struct span comm, process;
		struct thread_use use;
		uint64_t place;    /* of the last sample */
		uint32_t timeline; /* its number in the timeline */
		bool wanted;
	} * threads;
	uint32_t n_threads, cap_threads;

	struct index by_root;
	struct text_usage_root {
		uint32_t thread, event;
		int32_t cpu;
		root_id root;
		str_id labels;
		str_id field[ROOT_FIELDS_MAX];
	} * roots;
	uint32_t n_roots, cap_roots;

	uint64_t first_time_ns, last_time_ns;
	uint64_t samples_read, samples_kept, weight_kept;
	bool has_pid, has_tid, has_cpu, has_time;
};

void text_usage_init(struct text_usage *u, struct recording *r, const struct text_rules *rules);
void text_usage_release(struct text_usage *u);

/* A sample in numbers. */
struct text_counted {
	uint32_t event, thread;
	int32_t cpu;
	uint64_t time_ns, weight;
	uint64_t place;                /* in the text */
	uint64_t samples;              /* as in struct text_sample */
	str_id labels;                 /* likewise, if they are wanted */
	str_id field[ROOT_FIELDS_MAX]; /* of --root field:NAME */
};

/* Counts a sample; false if the user does not want it. place orders samples in the text. */
bool text_usage_count(
	struct text_usage *u, const struct text_sample *v, uint64_t place, struct text_counted *s);
/* The root frames of a sample that was counted. */
root_id text_usage_root(struct text_usage *u, const struct text_counted *s);

/* Puts all workers' counts into the recording: events in the order of the text, threads by
 * number. event_number[w] gets a table from w's events to the recording's, to be freed. */
void text_usage_merge(
	struct recording *r, struct text_usage *const *usages, unsigned n, uint32_t **event_number);
/* After merging: the last name of a thread. */
str_id text_usage_name(const struct recording *r, int32_t pid, int32_t tid);
/* ERR_UNSUPPORTED if the user chose by something that no sample has. */
int text_usage_check(struct text_usage *const *usages, unsigned n,
	const struct sample_choice *choice, struct err *e);

#endif
