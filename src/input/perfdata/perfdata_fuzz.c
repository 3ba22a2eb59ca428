/*
 * perfdata_fuzz.c - any bytes as a file
 */
#include "input/perfdata/perfdata_fuzz_for_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_recording(data, size);
	return 0;
}
