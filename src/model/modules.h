/*
 * modules.h - what code was loaded from
 *
 * An ELF file, the kernel, a kernel module, a BPF program, the vdso, or the generated code of one
 * process. Interned: equal in all fields but
 * word_bytes and segments means equal in number. So two files that were at one path
 * in turn, or a kernel module that was loaded at two addresses, are two modules.
 *
 * Owns: the table owns the modules; strings belong to the strtab (borrowed).
 * Threads: any thread may intern (a lock inside) and read a number that it was given.
 */
#ifndef PERFOLD_MODEL_MODULES_H
#define PERFOLD_MODEL_MODULES_H

#include "base/strtab.h"
#include "model/build_id.h"

typedef uint32_t module_id; /* 0: none, nothing was mapped there */

enum module_kind {
	MODULE_NONE,
	MODULE_FILE,   /* path of an ELF file; rel is an offset in the file */
	MODULE_VDSO,   /* rel is an offset in the image */
	MODULE_KERNEL, /* rel is the address; its shift (KASLR): world_kernel_reference() */
	MODULE_KMOD,   /* [name]; rel is the address, start and end are the module's */
	MODULE_BPF,    /* a BPF program or image: the module is the symbol; rel is the address */
	MODULE_JIT,    /* generated code of process owner_pid that no map has; rel is the address */
	MODULE_ANON, /* mapped, but not from a file: [heap], [stack], //anon not executable; rel is
		      * the address */
	MODULE_TEXT, /* named by a text input; sites of it carry their frame */
};

/* A part of a module's code, where frame.at_address says that code is. */
struct module_segment {
	uint64_t address, offset, size_bytes; /* offset: in the file */
};

struct module {
	uint8_t kind;
	struct build_id build_id;
	str_id path;         /* as recorded */
	str_id shown;        /* as perf prints it: [ext4] for /lib/modules/.../ext4.ko */
	int32_t owner_pid;   /* MODULE_JIT: the process that made the code; MODULE_FILE: the one
			      * in a container whose file it is; else 0 */
	uint64_t start, end; /* KERNEL, KMOD, BPF: recorded address range; else 0 */
	/* No part of its identity: 4 or 8, of the processes that mapped it; 0: not known, or they
	 * differ. */
	uint8_t word_bytes;
	/* No part of its identity: where its code is; NULL: not known, or nobody asked. */
	const struct module_segment *segments;
	uint32_t n_segments;
	uint64_t base; /* with segments: the address at which the whole file begins */
};

struct modules;

struct modules *modules_new(void);
void modules_free(struct modules *t);
module_id modules_add(struct modules *t, const struct module *m);
const struct module *modules_get(const struct modules *t, module_id id);
uint32_t modules_count(const struct modules *t);
/* Only while no other thread uses the table. */
void modules_set_word_bytes(struct modules *t, module_id id, uint8_t word_bytes);
/* Once for each module, of which nobody else reads the segments meanwhile. They are copied. */
void modules_set_segments(struct modules *t, module_id id, uint64_t base,
	const struct module_segment *segments, uint32_t n);

#endif
