/*
 * unwind.c - walks a stack, frame by frame
 *
 *	pc -> known[]  a cache of 8192 addresses, direct-mapped, each valid for a time: rule,
 *	               executable, is there a call before
 *	   -> find()   on a miss, the caller's world: which module is mapped here
 *	   -> rule     1. CFI of the module (cfi.h)   2. CFI of JIT code (jit_cfi.h), or the rule of
 *	               CPython's trampolines, or of what QEMU translates
 *	   -> step     by the rule; without one, by the frame pointer; else, in the innermost frame
 *	               only, as a function that has not made a frame yet. Code of PHP's JIT: by
 *	               the rule of the interpreter, in whose frame it runs. Traces of LuaJIT: by
 *	               the next frame of its interpreter, which is looked for
 *
 * A return address is looked up at its last byte's predecessor, pc - 1: a call may be the last
 * instruction of its function. The innermost frame, and one that a signal interrupted, is exact.
 *
 * A stack ends where the CFI says so (DW_CFA_undefined of the return address), at a return address
 * of 0 or in memory that is no code, or where a step fails; the reason is part of the result. A
 * return address that no call has left there is the bottom of a coroutine's stack, unless its CFI
 * leads to a caller (end_at()). A step without progress of the stack pointer ends the stack too, so
 * a walk is finite. What is guessed (frame pointers, code bytes) counts only if the return address
 * is executable, and follows a call where the code can be read.
 *
 * Cost: about one cache line for each frame of a stack like those before.
 *
 * Source: DWARF 5, 6.4.4; libdwfl/frame_unwind.c and libgcc's unwind-dw2.c agree on pc - 1 and
 * signals.
 */
#include "unwind/unwind.h"

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/cfi.h"
#include "unwind/jit_cfi.h"
#include "unwind/luajit_frame.h"
#include "unwind/memory.h"

#include <stdlib.h>

/* The answers for an address in an address space, in one line of the CPU's cache. */
struct known_place {
	struct validity valid;
	uint64_t address;
	const struct unwind_rule *rule; /* NULL: there is none */
	uint32_t space;
	bool filled, exact, executable, no_code, no_file;
	uint8_t call;       /* enum call_before */
	uint8_t word_bytes; /* of the program that the rule is for */
};

/* Is there a call before a return address? Checked only where the address is a guess. */
enum call_before { CALL_NOT_CHECKED, CALL_POSSIBLE, CALL_NONE };

enum { KNOWN_PLACES = 1 << 13 };

struct unwinder {
	const struct unwind_arch *arch;
	struct cfi *cfi;
};

struct unwind_worker {
	struct unwinder *unwinder;
	unwind_find find;
	void *ctx;
	unwind_find_code find_code; /* NULL: JIT code has no CFI */
	void *code_ctx;
	struct jit_cfi jit_cfi;
	struct unwind_rule trampoline; /* of CPython */
	struct unwind_rule qemu;
	struct unwind_rule php;          /* chooses step_out_of_php(); never applied */
	struct unwind_rule luajit;       /* of its interpreter, by its CFI */
	struct unwind_rule luajit_trace; /* of that once a trace was entered; chooses
					  * step_out_of_trace() */
	struct unwind_rule unnamed; /* chooses it, too: the code may be no trace; never applied */
	bool cfi_only;
	struct known_place *known;
	struct unwind_frame frame[UNWIND_FRAMES_MAX];
};

/* A stack being walked. */
struct unwind_walk {
	struct unwind_worker *w;
	const struct unwind_arch *a;
	const struct unwind_memory *memory;
	struct unwind_regs regs;
	uint32_t space;
	struct moment at;
	bool exact;       /* the pc in regs was running or was interrupted */
	bool other_stack; /* the sp in regs is in no copy: a signal handler had its own stack */
};

/* ---- architectures ---- */

