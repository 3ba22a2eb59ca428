#include "symbolize/code/code.h"

#include "base/mem.h"
#include "base/tmpdir_for_test.h"
#include "files/light.h"

#include <sys/stat.h>

struct world {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct files_opts fo;
	struct files *files;
	struct symbolize_opts o;
	struct code_reader *c;
	struct code_function fn;
	void *dir;
};

static const char *const testdata[] = { "testdata", NULL };

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->r = recording_new("test", w->strings, w->frames);
	w->fo = (struct files_opts){ .symfs = testdata, .no_system = true };
	*state = w;
	return tmpdir_setup(&w->dir);
}

static int tear_down(void **state)
{
	struct world *w = *state;

	code_reader_free(w->c);
	files_free(w->files);
	recording_free(w->r);
	frames_free(w->frames);
	strtab_free(w->strings);
	tmpdir_teardown(&w->dir);
	free(w);
	return 0;
}

/* Once the options are set. */
static void open_reader(struct world *w)
{
	w->files = files_new(&w->fo, w->strings);
	w->o.files = w->files;
	w->c = code_reader_new(w->r, &w->o, NULL);
}

static module_id module(struct world *w, enum module_kind kind, const char *path)
{
	struct module m = { .kind = kind };

	m.path = m.shown = strtab_add_str(w->strings, path);
	return modules_add(w->r->modules, &m);
}

static bool lacks_kernel(struct world *w, module_id id)
{
	struct frame f = { .module = modules_get(w->r->modules, id)->shown };

	return code_reader_lacks_kernel(w->c, &f);
}

static bool function_at(struct world *w, module_id id, uint64_t address)
{
	struct frame f = { .module = modules_get(w->r->modules, id)->shown, .at_address = address };

	return code_reader_find(w->c, &f, &w->fn);
}

static const char *name(const struct world *w)
{
	return strtab_str(w->strings, w->fn.name);
}

static void expect_why(struct world *w, enum code_why why, const char *text)
{
	struct buf b = { 0 };

	assert_null(w->fn.bytes);
	assert_int_equal(w->fn.why, why);
	code_why_put(&b, w->c, &w->fn);
	assert_non_null(strstr(buf_str(&b), text));
	buf_release(&b);
}

static void expect_function(
	struct world *w, const char *called, uint64_t start, uint64_t size_bytes)
{
	assert_int_equal(w->fn.why, CODE_FOUND);
	assert_non_null(w->fn.bytes);
	assert_string_equal(name(w), called);
	assert_int_equal(w->fn.start, start);
	assert_int_equal(w->fn.size_bytes, size_bytes);
}

static void expect_text(const struct instruction *i, const char *text)
{
	struct buf b = { 0 };

	buf_printf(&b, "%.*s%s%.*s", SPAN_ARG(i->mnemonic), i->operands.n ? " " : "",
		SPAN_ARG(i->operands));
	if (i->target_name.n)
		buf_printf(&b, " <%.*s>", SPAN_ARG(i->target_name));
	assert_string_equal(buf_str(&b), text);
	buf_release(&b);
}

/* The instructions of the function that was found, as text; ended by NULL. */
static void expect_instructions(struct world *w, const char *const *text)
{
	static const struct code_style att = { .syntax = DISASSEMBLY_ATT };
	struct disassembly d;
	struct err e;
	uint32_t i;

	assert_int_equal(code_reader_disassemble(w->c, &w->fn, &att, &d, &e), OK);
	for (i = 0; i < d.n && text[i]; i++)
		expect_text(&d.instruction[i], text[i]);
	assert_int_equal(i, d.n);
	assert_null(text[i]);
	disassembly_release(&d);
}

static const char *const main_of_cet[] = { "endbr64", "pushq %rbx", "callq 0x410 <rand@plt>",
	"movl %eax, %edi", "callq 0x420 <leaf>", "movl %eax, %ebx", NULL };

