/*
 * palette.h - the colour of a frame by its name, and of the background
 *
 * The palettes of flamegraph.pl, to the last bit: a function has the same colour in the pictures of
 * both, and in every picture. If a name does not say that it is kernel code or generated code, the
 * frame's kind does, so that java and js also work without annotations.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_PALETTE_H
#define PERFOLD_OUTPUT_PICTURE_PALETTE_H

#include "base/buf.h"
#include "base/err.h"

struct color {
	uint8_t r, g, b;
};

struct palette;

/* NULL: the default, hot. An unknown name is ERR_USAGE. */
int palette_by_name(const struct palette **out, const char *name, struct err *e);

/* The frame to be coloured. */
struct color_subject {
	struct span name; /* as shown, annotation included */
	char kind;        /* 'k', 'j', 'i' as an annotation would say, or 0 */
	bool waker;       /* above a frame "--" */
	bool by_hash;     /* similar names, similar colours */
};

struct color palette_color(const struct palette *p, const struct color_subject *s);

struct background {
	struct color top, bottom;
};

/* name NULL: that of the palette. An unknown name is ERR_USAGE. */
int palette_background(
	struct background *out, const struct palette *p, const char *name, struct err *e);

#endif
