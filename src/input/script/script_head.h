/*
 * script_head.h - what the front of a `perf script` text says about all of it
 *
 * The same bytes are read in any case, before workers get blocks, so that neither the number of
 * workers nor the size of blocks changes what is found.
 *
 * Owns: copies of strings. Threads: one.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_HEAD_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_HEAD_H

#include "input/text/text.h"

struct script_head {
	bool has_sample;         /* a line that begins a sample was found */
	bool bare;               /* nothing begins samples but their frames or branches */
	bool only_branches;      /* a line is a sample */
	bool has_modules;        /* frame lines end with "(MODULE)" */
	bool has_branches;       /* lines end with branch stacks, by address */
	bool has_named_branches; /* by symbol */
	uint64_t first_time_ns;  /* of the first sample; 0: none */
	struct buf first_event;  /* its event's name, maybe empty */
	struct event *described; /* rates from "# event : name = ..." */
	uint32_t n_described, cap_described;
};

/* Facts of the header comments go into r. */
int script_head_read(
	struct script_head *h, struct text_reader *t, struct recording *r, struct err *e);
/* Copies the rates of events from the header to the events of r. */
void script_head_describe(const struct script_head *h, struct recording *r);
void script_head_release(struct script_head *h);

/* How likely these bytes are such a text, see struct input_format. */
int script_head_bid(const struct input_head *head);

/* The time of the last sample of a regular file; 0 if none is found. */
int script_head_last_time(const struct file *f, uint64_t *time_ns, struct err *e);

#endif
