/*
 * How it works: a sample has parts of fixed size, at offsets known from the attribute
 * (perfdata_attr.c), and after them parts of variable size, in one order, decoded one after the
 * other from a bounds-checked cursor:
 *
 *	| fixed parts | read | call chain | raw | branches | registers | stack | ... | aux |
 *	  set_fixed()   decode_reads()          \__________ decode_more() ____________/
 *	  set_fixed_short()     \_ decode_front() _/
 *
 * Most samples by far have nothing but fixed parts, a call chain and a raw part. Their events
 * are "short", and there is a decoder that sets no other field of the output:
 * perfdata_sample_decode_short(). Both decoders share set_fixed_short() and decode_front(), so they
 * cannot differ in how they read bytes; perfdata_agree_test.c compares the results.
 *
 * Costs: each decoder exists once for each byte order, so that the order is not tested for each
 * number. Clearing the output is done in steps of 32 bytes because gcc's "rep stos" took longer
 * than decoding.
 *
 * Source: perf_output_sample() in kernel/events/core.c, perf_event_open(2).
 */
#include "input/perfdata/perfdata_sample.h"

/* What comes after the raw part. */
enum {
	MORE_PARTS = SAMPLE_BRANCH_STACK | SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_WEIGHT |
		     SAMPLE_DATA_SRC | SAMPLE_TRANSACTION | SAMPLE_REGS_INTR | SAMPLE_PHYS_ADDR |
		     SAMPLE_AUX | SAMPLE_CGROUP | SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE |
		     SAMPLE_WEIGHT_STRUCT
};

/* The size of a counter in a read: its value, and what read_format adds. */
static size_t read_entry_bytes(const struct perfdata_attr *a)
{
	return 8 + (a->read_format & READ_ID ? 8 : 0) + (a->read_format & READ_LOST ? 8 : 0);
}

/*	u64 value, [enabled], [running], [id], [lost]
 *	or, of a group: u64 n, [enabled], [running], {value, [id], [lost]}[n]
 * The id of a single value does not directly follow it; it is skipped, as there is one counter. */
static bool decode_reads(
	const struct perfdata_attr *a, struct cursor *c, struct perfdata_sample *out)
{
	bool group = a->read_format & READ_GROUP;
	uint64_t n = 1;

	if (group)
		n = cursor_u64(c);
	else
		out->reads = cursor_bytes(c, 8);
	if (a->read_format & READ_ENABLED)
		out->time_enabled = cursor_u64(c);
	if (a->read_format & READ_RUNNING)
		out->time_running = cursor_u64(c);
	if (group)
		out->reads = cursor_array(c, n, read_entry_bytes(a));
	else
		cursor_bytes(c, read_entry_bytes(a) - 8);
	out->n_reads = (uint32_t)n;
	return !c->failed;
}

struct perfdata_read perfdata_sample_read(
	const struct perfdata_attr *a, const struct perfdata_sample *s, uint32_t i)
{
	bool group = a->read_format & READ_GROUP;
	const uint8_t *p = s->reads + i * read_entry_bytes(a);
	struct perfdata_read r = { .value = bytes_u64(p, s->swapped) };

	p += 8;
	if (!group)
		p += (a->read_format & READ_ENABLED ? 8 : 0) +
		     (a->read_format & READ_RUNNING ? 8 : 0);
	if (a->read_format & READ_ID) {
		r.id = bytes_u64(p, s->swapped);
		p += 8;
	}
	if (a->read_format & READ_LOST)
		r.lost = bytes_u64(p, s->swapped);
	return r;
}

/* The call chain and the raw part. All that was recorded of them is there, or false; the kernel
 * pads the raw part so that what follows stays on 8 bytes. Sizes of records have 16 bits: no sum
 * overflows. */
