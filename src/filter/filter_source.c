/*
 * How filter files are found and read: a name is looked for in the directories, with ".rules"
 * appended, then beside the file that includes it; a path, known by its slash, only there.
 *
 * Every open file is on the stack of its reader and points to the one that includes it. That chain
 * bounds the depth and finds a file that includes itself (by device and inode); a counter for all
 * files together bounds what includes can multiply.
 */
#include "filter/filter_source.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/near_word.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

struct filter_source {
	const struct filter_source *parent;
	char *path;
	struct stat st;
	unsigned depth;
};

static const char suffix[] = ".rules";

static char *with_suffix(const char *dir, const char *name)
{
	bool has = span_ends(span_of(name), SPAN(".rules"));

	return xasprintf("%s/%s%s", dir, name, has ? "" : suffix);
}

static void find_nearest_in(const char *dir, struct near_word *near, struct buf *found)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;

	while (d && (entry = readdir(d))) {
		struct span name = span_of(entry->d_name);

		if (!span_ends(name, span_of(suffix)))
			continue;
		name.n -= strlen(suffix);
		if (!near_word_is_nearer(near, name))
			continue;
		found->n = 0;
		buf_put_span(found, name);
	}
	if (d)
		closedir(d);
}

bool filter_source_nearest(const char *const *dirs, const char *name, struct buf *found)
{
	struct near_word near = near_word_of(span_of(name));
	size_t i;

	for (i = 0; dirs && dirs[i]; i++)
		find_nearest_in(dirs[i], &near, found);
	return found->n;
}

static int fail_not_found(const struct filter_source_reader *r, const char *name, struct err *e)
{
	struct buf b = { 0 }, near = { 0 };
	size_t i;

	if (filter_source_nearest(r->dirs, name, &near))
		buf_printf(&b, "did you mean %s?", buf_str(&near));
	else
		buf_puts(&b, "perfold filters lists them");
	buf_release(&near);
	for (i = 0; r->dirs && r->dirs[i]; i++)
		buf_printf(&b, "%s%s", i ? ", " : " (searched: ", r->dirs[i]);
	if (i)
		buf_putc(&b, ')');
	err_set(e, ERR_USAGE, "no filter is named `%s`, and no such file: %s", name, buf_str(&b));
	buf_release(&b);
	return e->code;
}

/* The path, or NULL if nothing is there. */
static char *if_exists(char *path)
{
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* A relative path starts in the directory of the file that includes it. */
static char *path_beside(const struct filter_source *from, const char *name)
{
	struct span base;

	if (!from || name[0] == '/')
		return xstrdup(name);
	base = span_basename(span_of(from->path));
	return xasprintf("%.*s%s", (int)(base.p - from->path), from->path, name);
}

static int locate(const struct filter_source_reader *r, const char *name,
	const struct filter_source *from, char **path, struct err *e)
{
	bool is_path = strchr(name, '/');
	size_t i;

	*path = NULL;
	for (i = 0; !is_path && !*path && r->dirs && r->dirs[i]; i++)
		*path = if_exists(with_suffix(r->dirs[i], name));
	if (is_path)
		*path = path_beside(from, name);
	else if (!*path)
		*path = if_exists(path_beside(from, name));
	return *path ? OK : fail_not_found(r, name, e);
}

static int check_nesting(
	struct filter_source_reader *r, const struct filter_source *s, struct err *e)
{
	const struct filter_source *p;

	for (p = s->parent; p; p = p->parent)
		if (p->st.st_dev == s->st.st_dev && p->st.st_ino == s->st.st_ino)
			return err_set(e, ERR_USAGE, "%s includes itself", s->path);
	if (s->depth > FILTER_SOURCE_DEPTH_MAX)
		return err_set(e, ERR_USAGE, "filters include each other more than %d deep",
			FILTER_SOURCE_DEPTH_MAX);
	if (r->files_left == 0)
		return err_set(e, ERR_USAGE, "more than %d filter files", FILTER_SOURCE_FILES_MAX);
	r->files_left--;
	return OK;
}

static bool holds_rule(struct span line)
{
	struct span s = span_trim(line);

	return s.n && s.p[0] != '#';
}

static int read_lines(struct filter_source_reader *r, const struct filter_source *s,
	struct span text, struct err *e)
{
	struct span line;
	size_t number;

	for (number = 1; span_next_line(&text, &line); number++) {
		char *place;
		int rc;

		if (!holds_rule(line))
			continue;
		place = xasprintf("%s:%zu", s->path, number);
		rc = r->on_rule(r->ctx, line, place, s, e);
		free(place);
		if (rc)
			return rc;
	}
	return OK;
}

static int open_source(struct filter_source_reader *r, struct filter_source *s, const char *name,
	struct buf *text, struct err *e)
{
	if (locate(r, name, s->parent, &s->path, e))
		return e->code;
	if (stat(s->path, &s->st))
		return err_errno(e, "%s", s->path);
	if (check_nesting(r, s, e))
		return e->code;
	return file_read_all(s->path, FILTER_SOURCE_BYTES_MAX, text, e);
}

int filter_source_read(struct filter_source_reader *r, const char *name,
	const struct filter_source *from, const char *place, struct err *e)
{
	struct filter_source s = { .parent = from, .depth = from ? from->depth + 1 : 1 };
	struct buf text = { 0 };
	int rc = open_source(r, &s, name, &text, e);

	if (rc) {
		if (place)
			err_wrap(e, "%s", place);
		/* Whatever is wrong with a filter is wrong with the command line. */
		rc = e->code = ERR_USAGE;
	} else {
		rc = read_lines(r, &s, buf_span(&text), e);
	}
	buf_release(&text);
	free(s.path);
	return rc;
}
