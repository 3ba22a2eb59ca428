/*
 * fuzz_data_for_test.h - where a fuzzer finds testdata/: in the current directory or, as OSS-Fuzz
 * runs it, beside the program
 *
 * Threads: libFuzzer calls it once, before the first input.
 */
#ifndef PERFOLD_BASE_FUZZ_DATA_FOR_TEST_H
#define PERFOLD_BASE_FUZZ_DATA_FOR_TEST_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char *program = (*argv)[0], *slash = strrchr(program, '/');

	(void)argc;
	if (access("testdata", R_OK) && slash) {
		*slash = '\0';
		if (chdir(program))
			abort();
		*slash = '/';
	}
	return 0;
}

#endif
