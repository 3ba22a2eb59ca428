/*
 * script.h - the text of `perf script`, perf 4.x to 7.x, and of report_sample.py of simpleperf
 *
 * See script_event.h for the line that begins a sample and script_frame.h for frame lines. There
 * may also be header comments ("# hostname : ..."), PERF_RECORD_* lines (skipped, but for the count
 * of lost events), "DEFERRED CALLCHAIN" (the user part of an earlier sample: skipped and counted),
 * and all on one line where there are no callchains.
 */
#ifndef PERFOLD_INPUT_SCRIPT_SCRIPT_H
#define PERFOLD_INPUT_SCRIPT_SCRIPT_H

#include "input/input.h"

extern const struct input_format script_format;

#endif
