#include "output/json.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <yajl/yajl_gen.h>

enum { NUMBER_MAX_BYTES = 24 }; /* 20 digits, a point or a sign */

struct json {
	yajl_gen gen;
	struct sink *to;
	struct buf scratch;
};

/* "<" occurs only in texts, so it can be escaped wherever it stands. */
static void json_print(void *ctx, const char *p, size_t n)
{
	struct sink *to = ctx;
	const char *at;

	while (n && (at = memchr(p, '<', n))) {
		sink_put(to, p, (size_t)(at - p));
		sink_puts(to, "\\u003c");
		n -= (size_t)(at + 1 - p);
		p = at + 1;
	}
	sink_put(to, p, n);
}

struct json *json_new(struct sink *to)
{
	struct json *j = xcalloc(1, sizeof(*j));

	j->to = to;
	j->gen = yajl_gen_alloc(NULL);
	yajl_gen_config(j->gen, yajl_gen_print_callback, json_print, to);
	return j;
}

void json_free(struct json *j)
{
	if (!j)
		return;
	yajl_gen_free(j->gen);
	buf_release(&j->scratch);
	free(j);
}

void json_map(struct json *j)
{
	yajl_gen_map_open(j->gen);
}

void json_map_end(struct json *j)
{
	yajl_gen_map_close(j->gen);
}

void json_array(struct json *j)
{
	yajl_gen_array_open(j->gen);
}

void json_array_end(struct json *j)
{
	yajl_gen_array_close(j->gen);
}

void json_key(struct json *j, const char *key)
{
	yajl_gen_string(j->gen, (const unsigned char *)key, strlen(key));
}

void json_text(struct json *j, struct span text)
{
	j->scratch.n = 0;
	utf8_put_repaired(&j->scratch, text);
	yajl_gen_string(j->gen, (const unsigned char *)buf_str(&j->scratch), j->scratch.n);
}

void json_str(struct json *j, const char *text)
{
	json_text(j, span_of(text));
}

/* Numbers are half of a large document, and with printf() they took half of the time. */
void json_int(struct json *j, int64_t v)
{
	char text[NUMBER_MAX_BYTES], *end = text + sizeof(text);
	char *p = span_put_digits(end, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);

	if (v < 0)
		*--p = '-';
	yajl_gen_number(j->gen, p, (size_t)(end - p));
}

void json_u64(struct json *j, uint64_t v)
{
	json_decimal(j, v, 0);
}

void json_decimal(struct json *j, uint64_t v, unsigned places)
{
	char text[NUMBER_MAX_BYTES], *end = text + sizeof(text), *p = end;

	for (; places && v % 10 == 0; places--)
		v /= 10;
	if (places) {
		for (; places; places--, v /= 10)
			*--p = (char)('0' + v % 10);
		*--p = '.';
	}
	p = span_put_digits(p, v);
	yajl_gen_number(j->gen, p, (size_t)(end - p));
}

void json_null(struct json *j)
{
	yajl_gen_null(j->gen);
}

void json_bool(struct json *j, bool v)
{
	yajl_gen_bool(j->gen, v);
}

void json_next(struct json *j, const char *separator)
{
	yajl_gen_reset(j->gen, separator);
}

void json_put_text(struct buf *to, struct span text)
{
	struct sink *sink = sink_to_buf(to);
	struct json *j = json_new(sink);
	struct err never;

	json_text(j, text);
	json_free(j);
	sink_commit(sink, &never);
}
