/*
 * kmod.h - what was inlined into a kernel module
 *
 * A module is an object file that the kernel links when it loads it. Its debug information is read
 * as if linked to where it lay (dwarf_relocate.h), which is known from the addresses that the
 * kernel's own list has of its functions, else from the start of the module and the order in which
 * the kernel places sections.
 *
 * Private to symbolize/. Threads: one for each module.
 */
#ifndef PERFOLD_SYMBOLIZE_KMOD_H
#define PERFOLD_SYMBOLIZE_KMOD_H

#include "symbolize/kallsyms.h"
#include "symbolize/source.h"

/* The debug information of a module that the list has named, where it is wanted and here. */
void kmod_open_debug(const struct source_want *want);

#endif
