#include "process/callstack/unwound.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "process/callstack/callchain.h"

enum { DIGITS = 3, BASE = 3 };

static const uint64_t digits[BASE] = { CALLCHAIN_USER, CALLCHAIN_KERNEL, CALLCHAIN_HYPERVISOR };

static void put_word(struct buf *b, uint64_t v, bool swapped)
{
	uint8_t p[8];

	bytes_put(p, v, sizeof(p), swapped);
	buf_put(b, p, sizeof(p));
}

void unwound_put_frame(struct buf *b, uint64_t ip, bool exact, uint64_t bytecode, bool swapped)
{
	if (bytecode) {
		put_word(b, CALLCHAIN_USER, swapped);
		put_word(b, CALLCHAIN_USER, swapped);
		put_word(b, bytecode, swapped);
	}
	if (exact)
		put_word(b, CALLCHAIN_USER, swapped);
	put_word(b, ip, swapped);
}

void unwound_put_end(struct buf *b, enum unwind_end end, bool swapped)
{
	unsigned code = (unsigned)end;

	put_word(b, digits[code / (BASE * BASE)], swapped);
	put_word(b, digits[code / BASE % BASE], swapped);
	put_word(b, digits[code % BASE], swapped);
}

static bool read_digit(uint64_t mark, unsigned *code)
{
	unsigned i;

	for (i = 0; i < BASE; i++)
		if (digits[i] == mark) {
			*code = *code * BASE + i;
			return true;
		}
	return false;
}

bool unwound_take_end(const uint8_t *ips, uint32_t *n, bool swapped, enum unwind_end *end)
{
	unsigned code = 0, i;

	if (*n < DIGITS)
		return false;
	for (i = 0; i < DIGITS; i++)
		if (!read_digit(bytes_u64(ips + (size_t)(*n - DIGITS + i) * 8, swapped), &code))
			return false;
	if (code > UNWIND_LOST)
		return false;
	*n -= DIGITS;
	*end = (enum unwind_end)code;
	return true;
}

struct unwound_reader unwound_read(const uint8_t *ips, uint32_t n, bool swapped)
{
	return (struct unwound_reader){
		.ips = ips, .n = n, .swapped = swapped, .mode = MODE_USER, .exact = true
	};
}

static uint64_t word_at(const struct unwound_reader *r, uint32_t i)
{
	return i < r->n ? bytes_u64(r->ips + (size_t)i * 8, r->swapped) : 0;
}

/* True if it is one that is known. */
static bool take_mark(struct unwound_reader *r, uint64_t mark)
{
	bool known = callchain_read_mark(mark, &r->mode);

	r->exact = true;
	r->unknown_mark = !known;
	return known;
}

bool unwound_next(struct unwound_reader *r, struct unwound_address *a)
{
	uint64_t bytecode = 0;

	for (; r->at < r->n; r->at++) {
		uint64_t word = word_at(r, r->at);

		if (word == CALLCHAIN_USER && word_at(r, r->at + 1) == CALLCHAIN_USER &&
			r->at + 3 < r->n) {
			r->mode = MODE_USER;
			r->exact = false;
			bytecode = word_at(r, r->at + 2);
			r->at += 2;
		} else if (callchain_is_mark(word)) {
			if (!take_mark(r, word))
				return false;
		} else {
			*a = (struct unwound_address){ word, bytecode, r->at++, r->mode, r->exact };
			r->exact = false;
			return true;
		}
	}
	return false;
}
