/*
 * Fuzz entry for jitdumps: whatever the file holds, answers must hold at the time of the question,
 * and an address with code at some time must be known.
 */
#include "base/file.h"
#include "jit/jit.h"
#include "jit/jitdump.h"
#include "jit/jit_load_for_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct codemap *m, uint64_t address, uint64_t time_ns)
{
	struct moment at = { time_ns, 1 };
	struct codemap_unwinding u;
	struct validity valid;
	struct buf b = { 0 };
	frame_id frame = codemap_find(m, address, at, &valid);

	if (!validity_holds(valid, at) || (frame && !codemap_knows(m, address)))
		abort();
	codemap_find_unwinding(m, address, at, &valid, &u, &b);
	if (!validity_holds(valid, at))
		abort();
	buf_release(&b);
}

static void ask_all(const struct codemap *m)
{
	uint32_t i;

	for (i = 0; i < m->log.overlay.n; i++) {
		const struct mapping *p = &m->log.overlay.mappings[i];
		uint64_t time_ns = p->from ? m->log.times[p->from - 1] : 0;

		ask(m, p->start, time_ns);
		ask(m, p->end - 1, time_ns ? time_ns - 1 : 0);
		ask(m, p->end, UINT64_MAX - 1);
	}
}

/* The first byte says which clock the samples have, and whether lines are wanted. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_clock clock = { 0 };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct diag diag = { 0 };
	struct codemap *m;
	char path[64];
	struct err e;
	int fd = memfd_create("jit-1.dump", 0);

	if (size && fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)size - 1) {
		clock.monotonic = data[0] & 1;
		clock.counter = (struct jit_counter){ .known = data[0] & 2,
			.mult = data[0],
			.shift = data[0] & 63,
			.mask = data[0] & 4 ? 0xffffff : 0 };
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (!load_dump_at(path, &m, frames, &diag, &clock, &e)) {
			if (data[0] & 8)
				codemap_enable_lines(m, true);
			ask_all(m);
			codemap_free(m);
		}
	}
	close(fd);
	frames_free(frames);
	strtab_free(strings);
	return 0;
}
