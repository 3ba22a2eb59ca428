/*
 * demangle.h - names as their programmers wrote them
 *
 * libiberty knows C++ (Itanium ABI) and both manglings of Rust; OCaml's escapes are read here; D is
 * recognized by its prefix; Go's names lose what its own tools leave out. The default style is that
 * of perf 6.1: no parameters, and no hash at the end of a Rust name. A name that would take the
 * demangler too much time or memory stays mangled.
 *
 * Threads: any.
 */
#ifndef PERFOLD_SYMBOLIZE_DEMANGLE_DEMANGLE_H
#define PERFOLD_SYMBOLIZE_DEMANGLE_DEMANGLE_H

#include "base/buf.h"

struct demangle_style {
	bool off;
	bool full;        /* with parameters */
	bool compat_perf; /* versions stay ("read@@GLIBC_2.2.5"), no D */
	bool kernel;      /* a symbol of the kernel: C, or Rust v0 */
};

/* The shown form of a symbol's name, appended to out. */
void demangle_put(struct buf *out, struct span name, const struct demangle_style *style);

#endif
