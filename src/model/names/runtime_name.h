/*
 * runtime_name.h - parsing the names that runtimes give generated code
 *
 *	V8       JS:*fib /srv/app.js:5:13                     see v8_name.h
 *	Python   py::Words.join:/srv/app.py                   sys.activate_stack_trampoline()
 *	Ruby     [JIT] Integer#fib@/srv/app.rb:3              YJIT; zjit:: before it: ZJIT
 *	LuaJIT   TRACE_12::@/srv/app.lua:34                   lj_trace.c, LUAJIT_USE_PERFTOOLS
 *	PHP      TRACE-3$fib$2  JIT$fib                       opcache.jit_debug
 *	.NET     void [app] Program::Main(string[])[OptimizedTier1]
 *	JSC      JSC-FTL: fib#EgW0sx                          Bun; after # a hash of its source
 *	Java     Lpkg/A;::f->Lpkg/B;::g                       perf-map-agent: g inlined into f
 *
 * Names of Java, Erlang and Julia are a function and no more: the parser leaves them alone.
 *
 * Owns: nothing; the parts point into the name (borrowed). Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_RUNTIME_NAME_H
#define PERFOLD_MODEL_NAMES_RUNTIME_NAME_H

#include "model/frames.h"
#include "model/names/v8_name.h"

/* Tiers of runtimes other than V8, in the same field of a frame. */
enum code_tier {
	CODE_QUICK = V8_TURBOFAN + 1, /* compiled quickly */
	CODE_OPTIMIZED,
	CODE_PREBUILT, /* compiled when the program was built */
	CODE_TIERS,
};

/* False if the name has no parts; out is then zeroed. out->rest is the name without its tier. */
bool runtime_name_parse(struct span name, struct v8_name *out);
/* Fills a frame from a name: the place in the source, and the tier. */
void runtime_name_describe(struct frame *f, struct strtab *strings, const struct v8_name *name);

/* Is it that of a trampoline of CPython: a few instructions, the same for all functions, that call
 * the interpreter? */
bool runtime_name_is_trampoline(struct span name);

/* Is it that of code which PHP's JIT has made, be it a function, a trace or a stub? */
bool runtime_name_is_php(struct span name);

/* Is it that of a trace of LuaJIT? */
bool runtime_name_is_luajit(struct span name);

/* Is it that of code which QEMU has translated, and of which it knows only the address? */
bool runtime_name_is_qemu(struct span name);

/* The name of a compiled regular expression, whose brackets and arrows mean something else. */
bool runtime_name_is_regexp(struct span name);

/* Cut the function before the next "->" off *rest; what follows was inlined into it. */
struct span runtime_name_next_piece(struct span *rest);
/* True where it has more than one piece. Regular expressions and functions of V8 have one. */
bool runtime_name_is_chain(struct span name);

#endif