const struct unwind_arch *unwind_arch_by_name(struct span name)
{
	static const struct {
		const char *name;
		const struct unwind_arch *arch;
	} known[] = {
		{ "x86_64", &arch_x86_64 },
		{ "i686", &arch_x86_64 },
		{ "aarch64", &arch_aarch64 },
		{ "armv8l", &arch_aarch64 },
		{ "armv7l", &arch_aarch64 },
		{ "armv6l", &arch_aarch64 },
		{ "riscv64", &arch_riscv64 },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++)
		if (span_eq(name, span_of(known[i].name)))
			return known[i].arch;
	return NULL;
}

const struct unwind_arch *unwind_arch_by_mask(uint64_t regs_user)
{
	enum { SEGMENT_REGISTERS = 0xf << 12, X86_REGISTERS = 24 };

	if (regs_user >> arch_aarch64.pc & 1)
		return &arch_aarch64;
	if (regs_user >> X86_REGISTERS)
		return &arch_riscv64;
	return regs_user & SEGMENT_REGISTERS ? &arch_aarch64 : &arch_x86_64;
}

const struct unwind_arch *unwind_arch_of_words(const struct unwind_arch *a, unsigned word_bytes)
{
	return word_bytes == a->word_bytes ? a : a->narrow;
}

int unwind_arch_column(const struct unwind_arch *a, unsigned perf_number)
{
	return perf_number < a->n_perf ? a->from_perf[perf_number] : -1;
}

uint64_t unwind_arch_link(const struct unwind_arch *a)
{
	return a->chain_link;
}

uint64_t unwind_arch_sp(const struct unwind_arch *a, const struct unwind_regs *regs)
{
	return regs->known >> a->sp & 1 ? regs->value[a->sp] : 0;
}

/* ---- unwinders and workers ---- */

struct unwinder *unwind_new(
	const struct unwind_arch *a, const struct files *files, const struct modules *modules)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	*u = (struct unwinder){ a, cfi_new(a, files, modules) };
	return u;
}

void unwind_free(struct unwinder *u)
{
	if (!u)
		return;
	cfi_free(u->cfi);
	free(u);
}

const struct unwind_arch *unwind_get_arch(const struct unwinder *u)
{
	return u->arch;
}

static bool saves(const struct unwind_arch *a, const struct unwind_rule *r, uint8_t column)
{
	unsigned i;

	for (i = 0; i < a->n_saved; i++)
		if (a->saved[i] == column)
			return r->changed >> i & 1;
	return false;
}

/* Where the link register has the return address, a frame is where the frame pointer is saved, and
 * the CFA may be relative to sp all the same. Go's .debug_frame is relative to sp everywhere, so it
 * is no evidence. */
bool unwind_is_frameless(struct unwinder *u, module_id module, uint64_t rel)
{
	const struct unwind_arch *a;
	const struct unwind_rule *r =
		cfi_find_in_eh_frame(u->cfi, (struct cfi_place){ module, rel, true }, &a);

	if (!r || r->saved[a->n_saved - 1] == SAVED_UNKNOWN)
		return false;
	return r->cfa == CFA_PLT || (r->cfa == CFA_OFFSET && r->reg == a->sp &&
					    !(a->link_register && saves(a, r, a->fp)));
}

static bool keeps_link(const struct unwind_arch *a, const struct unwind_rule *r)
{
	const unsigned flags = RULE_NEW_THREAD | RULE_BY_HAND | RULE_GUESSED | RULE_SIGNAL;

	return a->link_register && r->cfa != CFA_FULL && !(r->changed & flags) &&
	       !saves(a, r, a->ra) && !saves(a, r, a->fp);
}

bool unwind_keeps_link(struct unwinder *u, module_id module, uint64_t rel)
{
	const struct unwind_arch *a;
	const struct unwind_rule *r =
		cfi_find_in_eh_frame(u->cfi, (struct cfi_place){ module, rel, true }, &a);

	return r && keeps_link(a, r);
}

