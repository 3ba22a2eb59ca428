/*
 * demangle_fuzz.c - any bytes as the name of a symbol
 *
 *	byte 0: bit 0 with parameters, bit 1 as perf does it, bit 2 a symbol of the kernel
 *	all the rest: the name
 *
 * What is shown has a bound, and the time has one: libFuzzer's -timeout.
 */
#include "symbolize/demangle/demangle.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SHOWN_MAX_BYTES = 64 << 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct demangle_style style = { 0 };
	struct buf out = { 0 };

	if (!size)
		return 0;
	style.full = data[0] & 1;
	style.compat_perf = data[0] & 2;
	style.kernel = data[0] & 4;
	demangle_put(&out, (struct span){ (const char *)data + 1, size - 1 }, &style);
	if (out.n > SHOWN_MAX_BYTES && out.n > size - 1)
		abort();
	buf_release(&out);
	return 0;
}
