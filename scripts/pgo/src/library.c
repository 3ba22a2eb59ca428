/* The library of planted.c: a second module with branches of its own, and calls back into the
 * first. */
#include "planted.h"

static unsigned mix(unsigned value)
{
	if (value & 1)
		return value >> 1 ^ 0xedb88320u;
	return value >> 1;
}

unsigned planted_each(unsigned round, unsigned (*call)(unsigned), unsigned sum)
{
	for (unsigned i = 0; i < (round >> 4) % 5; i++)
		sum ^= call(sum + i);
	for (int i = 0; i < 8; i++)
		sum = mix(sum);
	return sum;
}
