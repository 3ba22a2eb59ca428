#include "input/stacks/stacks.h"

#define FUZZED_FORMAT stacks_macsample
#include "input/input_fuzz_for_test.h"
