/*
 * script_event.h - the line that begins a sample in the text of `perf script`
 *
 *	[COMM] [PID/]TID [CPU] SECONDS.FRACTION: [PERIOD] EVENT: REST
 *
 * Any field may be missing (perf script -F), columns are padded, and a thread's name may hold
 * anything: "worker 7", "k: 12/34 a<tab>b", "(anon) [x]", "7". Where that is ambiguous:
 *
 *  - The line is read backward from the time: before it stand a processor in brackets and the
 *    number of the thread, all the rest is the name. So "worker 7   333 1.0:" is thread 333 of
 *    name "worker 7" (stackcollapse-perf.pl: thread 7 of "worker").
 *  - Without a time the number of the thread is the first one that is followed by [CPU], period
 *    and EVENT: in this order, or by the end of the line. A period is padded to ten columns by
 *    perf, a thread's number to five or seven: that tells "worker 7   333 cycles:" from
 *    "worker   333          7 cycles:".
 *  - Between the number and the time, up to two more fields may stand (-F +misc, +tod).
 *
 * Owns: nothing, all texts point into the line. Threads: any.
 */
#ifndef PERFOLD_INPUT_SCRIPT_EVENT_H
#define PERFOLD_INPUT_SCRIPT_EVENT_H

#include "base/span.h"

enum script_event_kind {
	SCRIPT_SAMPLE,
	SCRIPT_RECORD,   /* PERF_RECORD_*: not a sample; event holds the name and what follows */
	SCRIPT_DEFERRED, /* the user part of an earlier sample's stack */
};

struct text_sample {
	uint8_t kind;
	bool has_time;
	int32_t pid, tid, cpu; /* -1: not in the text */
	uint64_t time_ns;
	uint64_t period;  /* 0: not in the text */
	uint64_t samples; /* how many samples it sums up; 0: it is one */
	struct span comm, event;
	struct span rest; /* tracepoint's fields; the frame of a sample on one line */
};

enum script_match {
	SCRIPT_NO,
	SCRIPT_LOOSE,  /* may be an event, where one is expected: "node 29504" */
	SCRIPT_STRICT, /* is an event wherever it stands */
};

enum script_match script_event_parse(struct span line, struct text_sample *v);

/* The frame at the end of a sample's only line, from its address on: blanks and address fill 17
 * columns. False if there is none. */
bool script_event_frame(struct span rest, struct span *frame);

#endif
