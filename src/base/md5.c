#include "base/md5.h"

#include "base/bytes.h"

/* The first 32 bits of the fractional parts of abs(sin(i + 1)). */
static const uint32_t round_constant[64] = { 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee,
	0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
	0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
	0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6,
	0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60,
	0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5,
	0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3,
	0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391 };

static const uint8_t shifts[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 },
	{ 6, 10, 15, 21 } };

static uint32_t rotate(uint32_t v, int n)
{
	return v << n | v >> (32 - n);
}

/* What a step mixes in, and which word of the block it adds. */
static uint32_t mix(const uint32_t v[4], int step, int *word)
{
	switch (step / 16) {
	case 0:
		*word = step;
		return (v[1] & v[2]) | (~v[1] & v[3]);
	case 1:
		*word = (5 * step + 1) % 16;
		return (v[3] & v[1]) | (~v[3] & v[2]);
	case 2:
		*word = (3 * step + 5) % 16;
		return v[1] ^ v[2] ^ v[3];
	default:
		*word = 7 * step % 16;
		return v[2] ^ (v[1] | ~v[3]);
	}
}

static uint32_t word_at(const uint8_t *p)
{
	return bytes_u32(p, HOST_IS_BIG_ENDIAN);
}

static void compress(uint32_t state[4], const uint8_t *block)
{
	uint32_t v[4];
	int i, word;

	memcpy(v, state, sizeof(v));
	for (i = 0; i < 64; i++) {
		uint32_t sum = v[0] + mix(v, i, &word) + round_constant[i];

		sum += word_at(block + 4 * word);
		v[0] = v[3];
		v[3] = v[2];
		v[2] = v[1];
		v[1] += rotate(sum, shifts[i / 16][i % 4]);
	}
	for (i = 0; i < 4; i++)
		state[i] += v[i];
}

void md5_of(struct span bytes, uint8_t out[MD5_SIZE])
{
	uint32_t state[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
	uint64_t bits = (uint64_t)bytes.n * 8;
	uint8_t last[128] = { 0 };
	size_t end;
	int i;

	for (; bytes.n >= 64; bytes = span_skip(bytes, 64))
		compress(state, (const uint8_t *)bytes.p);
	if (bytes.n)
		memcpy(last, bytes.p, bytes.n);
	last[bytes.n] = 0x80;
	end = bytes.n < 56 ? 64 : 128;
	for (i = 0; i < 8; i++)
		last[end - 8 + (size_t)i] = (uint8_t)(bits >> 8 * i);
	compress(state, last);
	if (end == 128)
		compress(state, last + 64);
	for (i = 0; i < MD5_SIZE; i++)
		out[i] = (uint8_t)(state[i / 4] >> 8 * (i % 4));
}
