/*
 * code.h - the functions of a module, and the bytes of their code
 *
 * The door of symbolize/code/. Addresses are those that objdump shows: of an ELF file, as it was
 * linked (frame.at_address); of the kernel, those of the vmlinux that named it, else as recorded,
 * and of its modules as recorded; of generated code, those in its process. A function is what a
 * symbol covers or, where there is none, an FDE of .eh_frame. A cold part (foo.cold) and a stub of
 * the PLT are functions of their own.
 *
 * Bytes are those of the file that ran, never of a separate debug file, which has none. What cannot
 * be had says why. The code of a kernel may differ from its file: the kernel patches itself.
 *
 * Owns: the reader owns bytes, names and trails, until code_reader_free(). Borrows: the recording,
 * and what the options point to. Threads: one for each reader; no other thread may name sites of
 * the recording meanwhile.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_CODE_H
#define PERFOLD_SYMBOLIZE_CODE_CODE_H

#include "symbolize/code/code_lines.h"
#include "symbolize/code/disassembly.h"
#include "symbolize/symbolize.h"

enum code_why {
	CODE_FOUND,
	CODE_NO_MODULE,   /* nothing was mapped, or a text input said no more than the name */
	CODE_NO_FILE,     /* the file that ran is not here */
	CODE_REFUSED,     /* a file is here, but not the recorded one */
	CODE_NO_FUNCTION, /* neither a symbol nor .eh_frame has a function there */
	CODE_NO_KERNEL,   /* only a list of its symbols is here, not the kernel itself */
	CODE_LEFT_OUT,    /* the pack is light, and this code was not sampled */
	CODE_NO_BYTES,    /* the file has none there */
	CODE_GENERATED,   /* no jitdump has it */
	CODE_BPF,         /* code of BPF programs is not recorded */
	CODE_TOO_LARGE,   /* more than 16 MiB */
	CODE_WHY_COUNT,
};

enum { CODE_MAX_BYTES = 16 << 20 };

struct code_function {
	module_id module; /* 0: it is generated code of a jitdump */
	str_id name;      /* as in frames: demangled; 0: only .eh_frame knows it */
	uint64_t start;   /* its address; 0 with size_bytes if no function was found */
	uint64_t size_bytes;
	const unsigned char *bytes; /* NULL: why says */
	enum code_why why;
	const char *path; /* the file that the bytes are from; NULL: none */
	/* Every place that was tried, for files_step_put(). */
	const struct files_trail *trail;
	uint16_t machine; /* EM_* of elf(5) */
	bool big_endian;
	bool thumb;     /* of a 32-bit ARM function */
	bool cold;      /* the part of a function that was moved away, as it seldom runs */
	bool guessed;   /* its symbol has no size: it ends where the next one begins */
	bool ambiguous; /* code_reader_find(): several modules are shown so, and have it */
};

struct code_style {
	enum disassembly_syntax syntax;
	struct disassembly_texts *texts; /* see disassembly.h; NULL: each disassembly has its own */
};

struct code_reader;

/* unpacked: where the files of a pack are whose paths begin with that of the recording; NULL: it is
 * no pack. */
struct code_reader *code_reader_new(
	struct recording *r, const struct symbolize_opts *o, const char *unpacked);
void code_reader_free(struct code_reader *c);
/* The function that covers the address of a frame (at_address), which knows how its module is
 * shown, and of which build it is. Of several modules that fit, the first one whose function has
 * the frame's name is taken, if any has. False: no bytes; fn->why says why, and what is known of
 * the function is filled in. */
bool code_reader_find(struct code_reader *c, const struct frame *f, struct code_function *fn);
/* Is the frame one of a kernel whose code is not here? Its symbols, a long list, need not be read
 * then. */
bool code_reader_lacks_kernel(struct code_reader *c, const struct frame *f);
/* Closes the files of modules and frees their symbols: bytes, paths and trails of functions with
 * them; but not of modules that are shown as except (may be 0). */
void code_reader_forget(struct code_reader *c, str_id except);
/* Why there are no bytes, for a user, appended: "the file that ran is not here". */
void code_why_put(struct buf *out, const struct code_reader *c, const struct code_function *fn);
/* Its instructions; an error only where they cannot be had at all: no libcapstone, or another
 * machine than capstone is asked for. Targets are named by the symbols of the module. */
int code_reader_disassemble(struct code_reader *c, const struct code_function *fn,
	const struct code_style *style, struct disassembly *d, struct err *e);

#endif
