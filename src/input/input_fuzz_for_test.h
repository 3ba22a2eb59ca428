/*
 * input_fuzz_for_test.h - the fuzz entry of the text format that FUZZED_FORMAT names
 *
 * Any bytes are read twice, whole and in blocks of 64 bytes: nothing may crash, and both must show
 * the same.
 */
#ifndef PERFOLD_INPUT_INPUT_FUZZ_FOR_TEST_H
#define PERFOLD_INPUT_INPUT_FUZZ_FOR_TEST_H

#define INPUT_FUZZ /* without cmocka */
#include "input/input_for_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const all[] = { "all", NULL };
	struct input_bed t = { .format = &FUZZED_FORMAT, .text = { (const char *)data, size } };
	char *whole, *blocks;

	t.opts = (struct read_opts){ .events = all,
		.root_fields = 1u << ROOT_COMM_PID_TID | 1u << ROOT_CPU,
		.addresses = true,
		.timeline = t.format == input_by_name("perf-script") };
	t.opts.branches = t.opts.timeline;
	t.detail = true;
	t.rows = t.opts.timeline;
	whole = input_read(&t);
	t.opts.block_bytes = 64;
	blocks = input_read(&t);
	if (strcmp(whole, blocks))
		abort();
	free(whole);
	free(blocks);
	return 0;
}

#endif
