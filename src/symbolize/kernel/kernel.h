/*
 * kernel.h - the kernel's own list of symbols, and what follows from it for modules
 *
 * The door of symbolize/kernel/. Where symbols of the kernel come from is in
 * symbol_source_kernel.c.
 */
#ifndef PERFOLD_SYMBOLIZE_KERNEL_KERNEL_H
#define PERFOLD_SYMBOLIZE_KERNEL_KERNEL_H

#include "symbolize/kernel/kallsyms.h"
#include "symbolize/kernel/kmod.h"

#endif
