#include "output/markdown_text.h"

#include "base/utf8.h"

static size_t longest_ticks(struct span s)
{
	size_t i, run = 0, longest = 0;

	for (i = 0; i < s.n; i++) {
		run = s.p[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void put_ticks(struct buf *b, size_t n)
{
	while (n--)
		buf_putc(b, '`');
}

void markdown_text_put_code(struct buf *b, struct span text)
{
	struct buf safe = { 0 };
	size_t ticks;
	bool apart;

	utf8_put_terminal(&safe, text);
	ticks = longest_ticks(buf_span(&safe)) + 1;
	apart = ticks > 1 || !safe.n;
	put_ticks(b, ticks);
	buf_puts(b, apart ? " " : "");
	buf_put_span(b, buf_span(&safe));
	buf_puts(b, apart ? " " : "");
	put_ticks(b, ticks);
	buf_release(&safe);
}

void markdown_text_put_fence(struct buf *b, struct span text)
{
	size_t ticks = longest_ticks(text) + 1;

	put_ticks(b, ticks < 3 ? 3 : ticks);
	buf_putc(b, '\n');
}
