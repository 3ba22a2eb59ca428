/*
 * syscall_names.h - names of system calls, for recordings that only have their numbers
 * (raw_syscalls)
 *
 * A number means a different call on each architecture. 32-bit programs have numbers of their own,
 * but a recording does not say which programs these are: their calls get wrong names, as in perf
 * trace.
 *
 * Owns: nothing, all is constant. Threads: any.
 * Source: the tables of Linux that the .def files name.
 */
#ifndef PERFOLD_TRACE_SYSCALL_NAMES_H
#define PERFOLD_TRACE_SYSCALL_NAMES_H

#include "base/span.h"

/* arch as in uname -m. NULL: the number, or the architecture, is not known. */
const char *syscall_names_find(struct span arch, uint64_t number);

#endif
