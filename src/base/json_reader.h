/*
 * json_reader.h - JSON, parsed as it comes: every value once, with the keys around it
 *
 * A document is fed in blocks that may be cut anywhere; only the keys of open containers are kept.
 * Values are reported in their order in the document: an object or array when it begins and when it
 * ends, all others once.
 *
 * Bounds: 20,000 levels (call trees of old CPU profiles have two for each frame); 63 bytes of a key
 * are kept, more than any key has that callers compare with. Strings need not be UTF-8.
 *
 * Owns: the keys. Threads: one. Source: RFC 8259; the parser is yajl's.
 */
#ifndef PERFOLD_BASE_JSON_READER_H
#define PERFOLD_BASE_JSON_READER_H

#include "base/err.h"
#include "base/span.h"

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_END, JSON_STRING, JSON_NUMBER, JSON_OTHER };

struct json_value {
	enum json_kind kind;
	struct span text; /* of JSON_STRING and JSON_NUMBER; borrowed until the call returns */
};

struct json_reader;
/* Called for each value; false stops the reader, which then fails. */
typedef bool (*json_reader_value_fn)(
	void *ctx, const struct json_reader *j, const struct json_value *v);

struct json_reader *json_reader_new(json_reader_value_fn on_value, void *ctx);
void json_reader_free(struct json_reader *j);
/* Parse the next block of the document. */
int json_reader_feed(struct json_reader *j, struct span block, struct err *e);
/* The document ends here: ERR_FORMAT where it is not complete. */
int json_reader_finish(struct json_reader *j, struct err *e);

/* How many objects and arrays are open around the value. */
uint32_t json_reader_depth(const struct json_reader *j);
/* True where this is the key of the value or, in an array, of the array. up: the same of the
 * container that many levels further out. */
bool json_reader_key_is(const struct json_reader *j, uint32_t up, const char *key);
/* This key: its first 63 bytes, until the call returns. */
struct span json_reader_key(const struct json_reader *j);
/* True where the value is an element of an array. */
bool json_reader_in_array(const struct json_reader *j);

/* A whole number; a fraction is cut off. */
bool json_reader_to_int(const struct json_value *v, int64_t *n);

#endif
