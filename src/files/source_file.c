/*
 * How it works. Each place that may have the file (find) gives a path below a root directory to
 * try_path(), which opens it by the rules of root.h, reads it whole and compares it with what is
 * recorded. A file with the recorded MD5 ends the search, and so does one where no MD5 is known;
 * the first one with another MD5 is kept, in case that none has it.
 *
 *	--source-dir	DIR/a/b/c.c, DIR/b/c.c, DIR/c.c: suffixes of the recorded path
 *	places[]	files_search.h, as for ELF files
 *
 * Lines are found by how many end in each kilobyte or before.
 */
#include "files/source_file.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/md5.h"
#include "files/debuginfod.h"
#include "files/files_search.h"
#include "files/root.h"
#include "files/source_name.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* ROOM_MAX_BYTES: more would not stay in a processor's cache. */
enum { BLOCK_BYTES = 1024, ROOM_MAX_BYTES = 1 << 20 };

static const struct files_place places[] = {
	{ FILES_ROOT_CONTAINER, "%D%P" },
	{ FILES_ROOT_SYMFS, "%D%P" },
	{ FILES_ROOT_RECORDING, "%D%P" },
	{ FILES_ROOT_SYSTEM, "%P" },
	{ 0, NULL },
};

struct source_search {
	const struct files *f;
	const struct source_request *q;
	struct span path; /* without "." and ".." */
	struct source_text *out;
	struct file_identity identity; /* of out */
	struct files_trail *trail;
	bool found;
};

/* How a place is trusted. */
struct source_place {
	const char *root;        /* no link leads out of it */
	bool by_user;            /* it has sources: the file may have any name */
	bool dated;              /* times of its files are those of the sources */
	bool by_name;            /* of the path, only the name is the file's */
	enum source_doubt doubt; /* of a file that is not dated */
};

/* ---- lines ---------------------------------------------------------------------------------- */

typedef uint8_t bytes_16 __attribute__((vector_size(16)));

/* What is in a block of text. */
struct block_content {
	uint32_t line_ends;
	bool has_zero;
};

/* n: at most BLOCK_BYTES, so that no count of a lane exceeds a byte. */
static struct block_content count_block(const char *p, size_t n)
{
	struct block_content c = { 0 };
	bytes_16 ends = { 0 }, zeros = { 0 }, b;
	size_t i;

	for (; n >= sizeof(b); p += sizeof(b), n -= sizeof(b)) {
		memcpy(&b, p, sizeof(b));
		ends -= (bytes_16)(b == '\n'); /* each that is one has all bits set: -1 */
		zeros |= (bytes_16)(b == 0);
	}
	for (i = 0; i < sizeof(b); i++) {
		c.line_ends += ends[i];
		c.has_zero |= zeros[i];
	}
	for (; n; n--, p++) {
		c.line_ends += *p == '\n';
		c.has_zero |= !*p;
	}
	return c;
}

/* False: it is no text. */
static bool index_lines(struct source_text *s)
{
	size_t n = s->text.n, at, block;
	uint32_t count = 0;

	s->ends = xcalloc(n / BLOCK_BYTES + 1, sizeof(*s->ends));
	for (at = 0; at < n; at += block) {
		struct block_content c;

		block = n - at < BLOCK_BYTES ? n - at : BLOCK_BYTES;
		c = count_block(s->text.p + at, block);
		if (c.has_zero)
			return false;
		count += c.line_ends;
		s->ends[at / BLOCK_BYTES] = count;
	}
	s->n_lines = count + (n && s->text.p[n - 1] != '\n');
	return true;
}

/* Not within a character of UTF-8. */
static struct span cut(struct span line)
{
	size_t n = SOURCE_FILE_LINE_MAX_BYTES;

	if (line.n <= n)
		return line;
	while (n > SOURCE_FILE_LINE_MAX_BYTES - 4 && (line.p[n] & 0xc0) == 0x80)
		n--;
	return (struct span){ line.p, n };
}

struct source_lines source_file_lines(const struct source_text *s, uint32_t number)
{
	uint32_t n_blocks = (uint32_t)(s->text.n / BLOCK_BYTES + 1), ends, block;
	struct source_lines l = { s->text };
	struct span before;

