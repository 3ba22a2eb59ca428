/*
 * yajl parses and calls back for each token; the reader adds where in the document that is. levels
 * is the stack of open containers, and each knows the key under which it is itself:
 *
 *	{"nodes": [{"id": 7, ...		depth 3, key "id"
 *
 *	levels[0]  object, no key
 *	levels[1]  array,  key "nodes"
 *	levels[2]  object, key "nodes"		an element has the key of its array
 *	key        "id"				of the value to come
 *
 * A caller asks by depth and by keys from the inside out, so it needs no state machine of its own.
 * Parsing keeps no part of the document but the keys: a profile of 1 GB needs no more memory than
 * one of 1 KB.
 */
#include "base/json_reader.h"

#include "base/counted.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

enum { DEPTH_MAX = 20000, KEY_MAX = 63 };

struct json_key {
	char text[KEY_MAX];
	uint8_t n;
};

struct json_reader {
	struct json_level {
		bool array;
		struct json_key key;
	} * levels;
	uint32_t n_levels, cap_levels;
	struct json_key key; /* of the value to come, in an object */
	bool too_deep;
	uint64_t n_values;
	json_reader_value_fn on_value;
	void *ctx;
	yajl_handle parser;
};

uint32_t json_reader_depth(const struct json_reader *j)
{
	return j->n_levels;
}

bool json_reader_in_array(const struct json_reader *j)
{
	return j->n_levels && j->levels[j->n_levels - 1].array;
}

/* The key of the value to come or, in an array, of the array. */
static const struct json_key *current_key(const struct json_reader *j)
{
	return json_reader_in_array(j) ? &j->levels[j->n_levels - 1].key : &j->key;
}

struct span json_reader_key(const struct json_reader *j)
{
	const struct json_key *k = current_key(j);

	return (struct span){ k->text, k->n };
}

bool json_reader_key_is(const struct json_reader *j, uint32_t up, const char *key)
{
	const struct json_key *k;

	if (up > j->n_levels)
		return false;
	k = up ? &j->levels[j->n_levels - up].key : current_key(j);
	return span_eq((struct span){ k->text, k->n }, span_of(key));
}

bool json_reader_to_int(const struct json_value *v, int64_t *n)
{
	struct span s = v->text;
	bool minus = s.n && s.p[0] == '-';
	uint64_t u;

	if (minus)
		s = span_skip(s, 1);
	if (v->kind != JSON_NUMBER || !span_scan_u64(&s, &u) || u > INT64_MAX ||
		memchr(s.p, 'e', s.n) || memchr(s.p, 'E', s.n))
		return false;
	*n = minus ? -(int64_t)u : (int64_t)u;
	return true;
}

/* Callbacks of the parser; they return 0 to stop it. */

static int report(struct json_reader *j, enum json_kind kind, const void *p, size_t n)
{
	struct json_value v = { kind, { p, n } };

	j->n_values++;
	return j->on_value(j->ctx, j, &v);
}

static int on_null(void *ctx)
{
	return report(ctx, JSON_OTHER, "", 0);
}

static int on_boolean(void *ctx, int value)
{
	(void)value;
	return report(ctx, JSON_OTHER, "", 0);
}

static int on_number(void *ctx, const char *p, size_t n)
{
	return report(ctx, JSON_NUMBER, p, n);
}

static int on_string(void *ctx, const unsigned char *p, size_t n)
{
	return report(ctx, JSON_STRING, p, n);
}

static int on_key(void *ctx, const unsigned char *p, size_t n)
{
	struct json_reader *j = ctx;

	j->key.n = (uint8_t)(n < KEY_MAX ? n : KEY_MAX);
	memcpy(j->key.text, p, j->key.n);
	return 1;
}

static int begin(struct json_reader *j, bool array)
{
	struct json_key key = *current_key(j);

	if (!report(j, array ? JSON_ARRAY : JSON_OBJECT, "", 0))
		return 0;
	j->too_deep = j->n_levels == DEPTH_MAX;
	if (j->too_deep)
		return 0;
	ARRAY_GROW(j->levels, j->n_levels, j->cap_levels);
	j->levels[j->n_levels++] = (struct json_level){ array, key };
	j->key.n = 0;
	return 1;
}

static int on_object(void *ctx)
{
	return begin(ctx, false);
}

static int on_array(void *ctx)
{
	return begin(ctx, true);
}

static int on_end(void *ctx)
{
	struct json_reader *j = ctx;

	j->n_levels--;
	j->key = j->levels[j->n_levels].key;
	return report(j, JSON_END, "", 0);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};

struct json_reader *json_reader_new(json_reader_value_fn on_value, void *ctx)
{
	struct json_reader *j = xcalloc(1, sizeof(*j));

	j->on_value = on_value;
	j->ctx = ctx;
	j->parser = yajl_alloc(&callbacks, NULL, j);
	yajl_config(j->parser, yajl_dont_validate_strings, 1);
	return j;
}

void json_reader_free(struct json_reader *j)
{
	if (!j)
		return;
	yajl_free(j->parser);
	free(j->levels);
	free(j);
}

/* Only the first line of the parser's message is used: the others quote the document, which may
 * hold anything. Its offset is not: it is wrong where a word is cut by the end of a block. */
static int result(const struct json_reader *j, yajl_status status, struct err *e)
{
	unsigned char *text;

	if (status == yajl_status_ok)
		return OK;
	if (j->too_deep)
		return err_set(e, ERR_LIMIT, "JSON after %" PRIu64 " %s: deeper than %d levels",
			j->n_values, counted(j->n_values, "value", "values"), DEPTH_MAX);
	text = yajl_get_error(j->parser, 0, NULL, 0);
	err_set(e, ERR_FORMAT, "JSON after %" PRIu64 " %s: %.*s", j->n_values,
		counted(j->n_values, "value", "values"),
		text ? (int)strcspn((const char *)text, "\n") : 0, text ? (const char *)text : "");
	yajl_free_error(j->parser, text);
	return ERR_FORMAT;
}

int json_reader_feed(struct json_reader *j, struct span block, struct err *e)
{
	return result(j, yajl_parse(j->parser, (const unsigned char *)block.p, block.n), e);
}

int json_reader_finish(struct json_reader *j, struct err *e)
{
	return result(j, yajl_complete_parse(j->parser), e);
}
