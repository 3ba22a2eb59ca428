/*
 * cpuprofile.h - V8's CPU profile (.cpuprofile), of node --cpu-prof, DevTools, or perfold itself
 *
 *	{ "nodes": [ { "id", "callFrame": { "functionName", "url", "lineNumber", "columnNumber" },
 *	  "hitCount", "children": [id, ...] or "parent": id }, ... ],
 *	  "startTime": us, "endTime": us, "samples": [id, ...], "timeDeltas": [us, ...] }
 *	{ "head": { "functionName", "url", "lineNumber", "hitCount", "children": [{...}, ...] },
 *	  "startTime": s, "endTime": s, "samples": [id, ...], "timestamps": [us, ...] }     before
 *2016
 *
 * With times, a sample weighs the nanoseconds until the next one, the last one until endTime, as in
 * DevTools; without times it weighs one. Where there are no samples, a node weighs its hitCount. A
 * function is "NAME URL:LINE:COLUMN", as V8 names it in a perf map, without the tier. The root,
 * "(root)", is no frame; in profiles that were converted from something else it is the name of the
 * process.
 *
 * Source: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 */
#ifndef PERFOLD_INPUT_CPUPROFILE_H
#define PERFOLD_INPUT_CPUPROFILE_H

#include "input/input.h"

extern const struct input_format input_cpuprofile;

#endif
