/*
 * files.h - finding the file that was recorded, and proving that it is the one
 *
 * A recording names files by path and, mostly, by build-id. Places where such a file is looked for:
 *
 *  1. below a directory that an option names (--symfs, --debug-dir), in the order given;
 *  2. in the recording's own directory: DIR/PATH, then DIR/BASENAME;
 *  3. on this machine at its own path, or below /usr/lib/debug and ~/.debug: only where proved,
 *     by build-id, or (nothing recorded to compare) for a recording made on this machine.
 *
 * A file with another build-id than the recorded one, or with none, is refused wherever it is, and
 * so is one for another machine than the recorded one: wrong names are worse than none. Every place
 * that was tried is kept in a struct files_trail, for `info`. Only regular files are opened, and
 * never mapped.
 *
 * Layouts: GDB's .build-id/xx/yyyy.debug, perf-buildid-cache(1), .gnu_debuglink and
 * .gnu_debugdata as in the GDB manual, "Separate Debug Files" and "MiniDebugInfo".
 *
 * Owns: struct files copies nothing; its options are borrowed. An elf_file belongs to whoever
 * opened it. Threads: struct files is read by any; an elf_file is used by one at a time (libelf has
 * no locks).
 */
#ifndef PERFOLD_FILES_FILES_H
#define PERFOLD_FILES_FILES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "files/elf_layout.h"
#include "files/pack.h"
#include "files/source_file.h"
#include "model/modules.h"

#include <gelf.h>

/* A file that the user named for a process: a perf map, a jitdump, or the root of its files. */
struct files_perf_map {
	int32_t pid; /* -1: not said */
	const char *path;
};

/* Sources that were compiled below from are here below to. */
struct files_source_prefix {
	const char *from, *to;
};

struct cache_dir;
struct progress;

struct files_opts {
	const char *const *symfs;                          /* NULL ended, in order; NULL: none */
	const char *const *debug_dirs;                     /* likewise */
	const char *const *source_dirs;                    /* likewise: directories of sources */
	const struct files_source_prefix *source_prefixes; /* n_source_prefixes of them */
	uint32_t n_source_prefixes;
	const char *recording_dir; /* the directory of the recording; NULL: none */
	const char *pack_dir;      /* that the recording was unpacked to; NULL: it is no pack */
	const char *input_dir;     /* the recording, where it is itself a directory; NULL: a file */
	const char *kallsyms, *vmlinux;         /* named by the user; NULL: not named */
	const struct files_perf_map *perf_maps; /* n_perf_maps of them */
	uint32_t n_perf_maps;
	const struct files_perf_map *jitdumps; /* n_jitdumps of them */
	uint32_t n_jitdumps;
	const struct files_perf_map *containers; /* roots of processes; n_containers of them */
	uint32_t n_containers;
	const char *map_dir;
	bool debuginfod;             /* servers may be contacted */
	bool trust_files;            /* follow links anywhere, and believe maps of any owner */
	struct progress *progress;   /* of downloads; NULL: not wanted */
	const char *home;            /* for ~/.debug; NULL: none */
	const char *proc;            /* of this machine; NULL: /proc */
	const char *arch;            /* of the recording, as uname(2) says it; NULL: not known */
	bool same_machine;           /* recorded host name and kernel release are this machine's */
	bool no_system;              /* look at nothing that belongs to this machine */
	struct pack_uses *uses;      /* gets each file that is used; NULL: not wanted */
	struct files_unread *unread; /* gets each that could not be read; NULL: not wanted */
	struct files_kallsyms_cache *kallsyms_cache; /* NULL: read anew each time */
	struct cache_dir *symbol_cache;              /* --symbol-cache; NULL: none */
};

/* This machine's /proc/kallsyms, kept for what is read next: the kernel needs 50 ms to print it.
 * Threads: shared by any. */
struct files_kallsyms_cache *files_kallsyms_cache_new(void);
void files_kallsyms_cache_free(struct files_kallsyms_cache *l);

/* The root directory of a process in a container, or NULL. */
const char *files_container(const struct files_opts *o, int32_t pid);

struct files;

struct files *files_new(const struct files_opts *o, const struct strtab *strings);
void files_free(struct files *f);

