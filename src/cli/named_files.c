/*
 * Each option that names a file to read has a row in the list that visit_all() goes through: the
 * paths given to it, and what such a file looks like. named_files_check() looks at the first
 * 64 KiB; what a reader finds later (a damaged record) is its own business.
 *
 * Files of filters, inputs and --fds are always read, and report their own faults.
 */
#include "cli/named_files.h"

#include "base/mem.h"
#include "cli/run_summary.h"
#include "jit/jit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_BYTES = 64 * 1024 };

struct head {
	const struct file *file;
	struct span text;
	bool whole; /* the file has no more */
};

/* Sets e to what is wrong with the file, without its name. */
typedef int (*head_check)(const struct head *h, struct err *e);

/* ---- what files look like ----------------------------------------------------------------- */

static int check_kallsyms(const struct head *h, struct err *e)
{
	switch (files_kallsyms_form(h->text)) {
	case KALLSYMS_HIDDEN:
		return err_set(e, ERR_FORMAT, "all addresses are hidden (kernel.kptr_restrict)");
	case KALLSYMS_OTHER:
		return err_set(e, ERR_FORMAT, "is not a list of kernel symbols");
	case KALLSYMS_LIST:
		break;
	}
	/* The kernel ends each line. */
	if (h->whole && h->text.p[h->text.n - 1] != '\n')
		return err_set(e, ERR_FORMAT, "is cut off within a line");
	return OK;
}

static int check_vmlinux(const struct head *h, struct err *e)
{
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(h->file->path, &why);
	int rc = OK;

	if (!ef)
		rc = err_set(e, ERR_FORMAT, why == FILES_CUT ? "is cut off" : "is not an ELF file");
	else if (!elf_file_has(ef, FILES_NEED_SYMBOLS))
		rc = err_set(e, ERR_FORMAT, "has no symbols");
	elf_file_close(ef);
	return rc;
}

static int check_perf_map(const struct head *h, struct err *e)
{
	return perf_map_is(h->text) ? OK : err_set(e, ERR_FORMAT, "is not a perf map");
}

static int check_jitdump(const struct head *h, struct err *e)
{
	struct jitdump_header header;
	struct err why;

	return jitdump_peek(&header, h->file, &why) ? err_set(e, ERR_FORMAT, "is not a jitdump")
						    : OK;
}

/* ---- the options -------------------------------------------------------------------------- */

/* What an option names. */
struct named {
	const char *option, *path;
	bool dir;         /* a directory */
	bool archive;     /* or an archive, which is unpacked later */
	bool input;       /* or an input, which is a pack */
	bool own_report;  /* its reader says what it could not be used for */
	head_check check; /* of a file; NULL: its reader says what is wrong */
};

typedef void (*visit_named)(void *ctx, const struct named *n);

static void visit_list(const struct string_list *l, struct named kind, visit_named visit, void *ctx)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		kind.path = l->item[i];
		visit(ctx, &kind);
	}
}

static void visit_numbered(
	const struct numbered_files *l, struct named kind, visit_named visit, void *ctx)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		kind.path = l->item[i].path;
		visit(ctx, &kind);
	}
}

static void visit_all(const struct options *o, visit_named visit, void *ctx)
{
	const struct files_opts *f = &o->run.files;
	const struct named single[] = {
		{ .option = "map-dir", .path = f->map_dir, .dir = true },
		{ .option = "kallsyms", .path = f->kallsyms, .check = check_kallsyms },
		{ .option = "vmlinux", .path = f->vmlinux, .check = check_vmlinux },
	};
	size_t i;

	visit_list(&o->symfs, (struct named){ .option = "symfs", .dir = true }, visit, ctx);
	visit_list(&o->debug_dirs,
		(struct named){ .option = "debug-dir", .dir = true, .archive = true }, visit, ctx);
	visit_list(&o->source_maps,
		(struct named){
			.option = "source-maps", .dir = true, .input = true, .own_report = true },
		visit, ctx);
	visit_list(&o->source_dirs,
		(struct named){ .option = "source-dir", .dir = true, .own_report = true }, visit,
		ctx);
	for (i = 0; i < o->source_prefixes.n; i++)
		visit(ctx, &(struct named){ .option = "source-prefix",
				   .path = o->source_prefixes.item[i].to,
				   .dir = true,
				   .own_report = true });
	visit_numbered(
		&o->containers, (struct named){ .option = "container", .dir = true }, visit, ctx);
	visit_numbered(&o->perf_maps,
		(struct named){ .option = "perf-map", .check = check_perf_map }, visit, ctx);
	visit_numbered(&o->jitdumps, (struct named){ .option = "jitdump", .check = check_jitdump },
		visit, ctx);
	visit_numbered(&o->proc_maps, (struct named){ .option = "proc-maps" }, visit, ctx);
	for (i = 0; i < ARRAY_LEN(single); i++)
		if (single[i].path)
			visit(ctx, &single[i]);
}

/* ---- before the work ---------------------------------------------------------------------- */

static int check_dir(const struct named *n, struct err *e)
{
	DIR *dir = opendir(n->path);

	if (!dir)
		return err_errno(e, "%.400s", n->path);
	closedir(dir);
	return OK;
}

static int check_head(const struct named *n, const struct file *f, struct err *e)
{
	struct head h = { .file = f };
	struct buf text = { 0 };
	int rc;

	buf_reserve(&text, HEAD_BYTES);
	rc = file_read_some_at(f, text.p, HEAD_BYTES, 0, &text.n, e);
	h.text = buf_span(&text);
	h.whole = text.n < HEAD_BYTES;
	if (!rc && !text.n)
		rc = err_set(e, ERR_FORMAT, "is empty");
	if (!rc)
		rc = n->check(&h, e);
	if (rc)
		err_wrap(e, "%.400s", n->path);
	buf_release(&text);
	return rc;
}

