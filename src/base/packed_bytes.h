/*
 * packed_bytes.h - bytes kept in memory, compressed, and read by position
 *
 * For copies of pipes where there is no disk: recordings shrink to a tenth.
 *
 * Owns: its memory. Threads: one adds; then any may read.
 */
#ifndef PERFOLD_BASE_PACKED_BYTES_H
#define PERFOLD_BASE_PACKED_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct packed_bytes;

struct packed_bytes *packed_bytes_new(void);
/* NULL is fine. */
void packed_bytes_free(struct packed_bytes *b);
/* Appends n bytes. False: memory would exceed limit_bytes, or there is none. */
bool packed_bytes_add(struct packed_bytes *b, const void *p, size_t n, uint64_t limit_bytes);
/* How many were added; all of them can be read. */
uint64_t packed_bytes_count(const struct packed_bytes *b);
/* Reads as many of n bytes at offset as are there. */
size_t packed_bytes_read(struct packed_bytes *b, void *p, size_t n, uint64_t offset);

#endif
