/*
 * vdso.h - the vdso of this process, as an ELF file (vdso(7))
 *
 * Private to files/.
 */
#ifndef PERFOLD_FILES_VDSO_H
#define PERFOLD_FILES_VDSO_H

#include "files/files.h"

/* A copy, named "[vdso] of this machine"; NULL if there is none. */
struct elf_file *vdso_copy_own(void);

#endif
