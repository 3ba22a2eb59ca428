/*
 * Copied stacks that are too small for a part of the samples, for --truncated merge: a function
 * that needs little room on the stack at one time and much at another. With little, the copies
 * are complete, and tell what is missing in those with much. In the phases "left" and "right"
 * the way to that function is known from the frames that are there. In "either" the frames that
 * are there are called from two places, and what was cut off is left so.
 */
#include <alloca.h>

#include "phase.h"

enum { LITTLE = 16, MUCH = 800 };

static volatile unsigned rounds;

NOINLINE static void spin(void)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
}

NOINLINE static unsigned needs_room(unsigned n)
{
	volatile char *room = alloca(n);

	room[n - 1] = 1;
	spin();
	return (unsigned)room[n - 1];
}

#define LEVEL(name, next)                                                                          \
	NOINLINE static unsigned name(unsigned n)                                                  \
	{                                                                                          \
		volatile unsigned room[12];                                                        \
                                                                                                   \
		room[n % 12] = n;                                                                  \
		return next(n) + room[n % 12];                                                     \
	}

#define LEVELS(side)                                                                               \
	LEVEL(side##_3, needs_room)                                                                \
	LEVEL(side##_2, side##_3)                                                                  \
	LEVEL(side##_1, side##_2)

LEVELS(left)
LEVELS(right)
LEVELS(both)
LEVEL(one_way, both_1)
LEVEL(other_way, both_1)

#define CHAIN(outer, side) "main;" outer side "_1;" side "_2;" side "_3;needs_room;spin"

int main(void)
{
	rounds = 40 * phase_rounds_per_ms();
	phase_announce("left", CHAIN("", "left") "\tcomplete");
	phase_announce("right", CHAIN("", "right") "\tcomplete");
	phase_announce("either", CHAIN("one_way;", "both") "\tambiguous");
	phase_announce("either", CHAIN("other_way;", "both") "\tambiguous");
	for (volatile unsigned i = 0; i < 10; i++) {
		unsigned room = i % 2 ? MUCH : LITTLE;

		phase_set_name("left");
		left_1(room);
		phase_set_name("right");
		right_1(room);
		phase_set_name("either");
		one_way(room);
		other_way(room);
		phase_set_name(OUTSIDE);
	}
	return 0;
}
