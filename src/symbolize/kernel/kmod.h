/*
 * kmod.h - where the sections of a kernel module were loaded, by the kernel's list of symbols
 *
 * Owns: nothing. Threads: one for each file.
 */
#ifndef PERFOLD_SYMBOLIZE_KERNEL_KMOD_H
#define PERFOLD_SYMBOLIZE_KERNEL_KMOD_H

#include "symbolize/elf/elf.h"
#include "symbolize/kernel/kallsyms.h"

/* Initializes p and sets the address of each section with a function that the list has under the
 * module's name ("[ext4]"). The functions of a section must agree on its address. */
void kmod_find_places(struct elf_places *p, const struct elf_file *ef, const struct kallsyms *k,
	struct span module);

#endif
