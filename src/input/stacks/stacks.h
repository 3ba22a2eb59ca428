/*
 * stacks.h - stacks as other tools print them: the formats, and what their readers share
 *
 * The head of each .c file shows its format. Readers of profiles/ use stacktext.h as well.
 */
#ifndef PERFOLD_INPUT_STACKS_STACKS_H
#define PERFOLD_INPUT_STACKS_STACKS_H

#include "input/stacks/stacktext.h"

extern const struct input_format stacks_bcc, stacks_bpftrace, stacks_dtrace, stacks_godump,
	stacks_jstack, stacks_macsample, stacks_v8prof;

#endif