static inline __attribute__((always_inline)) bool decode_front(
	const struct perfdata_attr *a, struct cursor *c, struct perfdata_sample *out)
{
	uint64_t n;

	if (a->sample_type & SAMPLE_CALLCHAIN) {
		if (c->left < 8 || (n = bytes_u64(c->p, c->swapped)) > (c->left - 8) / 8)
			return false;
		out->ips = c->p + 8;
		out->n_ips = (uint32_t)n;
		c->p += 8 + n * 8;
		c->left -= 8 + n * 8;
	}
	if (a->sample_type & SAMPLE_RAW) {
		if (c->left < 4 || (n = bytes_u32(c->p, c->swapped)) > c->left - 4 || n % 8 != 4)
			return false;
		out->raw = c->p + 4;
		out->raw_bytes = (uint32_t)n;
		c->p += 4 + n;
		c->left -= 4 + n;
	}
	return true;
}

static bool decode_branches(
	struct cursor *c, const struct perfdata_attr *a, struct perfdata_sample *s)
{
	uint64_t n = cursor_u64(c);

	if (a->branch_sample_type & BRANCH_HW_INDEX)
		s->branch_hw_idx = cursor_u64(c);
	s->branches = cursor_array(c, n, 24);
	if (a->branch_sample_type & BRANCH_COUNTERS)
		s->branch_counters = cursor_array(c, n, 8);
	s->n_branches = (uint32_t)n;
	return !c->failed;
}

static bool decode_regs(struct cursor *c, uint64_t mask, struct perfdata_regs *regs)
{
	regs->abi = cursor_u64(c);
	if (regs->abi == REGS_ABI_NONE)
		return !c->failed;
	regs->mask = mask;
	regs->values = cursor_array(c, (unsigned)__builtin_popcountll(mask), 8);
	return !c->failed;
}

/* Only dyn_size of the requested bytes are from the stack; the rest is whatever was in the buffer.
 */
static bool decode_stack(struct cursor *c, struct perfdata_sample *s)
{
	uint64_t requested = cursor_u64(c), there;

	if (!requested)
		return !c->failed;
	s->stack = cursor_bytes(c, requested);
	there = cursor_u64(c);
	if (c->failed || there > requested)
		return false;
	s->stack_requested_bytes = (uint32_t)requested;
	s->stack_bytes = (uint32_t)there;
	return true;
}

static bool decode_aux(struct cursor *c, struct perfdata_sample *s)
{
	uint64_t n = cursor_u64(c);

	s->aux = cursor_bytes(c, n);
	s->aux_bytes = (uint32_t)n;
	return !c->failed;
}

static void decode_word(struct cursor *c, uint64_t has, uint64_t bit, uint64_t *value)
{
	if (has & bit)
		*value = cursor_u64(c);
}

/* What comes after the stack: mostly about memory. */
static bool decode_tail(struct cursor *c, const struct perfdata_attr *a, struct perfdata_sample *s)
{
	uint64_t has = a->sample_type;

	decode_word(c, has, SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT, &s->weight);
	decode_word(c, has, SAMPLE_DATA_SRC, &s->data_src);
	decode_word(c, has, SAMPLE_TRANSACTION, &s->transaction);
	if (has & SAMPLE_REGS_INTR)
		decode_regs(c, a->regs_intr, &s->regs_intr);
	decode_word(c, has, SAMPLE_PHYS_ADDR, &s->phys_addr);
	decode_word(c, has, SAMPLE_CGROUP, &s->cgroup);
	decode_word(c, has, SAMPLE_DATA_PAGE_SIZE, &s->data_page_bytes);
	decode_word(c, has, SAMPLE_CODE_PAGE_SIZE, &s->code_page_bytes);
	if (has & SAMPLE_AUX)
		decode_aux(c, s);
	return !c->failed;
}

static bool decode_more(struct cursor *c, const struct perfdata_attr *a, struct perfdata_sample *s)
{
	uint64_t has = a->sample_type;

	if ((has & SAMPLE_BRANCH_STACK) && !decode_branches(c, a, s))
		return false;
	if ((has & SAMPLE_REGS_USER) && !decode_regs(c, a->regs_user, &s->regs_user))
		return false;
	if ((has & SAMPLE_STACK_USER) && !decode_stack(c, s))
		return false;
	return decode_tail(c, a, s);
}

