/*
 * The manifest of a pack, as JSON. Each file of the pack is read once more here, for its digest, as
 * it will be stored: in a light pack an ELF file is stored in part, and has a second digest, of the
 * whole file, which identifies its version. Frames are counted in all samples of
 * the recording. Files come in the order of their places, and nothing depends on this machine: the
 * same files make the same bytes.
 */
#include "cli/pack_manifest.h"

#include "base/json_writer.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "model/site_use.h"

#include <stdlib.h>

enum { VERSION = 1, CHUNK_BYTES = 64 * 1024 };

struct manifest {
	struct json_writer *json;
	const struct recording *r;
	const struct symbolize_report *report;
	struct pack_uses *uses;
	const struct pack_form *form;
	const struct pack_sources *sources;
	uint64_t *frames; /* by module_id: in all samples */
};

static void put_text(struct manifest *m, const char *key, struct span text)
{
	json_writer_key(m->json, key);
	json_writer_string(m->json, text);
}

static void put_number(struct manifest *m, const char *key, uint64_t n)
{
	json_writer_key(m->json, key);
	json_writer_u64(m->json, n);
}

static void put_build_id(struct manifest *m, const struct build_id *id)
{
	char text[41];

	if (id->n)
		put_text(m, "build_id", span_of(build_id_hex(id, text)));
}

/* Files. */

static int put_digest(struct manifest *m, struct pack_content *c, struct err *e)
{
	uint64_t at, size_bytes = pack_content_size(c);
	char *block = xmalloc(CHUNK_BYTES);
	uint8_t digest[SHA256_SIZE];
	struct buf hex = { 0 };
	struct sha256 sum;
	int rc = OK, i;

	sha256_init(&sum);
	for (at = 0; !rc && at < size_bytes; at += CHUNK_BYTES) {
		uint64_t left = size_bytes - at;
		size_t n = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;

		rc = pack_content_read(c, block, n, at, e);
		sha256_add(&sum, (struct span){ block, rc ? 0 : n });
	}
	sha256_finish(&sum, digest);
	for (i = 0; i < SHA256_SIZE; i++)
		buf_printf(&hex, "%02x", digest[i]);
	put_number(m, "bytes", size_bytes);
	put_text(m, "sha256", buf_span(&hex));
	buf_release(&hex);
	free(block);
	return rc;
}

/* Puts the digest of what form stores of a file; *light: that is not the whole file. */
static int put_digest_of(struct manifest *m, const struct pack_use *use,
	const struct pack_form *form, bool *light, struct err *e)
{
	struct pack_content *c;
	int rc = pack_content_open(&c, m->uses, use, form, e);

	*light = pack_content_is_light(c);
	if (!rc)
		rc = put_digest(m, c, e);
	pack_content_free(c);
	return rc;
}

static int put_digests(struct manifest *m, const struct pack_use *use, struct err *e)
{
	static const struct pack_form whole;
	bool light;
	int rc = put_digest_of(m, use, m->form, &light, e);

	if (rc || !light)
		return rc;
	json_writer_key(m->json, "original");
	json_writer_object(m->json);
	rc = put_digest_of(m, use, &whole, &light, e);
	json_writer_object_end(m->json);
	return rc;
}

static const char *reason_string(enum pack_reason reason)
{
	static const char *const text[] = {
		[PACK_RECORDING] = "the recording",
		[PACK_BINARY] = "its code was sampled",
		[PACK_SYMBOLS] = "has symbols or debug information of a file that was sampled",
		[PACK_KERNEL] = "has the symbols of the kernel",
		[PACK_PERF_MAP] = "perf map of a process",
		[PACK_JITDUMP] = "jitdump of a process",
		[PACK_SOURCE] = "source of functions that were sampled",
		[PACK_SOURCE_MAP] = "source map of functions that were sampled",
		[PACK_MANIFEST] = "manifest",
	};

	return text[reason];
}

static bool is_module_of(
	const struct manifest *m, const struct module *module, const struct pack_use *use)
{
	return use->reason == PACK_BINARY &&
	       (module->build_id.n ? build_id_same(&module->build_id, &use->id) : !use->id.n) &&
	       strcmp(strtab_str(m->r->strings, module->path), use->recorded) == 0;
}

/* Counts frames in a file. It may have been recorded in several mappings that are modules of their
 * own. */
static uint64_t frames_of(const struct manifest *m, const struct pack_use *use)
{
	uint64_t frames = 0;
	module_id id;

	for (id = 1; id < modules_count(m->r->modules); id++)
		if (is_module_of(m, modules_get(m->r->modules, id), use))
			frames += m->frames[id];
	return frames;
}

