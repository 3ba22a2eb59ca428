/*
 * perfold pack: a recording, and every file that was used to name it, in one tar.zst
 * (files/pack.h).
 *
 * What belongs in it is not guessed: the recording goes through the pipeline as for a flame graph
 * of all events, and files/ notes each file that it opened (files_opts.uses). Beside these are
 * added the recording itself, and last the manifest, which lists all others with their digests
 * (pack_manifest.c). With --light only those parts of an ELF file are stored that names and
 * unwinding need.
 */
#include "base/counted.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "base/tar.h"
#include "base/utf8.h"
#include "cli/cleanup.h"
#include "cli/cli.h"
#include "cli/pack_manifest.h"
#include "cli/pack_sources.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>

struct pack_job {
	const char *path; /* of the pack */
	struct pack_uses *uses;
	struct pack_form form;
	struct pack_sources sources;
	char *scratch; /* the directory of a copy without stacks; NULL: there is none */
	char *stripped;
	uint32_t n_files, n_missing;
};

/* The contents of a pack. */

static void add(
	struct pack_job *p, const char *place, const char *path, struct file_identity identity)
{
	pack_uses_add(p->uses, &(struct pack_use){ .reason = PACK_RECORDING,
				       .place = (char *)place,
				       .path = (char *)path,
				       .identity = identity });
}

/* perf record --threads writes a directory: "data", which lists events and mappings, and a "data.N"
 * for each CPU. */
static int is_part(const struct dirent *d)
{
	struct span name = span_of(d->d_name);
	uint64_t number;

	if (span_eq(name, SPAN("data")))
		return true;
	if (!span_starts(name, SPAN("data.")))
		return false;
	name = span_skip(name, 5);
	return span_scan_u64(&name, &number) && !name.n;
}

static int add_part(struct pack_job *p, const char *dir, const char *name, struct err *e)
{
	char *path = xasprintf("%s/%s", dir, name);
	struct file f;
	int rc = files_open_part(dir, path, &f, e);

	if (!rc)
		add(p, name, f.path, file_identity(&f));
	file_close(&f);
	free(path);
	return rc;
}

static int add_recording(struct pack_job *p, const char *input, struct err *e)
{
	struct dirent **found;
	int n, i, rc = OK;

	if (p->stripped) {
		add(p, "data", p->stripped, (struct file_identity){ 0 });
		return OK;
	}
	n = scandir(input, &found, is_part, alphasort);
	if (n < 0) {
		add(p, "data", input, (struct file_identity){ 0 });
		return OK;
	}
	for (i = 0; i < n; i++) {
		if (!rc)
			rc = add_part(p, input, found[i]->d_name, e);
		free(found[i]);
	}
	free(found);
	return rc;
}

/* The file. */

static int write_file(
	const struct pack_job *p, struct tar_writer *w, const struct pack_use *use, struct err *e)
{
	struct pack_content *c;
	int rc = pack_content_open(&c, p->uses, use, &p->form, e);

	if (!rc)
		rc = tar_add(w, use->place, pack_content_size(c), pack_content_read, c, e);
	pack_content_free(c);
	return rc;
}

static int write_files(struct pack_job *p, struct sink *to, struct err *e)
{
	const struct pack_use *use = pack_uses_sorted(p->uses, &p->n_files);
	struct tar_writer *w;
	uint32_t i;
	int rc = tar_writer_new(&w, to, e);

	for (i = 0; i < p->n_files && !rc; i++)
		rc = write_file(p, w, &use[i], e);
	if (!rc)
		rc = tar_writer_finish(w, e);
	tar_writer_free(w);
	return rc;
}

static int write_pack(struct pack_job *p, struct err *e)
{
	struct sink *to;

	if (sink_open_private(&to, p->path, SINK_ZSTD, e))
		return e->code;
	if (write_files(p, to, e)) {
		sink_abort(to);
		return e->code;
	}
	return sink_commit(to, e);
}

/* The manifest lists all that was added before it. */
static int add_manifest(struct pack_job *p, const struct pipeline_result *r, struct err *e)
{
	struct pack_use use = { .reason = PACK_MANIFEST, .place = (char *)"manifest.json" };
	int rc = pack_manifest_put(
		&use.content, p->uses, &p->form, &p->sources, r, &p->n_missing, e);

	if (!rc)
		pack_uses_add(p->uses, &use);
	buf_release(&use.content);
	return rc;
}

static int make_pack(
	struct pack_job *p, const struct options *o, const struct pipeline_result *r, struct err *e)
{
	const struct recording *recording = r->recordings[0];

