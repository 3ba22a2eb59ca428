/*
 * open.c - from a path to a recording that can be read
 *
 *	path --- directory? ---> DIR/data
 *	     --- FIFO, "-" ----> waits for a writer, and says so after two seconds
 *	head --- gzip, zstd, xz -> spill_decompress(), up to three times, as copies of copies exist
 *	     --- tar ----------> a pack: unpacked into a scratch directory, its "data" is read
 *	                         (and may be compressed once more, but may not be a pack)
 *
 * What an input is follows from its first 64 KiB, which stay in s->head. Bytes read from a pipe are
 * gone from it, so all readers get the head along with the file.
 */
#include "input/input.h"

#include "base/mem.h"
#include "base/scratch.h"
#include "base/tar.h"
#include "files/files.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STDIN_NAME "standard input"

enum {
	HEAD_BYTES = 64 * 1024, /* read to recognize what an input is */
	HINT_AFTER_MS = 2000,   /* of silence on standard input, or in a FIFO */
	NESTED_MAX = 3, /* compressed files within each other; some decompress to themselves */
};

/* In a job or a container standard input may be a pipe that nobody writes to, and perf.data, which
 * is read where there is no pipe, may be what is meant. */
static const char *other_input(const struct file *f)
{
	struct stat st;

	if (strcmp(f->path, STDIN_NAME) != 0 || stat("perf.data", &st))
		return "";
	return ": perf.data is here: name it to read it";
}

/* A FIFO that nobody has opened for writing reads like an empty file, but its writer may just not
 * have started yet. */
static void wait_for_writer(const struct input_open_opts *o, const struct file *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };
	char *line;

	if (poll(&p, 1, HINT_AFTER_MS) != 0)
		return;
	line = xasprintf("waiting for a recording on %s%s", f->path, other_input(f));
	if (o->warn)
		o->warn(o->warn_ctx, line);
	free(line);
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
}

static int read_head(struct input_source *s, struct err *e)
{
	size_t got = 0;
	ssize_t k = 1;

	buf_reserve(&s->head, HEAD_BYTES);
	if (S_ISREG(s->file.st.st_mode)) {
		if (file_read_some_at(&s->file, s->head.p, HEAD_BYTES, 0, &got, e))
			return e->code;
		s->head.n = got;
		s->whole = got == s->file.size_bytes;
		return OK;
	}
	while (s->head.n < HEAD_BYTES && k > 0) {
		k = read(s->file.fd, s->head.p + s->head.n, HEAD_BYTES - s->head.n);
		if (k > 0)
			s->head.n += (size_t)k;
		else if (k < 0 && errno == EINTR)
			k = 1;
	}
	s->whole = k == 0;
	return k < 0 ? err_errno(e, "%s", s->file.path) : OK;
}

void input_dir_remove(struct input_dir *d)
{
	if (!d->path)
		return;
	scratch_remove(d->path);
	if (d->scratch)
		d->scratch(d->path, SCRATCH_REMOVED);
	free(d->path);
	d->path = NULL;
}

void input_close(struct input_source *s)
{
	file_close(&s->file);
	buf_release(&s->head);
	input_dir_remove(&s->dir);
}

/* perf record --threads and --kcore write a directory, in which "data" is the recording. */
static int open_in_dir(struct input_source *s, const char *dir, struct err *e)
{
	char *data = xasprintf("%s/data", dir);
	int rc = files_open_part(dir, data, &s->file, e);

	if (rc && e->errno_value == ENOENT)
		err_wrap(e, "%s: is a directory without a recording", dir);
	s->in_dir = !rc;
	free(data);
	return rc;
}

static int open_path(
	struct input_source *s, const struct input_open_opts *o, const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return open_in_dir(s, path, e);
	if (file_open(&s->file, path, e))
		return e->code;
	if (S_ISFIFO(s->file.st.st_mode))
		wait_for_writer(o, &s->file);
	return OK;
}

