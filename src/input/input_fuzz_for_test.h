/*
 * input_fuzzing.h - the fuzz entry of a text format
 *
 * Any bytes are read twice, whole and in blocks of 64 bytes: nothing may crash, and both readings
 * must find the same. For fuzzers only.
 */
#ifndef PERFOLD_INPUT_INPUT_FUZZING_H
#define PERFOLD_INPUT_INPUT_FUZZING_H

#include "input/input_for_test.h"

static inline int fuzz_format(const struct input_format *format, const uint8_t *data, size_t size)
{
	static const char *const all[] = { "all", NULL };
	struct testing t = { .format = format };
	char *whole, *blocks;

	t.text = (struct span){ (const char *)data, size };
	t.opts = (struct read_opts){ .events = all,
		.root_fields = 1u << ROOT_COMM_PID_TID | 1u << ROOT_CPU,
		.addresses = true,
		.timeline = format == input_by_name("perf-script") };
	t.detail = true;
	t.rows = t.opts.timeline;
	whole = testing_read(&t);
	t.opts.block_bytes = 64;
	blocks = testing_read(&t);
	if (strcmp(whole, blocks))
		abort();
	free(whole);
	free(blocks);
	return 0;
}

#endif