	if (recording->facts.packed)
		return err_set(e, ERR_UNSUPPORTED, "%s: is already a pack", recording->path);
	if (o->run.sources)
		pack_sources_find(&p->sources, r);
	if (add_recording(p, o->run.inputs[0], e) || add_manifest(p, r, e))
		return e->code;
	return write_pack(p, e);
}

/* --no-stacks: the run writes the copy beside what else it does. */

static int begin_copy(struct pack_job *p, struct options *o, struct err *e)
{
	if (!o->pack.no_stacks)
		return OK;
	if (scratch_make(&p->scratch, cleanup_dir, e))
		return e->code;
	p->stripped = xasprintf("%s/data", p->scratch);
	o->strip.path = p->stripped;
	o->run.read.strip = &o->strip;
	return OK;
}

static void end_copy(struct pack_job *p)
{
	if (p->scratch) {
		scratch_remove(p->scratch);
		cleanup_dir(p->scratch, SCRATCH_REMOVED);
	}
	free(p->scratch);
	free(p->stripped);
}

/* The command. */

static void report(const struct pack_job *p)
{
	struct buf b = { 0 }, safe = { 0 };

	buf_printf(&b, "%s: %" PRIu32 " %s", p->path, p->n_files,
		counted(p->n_files, "file", "files"));
	if (p->n_missing)
		buf_printf(&b,
			"; %" PRIu32 " of those that were sampled have no symbols here "
			"(manifest.json, perfold info --symbols)",
			p->n_missing);
	if (p->sources.n_missing)
		buf_printf(&b, "; %" PRIu32 " of %" PRIu32 " sources were not found",
			p->sources.n_missing, p->sources.n);
	utf8_put_terminal(&safe, buf_span(&b));
	fprintf(stderr, "%s\n", buf_str(&safe));
	buf_release(&b);
	buf_release(&safe);
}

static int check(const struct options *o, struct err *e)
{
	if (!o->pack.output)
		return err_set(e, ERR_USAGE, "pack: -o FILE is missing");
	if (o->run.n_inputs != 1)
		return err_set(e, ERR_USAGE, "pack: takes one recording");
	if (strcmp(o->run.inputs[0], "-") == 0)
		return err_set(e, ERR_USAGE, "pack: the recording must be a file");
	if (o->strip.hidden != STRIP_DEFAULT && !o->pack.no_stacks)
		return err_set(e, ERR_USAGE, "pack: --redact is of --no-stacks, which is missing");
	/* Files without a build-id are in a pack by their paths, and in its manifest all are. */
	if (o->pack.no_stacks && o->strip.hidden & (STRIP_USERS | STRIP_PATHS))
		return err_set(e, ERR_USAGE,
			"pack: --redact users and paths are for perfold strip: a pack has its "
			"files by their paths");
	return OK;
}

static int run_pack(struct options *o, int *status, struct err *e)
{
	static const char *const all_events[] = { "all", NULL };
	struct pack_job p = { .path = o->pack.output,
		.form = { .light = o->pack.light, .debug = o->pack.debug || o->pack.sources } };
	struct pipeline_result result = { 0 };
	int rc;

	(void)status;
	if (check(o, e))
		return e->code;
	p.uses = pack_uses_new();
	o->run.n_outputs = 0;
	o->run.read.events = all_events;
	o->run.symbolize.no_inline = o->run.symbolize.no_debug = !p.form.debug;
	o->run.sources = o->pack.sources;
	o->run.files.uses = p.uses;
	rc = begin_copy(&p, o, e);
	if (!rc)
		rc = run_command_pipeline(o, &result, e);
	if (!rc)
		rc = make_pack(&p, o, &result, e);
	if (!rc && !o->quiet) {
		run_summary_print_damage(&result.recordings[0]->diag);
		run_summary_print_unread(&result.reports[0]);
		pack_sources_report(&p.sources, &result);
		run_summary_note_source_maps(result.recordings[0], o);
		report(&p);
	}
	end_copy(&p);
	pack_sources_release(&p.sources);
	pipeline_release(&result);
	pack_uses_free(p.uses);
	return rc;
}

int cmd_pack(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_PACK, (struct command_line){ argc, argv },
		"perfold pack [OPTION...] [INPUT] -o FILE\n\n"
		"Writes a recording, the files that its samples hit, maps of generated code and\n"
		"the kernel's symbols to one file, which perfold reads on any machine.",
		run_pack, status, e);
}
