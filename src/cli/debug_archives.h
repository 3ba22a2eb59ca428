/*
 * archives.h - what `perf archive` made, as a --debug-dir
 *
 * It is a tar of ~/.debug: PATH/BUILD-ID/elf, and links by build-id, which are not needed to find
 * those. Its files are unpacked to a temporary folder, which takes its place during a run.
 *
 * Owns: the folders. Threads: one. Source: perf-archive(1).
 */
#ifndef PERFOLD_CLI_ARCHIVES_H
#define PERFOLD_CLI_ARCHIVES_H

#include "cli/options.h"

struct debug_archives {
	struct archive_dir {
		const char **item; /* of the option */
		const char *named;
		char *folder;
	} * open;
	size_t n, cap;
};

/* Opens each --debug-dir that is a file. Close it in any case. */
int debug_archives_open(struct debug_archives *a, struct options *o, struct err *e);
/* The options are again as the user gave them. */
void debug_archives_close(struct debug_archives *a);

#endif
