/*
 * gcd.h - the greatest common divisor
 *
 * Of 0 and any number it is that number, so a running divisor begins as 0.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_GCD_H
#define PERFOLD_BASE_GCD_H

#include <stdint.h>

static inline uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
