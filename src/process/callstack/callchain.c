/*
 * callchain_add() makes all entries of a chain in one loop over the recorded words: a large
 * recording has a hundred million of them. An address in the half of the address space that its
 * segment (the mark before it) is of costs a compare and an XOR; entry_of() makes the entry of any
 * other. As the innermost is added first, entries fill their room from its end. An entry:
 *
 *	bit 63  62    61    60    59 ... 0
 *	    |   |     |     |     address; bits 63 to 55 of a canonical one are equal
 *	    |   |     |     unlike bit 63: return address of the outermost frame
 *	    |   |     unlike bit 63: the segment is not what that bit says (32-bit kernels)
 *	    |   unlike bit 63: exact, not a return address
 *	    kernel half of the address space
 *
 * Whatever does not fit (not canonical, hypervisor, with an interpreter's function) is kept once in
 * the table `odd`; its entry is ODD plus its index. No canonical address has just bit 56 set.
 *
 * callchain_add_address() does the same for one address; callchain_test.c compares the two for
 * addresses of all shapes.
 */
#include "process/callstack/callchain.h"

#include "base/hash.h"
#include "base/mem.h"
#include "input/perfdata/perfdata.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT_FIRST = -4095 /* PERF_CONTEXT_MAX: any value from here up is a mark */ };

#define BIT_EXACT     (1ull << 62)
#define BIT_OTHER     (1ull << 61)
#define BIT_OUTERMOST (1ull << 60)
static const uint64_t CANONICAL = 1ull << 55; /* from -CANONICAL on and below it */
static const uint64_t ODD = 1ull << 56;       /* no canonical address has just this bit */

void callchain_release(struct callchain *c)
{
	free(c->room);
	free(c->odd);
	index_release(&c->by_odd);
	*c = (struct callchain){ 0 };
}

void callchain_clear(struct callchain *c)
{
	if (c->n)
		c->entry += c->n;
	c->n = 0;
}

/* Makes room for n more entries. */
static void reserve(struct callchain *c, uint32_t n)
{
	uint64_t *room = NULL;
	uint32_t cap = c->cap;

	if (n <= c->cap - c->n)
		return;
	ARRAY_RESERVE(room, (size_t)c->n + n, cap);
	if (c->n)
		memcpy(room + (cap - c->n), c->entry, c->n * sizeof(*room));
	free(c->room);
	c->room = room;
	c->cap = cap;
	c->entry = room + (cap - c->n);
}

static void add_entry(struct callchain *c, uint64_t entry)
{
	reserve(c, 1);
	*--c->entry = entry;
	c->n++;
}

static bool is_canonical(uint64_t ip)
{
	return ip + CANONICAL < 2 * CANONICAL;
}

static uint64_t odd_entry(struct callchain *c, struct callchain_address a)
{
	uint64_t hash =
		hash_pair(a.ip, (uint64_t)a.function << 32 | (uint64_t)a.mode << 1 | a.exact);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_odd, hash, cursor, i)
		if (c->odd[i].ip == a.ip && c->odd[i].mode == a.mode &&
			c->odd[i].exact == a.exact && c->odd[i].function == a.function)
			return ODD | i;
	ARRAY_GROW(c->odd, c->n_odd, c->cap_odd);
	c->odd[c->n_odd] = a;
	index_add(&c->by_odd, hash, c->n_odd);
	return ODD | c->n_odd++;
}

static uint64_t entry_of(struct callchain *c, uint64_t ip, uint8_t mode, bool exact)
{
	bool high = ip >> 63;

	if (!is_canonical(ip) || (mode != MODE_USER && mode != MODE_KERNEL))
		return odd_entry(c, (struct callchain_address){ ip, mode, exact, false, 0 });
	return ip ^ (exact ? BIT_EXACT : 0) ^ (high == (mode == MODE_KERNEL) ? 0 : BIT_OTHER);
}

void callchain_add_address(struct callchain *c, uint64_t ip, uint8_t mode, bool exact)
{
	add_entry(c, entry_of(c, ip, mode, exact));
}

