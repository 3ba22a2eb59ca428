#include "symbolize/symbolize.h"

#include "base/mem.h"
#include "model/names/v8_name.h"
#include "symbolize/elf/tiny_elf_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

struct world {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct files_opts fo;
	struct symbolize_opts o;
	struct symbolize_report rep;
	struct pool *pool;
	char kallsyms[64];
};

static const char *const symfs[] = { "testdata", NULL };

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->r = recording_new("test", w->strings, w->frames);
	w->pool = pool_new(2);
	w->fo = (struct files_opts){ .symfs = symfs, .no_system = true };
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	if (*w->kallsyms)
		unlink(w->kallsyms);
	symbolize_report_release(&w->rep);
	pool_free(w->pool);
	recording_free(w->r);
	frames_free(w->frames);
	strtab_free(w->strings);
	free(w);
	return 0;
}

static module_id module(struct world *w, enum module_kind kind, const char *path)
{
	struct module m = { .kind = kind };

	m.path = m.shown = strtab_add_str(w->strings, path);
	return modules_add(w->r->modules, &m);
}

static site_id site(struct world *w, module_id m, uint64_t rel, enum site_how how)
{
	struct site s = { .module = m, .rel = rel, .how = how, .kind = FRAME_USER };

	if (m && modules_get(w->r->modules, m)->kind >= MODULE_KERNEL &&
		modules_get(w->r->modules, m)->kind <= MODULE_BPF)
		s.kind = FRAME_KERNEL;
	return sites_add(w->r->sites, &s);
}

static void run(struct world *w)
{
	struct files *f = files_new(&w->fo, w->strings);
	struct err e;

	w->o.files = f;
	symbolize_report_release(&w->rep);
	assert_int_equal(symbolize(w->r, &w->o, w->pool, &w->rep, &e), OK);
	files_free(f);
}

static const struct frame *frame_of(struct world *w, site_id id)
{
	uint32_t n;
	const frame_id *f = sites_frames(w->r->sites, id, &n);

	assert_int_equal(n, 1);
	return frames_get(w->frames, *f);
}

static void assert_name(struct world *w, site_id id, const char *name)
{
	const struct frame *f = frame_of(w, id);

	assert_string_equal(strtab_str(w->strings, f->name), name);
	assert_int_equal(f->why, WHY_HAS_NAME);
}

static void assert_unknown(struct world *w, site_id id, enum frame_why why)
{
	const struct frame *f = frame_of(w, id);

	assert_int_equal(f->kind, FRAME_UNKNOWN);
	assert_int_equal(f->name, 0);
	assert_int_equal(f->why, why);
}

struct place {
	module_id module;
	uint64_t rel;
	enum site_how how;
	const char *name; /* NULL: unknown */
	enum frame_why why;
};

/* Adds sites, and looks at what they are called. */
static void expect_places(struct world *w, const struct place *p, size_t n)
{
	site_id id[8];
	size_t i;

	assert_true(n <= ARRAY_LEN(id));
	for (i = 0; i < n; i++)
		id[i] = site(w, p[i].module, p[i].rel, p[i].how);
	run(w);
	for (i = 0; i < n; i++)
		if (p[i].name)
			assert_name(w, id[i], p[i].name);
		else
			assert_unknown(w, id[i], p[i].why);
}

#define EXPECT(w, ...)                                                                             \
	expect_places((w), (const struct place[]){ __VA_ARGS__ },                                  \
		ARRAY_LEN(((const struct place[]){ __VA_ARGS__ })))

/* A program in a directory of its own, below which files are looked for. */
struct program {
	char dir[32], path[64];
	const char *symfs[2];
};

/* code: put at 0x40 of .text. */
static void write_program(struct world *w, struct program *p, const char *name,
	const struct tiny_elf *tiny, struct span code)
{
	size_t size_bytes;
	char *image = tiny_elf_image(tiny, &size_bytes);
	FILE *f;

	memcpy(image + TINY_TEXT_OFFSET + 0x40, code.p, code.n);
	*p = (struct program){ .dir = "/tmp/perfold-symbols-XXXXXX" };
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->path, sizeof(p->path), "%s%s", p->dir, name);
	f = fopen(p->path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(image, 1, size_bytes, f), size_bytes);
	fclose(f);
	free(image);
	p->symfs[0] = p->dir;
	w->fo.symfs = p->symfs;
}

static void remove_program(const struct program *p)
{
	assert_int_equal(unlink(p->path), 0);
	assert_int_equal(rmdir(p->dir), 0);
}

