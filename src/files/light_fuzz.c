/*
 * light_fuzz.c - any bytes as an ELF file that goes into a pack without its code
 *
 *	byte 0: bit 0 with debug information, the rest where code is kept, in 128 bytes
 *	all the rest: the file
 *
 * What is planned can be read to its last byte, in one piece and in small ones with one result, and
 * what code it lacks can be asked of any file.
 */
#include "files/light.h"

#include "base/mem.h"
#include "files/files.h"

#include <libelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes over the image. */
static void ask(char *image, size_t n)
{
	struct elf_file *ef = elf_file_from_memory(image, n, "image");
	uint64_t at;

	for (at = 0; ef && at < 1 << 16; at += 509)
		elf_file_lacks_code(ef, at, 16);
	elf_file_close(ef);
}

static void read_all(const struct light *l, const struct file *f)
{
	enum { STEP = 61, MOST = 1 << 22 };
	uint64_t n = l->size_bytes < MOST ? l->size_bytes : MOST, at;
	char *whole = xmalloc(n + 1), part[STEP];
	struct err e = { 0 };

	if (light_read(l, f, whole, n, 0, &e))
		abort();
	for (at = 0; at + STEP <= n; at += STEP)
		if (light_read(l, f, part, STEP, at, &e) || memcmp(whole + at, part, STEP) != 0)
			abort();
	ask(whole, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	char *path;
	struct light light;
	struct file f;
	struct err e;

	if (fd < 0)
		abort();
	if (!size) {
		close(fd);
		return 0;
	}
	/* It is opened once more, by its path. */
	path = xasprintf("/proc/self/fd/%d", fd);
	if (write(fd, data + 1, size - 1) != (ssize_t)size - 1 || file_adopt(&f, fd, path, &e))
		abort();
	elf_version(EV_CURRENT);
	ask(xmemdup(data + 1, size - 1), size - 1);
	if (light_plan(&light, &f, data[0] & 1,
		    &(struct pack_code){ .offset = data[0] / 2 * 128u, .size_bytes = 128 }, 1, &e))
		abort();
	if (light.n)
		read_all(&light, &f);
	light_release(&light);
	file_close(&f);
	free(path);
	return 0;
}
