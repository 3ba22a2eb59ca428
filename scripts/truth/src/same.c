/*
 * One program that keeps frame pointers and is recorded twice, by them and by copied stacks: the
 * functions on the stacks must have the same shares (scripts/truth/same.awk). It works by count and
 * calls into no library, where frame pointers would lead astray.
 */
#include "phase.h"

static volatile unsigned rounds;

#define LEAF(name, parts)                                                                          \
	NOINLINE static void name(void)                                                            \
	{                                                                                          \
		for (volatile unsigned i = 0; i < (parts)*rounds; i++)                             \
			;                                                                          \
	}

#define CALLER(name, first, second)                                                                \
	NOINLINE static void name(void)                                                            \
	{                                                                                          \
		first();                                                                           \
		second();                                                                          \
		__asm__ volatile("");                                                              \
	}

LEAF(read_line, 1)
LEAF(split_words, 2)
LEAF(hash_word, 3)
LEAF(find_slot, 4)
LEAF(compare, 5)
LEAF(swap, 6)
CALLER(parse, read_line, split_words)
CALLER(count, hash_word, find_slot)
CALLER(sort, compare, swap)
CALLER(take_in, parse, count)
CALLER(merge, sort, count)
CALLER(work, take_in, merge)

int main(void)
{
	rounds = phase_rounds_per_ms();
	phase_set_name("same");
	for (volatile unsigned i = 0; i < 100; i++)
		work();
	phase_set_name(OUTSIDE);
	return 0;
}
