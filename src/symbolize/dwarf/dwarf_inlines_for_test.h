/*
 * dwarf_inlines_for_test.h - the programs of testdata/elf/inlines, and what is inlined in them
 *
 * NAME.chains has the expected chain of functions of each site.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_INLINES_FOR_TEST_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_INLINES_FOR_TEST_H

#include "base/tmpdir_for_test.h"
#include "symbolize/symbolize.h"

#include <sys/stat.h>

#define FOLDER "testdata/elf/inlines/"

struct inlines_place {
	site_id site;
	char expected[512];
};

struct inlines {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct symbolize_opts o;
	struct symbolize_report rep;
	struct inlines_place place[256];
	size_t n;
};

static inline int set_up(void **state)
{
	struct inlines *w = xcalloc(1, sizeof(*w));

	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->r = recording_new("test", w->strings, w->frames);
	w->o = (struct symbolize_opts){
		.lines = true, .lines_in_names = true, .no_demangle = true
	};
	*state = w;
	return 0;
}

static inline int tear_down(void **state)
{
	struct inlines *w = *state;

	symbolize_report_release(&w->rep);
	recording_free(w->r);
	frames_free(w->frames);
	strtab_free(w->strings);
	free(w);
	return 0;
}

static inline module_id add_module(struct inlines *w, const char *name)
{
	struct module m = { .kind = MODULE_FILE };
	char *path = xasprintf("/%s", name);

	m.path = m.shown = strtab_add_str(w->strings, path);
	free(path);
	return modules_add(w->r->modules, &m);
}

static inline site_id add_site(struct inlines *w, module_id m, uint64_t address, enum site_how how)
{
	bool kernel = modules_get(w->r->modules, m)->kind == MODULE_KMOD;
	/* All programs here have their code where its address says. */
	struct site s = {
		.module = m, .rel = address, .how = how, .kind = kernel ? FRAME_KERNEL : FRAME_USER
	};

	return sites_add(w->r->sites, &s);
}

static inline void run_with(struct inlines *w, const struct files_opts *fo, unsigned workers)
{
	struct pool *pool = pool_new(workers);
	struct files *f = files_new(fo, w->strings);
	struct err e;

	w->o.files = f;
	symbolize_report_release(&w->rep);
	assert_int_equal(symbolize(w->r, &w->o, pool, &w->rep, &e), OK);
	files_free(f);
	pool_free(pool);
}

static inline void run_in(struct inlines *w, const char *dir)
{
	const char *symfs[] = { dir, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };

	run_with(w, &fo, 2);
}

static inline void run(struct inlines *w, unsigned workers)
{
	static const char *const symfs[] = { "testdata/elf/inlines", NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };

	run_with(w, &fo, workers);
}

/* "square:inlines.cpp:8 step:inlines.cpp:37": innermost first. */
static inline const char *chain_of(struct inlines *w, site_id site)
{
	static char text[512];
	size_t at = 0;
	uint32_t n;
	const frame_id *f = sites_frames(w->r->sites, site, &n);

	*text = '\0';
	while (n--) {
		struct span name = frames_name(w->frames, f[n]);
		bool inlined = frames_get(w->frames, f[n])->flags & FRAME_INLINED;

		assert_int_equal(inlined, n > 0);
		at += (size_t)snprintf(
			text + at, sizeof(text) - at, "%s%.*s", at ? " " : "", SPAN_ARG(name));
		assert_true(at < sizeof(text));
	}
	return text;
}

/* start: of the module, which is added to all addresses. */
static inline void read_chains_at(struct inlines *w, const char *name, module_id m, uint64_t start)
{
	char *path = xasprintf(FOLDER "%s.chains", name), line[600];
	FILE *f = fopen(path, "r");

	free(path);
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct inlines_place *p = &w->place[w->n++];
		struct span s = span_skip(span_of(line), 2);
		uint64_t address = 0;

		assert_true(w->n <= ARRAY_LEN(w->place) && span_scan_hex(&s, &address));
		s = span_trim(s);
		p->site = add_site(w, m, start + address, SITE_EXACT);
		snprintf(p->expected, sizeof(p->expected), "%.*s", SPAN_ARG(s));
	}
	fclose(f);
	assert_true(w->n > 50);
}

