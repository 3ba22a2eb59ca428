/*
 * debuglink.h - .gnu_debuglink: a separate debug file by name and CRC
 *
 * The section holds { name, NUL, padding to 4, u32 crc32 of the debug file }. GDB looks in the
 * directory of the program, in .debug/ below it, and in the same directory below /usr/lib/debug.
 *
 * Private to files/.
 */
#ifndef PERFOLD_FILES_DEBUGLINK_H
#define PERFOLD_FILES_DEBUGLINK_H

#include "files/files.h"

/* recorded is the recorded path of the runtime file. NULL: no file fits. */
struct elf_file *debuglink_open(const struct files *f, struct span recorded,
	const struct elf_file *runtime, enum files_need need, struct files_trail *t);

#endif