static int put_file(struct manifest *m, const struct pack_use *use, struct err *e)
{
	int rc;

	json_writer_object(m->json);
	put_text(m, "place", span_of(use->place));
	put_text(m, "why", span_of(reason_string(use->reason)));
	rc = put_digests(m, use, e);
	put_build_id(m, &use->id);
	if (*use->recorded)
		put_text(m, "recorded", span_of(use->recorded));
	if (use->reason == PACK_BINARY)
		put_number(m, "frames", frames_of(m, use));
	json_writer_object_end(m->json);
	return rc;
}

/* Files that were missing. */

static void count_frames(struct manifest *m)
{
	uint64_t *samples = site_use_count(m->r);
	site_id id;

	m->frames = xcalloc(modules_count(m->r->modules) + 1, sizeof(*m->frames));
	for (id = 1; id < sites_count(m->r->sites); id++)
		m->frames[sites_get(m->r->sites, id)->module] += samples[id];
	free(samples);
}

static const char *why_missing(const struct symbolize_module *m)
{
	switch (m->why) {
	case WHY_NO_FILE:
		return "no file was found";
	case WHY_REFUSED:
		return "the files that were found are not the recorded one";
	default:
		return "has no symbols";
	}
}

static bool is_missing(const struct module *module, const struct symbolize_module *m)
{
	return m->why != WHY_HAS_NAME &&
	       (module->kind == MODULE_FILE || module->kind == MODULE_VDSO ||
		       module->kind == MODULE_KERNEL || module->kind == MODULE_KMOD);
}

static uint32_t put_missing(struct manifest *m)
{
	uint32_t i, n = 0;

	for (i = 0; i < m->report->n; i++) {
		const struct symbolize_module *found = &m->report->modules[i];
		const struct module *module =
			found->module ? modules_get(m->r->modules, found->module) : NULL;

		if (!module || !is_missing(module, found))
			continue;
		json_writer_object(m->json);
		put_text(m, "recorded", strtab_get(m->r->strings, module->path));
		put_text(m, "why", span_of(why_missing(found)));
		put_build_id(m, &module->build_id);
		put_number(m, "frames", m->frames[found->module]);
		json_writer_object_end(m->json);
		n++;
	}
	return n;
}

static void put_missing_sources(struct manifest *m)
{
	uint32_t i;

	json_writer_key(m->json, "missing_sources");
	json_writer_array(m->json);
	for (i = 0; i < m->sources->n; i++) {
		const struct pack_source *s = &m->sources->at[i];

		if (s->found)
			continue;
		json_writer_object(m->json);
		put_text(m, "recorded", strtab_get(m->r->strings, s->file));
		put_text(m, "why",
			s->refused ? SPAN("the files that were found are refused")
				   : SPAN("no file was found"));
		json_writer_object_end(m->json);
	}
	json_writer_array_end(m->json);
}

/* The whole manifest. */

static void put_light(struct manifest *m)
{
	json_writer_key(m->json, "light");
	json_writer_bool(m->json, true);
	json_writer_key(m->json, "left_out");
	json_writer_array(m->json);
	json_writer_str(m->json, "data of binaries, and code that was not sampled");
	if (!m->form->debug)
		json_writer_str(m->json, "debug information: no inlined functions, no lines");
	json_writer_array_end(m->json);
}

static int put_manifest(struct manifest *m, uint32_t *missing, struct err *e)
{
	struct json_writer *j = m->json;
	const struct pack_use *use;
	uint32_t i, n;
	int rc = OK;

	json_writer_object(j);
	put_number(m, "perfpack", VERSION);
	if (m->form->light)
		put_light(m);
	json_writer_key(j, "files");
	json_writer_array(j);
	use = pack_uses_sorted(m->uses, &n);
	for (i = 0; i < n && !rc; i++)
		rc = put_file(m, &use[i], e);
	json_writer_array_end(j);
	json_writer_key(j, "missing");
	json_writer_array(j);
	*missing = put_missing(m);
	json_writer_array_end(j);
	if (m->sources->n_missing)
		put_missing_sources(m);
	json_writer_object_end(j);
	return rc;
}

int pack_manifest_put(struct buf *to, struct pack_uses *uses, const struct pack_form *form,
	const struct pack_sources *sources, const struct pipeline_result *r, uint32_t *missing,
	struct err *e)
{
	struct sink *sink = sink_to_buf(to);
	struct manifest m = { .json = json_writer_new(sink),
		.r = r->recordings[0],
		.report = &r->reports[0],
		.uses = uses,
		.form = form,
		.sources = sources };
	int rc;

	json_writer_indent(m.json, "\t");
	count_frames(&m);
	rc = put_manifest(&m, missing, e);
	json_writer_free(m.json);
	free(m.frames);
	if (rc) {
		sink_abort(sink);
		return rc;
	}
	return sink_commit(sink, e);
}