	if (!number || number > s->n_lines)
		return (struct source_lines){ 0 };
	ends = number - 1;
	block = bisect(i, 0u, n_blocks, s->ends[i] >= ends);
	if (block) {
		l.rest = span_skip(s->text, (size_t)block * BLOCK_BYTES);
		ends -= s->ends[block - 1];
	}
	while (ends--)
		span_next_line(&l.rest, &before);
	return l;
}

struct span source_file_next_line(struct source_lines *l)
{
	struct span line = { "", 0 };

	span_next_line(&l->rest, &line);
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return cut(line);
}

struct span source_file_line(const struct source_text *s, uint32_t number)
{
	struct source_lines lines = source_file_lines(s, number);

	return source_file_next_line(&lines);
}

/* ---- the content ---------------------------------------------------------------------------- */

static const struct span byte_order_mark = { "\xef\xbb\xbf", 3 };

void source_file_release(struct source_text *s)
{
	free(s->path);
	free(s->ends);
	buf_release(&s->content);
	*s = (struct source_text){ 0 };
}

void source_file_release_into(struct source_text *s, struct buf *room)
{
	if (s->content.cap <= ROOM_MAX_BYTES && s->content.cap > room->cap) {
		buf_release(room);
		*room = s->content;
		s->content = (struct buf){ 0 };
	}
	source_file_release(s);
}

/* Takes content. False: it is no text. */
static bool set_text(struct source_text *s, const char *path, struct buf *content)
{
	s->path = xstrdup(path);
	s->content = *content;
	s->text = buf_span(&s->content);
	if (span_starts(s->text, byte_order_mark))
		s->text = span_skip(s->text, byte_order_mark.n);
	if (index_lines(s))
		return true;
	source_file_release(s);
	return false;
}

bool source_file_from_text(
	struct source_text *out, const char *path, struct span text, enum source_doubt doubt)
{
	struct buf content = { 0 };

	*out = (struct source_text){ .doubt = doubt };
	if (text.n > SOURCE_FILE_MAX_BYTES)
		return false;
	buf_put_span(&content, text);
	return set_text(out, path, &content);
}

static enum source_doubt doubt_of(const struct source_request *q, const struct source_place *at,
	const struct file *file, struct span content)
{
	struct source_md5 sum;
	uint32_t i;

	if (q->n_md5) {
		md5_of(content, sum.byte);
		for (i = 0; i < q->n_md5; i++)
			if (memcmp(&q->md5[i], &sum, sizeof(sum)) == 0)
				return SOURCE_PROVED;
		return SOURCE_OTHER_CONTENT;
	}
	if (!at->dated)
		return at->doubt;
	if (q->built_s && file->st.st_mtim.tv_sec > q->built_s)
		return SOURCE_NEWER;
	return at->by_name ? SOURCE_NAMESAKE : q->built_s ? SOURCE_UNDOUBTED : SOURCE_UNCHECKED;
}

/* ---- a candidate ---------------------------------------------------------------------------- */

/* A link within the root may lead to another name, and in a directory like /tmp anybody may have
 * put the file there. */
static enum files_verdict judge(
	const struct source_search *s, const struct source_place *at, const struct file *file)
{
	const struct files_opts *o = &s->f->o;

	if (file->size_bytes > SOURCE_FILE_MAX_BYTES)
		return FILES_TOO_LARGE;
	if (at->by_user || !at->root)
		return FILES_USED;
	if (!source_name_is_known(span_of(file->path)))
		return FILES_NOT_SOURCE;
	return o->trust_files || root_owner_is_trusted(file, o->proc, 0) ? FILES_USED
									 : FILES_OTHER_OWNER;
}

static struct buf take_room(const struct source_request *q)
{
	struct buf content = { 0 };

	if (q->room) {
		content = *q->room;
		content.n = 0;
		*q->room = (struct buf){ 0 };
	}
	return content;
}

