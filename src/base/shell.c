#include "base/shell.h"

#include "base/chars.h"

static bool is_plain(struct span word)
{
	size_t i;

	for (i = 0; i < word.n; i++)
		if (!char_is_alnum(word.p[i]) && !strchr("_./:,=@%+-", word.p[i]))
			return false;
	return word.n && word.p[0] != '-';
}

void shell_put_word(struct buf *b, struct span word)
{
	size_t i;

	if (is_plain(word)) {
		buf_put_span(b, word);
		return;
	}
	buf_putc(b, '\'');
	for (i = 0; i < word.n; i++) {
		if (word.p[i] == '\'')
			buf_puts(b, "'\\'");
		buf_putc(b, word.p[i]);
	}
	buf_putc(b, '\'');
}

void shell_put_file(struct buf *b, struct span path)
{
	struct buf name = { 0 };

	if (path.n && path.p[0] == '-')
		buf_puts(&name, "./");
	buf_put_span(&name, path);
	shell_put_word(b, buf_span(&name));
	buf_release(&name);
}
