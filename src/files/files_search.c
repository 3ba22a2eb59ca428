/*
 * Patterns of places become paths (expand), for each root directory of their kind in the order
 * given (files_search). Where a recorded path is part of the pattern, links in it are followed
 * within the root only (stays_below, root.h); on this machine, without the links below /proc.
 */
#include "files/files_search.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

bool files_search_climbs(struct span path)
{
	const char *end = path.p + path.n, *p = path.p;

	for (; p < end; p++)
		if ((p == path.p || p[-1] == '/') && span_starts(span_range(p, end), SPAN("..")) &&
			(p + 2 == end || p[2] == '/'))
			return true;
	return false;
}

struct span files_search_recorded_path(const struct files *f, const struct module *m, bool *deleted)
{
	struct span path = strtab_get(f->strings, m->path);
	struct span mark = SPAN(" (deleted)");

	*deleted = span_ends(path, mark);
	if (*deleted)
		path.n -= mark.n;
	return path;
}

/* Appends the subdirectory whose name sorts last: perf names them by date and time. */
static bool put_newest(struct buf *path)
{
	DIR *dir = opendir(buf_str(path));
	struct buf newest = { 0 };
	const struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.' && span_cmp(span_of(d->d_name), buf_span(&newest)) > 0) {
			newest.n = 0;
			buf_puts(&newest, d->d_name);
		}
	if (dir)
		closedir(dir);
	buf_put_span(path, buf_span(&newest));
	buf_release(&newest);
	return dir;
}

/* Only absolute paths name files; one that ends in "/", as in mappings of some drivers, names a
 * directory. The kernel records no path with "..", which leads out of any root. */
static bool names_file(struct span path)
{
	return path.n && path.p[0] == '/' && path.p[path.n - 1] != '/' &&
	       !memchr(path.p, 0, path.n) && !files_search_climbs(path);
}

/* False if the pattern needs something that is not known. */
static bool expand(
	const struct files_search *s, const char *pattern, const char *root, struct buf *out)
{
	char hex[41];

	out->n = 0;
	build_id_hex(&s->id, hex);
	for (; *pattern; pattern++) {
		if (*pattern != '%') {
			buf_putc(out, *pattern);
			continue;
		}
		switch (*++pattern) {
		case 'D':
			buf_puts(out, root);
			break;
		case 'P':
		case 'B':
		case 'F':
			if (!names_file(s->path) || (*pattern == 'F' && !s->id.n))
				return false;
			buf_put_span(out, *pattern == 'P' ? s->path : span_basename(s->path));
			break;
		case 'T':
			if (!put_newest(out))
				return false;
			break;
		default:
			if (s->id.n < 2)
				return false;
			buf_put(out, hex, 2);
			if (*pattern == 'I')
				buf_putc(out, '/');
			buf_puts(out, hex + 2);
		}
	}
	return true;
}

/* The root directories of a kind, NULL ended. single holds the list if there is at most one. */
static const char *const *roots_of(
	const struct files_search *s, enum files_root root, const char *single[2])
{
	const struct files *f = s->f;

	single[0] = single[1] = NULL;
	switch (root) {
	case FILES_ROOT_CONTAINER:
		single[0] = s->pid ? files_container(&f->o, s->pid) : NULL;
		break;
	case FILES_ROOT_SYMFS:
		return f->o.symfs ? f->o.symfs : single;
	case FILES_ROOT_DEBUG_DIR:
		return f->o.debug_dirs ? f->o.debug_dirs : single;
	case FILES_ROOT_RECORDING:
		single[0] = f->o.recording_dir;
		break;
	case FILES_ROOT_INPUT:
		single[0] = f->o.input_dir;
		break;
	case FILES_ROOT_MAP_DIR:
		single[0] = f->o.map_dir;
		break;
	case FILES_ROOT_HOME:
		single[0] = f->o.no_system ? NULL : f->o.home;
		break;
	case FILES_ROOT_SYSTEM:
		single[0] = f->o.no_system ? NULL : "";
		break;
	}
	return single;
}

/* A debug directory is searched by build-id, which proves the file wherever a link leads; the
 * caches of perf and of distributions are full of links. */
static bool stays_below(const struct files *f, const struct files_place *p)
{
	bool by_path =
		strstr(p->pattern, "%P") || strstr(p->pattern, "%B") || strstr(p->pattern, "%F");

	if (f->o.trust_files || p->root == FILES_ROOT_HOME)
		return false;
	return p->root != FILES_ROOT_DEBUG_DIR || by_path;
}

static bool is_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	while (n && root[n - 1] == '/')
		n--;
	return strncmp(path, root, n) == 0 && path[n] == '/';
}

/* The most specific one counts. */
static void choose_root(const char **best, const char *path, const char *root)
{
	if (root && is_below(path, root) && (!*best || strlen(root) > strlen(*best)))
		*best = root;
}

const char *files_search_root_of(const struct files *f, const char *path)
{
	const struct files_opts *o = &f->o;
	const char *const *root, *best = NULL;
	uint32_t i;

	if (o->trust_files)
		return NULL;
	for (root = o->symfs; root && *root; root++)
		choose_root(&best, path, *root);
	for (root = o->debug_dirs; root && *root; root++)
		choose_root(&best, path, *root);
	for (i = 0; i < o->n_containers; i++)
		choose_root(&best, path, o->containers[i].path);
	choose_root(&best, path, o->recording_dir);
	return best;
}

static bool try_candidate(const struct files_search *s, const struct files_place *p,
	const char *root, const char *path, bool proved)
{
	struct files_search one = *s;

	one.root = stays_below(s->f, p) ? root : NULL;
	return s->try(s->ctx, &one, path, proved);
}

static bool is_absent(const char *path)
{
	return access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR);
}

bool files_search(const struct files_search *s)
{
	/* A path of a container is mostly another file here. */
	bool proved_here = s->f->o.same_machine && !s->pid;
	const struct files_place *p;
	struct buf path = { 0 };
	bool found = false;

	for (p = s->places; p->pattern && !found; p++) {
		bool rare = p->pattern[0] == '?';
		bool own = p->root == FILES_ROOT_HOME || p->root == FILES_ROOT_SYSTEM;
		const char *single[2];
		const char *const *root = roots_of(s, p->root, single);

		for (; *root && !found; root++)
			if (expand(s, p->pattern + rare, *root, &path) &&
				!(rare && is_absent(buf_str(&path))))
				found = try_candidate(
					s, p, *root, buf_str(&path), !own || proved_here);
	}
	buf_release(&path);
	return found;
}

/* ---- failures ---------------------------------------------------------------------------- */

/* Else the file is not there, or not for this user. */
static bool is_failure(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case EACCES:
	case EPERM:
	case ELOOP:
	case EXDEV:
	case EISDIR:
	case ENAMETOOLONG:
		return false;
	default:
		return error;
	}
}

struct elf_file *files_search_open_elf(
	const struct files_search *s, const char *path, enum files_verdict *why)
{
	struct elf_file *ef = elf_file_open_below(s->root, path, why);

	if (ef)
		ef->origin = files_unread_origin(s->f->o.unread, ef->path);
	else if (*why == FILES_UNREADABLE)
		files_search_note_failure(s->f, path, errno);
	return ef;
}

void files_search_note_failure(const struct files *f, const char *path, int error)
{
	if (is_failure(error))
		files_unread_add(files_unread_origin(f->o.unread, path), error);
}
