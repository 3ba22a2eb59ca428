/*
 * calibrate.h - what must be measured on some samples before all of them are read
 *
 * So far this is where the interpreter keeps its bytecode (jit_code/interpreter.h), measured on the
 * first samples with user stack dumps. One thread reads them, so that the answer is the same with
 * any number of workers.
 *
 * Owns: nothing between calls. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALIBRATE_H
#define PERFOLD_PROCESS_CALIBRATE_H

#include "process/pass2.h"

/* The blocks of p->pd are read, and rewound. */
void calibrate_interpreter(struct interpreter *in, const struct pass2 *p);

#endif