/* What perf inject --jit makes of a jitdump of V8. */
static void generated_code_in_a_file_is_generated_code(void **state)
{
	static const char name[] = "JS:*fib /srv/app.js:5:13";
	struct world *w = *state;
	struct program p;
	struct tiny_elf tiny;
	site_id fib;

	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, name, 0x10, 0x20, STT_FUNC);
	write_program(w, &p, "/jitted-7-12.so", &tiny, SPAN(""));
	fib = site(
		w, module(w, MODULE_FILE, "/jitted-7-12.so"), TINY_TEXT_OFFSET + 0x18, SITE_EXACT);
	run(w);
	assert_name(w, fib, name);
	assert_int_equal(frame_of(w, fib)->kind, FRAME_JIT);
	assert_int_equal(frame_of(w, fib)->tier, V8_TURBOFAN);
	assert_int_equal(frame_of(w, fib)->line, 5);
	assert_string_equal(strtab_str(w->strings, frame_of(w, fib)->file), "/srv/app.js");
	remove_program(&p);
}

/* As in glibc, whose __restore_rt has no size: it is what a signal handler returns to. */
static void a_label_of_the_code_that_a_handler_returns_to_names_it(void **state)
{
	struct world *w = *state;
	struct program p;
	struct tiny_elf tiny;
	module_id m = module(w, MODULE_FILE, "/program");

	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "before", 0x30, 0, STT_FUNC);
	tiny_elf_add(&tiny, "__restore_rt", 0x40, 0, STT_FUNC);
	write_program(w, &p, "/program", &tiny, SPAN("\x48\xc7\xc0\x0f\0\0\0\x0f\x05"));
	EXPECT(w, { m, TINY_TEXT_OFFSET + 0x3f, SITE_EXACT, "before", 0 },
		{ m, TINY_TEXT_OFFSET + 0x40, SITE_EXACT, "__restore_rt", 0 },
		{ m, TINY_TEXT_OFFSET + 0x47, SITE_EXACT, "__restore_rt", 0 },
		/* a frame pointer leads to it; nothing calls it */
		{ m, TINY_TEXT_OFFSET + 0x40, SITE_RETURN, "__restore_rt", 0 });
	remove_program(&p);
}

/* In cet: .plt 0x3f0, .plt.sec 0x410, leaf 0x420 to 0x426, main to 0x44a. */
static void functions_of_a_program_are_named(void **state)
{
	struct world *w = *state;
	module_id cet = module(w, MODULE_FILE, "/elf/cet");
	site_id leaf = site(w, cet, 0x420, SITE_EXACT), m = site(w, cet, 0x449, SITE_EXACT);
	site_id behind = site(w, cet, 0x44a, SITE_EXACT), start = site(w, cet, 0, SITE_EXACT);

	run(w);
	assert_name(w, leaf, "leaf");
	assert_name(w, m, "main");
	assert_unknown(w, behind, WHY_NO_SYMBOL);
	assert_unknown(w, start, WHY_NO_SYMBOL);
	assert_int_equal(frame_of(w, leaf)->kind, FRAME_USER);
	assert_string_equal(strtab_str(w->strings, frame_of(w, behind)->module), "/elf/cet");
	assert_int_equal(w->rep.n, 1);
	assert_int_equal(w->rep.modules[0].sites, 4);
	assert_int_equal(w->rep.modules[0].named, 2);
	assert_string_equal(w->rep.modules[0].runtime_path, "testdata/elf/cet");
	assert_int_equal(w->rep.modules[0].module, cet);
}

/* leaf() ends in a jump, thrower() in a call that does not return. */
static void write_calls(struct world *w, struct program *p)
{
	static const char code[] =
		"\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xe9\x10\0\0\0"
		"\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xe8\x10\0\0\0"
		"\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xff\x50\x08\xc3";
	struct tiny_elf tiny;

	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "zeros", 0x30, 0x10, STT_FUNC);
	tiny_elf_add(&tiny, "leaf", 0x40, 0x10, STT_FUNC);
	tiny_elf_add(&tiny, "thrower", 0x50, 0x10, STT_FUNC);
	tiny_elf_add(&tiny, "next", 0x60, 0x10, STT_FUNC);
	write_program(w, p, "/program", &tiny, (struct span){ code, sizeof(code) - 1 });
}

