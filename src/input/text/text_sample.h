/*
 * text_sample.h - a sample as a text says it, before anything is looked up
 *
 * Readers of all text inputs fill it, text_usage_count() turns it into numbers.
 *
 * Owns: nothing, strings point into the text. Threads: any.
 */
#ifndef PERFOLD_INPUT_TEXT_TEXT_SAMPLE_H
#define PERFOLD_INPUT_TEXT_TEXT_SAMPLE_H

#include "base/strtab.h"

struct text_sample {
	bool has_time;
	int32_t pid, tid, cpu; /* -1: not in the text */
	uint64_t time_ns;
	uint64_t period;  /* 0: not in the text */
	uint64_t samples; /* how many samples it sums up; 0: it is one */
	bool counted; /* the samples were counted as read: it is another value of the same ones */
	struct span comm, event;
	struct span process; /* the name of the process; empty: that of the thread */
	struct span unit;    /* what its event counts; empty: as the name says */
	str_id labels;       /* of this sample: label_list_pack(); 0: none */
	struct span fields;  /* what follows the event: a tracepoint's fields, or a frame */
};

#define TEXT_SAMPLE_INIT                                                                           \
	{                                                                                          \
		.pid = -1, .tid = -1, .cpu = -1                                                    \
	}

#endif
