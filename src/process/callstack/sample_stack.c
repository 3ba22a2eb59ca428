/*
 * What makes up the stack of a sample (sample_stack_find):
 *
 *	LBR call stack	the kernel part of the chain, the sampled address, and the source of each
 *			branch: the hardware's call stack has user code only
 *	call chain	as recorded. If it ends with PERF_CONTEXT_USER_DEFERRED and a cookie, its
 *			user part is a later record of the same thread (deferred.h). On aarch64 it
 *			lacks the caller of a function without a stack frame; where the link
 *			register was recorded, too, that is put into it.
 *	user stack dump	the kernel part of the chain, then the unwound dump, which is in the chain,
 *			too, if it was unwound before (unwound.h)
 *	nothing		the sampled address alone
 *
 * Frames are added innermost first and turned around at the end. A user stack dump that was too
 * small gets the mark CALLCHAIN_TRUNCATED as its outermost entry. With --truncated merge, a stack
 * that ends early for another reason is marked too, so that it is no model for others (stitch.h).
 *
 * During calibration (calibrate.h), the same code lets frames vote on where the interpreter keeps
 * its bytecode. compat_perf repeats quirks of perf 6.1, which are named where they are.
 *
 * Source: tools/perf/util/machine.c (thread__resolve_callchain) and unwind-libunwind-local.c;
 * tools/perf/util/arm64-frame-pointer-unwind-support.c.
 */
#include "process/callstack/sample_stack.h"

#include "model/names/runtime_name.h"
#include "process/callstack/unwound.h"

enum { PERF_FRAMES_MAX = 127 }; /* of perf's unwinder, kernel.perf_event_max_stack */

static const uint8_t mode_of_cpumode[8] = {
	[CPUMODE_UNKNOWN] = MODE_UNKNOWN,
	[CPUMODE_KERNEL] = MODE_KERNEL,
	[CPUMODE_USER] = MODE_USER,
	[CPUMODE_HYPERVISOR] = MODE_HYPERVISOR,
	[CPUMODE_GUEST_KERNEL] = MODE_GUEST_KERNEL,
	[CPUMODE_GUEST_USER] = MODE_GUEST_USER,
};

/* ---- the unwinder and its callbacks ------------------------------------------------------- */

static bool copies_stacks(const struct perfdata_attr *a)
{
	return a->sample_type & SAMPLE_STACK_USER && a->sample_type & SAMPLE_REGS_USER;
}

bool sample_stack_is_copied(const struct perfdata_attr *a)
{
	return copies_stacks(a) && a->exclude_callchain_user;
}

/* The first event that is wanted and copies stacks, NULL: none. */
static const struct perfdata_attr *first_copied_attr(
	const struct perfdata *pd, const struct recording *r)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	for (i = 0; i < n; i++)
		if (r->events[i].chosen && copies_stacks(&a[i]))
			return &a[i];
	return NULL;
}

static bool any_unwound(const struct perfdata *pd, const struct recording *r)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	for (i = 0; i < n; i++)
		if (r->events[i].chosen && a[i].unwound)
			return true;
	return false;
}

bool sample_stack_any_copied(const struct perfdata *pd, const struct recording *r)
{
	return first_copied_attr(pd, r) || any_unwound(pd, r);
}

/* NULL: not known. */
static const struct unwind_arch *find_arch(
	const struct recording *r, const struct perfdata_attr *copied)
{
	if (r->facts.arch)
		return unwind_arch_by_name(strtab_get(r->strings, r->facts.arch));
	/* a recorder that was killed left no header sections */
	return copied ? unwind_arch_by_mask(copied->regs_user) : NULL;
}

/* Does an event have chains of frame pointers, and with them the link register? */
static bool has_link(const struct perfdata_attr *a, const struct unwind_arch *arch)
{
	return a->sample_type & SAMPLE_CALLCHAIN && !a->exclude_callchain_user && !a->unwound &&
	       !(a->branch_sample_type & BRANCH_CALL_STACK) && a->sample_type & SAMPLE_REGS_USER &&
	       a->regs_user & unwind_arch_link(arch);
}

static bool any_link(
	const struct perfdata *pd, const struct recording *r, const struct unwind_arch *arch)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	for (i = 0; i < n; i++)
		if (r->events[i].chosen && has_link(&a[i], arch))
			return true;
	return false;
}