static void a_return_address_belongs_to_its_call(void **state)
{
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/program");
	struct program p;

	write_calls(w, &p);
	EXPECT(w, { m, TINY_TEXT_OFFSET + 0x60, SITE_RETURN, "thrower", 0 },
		{ m, TINY_TEXT_OFFSET + 0x6f, SITE_RETURN, "next", 0 });
	w->o.compat_perf = true;
	EXPECT(w, { m, TINY_TEXT_OFFSET + 0x60, SITE_RETURN, "next", 0 });
	remove_program(&p);
}

/* A broken frame pointer leads to a table of virtual functions, say: its entries are no callers. */
static void a_first_byte_that_no_call_is_before_is_no_return_address(void **state)
{
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/program");
	struct program p;

	write_calls(w, &p);
	EXPECT(w, { m, TINY_TEXT_OFFSET + 0x50, SITE_RETURN, NULL, WHY_NO_SYMBOL },
		{ m, TINY_TEXT_OFFSET + 0x50, SITE_EXACT, "thrower", 0 },
		{ m, TINY_TEXT_OFFSET + 0x51, SITE_RETURN, "thrower", 0 },
		/* zeros are code that a light pack left out */
		{ m, TINY_TEXT_OFFSET + 0x40, SITE_RETURN, "zeros", 0 });
	w->o.compat_perf = true;
	EXPECT(w, { m, TINY_TEXT_OFFSET + 0x50, SITE_RETURN, "thrower", 0 });
	remove_program(&p);
}

/* Functions without symbols, one() from 0x217d, two() from 0x21ad on (elf_functions_test.c). */
static void such_a_first_byte_is_in_no_function_of_a_stripped_program(void **state)
{
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/elf/unsized/root/tmp/perfold/bin/unsized");
	site_id first = site(w, m, 0x21ad, SITE_RETURN), exact = site(w, m, 0x21ad, SITE_EXACT);
	site_id second = site(w, m, 0x21ae, SITE_RETURN);

	run(w);
	assert_unknown(w, first, WHY_NO_SYMBOL);
	assert_int_equal(frame_of(w, first)->flags, 0);
	assert_int_equal(frame_of(w, exact)->address, 0x21ad);
	assert_int_equal(frame_of(w, second)->address, 0x21ad);
}

static void stubs_of_the_plt_are_named(void **state)
{
	struct world *w = *state;
	module_id cet = module(w, MODULE_FILE, "/elf/cet");

	EXPECT(w, { cet, 0x400, SITE_EXACT, "rand@plt", 0 },
		{ cet, 0x414, SITE_EXACT, "rand@plt", 0 });
	w->o.compat_perf = true;
	EXPECT(w, { cet, 0x400, SITE_EXACT, "rand@plt", 0 },
		{ cet, 0x414, SITE_EXACT, NULL, WHY_NO_SYMBOL });
}

static void separate_symbols_are_used(void **state)
{
	struct world *w = *state;
	module_id linked = module(w, MODULE_FILE, "/elf/program");
	module_id packed = module(w, MODULE_FILE, "/elf/debugdata");

	EXPECT(w, { linked, 0x320, SITE_EXACT, "leaf", 0 },
		{ packed, 0x320, SITE_EXACT, "leaf", 0 }, { linked, 0x326, SITE_EXACT, "main", 0 },
		{ packed, 0x326, SITE_EXACT, NULL, WHY_NO_SYMBOL });
	assert_int_equal(w->rep.modules[0].module, linked);
	assert_string_equal(w->rep.modules[0].symbols_path, "testdata/elf/program.debug");
}

static void a_module_without_a_file_has_a_reason(void **state)
{
	struct world *w = *state;
	struct module other = { .kind = MODULE_FILE, .build_id = { 20, { 1 } } };
	module_id gone = module(w, MODULE_FILE, "/elf/gone");
	module_id jit = module(w, MODULE_JIT, "/tmp/perf-1.map");
	module_id anon = module(w, MODULE_ANON, "[heap]");

	other.path = other.shown = strtab_add_str(w->strings, "/elf/cet");
	EXPECT(w, { 0, 0x1234, SITE_EXACT, NULL, WHY_NO_MAPPING },
		{ gone, 1, SITE_EXACT, NULL, WHY_NO_FILE },
		{ jit, 1, SITE_EXACT, NULL, WHY_NO_JIT_MAP },
		{ anon, 1, SITE_EXACT, NULL, WHY_NO_FILE },
		{ modules_add(w->r->modules, &other), 1, SITE_EXACT, NULL, WHY_REFUSED });
	assert_int_equal(w->r->diag.count[DIAG_BUILD_ID_MISMATCH], 1);
}

