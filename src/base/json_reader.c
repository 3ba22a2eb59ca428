#include "base/json_reader.h"

#include "base/counted.h"
#include "base/mem.h"
#include "input/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

enum { DEPTH_MAX = 20000, KEY_MAX = 31, BLOCK_BYTES = 256 << 10 };

struct json_reader_key {
	char text[KEY_MAX];
	uint8_t n;
};

struct json_reader {
	struct json_level {
		bool array;
		struct json_reader_key key; /* under which it itself stands */
	} * levels;
	uint32_t n_levels, cap_levels;
	struct json_reader_key key; /* of the value to come, in a map */
	bool too_deep;
	uint64_t n_values;
	json_reader_value_fn take;
	void *ctx;
};

uint32_t json_reader_depth(const struct json_reader *j)
{
	return j->n_levels;
}

bool json_reader_in_array(const struct json_reader *j)
{
	return j->n_levels && j->levels[j->n_levels - 1].array;
}

/* The key of the value to come, or that of the container that it is an element of. */
static const struct json_reader_key *key_here(const struct json_reader *j)
{
	return json_reader_in_array(j) ? &j->levels[j->n_levels - 1].key : &j->key;
}

bool json_reader_key_is(const struct json_reader *j, uint32_t up, const char *key)
{
	const struct json_reader_key *k;

	if (up > j->n_levels)
		return false;
	k = up ? &j->levels[j->n_levels - up].key : key_here(j);
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

/* ---- what the parser tells ---------------------------------------------------------------- */

static int give(struct json_reader *j, enum json_kind kind, const void *p, size_t n)
{
	struct json_value v = { kind, { p, n } };

	j->n_values++;
	return j->take(j->ctx, j, &v);
}

static int on_null(void *ctx)
{
	return give(ctx, JSON_OTHER, "", 0);
}

static int on_boolean(void *ctx, int value)
{
	(void)value;
	return give(ctx, JSON_OTHER, "", 0);
}

static int on_number(void *ctx, const char *p, size_t n)
{
	return give(ctx, JSON_NUMBER, p, n);
}

static int on_text(void *ctx, const unsigned char *p, size_t n)
{
	return give(ctx, JSON_STRING, p, n);
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
	struct json_reader_key key = *key_here(j);

	if (!give(j, array ? JSON_ARRAY : JSON_OBJECT, "", 0))
		return 0;
	j->too_deep = j->n_levels == DEPTH_MAX;
	if (j->too_deep)
		return 0;
	ARRAY_GROW(j->levels, j->n_levels, j->cap_levels);
	j->levels[j->n_levels++] = (struct json_level){ array, key };
	j->key.n = 0;
	return 1;
}

static int on_map(void *ctx)
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
	return give(j, JSON_END, "", 0);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_text,
	.yajl_start_map = on_map,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};

/* ---- reading ------------------------------------------------------------------------------ */

/* A block may be cut anywhere. */
static size_t cut_anywhere(const char *p, size_t n)
{
	(void)p;
	return n;
}

/* The parser's message goes on with lines of the text around the place, which may hold anything,
 * and its offset is wrong where a word lies across blocks. */
static int failure(const struct json_reader *j, yajl_handle parser, struct err *e)
{
	unsigned char *text;

	if (j->too_deep)
		return err_set(e, ERR_LIMIT, "JSON after %" PRIu64 " %s: deeper than %d levels",
			j->n_values, counted(j->n_values, "value", "values"), DEPTH_MAX);
	text = yajl_get_error(parser, 0, NULL, 0);
	err_set(e, ERR_FORMAT, "JSON after %" PRIu64 " %s: %.*s", j->n_values,
		counted(j->n_values, "value", "values"),
		text ? (int)strcspn((const char *)text, "\n") : 0, text ? (const char *)text : "");
	yajl_free_error(parser, text);
	return ERR_FORMAT;
}

static int parse_all(
	struct json_reader *j, struct text_reader *text, yajl_handle parser, struct err *e)
{
	struct text_block b = { { 0 }, 0 };
	yajl_status status = yajl_status_ok;
	int rc;

	while (!(rc = text_next(text, &b, e))) {
		status = yajl_parse(parser, (const unsigned char *)b.bytes.p, b.bytes.n);
		if (status != yajl_status_ok)
			break;
	}
	text_block_release(&b);
	if (rc < 0)
		return rc;
	if (status == yajl_status_ok)
		status = yajl_complete_parse(parser);
	return status == yajl_status_ok ? OK : failure(j, parser, e);
}

int json_reader_read_file(const struct file *f, const struct input_head *head,
	const struct input_opts *o, json_reader_value_fn take, void *ctx, struct err *e)
{
	struct json_reader j = { .take = take, .ctx = ctx };
	yajl_handle parser = yajl_alloc(&callbacks, NULL, &j);
	struct text_reader text;
	int rc;

	yajl_config(parser, yajl_dont_validate_strings, 1);
	text_open(&text, f, head, cut_anywhere, o->block_bytes ? o->block_bytes : BLOCK_BYTES);
	text.progress = o->progress;
	rc = parse_all(&j, &text, parser, e);
	text_close(&text);
	yajl_free(parser);
	free(j.levels);
	return rc;
}
