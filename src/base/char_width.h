/*
 * char_width.h - how many columns of a terminal a character takes
 *
 * 0: it is drawn on the one before it (combining marks, joiners). 2: CJK, emoji and whatever else
 * is East Asian Wide or Fullwidth. 1: all others, also those that no font has. As wcwidth() of
 * glibc 2.36, but for characters that it does not know, and in any locale.
 *
 * Threads: any. Source: Unicode 15, EastAsianWidth.txt and the categories Mn, Me, Cf.
 */
#ifndef PERFOLD_BASE_CHAR_WIDTH_H
#define PERFOLD_BASE_CHAR_WIDTH_H

#include "base/span.h"

unsigned char_width(uint32_t code);
/* Columns that a string takes, which is valid UTF-8 without control characters. */
size_t char_width_of_text(struct span s);

#endif
