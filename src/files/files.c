#include "files/files_search.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *files_container(const struct files_opts *o, int32_t pid)
{
	uint32_t i;

	for (i = 0; i < o->n_containers; i++)
		if (o->containers[i].pid == pid)
			return o->containers[i].path;
	return NULL;
}

struct files *files_new(const struct files_opts *o, const struct strtab *strings)
{
	struct files *f = xcalloc(1, sizeof(*f));

	f->o = *o;
	f->strings = strings;
	elf_version(EV_CURRENT); /* libelf refuses all calls before this one */
	return f;
}

void files_free(struct files *f)
{
	free(f);
}

const struct files_opts *files_opts_of(const struct files *f)
{
	return &f->o;
}

/* A path without directories is also looked for by its name, and a debug file both for symbols and
 * for lines. */
static bool is_repeated(const struct files_trail *t, const char *path, enum files_verdict verdict)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		if (t->step[i].verdict == verdict && strcmp(t->step[i].path, path) == 0)
			return true;
	return false;
}

void files_trail_add(struct files_trail *t, const char *path, enum files_verdict verdict,
	const struct build_id *found)
{
	struct files_step *s;

	if (!t || is_repeated(t, path, verdict))
		return;
	ARRAY_GROW(t->step, t->n, t->cap);
	s = &t->step[t->n++];
	*s = (struct files_step){ .path = xstrdup(path), .verdict = verdict };
	if (found)
		s->found = *found;
}

void files_trail_release(struct files_trail *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		free(t->step[i].path);
	free(t->step);
	*t = (struct files_trail){ 0 };
}

static bool is_refusal(enum files_verdict v)
{
	return v != FILES_ABSENT && v != FILES_USED &&
	       (v < FILES_NO_LIBRARY || v >= FILES_NOT_SOURCE);
}

const struct files_step *files_trail_refusal(const struct files_trail *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		if (is_refusal(t->step[i].verdict))
			return &t->step[i];
	return NULL;
}

static const char *verdict_string(enum files_verdict v)
{
	static const char *const text[] = {
		[FILES_USED] = "used",
		[FILES_ABSENT] = "not there",
		[FILES_UNREADABLE] = "cannot be read",
		[FILES_NOT_REGULAR] = "not a regular file",
		[FILES_NOT_ELF] = "not an ELF file",
		[FILES_LEAVES_ROOT] = "a link that leads out of its directory",
		[FILES_OTHER_OWNER] = "another user's, in a directory that all may write to",
		[FILES_CUT] = "an ELF file that is cut off",
		[FILES_OTHER_MACHINE] = "an ELF file for another machine than the recorded one",
		[FILES_OTHER_CLASS] = "an ELF file of the other word size: 32 or 64 bits",
		[FILES_OTHER_BUILD_ID] = "not the recorded build-id",
		[FILES_NO_BUILD_ID] = "has no build-id to compare with the recorded one",
		[FILES_NOT_PROVED] = "nothing proves that it is the recorded file",
		[FILES_OTHER_CRC] = "not the content that .gnu_debuglink names",
		[FILES_NO_SYMBOLS] = "has no symbols",
		[FILES_HIDDEN] = "all addresses are hidden (kernel.kptr_restrict)",
		[FILES_TOO_OLD] = "older than the process",
		[FILES_NO_LIBRARY] = "libdebuginfod is not installed",
		[FILES_NO_SERVER] = "DEBUGINFOD_URLS names no server",
		[FILES_NO_ANSWER] = "no server answered",
		[FILES_NO_DWO] = "inlined functions are in .dwo files, some of which are not found",
		[FILES_NO_PACKAGE] = "not a package of .dwo files",
		[FILES_OTHER_PACKAGE] = "a package of .dwo files that lacks some of these",
		[FILES_NOT_SOURCE] = "not named like source code",
		[FILES_NOT_TEXT] = "not a text",
		[FILES_TOO_LARGE] = "larger than 16 MiB",
	};

	return text[v];
}

int files_open_part(const char *dir, const char *path, struct file *file, struct err *e)
{
	enum files_verdict v;

	if (files_open_below(dir, path, file, &v))
		return OK;
	return v == FILES_ABSENT || v == FILES_UNREADABLE
		       ? err_errno(e, "%s", path)
		       : err_set(e, ERR_UNSUPPORTED, "%s: is %s", path, verdict_string(v));
}

void files_step_put(struct buf *out, const struct files_step *s, const struct build_id *recorded)
{
	char wanted[41], there[41];

	buf_puts(out, s->path);
	buf_puts(out, ": ");
	buf_puts(out, verdict_string(s->verdict));
	if (s->verdict == FILES_LEAVES_ROOT || s->verdict == FILES_OTHER_OWNER)
		buf_puts(out, "; --trust-files uses it even so");
	if (s->verdict == FILES_NOT_PROVED)
		buf_printf(out, "; if this machine was recorded, give --%s",
			strcmp(s->path, "/proc/kallsyms") ? "symfs /" : "kallsyms /proc/kallsyms");
	if (s->verdict == FILES_OTHER_BUILD_ID && s->found.n)
		buf_printf(out, " (recorded %s, there %s)", build_id_hex(recorded, wanted),
			build_id_hex(&s->found, there));
}
