/*
 * work.c - a program whose profile is known: a tree of functions, each with its share of the work
 *
 *	work MILLISECONDS [FUNCTION UNITS]
 *
 * runs for so long. FUNCTION is a number from 0; it does so many units of work more. A unit is a
 * number of steps of arithmetic. The work is of three kinds, since a busy machine slows some kinds
 * more than others: arithmetic, divisions, and steps through memory beyond the first caches.
 *
 * f11 has about 25 % of the work, f22 18 %, f14 7 %, the others less than 5 %.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 1 << 16, STEP = 40503, FUNCTIONS = 30, UNIT = 60 };

static uint32_t cell[CELLS];
static volatile uint32_t result;
static unsigned extra[FUNCTIONS];

static inline __attribute__((always_inline)) uint32_t arithmetic(uint32_t x)
{
	return (x ^ x >> 7) * 2654435761u + 1;
}

static inline __attribute__((always_inline)) uint32_t division(uint32_t x)
{
	return 4000000007u / (x | 1) + x;
}

static inline __attribute__((always_inline)) uint32_t memory(uint32_t x)
{
	return cell[x % CELLS] + x;
}

#define FUNCTION(number, kind, units, calls)                                                       \
	static __attribute__((noinline)) void f##number(void)                                      \
	{                                                                                          \
		uint32_t x = result;                                                               \
		unsigned i;                                                                        \
		for (i = 0; i < units * UNIT; i++)                                                 \
			x = kind(x);                                                               \
		for (i = 0; i < extra[number]; i++)                                                \
			x = arithmetic(x);                                                         \
		result = x;                                                                        \
		calls                                                                              \
	}

FUNCTION(29, arithmetic, 30, )
FUNCTION(28, memory, 12, )
FUNCTION(27, division, 8, )
FUNCTION(26, arithmetic, 16, )
FUNCTION(25, arithmetic, 9, )
FUNCTION(24, memory, 6, )
FUNCTION(23, division, 14, )
FUNCTION(22, arithmetic, 161, )
FUNCTION(21, arithmetic, 21, f29();)
FUNCTION(20, memory, 18, f28(); f27();)
FUNCTION(19, arithmetic, 7, )
FUNCTION(18, division, 20, )
FUNCTION(17, arithmetic, 33, f26();)
FUNCTION(16, arithmetic, 4, )
FUNCTION(15, memory, 9, f25(); f24();)
FUNCTION(14, arithmetic, 63, )
FUNCTION(13, division, 11, f23();)
FUNCTION(12, arithmetic, 25, )
FUNCTION(11, arithmetic, 223, f22();)
FUNCTION(10, memory, 5, f21();)
FUNCTION(9, arithmetic, 13, f20(); f19();)
FUNCTION(8, division, 6, f18();)
FUNCTION(7, arithmetic, 28, f17(); f16();)
FUNCTION(6, arithmetic, 10, f15();)
FUNCTION(5, memory, 15, f14(); f13();)
FUNCTION(4, arithmetic, 19, f12();)
FUNCTION(3, division, 7, f11(); f10();)
FUNCTION(2, arithmetic, 22, f9(); f8();)
FUNCTION(1, arithmetic, 3, f7(); f6(); f5();)
FUNCTION(0, arithmetic, 1, f1(); f2(); f3(); f4();)

static unsigned number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || n > 1000000) {
		fprintf(stderr, "work: %s is no number\n", text);
		exit(2);
	}
	return (unsigned)n;
}

int main(int argc, char **argv)
{
	clock_t end;
	unsigned i;

	if (argc != 2 && argc != 4) {
		fputs("work MILLISECONDS [FUNCTION UNITS]\n", stderr);
		return 2;
	}
	if (argc == 4)
		extra[number(argv[2]) % FUNCTIONS] = number(argv[3]) * UNIT;
	for (i = 0; i < CELLS; i++)
		cell[i] = i * STEP;
	end = clock() + (clock_t)number(argv[1]) * (CLOCKS_PER_SEC / 1000);
	while (clock() < end)
		for (i = 0; i < 20; i++)
			f0();
	return 0;
}