/* What became of a place that was tried. */
enum files_verdict {
	FILES_USED,
	FILES_ABSENT,
	FILES_UNREADABLE,  /* no permission, or damaged on disk */
	FILES_NOT_REGULAR, /* a device, FIFO or directory */
	FILES_NOT_ELF,
	FILES_LEAVES_ROOT,    /* a link to it leads out of its directory */
	FILES_OTHER_OWNER,    /* another user's, in a directory that all may write to */
	FILES_CUT,            /* an ELF file that ends before its table of sections */
	FILES_OTHER_MACHINE,  /* an ELF file of another architecture than the recording's */
	FILES_OTHER_CLASS,    /* a 64-bit ELF file where a 32-bit process ran, or the reverse */
	FILES_OTHER_BUILD_ID, /* not the recorded file */
	FILES_NO_BUILD_ID,    /* cannot be proved to be the recorded file: it has no build-id */
	FILES_NOT_PROVED,     /* is this machine's, and nothing says that the recording is */
	FILES_OTHER_CRC,      /* .gnu_debuglink says that the content is different */
	FILES_NO_SYMBOLS,     /* the right file, without what was looked for */
	FILES_HIDDEN,         /* kallsyms with all addresses zero (kptr_restrict) */
	FILES_TOO_OLD,        /* a perf map from before its process */
	FILES_NO_LIBRARY,     /* --debuginfod, and libdebuginfod is not installed */
	FILES_NO_SERVER,      /* --debuginfod, and no server is named */
	FILES_NO_ANSWER,      /* no server answered in time */
	FILES_NO_DWO,         /* names .dwo files that are not here */
	FILES_NO_PACKAGE,     /* is called .dwp, and has no .dwo files that can be read */
	FILES_OTHER_PACKAGE,  /* a .dwp without what is named */
	FILES_NOT_SOURCE, /* debug information calls it a source, and it is not named like one */
	FILES_NOT_TEXT,   /* has NUL bytes */
	FILES_TOO_LARGE,  /* for a source */
};

struct files_step {
	char *path;
	enum files_verdict verdict;
	struct build_id found; /* the file's, for FILES_OTHER_BUILD_ID */
};

struct files_trail {
	struct files_step *step;
	uint32_t n, cap;
};

/* Remember a place; found may be NULL. A NULL trail is fine. */
void files_trail_add(struct files_trail *t, const char *path, enum files_verdict verdict,
	const struct build_id *found);
void files_trail_release(struct files_trail *t);
/* The step to report to a user: the first file that exists but could not be used; NULL: none
 * exists. */
const struct files_step *files_trail_refusal(const struct files_trail *t);
/* One line for a user, appended: "PATH: not the recorded build-id (recorded 4f5e.., there 9a01..)".
 * recorded is the module's build-id. */
void files_step_put(struct buf *out, const struct files_step *s, const struct build_id *recorded);

/* Opens the regular file that path, which begins with root, means below root: a link that begins
 * with "/" begins there, and ".." leads no further up. file->path is then without links below root.
 * With root NULL links are followed anywhere. False: *why, and errno. */
bool files_open_below(
	const char *root, const char *path, struct file *file, enum files_verdict *why);

/* The same for a file of a recording that is a directory: it has to be there. */
int files_open_part(const char *dir, const char *path, struct file *file, struct err *e);

/* ---- files that are there and cannot be read ---- */

/* Errors of a disk, or limits of this machine: names may be missing for no other reason. Threads:
 * any. */
struct files_unread;
/* A file that was opened. Lives as long as the list. */
struct files_origin;

struct files_unread *files_unread_new(void);
/* NULL is fine, here and below. */
void files_unread_free(struct files_unread *u);
/* Files below dir are told as below `shown`: a pack by its name, not where it is unpacked to. */
void files_unread_show(struct files_unread *u, const char *dir, const char *shown);
const struct files_origin *files_unread_origin(struct files_unread *u, const char *path);
/* error: a number of errno(3). */
void files_unread_add(const struct files_origin *from, int error);
/* Calls fn (may be NULL) for each file that could not be read; returns how many. */
uint32_t files_unread_visit(const struct files_unread *u,
	void (*fn)(void *ctx, const char *path, const char *why), void *ctx);
/* As file_pread(); an error is remembered. */
ssize_t files_pread(const struct files_origin *from, int fd, void *p, size_t n, uint64_t at);

/* ---- ELF files ---- */

struct elf_file {
	Elf *elf;
	GElf_Ehdr header;
	char *path;
	struct build_id build_id; /* n 0: has none */
	struct file_identity identity;
	const struct files_origin *origin; /* NULL: not wanted */
	int fd;                            /* -1: in memory */
	char *image;                       /* owned, for a file in memory; else NULL */
};

/* The file whose code ran: has segments, .eh_frame and .dynsym. NULL: none, see the trail. */
struct elf_file *files_open_runtime(
	const struct files *f, const struct module *m, struct files_trail *t);
