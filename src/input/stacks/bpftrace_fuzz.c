#include "input/stacks/stacks.h"

#define FUZZED_FORMAT stacks_bpftrace
#include "input/input_fuzz_for_test.h"
