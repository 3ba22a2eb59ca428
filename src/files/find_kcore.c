#include "files/files_search.h"

static const struct files_place kcore_places[] = {
	{ FILES_ROOT_INPUT, "%D/kcore_dir/kcore" },
	{ FILES_ROOT_RECORDING, "%D/kcore_dir/kcore" },
	{ FILES_ROOT_SYSTEM, "/proc/kcore" },
	{ 0, NULL },
};

struct kcore_search {
	struct elf_file *found;
	struct files_trail *trail;
	bool same_boot;
};

/* A copy beside the recording is of the recorded boot; what runs here has to be proved. */
static enum files_verdict judge(
	const struct kcore_search *ks, const struct files_search *s, bool proved)
{
	if (s->root && *s->root)
		return FILES_USED;
	if (!files_search_kernel_runs_here(&s->id, proved))
		return s->id.n ? FILES_OTHER_BUILD_ID : FILES_NOT_PROVED;
	return ks->same_boot ? FILES_USED : FILES_NOT_PROVED;
}

static bool try_kcore(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct kcore_search *ks = ctx;
	enum files_verdict v = judge(ks, s, proved);

	if (v == FILES_USED)
		ks->found = files_search_open_elf(s, path, &v);
	if (ks->found)
		v = files_judge_machine(s->f, 0, ks->found);
	files_trail_add(ks->trail, path, v, NULL);
	if (ks->found && v != FILES_USED) {
		elf_file_close(ks->found);
		ks->found = NULL;
	}
	return ks->found;
}

struct elf_file *files_open_kcore(
	const struct files *f, const struct module *kernel, bool same_boot, struct files_trail *t)
{
	struct kcore_search ks = { .trail = t, .same_boot = same_boot };
	struct files_search s = {
		.f = f,
		.places = kcore_places,
		.id = kernel->build_id,
		.try = try_kcore,
		.ctx = &ks,
	};

	files_search(&s);
	return ks.found;
}
