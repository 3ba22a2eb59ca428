/*
 * elf_fuzz.c - any bytes as an ELF file: symbols, stubs, build-id, what is packed inside
 */
#include "symbolize/elf_symbols.h"

#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const uint8_t *data, size_t size, bool compat_perf)
{
	struct symtab t = { .style.compat_perf = compat_perf };
	struct elf_file *ef = elf_file_from_memory(xmemdup(data, size), size, "fuzz");
	struct elf_file *inner;
	uint64_t address;

	if (!ef)
		return;
	inner = files_open_debugdata(ef);
	if (inner)
		elf_symbols_add(&t, inner, ef, SHT_SYMTAB);
	symtab_hold(&t, inner);
	symtab_hold(&t, ef);
	elf_symbols_add(&t, ef, ef, SHT_SYMTAB);
	symtab_settle(&t);
	elf_symbols_add(&t, ef, ef, SHT_DYNSYM);
	symtab_settle(&t);
	elf_plt_add(&t, ef);
	symtab_freeze(&t);
	for (address = 0; address < 2 * size; address += 16)
		symtab_find(&t, address);
	symtab_find(&t, UINT64_MAX);
	symtab_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	elf_version(EV_CURRENT);
	read_all(data, size, false);
	read_all(data, size, true);
	return 0;
}
