/*
 * How it works. All scripts and maps below the directories are listed once, sorted by basename.
 * For a recorded path, those with its basename are found by binary search, and the one whose path
 * agrees with it in the most parts from the end is chosen:
 *
 *	recorded   /app/dist/lib/x.js
 *	DIR/       dist/lib/x.js       3 parts, all of it: chosen
 *	           old/lib/x.js        2 parts
 *
 * Then the script's own text says where its map is, as a path, a URL or the map itself in base 64.
 *
 * Bounds: DIR_DEPTH_MAX directories deep, FILES_MAX files, FILE_BYTES_MAX each. Symbolic links are
 * not followed. URLs: RFC 3986, 5.2, as far as sources of maps use it.
 */
#include "symbolize/sourcemap/sourcemap_files.h"

#include "base/base64.h"
#include "base/bisect.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/url.h"
#include "files/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

enum {
	DIR_DEPTH_MAX = 24,
	FILES_MAX = 256 * 1024,
	PARTS_AT_LEAST =
		2, /* that a place and a path must share, unless that is all of the place */
};

#define FILE_BYTES_MAX ((size_t)256 << 20)

/* A script, or its map, or both. */
struct script_file {
	char *path;      /* here, without ".map" */
	size_t place_at; /* where the part below the directory begins */
};

struct sourcemap_files {
	const char *const *dirs; /* borrowed; NULL ended */
	struct script_file *at;  /* by name, then path */
	size_t n, cap;
};

static struct span place_of(const struct script_file *f)
{
	return span_of(f->path + f->place_at);
}

static struct span without_map(struct span name)
{
	if (span_ends(name, SPAN(".map")))
		name.n -= 4;
	return name;
}

static bool is_script(struct span name)
{
	static const char *const suffixes[] = { ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts",
		".jsx", ".tsx" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(suffixes); i++)
		if (span_ends(name, span_of(suffixes[i])))
			return true;
	return false;
}

/* ---- listing files -------------------------------------------------------------------------- */

static void add_file(struct sourcemap_files *t, const char *path, size_t place_at)
{
	struct span script = without_map(span_of(path));

	if (t->n == FILES_MAX || !is_script(script))
		return;
	ARRAY_GROW(t->at, t->n, t->cap);
	t->at[t->n].path = xasprintf("%.*s", (int)script.n, script.p);
	t->at[t->n++].place_at = place_at;
}

static bool is_skipped_dir(const char *dir)
{
	return strcmp(dir, ".") == 0 || strcmp(dir, "..") == 0 || strcmp(dir, ".git") == 0;
}

/* Links are not followed, as they may form a circle. Hidden directories are searched, as builds are
 * in .next, .output or .svelte-kit. */
static void list_dir(struct sourcemap_files *t, const char *dir, size_t place_at, unsigned depth)
{
	DIR *d = depth < DIR_DEPTH_MAX ? opendir(dir) : NULL;
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		char *path = xasprintf("%s/%s", dir, entry->d_name);
		unsigned type = entry->d_type;
		struct stat st;

		if (type == DT_UNKNOWN && lstat(path, &st) == 0)
			type = IFTODT(st.st_mode);
		if (type == DT_DIR && !is_skipped_dir(entry->d_name))
			list_dir(t, path, place_at, depth + 1);
		else if (type == DT_REG)
			add_file(t, path, place_at);
		free(path);
	}
	if (d)
		closedir(d);
}

static int compare_files(const void *pa, const void *pb)
{
	const struct script_file *a = pa, *b = pb;
	int by_name = span_cmp(span_basename(place_of(a)), span_basename(place_of(b)));

	return by_name ? by_name : strcmp(a->path, b->path);
}

static void drop_doubles(struct sourcemap_files *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->n; i++) {
		if (n && strcmp(t->at[n - 1].path, t->at[i].path) == 0)
			free(t->at[i].path);
		else
			t->at[n++] = t->at[i];
	}
	t->n = n;
}

struct sourcemap_files *sourcemap_files_new(const char *const *dirs)
{
	struct sourcemap_files *t = xcalloc(1, sizeof(*t));

	t->dirs = dirs;
	for (; *dirs; dirs++)
		list_dir(t, *dirs, strlen(*dirs) + 1, 0);
	sort_in_place(t->at, t->n, sizeof(*t->at), compare_files);
	drop_doubles(t);
	return t;
}

void sourcemap_files_free(struct sourcemap_files *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->n; i++)
		free(t->at[i].path);
	free(t->at);
	free(t);
}

/* ---- choosing a script ---------------------------------------------------------------------- */

/* How many parts at the end two paths share; *whole: that is all of place. */
static unsigned shared_parts(struct span path, struct span place, bool *whole)
{
	unsigned parts = 0;

	while (path.n && place.n) {
		struct span a = span_basename(path), b = span_basename(place);

		if (!span_eq(a, b))
			break;
		parts++;
		path.n -= a.n + (path.n > a.n);
		place.n -= b.n + (place.n > b.n);
	}
	*whole = !place.n;
	return parts;
}