/* Everything that set_fixed() does not set, in small steps: for one large memset() gcc emits "rep
 * stos", which took longer than the rest of decoding. */
static inline void clear_parts(struct perfdata_sample *s)
{
	enum { STEP_BYTES = 32, FROM = offsetof(struct perfdata_sample, n_ips) & ~31u };
	char *p = (char *)s + FROM, *end = (char *)s + sizeof(*s);

	_Static_assert(sizeof(*s) % STEP_BYTES == 0, "must end with a step");
#pragma GCC unroll 16
	for (; p < end; p += STEP_BYTES)
		memset(p, 0, STEP_BYTES);
}

static inline uint64_t word_at(const uint8_t *p, uint8_t offset, bool swapped)
{
	return offset ? bytes_u64(p + offset, swapped) : 0;
}

/* The parts of set_fixed() that short samples are decoded for. */
static inline void set_fixed_short(const struct perfdata_attr *a, const struct perfdata_record *r,
	struct perfdata_sample *s, bool swapped)
{
	const struct perfdata_offsets *l = &a->offsets;
	const uint8_t *p = r->p;

	s->ip = word_at(p, l->ip, swapped);
	s->time_ns = word_at(p, l->time, swapped);
	s->pid = l->tid ? (int32_t)bytes_u32(p + l->tid, swapped) : -1;
	s->tid = l->tid ? (int32_t)bytes_u32(p + l->tid + 4, swapped) : -1;
	s->cpu = l->cpu ? (int32_t)bytes_u32(p + l->cpu, swapped) : -1;
	s->has = (uint32_t)a->sample_type;
	s->cpumode = perfdata_record_cpumode(r);
	s->swapped = swapped;
}

static inline void set_fixed(const struct perfdata_attr *a, const struct perfdata_record *r,
	struct perfdata_sample *s, bool swapped)
{
	const struct perfdata_offsets *l = &a->offsets;
	const uint8_t *p = r->p;

	set_fixed_short(a, r, s, swapped);
	s->addr = word_at(p, l->addr, swapped);
	s->id = word_at(p, l->event_id, swapped);
	s->stream_id = word_at(p, l->stream_id, swapped);
	s->period = l->period ? bytes_u64(p + l->period, swapped) : a->default_period;
	s->exact_ip = r->misc >> 14 & 1;
}

static inline struct cursor after_fixed(
	const struct perfdata_attr *a, const struct perfdata_record *r, bool swapped)
{
	const uint8_t fixed_bytes = a->offsets.fixed_bytes;

	return (struct cursor){ r->p + fixed_bytes, r->size - fixed_bytes, swapped, false };
}

/* The compiler knows swapped, so that it is not tested for each number. */
static inline __attribute__((always_inline)) bool decode(const struct perfdata_attr *a,
	const struct perfdata_record *r, struct perfdata_sample *out, bool swapped)
{
	struct cursor c;

	if (r->size < a->offsets.fixed_bytes)
		return false;
	clear_parts(out);
	set_fixed(a, r, out, swapped);
	out->branch_hw_idx = UINT64_MAX;
	c = after_fixed(a, r, swapped);
	if ((a->sample_type & SAMPLE_READ) && !decode_reads(a, &c, out))
		return false;
	if (!decode_front(a, &c, out))
		return false;
	return !(a->sample_type & MORE_PARTS) || decode_more(&c, a, out);
}

bool perfdata_sample_decode(
	const struct perfdata_attr *a, const struct perfdata_record *r, struct perfdata_sample *out)
{
	return a->swapped ? decode(a, r, out, true) : decode(a, r, out, false);
}

/* ---- short samples ---------------------------------------------------------------------- */

bool perfdata_sample_is_short(const struct perfdata_attr *a)
{
	return !(a->sample_type & (SAMPLE_READ | MORE_PARTS));
}