static void generated_code_outside_its_map_says_so(void **state)
{
	struct world *w = *state;
	struct module m = { .kind = MODULE_JIT, .owner_pid = 42 };
	site_id s = site(w, modules_add(w->r->modules, &m), 0x1000, SITE_EXACT);

	w->r->processes = xcalloc(1, sizeof(*w->r->processes));
	w->r->processes[0] = (struct process_use){ .pid = 42, .perf_map = m.path + 1 };
	w->r->n_processes = 1;
	run(w);
	assert_unknown(w, s, WHY_NOT_IN_MAP);
}

static void frames_known_from_reading_are_kept(void **state)
{
	struct world *w = *state;
	struct frame f = { .name = strtab_add_str(w->strings, "JS:*fib"), .kind = FRAME_JIT };
	frame_id js = frames_add(w->frames, &f);
	module_id cet = module(w, MODULE_FILE, "/elf/cet");
	struct site named = { .named = js, .kind = FRAME_JIT };
	struct site behind = { .module = cet, .rel = 0x44a, .fallback = js, .kind = FRAME_USER };
	struct site inside = { .module = cet, .rel = 0x420, .fallback = js, .kind = FRAME_USER };
	site_id a = sites_add(w->r->sites, &named), b = sites_add(w->r->sites, &behind);
	site_id c = sites_add(w->r->sites, &inside);

	run(w);
	assert_name(w, a, "JS:*fib");
	assert_name(w, b, "JS:*fib");
	assert_name(w, c, "leaf");
}

static void addresses_are_kept_on_demand_only(void **state)
{
	struct world *w = *state;
	site_id s = site(w, module(w, MODULE_FILE, "/elf/gone"), 0x77, SITE_EXACT);

	run(w);
	assert_int_equal(frame_of(w, s)->address, 0);
	w->o.addresses = true;
	run(w);
	assert_int_equal(frame_of(w, s)->address, 0x77);
}

static void assert_address(struct world *w, site_id id, uint64_t address)
{
	assert_true(frame_of(w, id)->at_address == address);
	assert_int_equal(frame_of(w, id)->build != 0, address != 0);
}

static void addresses_of_code_are_those_of_its_file(void **state)
{
	const uint64_t offset = TINY_TEXT_OFFSET, address = TINY_TEXT_ADDRESS;
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/program");
	module_id gone = module(w, MODULE_FILE, "/gone");
	site_id exact, after, bad, outside, elsewhere, generated;
	struct site in_file = { .module = m, .rel = offset + 0x900, .kind = FRAME_USER };
	struct frame jit = { .kind = FRAME_JIT, .name = strtab_add_str(w->strings, "JS:f") };
	struct program p;

	write_calls(w, &p);
	in_file.fallback = frames_add(w->frames, &jit);
	exact = site(w, m, offset + 0x60, SITE_EXACT);
	after = site(w, m, offset + 0x60, SITE_RETURN);
	bad = site(w, m, offset + 0x50, SITE_RETURN); /* after a jump: no call */
	outside = site(w, m, 0x10, SITE_EXACT);
	elsewhere = site(w, gone, offset + 0x60, SITE_EXACT);
	generated = sites_add(w->r->sites, &in_file);
	run(w);
	assert_address(w, exact, 0);
	w->o.code_addresses = true;
	run(w);
	assert_int_equal(modules_get(w->r->modules, m)->n_segments, 1);
	assert_int_equal(modules_get(w->r->modules, m)->segments[0].address, address);
	assert_int_equal(modules_get(w->r->modules, m)->segments[0].offset, offset);
	assert_address(w, exact, address + 0x60);
	assert_address(w, after, address + 0x5f);
	assert_name(w, after, "thrower");
	assert_true(frame_of(w, after)->at_function == address + 0x50);
	assert_int_equal(frame_of(w, after)->function_bytes, 0x10);
	assert_true(frame_of(w, exact)->at_function == address + 0x60);
	assert_address(w, bad, 0);
	assert_address(w, outside, 0);
	assert_address(w, elsewhere, 0);
	assert_address(w, generated, 0);
	assert_name(w, generated, "JS:f");
	remove_program(&p);
}

static void a_bpf_program_is_its_own_symbol(void **state)
{
	struct world *w = *state;
	site_id s = site(w, module(w, MODULE_BPF, "bpf_prog_6deef7357e7b4530_x"), 9, SITE_EXACT);

	run(w);
	assert_name(w, s, "bpf_prog_6deef7357e7b4530_x");
	assert_int_equal(frame_of(w, s)->kind, FRAME_KERNEL);
}

