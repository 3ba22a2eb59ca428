/*
 * stacktext.h - what the readers of stacks in texts other than `perf script` share
 *
 * A format says what a line means: stacktext_frame() for a frame, stacktext_end() for the end of a
 * stack. Blocks of lines, workers, known frames, choosing and merging are done here. A format that
 * does not consist of lines (JSON, pprof) opens a reader with one worker and feeds that.
 *
 * Events: if a format has none, its samples belong to an event named "samples".
 *
 * Owns: what its structs say. Borrows: recording and options. Threads: each worker has its own; the
 * rest of the reader is read by all while they run.
 */
#ifndef PERFOLD_INPUT_STACKS_STACKTEXT_H
#define PERFOLD_INPUT_STACKS_STACKTEXT_H

#include "input/text/text.h"

struct stacktext;
struct stacktext_reader;

/* Parses the text of a frame; false if it is none. Its name is in f, unless it has none: then its
 * kind is FRAME_UNKNOWN. */
typedef bool (*stacktext_make)(struct recording *r, struct span text, struct frame *f);

struct stacktext_format {
	const char *title; /* for `perfold info` */
	text_cut cut;
	stacktext_make make;
	bool has_units;     /* samples say what their event counts */
	bool counted;       /* stacks come with sums: of samples, unless the text says otherwise */
	size_t state_bytes; /* of what a worker remembers while it reads; zeroed */
	/* Finds what the front of the text says for all of it; may be NULL. */
	void (*scan_front)(struct stacktext_reader *reader, struct span front);
	void (*begin)(struct stacktext *s); /* a block; may be NULL */
	void (*line)(struct stacktext *s, struct span line);
	void (*end)(struct stacktext *s);     /* of a block; may be NULL */
	void (*release)(struct stacktext *s); /* what state owns; may be NULL */
};

struct stacktext_reader {
	const struct stacktext_format *format;
	struct recording *recording;
	struct read_opts opts;
	struct text_rules rules;
	module_id module;
	struct span first_event; /* the one used if the user names none; in arena or a constant */
	struct span unit;        /* of weights, likewise; "samples" by default */
	struct span comm;        /* of the process, likewise */
	bool by_samples;         /* --weight samples */
	uint8_t sums;            /* enum sum_kind; set by stacktext_begin() if it is not known */
	int32_t pid;             /* -1: not known */
	uint64_t first_time_ns, last_time_ns; /* of the samples; last: 0 where it is not known */
	struct arena arena;
	struct stacktext **workers;
	struct text_log **logs; /* of the workers */
	unsigned n_workers;
};

struct stacktext {
	const struct stacktext_reader *reader;
	struct text_log log;
	struct diag diag;
	void *state;
	uint32_t block, line; /* the current ones */
	uint64_t stacks;      /* with a count */

	struct arena strings;
	struct index by_string;
	struct stacktext_known {
		struct span string;
		site_id site; /* 0: no frame */
	} * known;
	uint32_t n_known, cap_known;
};

/* An input_format's read(): all of a text of lines. */
int stacktext_read(const struct stacktext_format *format, struct recording *r, const struct file *f,
	const struct input_head *head, const struct read_opts *o, struct pool *pool, struct err *e);

/* For formats that do not consist of lines. What format->scan_front() would set is set between the
 * first two calls; then the one worker is fed until stacktext_finish(), which gets the result of
 * that and returns it. */
void stacktext_open(struct stacktext_reader *reader, const struct stacktext_format *format,
	struct recording *r, const struct read_opts *o);
int stacktext_begin(struct stacktext_reader *reader, struct stacktext **worker, struct err *e);
/* A copy of a string that lives as long as the reader. */
struct span stacktext_keep(struct stacktext_reader *reader, struct span string);
int stacktext_finish(struct stacktext_reader *reader, int rc, struct err *e);
void stacktext_close(struct stacktext_reader *reader);

/* ---- while reading ---- */

/* Nothing known: no comm, pid, tid, cpu, time; one sample of the event "samples". */
struct text_sample stacktext_empty_sample(const struct stacktext *s);
/* Pushes a frame; false if text is none. */
bool stacktext_frame(struct stacktext *s, struct span text);
static inline bool stacktext_has_frames(const struct stacktext *s)
{
	return s->log.n_entries != 0;
}
/* Drops the frames that were pushed. */
void stacktext_drop(struct stacktext *s);
/* Counts the stack, pushed innermost frame first, for a sample, and drops it. sample->period is its
 * weight, 0: one. */
void stacktext_end(struct stacktext *s, const struct text_sample *sample);
/* Counts a stack that was pushed outermost frame first; it stays. */
void stacktext_count(struct stacktext *s, const struct text_sample *sample);
void stacktext_bad(struct stacktext *s, enum diag_kind kind);

/* ---- frames ---- */

/* Sets name and module of f: "" and "[unknown]" are no name; those of runtimes are parsed. */
void stacktext_name(struct recording *r, struct frame *f, struct span name, struct span module);
/* "name+0x1f" without the offset, hexadecimal with "0x" or decimal. */
struct span stacktext_without_offset(struct span name);
/* "0x7fff1234" and nothing else. */
bool stacktext_is_address(struct span s, uint64_t *address);

/* ---- lines ---- */

uint32_t stacktext_indent(struct span line);
/* A line of just a number. */
bool stacktext_is_count(struct span line, uint64_t *count);
/* Cuts the first word off *rest; empty at the end. */
struct span stacktext_word(struct span *rest);
/* A word that is a whole number. */
bool stacktext_number(struct span word, uint64_t *n);
/* Can a unit begin at p[at]? It is the first byte of a line of the n bytes at p. */
typedef bool (*stacktext_begins)(const char *p, size_t n, size_t at);
/* The last line that is not the first, is whole, and begins a unit; 0 if there is none. */
size_t stacktext_cut_before(const char *p, size_t n, stacktext_begins begins);
/* The bytes to recognize a format by that has no mark at its front: some hundred lines are enough,
 * as each text is offered to all formats. Empty where a NUL shows that they are no text. */
struct span stacktext_front(const struct input_head *head);

#endif
