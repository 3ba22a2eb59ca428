/*
 * Generated code whose perf-PID.map has the odd lines that real runtimes write: a wide entry under
 * everything, upper-case and 0x-prefixed numbers, blanks in names, overlaps, a range named again,
 * size 0, carriage returns, lines that are none, and no newline at the end. usage: odd-map
 */
#include <stdint.h>

#include "jit.h"

static unsigned char *arena;

static jit_fn code(unsigned at, unsigned size_bytes, unsigned rounds, jit_fn callee)
{
	return jit_emit(arena + at, size_bytes, rounds, callee);
}

__attribute__((noinline)) static void run(jit_fn fn)
{
	for (volatile int i = 0; i < 1000; i++)
		fn();
}

int main(void)
{
	arena = jit_arena(NULL, 0x4000);
	FILE *map = jit_map_open();
	uintptr_t base = (uintptr_t)arena;
	jit_fn leaf = code(0x100, 0x40, 200000, NULL);
	jit_fn mid = code(0x200, 0x40, 50000, leaf);
	jit_fn top = code(0x300, 0x80, 20000, mid);

	fprintf(map, "%lx 1000 whole_arena\n", base);
	fprintf(map, "%lx 40 leaf\n", base + 0x100);
	fprintf(map, "%lX 40 LazyCompile:*mid /app/x y.js:10:3\n", base + 0x200);
	fprintf(map, "0x%lx 0x80 top(int, char const*)\n", base + 0x300);
	run(top);
	fprintf(map, "%lx 20 leaf_second_half\n", base + 0x120);
	fprintf(map, "%lx 40 mid_recompiled\n", base + 0x200);
	jit_fn zero = code(0x1200, 0x40, 100000, NULL);
	jit_fn bare = code(0x1300, 0x40, 100000, NULL);
	jit_fn cr = code(0x1400, 0x40, 100000, NULL);
	jit_fn last = code(0x1500, 0x40, 100000, NULL);

	fprintf(map, "%lx 0 zero_size\n", (uintptr_t)zero);
	fprintf(map, "not a map line\n\n%lx\n%lx 40\n", (uintptr_t)bare, (uintptr_t)bare);
	fprintf(map, "%lx 40 with_crlf\r\n", (uintptr_t)cr);
	fprintf(map, "%lx 40 last_without_newline", (uintptr_t)last);
	run(zero);
	run(bare);
	run(cr);
	run(last);
	fclose(map);
	return 0;
}