/* "sub $8,%rsp; call *%rcx; add $8,%rsp; ret" on x86-64: what a caller of Python code has on the
 * stack. The one of aarch64 has a frame pointer, and later CPythons may have one here: see
 * step_by_guess(). */
static void init_trampoline(const struct unwind_arch *a, struct unwind_rule *r)
{
	enum { WORD = 8 };

	unwind_rule_init(r);
	r->changed |= RULE_GUESSED;
	r->cfa = CFA_OFFSET;
	r->reg = a->sp;
	r->offset = 2 * WORD;
	unwind_rule_set_saved(r, a->n_saved - 1u, -WORD);
}

/* What QEMU translates is jumped to by a prologue, always the same, that pushes six registers and
 * keeps room for arguments and temporaries. Source: QEMU, tcg/i386/tcg-target.c.inc (FRAME_SIZE,
 * tcg_target_callee_save_regs, debug_frame). */
static void init_qemu(const struct unwind_arch *a, struct unwind_rule *r)
{
	enum { WORD = 8, ARGUMENTS = 128, TEMPORARIES = 128 * WORD, PUSHED = 7 * WORD, ALIGN = 16 };
	/* rbx rbp r12 r13 r14 r15 and the return address, in the order of arch_x86_64 */
	static const int8_t below_cfa[] = { 3, 2, 4, 5, 6, 7, 1 };
	unsigned i;

	unwind_rule_init(r);
	if (a != &arch_x86_64)
		return;
	r->changed |= RULE_GUESSED;
	r->cfa = CFA_OFFSET;
	r->reg = a->sp;
	r->offset = (PUSHED + ARGUMENTS + TEMPORARIES + ALIGN - 1) / ALIGN * ALIGN;
	for (i = 0; i < ARRAY_LEN(below_cfa); i++)
		unwind_rule_set_saved(r, i, -WORD * below_cfa[i]);
}

struct unwind_worker *unwind_worker_new(struct unwinder *u, unwind_find find, void *ctx)
{
	struct unwind_worker *w = xcalloc(1, sizeof(*w));

	w->unwinder = u;
	w->find = find;
	w->ctx = ctx;
	w->known = xcalloc(KNOWN_PLACES, sizeof(*w->known));
	init_trampoline(u->arch, &w->trampoline);
	init_qemu(u->arch, &w->qemu);
	unwind_rule_init(&w->php);
	luajit_frame_rules(u->arch, &w->luajit, &w->luajit_trace);
	unwind_rule_init(&w->unnamed);
	return w;
}

void unwind_worker_set_code(struct unwind_worker *w, unwind_find_code find_code, void *ctx)
{
	w->find_code = find_code;
	w->code_ctx = ctx;
}

void unwind_worker_keep_to_cfi(struct unwind_worker *w)
{
	w->cfi_only = true;
}

void unwind_worker_free(struct unwind_worker *w)
{
	if (!w)
		return;
	jit_cfi_release(&w->jit_cfi);
	free(w->known);
	free(w);
}

/* ---- looking up addresses ---- */

static const struct unwind_rule *rule_of_kind(
	const struct unwind_worker *w, enum unwind_code_kind kind)
{
	switch (kind) {
	case UNWIND_CODE_TRAMPOLINE:
		return &w->trampoline;
	case UNWIND_CODE_QEMU:
		return &w->qemu;
	case UNWIND_CODE_PHP:
		return &w->php;
	case UNWIND_CODE_LUAJIT:
		return &w->luajit_trace;
	case UNWIND_CODE_UNNAMED:
		return &w->unnamed;
	case UNWIND_CODE_CFI:
		break;
	}
	return NULL;
}

/* The rule of an address in JIT code: from the CFI in its jitdump, or that of its kind. NULL:
 * none. */