enum files_need {
	FILES_NEED_SYMBOLS, /* .symtab */
	FILES_NEED_DWARF,   /* .debug_info */
};

/* A separate file with the module's symbols, or one with its debug information: mostly it is the
 * same. runtime may be NULL if the recorded build-id is known. NULL: none. */
struct elf_file *files_open_debug(const struct files *f, const struct module *m,
	const struct elf_file *runtime, struct files_trail *t);
struct elf_file *files_open_dwarf(const struct files *f, const struct module *m,
	const struct elf_file *runtime, struct files_trail *t);
/* What .gnu_debugaltlink in a debug file names: debug information that dwz(1) took out of several
 * files. NULL: none is named, or it is not here. */
struct elf_file *files_open_alternate(
	const struct files *f, const struct elf_file *debug, struct files_trail *t);
/* The .dwo of a unit, as its skeleton names it: comp_dir may be empty. beside is the file that the
 * skeleton is in. try() gets each candidate and owns it; true: it is proved, which ends the search.
 * False: none. */
bool files_find_dwo(const struct files *f, struct span comp_dir, struct span name,
	const char *beside, bool (*try)(void *ctx, struct elf_file *ef), void *ctx);
/* The program that a package of .dwo files belongs to; borrowed. */
struct files_dwp_owner {
	const struct module *module; /* NULL: not known */
	const char *file;            /* has the skeletons */
	const char *runtime;         /* the file that ran; NULL: not here */
};
/* Each .dwp that exists goes to try(), which owns it and returns what became of it. */
void files_find_dwp(const struct files *f, const struct files_dwp_owner *owner,
	enum files_verdict (*try)(void *ctx, struct elf_file *ef), void *ctx,
	struct files_trail *t);
/* One of them is used. */
void files_note_dwp(
	const struct files *f, const struct files_dwp_owner *owner, const struct elf_file *package);
/* The small symbol table in .gnu_debugdata (xz), NULL: none. */
struct elf_file *files_open_debugdata(const struct elf_file *runtime);
/* A kernel module, which may be compressed. */
struct elf_file *files_open_kmod(
	const struct files *f, const struct module *m, struct files_trail *t);
/* The module, or a file of its own, with debug information. NULL: none, or no recorded build-id
 * says which. */
struct elf_file *files_open_kmod_dwarf(
	const struct files *f, const struct module *m, struct files_trail *t);
/* --vmlinux; NULL: not named, or not the recorded kernel. */
struct elf_file *files_open_vmlinux(
	const struct files *f, const struct module *kernel, struct files_trail *t);

/* The kernel's memory, as perf record --kcore copied it, or this machine's if it runs the recorded
 * kernel and same_boot (its addresses are those of the recording). NULL: none. */
struct elf_file *files_open_kcore(
	const struct files *f, const struct module *kernel, bool same_boot, struct files_trail *t);

/* Code that was read to unwind, or that was sampled: size_bytes of the runtime file of a module, at
 * an offset; of the kernel, of --vmlinux. For packs. */
void files_note_code(
	const struct files *f, const struct module *m, uint64_t offset, uint64_t size_bytes);

/* Any ELF file; NULL if it cannot be used, and *why says how. */
struct elf_file *elf_file_open(const char *path, enum files_verdict *why);
/* The one that path, which begins with root, means below root (files_open_below()). */
struct elf_file *elf_file_open_below(const char *root, const char *path, enum files_verdict *why);
/* An ELF file in memory; it owns image, which comes from malloc, also if it cannot be used. */
struct elf_file *elf_file_from_memory(char *image, size_t size_bytes, const char *name);
void elf_file_close(struct elf_file *ef);
/* Does the file have what is needed? */
bool elf_file_has(const struct elf_file *ef, enum files_need need);
/* Bytes in the first section of the type (SHT_SYMTAB, SHT_DYNSYM); 0: it has none. */
uint64_t elf_file_section_size(const struct elf_file *ef, uint32_t sh_type);
/* The section of that name and its header, or NULL. */
Elf_Scn *elf_file_section(const struct elf_file *ef, const char *name, GElf_Shdr *header);
/* The first segment of the type (PT_GNU_EH_FRAME). False: there is none. */
bool elf_file_segment(const struct elf_file *ef, uint32_t type, GElf_Phdr *segment);
/* elf_getdata() and elf_rawdata(); an error of reading is remembered. */
Elf_Data *elf_file_data(const struct elf_file *ef, Elf_Scn *section);
Elf_Data *elf_file_rawdata(const struct elf_file *ef, Elf_Scn *section);
/* elf_getdata_rawchunk() of bytes, likewise. */
Elf_Data *elf_file_chunk(const struct elf_file *ef, uint64_t offset, uint64_t n);
/* A section's content as it is in the file; empty if it has none or its size is false. */
struct span elf_file_content(Elf_Scn *section, const GElf_Shdr *header);

