#include "input/script/script.h"

#define FUZZED_FORMAT script_format
#include "input/input_fuzz_for_test.h"