struct sample_stack_copies sample_stack_copies_open(
	const struct perfdata *pd, const struct recording *r, const struct files *files)
{
	const struct perfdata_attr *copied = first_copied_attr(pd, r);
	const struct unwind_arch *arch = find_arch(r, copied);
	struct sample_stack_copies c = { .unwound = any_unwound(pd, r) };

	c.copied = arch && copied;
	c.links = arch && any_link(pd, r, arch);
	if (c.copied || c.links)
		c.unwinder = unwind_new(arch, files, r->modules);
	return c;
}

void sample_stack_copies_close(struct sample_stack_copies *c)
{
	unwind_free(c->unwinder);
}

static struct unwind_place find_place(
	void *ctx, uint32_t space, uint64_t address, struct moment at, struct validity *valid)
{
	const struct sample_stack *s = ctx;
	struct world_place place = world_find_user(s->world, space, address, at, valid);

	/* perf goes on at any address. */
	return (struct unwind_place){ place.module, place.rel, place.executable,
		!place.ever_executable && !s->compat_perf };
}

bool sample_stack_is_stitched(const struct sample_stack_copies *copies, const struct read_opts *o)
{
	return (copies->copied || copies->unwound) && o->truncated == TRUNCATED_MERGE &&
	       !o->compat_perf;
}

/* UNWIND_CODE_CFI: of no other kind, of which perf knows none. Packages of LuaJIT name no traces,
 * so all code without a name may be one. */
static enum unwind_code_kind kind_of_code(const struct sample_stack *s,
	const struct world_place *place, uint64_t address, struct moment at, struct validity *valid)
{
	struct span name;
	frame_id frame;

	if (s->compat_perf)
		return UNWIND_CODE_CFI;
	frame = jit_maps_find(s->jit_maps, place->owner_pid, address, at, valid);
	if (!frame)
		return place->jit_code ? UNWIND_CODE_UNNAMED : UNWIND_CODE_CFI;
	name = frames_name(s->jit_maps->frames, frame);
	if (runtime_name_is_trampoline(name))
		return UNWIND_CODE_TRAMPOLINE;
	if (runtime_name_is_qemu(name))
		return UNWIND_CODE_QEMU;
	if (runtime_name_is_luajit(name))
		return UNWIND_CODE_LUAJIT;
	return runtime_name_is_php(name) ? UNWIND_CODE_PHP : UNWIND_CODE_CFI;
}

/* Unwinding information of inherited code is in the dump of the process that made it. */
static bool find_code(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	const struct sample_stack *s = ctx;
	struct codemap_unwinding u = { 0 };
	struct validity v = VALIDITY_ALWAYS;
	struct world_place place = world_find_user(s->world, space, address, at, &v);
	enum unwind_code_kind kind;
	bool found;

	validity_narrow(valid, v);
	found = jit_maps_find_unwinding(
		s->jit_maps, place.owner_pid, address, at, &v, &u, sections);
	validity_narrow(valid, v);
	if (!found) {
		kind = kind_of_code(s, &place, address, at, &v);
		validity_narrow(valid, v);
		*code = (struct unwind_code){ .kind = kind };
		return kind != UNWIND_CODE_CFI;
	}
	*code = (struct unwind_code){
		.id = (uint64_t)(uint32_t)place.owner_pid << 32 | u.code,
		.start = u.start,
		.header_bytes = u.header_bytes,
	};
	return true;
}

void sample_stack_init(struct sample_stack *s, const struct world *w, const struct jit_maps *m,
	const struct deferred *d, const struct sample_stack_copies *copies,
	const struct read_opts *o)
{
	*s = (struct sample_stack){ .world = w,
		.jit_maps = m,
		.deferred = d,
		.compat_perf = o->compat_perf,
		.truncated = o->truncated };
	s->stitched = sample_stack_is_stitched(copies, o);
	s->links = copies->links;
	if (!copies->unwinder)
		return;
	s->unwind = unwind_worker_new(copies->unwinder, find_place, s);
	unwind_worker_set_code(s->unwind, find_code, s);
	if (s->compat_perf)
		unwind_worker_keep_to_cfi(s->unwind);
	s->arch = unwind_get_arch(copies->unwinder);
}

void sample_stack_release(struct sample_stack *s)
{
	callchain_release(&s->chain);
	buf_release(&s->linked);
	unwind_worker_free(s->unwind);
}

/* ---- user stack dumps --------------------------------------------------------------------- */

static void decode_regs(const struct unwind_arch *arch, const struct perfdata_sample *sample,
	struct unwind_regs *regs)
{
	const uint8_t *value = sample->regs_user.values;
	uint64_t mask;
	int column;

