/*
 * zstd_source_fuzz.c - any bytes in compressed records
 *
 * Either as what is compressed, with one byte of the result overwritten, or as the compressed bytes
 * themselves. The first bytes say how: form, bytes between flushes, bytes in a record, what is
 * overwritten.
 */
#include "input/perfdata/perfdata_fuzz_for_test.h"

enum { FUZZ_SECOND_KIND = 1, FUZZ_SWAPPED = 2, FUZZ_RAW = 4, FUZZ_DAMAGE = 8, FUZZ_PLAIN = 16 };

static void put_payload(
	struct recording_writer *w, const uint8_t *how, const uint8_t *data, size_t size)
{
	struct test_compression c = {
		.type = how[0] & FUZZ_SECOND_KIND ? RECORD_COMPRESSED2 : RECORD_COMPRESSED,
		.flush_bytes = how[1] * 8u,
		.payload_bytes = how[2] * 8u,
	};
	ZSTD_CStream *stream;
	struct buf raw = { (char *)(uintptr_t)data, size, size };

	if (how[0] & FUZZ_RAW) {
		put_compressed_all(w, &c, &raw);
		return;
	}
	stream = writer_stream(1);
	writer_put_packed(w, &c, stream, data, size / 2);
	if (how[0] & FUZZ_PLAIN)
		put_comm(w, 1, 1, "plain");
	writer_put_packed(w, &c, stream, data + size / 2, size - size / 2);
	ZSTD_freeCStream(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording_writer w = WRITER_INIT;

	if (size < 6)
		return 0;
	w.swapped = data[0] & FUZZ_SWAPPED;
	writer_attr(
		&w, &(struct test_attr){ .sample_type = SAMPLE_IP | SAMPLE_CALLCHAIN }, NULL, 0);
	put_payload(&w, data, data + 6, size - 6);
	if (data[0] & FUZZ_DAMAGE && w.data.n)
		w.data.p[(data[3] | data[4] << 8) % w.data.n] = (char)data[5];
	put_comm(&w, 1, 1, "plain");
	writer_finish(&w);
	fuzz_recording(w.file.p, w.file.n);
	writer_release(&w);
	return 0;
}
