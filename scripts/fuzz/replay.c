/*
 * replay.c - runs a fuzz entry on files: the main() of a fuzzer that is not linked with libFuzzer
 *
 * Prints TAP: a file that does not end the program has passed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t n;

	if (!f || fstat(fileno(f), &st)) {
		perror(path);
		exit(1);
	}
	/* Exactly as large as the file: a sanitizer sees a read past it. */
	data = malloc((size_t)st.st_size + !st.st_size);
	n = fread(data, 1, (size_t)st.st_size, f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int n = argc > 1 ? scandir(argv[1], &entries, NULL, alphasort) : 0;
	int i, number = 0;

	for (i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
		if (entries[i]->d_name[0] != '.') {
			replay(path);
			printf("ok %d - %s\n", ++number, path);
		}
		free(entries[i]);
	}
	if (n > 0)
		free(entries);
	printf("1..%d%s\n", number, number ? "" : " # SKIP no files");
	return 0;
}
