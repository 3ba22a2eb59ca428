/*
 * calibrate.h - what must be measured on some samples before all of them are read
 *
 * Where the interpreter keeps its bytecode (interpreter.h): from the first samples with copied
 * stacks. One thread reads them, so that the answer is the same with any number of workers.
 *
 * Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALIBRATE_H
#define PERFOLD_PROCESS_CALIBRATE_H

#include "process/pass2.h"

/* The blocks of p->pd are read, and rewound. */
void calibrate_interpreter(struct interpreter *in, const struct pass2 *p);

#endif
