#include "input/profiles/profiles.h"

#define FUZZED_FORMAT input_preagg
#include "input/input_fuzz_for_test.h"
