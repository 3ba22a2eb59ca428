#include "input/stacks/v8prof.h"

#include "input/input_fuzz_for_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_format(&stacks_v8prof, data, size);
}