static void write_kallsyms(struct world *w, const char *text)
{
	int fd;

	snprintf(w->kallsyms, sizeof(w->kallsyms), "/tmp/perfold-kallsyms-XXXXXX");
	fd = mkstemp(w->kallsyms);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	w->fo.kallsyms = w->kallsyms;
}

static const char kernel_list[] = "81000000 T _text\n81000040 T do_work\n81000080 T end\n"
				  "c0000000 t ext4_map\t[ext4]\n";

static void the_kernel_is_named_by_kallsyms(void **state)
{
	struct world *w = *state;
	module_id kernel = module(w, MODULE_KERNEL, "[kernel.kallsyms]");
	module_id ext4 = module(w, MODULE_KMOD, "[ext4]");
	site_id a = site(w, kernel, 0x81000050, SITE_EXACT);

	run(w);
	assert_unknown(w, a, WHY_NO_KALLSYMS);
	write_kallsyms(w, kernel_list);
	EXPECT(w, { kernel, 0x81000050, SITE_EXACT, "do_work", 0 },
		{ ext4, 0xc0000010, SITE_EXACT, "ext4_map", 0 },
		{ kernel, 0xc0000010, SITE_EXACT, NULL, WHY_NO_SYMBOL },
		{ ext4, 0x81000050, SITE_EXACT, NULL, WHY_NO_SYMBOL });
	assert_name(w, a, "do_work");
	assert_int_equal(frame_of(w, a)->kind, FRAME_KERNEL);
}

/* The recorded kernel lay 0x1000000 higher than the one of the list; its modules anywhere. */
static void a_list_of_another_boot_is_shifted(void **state)
{
	struct world *w = *state;
	module_id kernel = module(w, MODULE_KERNEL, "[kernel.kallsyms]");
	module_id ext4 = module(w, MODULE_KMOD, "[ext4]");

	write_kallsyms(w, kernel_list);
	w->o.kernel_reference_symbol = strtab_add_str(w->strings, "_text");
	w->o.kernel_reference_address = 0x82000000;
	EXPECT(w, { kernel, 0x82000050, SITE_EXACT, "do_work", 0 },
		{ ext4, 0xc0000010, SITE_EXACT, NULL, WHY_NO_KALLSYMS });
}

static void addresses_of_a_kernel_are_as_recorded(void **state)
{
	struct world *w = *state;
	module_id kernel = module(w, MODULE_KERNEL, "[kernel.kallsyms]");
	module_id bpf = module(w, MODULE_BPF, "bpf_prog_6deef7357e7b4530_x");
	site_id exact = site(w, kernel, 0x82000050, SITE_EXACT);
	site_id after = site(w, kernel, 0x82000050, SITE_RETURN);
	site_id program = site(w, bpf, 0xc0000099, SITE_EXACT);

	w->o.code_addresses = true;
	run(w);
	assert_unknown(w, exact, WHY_NO_KALLSYMS);
	assert_address(w, exact, 0x82000050);
	write_kallsyms(w, kernel_list);
	w->o.kernel_reference_symbol = strtab_add_str(w->strings, "_text");
	w->o.kernel_reference_address = 0x82000000;
	run(w);
	assert_name(w, exact, "do_work");
	assert_address(w, exact, 0x82000050);
	assert_address(w, after, 0x8200004f);
	assert_address(w, program, 0xc0000099);
}

/* module.ko: serve at 0 and close_it at 0x40 of .text (0x4a bytes); .init.text; failed in
 * .text.unlikely, which begins at the next multiple of 16. */
static void check_kernel_module(struct world *w, const char *path)
{
	struct module m = { .kind = MODULE_KMOD, .start = 0xffffffffc0100000 };
	module_id id;

	m.path = strtab_add_str(w->strings, path);
	m.shown = strtab_add_str(w->strings, "[module]");
	id = modules_add(w->r->modules, &m);
	EXPECT(w, { id, m.start + 8, SITE_EXACT, "serve", 0 },
		{ id, m.start + 0x40, SITE_EXACT, "close_it", 0 },
		{ id, m.start + 0x5f, SITE_EXACT, "failed", 0 },
		{ id, m.start + 0x60, SITE_EXACT, NULL, WHY_NO_SYMBOL });
	assert_int_equal(frame_of(w, site(w, id, m.start + 8, SITE_EXACT))->kind, FRAME_KERNEL);
}

