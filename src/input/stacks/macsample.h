/*
 * macsample.h - the report of sample(1) of macOS (Activity Monitor writes the same)
 *
 *	Analysis of sampling node (pid 1234) every 1 millisecond
 *	Call graph:
 *	    2610 Thread_2110   DispatchQueue_1: com.apple.main-thread  (serial)
 *	    + 2600 start  (in libdyld.dylib) + 1  [0x7fff5a]
 *	    + ! 2600 main  (in node) + 94  [0x100e5]  main.c:12
 *	    + 10 ???  (in node)  load address 0x1000 + 0x123  [0x1123]
 *
 *	Total number in stack (recursive counted multiple, when >=5):
 *
 * A line's number also counts what is below it; two columns are one level. What it has beyond the
 * lines right below is its own.
 *
 * Source: sample(1).
 */
#ifndef PERFOLD_INPUT_MACSAMPLE_H
#define PERFOLD_INPUT_MACSAMPLE_H

#include "input/input.h"

extern const struct input_format stacks_macsample;

#endif
