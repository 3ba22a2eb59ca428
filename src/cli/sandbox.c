/*
 * From options to paths. Each option that names a file or a directory adds it and its directory,
 * before and after links: a recording's maps and binaries are beside it. Outputs are written by way
 * of unnamed or temporary files in their directories. What libraries need is a list.
 */
#include "cli/sandbox.h"

#include "base/mem.h"
#include "base/scratch.h"
#include "base/wall.h"
#include "cli/file_args.h"
#include "cli/filter_dirs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the C library and libraries that are loaded later (libarchive, libcapstone) read. */
static const char *const system_paths[] = { "/lib", "/lib64", "/usr/lib", "/usr/lib64",
	"/usr/local/lib", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/localtime",
	"/usr/share/zoneinfo", "/proc/self", "/proc/meminfo", "/sys/devices/system/cpu" };

struct paths {
	struct string_list readable, writable; /* owned */
};

static void add(struct string_list *l, const char *path)
{
	if (path && *path)
		string_list_add(l, xstrdup(path));
}

static void add_dir(struct string_list *l, const char *path)
{
	const char *slash = strrchr(path, '/');

	string_list_add(l, slash ? xasprintf("%.*s", (int)(slash + 1 - path), path) : xstrdup("."));
}

/* Its directory, by its name and after links: other files of the recording are beside it. */
static void add_beside(struct string_list *l, const char *path)
{
	char *real;

	if (!path || strcmp(path, "-") == 0)
		return;
	real = realpath(path, NULL);
	add_dir(l, path);
	if (real)
		add_dir(l, real);
	add(l, path);
	free(real);
}

static void add_all(struct string_list *to, const struct string_list *paths)
{
	size_t i;

	for (i = 0; i < paths->n; i++)
		add_beside(to, paths->item[i]);
}

static void add_numbered(struct string_list *to, const struct numbered_files *files)
{
	size_t i;

	for (i = 0; i < files->n; i++)
		add_beside(to, files->item[i].path);
}

static void add_output(void *ctx, const char *option, const char *path)
{
	struct paths *p = ctx;

	struct stat st;
	char *fixed;

	(void)option;
	if (strcmp(path, "-") == 0)
		return;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* no file beside /dev/null */
		add(&p->writable, path);
		return;
	}
	add_beside(&p->writable, path);
	fixed = xasprintf("%.*s", (int)strcspn(path, "%"), path); /* of --split */
	add_dir(&p->writable, fixed);
	free(fixed);
}

/* Descriptions of terminals, as in terminfo(5). */
static void add_terminfo(struct paths *p)
{
	static const char *const usual[] = { "/etc/terminfo", "/lib/terminfo", "/usr/lib/terminfo",
		"/usr/share/terminfo", "/usr/share/lib/terminfo" };
	const char *home = getenv("HOME"), *dirs = getenv("TERMINFO_DIRS");
	size_t i;

	for (i = 0; i < ARRAY_LEN(usual); i++)
		add(&p->readable, usual[i]);
	add(&p->readable, getenv("TERMINFO"));
	if (home)
		string_list_add(&p->readable, xasprintf("%s/.terminfo", home));
	for (; dirs && *dirs; dirs += strspn(dirs, ":")) {
		size_t n = strcspn(dirs, ":");

		if (n)
			string_list_add(&p->readable, xasprintf("%.*s", (int)n, dirs));
		dirs += n;
	}
}

static void add_rules(struct paths *p, const struct options *o)
{
	struct filter_dirs dirs;
	size_t i;

	filter_dirs_init(&dirs, !o->run.files.no_system);
	for (i = 0; dirs.dir[i]; i++)
		add(&p->readable, dirs.dir[i]);
	filter_dirs_release(&dirs);
	for (i = 0; i < o->n_rules; i++)
		if (o->rules[i].is_file)
			add_beside(&p->readable, o->rules[i].text);
}

static void find_paths(struct paths *p, const struct options *o)
{
	const struct files_opts *f = &o->run.files;
	size_t i;

	for (i = 0; i < ARRAY_LEN(system_paths); i++)
		add(&p->readable, system_paths[i]);
	add_all(&p->readable, &o->inputs);
	add_all(&p->readable, &o->diff.bases);
	add_all(&p->readable, &o->symfs);
	add_all(&p->readable, &o->debug_dirs);
	add_all(&p->readable, &o->source_maps);
	add_all(&p->readable, &o->source_dirs);
	for (i = 0; i < o->source_prefixes.n; i++)
		add_beside(&p->readable, o->source_prefixes.item[i].to);
	add_numbered(&p->readable, &o->perf_maps);
	add_numbered(&p->readable, &o->jitdumps);
	add_numbered(&p->readable, &o->containers);
	add_numbered(&p->readable, &o->proc_maps);
	add_beside(&p->readable, f->kallsyms);
	add_beside(&p->readable, f->vmlinux);
	add_beside(&p->readable, f->map_dir);
	add_beside(&p->readable, o->spans.fds);
	add_rules(p, o);
	if (o->command == FOR_VIEW)
		add_terminfo(p);
	file_args_each_output(o, add_output, p);
	add(&p->writable, scratch_parent());
	add(&p->writable, o->symbol_cache);
}

/* Three quarters of what the machine has: the rest of it goes on working. */
static void limit_memory(const struct options *o)
{
	uint64_t bytes = o->max_memory_bytes;

	if (!bytes)
		bytes = wall_machine_memory() / 4 * 3;
	if (bytes)
		wall_limit_memory(bytes);
}

/* The files of a pack are in it. What is only called a pack gets fewer names, and none is wrong. */
static bool reads_packs_only(const struct options *o)
{
	size_t i;

	for (i = 0; i < o->inputs.n; i++)
		if (!span_ends(span_of(o->inputs.item[i]), SPAN(".perfpack")))
			return false;
	for (i = 0; i < o->diff.bases.n; i++)
		if (!span_ends(span_of(o->diff.bases.item[i]), SPAN(".perfpack")))
			return false;
	return o->inputs.n > 0;
}

void sandbox_enter(const struct options *o)
{
	struct paths p = { { 0 }, { 0 } };
	struct wall w = { .network = o->run.files.debuginfod };

	limit_memory(o);
	if (o->sandbox == SANDBOX_OFF)
		return;
	if ((o->run.files.no_system || reads_packs_only(o)) && !o->run.files.debuginfod) {
		find_paths(&p, o);
		w.readable = p.readable.item;
		w.writable = p.writable.item;
	}
	wall_raise(&w);
	string_list_release_all(&p.readable);
	string_list_release_all(&p.writable);
}
