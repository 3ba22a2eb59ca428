/*
 * unwind_fuzz.c - any registers, any stack, any call frame information
 *
 *	byte 0: bit 0 aarch64, bit 1 cut, bit 2 swapped, bit 3 a 32-bit program,
 *		bit 4: JIT code has call frame information too, bit 5 RISC-V,
 *		bit 6: the file is of a 32-bit program
 *	bytes 1..66: two for each register: the first says where it points to, the second how far
 *	byte 67: words of the stack, which follow as such pairs too
 *	the call frame information of JIT code, its length first
 *	all the rest: instructions of a CIE (their number first), then .eh_frame as it is
 */
#include "unwind/cfi_for_test.h"
#include "unwind/unwind.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint64_t stack_at = 0x7fff0000, text_at = 0x400000;

struct input {
	const uint8_t *p;
	size_t left;
};

static uint8_t next_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static uint64_t next_word(struct input *in)
{
	uint8_t kind = next_byte(in);
	uint64_t far = next_byte(in);

	switch (kind % 4) {
	case 0:
		return stack_at + far * 8 + kind / 64;
	case 1:
		return text_at + CFI_IMAGE_CODE + far * 16 + kind / 4;
	case 2:
		return 0x800000 + far; /* JIT code */
	}
	return far << kind / 4 % 64;
}

static struct span next_span(struct input *in, size_t n)
{
	struct span s = { (const char *)in->p, n < in->left ? n : in->left };

	in->p += s.n;
	in->left -= s.n;
	return s;
}

static struct unwind_place find(
	void *ctx, uint32_t space, uint64_t address, struct moment at, struct validity *valid)
{
	(void)ctx;
	(void)space;
	(void)at;
	(void)valid;
	if (address - text_at < 0x10000)
		return (struct unwind_place){ 1, address - text_at, true, false };
	return (struct unwind_place){ 0, 0, address - 0x800000 < 0x1000, address >= 0x900000 };
}

static void make_file(struct cfi_file *f, struct input *in, uint16_t machine)
{
	struct cfi_image image;
	struct span code;

	cfi_image_start(&image, machine, next_span(in, next_byte(in)));
	cfi_image_function(&image, CFI_IMAGE_CODE, 0x400, next_span(in, next_byte(in)));
	cfi_image_common(&image, "zRS", next_span(in, next_byte(in)));
	cfi_image_function(&image, CFI_IMAGE_CODE + 0x400, 0x400, next_span(in, next_byte(in)));
	code = next_span(in, next_byte(in));
	memcpy(image.code + 0x800, code.p, code.n);
	buf_put(&image.frames, in->p, in->left);
	cfi_file_open(f, &image);
}

/* Each 256 bytes of JIT code have the same information, which ctx is; every fourth are trampolines,
 * every eighth are PHP's, and every sixteenth QEMU's and LuaJIT's. */
static bool find_code(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	const struct span *jit_cfi = ctx;

	(void)space;
	(void)at;
	(void)valid;
	if ((address >> 8 & 3) == 3)
		*code = (struct unwind_code){ .kind = UNWIND_CODE_TRAMPOLINE };
	else if ((address >> 8 & 7) == 6)
		*code = (struct unwind_code){ .kind = UNWIND_CODE_PHP };
	else if ((address >> 8 & 15) == 8)
		*code = (struct unwind_code){ .kind = UNWIND_CODE_QEMU };
	else if ((address >> 8 & 15) == 0)
		*code = (struct unwind_code){ .kind = address >> 12 & 1 ? UNWIND_CODE_LUAJIT
									: UNWIND_CODE_UNNAMED };
	else
		*code = (struct unwind_code){ .id = address >> 8,
			.start = address & ~255ull,
			.header_bytes = jit_cfi->n % 32 };
	if (sections)
		buf_put_span(sections, *jit_cfi);
	return address - 0x800000 < 0x1000;
}

static const struct machine {
	struct span name;
	uint16_t wide, narrow;
} machines[] = {
	{ { "x86_64", sizeof("x86_64") - 1 }, EM_X86_64, EM_386 },
	{ { "aarch64", sizeof("aarch64") - 1 }, EM_AARCH64, EM_ARM },
	{ { "riscv64", sizeof("riscv64") - 1 }, EM_RISCV, EM_RISCV },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint8_t flags = next_byte(&in);
	const struct machine *machine = &machines[flags & 32 ? 2 : flags & 1];
	struct unwind_regs regs = { .known = 0 };
	uint64_t word[256];
	struct unwind_memory memory = { .bytes = (const uint8_t *)word,
		.start = stack_at,
		.word_bytes = flags & 8 ? 4 : 8,
		.cut = flags & 2,
		.swapped = flags & 4 };
	struct modules *modules = modules_new();
	struct unwinder *u;
	struct unwind_worker *w;
	struct unwind_result r;
	struct cfi_file file;
	struct span jit_cfi;
	unsigned i;

	for (i = 0; i < UNWIND_REGS; i++)
		unwind_regs_set(&regs, i, next_word(&in));
	memory.n = next_byte(&in) * 8u;
	for (i = 0; i < memory.n / 8; i++)
		word[i] = next_word(&in);
	jit_cfi = flags & 16 ? next_span(&in, next_byte(&in)) : (struct span){ 0 };
	make_file(&file, &in, flags & 64 ? machine->narrow : machine->wide);
	modules_add(modules, &(struct module){ .kind = MODULE_FILE, .path = file.path });
	u = unwind_new(unwind_arch_by_name(machine->name), file.files, modules);
	w = unwind_worker_new(u, find, NULL);
	if (jit_cfi.n)
		unwind_worker_set_code(w, find_code, &jit_cfi);
	r = unwind_stack(w, &regs, &memory, 1, (struct moment){ 1, 1 }, UNWIND_FRAMES_MAX);
	if (r.n > UNWIND_FRAMES_MAX || r.end == UNWIND_CONTINUE)
		abort();
	unwind_worker_free(w);
	unwind_free(u);
	modules_free(modules);
	cfi_file_close(&file);
	return 0;
}
