/*
 * pack.h - a recording in one file, with all files that name it: their places in it
 *
 *	data, data.0, ...            the recording; more than one of perf record --threads
 *	.build-id/xx/yyyy/elf        a file that ran, by the recorded build-id; the vdso is .../vdso
 *	.build-id/xx/yyyy.debug      symbols or debug information of it, in a file of their own
 *	.build-id/xx/yyyy.dwp        a package of its .dwo files
 *	containers/PID/PATH          a file without a build-id, of a process with --container
 *	sources/PATH                 a source; sources-newer/PATH one that is newer than the program
 *	source-maps/PATH.map         a source map of a script; source-maps/PATH says where it is
 *	                             if that is elsewhere
 *	root/PATH                    another file without a build-id, .dwo files and their packages
 *	kallsyms, vmlinux            of the recorded kernel
 *	maps/perf-PID.map, maps/jit-PID.dump   of the process that they were used for
 *	manifest.json                what is in it and why, and what was not found: for people
 *
 * The files that a run used belong in the pack: each is added to a struct pack_uses when it is
 * found. The same search finds it in the directory that the pack is unpacked into.
 *
 * Owns: uses own copies of all strings. Threads: uses have a lock inside; the rest one at a time.
 */
#ifndef PERFOLD_FILES_PACK_H
#define PERFOLD_FILES_PACK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "model/modules.h"

/* Why a file is needed. */
enum pack_reason {
	PACK_RECORDING,
	PACK_BINARY,  /* its code ran */
	PACK_SYMBOLS, /* a separate file with names or debug information */
	PACK_KERNEL,  /* symbols of the kernel */
	PACK_PERF_MAP,
	PACK_JITDUMP,
	PACK_SOURCE,
	PACK_SOURCE_MAP,
	PACK_MANIFEST,
};

struct pack_use {
	enum pack_reason reason;
	char *place;                   /* in the pack */
	char *path;                    /* here; NULL: the content, not a path, counts */
	struct file_identity identity; /* of the file as it was used */
	struct buf content;
	char *recorded; /* the path as recorded; empty: none */
	struct build_id id;
};

struct pack_uses;

struct pack_uses *pack_uses_new(void);
/* NULL is fine. */
void pack_uses_free(struct pack_uses *u);
/* The first file at a place stays there. Nothing that is kept belongs to use. False: another file
 * is there. */
bool pack_uses_add(struct pack_uses *u, const struct pack_use *use);
/* Sorted by place. */
const struct pack_use *pack_uses_sorted(struct pack_uses *u, uint32_t *n);

/* Code of a binary that stays in a light pack: a function that was sampled, or what was read to
 * unwind where there is no call frame information. */
struct pack_code {
	char *place; /* of the binary */
	uint64_t offset, size_bytes;
};

void pack_uses_add_code(struct pack_uses *u, const struct pack_code *code);
/* Those of one binary; the caller frees the list. */
struct pack_code *pack_uses_code(struct pack_uses *u, const char *place, uint32_t *n);

/* What of ELF files goes into a pack. */
struct pack_form {
	bool light; /* without data, and without code that was not sampled */
	bool debug; /* with debug information even so */
};

/* The bytes of a use. To be freed even if it could not be opened. */
struct pack_content;

int pack_content_open(struct pack_content **out, struct pack_uses *u, const struct pack_use *use,
	const struct pack_form *form, struct err *e);
void pack_content_free(struct pack_content *c);
uint64_t pack_content_size(const struct pack_content *c);
/* Is it less than the file holds? */
bool pack_content_is_light(const struct pack_content *c);
/* n bytes, which must be there; a function for tar_add(). */
int pack_content_read(void *content, void *p, size_t n, uint64_t at, struct err *e);

/* The place of a file in a pack, appended to b; false: it has none. */
bool pack_place_binary(
	struct buf *b, const struct build_id *id, struct span path, int32_t container_pid);
bool pack_place_vdso(struct buf *b, const struct build_id *id);
void pack_place_map(struct buf *b, enum pack_reason reason, int32_t pid);

/* Of a source, by its path in debug information, without "..". newer: than its program. */
void pack_place_source(struct buf *b, struct span path, int32_t container_pid, bool newer);

/* Of a script or a source map, by its recorded path or URL, whose "." and ".." are left out. */
void pack_place_source_map(struct buf *b, struct span url);

struct files_opts;

/* The options to find the files of an unpacked pack with: those of the user, with its directory
 * before all others, and nothing of this machine. */
struct pack_search;

struct pack_search *pack_search_new(const struct files_opts *named, const char *dir);
const struct files_opts *pack_search_opts(const struct pack_search *s);
/* The directories of --source-maps, NULL ended: for one that is the pack itself, by the path that
 * the user gave it, the maps in it. */
const char *const *pack_search_source_maps(
	struct pack_search *s, const char *const *named, const char *pack);
/* Has the pack source maps? */
bool pack_search_has_source_maps(const struct pack_search *s);
/* NULL is fine. */
void pack_search_free(struct pack_search *s);

#endif
