#include "input/profiles/profiles.h"

#define FUZZED_FORMAT input_unsymbolized
#include "input/input_fuzz_for_test.h"
