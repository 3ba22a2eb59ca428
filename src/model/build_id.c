#include "model/build_id.h"

#include <string.h>

const char *build_id_hex(const struct build_id *id, char text[41])
{
	static const char digit[] = "0123456789abcdef";
	unsigned i;

	for (i = 0; i < id->n; i++) {
		text[2 * i] = digit[id->byte[i] >> 4];
		text[2 * i + 1] = digit[id->byte[i] & 15];
	}
	text[2 * i] = '\0';
	return text;
}

struct build_id build_id_parse(struct span hex)
{
	struct build_id id = { 0 };
	uint64_t byte;

	if (hex.n % 2 || hex.n / 2 > sizeof(id.byte))
		return id;
	for (; hex.n; hex = span_skip(hex, 2)) {
		struct span two = { hex.p, 2 };

		if (!span_scan_hex(&two, &byte) || two.n)
			return (struct build_id){ 0 };
		id.byte[id.n++] = (uint8_t)byte;
	}
	return id;
}

bool build_id_same(const struct build_id *a, const struct build_id *b)
{
	const struct build_id *longer = a->n < b->n ? b : a, *shorter = a->n < b->n ? a : b;
	unsigned i;

	if (!shorter->n || memcmp(a->byte, b->byte, shorter->n) != 0)
		return false;
	for (i = shorter->n; i < longer->n; i++)
		if (longer->byte[i])
			return false;
	return true;
}