static enum files_verdict read_text(struct source_search *s, const struct source_place *at,
	const struct file *file, struct source_text *text)
{
	enum files_verdict v = judge(s, at, file);
	struct buf content;
	enum source_doubt doubt;
	struct err e;

	if (v != FILES_USED)
		return v;
	content = take_room(s->q);
	if (file_read_content(file, SOURCE_FILE_MAX_BYTES, &content, &e)) {
		buf_release(&content);
		if (e.code == ERR_LIMIT)
			return FILES_TOO_LARGE;
		files_search_note_failure(s->f, file->path, e.errno_value);
		return FILES_UNREADABLE;
	}
	doubt = doubt_of(s->q, at, file, buf_span(&content));
	if (!set_text(text, file->path, &content))
		return FILES_NOT_TEXT;
	text->doubt = doubt;
	return FILES_USED;
}

/* True where no better one can be found. */
static bool keep(struct source_search *s, struct source_text *text, struct file_identity identity)
{
	bool better = !s->found || text->doubt == SOURCE_PROVED;

	if (better) {
		source_file_release(s->out);
		*s->out = *text;
		s->identity = identity;
	} else {
		source_file_release(text);
	}
	s->found = true;
	return s->out->doubt != SOURCE_OTHER_CONTENT;
}

static bool try_file(struct source_search *s, const struct source_place *at, struct file *file)
{
	struct source_text text = { 0 };
	enum files_verdict v = read_text(s, at, file, &text);
	struct file_identity identity = file_identity(file);

	files_trail_add(s->trail, file->path, v, NULL);
	file_close(file);
	return v == FILES_USED && keep(s, &text, identity);
}

/* True ends the search. */
static bool try_path(struct source_search *s, const struct source_place *at, const char *path)
{
	const char *root = s->f->o.trust_files ? NULL : at->root;
	enum files_verdict v;
	struct file file;

	if (files_open_below(root, path, &file, &v))
		return try_file(s, at, &file);
	if (v == FILES_UNREADABLE)
		files_search_note_failure(s->f, path, errno);
	files_trail_add(s->trail, path, v, NULL);
	return false;
}

/* ---- places --------------------------------------------------------------------------------- */

static bool is_absolute(const struct source_search *s)
{
	return s->path.p[0] == '/';
}

static bool find_in_pack(struct source_search *s)
{
	const struct files_opts *o = &s->f->o;
	bool done = false, newer;
	int i;

	for (i = 0; o->pack_dir && !done && i < 2; i++) {
		struct buf path = { 0 };
		struct source_place at = { .root = o->pack_dir, .by_user = true };

		newer = i > 0;
		at.doubt = newer ? SOURCE_NEWER : SOURCE_UNDOUBTED;
		buf_printf(&path, "%s/", o->pack_dir);
		pack_place_source(&path, s->path, s->q->pid, newer);
		done = try_path(s, &at, buf_str(&path));
		buf_release(&path);
	}
	return done;
}

/* The last parts of the path, at most PARTS_MAX, one less each time; false: no more. */
static bool next_suffix(struct span *suffix)
{
	const char *slash = suffix->n ? memchr(suffix->p, '/', suffix->n) : NULL;

	if (!slash)
		return false;
	*suffix = span_skip(*suffix, (size_t)(slash - suffix->p) + 1);
	return suffix->n;
}

static struct span longest_suffix(struct span path)
{
	enum { PARTS_MAX = 64 };
	size_t parts = 0, i;

	for (i = path.n; i; i--)
		if (path.p[i - 1] == '/' && ++parts == PARTS_MAX)
			return span_skip(path, i);
	return path;
}

static void put_below(struct buf *path, const char *dir, struct span below)
{
	buf_puts(path, dir);
	while (path->n && path->p[path->n - 1] == '/')
		path->n--;
	if (!span_starts(below, SPAN("/")))
		buf_putc(path, '/');
	buf_put_span(path, below);
}

/* Many programs have a main.c. The directory counts as a part: /build/x/main.c is below .../x. */
static bool is_name_alone(const struct source_search *s, const char *dir, struct span suffix)
{
	struct span parent = { s->path.p, s->path.n - suffix.n };
	char *real;
	bool same;

	if (!parent.n || memchr(suffix.p, '/', suffix.n))
		return false;
	parent.n--;
	if (!parent.n) /* /main.c */
		return false;
	real = realpath(dir, NULL);
	same = span_eq(span_basename(span_of(real)), span_basename(parent));
	free(real);
	return !same;
}

