/*
 * build_id.h - what the linker has identified an ELF file by: NT_GNU_BUILD_ID, a hash of its
 * content
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_MODEL_BUILD_ID_H
#define PERFOLD_MODEL_BUILD_ID_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

struct build_id {
	uint8_t n; /* 0: not known */
	uint8_t byte[20];
};

/* "4f5e..." in lower case; text must hold 41 bytes. */
const char *build_id_hex(const struct build_id *id, char text[41]);
/* Of hexadecimal digits; anything else, as Go's own kind of build-id, is none. */
struct build_id build_id_parse(struct span hex);
/* Equal, or one is the other padded with zeros (records without a size byte). */
bool build_id_same(const struct build_id *a, const struct build_id *b);

#endif
