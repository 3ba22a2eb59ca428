/*
 * code_image.h - where the code of a module is, and its bytes at an address
 *
 * Owns: the file and the places of its sections. Threads: one for each. Private to symbolize/code/.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_CODE_IMAGE_H
#define PERFOLD_SYMBOLIZE_CODE_CODE_IMAGE_H

#include "symbolize/code/code.h"
#include "symbolize/kernel/kernel.h"

/* The file that the code of a module is in. */
struct code_image {
	const struct module *module;
	struct elf_file *file;    /* NULL: why says */
	enum code_why why;        /* CODE_FOUND with a file */
	struct elf_layout layout; /* of a file whose sites are offsets */
	uint64_t shift;           /* what is added to a recorded address of the kernel (KASLR) */
	struct elf_places places; /* of an object file: where its sections were loaded */
	struct files_trail trail;
};

/* What is needed to find it, beside the module. */
struct code_image_request {
	const struct files *files;
	const struct module *module;
	bool vmlinux;   /* the kernel is named by it, else by a list of symbols */
	uint64_t shift; /* what is added to a recorded address to get that of a symbol (KASLR) */
	bool same_boot; /* the list is of the recorded boot */
};

void code_image_open(struct code_image *i, const struct code_image_request *want);
/* Where the sections of a kernel module were loaded: before anything else is asked for. */
void code_image_lay_out(struct code_image *i, const struct kallsyms *list, struct span shown);
/* Can there be an image of the kernel at all? */
bool code_image_may_have_kernel(const struct files *files, const struct module *kernel);
void code_image_release(struct code_image *i);
/* Addresses as objdump shows them, and what sites hold; false where the file has none there. */
bool code_image_rel(const struct code_image *i, uint64_t address, uint64_t *rel);
bool code_image_address(const struct code_image *i, uint64_t rel, uint64_t *address);
/* *n bytes, which live as long as the image; fewer where their section or segment ends, as symbols
 * of a kernel have no size. NULL: *why. */
const unsigned char *code_image_bytes(
	const struct code_image *i, uint64_t address, uint64_t *n, enum code_why *why);

#endif
