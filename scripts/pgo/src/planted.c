/*
 * A program whose hot paths are not where a compiler expects them without a profile: a comparison
 * that nearly always finds equality, a switch with one case that counts, an indirect call with one
 * frequent target, inlined functions, recursion, and a library that calls back.
 *
 * planted [ROUNDS]
 */
#include "planted.h"
#include <stdio.h>
#include <stdlib.h>

/* Compilers take "== 0" for unlikely; here it holds in 63 of 64 rounds. */
__attribute__((noinline)) static unsigned decide(unsigned round, unsigned sum)
{
	unsigned every_64th = ((round & 63) + 1) >> 6;

	if (every_64th == 0) {
		sum += round;
		sum ^= sum >> 3;
	} else {
		sum ^= sum << 7;
		for (unsigned i = 0; i < (sum & 15); i++)
			sum = sum * 31 + i;
		sum |= 1;
	}
	return sum;
}

/* It runs only if the arguments ask for it. */
__attribute__((noinline)) static unsigned never(unsigned sum)
{
	printf("never: %u\n", sum);
	for (unsigned i = 0; i < sum % 1000; i++)
		sum ^= sum << 5 ^ i;
	return sum;
}

static inline unsigned inner(unsigned value)
{
	if (value % 3 == 0)
		value = value / 3 + 1;
	return value ^ 0x55;
}

static inline unsigned middle(unsigned value)
{
	for (int i = 0; i < 4; i++)
		value += inner(value);
	return value;
}

/* The same functions, inlined at two calls: only one of them is hot. */
__attribute__((noinline)) static unsigned nested(unsigned round, unsigned sum)
{
	if (round % 32)
		return middle(sum);
	return middle(sum ^ round) + inner(round);
}

__attribute__((noinline)) static unsigned choose(unsigned kind, unsigned sum)
{
	switch (kind) {
	case 0:
		return sum + 11;
	case 1:
		return sum * 3;
	case 2:
		return sum ^ 0xf0f0;
	case 3:
		return sum - (sum >> 4);
	case 4:
		return sum << 1 | sum >> 31;
	case 5: {
		for (int i = 0; i < 3; i++)
			sum += sum >> 2;
		return sum;
	}
	case 6:
		return ~sum;
	default:
		return never(sum);
	}
}

__attribute__((noinline)) static unsigned fibonacci(unsigned n)
{
	if (n < 2)
		return n;
	return fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static unsigned often(unsigned x)
{
	return x * 5 + 1;
}
__attribute__((noinline)) static unsigned sometimes(unsigned x)
{
	return x ^ x >> 9;
}
__attribute__((noinline)) static unsigned seldom(unsigned x)
{
	return x - 77;
}

static unsigned (*const handlers[16])(unsigned) = {
	often,
	often,
	often,
	often,
	often,
	often,
	often,
	often,
	often,
	often,
	often,
	sometimes,
	often,
	sometimes,
	often,
	seldom,
};

/* Five in eight rounds take the case with a loop. */
static unsigned kind_of(unsigned round)
{
	unsigned low = round & 7;

	return low < 5 ? 5 : low == 5 ? round >> 3 & 3 : low == 6 ? 6 : 4;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 4000, sum = 1;

	for (unsigned round = 1; round <= rounds; round++) {
		sum = decide(round, sum);
		sum = nested(round, sum);
		sum = choose(kind_of(round), sum);
		sum = handlers[round & 15](sum);
		if (round % 16 == 0)
			sum = planted_each(round, often, sum);
		if (round % 256 == 0)
			sum += fibonacci(9);
	}
	if (argc > 2)
		sum = never(sum);
	printf("%u\n", sum);
	return 0;
}