static const struct unwind_rule *find_jit_rule(
	const struct unwind_walk *k, uint64_t address, struct validity *valid)
{
	struct unwind_worker *w = k->w;
	struct buf sections = { 0 };
	struct unwind_code code;
	struct jit_cfi_code *jit_code;

	if (!w->find_code ||
		!w->find_code(w->code_ctx, k->space, address, k->at, valid, &code, NULL))
		return NULL;
	if (code.kind != UNWIND_CODE_CFI)
		return k->a == &arch_x86_64 ? rule_of_kind(w, code.kind) : NULL;
	jit_code = jit_cfi_find(&w->jit_cfi, code.id);
	if (!jit_code) {
		w->find_code(w->code_ctx, k->space, address, k->at, valid, &code, &sections);
		jit_code = jit_cfi_add(&w->jit_cfi, code.id, sections, code.header_bytes);
	}
	return jit_cfi_rule(jit_code, k->a, address - code.start);
}

static void fill(const struct unwind_walk *k, struct known_place *p, uint64_t address, bool exact)
{
	struct validity valid = VALIDITY_ALWAYS;
	struct unwind_place place = k->w->find(k->w->ctx, k->space, address, k->at, &valid);

	*p = (struct known_place){
		.address = address,
		.space = k->space,
		.filled = true,
		.exact = exact,
		.executable = place.executable,
		.no_code = place.no_code,
		.word_bytes = k->a->word_bytes,
	};
	p->rule = cfi_find(k->w->unwinder->cfi, k->a,
		(struct cfi_place){ place.module, place.rel, exact }, &p->no_file);
	if (!p->rule && place.executable)
		p->rule = find_jit_rule(k, address, &valid);
	p->valid = valid;
}

/* The answers for a program counter: for the call before it if it is a return address. */
static struct known_place *look_up(const struct unwind_walk *k, uint64_t pc, bool exact)
{
	uint64_t address = pc - !exact;
	uint64_t hash = hash_fold(address ^ (uint64_t)k->space << 48, 0x9e3779b97f4a7c15u);
	struct known_place *p = &k->w->known[hash & (KNOWN_PLACES - 1)];

	if (!p->filled || p->address != address || p->space != k->space || p->exact != exact ||
		!validity_holds(p->valid, k->at))
		fill(k, p, address, exact);
	return p;
}

/* ---- code without CFI ---- */

/* Could this be where a call returns to? */
static bool is_code(const struct unwind_walk *k, uint64_t ra)
{
	return ra && look_up(k, ra, false)->executable;
}

static bool is_trampoline(const struct unwind_rule *rule)
{
	return rule && rule->changed & RULE_SIGNAL;
}

/* A word on the stack may point to code without being a return address, as the comparison function
 * of a qsort() does. Signal trampolines are returned to without having called. */
static bool is_called(const struct unwind_walk *k, uint64_t ra)
{
	struct known_place *p = look_up(k, ra, false);
	struct validity unused;
	struct unwind_place place;

	if (p->call == CALL_NOT_CHECKED) {
		place = k->w->find(k->w->ctx, k->space, ra - 1, k->at, &unused);
		p->call = is_trampoline(p->rule) || cfi_may_follow_call(k->w->unwinder->cfi,
							    (struct cfi_place){ place.module,
								    place.rel, false })
				  ? CALL_POSSIBLE
				  : CALL_NONE;
	}
	return p->call == CALL_POSSIBLE;
}

/* Only the frame pointer is known to be the caller's: code without CFI need not keep to the
 * convention for other registers (JavaScript does not). */
static void set_caller(struct unwind_walk *k, uint64_t ra, uint64_t sp, uint64_t fp)
{
	k->regs.known = 0;
	unwind_regs_set(&k->regs, k->a->pc, ra);
	unwind_regs_set(&k->regs, k->a->sp, sp);
	unwind_regs_set(&k->regs, k->a->fp, fp);
}