void callchain_add_function(struct callchain *c, uint64_t ip, bool exact, uint32_t function)
{
	add_entry(c,
		odd_entry(c, (struct callchain_address){ ip, MODE_USER, exact, false, function }));
}

void callchain_add_mark(struct callchain *c, uint64_t mark)
{
	add_entry(c, mark);
}

bool callchain_read_mark(uint64_t mark, uint8_t *mode)
{
	switch (mark) {
	case CALLCHAIN_KERNEL:
		*mode = MODE_KERNEL;
		return true;
	case CALLCHAIN_USER:
		*mode = MODE_USER;
		return true;
	case CALLCHAIN_HYPERVISOR:
		*mode = MODE_HYPERVISOR;
		return true;
	}
	return false;
}

/* The addresses that are usual in a segment: size of them, from low on; none of them is a mark. */
struct usual_addresses {
	uint64_t low, size;
};

static struct usual_addresses usual_addresses(uint8_t mode)
{
	if (mode == MODE_USER)
		return (struct usual_addresses){ 0, CANONICAL };
	if (mode == MODE_KERNEL)
		return (struct usual_addresses){ -CANONICAL, CANONICAL + (uint64_t)CONTEXT_FIRST };
	return (struct usual_addresses){ 0, 0 };
}

/* Inlined twice, so that swapped is a constant. There is room for all entries. */
static inline __attribute__((always_inline)) bool add_chain(
	struct callchain *c, const uint8_t *ips, uint32_t n, bool swapped, uint8_t mode)
{
	const uint64_t later = c->adjusted ? BIT_EXACT : 0;
	struct usual_addresses usual = usual_addresses(mode);
	uint64_t *entry = c->entry, exact = BIT_EXACT;
	const uint8_t *end = ips + (size_t)n * 8;
	bool known = true;

	for (; ips < end; ips += 8) {
		uint64_t ip = bytes_u64(ips, swapped);

		if (ip - usual.low < usual.size) {
			*--entry = ip ^ exact;
		} else if (ip < (uint64_t)CONTEXT_FIRST) {
			*--entry = entry_of(c, ip, mode, exact);
		} else {
			known = callchain_read_mark(ip, &mode);
			if (!known)
				break;
			usual = usual_addresses(mode);
			exact = BIT_EXACT;
			continue;
		}
		exact = later;
	}
	c->n += (uint32_t)(c->entry - entry);
	c->entry = entry;
	return known;
}

bool callchain_add(struct callchain *c, const uint8_t *ips, uint32_t n, bool swapped, uint8_t mode)
{
	if (!n)
		return true;
	reserve(c, n);
	return swapped ? add_chain(c, ips, n, true, mode) : add_chain(c, ips, n, false, mode);
}

bool callchain_is_plain(const uint8_t *ips, uint32_t n, bool swapped)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint64_t ip = bytes_u64(ips + (size_t)i * 8, swapped);

		if (callchain_is_mark(ip) && ip != CALLCHAIN_KERNEL && ip != CALLCHAIN_USER)
			return false;
	}
	return true;
}

static bool is_odd(uint64_t entry)
{
	return entry >> 56 == 1;
}

static bool is_user_return_address(uint64_t entry)
{
	return !is_odd(entry) && !(entry & (1ull << 63 | BIT_EXACT | BIT_OTHER));
}

void callchain_finish(struct callchain *c)
{
	if (c->n && is_user_return_address(c->entry[0]))
		c->entry[0] ^= BIT_OUTERMOST;
}

struct callchain_address callchain_decode(const struct callchain *c, uint64_t entry)
{
	static const uint64_t all_flags = BIT_EXACT | BIT_OTHER | BIT_OUTERMOST;
	bool high = entry >> 63;
	uint64_t flags = high ? ~entry : entry;
	struct callchain_address a;

	if (is_odd(entry))
		return c->odd[(uint32_t)entry];
	a.function = 0;
	a.exact = flags & BIT_EXACT;
	a.outermost = flags & BIT_OUTERMOST;
	a.mode = !(flags & BIT_OTHER) == high ? MODE_KERNEL : MODE_USER;
	a.ip = high ? entry | all_flags : entry & ~all_flags;
	return a;
}