/* In cet: .plt.sec 0x410, leaf 0x420 to 0x426, main to 0x44a. */
static void functions_have_their_bytes(void **state)
{
	static const char *const leaf[] = { "imull %edi, %edi", "movl %edi, %eax", "retq", NULL };
	struct world *w = *state;
	module_id cet = module(w, MODULE_FILE, "/elf/cet");
	static const struct code_style att = { .syntax = DISASSEMBLY_ATT };
	struct disassembly d;
	struct err e;
	uint32_t i;

	open_reader(w);
	assert_true(function_at(w, cet, 0x423));
	expect_function(w, "leaf", 0x420, 6);
	assert_int_equal(w->fn.machine, EM_X86_64);
	assert_string_equal(w->fn.path, "testdata/elf/cet");
	assert_false(w->fn.cold || w->fn.guessed || w->fn.ambiguous || w->fn.big_endian);
	expect_instructions(w, leaf);
	assert_true(function_at(w, cet, 0x426));
	expect_function(w, "main", 0x426, 0x24);
	assert_int_equal(code_reader_disassemble(w->c, &w->fn, &att, &d, &e), OK);
	for (i = 0; main_of_cet[i]; i++)
		expect_text(&d.instruction[i], main_of_cet[i]);
	disassembly_release(&d);
	assert_false(function_at(w, cet, 0x44a));
	expect_why(w, CODE_NO_FUNCTION, "no symbol");
	assert_false(function_at(w, cet, 0x12345678));
	expect_why(w, CODE_NO_BYTES, "no code there");
}

/* Names are in program.debug, which has no code: bytes are of the program. */
static void names_are_of_the_debug_file_and_bytes_of_the_program(void **state)
{
	static const char *const text[] = { "pushq %rbx", "callq 0x310 <rand@plt>",
		"movl %eax, %edi", "callq 0x320 <leaf>", "movl %eax, %ebx", "leaq 0xa(%rip), %rdi",
		"callq *0x1cc6(%rip)", "addl %ebx, %eax", "popq %rbx", "retq", NULL };
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/elf/program");

	open_reader(w);
	assert_true(function_at(w, m, 0x330));
	expect_function(w, "main", 0x326, 0x20);
	assert_string_equal(w->fn.path, "testdata/elf/program");
	expect_instructions(w, text);
}

/* one() and two() have no symbols (elf_functions_test.c). */
static void functions_without_a_symbol_are_those_of_eh_frame(void **state)
{
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/elf/unsized/root/tmp/perfold/bin/unsized");

	open_reader(w);
	function_at(w, m, 0x2190);
	assert_int_equal(w->fn.name, 0);
	assert_int_equal(w->fn.start, 0x217d);
	assert_int_equal(w->fn.size_bytes, 0x30);
}

static void what_is_not_here_says_why(void **state)
{
	struct world *w = *state;
	struct module other = { .kind = MODULE_FILE, .build_id = { 20, { 1 } } };
	module_id gone = module(w, MODULE_FILE, "/elf/gone"), refused;
	module_id jit = module(w, MODULE_JIT, "[jit]"), bpf = module(w, MODULE_BPF, "bpf_prog_1");
	module_id text = module(w, MODULE_TEXT, "text"), kernel = module(w, MODULE_KERNEL, "[k]");

	other.path = other.shown = strtab_add_str(w->strings, "/elf/cet");
	refused = modules_add(w->r->modules, &other);
	open_reader(w);
	assert_false(function_at(w, gone, 0x420));
	expect_why(w, CODE_NO_FILE, "not here");
	assert_true(w->fn.trail->n > 0);
	assert_false(function_at(w, refused, 0x420));
	expect_why(w, CODE_REFUSED, "testdata/elf/cet");
	assert_false(function_at(w, jit, 0x420));
	expect_why(w, CODE_GENERATED, "jitdump");
	assert_false(function_at(w, bpf, 0x420));
	expect_why(w, CODE_BPF, "BPF");
	assert_false(function_at(w, text, 0x420));
	expect_why(w, CODE_NO_MODULE, "does not say");
	assert_false(function_at(w, 0, 0x420));
	expect_why(w, CODE_NO_MODULE, "does not say");
	assert_false(function_at(w, kernel, 0xffffffff81000000));
	expect_why(w, CODE_NO_KERNEL, "--vmlinux");
	assert_true(lacks_kernel(w, kernel));
	assert_false(lacks_kernel(w, gone));
}

