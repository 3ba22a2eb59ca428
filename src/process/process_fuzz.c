/*
 * process_fuzz.c - any bytes as a recording, read from the file to the stacks
 *
 *	byte 0: bit 0 blocked times, bit 1 and what ran, bit 2 wakers, bit 3 the timeline,
 *		bit 4 a sample weighs one, bit 5 as perf prints it, bit 6 who woke wakers,
 *		bit 7 branches are counted
 *	all the rest: the recording
 *
 * In one block and in many there must be the same samples, of the same weight, and the same
 * branches.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process.h"

#include "base/saturated.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	int rc;
	uint64_t weight, samples, kept;
	uint64_t branches; /* a sum of all their counts and places */
};

static int add_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct outcome *o = ctx;

	(void)e;
	o->weight = saturated_add(o->weight, s->weight);
	o->samples = saturated_add(o->samples, s->samples);
	return OK;
}

static uint64_t sum_branches(const struct branch_traces *t)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; t && i < t->n; i++)
		sum += t->row[i].count * (t->row[i].from + 3 * t->row[i].to + 5 * t->row[i].next +
						 7 * (uint64_t)t->row[i].reading + 11) +
		       t->row[i].mispredicted;
	return sum;
}

static struct outcome read_recording(const void *data, size_t size, const struct read_opts *o)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("fuzz", strings, frames);
	struct pool *one = pool_new(1);
	struct process_kernel kernel;
	struct outcome out = { 0 };
	struct file f;
	struct err e;
	unsigned i;

	if (!memory_file_open(data, size, &f))
		abort();
	out.rc = process_read_run(r, &(struct process_part){ .file = &f }, 1, o, &kernel, one, &e);
	for (i = 0; i < r->n_logs; i++)
		stacklog_replay(r->logs[i], add_stack, &out, &e);
	out.kept = r->samples_kept;
	out.branches = sum_branches(r->branches);
	file_close(&f);
	pool_free(one);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct files_opts nowhere = { .no_system = true };
	uint8_t bits = size ? data[0] : 0;
	struct read_opts o = {
		.root_fields = 1u << ROOT_COMM,
		.off_cpu = bits & 1   ? OFF_CPU_ALONE
			   : bits & 2 ? OFF_CPU_WALL
				      : OFF_CPU_NOT,
		.wakers = bits & 4,
		.waker_depth = bits & 64 ? 3 : 0,
		.timeline = bits & 8,
		.weight_by_samples = bits & 16,
		.compat_perf = bits & 32,
		.branches = bits & 128,
		.branch_samples = bits & 128,
		.files = &nowhere,
	};
	struct outcome whole, blocks;

	if (!size)
		return 0;
	whole = read_recording(data + 1, size - 1, &o);
	o.block_bytes = 64;
	blocks = read_recording(data + 1, size - 1, &o);
	if (whole.rc != blocks.rc || whole.weight != blocks.weight ||
		whole.samples != blocks.samples || whole.kept != blocks.kept ||
		whole.branches != blocks.branches)
		abort();
	return 0;
}
