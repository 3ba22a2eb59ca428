/*
 * features_fuzz.c - any bytes as the section of any feature
 *
 * The first byte is the feature, the second chooses the byte order.
 */
#include "input/perfdata/perfdata_fuzz_for_test.h"
#include "input/perfdata/perfdata_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perfdata_features f = { 0 };
	struct recorded_symbols symbols = { 0 };
	struct strtab *strings;

	if (size < 2)
		return 0;
	strings = strtab_new();
	perfdata_features_add(&f, strings, data[0], data + 2, size - 2, data[1] & 1);
	perfdata_features_add(&f, strings, data[0], data + 2, size - 2, data[1] & 1);
	perfdata_features_release(&f);
	simpleperf_parse_symbols(&symbols, strings, data[0], data + 2, size - 2, data[1] & 1);
	recorded_symbols_release(&symbols);
	strtab_free(strings);
	return 0;
}