/* Files and symbols are read again. */
static void what_was_forgotten_is_found_again(void **state)
{
	static const char *const text[] = { "imull %edi, %edi", "movl %edi, %eax", "retq", NULL };
	struct world *w = *state;
	module_id cet = module(w, MODULE_FILE, "/elf/cet");

	open_reader(w);
	assert_true(function_at(w, cet, 0x423));
	code_reader_forget(w->c, 0);
	code_reader_forget(w->c, 0);
	assert_true(function_at(w, cet, 0x423));
	expect_function(w, "leaf", 0x420, 6);
	expect_instructions(w, text);
}

/* Bytes of a module that is not closed stay where they are. */
static void what_is_kept_is_not_read_again(void **state)
{
	struct world *w = *state;
	module_id cet = module(w, MODULE_FILE, "/elf/cet");
	const unsigned char *bytes;

	open_reader(w);
	assert_true(function_at(w, cet, 0x423));
	bytes = w->fn.bytes;
	code_reader_forget(w->c, modules_get(w->r->modules, cet)->shown);
	assert_true(function_at(w, cet, 0x423));
	assert_ptr_equal(w->fn.bytes, bytes);
}

static void a_frame_finds_the_module_of_its_build(void **state)
{
	struct world *w = *state;
	struct frame f = { .kind = FRAME_USER, .at_address = 0x421 };
	module_id other = module(w, MODULE_FILE, "/elf/program");

	module(w, MODULE_FILE, "/elf/cet");
	f.module = modules_get(w->r->modules, other)->shown;
	f.name = strtab_add_str(w->strings, "leaf");
	open_reader(w);
	assert_false(code_reader_find(w->c, &f, &w->fn)); /* at 0x320 there */
	f.at_address = 0x321;
	assert_true(code_reader_find(w->c, &f, &w->fn));
	expect_function(w, "leaf", 0x320, 6);
	assert_int_equal(w->fn.module, other);
	assert_false(w->fn.ambiguous);
	f.build = strtab_add_str(w->strings, "test"); /* the path of the recording: no build-id */
	assert_true(code_reader_find(w->c, &f, &w->fn));
	f.build = strtab_add_str(w->strings, "0123456789");
	assert_false(code_reader_find(w->c, &f, &w->fn));
	expect_why(w, CODE_NO_MODULE, "does not say");
}

/* Two modules are shown alike; the name of the frame decides. */
static void of_modules_that_are_shown_alike_the_one_with_the_name_is_taken(void **state)
{
	struct world *w = *state;
	struct frame f = { .kind = FRAME_USER, .at_address = 0x426 };
	struct module m = { .kind = MODULE_FILE };
	module_id cet;

	m.shown = f.module = strtab_add_str(w->strings, "shown");
	m.path = strtab_add_str(w->strings, "/elf/inlines/inlines-gcc-5");
	modules_add(w->r->modules, &m);
	m.path = strtab_add_str(w->strings, "/elf/cet");
	cet = modules_add(w->r->modules, &m);
	f.name = strtab_add_str(w->strings, "main");
	open_reader(w);
	assert_true(code_reader_find(w->c, &f, &w->fn));
	assert_int_equal(w->fn.module, cet);
	f.at_address = 0x2d0;
	f.name = strtab_add_str(w->strings, "work");
	assert_true(code_reader_find(w->c, &f, &w->fn));
	assert_string_equal(name(w), "work");
	assert_false(w->fn.ambiguous);
}

static void put_u32(struct buf *b, uint32_t v)
{
	buf_put(b, &v, sizeof(v));
}

static void put_u64(struct buf *b, uint64_t v)
{
	buf_put(b, &v, sizeof(v));
}

/* A dump with one piece of code, "f" of three bytes, at 40. */
static void put_dump(struct buf *b)
{
	put_u32(b, 0x4a695444);
	put_u32(b, 1);
	put_u32(b, 40);
	put_u32(b, EM_X86_64);
	put_u64(b, 0);
	put_u64(b, 0);
	put_u64(b, 0);
	put_u32(b, 0); /* LOAD */
	put_u32(b, 16 + 40 + 2 + 3);
	put_u64(b, 1);
	put_u64(b, 0);
	put_u64(b, 0x7f1200);
	put_u64(b, 0x7f1200);
	put_u64(b, 3);
	put_u64(b, 0);
	buf_put(b, "f\0\x89\xf8\xc3", 5);
}

