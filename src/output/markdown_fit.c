#include "output/markdown_fit.h"

enum { TOKENS_DEFAULT = 4000, ROWS_MOST = 40 };

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What a byte-pair encoding makes of such text: a token for up to five letters of a word in one
 * case, three digits, or two other characters of ASCII; one each for all other bytes. */
static size_t tokens_of(struct span s)
{
	size_t tokens = 0, run = 0, i;
	int before = 0;

	for (i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool ascii = (uint8_t)c < 0x80;
		int kind = is_letter(c) ? 1 : is_digit(c) ? 2 : c == ' ' ? 3 : ascii ? 5 : 4;
		static const size_t most[] = { 0, 5, 3, 64, 1, 2 };
		bool hump = i && kind == 1 && c < 'a' && s.p[i - 1] >= 'a';

		run = kind == before && !hump ? run + 1 : 1;
		if (run > most[kind])
			run = 1;
		/* A blank belongs to the word that follows it. */
		tokens += run == 1 && !(kind == 3 && i + 1 < s.n && s.p[i + 1] != ' ');
		before = kind;
	}
	return tokens;
}

void markdown_fit(struct buf *b, unsigned tokens, markdown_put put, void *page)
{
	size_t most = tokens ? tokens : TOKENS_DEFAULT, before = b->n;
	uint32_t rows;

	for (rows = ROWS_MOST;; rows -= rows / 8 + 1) {
		b->n = before;
		put(page, rows, b);
		if (rows == 1 || tokens_of(span_skip(buf_span(b), before)) <= most)
			return;
	}
}
