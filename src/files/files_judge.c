#include "files/files_search.h"

#include "base/mem.h"

/* What uname(2) says, from its beginning, and the machines of ELF files that run there: that of 64
 * bits, and that of 32. "setarch i686" makes a 64-bit kernel give the name of the other one. */
static const struct {
	const char *name;
	uint16_t machine[2];
} archs[] = {
	{ "x86", { EM_X86_64, EM_386 } },
	{ "i386", { EM_X86_64, EM_386 } },
	{ "i486", { EM_X86_64, EM_386 } },
	{ "i586", { EM_X86_64, EM_386 } },
	{ "i686", { EM_X86_64, EM_386 } },
	{ "aarch64", { EM_AARCH64, EM_ARM } },
	{ "arm", { EM_AARCH64, EM_ARM } },
	{ "ppc", { EM_PPC64, EM_PPC } },
	{ "s390", { EM_S390, EM_S390 } },
	{ "riscv", { EM_RISCV, EM_RISCV } },
	{ "mips", { EM_MIPS, EM_MIPS } },
	{ "loongarch", { EM_LOONGARCH, EM_LOONGARCH } },
};

static bool runs_on(struct span arch, uint16_t machine)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(archs); i++)
		if (span_starts(arch, span_of(archs[i].name)))
			return machine == archs[i].machine[0] || machine == archs[i].machine[1];
	return true; /* an architecture that is not known here */
}

enum files_verdict files_judge_machine(
	const struct files *f, uint8_t word_bytes, const struct elf_file *ef)
{
	uint8_t elf_class = ef->header.e_ident[EI_CLASS];

	if (f->o.arch && !runs_on(span_of(f->o.arch), ef->header.e_machine))
		return FILES_OTHER_MACHINE;
	if (word_bytes && elf_class != (word_bytes == 8 ? ELFCLASS64 : ELFCLASS32))
		return FILES_OTHER_CLASS;
	return FILES_USED;
}
