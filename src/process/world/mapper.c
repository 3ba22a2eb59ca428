/*
 * A recorded path becomes a module in two steps. mapped_path_kind() sorts it by its spelling into
 * the kinds of the table in mapper.h; module_kind() and mapper_user_mapping() then decide what that
 * means for this mapping. Executable memory without a file is JIT code, whose module is shown as
 * /tmp/perf-PID.map, as perf does. A file that nobody can open any more (memfd, deleted) may hold
 * JIT code if it is mapped shared.
 *
 * The `shift` of a mapping turns an address into what the module counts in: an offset in the file,
 * an offset in the vdso, or the address itself where there is no file.
 *
 * Kernel paths become the names that perf prints: "[kernel.kallsyms]", or "[ext4]" for the module
 * file ext4.ko.xz. The record of kernel text is called "[kernel.kallsyms]_text" and has the
 * run-time address of that symbol as its file offset: from this, symbolize/ computes the relocation
 * (KASLR).
 */
#include "process/world/mapper.h"

#include "model/names/mapped_path.h"

#include <stdio.h>

/* ---- processes ---------------------------------------------------------------------------- */

static enum mapped_path recorded_kind(
	const struct world_mapper *m, const struct recorded_mapping *r)
{
	return r->huge ? MAPPED_NAMELESS : mapped_path_kind(strtab_get(m->strings, r->path));
}

static enum module_kind module_kind(
	const struct world_mapper *m, enum mapped_path kind, bool executable)
{
	switch (kind) {
	case MAPPED_FILE:
	case MAPPED_DETACHED_FILE:
		return MODULE_FILE;
	case MAPPED_NAMELESS:
		return executable ? MODULE_JIT : MODULE_ANON;
	case MAPPED_NAMED_MEMORY:
		return executable && !m->compat_perf ? MODULE_JIT : MODULE_ANON;
	case MAPPED_VDSO:
		return MODULE_VDSO;
	case MAPPED_SPECIAL:
		break;
	}
	return MODULE_ANON;
}

static str_id perf_map_name(const struct world_mapper *m, int32_t pid)
{
	char name[sizeof("/tmp/perf--2147483648.map")];

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", pid);
	return strtab_add_str(m->strings, name);
}

/* The vdso of a 32-bit process on a 64-bit machine is recorded as [vdso], and is [vdso32] in the
 * list of build-ids and to perf. */
static str_id vdso_path(const struct world_mapper *m, const struct recorded_mapping *r)
{
	str_id narrow = strtab_add_str(m->strings, "[vdso32]");

	return r->end <= UINT64_C(1) << 32 && build_ids_of_path(m->build_ids, narrow, false)
		       ? narrow
		       : r->path;
}

static struct module user_module(const struct world_mapper *m, const struct recorded_mapping *r)
{
	struct module module = { .kind = module_kind(m, recorded_kind(m, r), r->executable),
		.path = r->path };

	if (module.kind == MODULE_VDSO)
		module.path = vdso_path(m, r);
	module.shown = module.path;

	if (module.kind == MODULE_JIT) {
		module.owner_pid = r->pid;
		module.shown = perf_map_name(m, r->pid);
	}
	if (module.kind == MODULE_FILE && m->files && files_container(m->files, r->pid))
		module.owner_pid = r->pid;
	if (module.kind == MODULE_FILE || module.kind == MODULE_VDSO)
		module.build_id = build_ids_get(m->build_ids,
			r->build_id ? r->build_id
				    : build_ids_of_path(m->build_ids, module.path, false));
	return module;
}

struct mapping mapper_user_mapping(const struct world_mapper *m, const struct recorded_mapping *r)
{
	enum mapped_path kind = recorded_kind(m, r);
	struct module module = user_module(m, r);
	struct mapping out = { .start = r->start,
		.end = r->end,
		.module = modules_add(m->modules, &module),
		.owner_pid = r->pid,
		.executable = r->executable };

	if (module.kind == MODULE_FILE)
		out.shift = r->file_offset - r->start;
	else if (module.kind == MODULE_VDSO)
		out.shift = -r->start;
	out.generated = r->executable && (kind == MAPPED_NAMELESS || kind == MAPPED_NAMED_MEMORY ||
						 (kind == MAPPED_DETACHED_FILE && !r->private));
	return out;
}

/* ---- the kernel --------------------------------------------------------------------------- */

#define KERNEL_NAME "[kernel.kallsyms]"

/* The length of "ext4" in "ext4.ko.xz", 0 where the file is no module. */
static size_t module_name_length(struct span file)
{
	static const char *const suffixes[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };
	size_t i;

	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (span_ends(file, span_of(suffixes[i])))
			return file.n - strlen(suffixes[i]);
	return 0;
}

/* The kernel itself calls the module of nf-nat.ko nf_nat, and so do its symbols. */
static str_id module_name(const struct world_mapper *m, struct span file, size_t length)
{
	char name[256];
	size_t i, n = length < sizeof(name) - 2 ? length : sizeof(name) - 2;

	name[0] = '[';
	for (i = 0; i < n; i++)
		name[i + 1] = file.p[i] == '-' ? '_' : file.p[i];
	name[n + 1] = ']';
	return strtab_add(m->strings, (struct span){ name, n + 2 });
}

str_id mapper_kernel_name(const struct world_mapper *m, struct span path)
{
	struct span file = span_basename(path);
	size_t length = module_name_length(file);

	if (span_starts(path, SPAN("[guest.")))
		return 0;
	if (length)
		return module_name(m, file, length);
	if (span_starts(path, SPAN("[")) && !span_starts(path, SPAN("[kernel.")))
		return strtab_add(m->strings, path);
	return strtab_add_str(m->strings, KERNEL_NAME);
}

static struct mapping kernel_mapping(const struct world_mapper *m, const struct recorded_mapping *r,
	enum module_kind kind, str_id path, str_id name)
{
	uint32_t build_id = r->build_id ? r->build_id : build_ids_of_path(m->build_ids, name, true);
	struct module module = { .kind = (uint8_t)kind,
		.build_id = build_ids_get(m->build_ids, build_id),
		.path = path,
		.shown = name,
		.start = r->start,
		.end = r->end };

	return (struct mapping){ .start = r->start,
		.end = r->end,
		.module = modules_add(m->modules, &module),
		.executable = true };
}

enum kernel_kind mapper_kernel_mapping(const struct world_mapper *m,
	const struct recorded_mapping *r, struct mapping *out, str_id *reference)
{
	struct span path = strtab_get(m->strings, r->path);
	str_id name = mapper_kernel_name(m, path);
	bool text = span_eq(strtab_get(m->strings, name), SPAN(KERNEL_NAME));

	*reference = 0;
	if (!name || !(span_starts(path, SPAN("/")) || span_starts(path, SPAN("["))))
		return KERNEL_NOTHING;
	if (span_starts(path, SPAN(KERNEL_NAME)))
		*reference = strtab_add(m->strings, span_skip(path, strlen(KERNEL_NAME)));
	*out = text ? kernel_mapping(m, r, MODULE_KERNEL, name, name)
		    : kernel_mapping(m, r, MODULE_KMOD, r->path, name);
	return text ? KERNEL_TEXT : KERNEL_MODULE;
}

struct mapping mapper_ksymbol_mapping(
	const struct world_mapper *m, uint64_t start, uint64_t end, str_id name)
{
	struct module module = {
		.kind = MODULE_BPF, .path = name, .shown = name, .start = start, .end = end
	};

	return (struct mapping){ .start = start,
		.end = end,
		.module = modules_add(m->modules, &module),
		.executable = true };
}
