/*
 * kmod.h - finds what was inlined into a kernel module
 *
 * The debug information of the module is relocated to the addresses where its sections were loaded
 * (dwarf_relocate.h). These follow from the addresses of its functions in the kernel's own list of
 * symbols. Without that list, they follow from the start of the module and the order in which the
 * kernel places sections.
 *
 * Private to symbolize/. Threads: one for each module.
 */
#ifndef PERFOLD_SYMBOLIZE_KERNEL_KMOD_H
#define PERFOLD_SYMBOLIZE_KERNEL_KMOD_H

#include "symbolize/kernel/kallsyms.h"
#include "symbolize/symbol_source.h"

/* Opens the debug information of a module that is in the list, if it is wanted and found. */
void kmod_open_debug(const struct symbol_request *want);

#endif