static void generated_code_is_that_of_its_jitdump(void **state)
{
	static const char *const text[] = { "movl %edi, %eax", "retq", NULL };
	static const char *const others[] = { "28", "28@", "29@7f1200", "28@7f1300", "0@7f1200",
		"ffffffffffffffff@7f1200", "@", "" };
	struct world *w = *state;
	struct process_use *process = xcalloc(1, sizeof(*process));
	struct frame f = { .kind = FRAME_JIT, .at_address = 0x7f1202 };
	struct buf b = { 0 };
	char *path = tmpdir_at(&w->dir, "jit-7.dump");
	size_t i;

	put_dump(&b);
	tmpdir_write(path, buf_span(&b));
	buf_release(&b);
	process->jitdump = strtab_add_str(w->strings, path);
	w->r->processes = process;
	w->r->n_processes = 1;
	f.module = strtab_add_str(w->strings, "jit-7.dump");
	f.name = strtab_add_str(w->strings, "f");
	f.build = strtab_add_str(w->strings, "28@7f1200");
	open_reader(w);
	assert_true(code_reader_find(w->c, &f, &w->fn));
	expect_function(w, "f", 0x7f1200, 3);
	assert_int_equal(w->fn.machine, EM_X86_64);
	expect_instructions(w, text);
	f.build = strtab_add_str(w->strings, "28@7f1201"); /* it was moved */
	assert_true(code_reader_find(w->c, &f, &w->fn));
	expect_function(w, "f", 0x7f1201, 3);
	for (i = 0; i < ARRAY_LEN(others); i++) {
		f.build = strtab_add_str(w->strings, others[i]);
		assert_false(code_reader_find(w->c, &f, &w->fn));
		expect_why(w, CODE_GENERATED, "jitdump");
	}
}

/* The kernel was at 0xffffffff82000000, its vmlinux is at ...81000000. */
static void code_of_the_kernel_is_that_of_vmlinux(void **state)
{
	static const char *const text[] = { "movl 0x1ffa(%rip), %edi",
		"jmp 0xffffffff81000010 <_Z4worki>", NULL };
	struct world *w = *state;
	module_id kernel = module(w, MODULE_KERNEL, "[kernel.kallsyms]");

	w->fo.vmlinux = "testdata/kernel/vmlinux/vmlinux";
	w->o.kernel_reference_symbol = strtab_add_str(w->strings, "main");
	w->o.kernel_reference_address = 0xffffffff82000000;
	open_reader(w);
	assert_false(lacks_kernel(w, kernel));
	assert_true(function_at(w, kernel, 0xffffffff81000006));
	expect_function(w, "main", 0xffffffff81000000, 0xb);
	expect_instructions(w, text);
}

