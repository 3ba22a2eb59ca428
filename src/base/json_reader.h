/*
 * json_in.h - JSON as it is read: every value once, with the keys above it
 *
 * A text is parsed in blocks; only the keys of what is open are kept. Values come in the order of
 * the text: a map or array when it begins and when it ends, all others once.
 *
 * Bounds: 20,000 levels (trees of old CPU profiles have two for each frame); 31 bytes of a key are
 * kept, which is more than those that are looked for have. Texts need not be UTF-8.
 *
 * Owns: the keys. Threads: one. Source: RFC 8259.
 */
#ifndef PERFOLD_INPUT_JSON_IN_H
#define PERFOLD_INPUT_JSON_IN_H

#include "input/input.h"

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_END, JSON_STRING, JSON_NUMBER, JSON_OTHER };

struct json_value {
	enum json_kind kind;
	struct span text; /* of JSON_STRING and JSON_NUMBER; borrowed until the call returns */
};

struct json_reader;
/* False stops the reading. */
typedef bool (*json_reader_value_fn)(
	void *ctx, const struct json_reader *j, const struct json_value *v);

/* How many maps and arrays are open around the value. */
uint32_t json_reader_depth(const struct json_reader *j);
/* Is that the key of the value, or of the array it is in; up: of what is that many levels further
 * out? */
bool json_reader_key_is(const struct json_reader *j, uint32_t up, const char *key);
/* True where the value stands in an array. */
bool json_reader_in_array(const struct json_reader *j);

/* A whole number; a fraction is cut off. */
bool json_reader_to_int(const struct json_value *v, int64_t *n);

/* All of f, whose first bytes are head. */
int json_reader_read_file(const struct file *f, const struct input_head *head,
	const struct input_opts *o, json_reader_value_fn take, void *ctx, struct err *e);

#endif
