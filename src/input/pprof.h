/*
 * pprof.h - profiles of pprof: of Go programs, gperftools, async-profiler, parca, perfold itself
 *
 * A protocol buffer, usually gzipped, which is unpacked beforehand. A type of value ("cpu",
 * "inuse_space") is an event. The one that counts where the user names none is the file's default
 * type, else that of its period, else the last; with --weight samples, "samples". What weights
 * count is the unit of the type, or the type where that is "count".
 *
 * Labels comm or thread, pid, tid and cpu say whose a sample is. A place with several lines holds
 * inlined functions. A place without lines has no name. A single frame named like the thread is a
 * stack without frames, as perfold writes it.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#ifndef PERFOLD_INPUT_PPROF_H
#define PERFOLD_INPUT_PPROF_H

#include "input/input.h"

extern const struct input_format input_pprof;

#endif
