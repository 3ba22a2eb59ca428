/*
 * sha256.h - SHA-256, for the content security policy of pages and the manifest of packs
 *
 * Source: FIPS 180-4, https://doi.org/10.6028/NIST.FIPS.180-4
 *
 * Owns: nothing. Threads: each has its own.
 */
#ifndef PERFOLD_BASE_SHA256_H
#define PERFOLD_BASE_SHA256_H

#include "base/span.h"

enum { SHA256_SIZE = 32 };

struct sha256 {
	uint32_t state[8];
	uint8_t block[64];
	uint64_t n_bytes;
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, struct span bytes);
void sha256_finish(struct sha256 *s, uint8_t out[SHA256_SIZE]);

#endif
