/*
 * v8prof.h - ticks of `node --prof`, by way of `node --prof-process --preprocess -j isolate*.log`
 *
 *	{ "code": [ { "name": "fib /srv/app.js:1:13", "type": "JS", "kind": "Opt" }, ... ],
 *	  "functions": [...],
 *	  "ticks": [ { "tm": us, "vm": state, "s": [code, offset, ...] }, ... ], "scripts": [...] }
 *
 * A tick is a sample; "s" is its stack, innermost first: a number in "code" with the offset in it,
 *or -1 with an address. Names become those of a perf map ("JS:*fib /srv/app.js:1:13",
 * "Builtin:Add"). vm is V8's state: 1 is the garbage collector, which is put on top.
 *
 * Source: lib/internal/v8_prof_polyfill.js of Node.js, tools/profile.mjs of V8.
 */
#ifndef PERFOLD_INPUT_V8PROF_H
#define PERFOLD_INPUT_V8PROF_H

#include "input/input.h"

extern const struct input_format stacks_v8prof;

#endif
