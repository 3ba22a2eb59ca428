/*
 * Copied stacks through generated code that keeps no frame pointer: its maker tells in a jitdump
 * how to unwind it (JIT_CODE_UNWINDING_INFO). Every sample has its whole chain, also those in
 * prologues and epilogues, which small functions are full of.
 */
#include "jitdump.h"

enum { CODE_BYTES = 0x40, SLOT_BYTES = 0x100 };

static volatile unsigned rounds;
static unsigned n_loaded;

/* sub rsp, 24; mov ecx, count; 1: dec ecx; jnz 1b; [mov rax, callee; call rax;] add rsp, 24; ret */
static size_t emit(unsigned char *p, unsigned count, jit_fn callee)
{
	unsigned char *start = p;

	memcpy(p, "\x48\x83\xec\x18\xb9", 5);
	memcpy(p + 5, &count, 4);
	memcpy(p + 9, "\xff\xc9\x75\xfc", 4);
	p += 13;
	if (callee) {
		memcpy(p, "\x48\xb8", 2);
		memcpy(p + 2, &callee, 8);
		memcpy(p + 10, "\xff\xd0", 2);
		p += 12;
	}
	memcpy(p, "\x48\x83\xc4\x18\xc3", 5);
	return (size_t)(p + 5 - start);
}

/* .eh_frame of one function, then .eh_frame_hdr, as V8 has them. */
static void tell_unwinding(FILE *dump, size_t code_bytes)
{
	static const char common[] = "\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0";
	static const char header[20] = "\1\x1b\3\x3b";
	char entry[28] = "\x18\0\0\0\x1c\0\0\0";
	uint32_t size = (uint32_t)code_bytes;
	size_t frames = sizeof(common) - 1 + sizeof(entry) + 4, all = frames + sizeof(header);
	size_t record = (24 + all + 7) / 8 * 8;

	memcpy(entry + 12, &size, sizeof(size));
	/* behind the prologue the caller is 32 bytes away, before the return 8 again */
	memcpy(entry + 17, "\x44\x0e\x20", 3);
	entry[20] = (char)(0x40 | (code_bytes - 1 - 4));
	memcpy(entry + 21, "\x0e\x08", 2);
	jitdump_begin(dump, 4, record);
	jitdump_u64(dump, all);
	jitdump_u64(dump, sizeof(header));
	jitdump_u64(dump, all);
	fwrite(common, sizeof(common) - 1, 1, dump);
	fwrite(entry, sizeof(entry), 1, dump);
	jitdump_u32(dump, 0);
	fwrite(header, sizeof(header), 1, dump);
	for (size_t n = 24 + all; n < record; n++)
		putc(0, dump);
}

static jit_fn make(FILE *dump, unsigned char *at, unsigned count, jit_fn callee, const char *name)
{
	size_t code_bytes = emit(at, count, callee);

	tell_unwinding(dump, code_bytes);
	jitdump_load(dump, (jit_fn)(void *)at, code_bytes, n_loaded++, name);
	return (jit_fn)(void *)at;
}

NOINLINE static void run(jit_fn fn, unsigned times)
{
	for (volatile unsigned i = 0; i < times; i++)
		fn();
}

int main(void)
{
	phase_set_name(OUTSIDE);
	unsigned per_ms = phase_rounds_per_ms();
	unsigned char *arena = jit_arena(NULL, 8 * SLOT_BYTES);
	FILE *dump = jitdump_open();
	jit_fn inner = make(dump, arena, per_ms * 4, NULL, "inner");
	jit_fn outer = make(dump, arena + SLOT_BYTES, 1, inner, "outer");
	jit_fn leaf = make(dump, arena + 2 * SLOT_BYTES, 1, NULL, "leaf");
	jit_fn caller = make(dump, arena + 3 * SLOT_BYTES, 1, leaf, "caller");

	phase_announce("nested", "main;run;outer;inner\tcomplete");
	phase_announce("small", "main;run\tcomplete");
	phase_announce("small", "main;run;caller\tcomplete");
	phase_announce("small", "main;run;caller;leaf\tcomplete");
	phase_set_name("nested");
	run(outer, 300);
	phase_set_name("small");
	run(caller, per_ms * 150);
	phase_set_name(OUTSIDE);
	fclose(dump);
	return 0;
}
