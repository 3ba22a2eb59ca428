/*
 * How it works. The file of a module is opened as symbolization opens it, with the same proofs:
 *
 *	program, library, vdso   the file that ran; an address is that of its segments
 *	kernel                   --vmlinux: an address is the recorded one plus the shift (KASLR);
 *	                         else kcore, if the list of symbols is of the recorded boot
 *	kernel module            its object file: an address is where its section was loaded
 *
 * A separate debug file has no code: its sections have no content.
 */
#include "symbolize/code/code_image.h"

#include "base/mem.h"

#include <stdlib.h>

static enum code_why why_no_file(const struct code_image *i)
{
	const struct files_step *s = files_trail_refusal(&i->trail);

	return s && s->verdict != FILES_NO_SYMBOLS ? CODE_REFUSED : CODE_NO_FILE;
}

static void open_runtime(struct code_image *i, const struct code_image_request *want)
{
	i->file = files_open_runtime(want->files, want->module, &i->trail);
	if (i->file && !elf_layout_read(&i->layout, i->file)) {
		elf_file_close(i->file);
		i->file = NULL;
	}
	i->why = i->file ? CODE_FOUND : why_no_file(i);
}

static void open_kernel(struct code_image *i, const struct code_image_request *want)
{
	if (want->vmlinux) {
		i->shift = want->shift;
		i->file = files_open_vmlinux(want->files, want->module, &i->trail);
	} else if (!want->shift) {
		i->file = files_open_kcore(want->files, want->module, want->same_boot, &i->trail);
	}
	i->why = i->file ? CODE_FOUND : CODE_NO_KERNEL;
}

static void open_kmod(struct code_image *i, const struct code_image_request *want)
{
	i->file = files_open_kmod(want->files, want->module, &i->trail);
	i->why = i->file ? CODE_FOUND : why_no_file(i);
}

void code_image_lay_out(struct code_image *i, const struct kallsyms *list, struct span shown)
{
	if (list->n)
		kmod_find_places(&i->places, i->file, list, shown);
	if (!elf_places_any(&i->places) && i->module->start) {
		elf_places_release(&i->places);
		elf_places_lay_out(&i->places, i->file, i->module->start);
	}
}

bool code_image_may_have_kernel(const struct files *files, const struct module *kernel)
{
	struct files_trail trail = { 0 };
	struct elf_file *file = files_open_vmlinux(files, kernel, &trail);

	if (!file)
		file = files_open_kcore(files, kernel, true, &trail);
	files_trail_release(&trail);
	elf_file_close(file);
	return file;
}

void code_image_open(struct code_image *i, const struct code_image_request *want)
{
	*i = (struct code_image){ .module = want->module };
	switch ((enum module_kind)want->module->kind) {
	case MODULE_FILE:
	case MODULE_VDSO:
		open_runtime(i, want);
		break;
	case MODULE_KERNEL:
		open_kernel(i, want);
		break;
	case MODULE_KMOD:
		open_kmod(i, want);
		break;
	case MODULE_BPF:
		i->why = CODE_BPF;
		break;
	case MODULE_JIT:
	case MODULE_ANON:
		i->why = CODE_GENERATED;
		break;
	case MODULE_NONE:
	case MODULE_TEXT:
		i->why = CODE_NO_MODULE;
		break;
	}
}

void code_image_release(struct code_image *i)
{
	elf_places_release(&i->places);
	files_trail_release(&i->trail);
	elf_file_close(i->file);
	*i = (struct code_image){ 0 };
}

static bool by_offset(const struct code_image *i)
{
	return i->module->kind == MODULE_FILE || i->module->kind == MODULE_VDSO;
}

bool code_image_rel(const struct code_image *i, uint64_t address, uint64_t *rel)
{
	*rel = address - i->shift;
	return !by_offset(i) || elf_layout_offset(&i->layout, address, rel);
}

bool code_image_address(const struct code_image *i, uint64_t rel, uint64_t *address)
{
	*address = rel + i->shift;
	return !by_offset(i) || elf_layout_address(&i->layout, rel, address);
}

/* A run of bytes of the file. */
struct code_run {
	uint64_t offset, size_bytes;
};

/* What begins in a run at an offset of that. */
static bool cut_run(struct code_run *run, uint64_t at)
{
	if (at >= run->size_bytes || run->offset > INT64_MAX - at)
		return false;
	run->offset += at;
	run->size_bytes -= at;
	return true;
}

/* From an address on, in a file with segments. */
static bool find_in_segments(Elf *elf, uint64_t address, struct code_run *run)
{
	size_t count, k;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (k = 0; k < count; k++) {
		if (!gelf_getphdr(elf, (int)k, &ph) || ph.p_type != PT_LOAD)
			continue;
		*run = (struct code_run){ ph.p_offset, ph.p_filesz };
		if (cut_run(run, address - ph.p_vaddr))
			return true;
	}
	return false;
}

/* The same in an object file. */
static bool find_in_sections(const struct code_image *i, uint64_t address, struct code_run *run)
{
	Elf_Scn *section = NULL;
	uint64_t start;
	GElf_Shdr sh;

	while ((section = elf_nextscn(i->file->elf, section))) {
		if (!elf_places_get(&i->places, elf_ndxscn(section), &start) ||
			!gelf_getshdr(section, &sh) || !(sh.sh_flags & SHF_EXECINSTR))
			continue;
		*run = (struct code_run){ sh.sh_offset, sh.sh_size };
		if (cut_run(run, address - start))
			return true;
	}
	return false;
}

const unsigned char *code_image_bytes(
	const struct code_image *i, uint64_t address, uint64_t *n, enum code_why *why)
{
	struct code_run run;
	Elf_Data *d;

	*why = CODE_NO_BYTES;
	if (!i->file || !*n ||
		!(elf_is_object(i->file) ? find_in_sections(i, address, &run)
					 : find_in_segments(i->file->elf, address, &run)))
		return NULL;
	if (*n > run.size_bytes)
		*n = run.size_bytes;
	if (elf_file_lacks_code(i->file, run.offset, *n)) {
		*why = CODE_LEFT_OUT;
		return NULL;
	}
	d = elf_file_chunk(i->file, run.offset, *n);
	if (!d || !d->d_buf || d->d_size < *n)
		return NULL;
	*why = CODE_FOUND;
	return d->d_buf;
}
