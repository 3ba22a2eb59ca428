/*
 * source_files.h - what a recording knows about the source files that its frames name
 *
 * Beside the path, debug information may have the MD5 of a file (DWARF 5), and the program around
 * it says when it was built; a source map may have the text itself. Whoever looks for the text
 * (files/source_file.h) needs this to see whether it is the one that was compiled.
 *
 * One file may be named by many units of several programs, which may have read several versions of
 * it. Facts are merged so that it does not matter which one comes first.
 *
 * Owns: its facts and texts; strings belong to the strtab of the recording.
 * Threads: any may add (a lock inside); to look facts up all must have been added.
 */
#ifndef PERFOLD_MODEL_SOURCE_FILES_H
#define PERFOLD_MODEL_SOURCE_FILES_H

#include "base/md5.h"
#include "base/strtab.h"
#include "model/modules.h"

struct source_md5 {
	uint8_t byte[MD5_SIZE];
};

/* The name of a file, and what a unit or a program says about it; zeroed means not known. */
struct source_claim {
	str_id file;
	module_id module;             /* the program */
	int64_t built_s;              /* when that was written, since 1970 */
	const struct source_md5 *md5; /* NULL: it says none */
	bool is_local;                /* the path means something on this machine */
};

struct source_fact {
	str_id file;
	module_id module; /* the first that names it */
	int64_t built_s;  /* of the program that was built first */
	struct source_md5 *md5;
	uint32_t n_md5, cap_md5;
	bool is_local;    /* for one program at least */
	struct span text; /* of a source map; p NULL: not known */
};

struct source_files;

struct source_files *source_files_new(void);
/* NULL is fine. */
void source_files_free(struct source_files *t);
void source_files_add(struct source_files *t, const struct source_claim *c);
/* The text itself, which is copied. The first one stays. False: all texts together would have
 * more than SOURCE_FILES_TEXTS_MAX_BYTES. */
bool source_files_add_text(struct source_files *t, str_id file, struct span text);
/* NULL: nothing is known about it. */
const struct source_fact *source_files_find(const struct source_files *t, str_id file);

enum { SOURCE_FILES_TEXTS_MAX_BYTES = 256 << 20, SOURCE_FILES_MD5_MAX = 64 };

#endif