/* At least this many parts must be shared: those within the package. */
static unsigned parts_in_package(struct span path)
{
	static const struct span modules = { "/node_modules/", 14 };
	struct span rest = path;
	unsigned parts = 1;
	ptrdiff_t at;
	size_t i;

	while ((at = span_find(rest, modules)) >= 0)
		rest = span_skip(rest, (size_t)at + modules.n);
	if (rest.n == path.n)
		return 1;
	for (i = 0; i < rest.n; i++)
		parts += rest.p[i] == '/';
	return parts;
}

/* A higher number fits better; 0: not at all. */
static unsigned fit(struct span path, const struct script_file *f)
{
	bool whole;
	unsigned parts = shared_parts(path, place_of(f), &whole);

	if (parts < parts_in_package(path) || (!whole && parts < PARTS_AT_LEAST))
		return 0;
	return 2 * parts + whole;
}

static size_t first_with_name(const struct sourcemap_files *t, struct span name)
{
	return bisect(i, 0, t->n, span_cmp(span_basename(place_of(&t->at[i])), name) >= 0);
}

static const struct script_file *choose(
	const struct sourcemap_files *t, struct span path, bool *several)
{
	struct span name = span_basename(path);
	const struct script_file *best = NULL;
	unsigned best_fit = 0;
	size_t i;

	*several = false;
	for (i = first_with_name(t, name); i < t->n; i++) {
		unsigned f = fit(path, &t->at[i]);

		if (!span_eq(span_basename(place_of(&t->at[i])), name))
			break;
		if (f && f == best_fit)
			*several = true;
		if (f <= best_fit)
			continue;
		best_fit = f;
		best = &t->at[i];
		*several = false;
	}
	return *several ? NULL : best;
}

/* ---- URLs ----------------------------------------------------------------------------------- */

void sourcemap_files_url_to_path(struct buf *url)
{
	struct buf path = { 0 };

	if (!url->n || url->p[0] != '/' || !memchr(url->p, '%', url->n))
		return;
	url_put_decoded(&path, buf_span(url));
	buf_release(url);
	*url = path;
}

/* The length of "SCHEME://", or "SCHEME:" where no slashes follow; 0: it has none. */
static size_t scheme_length(struct span url)
{
	size_t i = 0;

	while (i < url.n && ((url.p[i] >= 'a' && url.p[i] <= 'z') || url.p[i] == '-'))
		i++;
	if (i < 2 || i == url.n || url.p[i] != ':')
		return 0;
	return span_starts(span_skip(url, i), SPAN("://")) ? i + 3 : i + 1;
}

/* Cuts b after its last slash, but not below floor. */
static void drop_name(struct buf *b, size_t floor)
{
	while (b->n > floor && b->p[b->n - 1] != '/')
		b->n--;
}

/* From "a/b/" to "a/". */
static void step_up(struct buf *b, size_t floor)
{
	while (b->n > floor && b->p[b->n - 1] == '/')
		b->n--;
	drop_name(b, floor);
}

void sourcemap_files_resolve_url(struct span base, struct span url, struct buf *out)
{
	bool absolute = scheme_length(url) || span_starts(url, SPAN("/"));
	struct span from = absolute ? url : base;
	size_t head = scheme_length(from), floor;

	if (head < from.n && from.p[head] == '/')
		head++;
	buf_put(out, from.p, head);
	floor = out->n;
	if (absolute) {
		url = span_skip(url, head);
	} else {
		buf_put_span(out, span_skip(base, head));
		drop_name(out, floor);
	}
	while (url.n) {
		const char *slash = memchr(url.p, '/', url.n);
		struct span part = { url.p, slash ? (size_t)(slash - url.p) : url.n };

		url = span_skip(url, part.n + (slash != NULL));
		if (span_eq(part, SPAN(".."))) {
			step_up(out, floor);
		} else if (!span_eq(part, SPAN("."))) {
			buf_put_span(out, part);
			if (slash)
				buf_putc(out, '/');
		}
	}
}

/* ---- reading the map ------------------------------------------------------------------------ */

/* The last thing a script says of its map; empty if it says nothing. */
static struct span mapping_url(struct span script)
{
	static const struct span mark = { "# sourceMappingURL=", 19 };
	struct span url = { 0 };
	ptrdiff_t at;
	size_t n = 0;

	while ((at = span_find(script, mark)) >= 0) {
		script = span_skip(script, (size_t)at + mark.n);
		url = script;
	}
	while (n < url.n && !strchr(" \t\r\n'\"*", url.p[n]))
		n++;
	url.n = n;
	return url;
}

