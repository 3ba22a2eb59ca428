/*
 * source_file.h - the text of a source file, by the path that debug information has
 *
 * Such a path is where the compiler found the file, mostly on another machine. Candidates, in
 * order:
 *
 *  1. what a pack holds
 *  2. --source-dir DIR: the longest end of the path that is there, DIR/b/c.c for /a/b/c.c
 *  3. --source-prefix OLD=NEW: NEW instead of OLD
 *  4. below --container of the process, --symfs, and the recording's own directory: DIR/PATH
 *  5. the path on this machine, only if the program that has the debug information is this
 *     machine's (request.is_local) or, unless it is for a pack, the recording
 *  6. debuginfod, with --debuginfod
 *
 * The path comes from a stranger, who may want it to be another file than a source: from 4 on its
 * name must be that of a source (source_file_has_name()); everywhere it must be a regular file that
 * no link leads to from outside, of at most SOURCE_FILE_MAX_BYTES, and text. What is refused is in
 * the trail.
 *
 * A file is not proved by its path. Debug information may have its MD5 (DWARF 5): candidates are
 * tried until one has it. The first one that has not is used if none has, and is doubtful, as is,
 * without MD5, a file that was written after its program.
 *
 * Owns: a source_text owns its path and text. Threads: any may open; a text that is open is
 * read by any.
 * Source: DWARF 5, 6.2.4 (DW_LNCT_MD5); debuginfod_find_source(3).
 */
#ifndef PERFOLD_FILES_SOURCE_FILE_H
#define PERFOLD_FILES_SOURCE_FILE_H

#include "base/buf.h"
#include "model/source_files.h"

struct elf_file;
struct files;
struct files_trail;

enum {
	SOURCE_FILE_MAX_BYTES = 16 << 20,
	SOURCE_FILE_LINE_MAX_BYTES = 4096, /* longer lines are cut */
};

/* A path, and what is known of the file besides; zeroed means not known. Borrowed. */
struct source_request {
	struct span path;             /* relative where the directory is not known */
	const struct source_md5 *md5; /* n_md5 of them, as units may have read several versions */
	uint32_t n_md5;
	int64_t built_s;          /* when the program was written, since 1970 */
	struct build_id build_id; /* of the program */
	int32_t pid;              /* of the process in a container (--container) */
	bool is_local;            /* its path means something on this machine */
	struct buf *room;         /* memory that the text takes where it can; NULL: none */
};

/* How sure it is that this is the text that was compiled. */
enum source_doubt {
	SOURCE_PROVED,       /* it has the recorded MD5 */
	SOURCE_UNDOUBTED,    /* nothing to compare with, and it is no newer than its program */
	SOURCE_UNCHECKED,    /* when the program was written is not known either */
	SOURCE_NAMESAKE,     /* likewise, or older, but only its name is that of the path */
	SOURCE_NEWER,        /* than its program: lines may have moved */
	SOURCE_OTHER_CONTENT /* it has another MD5 than the one that was compiled */
};

struct source_text {
	char *path;       /* here */
	struct span text; /* without a byte order mark */
	enum source_doubt doubt;
	uint32_t n_lines;

	/* Private to source_file.c. */
	struct buf content;
	uint32_t *ends; /* how many lines end in each block of the text or before */
};

/* False: there is none, see the trail (NULL: not wanted). */
bool source_file_open(const struct files *f, const struct source_request *q,
	struct source_text *out, struct files_trail *t);
/* The same of a text that is in memory: of a source map. False: it is no text. */
bool source_file_from_text(
	struct source_text *out, const char *path, struct span text, enum source_doubt doubt);
/* A line, from 1, without its end; cut before SOURCE_FILE_LINE_MAX_BYTES. Empty if there is none.
 * Bytes are as in the file, of any encoding: they go through base/utf8.h on their way out. */
struct span source_file_line(const struct source_text *s, uint32_t line);
/* Lines one after the other, the first of which is this one. */
struct source_lines {
	struct span rest; /* of the text, borrowed */
};
struct source_lines source_file_lines(const struct source_text *s, uint32_t from);
struct span source_file_next_line(struct source_lines *l);
/* A zeroed struct is fine. */
void source_file_release(struct source_text *s);
/* The same, but for the memory of its text, which is there for the next one if it is not large. */
void source_file_release_into(struct source_text *s, struct buf *room);

/* "newer than the program that was recorded: lines may have moved"; NULL: no reason to warn. */
const char *source_file_warning(enum source_doubt doubt);

/* What the file that has the debug information of a module says about the sources that it names:
 * when it was built (0: not known), and whether their paths mean something here. */
void source_file_judge_program(const struct files *f, const struct module *m,
	const struct elf_file *ef, int64_t *built_s, bool *is_local);

#endif
