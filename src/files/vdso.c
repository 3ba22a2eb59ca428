#include "files/vdso.h"

#include "base/file.h"
#include "base/mem.h"

#include <sys/auxv.h>

enum { VDSO_MAX_BYTES = 1 << 20 };

/* Only /proc has its size: "7ffd...-7ffd... r-xp ... [vdso]". */
static size_t mapped_size(uint64_t start)
{
	struct buf maps = { 0 };
	struct span rest, line;
	struct err e;
	size_t size = 0;

	if (file_read_all("/proc/self/maps", 64 << 20, &maps, &e))
		maps.n = 0;
	rest = buf_span(&maps);
	while (!size && span_next_line(&rest, &line)) {
		uint64_t from, to;

		if (span_scan_hex(&line, &from) && from == start && line.n && line.p[0] == '-') {
			line = span_skip(line, 1);
			if (span_scan_hex(&line, &to) && to > from && to - from <= VDSO_MAX_BYTES)
				size = to - from;
		}
	}
	buf_release(&maps);
	return size;
}

struct elf_file *vdso_copy_own(void)
{
	uint64_t start = getauxval(AT_SYSINFO_EHDR);
	size_t size = start ? mapped_size(start) : 0;

	if (!size)
		return NULL;
	return elf_file_from_memory(
		xmemdup((const void *)(uintptr_t)start, size), size, "[vdso] of this machine");
}
