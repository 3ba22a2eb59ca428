/*
 * mapper.h - the module of a recorded mapping, from its path, as perf does
 *
 *	//anon  /dev/zero..  /anon_hugepage..  MAP_HUGETLB	memory without a file; where it is
 *	[heap]  [stack..  /SYSV..				executable: /tmp/perf-PID.map
 *	[anon:NAME]						the same, named by prctl(2)
 *	/memfd:..  /dev/shm/..  PATH (deleted)			files nobody can open; JIT compilers
 *								map their code twice, shared
 *	the same, mapped privately				a program: of a memfd, or replaced
 *	[vdso]							offset 0, whatever was recorded;
 *								[vdso32] in a 32-bit process
 *	[vsyscall]  [uprobes]  other names in brackets		nothing to read
 *	anything else						a file
 *
 * Source: tools/perf/util/map.c (map__new), tools/perf/util/dso.c (__kmod_path__parse),
 * tools/perf/util/machine.c (machine__process_kernel_mmap_event).
 *
 * Owns: nothing. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_WORLD_MAPPER_H
#define PERFOLD_PROCESS_WORLD_MAPPER_H

#include "process/world/build_ids.h"
#include "files/files.h"
#include "model/overlay.h"

struct world_mapper {
	struct strtab *strings;
	struct modules *modules;
	struct build_ids *build_ids;
	bool compat_perf;
	const struct files_opts *files; /* borrowed: processes in containers; NULL: none */
};

struct recorded_mapping {
	uint64_t start, end, file_offset;
	str_id path;
	uint32_t build_id; /* a number of build_ids */
	int32_t pid;
	bool executable, huge, private;
};

/* The mapping of a process; its from is left to the caller. */
struct mapping mapper_user_mapping(const struct world_mapper *m, const struct recorded_mapping *r);

enum kernel_kind { KERNEL_NOTHING, KERNEL_TEXT, KERNEL_MODULE };

/* The kernel's own mapping. *reference becomes what follows "[kernel.kallsyms]": the symbol whose
 * address is the recorded file offset, 0 where none is named. */
enum kernel_kind mapper_kernel_mapping(const struct world_mapper *m,
	const struct recorded_mapping *r, struct mapping *out, str_id *reference);
/* The name that perf prints for a kernel path: "[ext4]" for /lib/modules/.../ext4.ko.xz,
 * "[kernel.kallsyms]" for all that is no module. 0: of a guest. */
str_id mapper_kernel_name(const struct world_mapper *m, struct span path);
/* Code that the kernel made: a BPF program, named by itself. */
struct mapping mapper_ksymbol_mapping(
	const struct world_mapper *m, uint64_t start, uint64_t end, str_id name);

#endif
