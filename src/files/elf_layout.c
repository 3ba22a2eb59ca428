#include "files/elf_layout.h"

#include "files/files.h"

/* objcopy --only-keep-debug leaves segments without content and with another offset. */
static bool is_hollow(const GElf_Phdr *ph)
{
	return ph->p_filesz == 0 && ph->p_flags & PF_X;
}

/* GNU ld puts each segment of a file at the offset that its address has from the first one; lld
 * and mold do not. */
static bool linked_by_gnu(const struct elf_file *ef)
{
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(ef, ".comment", &sh);
	struct span comment = section ? elf_file_content(section, &sh) : SPAN("");

	return comment.n && span_find(comment, SPAN("LLD")) < 0 &&
	       span_find(comment, SPAN("mold")) < 0;
}

bool elf_layout_read(struct elf_layout *l, const struct elf_file *ef)
{
	bool hollow = false;
	size_t n, i;

	l->n = 0;
	if (elf_getphdrnum(ef->elf, &n))
		return true;
	for (i = 0; i < n && l->n < ELF_SEGMENTS_MAX; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(ef->elf, (int)i, &ph))
			break;
		if (ph.p_type != PT_LOAD)
			continue;
		hollow |= is_hollow(&ph);
		if (hollow)
			ph.p_offset = ph.p_vaddr - (l->n ? l->segment[0].address : ph.p_vaddr);
		l->segment[l->n++] = (struct elf_segment){ ph.p_vaddr, ph.p_offset,
			ph.p_memsz > ph.p_filesz ? ph.p_memsz : ph.p_filesz, ph.p_flags & PF_X };
	}
	if (hollow && !linked_by_gnu(ef))
		l->n = 0;
	return !hollow || l->n;
}

bool elf_layout_offset(const struct elf_layout *l, uint64_t address, uint64_t *offset)
{
	uint32_t i;

	for (i = 0; i < l->n; i++) {
		const struct elf_segment *s = &l->segment[i];

		if (address >= s->address && address - s->address < s->size_bytes) {
			*offset = address - s->address + s->offset;
			return true;
		}
	}
	return false;
}

bool elf_layout_address(const struct elf_layout *l, uint64_t offset, uint64_t *address)
{
	uint32_t i;

	for (i = 0; i < l->n; i++) {
		const struct elf_segment *s = &l->segment[i];

		if (offset >= s->offset && offset - s->offset < s->size_bytes) {
			*address = offset - s->offset + s->address;
			return true;
		}
	}
	return false;
}

uint32_t elf_layout_code(
	const struct elf_layout *l, struct module_segment segments[ELF_SEGMENTS_MAX])
{
	uint32_t i, n = 0;

	for (i = 0; i < l->n; i++) {
		const struct elf_segment *s = &l->segment[i];

		if (s->executable)
			segments[n++] =
				(struct module_segment){ s->address, s->offset, s->size_bytes };
	}
	return n;
}