/* Steps out of a function that has not pushed its frame pointer yet, or never does. */
static bool step_frameless(struct unwind_walk *k)
{
	const struct unwind_arch *a = k->a;
	uint64_t sp = k->regs.value[a->sp], ra;

	if (!k->exact)
		return false;
	if (a->link_register) {
		ra = k->regs.value[a->ra] & a->address_mask;
		if (!(k->regs.known >> a->ra & 1))
			return false;
	} else {
		if (!memory_word(k->memory, sp, &ra))
			return false;
		sp += k->memory->word_bytes;
	}
	if (!is_code(k, ra) || !is_called(k, ra))
		return false;
	k->regs.known &= a->callee_saved | 1ull << a->sp;
	unwind_regs_set(&k->regs, a->pc, ra);
	unwind_regs_set(&k->regs, a->sp, sp);
	return true;
}

/*	fp + frame_record -> caller's fp
 *	                     return address */
static uint64_t frame_record(const struct unwind_walk *k, uint64_t fp)
{
	const int8_t *offset = k->a->frame_record;
	uint64_t first = fp + (uint64_t)(int64_t)offset[0], ra;

	if (offset[0] == offset[1] || (memory_word(k->memory, first + k->memory->word_bytes, &ra) &&
					      is_code(k, ra & k->a->address_mask)))
		return first;
	return fp + (uint64_t)(int64_t)offset[1];
}

static enum unwind_end step_by_frame_pointer(struct unwind_walk *k, bool no_file)
{
	const struct unwind_arch *a = k->a;
	unsigned word = k->memory->word_bytes;
	uint64_t sp = k->regs.value[a->sp], fp = k->regs.value[a->fp], next_fp = 0, ra = 0;
	bool fp_known = k->regs.known >> a->fp & 1;
	uint64_t record = fp_known ? frame_record(k, fp) : 0;
	bool possible = fp_known && record >= sp && record % word == 0;
	bool there = possible && memory_word(k->memory, record, &next_fp) &&
		     memory_word(k->memory, record + word, &ra);
	enum unwind_end missed;

	ra &= a->address_mask;
	if (there && !ra && !next_fp)
		return UNWIND_COMPLETE;
	/* A 32-bit program has its frame pointer cleared before the first call (System V ABI,
	 * Intel386, "The Stack Frame"); a 64-bit one may have any number in that register. */
	if (word == 4 && !k->exact && fp_known && !fp)
		return UNWIND_COMPLETE;
	if (there && is_code(k, ra)) {
		set_caller(k, ra, record + 2 * word, next_fp);
		return UNWIND_CONTINUE;
	}
	if (step_frameless(k))
		return UNWIND_CONTINUE;
	missed = possible && !there ? memory_miss(k->memory, record) : UNWIND_LOST;
	if (missed != UNWIND_LOST)
		return missed;
	return no_file ? UNWIND_NO_FILE : UNWIND_NO_CFI;
}

/* Steps by a guessed rule: "push %rbp" mostly begins a function, but may be its third push. A
 * trampoline may have a frame pointer, and then has nothing else on the stack. */
static enum unwind_end step_by_guess(
	struct unwind_walk *k, const struct unwind_rule *rule, bool no_file)
{
	struct unwind_regs before = k->regs;
	enum unwind_end end;
	uint64_t ra;

	if (!k->exact && before.known >> k->a->fp & 1 &&
		before.value[k->a->fp] == before.value[k->a->sp])
		return step_by_frame_pointer(k, no_file);
	end = unwind_rule_apply(k->a, rule, &k->regs, k->memory);
	ra = k->regs.value[k->a->pc];
	if (end != UNWIND_CONTINUE || (is_code(k, ra) && is_called(k, ra)))
		return end;
	k->regs = before;
	return step_by_frame_pointer(k, no_file);
}

/* ---- code of PHP's JIT ---- */

static struct unwind_place place_before(const struct unwind_walk *k, uint64_t ra)
{
	struct validity unused;

	return k->w->find(k->w->ctx, k->space, ra - 1, k->at, &unused);
}

