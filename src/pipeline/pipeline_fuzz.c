/*
 * pipeline_fuzz.c - any bytes as a recording, through the whole program to every output
 *
 *	byte 0: bit 0 --off-cpu, bit 1 wall, bit 2 --lines, bit 3 the report as well,
 *		bit 4 --compat perf, bit 5 --weight samples, bit 6 --split process as well,
 *		bit 7 --annotate all and --addresses
 *	all the rest: the input, in any format
 *
 * Binaries, a perf map and kallsyms that it may name are those of a few golden cases. Nothing else
 * of this machine is read, and nothing is written but to the files that are named.
 */
#include "pipeline/pipeline_fuzz_for_test.h"

#include "base/fuzz_data_for_test.h"
#include "base/scratch.h"
#include "base/thread.h"
#include "pipeline/pipeline.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define CASES "testdata/"

struct run {
	char *dir, *input, *part;
	uint8_t bits;
};

static void write_input(const struct run *x, const uint8_t *data, size_t size)
{
	int fd = open(x->input, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* The directory holds the input and "out". */
static void check_directory(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "input") != 0 &&
			strcmp(entry->d_name, "out") != 0)
			fuzz_fail("split", "a file beside the output", span_of(entry->d_name));
	if (d)
		closedir(d);
}

static void write_outputs_of(const struct pipeline_opts *o, struct pipeline_result *r, bool page)
{
	struct output_opts out = o->output;

	out.facts = &r->recordings[0]->facts;
	out.recordings = r->recordings;
	out.n_recordings = r->n_recordings;
	out.report = &r->report;
	out.diag = &r->diag;
	out.tiers = &r->tiers;
	fuzz_write_all(r->profile, &out, page);
	fuzz_write_branches(&r->branches, r->strings, &out);
}

static void run(const struct run *x, bool split)
{
	static const char *const symfs[] = { CASES "names/lines/root", CASES "unwind/ends/root",
		CASES "jit/odd-map/root", CASES "elf/unsized/root", CASES "branches/stacks/root",
		NULL };
	static const char *const all[] = { "all", NULL };
	const struct pipeline_output part = { output_by_name("folded"), x->part, SINK_PLAIN };
	const char *const inputs[] = { x->input };
	struct pipeline_opts o = { .inputs = inputs,
		.n_inputs = 1,
		.outputs = &part,
		.n_outputs = split,
		.needs = split ? 0 : FUZZ_ALL_NEEDS,
		.branch_names = 8,
		.spill_limit_bytes = 1 << 22,
		.read = { .events = all,
			.off_cpu = x->bits & 1   ? OFF_CPU_ALONE
				   : x->bits & 2 ? OFF_CPU_WALL
						 : OFF_CPU_NOT,
			.weight_by_samples = x->bits & 32,
			.compat_perf = x->bits & 16 },
		.collapse = { .roots = { ROOT_COMM, ROOT_END },
			.annotate = x->bits & 128 ? 7 : 0,
			.addresses = x->bits & 128 },
		.files = { .symfs = symfs,
			.map_dir = CASES "jit/odd-map",
			.kallsyms = CASES "elf/unsized/kallsyms",
			.no_system = true },
		.symbolize = { .lines_in_names = x->bits & 4, .compat_perf = x->bits & 16 },
		.output = { .version = "1" },
		.split = { .by = split ? SPLIT_PROCESS : SPLIT_NONE },
		.jobs = 1 };
	struct pipeline_result r;
	struct err e = { 0 };

	if (pipeline_run(&o, &r, &e) == OK && r.profile && !split)
		write_outputs_of(&o, &r, x->bits & 8);
	pipeline_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run x;
	struct err e;
	char *out;

	if (!size)
		return 0;
	if (access(CASES "names/lines/root", R_OK))
		fuzz_fail("pipeline_fuzz", "run it where testdata is", SPAN(""));
	if (scratch_make(&x.dir, NULL, &e))
		abort();
	out = xasprintf("%s/out", x.dir);
	x.input = xasprintf("%s/input", x.dir);
	x.part = xasprintf("%s/%%c-%%p.folded", out);
	x.bits = data[0];
	if (mkdir(out, 0700))
		abort();
	write_input(&x, data + 1, size - 1);
	run(&x, false);
	if (x.bits & 64)
		run(&x, true);
	check_directory(x.dir);
	scratch_remove(x.dir);
	free(x.dir);
	free(x.input);
	free(x.part);
	free(out);
	return 0;
}