static int open_stdin(struct input_source *s, const struct input_open_opts *o, struct err *e)
{
	int fd = dup(STDIN_FILENO);

	if (fd < 0)
		return err_errno(e, STDIN_NAME);
	if (file_adopt(&s->file, fd, STDIN_NAME, e))
		return e->code;
	wait_for_writer(o, &s->file);
	return OK;
}

/* The copy (of a pipe, or decompressed) becomes the input. */
static int replace_file(struct input_source *s, struct file *copy, struct err *e)
{
	file_close(&s->file);
	s->file = *copy;
	s->copied = true;
	s->head.n = 0;
	return read_head(s, e);
}

static void warn_of_memory(const struct input_open_opts *o)
{
	const char *dir = spill_dir_in_memory();
	char *line;

	if (!o->warn || !dir)
		return;
	line = xasprintf("%s is in memory: a large copy of the input fills it; set TMPDIR", dir);
	o->warn(o->warn_ctx, line);
	free(line);
}

static int replace_by_path(struct input_source *s, const char *path, struct err *e)
{
	struct file file;

	return file_open_regular(&file, path, e) ? e->code : replace_file(s, &file, e);
}

int input_make_regular(struct input_source *s, const struct input_open_opts *o, struct err *e)
{
	struct file copy;

	if (S_ISREG(s->file.st.st_mode))
		return OK;
	warn_of_memory(o);
	if (spill_pipe(&copy, &s->file, buf_span(&s->head), o->spill_limit_bytes, e))
		return e->code;
	return replace_file(s, &copy, e);
}

static int decompress_source(
	struct input_source *s, const struct input_open_opts *o, struct diag *d, struct err *e)
{
	struct file copy;
	int i;

	if (spill_is_compressed(buf_span(&s->head)))
		warn_of_memory(o);
	for (i = 0; i < NESTED_MAX && spill_is_compressed(buf_span(&s->head)); i++)
		if (spill_decompress(
			    &copy, &s->file, buf_span(&s->head), o->spill_limit_bytes, d, e) ||
			replace_file(s, &copy, e))
			return e->code;
	return OK;
}

/* ---- packs ---- */

static int unpack_pack(struct input_source *s, const struct input_open_opts *o, struct err *e)
{
	char *data;
	int rc;

	if (input_make_regular(s, o, e) || tar_load(e) || scratch_make(&s->dir.path, o->scratch, e))
		return e->code;
	s->dir.scratch = o->scratch;
	if (tar_unpack(&s->file, s->dir.path, o->spill_limit_bytes, e))
		return e->code;
	data = xasprintf("%s/data", s->dir.path);
	if (access(data, F_OK))
		rc = err_set(e, ERR_FORMAT,
			"%s: is a tar archive, but not a pack: it has no entry 'data'",
			s->file.path);
	else
		rc = replace_by_path(s, data, e);
	free(data);
	return rc;
}

static int recognize(struct input_source *s, const struct input_open_opts *o, const char *path,
	struct diag *d, struct err *e)
{
	if (read_head(s, e) || decompress_source(s, o, d, e))
		return e->code;
	if (!tar_is(buf_span(&s->head)))
		return OK;
	if (unpack_pack(s, o, e) || decompress_source(s, o, d, e))
		return e->code;
	return tar_is(buf_span(&s->head))
		       ? err_set(e, ERR_UNSUPPORTED, "%s: holds a pack in a pack", path)
		       : OK;
}

int input_open(struct input_source *s, const struct input_open_opts *o, const char *path,
	struct diag *d, struct err *e)
{
	int rc;

	*s = (struct input_source){ .file.fd = -1 };
	rc = strcmp(path, "-") == 0 ? open_stdin(s, o, e) : open_path(s, o, path, e);
	if (!rc)
		rc = recognize(s, o, path, d, e);
	if (!rc && !s->head.n)
		rc = err_set(e, ERR_FORMAT, "%s: is empty%s", s->file.path, other_input(&s->file));
	if (rc)
		input_close(s);
	return rc;
}
