/*
 * search.h - places where a file may lie, as a table
 *
 * A place is a kind of root folder and a pattern for the path below it:
 *
 *	%D the root   %P recorded path   %B its last part   %I build-id as xx/yyyy   %H as xxyyyy
 *	%T the newest folder in what stands before it
 *
 * A pattern that needs something that is not known (a build-id, an absolute path) is left out.
 *
 * Private to files/. Threads: any.
 */
#ifndef PERFOLD_FILES_SEARCH_H
#define PERFOLD_FILES_SEARCH_H

#include "files/files.h"

enum files_root {
	FILES_ROOT_CONTAINER, /* --container of the process whose file it is */
	FILES_ROOT_SYMFS,     /* --symfs */
	FILES_ROOT_RECORDING, /* the folder of the recording */
	FILES_ROOT_DEBUG_DIR, /* --debug-dir */
	FILES_ROOT_MAP_DIR,   /* --map-dir */
	FILES_ROOT_HOME,      /* this user's home: only what is proved */
	FILES_ROOT_SYSTEM,    /* this machine: only what is proved */
};

struct files_place {
	enum files_root root;
	const char *pattern;
};

struct files {
	struct files_opts o; /* what it points to is borrowed */
	const struct strtab *strings;
};

struct files_search {
	const struct files *f;
	const struct files_place *places; /* ended by a NULL pattern */
	struct span path;                 /* as recorded */
	struct build_id id;               /* of what is looked for; n 0: not known */
	int32_t pid;                      /* of the process in a container; 0: it is in none */
	/* Take the file or say why not: true ends the search. proved: it lies where the user told
	 * us to look, or this is the machine that was recorded. */
	bool (*take)(void *ctx, const struct files_search *s, const char *path, bool proved);
	void *ctx;
};

/* Was a place taken? */
bool files_search(const struct files_search *s);
/* Is the path a regular file? Else *why says what it is. Nothing is opened: opening a device can do
 * harm. */
bool files_search_is_regular(const char *path, enum files_verdict *why);
/* Say that a file is used, and where it belongs in a pack, to whoever wants to know. */
void files_note_binary(const struct files *f, const struct module *m, const struct elf_file *ef);
/* By the build-id of the file it belongs to, or beside the file that ran, which names it. */
void files_note_symbols(const struct files *f, const struct build_id *id, const char *path);
void files_note_debuglink(const struct files *f, const struct module *m, const char *path);
void files_note(const struct files *f, enum pack_reason reason, const char *place,
	struct span recorded, const char *path);
/* A recorded path without " (deleted)", which the kernel appends if a file was unlinked while it
 * ran. */
struct span files_search_recorded_path(
	const struct files *f, const struct module *m, bool *deleted);

#endif
