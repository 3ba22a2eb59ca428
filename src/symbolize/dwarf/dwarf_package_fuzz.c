/*
 * dwarf_package_fuzz.c - any bytes as a package of .dwo files: its index, and the trees of all its
 * units
 */
#include "symbolize/dwarf/dwarf_package.h"
#include "symbolize/dwarf/dwarf_walk.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { UNITS_MAX = 64, LIMIT_S = 5 };

static struct elf_file *open_as_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char *path = xasprintf("/proc/self/fd/%d", fd);
	enum files_verdict why;
	struct elf_file *ef = NULL;

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
		ef = elf_file_open(path, &why);
	if (fd >= 0)
		close(fd);
	free(path);
	return ef;
}

static void see_function(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end)
{
	uint64_t *sum = ctx;

	(void)die;
	*sum += end - start;
}

static void walk_image(const struct dwarf_image *image)
{
	struct dwarf_budget budget;
	struct dwarf_handle h;
	uint64_t sum = 0;
	Dwarf_Die unit;
	Dwarf_CU *cu = NULL;

	if (!dwarf_image_open_handle(&h, image))
		return;
	dwarf_budget_start(&budget, LIMIT_S * 1000000000ull);
	while (dwarf_get_units(h.dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0) {
		dwarf_diename(&unit);
		dwarf_walk_functions(h.dwarf, image, dwarf_dieoffset(&unit) - dwarf_cuoffset(&unit),
			&budget, see_function, &sum);
	}
	dwarf_image_close_handle(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct dwarf_borrowed nothing;
	struct dwarf_package p;
	struct elf_file *ef;
	uint32_t i;

	elf_version(EV_CURRENT);
	ef = open_as_file(data, size);
	if (!ef)
		return 0;
	if (!dwarf_package_open(&p, ef)) {
		elf_file_close(ef);
		return 0;
	}
	for (i = 0; i < p.n_units && i < UNITS_MAX; i++) {
		struct dwarf_image image;
		uint16_t version;

		for (version = 4; version <= 5; version++) {
			if (!dwarf_package_read(&p, p.unit[i].id, version, &nothing, &image))
				continue;
			walk_image(&image);
			dwarf_image_release(&image);
		}
	}
	dwarf_package_close(&p);
	return 0;
}