/* Steps as execute_ex() of a module does, if what called it is in the same module. */
static bool step_as_execute_ex(struct unwind_walk *k, module_id module)
{
	struct cfi *cfi = k->w->unwinder->cfi;
	const struct unwind_rule *r = cfi_find_execute_ex(cfi, k->a, module);
	struct unwind_regs before = k->regs;
	struct unwind_place caller;

	if (r && unwind_rule_apply(k->a, r, &k->regs, k->memory) == UNWIND_CONTINUE) {
		caller = place_before(k, k->regs.value[k->a->pc]);
		if (caller.module == module && caller.executable &&
			cfi_may_call_execute_ex(
				cfi, (struct cfi_place){ module, caller.rel, false }))
			return true;
	}
	k->regs = before;
	return false;
}

/* PHP's interpreter jumps to the code of its JIT, which goes on in the frame of execute_ex(). Which
 * module has that function is not recorded; but the frame holds a return address into it, so each
 * word of the stack proposes a module. Stale words are there, too, and name nothing but that. */
static enum unwind_end step_out_of_php(struct unwind_walk *k, bool no_file)
{
	enum { WORDS_MAX = 64, WORD = 8 };
	uint64_t sp = k->regs.value[k->a->sp], word;
	module_id module, last = 0;
	unsigned i;

	for (i = 0; i < WORDS_MAX && memory_word(k->memory, sp + WORD * i, &word); i++) {
		module = place_before(k, word).module;
		if (module && module != last && step_as_execute_ex(k, module))
			return UNWIND_CONTINUE;
		last = module ? module : last;
	}
	return step_by_frame_pointer(k, no_file);
}

/* ---- traces of LuaJIT ---- */

/* Is there a call of LuaJIT's interpreter before a return address? Nothing else has the rule of a
 * frame at its first byte. */
static bool calls_luajit(const struct unwind_walk *k, uint64_t ra)
{
	struct unwind_place caller = place_before(k, ra);
	const struct unwind_rule *r = cfi_find_called(
		k->w->unwinder->cfi, k->a, (struct cfi_place){ caller.module, caller.rel, false });

	return r && unwind_rule_eq(r, &k->w->luajit);
}

/* Is what called the caller a call, too, by the caller's rule? */
static bool leads_on(struct unwind_walk *k)
{
	const struct unwind_rule *r = look_up(k, k->regs.value[k->a->pc], false)->rule;
	struct unwind_regs before = k->regs;
	enum unwind_end end = r ? unwind_rule_apply(k->a, r, &k->regs, k->memory) : UNWIND_LOST;
	uint64_t ra = k->regs.value[k->a->pc];

	k->regs = before;
	return end == UNWIND_CONTINUE && is_code(k, ra) && is_called(k, ra);
}

/* A trace runs below the frame of the interpreter that it was entered from, by 16 bytes and a
 * multiple of these for values that it spills; how many is in the header of the trace, on the heap,
 * and not recorded. So the frame is looked for. What is before it on the stack may be stale: all
 * that a frame has is checked, and the first that can be one decides. lua_call() and lua_resume()
 * jump to the interpreter, so what called it may be another file's call of these; but only if
 * this is LuaJIT's code for certain: else the frame may be any that has such words. */
static bool find_luajit_frame(struct unwind_walk *k, uint64_t bytes_max, bool certain)
{
	enum { ALIGN = 16 };
	struct unwind_regs before = k->regs;
	uint64_t first = before.value[k->a->sp] + ALIGN, sp, ra;
	bool found;

	for (sp = first; sp % ALIGN == 0 && sp - first <= bytes_max; sp += ALIGN) {
		if (!luajit_frame_is_at(k->memory, sp))
			continue;
		unwind_regs_set(&k->regs, k->a->sp, sp);
		found = unwind_rule_apply(k->a, &k->w->luajit_trace, &k->regs, k->memory) ==
			UNWIND_CONTINUE;
		ra = k->regs.value[k->a->pc];
		found = found && is_code(k, ra) && is_called(k, ra);
		if (found && (calls_luajit(k, ra) || (certain && leads_on(k))))
			return true;
		k->regs = before;
		if (found)
			return false;
	}
	return false;
}

