/*
 * find_jitdump.c - jit-PID.dump, which a runtime writes for its generated code
 *
 * A mapping of it is recorded, so its path is known; on this machine it counts only for a recording
 * that was made here.
 */
#include "files/files_search.h"

#include "files/root.h"

#include <errno.h>
#include <stdio.h>

static const struct files_place dump_places[] = {
	{ FILES_ROOT_MAP_DIR, "%D/%B" },
	{ FILES_ROOT_CONTAINER, "%D%P" },
	{ FILES_ROOT_SYMFS, "%D%P" },
	{ FILES_ROOT_RECORDING, "%D%P" },
	{ FILES_ROOT_RECORDING, "%D/%B" },
	{ FILES_ROOT_SYSTEM, "%P" },
	{ 0, NULL },
};

/* Without a recorded mapping: by its usual name, in the named directories. */
static const struct files_place guessed_places[] = {
	{ FILES_ROOT_MAP_DIR, "%D/%B" },
	{ FILES_ROOT_RECORDING, "%D/%B" },
	{ 0, NULL },
};

struct dump_search {
	struct files_trail *trail;
	struct file *dump;
	int32_t pid;
};

static bool try_dump(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct dump_search *d = ctx;
	const struct files_opts *o = &s->f->o;
	/* Directories that options name are the user's choice. */
	bool named = s->root && *s->root && s->root != o->recording_dir;
	enum files_verdict v;
	bool found = files_open_below(s->root, path, d->dump, &v);

	if (v == FILES_UNREADABLE)
		files_search_note_failure(s->f, path, errno);
	if (found && !proved)
		v = FILES_NOT_PROVED;
	else if (found && !named && !s->pid && !o->trust_files &&
		 !root_owner_is_trusted(d->dump, o->proc, d->pid))
		v = FILES_OTHER_OWNER;
	files_trail_add(d->trail, path, v, NULL);
	if (found && v != FILES_USED)
		file_close(d->dump);
	return v == FILES_USED;
}

bool files_find_jitdump(const struct files *f, int32_t pid, struct span recorded_path,
	struct file *dump, struct files_trail *t)
{
	struct dump_search d = { .trail = t, .dump = dump, .pid = pid };
	char guess[sizeof("/jit--2147483648.dump")];
	struct files_search s = { .f = f,
		.places = dump_places,
		.path = recorded_path,
		.try = try_dump,
		.ctx = &d,
		.pid = files_container(&f->o, pid) ? pid : 0 };

	if (!recorded_path.n) {
		snprintf(guess, sizeof(guess), "/jit-%d.dump", pid);
		s.path = span_of(guess);
		s.places = guessed_places;
	}
	return files_search(&s);
}
