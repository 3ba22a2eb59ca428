/*
 * script_event.h - the line that begins a sample in the text of `perf script`
 *
 *	[COMM] [PID/]TID [CPU] SECONDS.FRACTION: [PERIOD] EVENT: REST
 *
 * Any field may be missing (perf script -F), columns are padded, and a thread's name may hold
 * anything: "worker 7", "k: 12/34 a<tab>b", "(anon) [x]", "7". Where that is ambiguous:
 *
 *  - The line is read backward from the time: before it are a CPU in brackets and the number of the
 *    thread, and all the rest is the name. So "worker 7   333 1.0:" is thread 333 of name
 *    "worker 7" (stackcollapse-perf.pl: thread 7 of "worker").
 *  - Without a time the number of the thread is the first one that is followed by [CPU], period
 *    and EVENT: in this order, or by the end of the line. perf pads a period to ten columns, a
 *    thread's number to five or seven: that distinguishes "worker 7   333 cycles:" from
 *    "worker   333          7 cycles:".
 *  - Between the number and the time there may be up to two more fields (-F +misc, +tod).
 *
 * Owns: nothing, all strings point into the line. Threads: any.
 * Source: process_event() and perf_sample__fprintf_start() in tools/perf/builtin-script.c.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_EVENT_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_EVENT_H

#include "input/text/text.h"

enum script_event_kind {
	SCRIPT_SAMPLE,
	SCRIPT_RECORD,   /* PERF_RECORD_*: not a sample; event holds the name and what follows */
	SCRIPT_DEFERRED, /* the user part of an earlier sample's stack */
};

struct script_event {
	enum script_event_kind kind;
	struct text_sample sample; /* as far as the line has it */
};

enum script_match {
	SCRIPT_NO,
	SCRIPT_LOOSE,  /* may be an event, where one is expected: "node 29504" */
	SCRIPT_STRICT, /* is an event wherever it is */
};

enum script_match script_event_parse(struct span line, struct script_event *v);
/* Is a line an event wherever it is? A "#" begins a comment, though it may begin names too. */
bool script_event_is_strict(struct span line, struct script_event *v);

/* The frame at the end of a sample's only line, from its address on: blanks and address fill 17
 * columns. False if there is none. */
bool script_event_frame(struct span rest, struct span *frame);

#endif
