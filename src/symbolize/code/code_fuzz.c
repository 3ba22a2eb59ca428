/*
 * code_fuzz.c - any bytes as code, or as a kernel module whose calls are relocated
 *
 *	byte 0: bit 7 a kernel module, else bits 0 to 1 the machine, bit 2 Intel's syntax or Thumb,
 *		bit 3 big-endian
 *	all the rest: the module, or the code
 *
 * Instructions cover the code without gap or overlap, and targets are instructions. Those that are
 * known from the same code at another address are as if they were decoded anew. Relocations are
 * found where they are.
 */
#include "symbolize/code/disassembly.h"

#include "base/mem.h"
#include "symbolize/code/code_relocations.h"
#include "symbolize/code/x86_length.h"

#include <elf.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ADDRESS = 0x401000, ELSEWHERE = 0x20, CODE_MAX_BYTES = 1 << 16 };

static bool name(void *ctx, uint64_t address, struct buf *out)
{
	(void)ctx;
	buf_printf(out, "f+0x%llx", (unsigned long long)address);
	return address & 1;
}

static void look_at(const struct disassembly *d, uint64_t size_bytes)
{
	uint64_t address = ADDRESS;
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		const struct instruction *in = &d->instruction[i];

		if (in->address != address || !in->size_bytes || !in->mnemonic.n)
			abort();
		/* html_source.c joins them by it */
		if (span_find(in->mnemonic, SPAN(";")) >= 0 ||
			span_find(in->operands, SPAN(";")) >= 0)
			abort();
		if (in->target_index != UINT32_MAX &&
			(in->target_index >= d->n ||
				d->instruction[in->target_index].address != in->target))
			abort();
		address += in->size_bytes;
	}
	if (address != ADDRESS + size_bytes)
		abort();
}

static void compare(const struct disassembly *a, const struct disassembly *b)
{
	uint32_t i;

	if (a->n != b->n || a->n_bad != b->n_bad)
		abort();
	for (i = 0; i < a->n; i++) {
		const struct instruction *x = &a->instruction[i], *y = &b->instruction[i];

		if (x->address != y->address || x->size_bytes != y->size_bytes ||
			x->kind != y->kind || x->target != y->target ||
			x->target_index != y->target_index || !span_eq(x->mnemonic, y->mnemonic) ||
			!span_eq(x->operands, y->operands))
			abort();
	}
}

/* d: the code by itself. */
static void look_at_known(const struct disassembly *d, const struct disassembly_code *code)
{
	struct arena arena = ARENA_INIT;
	struct disassembly_texts texts = { .arena = &arena };
	struct disassembly_code here = *code, elsewhere = *code;
	struct disassembly first, second;
	struct err e;

	here.texts = elsewhere.texts = &texts;
	elsewhere.address = ELSEWHERE;
	if (disassembly_make(&first, &elsewhere, &e) || disassembly_make(&second, &here, &e))
		abort();
	compare(d, &second);
	disassembly_release(&first);
	disassembly_release(&second);
	disassembly_texts_release(&texts);
	arena_release(&arena);
}

static void relocate(const uint8_t *data, size_t size)
{
	struct elf_file *ef = elf_file_from_memory(xmemdup(data, size), size, "module");
	struct code_relocations r;
	struct elf_places places;
	uint32_t i;

	if (!ef)
		return;
	elf_places_lay_out(&places, ef, ADDRESS);
	code_relocations_read(&r, ef, &places, ADDRESS, CODE_MAX_BYTES);
	for (i = 0; i < r.n; i++)
		if (r.at[i].address - ADDRESS >= CODE_MAX_BYTES ||
			!code_relocations_find(&r, r.at[i].address, 1))
			abort();
	code_relocations_release(&r);
	elf_places_release(&places);
	elf_file_close(ef);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t machines[] = { EM_X86_64, EM_386, EM_AARCH64, EM_ARM };
	struct disassembly_code code = { .address = ADDRESS, .name = name };
	struct disassembly d;
	struct err e;
	unsigned n;

	if (!size || size - 1 > CODE_MAX_BYTES)
		return 0;
	if (data[0] & 0x80) {
		elf_version(EV_CURRENT);
		relocate(data + 1, size - 1);
		return 0;
	}
	code.bytes = data + 1;
	code.size_bytes = size - 1;
	code.machine = machines[data[0] % ARRAY_LEN(machines)];
	code.thumb = data[0] & 4;
	code.syntax = data[0] & 4 ? DISASSEMBLY_INTEL : DISASSEMBLY_ATT;
	code.big_endian = data[0] & 8;
	n = x86_length((struct span){ (const char *)code.bytes, code.size_bytes }, data[0] & 1);
	if (n > code.size_bytes || disassembly_make(&d, &code, &e))
		abort();
	look_at(&d, code.size_bytes);
	look_at_known(&d, &code);
	disassembly_release(&d);
	return 0;
}
