/*
 * data_dir_fuzz.c - any bytes as the directory that perf record --threads writes
 *
 * The first byte says which files are there, the next two how long `data` is; the rest is for the
 * others. The directory is made for each input and removed after it.
 */
#include "input/perfdata/perfdata_fuzz_for_test.h"

#include <fcntl.h>
#include <stdio.h>

static const char *const others[] = { "data.0", "data.1", "data.3", "data.01", "data.old" };

enum { OTHERS = sizeof(others) / sizeof(*others) };

static void put_file(int dir, const char *name, const uint8_t *p, size_t n)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		abort();
	close(fd);
}

static void put_others(int dir, uint8_t which, const uint8_t *p, size_t n)
{
	size_t each = n / OTHERS, i;

	for (i = 0; i < OTHERS; i++)
		if (which >> i & 1)
			put_file(dir, others[i], p + i * each, each);
}

static void remove_all(const char *path, int dir)
{
	size_t i;

	unlinkat(dir, "data", 0);
	for (i = 0; i < OTHERS; i++)
		unlinkat(dir, others[i], 0);
	close(dir);
	rmdir(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[] = "/tmp/folder-XXXXXX", name[sizeof(path) + 5];
	size_t n;
	struct file f;
	struct err e;
	int dir;

	if (size < 3)
		return 0;
	n = (size_t)(data[1] | data[2] << 8);
	n = n < size - 3 ? n : size - 3;
	if (!mkdtemp(path) || (dir = open(path, O_RDONLY | O_DIRECTORY)) < 0)
		abort();
	put_file(dir, "data", data + 3, n);
	put_others(dir, data[0], data + 3 + n, size - 3 - n);
	snprintf(name, sizeof(name), "%s/data", path);
	if (file_open(&f, name, &e) == OK)
		fuzz_file(f);
	remove_all(path, dir);
	return 0;
}