static bool find_in_dir(struct source_search *s, const char *dir, struct span suffix)
{
	const struct source_place at = { .root = dir,
		.by_user = true,
		.dated = true,
		.by_name = is_name_alone(s, dir, suffix) };
	struct buf path = { 0 };
	enum files_verdict v;
	struct file file;
	bool done = false;

	put_below(&path, dir, suffix);
	if (files_open_below(dir, buf_str(&path), &file, &v)) {
		done = try_file(s, &at, &file);
	} else if (v != FILES_ABSENT || suffix.n == s->path.n) {
		files_trail_add(s->trail, buf_str(&path), v, NULL);
	}
	buf_release(&path);
	return done;
}

static bool find_by_suffix(struct source_search *s)
{
	const char *const *dirs = s->f->o.source_dirs;
	struct span suffix = longest_suffix(s->path);
	bool done = false;
	size_t i;

	if (!dirs)
		return false;
	do {
		for (i = 0; dirs[i] && !done; i++)
			done = find_in_dir(s, dirs[i], suffix);
	} while (!done && next_suffix(&suffix));
	return done;
}

/* "/build/x" begins "/build/x/a.c", not "/build/xy.c". */
static bool has_prefix(struct span path, struct span prefix)
{
	while (prefix.n > 1 && prefix.p[prefix.n - 1] == '/')
		prefix.n--;
	return span_starts(path, prefix) &&
	       (path.n == prefix.n || path.p[prefix.n] == '/' || span_eq(prefix, SPAN("/")));
}

static bool find_by_prefix(struct source_search *s, const struct files_source_prefix *p)
{
	const struct source_place at = { .root = p->to, .by_user = true, .dated = true };
	struct buf from = { 0 }, path = { 0 };
	bool done = false;

	source_name_put_path(&from, SPAN(""), span_of(p->from));
	if (has_prefix(s->path, buf_span(&from))) {
		put_below(&path, p->to, span_skip(s->path, from.n));
		done = try_path(s, &at, buf_str(&path));
	}
	buf_release(&from);
	buf_release(&path);
	return done;
}

static bool find_by_prefixes(struct source_search *s)
{
	const struct files_opts *o = &s->f->o;
	bool done = false;
	uint32_t i;

	for (i = 0; i < o->n_source_prefixes && !done; i++)
		done = find_by_prefix(s, &o->source_prefixes[i]);
	return done;
}

static bool try_place(void *ctx, const struct files_search *fs, const char *path, bool proved)
{
	struct source_search *s = ctx;
	const struct source_place at = { .root = fs->root ? fs->root : "", .dated = true };
	/* A recording can be made to look like one of this machine, and a pack is sent away. */
	bool may_be_forged = s->f->o.uses && span_eq(span_of(path), s->path);
	enum files_verdict v;
	struct file file;

	if (s->q->is_local || (proved && !may_be_forged))
		return try_path(s, &at, path);
	if (files_open_below(fs->root, path, &file, &v)) {
		v = FILES_NOT_PROVED;
		file_close(&file);
	}
	files_trail_add(s->trail, path, v, NULL);
	return false;
}

static bool find_at_places(struct source_search *s)
{
	static const struct files_place of_relative[] = { { FILES_ROOT_RECORDING, "%D%P" },
		{ 0, NULL } };
	struct files_search fs = { .f = s->f,
		.places = is_absolute(s) ? places : of_relative,
		.try = try_place,
		.ctx = s,
		.pid = s->q->pid };
	struct buf path = { 0 };
	bool done;

	if (!is_absolute(s))
		buf_putc(&path, '/');
	buf_put_span(&path, s->path);
	fs.path = buf_span(&path);
	done = files_search(&fs);
	buf_release(&path);
	return done;
}

static bool find_by_server(struct source_search *s)
{
	const struct source_place at = { .doubt = SOURCE_UNDOUBTED };
	struct file file;

	return is_absolute(s) &&
	       debuginfod_open_source(s->f, &s->q->build_id, s->path, &file, s->trail) &&
	       try_file(s, &at, &file);
}