#define PACKED_MODULE(test, path)                                                                  \
	static void test(void **state)                                                             \
	{                                                                                          \
		check_kernel_module(*state, path);                                                 \
	}

PACKED_MODULE(a_kernel_module_packed_by_gzip_is_read, "/elf/module.ko.gz")
PACKED_MODULE(a_kernel_module_packed_by_xz_is_read, "/elf/module.ko.xz")
PACKED_MODULE(a_kernel_module_packed_by_zstd_is_read, "/elf/module.ko.zst")

static void a_kernel_module_of_another_build_is_refused(void **state)
{
	struct world *w = *state;
	struct module m = { .kind = MODULE_KMOD, .start = 0x1000, .build_id = { 20, { 1 } } };
	site_id s;

	m.path = strtab_add_str(w->strings, "/elf/module.ko.xz");
	s = site(w, modules_add(w->r->modules, &m), 0x1000, SITE_EXACT);
	run(w);
	assert_unknown(w, s, WHY_NO_KALLSYMS);
	assert_int_equal(
		files_trail_refusal(&w->rep.modules[0].trail)->verdict, FILES_OTHER_BUILD_ID);
}

/* One site at a time: as with symbolize(), but without inlined functions. */
static void single_sites_are_named_one_at_a_time(void **state)
{
	static const char list[] = "ffffffff81000000 T _stext\n"
				   "ffffffffc0a41000 t ext4_map_blocks\t[ext4]\n";
	struct world *w = *state;
	struct site s = { .kind = FRAME_USER, .rel = 0x425 };
	struct symbolize_lookup *z;
	struct files *f;

	write_kallsyms(w, list);
	w->o.files = f = files_new(&w->fo, w->strings);
	z = symbolize_lookup_new(w->r, &w->o);
	s.module = module(w, MODULE_FILE, "/elf/cet");
	assert_string_equal(frames_name(w->frames, symbolize_lookup_find(z, &s)).p, "leaf");
	s.rel = 0x426;
	assert_string_equal(frames_name(w->frames, symbolize_lookup_find(z, &s)).p, "main");
	s.how = SITE_RETURN; /* leaf() does not end in a call */
	assert_int_equal(frames_get(w->frames, symbolize_lookup_find(z, &s))->kind, FRAME_UNKNOWN);
	s.rel = 0x427;
	assert_string_equal(frames_name(w->frames, symbolize_lookup_find(z, &s)).p, "main");
	s.module = module(w, MODULE_FILE, "/elf/none");
	assert_int_equal(frames_get(w->frames, symbolize_lookup_find(z, &s))->kind, FRAME_UNKNOWN);
	assert_string_equal(
		frames_name(w->frames, symbolize_lookup_find_kernel(z, 0xffffffff81000010)).p,
		"_stext");
	assert_string_equal(
		frames_name(w->frames, symbolize_lookup_find_kernel(z, 0xffffffffc0a41010)).p,
		"ext4_map_blocks");
	assert_int_equal(
		frames_get(w->frames, symbolize_lookup_find_kernel(z, 0xffffffffc0b00000))->kind,
		FRAME_UNKNOWN);
	symbolize_lookup_free(z);
	files_free(f);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(functions_of_a_program_are_named),
		TEST(generated_code_in_a_file_is_generated_code),
		TEST(a_label_of_the_code_that_a_handler_returns_to_names_it),
		TEST(a_return_address_belongs_to_its_call),
		TEST(a_first_byte_that_no_call_is_before_is_no_return_address),
		TEST(such_a_first_byte_is_in_no_function_of_a_stripped_program),
		TEST(stubs_of_the_plt_are_named),
		TEST(separate_symbols_are_used),
		TEST(a_module_without_a_file_has_a_reason),
		TEST(generated_code_outside_its_map_says_so),
		TEST(frames_known_from_reading_are_kept),
		TEST(addresses_are_kept_on_demand_only),
		TEST(addresses_of_code_are_those_of_its_file),
		TEST(addresses_of_a_kernel_are_as_recorded),
		TEST(a_bpf_program_is_its_own_symbol),
		TEST(the_kernel_is_named_by_kallsyms),
		TEST(a_list_of_another_boot_is_shifted),
		TEST(a_kernel_module_packed_by_gzip_is_read),
		TEST(a_kernel_module_packed_by_xz_is_read),
		TEST(a_kernel_module_packed_by_zstd_is_read),
		TEST(a_kernel_module_of_another_build_is_refused),
		TEST(single_sites_are_named_one_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
