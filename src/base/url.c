#include "base/url.h"

void url_put_decoded(struct buf *b, struct span s)
{
	while (s.n) {
		struct span hex = { s.p + 1, 2 };
		uint64_t byte;

		if (s.n > 2 && s.p[0] == '%' && span_scan_hex(&hex, &byte) && !hex.n && byte) {
			buf_putc(b, (char)byte);
			s = span_skip(s, 3);
		} else {
			buf_putc(b, s.p[0]);
			s = span_skip(s, 1);
		}
	}
}

void url_put_path(struct buf *b, struct span url)
{
	const char *query;

	if (!span_starts(url, SPAN("file://"))) {
		buf_put_span(b, url);
		return;
	}
	url = span_skip(url, 7);
	query = memchr(url.p, '?', url.n);
	if (query)
		url = span_range(url.p, query);
	url_put_decoded(b, url);
}
