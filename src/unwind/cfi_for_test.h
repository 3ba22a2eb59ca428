/*
 * cfi_for_test.h - ELF files with call frame information, written by hand
 *
 *	struct cfi_image image;
 *	cfi_image_start(&image, EM_X86_64, initial instructions);
 *	cfi_image_function(&image, start, size, instructions);
 *	cfi_file_open(&file, &image);
 *
 * The file is its own memory image: the byte at offset N runs at CFI_IMAGE_BASE + N. Code begins at
 * CFI_IMAGE_CODE, and is zero where the test writes nothing into image.code. The file is a memfd,
 * which file.files finds as file.path below --symfs /proc/self/fd.
 *
 * Owns: a struct cfi_image its buffers, until cfi_file_open(); a struct cfi_file all its members.
 * Threads: one.
 * Source: Linux Standard Base Core, "Exception Frames".
 */
#ifndef PERFOLD_UNWIND_CFI_FOR_TEST_H
#define PERFOLD_UNWIND_CFI_FOR_TEST_H

#include "base/mem.h"
#include "files/files.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define CFI_FN static __attribute__((unused))

enum {
	CFI_IMAGE_BASE = 0x10000,
	CFI_IMAGE_CODE = 0x1000,
	CFI_IMAGE_CODE_BYTES = 0x1000,
	CFI_IMAGE_FRAMES = CFI_IMAGE_CODE + CFI_IMAGE_CODE_BYTES,
};

struct cfi_image {
	uint16_t machine;
	uint64_t entry; /* as an offset, 0: none */
	uint8_t code[CFI_IMAGE_CODE_BYTES];
	struct buf frames; /* .eh_frame */
	size_t last_cie;
	uint64_t execute_ex, execute_ex_bytes; /* the only dynamic symbol, 64 bits; bytes 0: none */
};

CFI_FN void cfi_put(struct buf *b, uint64_t value, size_t bytes)
{
	buf_put(b, &value, bytes);
}

/* Sets the length of the entry that begins at a place and ends here, padded with DW_CFA_nop. */
CFI_FN void cfi_close(struct buf *b, size_t at)
{
	uint32_t length;

	while (b->n % 8)
		buf_putc(b, 0);
	length = (uint32_t)(b->n - at - 4);
	memcpy(b->p + at, &length, 4);
}

/* Instructions are the bytes of a string literal. */
#define CFI(text) ((struct span){ (text), sizeof(text) - 1 })

CFI_FN bool cfi_is_narrow(uint16_t machine)
{
	return machine == EM_386 || machine == EM_ARM;
}

CFI_FN unsigned cfi_return_column(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64:
		return 16;
	case EM_386:
		return 8;
	case EM_ARM:
		return 14;
	case EM_RISCV:
		return 1;
	}
	return 30; /* aarch64 */
}

/* A CIE for the functions that follow; augmentation "zR", or "zRS" for trampolines. */
CFI_FN void cfi_image_common(
	struct cfi_image *m, const char *augmentation, struct span instructions)
{
	struct buf *b = &m->frames;

	m->last_cie = b->n;
	cfi_put(b, 0, 4);
	cfi_put(b, 0, 4); /* a CIE */
	buf_putc(b, 1);
	buf_put(b, augmentation, strlen(augmentation) + 1);
	buf_putc(b, 1);                                       /* code alignment */
	buf_putc(b, cfi_is_narrow(m->machine) ? 0x7c : 0x78); /* data alignment: -4 or -8 */
	buf_putc(b, (char)cfi_return_column(m->machine));
	buf_putc(b, 1); /* bytes of augmentation: the encoding of addresses */
	buf_putc(b, 0); /* absolute */
	buf_put_span(b, instructions);
	cfi_close(b, m->last_cie);
}

CFI_FN void cfi_image_start(struct cfi_image *m, uint16_t machine, struct span instructions)
{
	*m = (struct cfi_image){ .machine = machine };
	cfi_image_common(m, "zR", instructions);
}

/* start: an offset in the file. */
CFI_FN void cfi_image_function(
	struct cfi_image *m, uint64_t start, uint64_t size, struct span instructions)
{
	struct buf *b = &m->frames;
	size_t at = b->n, word = cfi_is_narrow(m->machine) ? 4 : 8;

	cfi_put(b, 0, 4);
	cfi_put(b, at + 4 - m->last_cie, 4);
	cfi_put(b, start + CFI_IMAGE_BASE, word);
	cfi_put(b, size, word);
	buf_putc(b, 0);
	buf_put_span(b, instructions);
	cfi_close(b, at);
}

/* The headers of a 64-bit file as those of a 32-bit one, in their places. */
CFI_FN void cfi_narrow_headers(
	char *file, const Elf64_Ehdr *eh, const Elf64_Phdr *load, const Elf64_Shdr *sections)
{
	Elf32_Ehdr to = { .e_type = eh->e_type,
		.e_machine = eh->e_machine,
		.e_version = eh->e_version,
		.e_entry = (uint32_t)eh->e_entry,
		.e_ehsize = sizeof(to),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_shentsize = sizeof(Elf32_Shdr),
		.e_phoff = sizeof(to),
		.e_shoff = (uint32_t)eh->e_shoff,
		.e_phnum = eh->e_phnum,
		.e_shnum = eh->e_shnum,
		.e_shstrndx = eh->e_shstrndx };
	Elf32_Phdr segment = { .p_type = load->p_type,
		.p_flags = load->p_flags,
		.p_vaddr = (uint32_t)load->p_vaddr,
		.p_filesz = (uint32_t)load->p_filesz,
		.p_memsz = (uint32_t)load->p_memsz,
		.p_align = (uint32_t)load->p_align };
	unsigned i;

	memcpy(to.e_ident, eh->e_ident, EI_NIDENT);
	to.e_ident[EI_CLASS] = ELFCLASS32;
	memcpy(file, &to, sizeof(to));
	memcpy(file + sizeof(to), &segment, sizeof(segment));
	for (i = 0; i < eh->e_shnum; i++) {
		Elf32_Shdr section = { .sh_name = sections[i].sh_name,
			.sh_type = sections[i].sh_type,
			.sh_flags = (uint32_t)sections[i].sh_flags,
			.sh_addr = (uint32_t)sections[i].sh_addr,
			.sh_offset = (uint32_t)sections[i].sh_offset,
			.sh_size = (uint32_t)sections[i].sh_size,
			.sh_addralign = (uint32_t)sections[i].sh_addralign };

		memcpy(file + to.e_shoff + i * sizeof(section), &section, sizeof(section));
	}
}