static inline __attribute__((always_inline)) bool decode_short(const struct perfdata_attr *a,
	const struct perfdata_record *r, struct perfdata_sample *out, bool swapped)
{
	struct cursor c;

	if (r->size < a->offsets.fixed_bytes)
		return false;
	set_fixed_short(a, r, out, swapped);
	out->ips = out->raw = NULL;
	out->n_ips = out->raw_bytes = 0;
	c = after_fixed(a, r, swapped);
	return decode_front(a, &c, out);
}

bool perfdata_sample_decode_short(
	const struct perfdata_attr *a, const struct perfdata_record *r, struct perfdata_sample *out)
{
	return a->swapped ? decode_short(a, r, out, true) : decode_short(a, r, out, false);
}

/* ---- encoding ---------------------------------------------------------------------------- */

static void put_number(struct buf *b, uint64_t v, unsigned bytes, bool swapped)
{
	uint8_t p[8];

	bytes_put(p, v, bytes, swapped);
	buf_put(b, p, bytes);
}

static size_t read_bytes(const struct perfdata_attr *a, const struct perfdata_sample *s)
{
	size_t times =
		(a->read_format & READ_ENABLED ? 8 : 0) + (a->read_format & READ_RUNNING ? 8 : 0);

	return times + (a->read_format & READ_GROUP ? 8 + s->n_reads * read_entry_bytes(a)
						    : read_entry_bytes(a));
}

static void put_branches(
	struct buf *b, const struct perfdata_attr *a, const struct perfdata_sample *s)
{
	put_number(b, s->n_branches, 8, s->swapped);
	if (a->branch_sample_type & BRANCH_HW_INDEX)
		put_number(b, s->branch_hw_idx, 8, s->swapped);
	buf_put(b, s->branches, (size_t)s->n_branches * 24);
	if (a->branch_sample_type & BRANCH_COUNTERS)
		buf_put(b, s->branch_counters, (size_t)s->n_branches * 8);
}

static void put_word(struct buf *b, const struct perfdata_sample *s, bool wanted, uint64_t v)
{
	if (wanted)
		put_number(b, v, 8, s->swapped);
}

static void put_tail(struct buf *b, const struct perfdata_sample *s, uint64_t type)
{
	put_word(b, s, type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT), s->weight);
	put_word(b, s, type & SAMPLE_DATA_SRC, s->data_src);
	put_word(b, s, type & SAMPLE_TRANSACTION, s->transaction);
	put_word(b, s, type & SAMPLE_PHYS_ADDR, s->phys_addr);
	put_word(b, s, type & SAMPLE_CGROUP, s->cgroup);
	put_word(b, s, type & SAMPLE_DATA_PAGE_SIZE, s->data_page_bytes);
	put_word(b, s, type & SAMPLE_CODE_PAGE_SIZE, s->code_page_bytes);
}

bool perfdata_sample_encode(struct buf *b, const struct perfdata_attr *a,
	const struct perfdata_record *r, const struct perfdata_sample *s, uint64_t sample_type,
	struct span chain)
{
	size_t from = b->n;

	buf_put(b, r->p, a->offsets.fixed_bytes);
	if (sample_type & SAMPLE_READ)
		buf_put(b, r->p + a->offsets.fixed_bytes, read_bytes(a, s));
	if (sample_type & SAMPLE_CALLCHAIN) {
		put_number(b, chain.n / 8, 8, s->swapped);
		buf_put_span(b, chain);
	}
	if (sample_type & SAMPLE_RAW) {
		put_number(b, s->raw_bytes, 4, s->swapped);
		buf_put(b, s->raw, s->raw_bytes);
	}
	if (sample_type & SAMPLE_BRANCH_STACK)
		put_branches(b, a, s);
	put_tail(b, s, sample_type);
	if (b->n - from > RECORD_MAX_BYTES) {
		b->n = from;
		return false;
	}
	bytes_put_u16(b->p + from + 6, (uint16_t)(b->n - from), s->swapped);
	return true;
}
