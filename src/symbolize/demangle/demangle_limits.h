/*
 * demangle_limits.h - whether libiberty can read a name in bounded time, memory and stack
 *
 * A name comes from a file that anybody may have made. What libiberty does with the names of C++ is
 * bounded by itself and by the limits in demangle.c. In the names of D and Rust there are short
 * ways to gigabytes, to recursion without end, and to loops that last for years; names that may
 * contain such a thing are found here, without reading them, and are to stay mangled.
 *
 * Threads: any.
 */
#ifndef PERFOLD_SYMBOLIZE_DEMANGLE_DEMANGLE_LIMITS_H
#define PERFOLD_SYMBOLIZE_DEMANGLE_DEMANGLE_LIMITS_H

#include "base/span.h"

/* May dlang_demangle() read it? */
bool demangle_limits_allow_d(struct span name);
/* May rust_demangle_callback() read it, with its limit of recursion? */
bool demangle_limits_allow_rust(struct span name);

#endif