static inline void read_chains(struct inlines *w, const char *name, module_id m)
{
	read_chains_at(w, name, m, 0);
}

static inline void check_places(struct inlines *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		assert_string_equal(chain_of(w, w->place[i].site), w->place[i].expected);
}

/* All that is inlined here has internal linkage, but for the lambdas in get(). What is right was
 * seen in gdb, but for "{lambda}" and what it is in, which gdb leaves out. */
static inline void check_scopes_in(struct inlines *w, const char *program, const char *dir)
{
	static const struct {
		uint64_t address;
		const char *chain;
	} known[] = {
		{ 0x300, "shapes::square shapes::value::get(int)::{lambda(int)#1}::operator() "
			 "shapes::value::get" },
		{ 0x314, "shapes::value::get(int)::local::add shapes::value::get" },
		{ 0x31b, "(anonymous namespace)::point::norm (anonymous namespace)::point::twice "
			 "(anonymous namespace)::v2::helper shapes::value::get" },
		{ 0x322, "(anonymous namespace)::point::twice (anonymous namespace)::v2::helper "
			 "shapes::value::get" },
		{ 0x2d7, "(anonymous namespace)::outside::{lambda}::operator() "
			 "(anonymous namespace)::outside main" },
		{ 0x2e3, "(anonymous namespace)::larger<int> (anonymous namespace)::outside main" },
		{ 0x2f6, "(anonymous namespace)::outside main" },
	};
	module_id m = add_module(w, program);
	site_id at[ARRAY_LEN(known)];
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++)
		at[i] = add_site(w, m, known[i].address, SITE_EXACT);
	w->o = (struct symbolize_opts){ 0 };
	run_in(w, dir);
	for (i = 0; i < ARRAY_LEN(known); i++)
		assert_string_equal(chain_of(w, at[i]), known[i].chain);
}

/* ---- files of their own, and damage to them ------------------------------------------------ */

static inline void copy_file(void **dir, const char *from, const char *to)
{
	char *source = xasprintf(FOLDER "%s", from), *copy = tmpdir_path(dir, to);
	struct buf content = { 0 };
	struct err e;

	assert_int_equal(file_read_all(source, 1 << 20, &content, &e), OK);
	tmpdir_write(copy, buf_span(&content));
	buf_release(&content);
	free(source);
	free(copy);
}

static inline struct build_id build_id_of(const char *program)
{
	char *path = xasprintf(FOLDER "%s", program);
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(path, &why);
	struct build_id id;

	assert_non_null(ef);
	id = ef->build_id;
	assert_int_equal(id.n, 20);
	elf_file_close(ef);
	free(path);
	return id;
}

/* ".build-id/xx/yyyy" and a suffix. */
static inline char *place_by_id(const struct build_id *id, const char *suffix)
{
	char hex[41];

	build_id_hex(id, hex);
	return xasprintf(".build-id/%.2s/%s%s", hex, hex + 2, suffix);
}

/* Copies a file to the tree of build-ids of a directory, under the id of the program. */
static inline void copy_by_id(void **dir, const char *from, const char *program, const char *suffix)
{
	struct build_id id = build_id_of(program);
	char *place = place_by_id(&id, suffix), *path = tmpdir_path(dir, place), *slash;

	for (slash = strstr(path, "/.build-id/") + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	copy_file(dir, from, place);
	free(place);
	free(path);
}

/* The same for everyone who runs it. */
static inline uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static inline void damage(struct buf *b, uint32_t *seed)
{
	unsigned flips = 1 + next_random(seed) % 8;

	while (flips--)
		b->p[next_random(seed) % b->n] ^= (char)(1u << next_random(seed) % 8);
	if (next_random(seed) % 8 == 0)
		b->n = next_random(seed) % b->n;
}

#endif
