/* Unpacks to a directory; nothing may appear beside it. */
#include "base/scratch.h"
#include "base/tar.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LIMIT_BYTES = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_only(const char *dir, const char *name)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, name) != 0)
			abort();
	if (d)
		closedir(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char out[4096];
	char *dir;
	struct file f;
	struct err e;
	int fd = memfd_create("tar", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || scratch_make(&dir, NULL, &e))
		abort();
	snprintf(out, sizeof(out), "%s/out", dir);
	if (mkdir(out, 0700) || file_adopt(&f, fd, "tar", &e))
		abort();
	(void)tar_is((struct span){ (const char *)data, size });
	if (size % 2)
		(void)tar_unpack_foreign(&f, out, LIMIT_BYTES, &e);
	else
		(void)tar_unpack(&f, out, LIMIT_BYTES, &e);
	expect_only(dir, "out");
	file_close(&f);
	scratch_remove(dir);
	free(dir);
	return 0;
}