static int read_inline(struct span url, struct buf *json, struct err *e)
{
	static const struct span mark = { ";base64,", 8 };
	ptrdiff_t at = span_find(url, mark);

	if (at < 0)
		return err_set(e, ERR_UNSUPPORTED, "its data: URL is not base 64");
	if (!base64_decode(span_skip(url, (size_t)at + mark.n), json))
		return err_set(e, ERR_FORMAT, "its data: URL is damaged");
	return OK;
}

/* The directory that a path is in, of those that were named. */
static const char *dir_of(const struct sourcemap_files *t, const char *path)
{
	const char *const *dir;

	for (dir = t->dirs; *dir; dir++) {
		size_t n = strlen(*dir);

		if (strncmp(path, *dir, n) == 0 && (path[n] == '/' || (n && path[n - 1] == '/')))
			return *dir;
	}
	return NULL;
}

/* What a script names need not be there, nor be a file, nor be below what was named. */
static int read_below(const struct sourcemap_files *t, const char *path, struct buf *b,
	struct file_identity *identity, struct err *e)
{
	const char *dir = dir_of(t, path);
	struct file f;
	int rc;

	if (!dir)
		return err_set(e, ERR_UNSUPPORTED,
			"%.200s: is not below a directory that --source-maps names", path);
	if (files_open_part(dir, path, &f, e))
		return e->code;
	*identity = file_identity(&f);
	rc = file_read_content(&f, FILE_BYTES_MAX, b, e);
	file_close(&f);
	return rc;
}

static int read_map(const struct sourcemap_files *t, struct sourcemap_text *out, struct err *e)
{
	return read_below(t, out->path, &out->json, &out->identity, e);
}

/* The map that a script names: in it, or in a file relative to it. */
static int read_linked(const struct sourcemap_files *t, const struct script_file *f,
	struct span url, struct span script, struct sourcemap_text *out, struct err *e)
{
	struct buf decoded = { 0 }, path = { 0 };
	int rc;

	if (span_starts(url, SPAN("data:"))) {
		buf_put_span(&out->base, script);
		return read_inline(url, &out->json, e);
	}
	url_put_decoded(&decoded, url);
	/* The file of a web address is beside the script, if it is here. */
	if (scheme_length(url)) {
		struct span name = span_basename(buf_span(&decoded));

		memmove(decoded.p, name.p, name.n);
		decoded.n = name.n;
	}
	sourcemap_files_resolve_url(script, buf_span(&decoded), &out->base);
	sourcemap_files_resolve_url(span_of(f->path), buf_span(&decoded), &path);
	out->path = xstrdup(buf_str(&path));
	rc = read_map(t, out, e);
	buf_release(&decoded);
	buf_release(&path);
	return rc;
}

static int read_beside(const struct sourcemap_files *t, const struct script_file *f,
	struct span script, struct sourcemap_text *out, struct err *e)
{
	out->path = xasprintf("%s.map", f->path);
	buf_put_span(&out->base, script);
	return read_map(t, out, e);
}

/* Deno keeps what it made of /app/x.ts in .../gen/file/app/x.ts.js, and calls it by its source. */
static const struct script_file *choose_made_of(
	const struct sourcemap_files *t, struct buf *path, bool *several)
{
	struct span source = buf_span(path);
	const struct script_file *f;

	*several = false;
	if (!is_script(source) || span_ends(source, SPAN("js")))
		return NULL;
	buf_puts(path, ".js");
	f = choose(t, buf_span(path), several);
	path->n = source.n;
	return f;
}

enum sourcemap_found sourcemap_files_read(const struct sourcemap_files *t, struct span script,
	struct sourcemap_text *out, struct err *e)
{
	const struct script_file *f;
	struct buf path = { 0 }, text = { 0 };
	struct file_identity unused;
	struct span url = { 0 };
	bool several;
	int rc;

	*out = (struct sourcemap_text){ 0 };
	/* CommonJS has paths, not URLs. */
	url_put_path(&path, script);
	f = choose_made_of(t, &path, &several);
	if (!f && !several)
		f = choose(t, buf_span(&path), &several);
	buf_release(&path);
	if (!f)
		return several ? SOURCEMAP_SEVERAL : SOURCEMAP_NONE;
	if (read_below(t, f->path, &text, &unused, e) == OK)
		url = mapping_url(buf_span(&text));
	rc = url.n ? read_linked(t, f, url, script, out, e) : read_beside(t, f, script, out, e);
	buf_release(&text);
	if (rc == OK)
		return SOURCEMAP_FOUND;
	/* A script without a map is no damage. */
	if (e->errno_value == ENOENT)
		return SOURCEMAP_NONE;
	err_wrap(e, "source map of %.200s", f->path);
	return SOURCEMAP_BAD;
}

void sourcemap_files_release_text(struct sourcemap_text *text)
{
	buf_release(&text->json);
	buf_release(&text->base);
	free(text->path);
}
