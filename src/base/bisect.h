/*
 * bisect.h - binary search for the first element for which a condition holds
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_BISECT_H
#define PERFOLD_BASE_BISECT_H

/* The first index i, low <= i < high, for which the condition, an expression of i, holds; high
 * where it holds for none. From there on it must hold for all. The result is also how many elements
 * come before, counted from low, and where another one belongs. low and high are evaluated once. */
#define bisect(i, low, high, condition)                                                            \
	({                                                                                         \
		__typeof__((low) + (high)) i##_low = (low), i##_high = (high);                     \
                                                                                                   \
		while (i##_low < i##_high) {                                                       \
			__typeof__(i##_low) i = i##_low + (i##_high - i##_low) / 2;                \
                                                                                                   \
			if (condition)                                                             \
				i##_high = i;                                                      \
			else                                                                       \
				i##_low = i + 1;                                                   \
		}                                                                                  \
		i##_low;                                                                           \
	})

#endif
