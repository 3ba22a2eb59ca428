#include "base/base64.h"

int base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : -1;
}

bool base64_decode(struct span text, struct buf *b)
{
	unsigned bits = 0, n_bits = 0;
	size_t i;

	while (text.n && text.p[text.n - 1] == '=')
		text.n--;
	/* A lone digit holds less than a byte. */
	if (text.n % 4 == 1)
		return false;
	buf_reserve(b, text.n / 4 * 3 + 3);
	for (i = 0; i < text.n; i++) {
		int digit = base64_digit(text.p[i]);

		if (digit < 0)
			return false;
		bits = (bits << 6 | (unsigned)digit) & 0xffff;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			buf_putc(b, (char)(bits >> n_bits));
		}
	}
	return true;
}
