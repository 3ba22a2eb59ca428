/*
 * bcc.h - stacks with counts, as tools of bcc print them without -f
 *
 *	    schedule                             frames, innermost first; kernel before user
 *	    --                                   between the two, with -d
 *	    poll
 *	    -                sshd (3243)         profile, offcputime: thread's name and number
 *	        4
 *
 *	  submit_bio                             stackcount: frames further left
 *	    vmstat [5]                           with -P: process's name and number
 *	    79
 *
 * Lines that are not indented belong to no stack. Weights of offcputime are microseconds, which
 * its first line says. With -f all these print folded stacks.
 *
 * Source: profile(8), offcputime(8), stackcount(8) of bcc.
 */
#ifndef PERFOLD_INPUT_BCC_H
#define PERFOLD_INPUT_BCC_H

#include "input/input.h"

extern const struct input_format stacks_bcc;

#endif