enum { SPILLED_BYTES_MAX = 1024 };

static enum unwind_end step_out_of_trace(struct unwind_walk *k, bool certain, bool no_file)
{
	return find_luajit_frame(k, SPILLED_BYTES_MAX, certain) ? UNWIND_CONTINUE
								: step_by_frame_pointer(k, no_file);
}

/* All generated code of the interpreter has one rule. It is wrong where the interpreter has just
 * left a trace, whose registers it has then pushed (vm_exit_handler), and in functions for use by
 * traces, which keep nothing on the stack. */
static enum unwind_end step_out_of_luajit(struct unwind_walk *k)
{
	enum { EXIT_BYTES = 256, ALIGN = 16, WORD = 8 };
	struct unwind_regs before = k->regs;
	enum unwind_end end = unwind_rule_apply(k->a, &k->w->luajit, &k->regs, k->memory);
	uint64_t ra = k->regs.value[k->a->pc];
	bool found = end == UNWIND_CONTINUE && is_code(k, ra) && is_called(k, ra);

	if (found || k->w->cfi_only)
		return end;
	k->regs = before;
	found = before.value[k->a->sp] % ALIGN == WORD
			? step_frameless(k)
			: find_luajit_frame(k, EXIT_BYTES + SPILLED_BYTES_MAX, true);
	return found ? UNWIND_CONTINUE : end;
}

/* ---- steps ---- */

/* The stack pointer must grow. Only an interrupted function may have nothing on the stack (aarch64,
 * with the return address in the link register). */
static bool has_progress(const struct unwind_walk *k, uint64_t sp, uint64_t pc)
{
	uint64_t new_sp = k->regs.value[k->a->sp];

	return new_sp > sp || (new_sp == sp && k->exact && k->regs.value[k->a->pc] != pc);
}

/* A system call that makes a thread returns 0 in the new one. */
static bool is_new_thread(const struct unwind_walk *k)
{
	return k->regs.known >> k->a->result & 1 && !k->regs.value[k->a->result];
}

/* Does a signal handler return to another stack than its own (sigaltstack(2))? A sp a little beyond
 * a copy that was cut short is on the same one. */
static bool leaves_stack(const struct unwind_walk *k, const struct unwind_rule *rule)
{
	uint64_t sp = k->regs.value[k->a->sp];

	return is_trampoline(rule) && sp - k->memory->start > k->memory->n &&
	       memory_miss(k->memory, sp) == UNWIND_LOST;
}

static enum unwind_end step(struct unwind_walk *k, const struct unwind_rule *rule, bool no_file)
{
	uint64_t sp = k->regs.value[k->a->sp], pc = k->regs.value[k->a->pc];
	enum unwind_end end;

	if (!rule || (rule->changed & RULE_NEW_THREAD && !is_new_thread(k)))
		end = step_by_frame_pointer(k, no_file);
	else if (rule == &k->w->php)
		end = step_out_of_php(k, no_file);
	else if (rule == &k->w->luajit_trace || rule == &k->w->unnamed)
		end = step_out_of_trace(k, rule == &k->w->luajit_trace, no_file);
	else if (unwind_rule_eq(rule, &k->w->luajit))
		end = step_out_of_luajit(k);
	else if (rule->changed & RULE_GUESSED)
		end = step_by_guess(k, rule, no_file);
	else
		end = unwind_rule_apply(k->a, rule, &k->regs, k->memory);
	if (end == UNWIND_CONTINUE && leaves_stack(k, rule))
		k->other_stack = true;
	else if (end == UNWIND_CONTINUE && !has_progress(k, sp, pc))
		end = UNWIND_LOST;
	if (end == UNWIND_LOST && k->other_stack)
		end = UNWIND_OTHER_STACK;
	k->exact = is_trampoline(rule);
	return end;
}