	regs->known = 0;
	for (mask = sample->regs_user.mask; mask; mask &= mask - 1, value += 8) {
		column = unwind_arch_column(arch, (unsigned)__builtin_ctzll(mask));
		if (column >= 0)
			unwind_regs_set(regs, (unsigned)column, bytes_u64(value, sample->swapped));
	}
}

/* Was the stack cut short, so that its outer frames are missing? Else it is complete, or its frames
 * lead nowhere. */
static bool is_cut(enum unwind_end end)
{
	switch (end) {
	case UNWIND_TRUNCATED:
	case UNWIND_NO_PAGE:
	case UNWIND_TOO_DEEP:
	case UNWIND_TO_DATA:
	case UNWIND_OTHER_STACK:
		return true;
	default:
		return false;
	}
}

/* True if the sample is to be kept. */
static bool count_end(struct sample_stack *s, uint64_t position)
{
	static const enum diag_kind kind[] = {
		[UNWIND_TRUNCATED] = DIAG_STACK_TRUNCATED,
		[UNWIND_NO_PAGE] = DIAG_STACK_NO_PAGE,
		[UNWIND_TOO_DEEP] = DIAG_STACK_TOO_DEEP,
		[UNWIND_TO_DATA] = DIAG_STACK_TO_DATA,
		[UNWIND_OTHER_STACK] = DIAG_STACK_OTHER,
		[UNWIND_NO_FILE] = DIAG_STACK_NO_FILE,
		[UNWIND_NO_CFI] = DIAG_STACK_BROKEN,
		[UNWIND_LOST] = DIAG_STACK_BROKEN,
	};
	static const bool reads_outside[] = { [UNWIND_TRUNCATED] = true,
		[UNWIND_NO_PAGE] = true,
		[UNWIND_OTHER_STACK] = true,
		[UNWIND_LOST] = true };

	if (s->end == UNWIND_COMPLETE)
		return true;
	diag_count(&s->diag, kind[s->end], position);
	/* perf reads a caller outside of the dump as 0, and looks up the byte before. */
	if (s->compat_perf && reads_outside[s->end])
		callchain_add_address(&s->chain, UINT64_MAX, MODE_USER, true);
	if (!is_cut(s->end))
		return true;
	if (!s->compat_perf)
		callchain_add_mark(&s->chain, CALLCHAIN_TRUNCATED);
	return s->truncated != TRUNCATED_DROP;
}

/* The function that a frame interprets, if the frame is the interpreter's. */
static frame_id function_of(struct sample_stack *s, int32_t pid, const struct unwind_memory *memory,
	const struct unwind_frame *f, uint64_t *bytecode)
{
	frame_id function;

	if (s->votes)
		interpreter_vote(s->votes, pid, memory, f->fp);
	*bytecode = s->interpreter ? interpreter_bytecode(s->interpreter, pid, memory, f->fp) : 0;
	function = *bytecode ? interpreter_find(s->interpreter, pid, *bytecode) : 0;
	if (!function)
		*bytecode = 0;
	return function;
}

static void add_frame(struct sample_stack *s, uint64_t ip, bool exact, frame_id function)
{
	if (function)
		callchain_add_function(&s->chain, ip, exact, function);
	else
		callchain_add_address(&s->chain, ip, MODE_USER, exact);
}

static void add_frames(struct sample_stack *s, const struct unwind_result *r, int32_t pid,
	const struct unwind_memory *memory)
{
	uint64_t bytecode;
	uint32_t i;

	for (i = 0; i < r->n; i++) {
		const struct unwind_frame *f = &r->frames[i];
		frame_id function = function_of(s, pid, memory, f, &bytecode);
		bool exact = f->how != UNWIND_CALLED;

		if (s->copy)
			unwound_put_frame(s->copy, f->ip, exact, bytecode, memory->swapped);

		/* perf prints, and looks up, the byte before a return address, also that of a
		 * signal handler; it does so for user stack dumps only. */
		if (s->compat_perf)
			callchain_add_address(
				&s->chain, f->ip - (f->how != UNWIND_RUNNING), MODE_USER, true);
		else
			add_frame(s, f->ip, exact, function);
	}
}

/* The architecture of a sample's program; NULL: its stacks are not unwound. */
static const struct unwind_arch *arch_of(
	const struct sample_stack *s, const struct perfdata_sample *sample)
{
	unsigned word_bytes = sample->regs_user.abi == REGS_ABI_32 ? 4 : 8;

	return s->unwind ? unwind_arch_of_words(s->arch, word_bytes) : NULL;
}

