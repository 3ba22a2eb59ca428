/*
 * json.h - JSON, written as it is told
 *
 * Over yajl's generator, straight into the sink. Texts are repaired where they are not UTF-8, and
 * "<" is written as an escape, so that a document can stand in a page's script too.
 *
 * Owns: the generator; the sink is borrowed. Threads: one at a time. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_JSON_H
#define PERFOLD_OUTPUT_JSON_H

#include "base/sink.h"

struct json;

struct json *json_new(struct sink *to);
void json_free(struct json *j);

void json_map(struct json *j);
void json_map_end(struct json *j);
void json_array(struct json *j);
void json_array_end(struct json *j);
/* The key of the next value in a map. */
void json_key(struct json *j, const char *key);
void json_text(struct json *j, struct span text);
void json_str(struct json *j, const char *text);
void json_int(struct json *j, int64_t v);
void json_u64(struct json *j, uint64_t v);
/* v / 10^places, exactly: 1500 with 3 places is 1.5. places is at most 19. */
void json_decimal(struct json *j, uint64_t v, unsigned places);
void json_null(struct json *j);
void json_bool(struct json *j, bool v);
/* The document is done; the next one begins behind separator, which may be NULL. */
void json_next(struct json *j, const char *separator);
/* Only a text, with its quotes, for callers that write it many times. */
void json_put_text(struct buf *to, struct span text);

#endif
