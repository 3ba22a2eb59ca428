/*
 * tiny_elf_for_test.h - an ELF64 file of a few symbols, in memory
 *
 * One section .text, one segment that holds it at an address of its own, a symbol table. A test can
 * lie about every field.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_TINY_ELF_FOR_TEST_H
#define PERFOLD_SYMBOLIZE_ELF_TINY_ELF_FOR_TEST_H

#include "base/mem.h"

#include <elf.h>
#include <string.h>

enum { TINY_TEXT = 1, TINY_SYMTAB, TINY_STRTAB, TINY_SHSTRTAB, TINY_OTHER, TINY_SECTIONS };
enum { TINY_SYMBOLS_MAX = 16, TINY_NAMES_MAX = 512 };

struct tiny_elf {
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	Elf64_Shdr sh[TINY_SECTIONS];
	Elf64_Sym sym[TINY_SYMBOLS_MAX];
	char names[TINY_NAMES_MAX];
	char section_names[64];
};

/* The place of .text in the file and in memory: two values, as lld and mold make them. */
enum { TINY_TEXT_OFFSET = 0x1000, TINY_TEXT_ADDRESS = 0x203000, TINY_TEXT_BYTES = 0x1000 };

static inline void tiny_elf_init(struct tiny_elf *t)
{
	static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";

	*t = (struct tiny_elf){
		.eh = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = offsetof(struct tiny_elf, ph),
			.e_shoff = offsetof(struct tiny_elf, sh),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = TINY_OTHER,
			.e_shstrndx = TINY_SHSTRTAB,
		},
		.ph = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_offset = TINY_TEXT_OFFSET,
			.p_vaddr = TINY_TEXT_ADDRESS,
			.p_filesz = TINY_TEXT_BYTES,
			.p_memsz = TINY_TEXT_BYTES,
		},
	};
	t->sh[TINY_TEXT] = (Elf64_Shdr){ .sh_name = 1,
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_addr = TINY_TEXT_ADDRESS,
		.sh_offset = TINY_TEXT_OFFSET,
		.sh_size = TINY_TEXT_BYTES };
	t->sh[TINY_SYMTAB] = (Elf64_Shdr){ .sh_name = 7,
		.sh_type = SHT_SYMTAB,
		.sh_offset = offsetof(struct tiny_elf, sym),
		.sh_size = sizeof(Elf64_Sym),
		.sh_link = TINY_STRTAB,
		.sh_addralign = 8,
		.sh_entsize = sizeof(Elf64_Sym) };
	t->sh[TINY_STRTAB] = (Elf64_Shdr){ .sh_name = 15,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct tiny_elf, names),
		.sh_size = 1 };
	t->sh[TINY_SHSTRTAB] = (Elf64_Shdr){ .sh_name = 23,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct tiny_elf, section_names),
		.sh_size = sizeof(t->section_names) };
	memcpy(t->section_names, section_names, sizeof(section_names));
}

/* offset is from the start of .text. Returns the symbol, to be lied about. */
static inline Elf64_Sym *tiny_elf_add(
	struct tiny_elf *t, const char *name, uint64_t offset, uint64_t size_bytes, unsigned type)
{
	Elf64_Sym *s = &t->sym[t->sh[TINY_SYMTAB].sh_size / sizeof(*s)];
	size_t n = strlen(name) + 1, at = t->sh[TINY_STRTAB].sh_size;

	memcpy(t->names + at, name, n);
	t->sh[TINY_STRTAB].sh_size += n;
	t->sh[TINY_SYMTAB].sh_size += sizeof(*s);
	*s = (Elf64_Sym){ .st_name = (Elf64_Word)at,
		.st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type),
		.st_shndx = TINY_TEXT,
		.st_value = TINY_TEXT_ADDRESS + offset,
		.st_size = size_bytes };
	return s;
}

/* One section more, after the others. */
static inline void tiny_elf_add_section(struct tiny_elf *t, Elf64_Shdr header)
{
	t->sh[TINY_OTHER] = header;
	t->eh.e_shnum = TINY_SECTIONS;
}

/* A copy from malloc with room for .text; its size in *size_bytes. */
static inline char *tiny_elf_image(const struct tiny_elf *t, size_t *size_bytes)
{
	char *image = xcalloc(1, TINY_TEXT_OFFSET + TINY_TEXT_BYTES);

	memcpy(image, t, sizeof(*t));
	*size_bytes = TINY_TEXT_OFFSET + TINY_TEXT_BYTES;
	return image;
}

/* Stubs of a linker, for tiny_elf_stubs(). */
struct tiny_stubs {
	const char *plt;  /* the name of their section, in place of .text */
	const char *rela; /* of the section of their relocations, after it in the file */
	const unsigned char *code;
	size_t code_bytes, stub_bytes;
	Elf64_Rela slots[2];
};

/* The image of a program whose only code are stubs that jump to malloc() and free(). */
static inline char *tiny_elf_stubs(const struct tiny_stubs *stubs, size_t *size_bytes)
{
	enum { RELA_OFFSET = TINY_TEXT_OFFSET + 0x800, RELA_NAME = 40, PLT_NAME = 52 };
	struct tiny_elf t;
	char *image;

	tiny_elf_init(&t);
	tiny_elf_add(&t, "malloc", 0, 0, STT_FUNC)->st_shndx = SHN_UNDEF;
	tiny_elf_add(&t, "free", 0, 0, STT_FUNC)->st_shndx = SHN_UNDEF;
	t.sh[TINY_SYMTAB].sh_type = SHT_DYNSYM;
	strcpy(t.section_names + RELA_NAME, stubs->rela);
	strcpy(t.section_names + PLT_NAME, stubs->plt);
	t.sh[TINY_TEXT].sh_name = PLT_NAME;
	t.sh[TINY_TEXT].sh_size = stubs->code_bytes;
	t.sh[TINY_TEXT].sh_entsize = stubs->stub_bytes;
	tiny_elf_add_section(&t, (Elf64_Shdr){ .sh_name = RELA_NAME,
					 .sh_type = SHT_RELA,
					 .sh_offset = RELA_OFFSET,
					 .sh_size = sizeof(stubs->slots),
					 .sh_link = TINY_SYMTAB,
					 .sh_addralign = 8,
					 .sh_entsize = sizeof(*stubs->slots) });
	image = tiny_elf_image(&t, size_bytes);
	memcpy(image + TINY_TEXT_OFFSET, stubs->code, stubs->code_bytes);
	memcpy(image + RELA_OFFSET, stubs->slots, sizeof(stubs->slots));
	return image;
}

_Static_assert(sizeof(struct tiny_elf) <= TINY_TEXT_OFFSET, "headers lie before .text");

#endif