static bool unwind_copy(struct sample_stack *s, const struct unwind_arch *arch,
	const struct perfdata_sample *sample, space_id space, struct moment at)
{
	struct unwind_memory memory = {
		.bytes = sample->stack,
		.n = sample->stack_bytes,
		.word_bytes = sample->regs_user.abi == REGS_ABI_32 ? 4 : 8,
		.swapped = sample->swapped,
		.cut = sample->stack_bytes == sample->stack_requested_bytes,
	};
	struct unwind_result result;
	struct unwind_regs regs;

	/* perf does not unwind an empty dump, nor a 32-bit program. */
	if (s->compat_perf && (!memory.n || memory.word_bytes == 4))
		return true;
	if (s->compat_perf)
		memory.n--; /* perf cannot read the last word of a dump */
	decode_regs(arch, sample, &regs);
	memory.start = unwind_arch_sp(arch, &regs);
	result = unwind_stack(s->unwind, &regs, &memory, space, at,
		s->compat_perf ? PERF_FRAMES_MAX : UNWIND_FRAMES_MAX);
	add_frames(s, &result, sample->pid, &memory);
	s->end = result.end;
	return count_end(s, at.position);
}

/* A copy that cannot be unwound is counted, and the sample stays. */
static bool add_copy(struct sample_stack *s, const struct perfdata_sample *sample, space_id space,
	struct moment at)
{
	const struct unwind_arch *arch = arch_of(s, sample);
	bool keep = true;

	if (arch)
		keep = unwind_copy(s, arch, sample, space, at);
	else
		diag_count(&s->diag, DIAG_STACK_FOREIGN, at.position);
	if (s->copy)
		unwound_put_end(s->copy, s->end, sample->swapped);
	return keep;
}

/* A chain whose user part is a copied stack that was unwound before. */
static bool add_unwound(
	struct sample_stack *s, const struct perfdata_sample *sample, struct moment at)
{
	enum unwind_end end = UNWIND_CONTINUE;
	struct unwound_reader r;
	struct unwound_address a;
	uint32_t n = sample->n_ips;
	bool ended = unwound_take_end(sample->ips, &n, sample->swapped, &end);

	r = unwound_read(sample->ips, n, sample->swapped);
	while (unwound_next(&r, &a))
		if (a.mode == MODE_USER)
			add_frame(s, a.ip, a.exact,
				a.bytecode && s->interpreter
					? interpreter_find(s->interpreter, sample->pid, a.bytecode)
					: 0);
		else
			callchain_add_address(&s->chain, a.ip, a.mode, a.exact);
	if (r.unknown_mark)
		diag_count(&s->diag, DIAG_BAD_MARK, at.position);
	if (!ended)
		return true;
	s->end = end;
	if (s->end != UNWIND_CONTINUE)
		return count_end(s, at.position);
	diag_count(&s->diag, DIAG_STACK_FOREIGN, at.position);
	return true;
}

/* ---- call chains -------------------------------------------------------------------------- */

/* LBR call stacks (perf record --call-graph lbr): the kernel's part of the chain, then the
 * sampled address, then where each call came from. */
static void add_branch_calls(struct callchain *c, const struct perfdata_sample *s)
{
	uint32_t n = 0, i;

	while (n < s->n_ips && perfdata_sample_ip(s, n) != (uint64_t)-512)
		n++;
	callchain_add(c, s->ips, n, s->swapped, MODE_KERNEL);
	callchain_add_address(
		c, n && s->n_branches ? perfdata_sample_branch(s, 0).to : s->ip, MODE_USER, true);
	for (i = 0; i < s->n_branches; i++)
		callchain_add_address(c, perfdata_sample_branch(s, i).from, MODE_USER, true);
}

/* A chain that ends with a mark and a cookie continues in a later record. perf 6.1 does not know
 * the mark. */
static bool add_recorded(
	struct sample_stack *s, const struct perfdata_sample *sample, uint64_t position)
{
	uint32_t n = sample->n_ips, n_user;
	const uint64_t *user;

	if (s->compat_perf || n < 2 || perfdata_sample_ip(sample, n - 2) != CALLCHAIN_DEFERRED)
		return callchain_add(&s->chain, sample->ips, n, sample->swapped, MODE_USER);
	if (!callchain_add(&s->chain, sample->ips, n - 2, sample->swapped, MODE_USER))
		return false;
	user = deferred_find(s->deferred, sample->tid, perfdata_sample_ip(sample, n - 1), &n_user);
	if (user)
		return callchain_add(&s->chain, (const uint8_t *)user, n_user, false, MODE_USER);
	diag_count(&s->diag, DIAG_DEFERRED_MISSING, position);
	return true;
}

