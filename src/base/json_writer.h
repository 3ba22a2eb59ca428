/*
 * json_writer.h - JSON, written value by value
 *
 * yajl's generator writes into the sink. Strings that are not UTF-8 are repaired, and "<" is
 * written as an escape, so that a document can be part of a page's script.
 *
 * Owns: the generator; the sink is borrowed. Threads: one at a time.
 */
#ifndef PERFOLD_BASE_JSON_WRITER_H
#define PERFOLD_BASE_JSON_WRITER_H

#include "base/sink.h"

struct json_writer;

struct json_writer *json_writer_new(struct sink *to);
void json_writer_free(struct json_writer *j);
/* Values on lines of their own, each level further to the right by indent; before the first one. */
void json_writer_indent(struct json_writer *j, const char *indent);

void json_writer_object(struct json_writer *j);
void json_writer_object_end(struct json_writer *j);
void json_writer_array(struct json_writer *j);
void json_writer_array_end(struct json_writer *j);
/* The key of the next value in a map, in ASCII. */
void json_writer_key(struct json_writer *j, const char *key);
void json_writer_string(struct json_writer *j, struct span text);
void json_writer_str(struct json_writer *j, const char *text);
void json_writer_int(struct json_writer *j, int64_t v);
void json_writer_u64(struct json_writer *j, uint64_t v);
/* v / 10^places, exactly: 1500 with 3 places is 1.5. places is at most 19. */
void json_writer_decimal(struct json_writer *j, uint64_t v, unsigned places);
void json_writer_null(struct json_writer *j);
void json_writer_bool(struct json_writer *j, bool v);
/* The document is complete; the next one follows after separator, which may be NULL. */
void json_writer_next(struct json_writer *j, const char *separator);
/* A string alone, with its quotes, for callers that write it many times. */
void json_writer_put_string(struct buf *to, struct span text);

#endif
