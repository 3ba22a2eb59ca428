/*
 * kept_files.h - the files of a recording, for as long as somebody reads them
 *
 * What is found by files/ depends on the recording: on its directory, on the pack that it was
 * unpacked from, on the machine it was made on. Mostly all that is done with once its sites have
 * names. Source text and code are read later, when it is known which functions matter: then it is
 * kept until the end of the run.
 *
 * Owns: all that it points to but the recording and the user's options. Threads: one. Private to
 * pipeline/.
 */
#ifndef PERFOLD_PIPELINE_KEPT_FILES_H
#define PERFOLD_PIPELINE_KEPT_FILES_H

#include "input/input.h"
#include "symbolize/symbolize.h"

/* A zeroed struct holds nothing. */
struct kept_files {
	struct recording *recording;
	struct files_opts where;
	struct files *files; /* NULL: the recording was not read to its end */
	struct symbolize_opts symbolize;
	struct pack_search *pack;
	char *dir; /* of the recording */
	struct input_dir unpacked;
};

void kept_files_release(struct kept_files *k);
/* Below the directory that a pack was unpacked to, "RECORDING/..."; else NULL. The caller's. */
char *kept_files_shown_path(const struct kept_files *k, const char *path);

#endif