static void find(struct source_search *s)
{
	if (find_in_pack(s) || find_by_suffix(s) || find_by_prefixes(s))
		return;
	if (!source_name_is_known(s->path)) {
		char *path = xasprintf("%.*s", SPAN_ARG(s->path));

		files_trail_add(s->trail, path, FILES_NOT_SOURCE, NULL);
		free(path);
	} else if (!find_at_places(s)) {
		find_by_server(s);
	}
}

/* For packs. */
static void note(const struct source_search *s)
{
	struct pack_use use = {
		.reason = PACK_SOURCE, .path = s->out->path, .identity = s->identity
	};
	struct buf place = { 0 }, recorded = { 0 };

	if (s->f->o.uses) {
		pack_place_source(&place, s->path, s->q->pid, s->out->doubt == SOURCE_NEWER);
		buf_put_span(&recorded, s->path);
		use.place = (char *)buf_str(&place);
		use.recorded = (char *)buf_str(&recorded);
		pack_uses_add(s->f->o.uses, &use);
	}
	buf_release(&place);
	buf_release(&recorded);
}

bool source_file_open(const struct files *f, const struct source_request *q,
	struct source_text *out, struct files_trail *t)
{
	struct source_search s = { .f = f, .q = q, .out = out, .trail = t };
	struct buf path = { 0 };

	*out = (struct source_text){ 0 };
	if (q->path.n < PATH_MAX && !(q->path.n && memchr(q->path.p, 0, q->path.n)))
		source_name_put_path(&path, SPAN(""), q->path);
	s.path = (struct span){ buf_str(&path), path.n };
	if (s.path.n)
		find(&s);
	if (s.found)
		note(&s);
	buf_release(&path);
	return s.found;
}

static bool is_below(const char *path, const char *dir, const char *subdir)
{
	size_t n = dir ? strlen(dir) : 0, m = strlen(subdir);

	return n && strncmp(path, dir, n) == 0 && strncmp(path + n, subdir, m) == 0;
}

/* What perf archive and servers bring along was built elsewhere, and so may be what somebody gave
 * to the user. */
static bool is_brought(const struct files_opts *o, const char *path)
{
	return (o->vmlinux && strcmp(path, o->vmlinux) == 0) ||
	       is_below(path, o->home, "/.debug/") ||
	       is_below(path, o->home, "/.cache/debuginfod_client/");
}

/* Is it at the very path where it ran? */
static bool is_in_place(const struct files *f, const struct module *m, const char *path)
{
	char *here = realpath(path, NULL), *there = NULL;
	bool same;

	if (m->path && !m->owner_pid)
		there = realpath(strtab_str(f->strings, m->path), NULL);
	same = here && there && strcmp(here, there) == 0;
	free(here);
	free(there);
	return same;
}

/* Files of a pack are as old as their copy. A program beside the recording came with it, unless it
 * ran there. */
void source_file_judge_program(const struct files *f, const struct module *m,
	const struct elf_file *ef, int64_t *built_s, bool *is_local)
{
	struct stat st;

	*built_s = 0;
	*is_local = false;
	if (is_below(ef->path, f->o.pack_dir, "/") || ef->fd < 0)
		return;
	/* Nix, Guix and OSTree give all their files the times 0 or 1. */
	if (!fstat(ef->fd, &st) && st.st_mtim.tv_sec > 1)
		*built_s = st.st_mtim.tv_sec;
	if (f->o.no_system || is_brought(&f->o, ef->path))
		return;
	*is_local = !files_search_root_of(f, ef->path) || is_in_place(f, m, ef->path);
}

const char *source_file_warning(enum source_doubt doubt)
{
	switch (doubt) {
	case SOURCE_NEWER:
		return "newer than the program that was recorded: lines may have moved";
	case SOURCE_OTHER_CONTENT:
		return "not the version that was compiled: lines may have moved";
	case SOURCE_NAMESAKE:
		return "found by its name alone: it may be that of another program";
	case SOURCE_PROVED:
	case SOURCE_UNDOUBTED:
	case SOURCE_UNCHECKED:
		break;
	}
	return NULL;
}
