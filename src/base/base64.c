#include "base/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* n triples of bytes, four digits each. */
static void encode_base64(char *to, const unsigned char *p, size_t n)
{
	for (; n; n--, p += 3, to += 4) {
		uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

		to[0] = digits[v >> 18];
		to[1] = digits[v >> 12 & 63];
		to[2] = digits[v >> 6 & 63];
		to[3] = digits[v & 63];
	}
}

void base64_encode(struct sink *to, struct span bytes)
{
	enum { TRIPLES = 1024 };
	char out[4 * TRIPLES];

	while (bytes.n >= 3) {
		size_t n = bytes.n / 3 < TRIPLES ? bytes.n / 3 : TRIPLES;

		encode_base64(out, (const unsigned char *)bytes.p, n);
		sink_put(to, out, 4 * n);
		bytes = span_skip(bytes, 3 * n);
	}
	if (bytes.n) {
		unsigned char last[3] = { 0 };

		memcpy(last, bytes.p, bytes.n);
		encode_base64(out, last, 1);
		sink_put(to, out, bytes.n + 1);
		sink_put(to, "==", 3 - bytes.n);
	}
}

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