enum { CFI_SYMBOLS_BYTES = 2 * sizeof(Elf64_Sym), CFI_NAME_OF_SYMBOL = 29 };

CFI_FN void cfi_put_symbols(const struct cfi_image *m, char *out)
{
	const Elf64_Sym symbols[2] = { [1] = { .st_name = CFI_NAME_OF_SYMBOL,
					       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					       .st_shndx = 1,
					       .st_value = m->execute_ex + CFI_IMAGE_BASE,
					       .st_size = m->execute_ex_bytes } };

	if (m->execute_ex_bytes)
		memcpy(out, symbols, CFI_SYMBOLS_BYTES);
}

/* Appends the file; the image is released. */
CFI_FN void cfi_image_write(struct cfi_image *m, struct buf *out)
{
	static const char names[] = "\0.eh_frame\0.shstrtab\0.dynsym\0execute_ex";
	Elf64_Ehdr eh = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				  EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = m->machine,
		.e_version = EV_CURRENT,
		.e_entry = m->entry ? m->entry + CFI_IMAGE_BASE : 0,
		.e_ehsize = sizeof(eh),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_phoff = sizeof(eh),
		.e_phnum = 1,
		.e_shnum = m->execute_ex_bytes ? 4 : 3,
		.e_shstrndx = 2 };
	Elf64_Phdr load = { .p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_vaddr = CFI_IMAGE_BASE,
		.p_align = 0x1000 };
	Elf64_Shdr sections[4] = { [1] = { .sh_name = 1,
					   .sh_type = SHT_PROGBITS,
					   .sh_flags = SHF_ALLOC,
					   .sh_addr = CFI_IMAGE_FRAMES + CFI_IMAGE_BASE,
					   .sh_offset = CFI_IMAGE_FRAMES,
					   .sh_addralign = 8 },
		[2] = { .sh_name = 11,
			.sh_type = SHT_STRTAB,
			.sh_size = sizeof(names),
			.sh_addralign = 1 },
		[3] = { .sh_name = 21,
			.sh_type = SHT_DYNSYM,
			.sh_link = 2,
			.sh_size = CFI_SYMBOLS_BYTES,
			.sh_entsize = sizeof(Elf64_Sym),
			.sh_addralign = 8 } };

	cfi_put(&m->frames, 0, 4); /* the end */
	while (m->frames.n % 8)
		buf_putc(&m->frames, 0);
	sections[1].sh_size = m->frames.n;
	sections[2].sh_offset = CFI_IMAGE_FRAMES + m->frames.n;
	sections[3].sh_offset = (sections[2].sh_offset + sizeof(names) + 7) & ~7ull;
	eh.e_shoff = sections[3].sh_offset + (m->execute_ex_bytes ? CFI_SYMBOLS_BYTES : 0);
	load.p_filesz = load.p_memsz = eh.e_shoff;
	buf_reserve(out, eh.e_shoff + sizeof(sections));
	out->n = eh.e_shoff + sizeof(sections);
	memset(out->p, 0, out->n);
	if (cfi_is_narrow(m->machine)) {
		cfi_narrow_headers(out->p, &eh, &load, sections);
	} else {
		memcpy(out->p, &eh, sizeof(eh));
		memcpy(out->p + sizeof(eh), &load, sizeof(load));
		cfi_put_symbols(m, out->p + sections[3].sh_offset);
		memcpy(out->p + eh.e_shoff, sections, sizeof(sections));
	}
	memcpy(out->p + CFI_IMAGE_CODE, m->code, sizeof(m->code));
	memcpy(out->p + CFI_IMAGE_FRAMES, m->frames.p, m->frames.n);
	memcpy(out->p + sections[2].sh_offset, names, sizeof(names));
	buf_release(&m->frames);
}

struct cfi_file {
	struct strtab *strings;
	struct files *files;
	str_id path; /* as recorded */
	int fd;
};

CFI_FN void cfi_file_open(struct cfi_file *f, struct cfi_image *m)
{
	static const char *const symfs[] = { "/proc/self/fd", NULL };
	/* What is there are links to files without a name. */
	struct files_opts o = { .symfs = symfs, .no_system = true, .trust_files = true };
	struct buf b = { 0 };
	char *path;

	cfi_image_write(m, &b);
	f->fd = memfd_create("cfi", MFD_CLOEXEC);
	if (write(f->fd, b.p, b.n) != (ssize_t)b.n)
		abort();
	buf_release(&b);
	path = xasprintf("/%d", f->fd);
	f->strings = strtab_new();
	f->path = strtab_add_str(f->strings, path);
	f->files = files_new(&o, f->strings);
	free(path);
}

CFI_FN void cfi_file_close(struct cfi_file *f)
{
	files_free(f->files);
	strtab_free(f->strings);
	close(f->fd);
}

#endif
