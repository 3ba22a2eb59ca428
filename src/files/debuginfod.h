/*
 * debuginfod.h - asking servers for files by build-id (debuginfod(8), debuginfod_find_debuginfo(3))
 *
 * Only with --debuginfod. libdebuginfod is opened when it is needed, so it need not be installed;
 * it keeps what it gets in its cache, and reads DEBUGINFOD_URLS, DEBUGINFOD_TIMEOUT and others from
 * the environment.
 *
 * Private to files/. Threads: any.
 */
#ifndef PERFOLD_FILES_DEBUGINFOD_H
#define PERFOLD_FILES_DEBUGINFOD_H

#include "files/files.h"

enum debuginfod_kind { DEBUGINFOD_EXECUTABLE, DEBUGINFOD_DEBUGINFO, DEBUGINFOD_SOURCE };

/* NULL: the option is not given, the build-id is not known, or no server has the file. */
struct elf_file *debuginfod_open(const struct files *f, const struct build_id *id,
	enum debuginfod_kind kind, struct files_trail *t);

/* The source that a program was made of, by its absolute path. False: likewise. */
bool debuginfod_open_source(const struct files *f, const struct build_id *id, struct span path,
	struct file *file, struct files_trail *t);

#endif