static int check_file(const struct named *n, struct err *e)
{
	struct file f;
	int rc;

	if (file_open_regular(&f, n->path, e))
		return e->code;
	rc = n->check ? check_head(n, &f, e) : OK;
	file_close(&f);
	return rc;
}

struct checking {
	const struct options *options;
	struct err *e;
	int rc;
};

static bool is_input(const struct options *o, const char *path)
{
	size_t i;

	for (i = 0; i < o->run.n_inputs; i++)
		if (strcmp(o->run.inputs[i], path) == 0)
			return true;
	return false;
}

/* Something else than a directory is fine, too. */
static bool may_be_file(const struct checking *c, const struct named *n)
{
	return n->archive || (n->input && is_input(c->options, n->path));
}

static void check_one(void *ctx, const struct named *n)
{
	struct checking *c = ctx;
	struct stat st;

	if (c->rc)
		return;
	if (stat(n->path, &st)) {
		bool missing = errno == ENOENT || errno == ENOTDIR;

		c->rc = err_errno(c->e, "%.400s", n->path);
		if (missing)
			c->rc = c->e->code = ERR_USAGE;
	} else if (n->dir && !(S_ISREG(st.st_mode) && may_be_file(c, n))) {
		c->rc = check_dir(n, c->e);
	} else {
		c->rc = check_file(n, c->e);
	}
	if (c->rc)
		c->rc = err_wrap(c->e, "--%s", n->option);
}

int named_files_check(const struct options *o, struct err *e)
{
	struct checking c = { o, e, OK };

	visit_all(o, check_one, &c);
	return c.rc;
}

/* ---- after it ----------------------------------------------------------------------------- */

struct usage {
	const struct pipeline_result *result;
	void (*put)(void *ctx, const char *line);
	void *ctx;
};

static bool is_below(const struct named *n, struct span path)
{
	return n->dir ? span_starts(path, span_of(n->path)) : span_eq(path, span_of(n->path));
}

/* What became of the file, or of one below the directory. A use wins. */
static void look_at_trail(const struct named *n, const struct files_trail *t,
	const struct build_id *recorded, bool *used, struct buf *refusal)
{
	uint32_t i;

	for (i = 0; i < t->n && !*used; i++) {
		const struct files_step *s = &t->step[i];

		if (!is_below(n, span_of(s->path)) || s->verdict == FILES_ABSENT)
			continue;
		*used = s->verdict == FILES_USED;
		if (!*used && !refusal->n)
			files_step_put(refusal, s, recorded);
	}
}

static void look_at_symbols(
	const struct named *n, const struct pipeline_result *r, bool *used, struct buf *refusal)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < r->n_recordings; i++)
		for (k = 0; k < r->reports[i].n && !*used; k++) {
			const struct symbolize_module *m = &r->reports[i].modules[k];

			look_at_trail(n, &m->trail,
				&modules_get(r->recordings[i]->modules, m->module)->build_id, used,
				refusal);
		}
}

static bool all_have_names(const struct pipeline_result *r)
{
	struct frame_account a = { 0 };
	size_t i;

	for (i = 0; i < r->n_recordings; i++)
		frame_account_add(&a, r->recordings[i]);
	return a.why[WHY_HAS_NAME] == a.frames;
}

/* How much of the code a map lacks is reported with the process (jit_advice.h). */
static bool names_generated_code(const struct named *n, const struct pipeline_result *r)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < r->n_recordings; i++) {
		const struct recording *rec = r->recordings[i];

		for (k = 0; k < rec->n_processes; k++) {
			const struct process_use *p = &rec->processes[k];

			if (is_below(n, strtab_get(rec->strings, p->perf_map)) ||
				is_below(n, strtab_get(rec->strings, p->jitdump)))
				return true;
		}
	}
	return false;
}

/* A text with branch stacks has addresses of branches in files, and maybe no others: nobody keeps
 * where each of these files was found, so whatever was named counts as used. */
static bool finds_branches(const struct pipeline_result *r)
{
	uint32_t i;

	for (i = 0; i < r->branches.n; i++)
		if (r->branches.binary[i].why == BRANCH_FOUND)
			return true;
	return false;
}

static void report_unused(void *ctx, const struct named *n)
{
	const struct usage *u = ctx;
	struct buf refusal = { 0 };
	bool used = false;
	struct stat st;
	char *line;

	/* What was found in an archive is known by the paths that it was unpacked to. */
	if (n->own_report || (n->archive && !stat(n->path, &st) && S_ISREG(st.st_mode)))
		return;
	look_at_symbols(n, u->result, &used, &refusal);
	/* What was refused below a directory is reported with the module that misses it. The
	 * account of names comes last, as it takes a replay of the recording. */
	if (!used && !(n->dir && refusal.n) && !names_generated_code(n, u->result) &&
		!finds_branches(u->result) && !all_have_names(u->result)) {
		line = refusal.n ? xasprintf("--%s: %s", n->option, buf_str(&refusal))
				 : xasprintf("--%s: %s: names nothing in this recording", n->option,
					   n->path);
		u->put(u->ctx, line);
		free(line);
	}
	buf_release(&refusal);
}

void named_files_report_unused(const struct options *o, const struct pipeline_result *r,
	void (*put)(void *ctx, const char *line), void *ctx)
{
	struct usage u = { r, put, ctx };

	visit_all(o, report_unused, &u);
}
