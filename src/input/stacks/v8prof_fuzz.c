#include "input/stacks/stacks.h"

#define FUZZED_FORMAT stacks_v8prof
#include "input/input_fuzz_for_test.h"
