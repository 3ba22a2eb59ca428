/*
 * godump.h - what the goroutines of a Go program were doing
 *
 *	goroutine 19 [chan receive, 5 minutes]:      of a panic, of SIGQUIT, or of the profile with
 *	main.(*T).wait(0x0?, 0x0?)                   debug=2
 *		/src/m.go:4 +0x31
 *	created by main.main in goroutine 1
 *		/src/m.go:8 +0x85
 *
 *	3 @ 0x47d92e 0x480ac5 0x4da09d               of the profile with debug=1: three goroutines
 *	#	0x480ac4	time.Sleep+0x164	/src/time.go:363
 *
 * A goroutine is a sample: what it does or waits for ("chan receive") is its root frame, and its
 * number stands for the thread's. Where it was made is the outermost frame. Lines are those of
 * calls.
 *
 * Source: runtime/pprof and runtime (traceback) of Go.
 */
#ifndef PERFOLD_INPUT_GODUMP_H
#define PERFOLD_INPUT_GODUMP_H

#include "input/input.h"

extern const struct input_format stacks_godump;

#endif
