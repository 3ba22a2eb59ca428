/*
 * unwind.h - callchains from user stack dumps
 *
 * perf record --call-graph dwarf copies the user registers and the top of the stack into each
 * sample. A step from a frame to its caller follows the call frame information (CFI) for its
 * program counter, compiled to a rule of 32 bytes (unwind_rule.h) and kept for all later stacks.
 * Code without CFI (JIT code, V8's builtins inside the node program, assembly written by hand) is
 * unwound by its frame pointer, if that is plausible.
 *
 * A result says how the stack ended: complete (the CFI of _start and clone3 says that there is no
 * caller, the return address is 0, or the bottom of a stack made by hand was reached), cut off by
 * the size of the dump, or broken.
 *
 * Owns: a struct unwinder owns the CFI of all files, a struct unwind_worker its cache and frames;
 * files, modules and all arguments are borrowed. Threads: an unwinder is shared by any
 * number of workers; each worker belongs to one thread. Finding a rule again takes no lock; a new
 * one is made under the lock of its file.
 * Source: DWARF 5, 6.4; Linux Standard Base Core, "Exception Frames"; System V ABI, AMD64
 * supplement, 3.4; DWARF for the Arm 64-bit Architecture.
 */
#ifndef PERFOLD_UNWIND_UNWIND_H
#define PERFOLD_UNWIND_UNWIND_H

#include "base/buf.h"
#include "files/files.h"
#include "model/stacklog.h"

enum { UNWIND_REGS = 33, UNWIND_FRAMES_MAX = 1024 };

struct unwind_arch;

/* By the name that uname(2) gives: "x86_64", "aarch64", "riscv64". The 32-bit names, "i686" and
 * "armv7l", are read as those of the 64-bit architecture, whose 32-bit programs are the same. NULL:
 * not known. */
const struct unwind_arch *unwind_arch_by_name(struct span name);
/* By the registers that were recorded (sample_regs_user): those of aarch64 go up to number 32,
 * those of RISC-V to 31; 32-bit Arm has 16 in a row, and of x86 perf takes no segment registers. */
const struct unwind_arch *unwind_arch_by_mask(uint64_t regs_user);
/* That of programs with words of 8 or 4 bytes, NULL: they are not unwound. */
const struct unwind_arch *unwind_arch_of_words(const struct unwind_arch *a, unsigned word_bytes);
/* The number in struct unwind_regs of a register in perf's numbering (asm/perf_regs.h), or -1. */
int unwind_arch_column(const struct unwind_arch *a, unsigned perf_number);

/* The link register as a bit in perf's numbering, where a chain of frame pointers does not begin
 * with what it holds, and perf records it with the chain; 0: there is no such register. */
uint64_t unwind_arch_link(const struct unwind_arch *a);

/* The stack pointer; 0 if it is not known. */
struct unwind_regs;
uint64_t unwind_arch_sp(const struct unwind_arch *a, const struct unwind_regs *regs);

/* Registers in DWARF's numbering; known has a bit for each that is known. */
struct unwind_regs {
	uint64_t value[UNWIND_REGS];
	uint64_t known;
};

static inline void unwind_regs_set(struct unwind_regs *r, unsigned column, uint64_t value)
{
	r->value[column] = value;
	r->known |= (uint64_t)1 << column;
}

/* The user stack dump, from the stack pointer up. */
struct unwind_memory {
	const uint8_t *bytes;
	uint64_t start;
	uint32_t n;
	uint8_t word_bytes; /* 8; 4: a 32-bit program */
	bool swapped;       /* in the other byte order */
	bool cut;           /* the dump has the size that was requested, so the stack may go on */
};

/* The mapping at an address. */
struct unwind_place {
	module_id module; /* 0: nothing is */
	uint64_t rel;     /* see enum module_kind */
	bool executable;
	bool no_code; /* it is not executable, and was not at any other time */
};

/* Called for addresses that are not in the worker's cache; narrows *valid to the time that the
 * answer holds for. */
typedef struct unwind_place (*unwind_find)(
	void *ctx, uint32_t space, uint64_t address, struct moment at, struct validity *valid);

