/*
 * screen_for_test.h - what is on a screen, as text
 *
 * Owns: nothing. Only for tests.
 */
#ifndef PERFOLD_VIEW_SCREEN_FOR_TEST_H
#define PERFOLD_VIEW_SCREEN_FOR_TEST_H

#include "view/screen.h"

static inline void screen_test_put_code(struct buf *b, uint32_t code)
{
	if (code < 0x80) {
		buf_putc(b, (char)code);
	} else if (code < 0x800) {
		buf_putc(b, (char)(0xc0 | code >> 6));
		buf_putc(b, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		buf_putc(b, (char)(0xe0 | code >> 12));
		buf_putc(b, (char)(0x80 | (code >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (code & 0x3f)));
	} else {
		buf_putc(b, (char)(0xf0 | code >> 18));
		buf_putc(b, (char)(0x80 | (code >> 12 & 0x3f)));
		buf_putc(b, (char)(0x80 | (code >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (code & 0x3f)));
	}
}

/* A row without the blanks at its end. */
static inline void screen_test_put_row(struct buf *b, const struct screen *s, unsigned row)
{
	unsigned i, k;

	for (i = 0; i < s->columns; i++) {
		const struct screen_cell *c = &s->cell[(size_t)row * s->columns + i];

		if (c->code)
			screen_test_put_code(b, c->code);
		for (k = 0; k < SCREEN_MARKS_MOST && c->mark[k]; k++)
			screen_test_put_code(b, c->mark[k]);
	}
	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
}

#endif