static uint64_t frame_pointer(const struct unwind_walk *k)
{
	return k->regs.known >> k->a->fp & 1 ? k->regs.value[k->a->fp] : 0;
}

static bool is_by_hand(const struct unwind_rule *rule)
{
	return rule && rule->changed & RULE_BY_HAND;
}

static enum unwind_how how(const struct unwind_walk *k, const struct unwind_rule *rule)
{
	if (k->exact)
		return UNWIND_RUNNING;
	if (is_trampoline(rule))
		return UNWIND_TRAMPOLINE;
	return is_by_hand(rule) ? UNWIND_BY_HAND : UNWIND_CALLED;
}

/* A frame that was visited. */
struct visit {
	uint64_t pc;
	bool exact;
	const struct unwind_rule *rule;
};

/* How the stack ends if the caller of a frame is not found. Where the frame is returned into
 * without having called, it is the bottom of a stack that was made by hand, as coroutines have. */
static enum unwind_end end_at(struct unwind_walk *k, const struct visit *v, enum unwind_end why)
{
	bool by_hand = v->rule ? is_by_hand(v->rule) : !is_called(k, v->pc);

	return by_hand && !v->exact ? UNWIND_COMPLETE : why;
}

static enum unwind_end walk(struct unwind_walk *k, uint32_t max_frames, uint32_t *n)
{
	struct visit last = { 0 };

	for (;;) {
		uint64_t pc = k->regs.value[k->a->pc];
		const struct known_place *here;
		const struct unwind_rule *rule;
		enum unwind_end end;

		if (*n == max_frames)
			return UNWIND_TOO_DEEP;
		here = look_up(k, pc, k->exact);
		if (*n && (here->no_code || (is_by_hand(last.rule) && !here->executable)))
			return end_at(k, &last, UNWIND_TO_DATA);
		rule = here->word_bytes == k->memory->word_bytes ? here->rule : NULL;
		k->w->frame[(*n)++] = (struct unwind_frame){ pc, frame_pointer(k), how(k, rule) };
		/* Nothing calls a signal trampoline: the kernel made it the handler's caller, so
		 * the address is where it begins. That is why its CFI begins a byte early. */
		k->exact |= is_trampoline(rule);
		last = (struct visit){ pc, k->exact, rule };
		end = step(k, rule, here->no_file);
		if (end != UNWIND_CONTINUE)
			return end == UNWIND_COMPLETE ? end : end_at(k, &last, end);
	}
}

struct unwind_result unwind_stack(struct unwind_worker *w, const struct unwind_regs *regs,
	const struct unwind_memory *memory, uint32_t space, struct moment at, uint32_t max_frames)
{
	const struct unwind_arch *a = unwind_arch_of_words(w->unwinder->arch, memory->word_bytes);
	struct unwind_result result = { .frames = w->frame, .end = UNWIND_LOST };
	struct unwind_walk k = {
		.w = w,
		.a = a,
		.memory = memory,
		.regs = *regs,
		.space = space,
		.at = at,
		.exact = true,
	};

	if (max_frames > UNWIND_FRAMES_MAX)
		max_frames = UNWIND_FRAMES_MAX;
	if (a && regs->known >> a->pc & regs->known >> a->sp & 1)
		result.end = walk(&k, max_frames, &result.n);
	return result;
}

uint64_t unwind_link_caller(
	struct unwind_worker *w, uint64_t pc, uint64_t link, uint32_t space, struct moment at)
{
	const struct unwind_arch *a = w->unwinder->arch;
	struct unwind_walk k = { .w = w, .a = a, .space = space, .at = at, .exact = true };
	const struct known_place *here = look_up(&k, pc, true);
	uint64_t ra = link & a->address_mask;

	if (!here->rule || here->word_bytes != a->word_bytes || !keeps_link(a, here->rule))
		return 0;
	return is_code(&k, ra) ? ra : 0;
}
