/*
 * files_search.h - the places where a file is searched, as a table
 *
 * A place is a kind of root directory and a pattern for the path below it:
 *
 *	%D the root   %P recorded path   %B its last part   %I build-id as xx/yyyy   %H as xxyyyy
 *	%T the newest subdirectory of the path so far   %F as %B, only if there is a build-id
 *
 * A pattern that needs something that is not known (a build-id, an absolute path) is left out. One
 * that begins with ? is tried, and reported, only where there is something.
 *
 * Private to files/. Threads: any.
 */
#ifndef PERFOLD_FILES_FILES_SEARCH_H
#define PERFOLD_FILES_FILES_SEARCH_H

#include "files/files.h"

enum files_root {
	FILES_ROOT_CONTAINER, /* --container of the process whose file it is */
	FILES_ROOT_SYMFS,     /* --symfs */
	FILES_ROOT_RECORDING, /* the directory of the recording */
	FILES_ROOT_INPUT,     /* the recording, where it is a directory */
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
	uint8_t word_bytes;               /* of the process, 4 or 8; 0: not known */
	const char *root; /* of the candidate: links lead no further up (root.h); NULL: anywhere */
	/* Uses the file, which ends the search, or reports why not. proved: the place was named by
	 * the user, or this is the machine that was recorded. */
	bool (*try)(void *ctx, const struct files_search *s, const char *path, bool proved);
	void *ctx;
};

/* True where a file was used. */
bool files_search(const struct files_search *s);
/* The directory that path is below, of those that were named and that of the recording: what is
 * beside path stays below it as well. NULL: none. */
const char *files_search_root_of(const struct files *f, const char *path);
/* The ELF file at a place, below s->root. A failure to read it is remembered. */
struct elf_file *files_search_open_elf(
	const struct files_search *s, const char *path, enum files_verdict *why);
/* error: of errno(3), when path was opened. */
void files_search_note_failure(const struct files *f, const char *path, int error);
/* FILES_USED if the file may have run on the recorded machine, in a process of that word size. */
enum files_verdict files_judge_machine(
	const struct files *f, uint8_t word_bytes, const struct elf_file *ef);
/* Is the kernel that runs here the one with that build-id or, where none was recorded, on the same
 * machine? */
bool files_search_kernel_runs_here(const struct build_id *wanted, bool same_machine);
/* Has the path a part ".."? */
bool files_search_climbs(struct span path);
/* Adds a file that is used, and its place in a pack, to the uses of files_opts. */
void files_note_binary(const struct files *f, const struct module *m, const struct elf_file *ef);
/* Placed by build-id, or, for the target of a .gnu_debuglink, next to the file that ran. */
void files_note_symbols(
	const struct files *f, const struct build_id *id, const struct elf_file *ef);
void files_note_debuglink(const struct files *f, const struct module *m, const struct elf_file *ef);
/* path: where it is here. */
void files_note(const struct files *f, enum pack_reason reason, const char *place, const char *path,
	struct file_identity identity);
/* A recorded path without " (deleted)", which the kernel appends if a file was unlinked while it
 * ran. */
struct span files_search_recorded_path(
	const struct files *f, const struct module *m, bool *deleted);

#endif