/* ---- link registers ----------------------------------------------------------------------- */

static uint64_t link_register(const struct sample_stack *s, const struct perfdata_sample *sample)
{
	uint64_t link = unwind_arch_link(s->arch), mask = sample->regs_user.mask;

	if (sample->regs_user.abi != REGS_ABI_64 || !(mask & link))
		return 0;
	return bytes_u64(
		sample->regs_user.values + (size_t)__builtin_popcountll(mask & (link - 1)) * 8,
		sample->swapped);
}

/* The place of the innermost function of user code in a chain, 0: there is none. */
static uint32_t innermost_user(const struct perfdata_sample *sample)
{
	uint32_t i;

	for (i = 0; i + 1 < sample->n_ips; i++)
		if (perfdata_sample_ip(sample, i) == CALLCHAIN_USER)
			return callchain_is_mark(perfdata_sample_ip(sample, i + 1)) ? 0 : i + 1;
	return 0;
}

/* perf inserts a caller only between two addresses, and none that is there already, as that of a
 * function that calls itself. */
static bool perf_inserts(const struct perfdata_sample *sample, uint32_t at, uint64_t caller)
{
	return at < sample->n_ips && perfdata_sample_ip(sample, at) != caller;
}

static void insert_word(
	struct buf *b, const struct perfdata_sample *sample, uint32_t at, uint64_t word)
{
	uint8_t bytes[8];

	bytes_put(bytes, word, sizeof(bytes), sample->swapped);
	b->n = 0;
	buf_put(b, sample->ips, (size_t)at * 8);
	buf_put(b, bytes, sizeof(bytes));
	buf_put(b, sample->ips + (size_t)at * 8, (size_t)(sample->n_ips - at) * 8);
}

struct perfdata_sample sample_stack_link(struct sample_stack *s, const struct perfdata_attr *a,
	const struct perfdata_sample *sample, space_id space, struct moment at)
{
	struct perfdata_sample linked = *sample;
	uint64_t link = 0, caller = 0;
	uint32_t place = 0;

	if (s->links && !s->chain.adjusted && has_link(a, s->arch))
		link = link_register(s, sample);
	if (link)
		place = innermost_user(sample);
	if (place)
		caller = unwind_link_caller(
			s->unwind, perfdata_sample_ip(sample, place), link, space, at);
	if (!caller || (s->compat_perf && !perf_inserts(sample, place + 1, caller)))
		return linked;
	insert_word(&s->linked, sample, place + 1, caller);
	linked.ips = (const uint8_t *)s->linked.p;
	linked.n_ips++;
	return linked;
}

/* ---- all of them -------------------------------------------------------------------------- */

static bool find_stack(struct sample_stack *s, const struct perfdata_attr *a,
	const struct perfdata_sample *sample, space_id space, struct moment at)
{
	struct callchain *c = &s->chain;
	bool has_chain = sample->has & SAMPLE_CALLCHAIN, keep = true;

	callchain_clear(c);
	s->end = UNWIND_CONTINUE;
	if (has_chain && a->branch_sample_type & BRANCH_CALL_STACK && sample->n_branches)
		add_branch_calls(c, sample);
	else if (has_chain && a->unwound)
		keep = add_unwound(s, sample, at);
	else if (has_chain && !add_recorded(s, sample, at.position)) {
		/* Broken frame pointers lead to -1, too: the frames before it are right. */
		if (s->compat_perf)
			callchain_clear(c);
		diag_count(&s->diag, DIAG_BAD_MARK, at.position);
	}
	/* With a user stack dump, the recorded chain has only the kernel's part. */
	if (sample_stack_is_copied(a) && sample->regs_user.abi != REGS_ABI_NONE)
		keep = add_copy(s, sample, space, at);
	/* An empty chain: perf shows nothing, though the address is known. */
	if (!c->n && sample->has & SAMPLE_IP && !(has_chain && s->compat_perf))
		callchain_add_address(c, sample->ip, mode_of_cpumode[sample->cpumode], true);
	if (s->stitched && s->end != UNWIND_COMPLETE && !is_cut(s->end))
		callchain_add_mark(c, CALLCHAIN_UNFINISHED);
	callchain_finish(c);
	return keep;
}

bool sample_stack_find(struct sample_stack *s, const struct perfdata_attr *a,
	const struct perfdata_sample *sample, space_id space, struct moment at)
{
	struct perfdata_sample linked;

	if (!s->links)
		return find_stack(s, a, sample, space, at);
	linked = sample_stack_link(s, a, sample, space, at);
	return find_stack(s, a, &linked, space, at);
}