/* Is the file a light one of a pack (light.h), which left out code in these n bytes? */
bool elf_file_lacks_code(const struct elf_file *ef, uint64_t offset, uint64_t n);

/* ---- the kernel's list of symbols ---- */

/* What of a list is needed: what says where these addresses are. */
struct files_kallsyms_want {
	uint64_t *address; /* as recorded */
	uint32_t n;
	bool modules;          /* all symbols of modules, too */
	struct span reference; /* the symbol that the kernel is found by; empty: it was not moved */
	uint64_t reference_address;
};

/* A list of symbols, in memory of its own or, if that is empty, in struct files_kallsyms_cache. */
struct files_kallsyms {
	const struct files_kallsyms_want *want; /* set by the caller; NULL: all of it */
	struct span text;
	struct buf own;
};

/* The list of the recorded kernel; false where there is none. text is zeroed before, but for want.
 * Other lines than the wanted ones may be there, or missing. */
bool files_read_kallsyms(const struct files *f, const struct module *kernel,
	struct files_kallsyms *text, struct files_trail *t);
/* What a text that should be such a list is, by its beginning. */
enum { KALLSYMS_MAX_BYTES = 512 << 20 };
enum files_kallsyms_form { KALLSYMS_LIST, KALLSYMS_HIDDEN, KALLSYMS_OTHER };
enum files_kallsyms_form files_kallsyms_form(struct span head);
/* The build-id in a run of ELF notes, as in /sys/kernel/notes. */
bool files_notes_build_id(struct span notes, struct build_id *id);

/* ---- perf maps and jitdumps ---- */

struct files_map_place {
	struct file file; /* owned by the caller; its path is NULL: none found */
	const char *why;  /* "--perf-map", "--map-dir", "beside the recording", "/tmp" */
};

/* The perf map of a process. not_before_ns: wall-clock time of its start, 0: not known. */
struct files_map_place files_find_perf_map(
	const struct files *f, int32_t pid, uint64_t not_before_ns, struct files_trail *t);
/* The jitdump of a process: its path as recorded, empty if that is not known. False: none found.
 * --jitdump is left to the caller, who knows the number in a dump. */
bool files_find_jitdump(const struct files *f, int32_t pid, struct span recorded_path,
	struct file *dump, struct files_trail *t);
/* Maps and dumps in --map-dir and next to the recording, under any number, each once. A zeroed list
 * is empty. */
struct files_map_list {
	struct files_listed_map {
		char *path; /* owned */
		struct file_identity id;
	} * at;
	uint32_t n, cap;
};

void files_list_maps(const struct files *f, struct files_map_list *l);
/* Those of a process in a container: the files in /tmp of its --container and, where it
 * runs on this machine still, its files by the number that it has within, and the dump that it
 * mapped (empty: none). That its own number is the recorded one proves nothing. */
void files_list_maps_of(
	const struct files *f, int32_t pid, struct span recorded_dump, struct files_map_list *l);
/* Where links lead no further up than root; NULL: anywhere. */
void files_map_list_add(struct files_map_list *l, const char *root, const char *path);
/* Opens what was listed; an error if another file is there by now. */
int files_map_open(const struct files_listed_map *m, struct file *file, struct err *e);
/* A map or dump that names code of a process. For packs. */
void files_note_map(const struct files *f, enum pack_reason reason, int32_t pid, const char *path,
	struct file_identity id);
void files_map_list_release(struct files_map_list *l);

/* A source map that names code. */
struct files_source_map {
	struct span script, base; /* their URLs, as recorded; sources are relative to base */
	const char *path;         /* its file; NULL: it is in the script, and json is its text */
	struct file_identity identity;
	struct span json;
};

/* For packs: puts it where it is found again for that script, relative to the same URL. */
void files_note_source_map(const struct files *f, const struct files_source_map *map);

/* True for ".../perf-NUMBER.map", ".../jit-NUMBER.dump", ".../jit-THREAD-NUMBER.dump",
 * ".../jit-THREAD-NUMBER-tE7xUW". */
bool files_is_perf_map_name(struct span path, int32_t *number);
bool files_is_jitdump_name(struct span path, int32_t *number);

/* The options that files were made with. */
const struct files_opts *files_opts_of(const struct files *f);

#endif
