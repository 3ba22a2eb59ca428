/*
 * perfold resolve: names for the addresses in a text of another tool.
 *
 * The text is copied in blocks. process/addresses/ finds the addresses in a block and puts the
 * block with their names; what may go on in the next block is left for that. Each read() returns
 * what is there, and what is done is flushed, so that a pipeline shows a line as soon as it was
 * written. Compressed texts are unpacked to a temporary file first; a recording is refused, since
 * perfold FILE resolves that.
 */
#include "base/counted.h"
#include "base/mem.h"
#include "base/sink.h"
#include "cli/cli.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "input/input.h"
#include "process/addresses/addresses.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <unistd.h>

enum { BLOCK_BYTES = 256 * 1024 };

struct resolve_run {
	struct text_names names;
	struct sink *to;
	struct buf text, out;
	size_t block_bytes;
	struct diag diag;
};

/* Reads as much as there is now, up to a block. */
static int read_more(struct resolve_run *c, const struct file *f, size_t *got, struct err *e)
{
	ssize_t n;

	buf_reserve(&c->text, c->block_bytes);
	while ((n = read(f->fd, c->text.p + c->text.n, c->block_bytes)) < 0) {
		if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = f->fd, .events = POLLIN }, 1, -1);
		else if (errno != EINTR)
			return err_errno(e, "%s", f->path);
	}
	*got = (size_t)n;
	c->text.n += *got;
	return OK;
}

static void put_names(struct resolve_run *c, bool last)
{
	size_t done = text_names_put(&c->names, buf_span(&c->text), last, &c->out);

	sink_put(c->to, c->out.p, c->out.n);
	c->out.n = 0;
	c->text.n -= done;
	if (done && c->text.n)
		memmove(c->text.p, c->text.p + done, c->text.n);
}

static int copy_rest(struct resolve_run *c, const struct file *f, struct err *e)
{
	size_t got = 1;

	while (got && !sink_failed(c->to)) {
		if (read_more(c, f, &got, e))
			return e->code;
		put_names(c, !got);
		if (!S_ISREG(f->st.st_mode))
			sink_flush(c->to);
	}
	return OK;
}

static int copy_unpacked(struct resolve_run *c, const struct file *f, struct err *e)
{
	struct file plain;
	int rc;

	if (spill_decompress(&plain, f, buf_span(&c->text), 0, &c->diag, e))
		return e->code;
	c->text.n = 0;
	lseek(plain.fd, 0, SEEK_SET);
	rc = copy_rest(c, &plain, e);
	file_close(&plain);
	return rc;
}

static int copy_file(struct resolve_run *c, const struct file *f, struct err *e)
{
	size_t got;

	if (read_more(c, f, &got, e))
		return e->code;
	if (process_is_perf_data(buf_span(&c->text)))
		return err_set(e, ERR_UNSUPPORTED,
			"%s: is a recording, not a text; perfold FILE resolves it", f->path);
	if (spill_is_compressed(buf_span(&c->text)))
		return copy_unpacked(c, f, e);
	put_names(c, !got);
	return copy_rest(c, f, e);
}

static int copy_input(struct resolve_run *c, const char *path, struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct file f;
	int rc = is_stdin ? file_adopt(&f, STDIN_FILENO, "standard input", e)
			  : file_open(&f, path, e);

	if (rc)
		return rc;
	rc = copy_file(c, &f, e);
	file_close(&f);
	return rc;
}

static int copy_all(struct resolve_run *c, const struct options *o, struct err *e)
{
	size_t i;

	if (o->default_input)
		return copy_input(c, "-", e);
	for (i = 0; i < o->run.n_inputs; i++)
		if (copy_input(c, o->run.inputs[i], e))
			return e->code;
	return OK;
}

static void put_count(struct buf *b, uint64_t n, const char *what)
{
	if (n)
		buf_printf(b, "; %" PRIu64 " %s", n, what);
}

static void print_summary(const struct resolve_run *c, const struct addresses *a)
{
	const uint64_t *count = c->names.count;
	uint64_t named = count[TEXT_NAMED] + count[TEXT_NAMED_LAST];
	struct buf b = { 0 };

	run_summary_print_damage(addresses_diag(a));
	run_summary_print_damage(&c->diag);
	buf_printf(&b, "%" PRIu64 " %s named", named, counted(named, "address", "addresses"));
	put_count(&b, count[TEXT_NAMED_LAST], "by the last of several functions at their place");
	put_count(&b, count[TEXT_AMBIGUOUS], "left: files disagree about them");
	put_count(&b, count[TEXT_UNNAMED],
		"left: their files are missing or have no symbol there (--symfs)");
	put_count(&b, count[TEXT_UNKNOWN], "left: not in known code");
	message("%s", buf_str(&b));
	buf_release(&b);
}

static int run_with(struct addresses *a, const struct options *o, struct err *e)
{
	struct resolve_run c = {
		.names = { .name = addresses_name, .ctx = a, .in_place = o->resolve.in_place },
		.block_bytes = o->run.read.block_bytes ? o->run.read.block_bytes : BLOCK_BYTES
	};
	int rc = sink_open(&c.to, o->resolve.output ? o->resolve.output : "-", SINK_PLAIN, e);

	if (!rc) {
		rc = copy_all(&c, o, e);
		if (rc)
			sink_abort(c.to);
		else
			rc = sink_commit(c.to, e);
	}
	if (!rc && !o->quiet)
		print_summary(&c, a);
	text_names_release(&c.names);
	buf_release(&c.text);
	buf_release(&c.out);
	return rc;
}

static int run_resolve(struct options *o, int *status, struct err *e)
{
	struct addresses_opts ao = {
		.files = &o->run.files,
		.proc_maps = o->proc_maps.item,
		.n_proc_maps = (uint32_t)o->proc_maps.n,
		.pid = o->resolve.pid ? (int32_t)o->resolve.pid : -1,
		.full_names = o->run.collapse.full_names,
		.no_demangle = o->run.symbolize.no_demangle,
	};
	struct addresses *a;
	int rc;

	(void)status;
	if (addresses_new(&a, &ao, e))
		return e->code;
	rc = run_with(a, o, e);
	addresses_free(a);
	return rc;
}

int cmd_resolve(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_RESOLVE, (struct command_line){ argc, argv },
		"perfold resolve [OPTION...] [INPUT...]\n\n"
		"Copies a text, by default standard input, and names the addresses in it: from\n"
		"maps and dumps of generated code and from mapped files. All else stays as it is.",
		run_resolve, status, e);
}
