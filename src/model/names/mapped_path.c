#include "model/names/mapped_path.h"

/* Paths; a * at the end matches anything. */
static const char *const nameless[] = { "", "//anon", "/dev/zero*", "/anon_hugepage*", "[heap]",
	"[stack*", "/SYSV*", NULL };
static const char *const named_memory[] = { "[anon:*", NULL };
static const char *const detached_files[] = { "/memfd:*", "/dev/shm/*", NULL };

static bool is_one_of(struct span path, const char *const *names)
{
	for (; *names; names++) {
		struct span name = span_of(*names);

		if (span_ends(name, SPAN("*")))
			name.n--;
		else if (path.n != name.n)
			continue;
		if (span_starts(path, name))
			return true;
	}
	return false;
}

enum mapped_path mapped_path_kind(struct span path)
{
	if (is_one_of(path, nameless))
		return MAPPED_NAMELESS;
	if (is_one_of(path, named_memory))
		return MAPPED_NAMED_MEMORY;
	if (span_eq(path, SPAN("[vdso]")))
		return MAPPED_VDSO;
	if (span_starts(path, SPAN("[")))
		return MAPPED_SPECIAL;
	if (is_one_of(path, detached_files) || span_ends(path, SPAN(" (deleted)")))
		return MAPPED_DETACHED_FILE;
	return MAPPED_FILE;
}
