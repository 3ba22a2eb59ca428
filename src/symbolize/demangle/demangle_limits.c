/*
 * D. dlang_demangle() returns the whole text at once, so that it cannot be stopped, and
 *  - a reference back to a type ("Q") unfolds to that type, which may hold references in turn: two
 *    of them in each type, and every five bytes double the text;
 *  - where it cannot know what follows, it tries one thing and then the other; if these are in one
 *    another, each doubles the time.
 * The name is not parsed here. A pass over its bytes adds up what each can cost at most; a
 * reference costs as much as all bytes from its target up to itself. That is too much rather than
 * too little: 95 % of the 16,571 names in the libraries of GCC's D are allowed.
 *
 * Rust. rust_demangle_callback() has a limit of recursion and gives its text in pieces, so only
 * loops that print nothing and Punycode need limits.
 */
#include "symbolize/demangle/demangle_limits.h"

#include "base/chars.h"
#include "base/mem.h"

#include <stdlib.h>

/* Each level of recursion takes up to 220 bytes of stack, and each byte of a name, unfolded, can be
 * a level: so these are at most 4 MB of it (a thread has THREAD_STACK_BYTES). */
enum { D_MAX_BYTES = 4 << 10, D_UNFOLDED_MAX_BYTES = 16 << 10, D_TRIES_MAX = 12 };

/* Punycode is decoded in quadratic time. */
enum { RUST_MAX_BYTES = 16 << 10, RUST_LIFETIMES_DIGITS = 2 };

/* ---- D ------------------------------------------------------------------------------------ */

/* What reading a name up to a byte costs. */
struct d_cost {
	uint32_t unfolded_bytes;
	uint32_t tries; /* of them each can double the time that all after it take */
};

struct d_name {
	struct span name;
	struct d_cost *up_to;
	bool *ends; /* identifiers may end before this byte */
};

static void add(struct d_cost *to, struct d_cost more)
{
	to->unfolded_bytes += more.unfolded_bytes;
	to->tries += more.tries;
	if (to->unfolded_bytes > D_UNFOLDED_MAX_BYTES)
		to->unfolded_bytes = D_UNFOLDED_MAX_BYTES + 1;
	if (to->tries > D_TRIES_MAX)
		to->tries = D_TRIES_MAX + 1;
}

/* A decimal number, which may be larger than the name; 0 where there is none. */
static size_t number_at(struct span name, size_t at, size_t *end)
{
	size_t n = 0;

	for (*end = at; *end < name.n && char_is_digit(name.p[*end]); ++*end)
		n = n > name.n ? n : n * 10 + (size_t)(name.p[*end] - '0');
	return n;
}

/* "Qb", "QAb": the distance back to what is meant, in base 26, of which the last digit is lower
 * case. False if that is before the name. */
static bool reference_at(struct span name, size_t at, size_t *target, size_t *end)
{
	size_t i, distance = 0;

	for (i = at + 1; i < name.n && distance <= name.n; i++) {
		bool last = char_is_lower(name.p[i]);

		if (!last && !char_is_upper(name.p[i]))
			return false;
		distance = distance * 26 + (size_t)(name.p[i] - (last ? 'a' : 'A'));
		*end = i + 1;
		*target = at - distance;
		if (last)
			return distance && distance <= at;
	}
	return false;
}

static void mark_end(struct d_name *d, size_t at)
{
	if (at < d->name.n)
		d->ends[at] = true;
}

/* A reference to a type means a part of what is between that type and the reference: libiberty
 * refuses types that contain the reference. */
static struct d_cost cost_of_reference(struct d_name *d, size_t at)
{
	struct d_cost cost = { 1, 0 };
	size_t target, end, after_digits, length;

	if (!reference_at(d->name, at, &target, &end))
		return cost;
	length = number_at(d->name, target, &after_digits);
	if (after_digits > target) {
		mark_end(d, end);
		cost.unfolded_bytes += (uint32_t)(length < d->name.n ? length : d->name.n);
	} else {
		cost.unfolded_bytes +=
			d->up_to[at].unfolded_bytes - d->up_to[target].unfolded_bytes;
		cost.tries += d->up_to[at].tries - d->up_to[target].tries;
	}
	return cost;
}

/* After an identifier, 'M' and the calling conventions may begin a function or the next type: one
 * is tried, then the other. After 'S' it is tried how many digits are the length. */
static struct d_cost cost_of_byte(struct d_name *d, size_t at)
{
	char c = d->name.p[at];
	struct d_cost cost = { 1, 0 };
	size_t end, n;

	if (c == 'Q')
		return cost_of_reference(d, at);
	if (char_is_digit(c) && (d->ends[at] || !(at && char_is_digit(d->name.p[at - 1])))) {
		n = number_at(d->name, at, &end);
		mark_end(d, n < d->name.n ? end + n : d->name.n);
	} else if (c == 'Z') {
		mark_end(d, at + 1); /* of a template */
	} else if (c == 'S' && (number_at(d->name, at + 1, &end), end > at + 1)) {
		cost.tries = (uint32_t)(end - at - 2) +
			     (end < d->name.n && (d->name.p[end] == '_' || d->name.p[end] == 'Q'));
	} else if (d->ends[at] && memchr("MFUWVRY", c, 7)) {
		cost.tries = 1;
	}
	return cost;
}

bool demangle_limits_allow_d(struct span name)
{
	struct d_name d = { .name = name };
	struct d_cost all;
	size_t i;

	if (name.n > D_MAX_BYTES)
		return false;
	d.up_to = xcalloc(name.n + 1, sizeof(*d.up_to));
	d.ends = xcalloc(name.n, sizeof(*d.ends));
	for (i = 0; i < name.n; i++) {
		d.up_to[i + 1] = d.up_to[i];
		add(&d.up_to[i + 1], cost_of_byte(&d, i));
	}
	all = d.up_to[name.n];
	free(d.up_to);
	free(d.ends);
	return all.unfolded_bytes <= D_UNFOLDED_MAX_BYTES && all.tries <= D_TRIES_MAX;
}

/* ---- Rust --------------------------------------------------------------------------------- */

/* "FG..._" and "DG..._" say how many lifetimes a function or an object has, in base 62. libiberty
 * counts up to that number even where nothing is printed. */
bool demangle_limits_allow_rust(struct span name)
{
	size_t i, end;

	if (name.n > RUST_MAX_BYTES)
		return false;
	for (i = 0; i + 1 < name.n; i++) {
		if ((name.p[i] != 'F' && name.p[i] != 'D') || name.p[i + 1] != 'G')
			continue;
		for (end = i + 2; end < name.n && char_is_alnum(name.p[end]); end++)
			;
		if (end > i + 2 + RUST_LIFETIMES_DIGITS && end < name.n && name.p[end] == '_')
			return false;
	}
	return true;
}
