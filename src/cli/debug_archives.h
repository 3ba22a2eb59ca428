/*
 * debug_archives.h - a --debug-dir that is a file made by `perf archive`
 *
 * Such a file is a tar of ~/.debug: PATH/BUILD-ID/elf, and links by build-id, which are not needed
 * to find the files. It is unpacked to a temporary directory, which replaces it during a run.
 *
 * Owns: the directories. Threads: one. Source: perf-archive(1).
 */
#ifndef PERFOLD_CLI_DEBUG_ARCHIVES_H
#define PERFOLD_CLI_DEBUG_ARCHIVES_H

#include "cli/options.h"

struct debug_archives {
	struct archive_dir {
		const char **item; /* of --debug-dir */
		const char *path;  /* as given */
		char *dir;         /* that it is unpacked to */
	} * open;
	size_t n, cap;
};

/* Opens each --debug-dir that is a file. Close it in any case. */
int debug_archives_open(struct debug_archives *a, struct options *o, struct err *e);
/* The options are again as the user gave them. */
void debug_archives_close(struct debug_archives *a);

#endif
