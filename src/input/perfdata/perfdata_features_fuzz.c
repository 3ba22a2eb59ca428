/*
 * perfdata_features_fuzz.c - any bytes as the section of any feature
 *
 * The first byte is the feature, the second chooses the byte order.
 */
#include "input/perfdata/perfdata_fuzz_for_test.h"

/* simpleperf's symbols are read from a recording only. */
static void fuzz_symbols(unsigned feature, const uint8_t *p, size_t n, bool swapped)
{
	struct recording_writer w = WRITER_INIT;

	w.swapped = swapped;
	put_comm(&w, 1, 1, "a");
	writer_feature_string(&w, FEATURE_HOSTNAME, "here"); /* shows how the bits are swapped */
	writer_feature(&w, feature, p, n);
	writer_finish(&w);
	fuzz_recording(w.file.p, w.file.n);
	writer_release(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perfdata_features f = { 0 };
	struct strtab *strings;

	if (size < 2)
		return 0;
	strings = strtab_new();
	perfdata_features_add(&f, strings, data[0], data + 2, size - 2, data[1] & 1);
	perfdata_features_add(&f, strings, data[0], data + 2, size - 2, data[1] & 1);
	perfdata_features_release(&f);
	strtab_free(strings);
	if (data[0] >= FEATURE_SIMPLEPERF)
		fuzz_symbols(data[0], data + 2, size - 2, data[1] & 1);
	return 0;
}
