/*
 * pprof.h - profiles of pprof: of Go programs, gperftools, async-profiler, parca, perfold itself
 *
 * A protocol buffer, usually gzipped, and unpacked beforehand. A type of value ("cpu",
 * "inuse_space") is an event. If the user names none, the file's default type counts, else that of
 * its period, else the last; with --weight samples, "samples". What weights count is the unit of
 * the type, or the type itself if the unit is "count".
 *
 * Labels comm or thread, pid, tid and cpu say whose a sample is. A place with several lines holds
 * inlined functions; one without lines has no name. A single frame with the thread's name is how
 * perfold writes a stack without frames.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#ifndef PERFOLD_INPUT_PPROF_H
#define PERFOLD_INPUT_PPROF_H

#include "input/input.h"

extern const struct input_format input_pprof;

#endif
