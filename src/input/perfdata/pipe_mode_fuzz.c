/*
 * pipe_mode_fuzz.c - any bytes as the records of a recording in pipe mode
 *
 * The first byte chooses the byte order.
 */
#include "input/perfdata/perfdata_fuzz_for_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = { 0 };

	if (!size)
		return 0;
	buf_put(&b, data[0] & 1 ? "2ELIFREP" : "PERFILE2", 8);
	buf_u64(&b, data[0] & 1, 16);
	buf_put(&b, data + 1, size - 1);
	fuzz_recording(b.p, b.n);
	buf_release(&b);
	return 0;
}
