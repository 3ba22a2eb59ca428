#include "symbolize/code/instruction_memo.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Beyond them, nothing is added: only code that was made for it has so many. */
enum { KNOWN_MAX = 1 << 18 };

/* x86 has the lowest byte first. */
enum { SWAPPED = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

/* The first bytes of code as two numbers, the rest of which is 0. */
struct first_bytes {
	uint64_t low, high;
};

static struct first_bytes first_bytes(struct span code)
{
	struct first_bytes b = { 0 };
	uint8_t copy[16] = { 0 };

	if (code.n >= sizeof(copy))
		memcpy(copy, code.p, sizeof(copy));
	else if (code.n)
		memcpy(copy, code.p, code.n);
	b.low = bytes_u64(copy, SWAPPED);
	b.high = bytes_u64(copy + 8, SWAPPED);
	return b;
}

/* The first n of them. */
static struct first_bytes cut(struct first_bytes b, unsigned n)
{
	if (n < 8)
		return (struct first_bytes){ b.low & ((UINT64_C(1) << 8 * n) - 1), 0 };
	return (struct first_bytes){ b.low, b.high & ((UINT64_C(1) << 8 * (n - 8)) - 1) };
}

/* Of code of three bytes or more. */
static unsigned place_of_long(struct first_bytes b)
{
	return (unsigned)((uint32_t)(b.low & 0xffffff) * 0x9e3779b1u >> 20);
}

void instruction_memo_release(struct instruction_memo *m)
{
	free(m->known);
	index_release(&m->by_bytes);
	*m = (struct instruction_memo){ 0 };
}

static const struct known_instruction *find(
	const struct instruction_memo *m, struct first_bytes b, unsigned n)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&m->by_bytes, hash_pair(b.low, b.high), c, i)
		if (m->known[i].low == b.low && m->known[i].high == b.high &&
			m->known[i].n_bytes == n)
			return &m->known[i];
	return NULL;
}

static unsigned lengths_of(
	const struct instruction_memo *m, struct first_bytes b, size_t code_bytes)
{
	unsigned lengths = m->short_lengths[(uint8_t)b.low];

	return code_bytes < 3 ? lengths : lengths | m->long_lengths[place_of_long(b)];
}

const struct known_instruction *instruction_memo_find(
	const struct instruction_memo *m, struct span code)
{
	struct first_bytes b = first_bytes(code);
	unsigned lengths = code.n ? lengths_of(m, b, code.n) : 0;

	for (; lengths; lengths &= lengths - 1) {
		unsigned n = (unsigned)__builtin_ctz(lengths);
		const struct known_instruction *known;

		if (n > code.n)
			break;
		known = find(m, cut(b, n), n);
		if (known)
			return known->distance_bytes > code.n - n ? NULL : known;
	}
	return NULL;
}

void instruction_memo_add(
	struct instruction_memo *m, struct span bytes, const struct known_instruction *known)
{
	struct first_bytes b;

	if (m->n == KNOWN_MAX || !bytes.n || bytes.n > INSTRUCTION_MEMO_BYTES)
		return;
	b = first_bytes(bytes);
	ARRAY_GROW(m->known, m->n, m->cap);
	m->known[m->n] = *known;
	m->known[m->n].low = b.low;
	m->known[m->n].high = b.high;
	m->known[m->n].n_bytes = (uint8_t)bytes.n;
	index_add(&m->by_bytes, hash_pair(b.low, b.high), m->n++);
	if (bytes.n < 3)
		m->short_lengths[(uint8_t)b.low] |= (uint8_t)(1 << bytes.n);
	else
		m->long_lengths[place_of_long(b)] |= (uint16_t)(1 << bytes.n);
}

int32_t instruction_memo_distance(const struct known_instruction *known, const char *code)
{
	const uint8_t *p = (const uint8_t *)code + known->n_bytes;

	return known->distance_bytes == 4 ? (int32_t)bytes_u32(p, SWAPPED) : (int8_t)*p;
}
