#include "files/decompress.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

/* The largest in practice decompress to some 10 MiB; xz can reach 7000 : 1. */
enum { IMAGE_MAX_BYTES = 256 << 20, DECODER_MAX_BYTES = 128 << 20, STEP_BYTES = 256 << 10 };

static bool decompress_xz(struct span packed, struct buf *out)
{
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_ret rc;

	if (lzma_stream_decoder(&s, DECODER_MAX_BYTES, 0) != LZMA_OK)
		return false;
	s.next_in = (const uint8_t *)packed.p;
	s.avail_in = packed.n;
	do {
		buf_reserve(out, STEP_BYTES);
		s.next_out = (uint8_t *)out->p + out->n;
		s.avail_out = out->cap - out->n;
		rc = lzma_code(&s, LZMA_FINISH);
		out->n = (size_t)((char *)s.next_out - out->p);
	} while (rc == LZMA_OK && out->n <= IMAGE_MAX_BYTES);
	lzma_end(&s);
	return rc == LZMA_STREAM_END;
}

static bool decompress_gzip(struct span packed, struct buf *out)
{
	enum { GZIP_ONLY = 16 };
	z_stream s = { .next_in = (Bytef *)packed.p, .avail_in = (uInt)packed.n };
	int rc;

	if (packed.n > IMAGE_MAX_BYTES || inflateInit2(&s, GZIP_ONLY + MAX_WBITS) != Z_OK)
		return false;
	do {
		buf_reserve(out, STEP_BYTES);
		s.next_out = (Bytef *)out->p + out->n;
		s.avail_out = STEP_BYTES;
		rc = inflate(&s, Z_NO_FLUSH);
		out->n = (size_t)((char *)s.next_out - out->p);
	} while (rc == Z_OK && out->n <= IMAGE_MAX_BYTES);
	inflateEnd(&s);
	return rc == Z_STREAM_END;
}

static bool decompress_zstd(struct span packed, struct buf *out)
{
	ZSTD_DStream *s = ZSTD_createDStream();
	ZSTD_inBuffer in = { packed.p, packed.n, 0 };
	size_t left = 1;

	while (s && left && !ZSTD_isError(left) && out->n <= IMAGE_MAX_BYTES) {
		size_t had = out->n, read = in.pos;
		ZSTD_outBuffer to;

		buf_reserve(out, STEP_BYTES);
		to = (ZSTD_outBuffer){ out->p, out->cap, out->n };
		left = ZSTD_decompressStream(s, &to, &in);
		out->n = to.pos;
		if (out->n == had && in.pos == read)
			break; /* cut short */
	}
	ZSTD_freeDStream(s);
	return s && left == 0;
}

bool decompress(struct span packed, struct buf *out)
{
	if (span_starts(packed, SPAN("\x1f\x8b")))
		return decompress_gzip(packed, out);
	if (span_starts(packed, SPAN("\xfd"
				     "7zXZ")))
		return decompress_xz(packed, out);
	if (span_starts(packed, SPAN("\x28\xb5\x2f\xfd")))
		return decompress_zstd(packed, out);
	return false;
}