/* As perf record --kcore copies it: addresses are those of the recorded boot. */
static void code_of_the_kernel_may_be_in_kcore(void **state)
{
	static const char list[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000010 t worker\n"
				   "ffffffff810000c9 t next\n";
	struct world *w = *state;
	module_id kernel = module(w, MODULE_KERNEL, "[kernel.kallsyms]");
	struct buf image = { 0 };
	struct err e;

	assert_int_equal(mkdir(tmpdir_at(&w->dir, "kcore_dir"), 0700), 0);
	assert_int_equal(file_read_all("testdata/kernel/vmlinux/vmlinux", 1 << 24, &image, &e), OK);
	tmpdir_write(tmpdir_at(&w->dir, "kcore_dir/kcore"), buf_span(&image));
	tmpdir_write(tmpdir_at(&w->dir, "kcore_dir/kallsyms"), SPAN(list));
	buf_release(&image);
	w->fo.recording_dir = w->dir;
	open_reader(w);
	assert_false(lacks_kernel(w, kernel));
	assert_true(function_at(w, kernel, 0xffffffff81000020));
	expect_function(w, "worker", 0xffffffff81000010, 0xb9);
	assert_memory_equal(w->fn.bytes, "\x85\xff\x7e\x64", 4);
}

/* The list is of another boot: the kernel was elsewhere. */
static void code_of_another_boot_is_not_that_of_the_kernel(void **state)
{
	struct world *w = *state;
	module_id kernel = module(w, MODULE_KERNEL, "[kernel.kallsyms]");

	assert_int_equal(mkdir(tmpdir_at(&w->dir, "kcore_dir"), 0700), 0);
	tmpdir_write(tmpdir_at(&w->dir, "kcore_dir/kcore"), SPAN("\x7f"
								 "ELF"));
	w->fo.kallsyms = tmpdir_at(&w->dir, "kallsyms");
	tmpdir_write(w->fo.kallsyms, SPAN("ffffffff81000000 T _text\nffffffff81000010 t f\n"));
	w->fo.recording_dir = w->dir;
	w->o.kernel_reference_symbol = strtab_add_str(w->strings, "_text");
	w->o.kernel_reference_address = 0xffffffff82000000;
	open_reader(w);
	assert_false(function_at(w, kernel, 0xffffffff82000012));
	assert_string_equal(name(w), "f");
	assert_int_equal(w->fn.trail->n, 0);
	expect_why(w, CODE_NO_KERNEL, "--kcore");
}

/* Calls of an object file are filled in by relocations. */
static void calls_of_a_kernel_module_are_relocated(void **state)
{
	static const char list[] = "ffffffff81000000 T _text\n"
				   "ffffffffc0100000 t _Z4worki\t[module]\n"
				   "ffffffffc0101000 t main\t[module]\n";
	static const char *const symfs[] = { "testdata/fuzz/elf", NULL };
	struct world *w = *state;
	struct module m = { .kind = MODULE_KMOD, .start = 0xffffffffc0100000 };
	module_id id;
	const char *const text[] = { "movl (%rip), %edi", "jmp 0xffffffffc0100000 <_Z4worki>",
		NULL };

	w->fo.symfs = symfs;
	w->fo.kallsyms = tmpdir_at(&w->dir, "kallsyms");
	tmpdir_write(w->fo.kallsyms, SPAN(list));
	m.path = strtab_add_str(w->strings, "/module");
	m.shown = strtab_add_str(w->strings, "[module]");
	id = modules_add(w->r->modules, &m);
	open_reader(w);
	assert_true(function_at(w, id, 0xffffffffc0101002));
	assert_string_equal(name(w), "main");
	assert_int_equal(w->fn.start, 0xffffffffc0101000);
	expect_instructions(w, text);
}

/* The light form of cet with the code of leaf() alone. */
static void write_light(struct world *w)
{
	const struct pack_code code = { NULL, 0x420, 6 };
	struct light light;
	struct file f;
	struct err e;
	char *image;

	assert_int_equal(file_open(&f, "testdata/elf/cet", &e), OK);
	assert_int_equal(light_plan(&light, &f, false, &code, 1, &e), OK);
	image = xmalloc(light.size_bytes);
	assert_int_equal(light_read(&light, &f, image, light.size_bytes, 0, &e), OK);
	tmpdir_write(tmpdir_at(&w->dir, "cet"), (struct span){ image, light.size_bytes });
	free(image);
	light_release(&light);
	file_close(&f);
}

static void a_light_pack_has_the_code_that_was_sampled(void **state)
{
	static const char *const leaf[] = { "imull %edi, %edi", "movl %edi, %eax", "retq", NULL };
	struct world *w = *state;
	module_id m = module(w, MODULE_FILE, "/cet");
	const char *symfs[] = { w->dir, NULL };

	write_light(w);
	w->fo.symfs = symfs;
	open_reader(w);
	assert_true(function_at(w, m, 0x420));
	expect_function(w, "leaf", 0x420, 6);
	expect_instructions(w, leaf);
	assert_false(function_at(w, m, 0x426));
	assert_string_equal(name(w), "main");
	assert_int_equal(w->fn.size_bytes, 0x24);
	expect_why(w, CODE_LEFT_OUT, "--light");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(functions_have_their_bytes),
		TEST(names_are_of_the_debug_file_and_bytes_of_the_program),
		TEST(functions_without_a_symbol_are_those_of_eh_frame),
		TEST(what_is_not_here_says_why),
		TEST(what_was_forgotten_is_found_again),
		TEST(what_is_kept_is_not_read_again),
		TEST(a_frame_finds_the_module_of_its_build),
		TEST(of_modules_that_are_shown_alike_the_one_with_the_name_is_taken),
		TEST(generated_code_is_that_of_its_jitdump),
		TEST(code_of_the_kernel_is_that_of_vmlinux),
		TEST(code_of_the_kernel_may_be_in_kcore),
		TEST(code_of_another_boot_is_not_that_of_the_kernel),
		TEST(calls_of_a_kernel_module_are_relocated),
		TEST(a_light_pack_has_the_code_that_was_sampled),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
