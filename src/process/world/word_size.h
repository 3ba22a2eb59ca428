/*
 * word_size.h - which modules ran in 32-bit processes, and which in 64-bit ones
 *
 * A 64-bit process has its vdso, its stack and its libraries above 4 GiB; a 32-bit one has nothing
 * there. A program at a fixed address is mapped low in both, so one mapping alone proves nothing.
 * The word size decides which ELF files can be the recorded ones (files/files.h).
 *
 * Source: TASK_SIZE and vdso_addr() of Linux, arch/x86 and arch/arm64. Threads: one. Private to
 * process/.
 */
#ifndef PERFOLD_PROCESS_WORLD_WORD_SIZE_H
#define PERFOLD_PROCESS_WORLD_WORD_SIZE_H

#include "process/world/spaces.h"

/* Sets word_bytes of all modules that processes mapped. */
void word_size_of_modules(const struct spaces *s, struct modules *modules);

#endif