enum unwind_code_kind {
	UNWIND_CODE_CFI,        /* its jitdump has JIT_CODE_UNWINDING_INFO */
	UNWIND_CODE_TRAMPOLINE, /* of CPython, always the same instructions */
	UNWIND_CODE_QEMU,       /* runs in the frame of the prologue of QEMU's TCG */
	UNWIND_CODE_PHP,        /* runs in the frame of PHP's interpreter */
	UNWIND_CODE_LUAJIT,     /* runs below a frame of LuaJIT's interpreter */
	UNWIND_CODE_UNNAMED,    /* may do so, or has a frame pointer */
};

/* JIT code that has more than a frame pointer to unwind it by. */
struct unwind_code {
	enum unwind_code_kind kind;
	/* UNWIND_CODE_CFI only: */
	uint64_t id;    /* unique */
	uint64_t start; /* its address at that moment */
	uint64_t header_bytes;
};

/* Called for addresses without CFI in a file; false if they are in no such code. Narrows *valid in
 * either case. sections: NULL, or gets .eh_frame and .eh_frame_hdr, in either order. */
typedef bool (*unwind_find_code)(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections);

struct unwinder;
struct unwind_worker;

/* After this no modules may be added to the table. */
struct unwinder *unwind_new(
	const struct unwind_arch *a, const struct files *files, const struct modules *modules);
void unwind_free(struct unwinder *u);
const struct unwind_arch *unwind_get_arch(const struct unwinder *u);
/* Has the function of an instruction that was running no stack frame there, by its .eh_frame? Then
 * the frame pointer is that of its caller or of another outer function, and a chain of frame
 * pointers does not have the caller. */
bool unwind_is_frameless(struct unwinder *u, module_id module, uint64_t rel);
/* Has that function, by its .eh_frame, touched neither the link register nor the frame pointer?
 * Then the link register leads to the caller that the chain lacks. */
bool unwind_keeps_link(struct unwinder *u, module_id module, uint64_t rel);

struct unwind_worker *unwind_worker_new(struct unwinder *u, unwind_find find, void *ctx);
/* For JIT code; without it, or where it finds nothing, frame pointers are followed. */
void unwind_worker_set_code(struct unwind_worker *w, unwind_find_code find_code, void *ctx);
/* Where CFI is known to be wrong it is followed all the same, as perf does. */
void unwind_worker_keep_to_cfi(struct unwind_worker *w);
void unwind_worker_free(struct unwind_worker *w);

enum unwind_end {
	UNWIND_CONTINUE, /* never a result */
	UNWIND_COMPLETE,
	UNWIND_TRUNCATED,   /* the next word is beyond the dump */
	UNWIND_NO_PAGE,     /* likewise, and the dump ends at a page that was not in memory */
	UNWIND_TOO_DEEP,    /* as many frames as were allowed */
	UNWIND_TO_DATA,     /* the return address points to memory that is no code: left out */
	UNWIND_OTHER_STACK, /* a signal handler has a stack of its own (sigaltstack(2)), and that of
			     * the interrupted code was not copied */
	UNWIND_NO_FILE,     /* no CFI, as the file is missing, and no frame pointer */
	UNWIND_NO_CFI,      /* the code has neither CFI nor a usable frame pointer */
	UNWIND_LOST, /* CFI leads nowhere: to memory below the dump, to a register that is not
		      * known, in a circle */
};

enum unwind_how {
	UNWIND_CALLED,     /* ip is a return address */
	UNWIND_RUNNING,    /* ip was running, or was interrupted by a signal */
	UNWIND_TRAMPOLINE, /* the kernel made ip the return address of a signal handler */
	UNWIND_BY_HAND,    /* the program put ip on the stack: a function is returned into */
};

/* A frame, the innermost first. */
struct unwind_frame {
	uint64_t ip;
	uint64_t fp; /* the frame pointer register in this frame; 0: not known */
	uint8_t how; /* enum unwind_how: all but UNWIND_CALLED begin at ip */
};

struct unwind_result {
	const struct unwind_frame *frames; /* until the worker's next stack */
	uint32_t n;
	enum unwind_end end;
};

/* The stack of a thread that had these registers. It has at least the first frame if the program
 * counter is known. */
struct unwind_result unwind_stack(struct unwind_worker *w, const struct unwind_regs *regs,
	const struct unwind_memory *memory, uint32_t space, struct moment at, uint32_t max_frames);

/* The caller of a function that was running at pc, by the link register and no stack, if the CFI
 * there says that it has not made a stack frame; 0: unknown. */
uint64_t unwind_link_caller(
	struct unwind_worker *w, uint64_t pc, uint64_t link, uint32_t space, struct moment at);

#endif
