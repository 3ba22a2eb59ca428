#include "input/profiles/input_pprof.h"

#include "input/input_fuzz_for_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_format(&input_pprof, data, size);
}
