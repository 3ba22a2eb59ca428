/* Of scripts/pgo/src/planted.c, in testdata/pgo/. */
#include "symbolize/locations/locations.h"

#include "base/tmpdir_for_test.h"

enum { CODE_BEGIN = 0x1000, CODE_END = 0x2000, INSTRUCTIONS_MAX = 4096 };

struct world {
	struct strtab *strings;
	struct files_opts where;
	struct files *files;
	struct locations *l;
	struct module module;
	/* What was reported. */
	const char *wanted;
	struct location_range range;
	uint64_t entry;
	uint64_t address[INSTRUCTIONS_MAX], bytes;
	uint32_t n, stacks, inlined, deep;
};

static const char *const clang[] = { "testdata/pgo/clang/root/tmp/perfold/pgo/clang", NULL };
static const char *const gcc[] = { "testdata/pgo/gcc/root/tmp/perfold/pgo/gcc", NULL };

static void open_program(struct world *w, const char *const *dir, const char *path)
{
	*w = (struct world){ .strings = strtab_new(),
		.where = { .symfs = dir, .no_system = true } };
	w->files = files_new(&w->where, w->strings);
	w->module =
		(struct module){ .kind = MODULE_FILE, .path = strtab_add_str(w->strings, path) };
	w->l = locations_open(w->files, &w->module, w->strings);
}

static void close_program(struct world *w)
{
	locations_free(w->l);
	files_free(w->files);
	strtab_free(w->strings);
}

static void note_function(void *ctx, uint32_t which, const struct location_function *f)
{
	struct world *w = ctx;

	(void)which;
	if (strcmp(strtab_str(w->strings, f->name), w->wanted))
		return;
	assert_int_equal(f->n_ranges, 1);
	w->range = f->range[0];
	w->entry = f->entry;
}

/* Asks about every address of the code, and keeps the range of the function. */
static void find_function(struct world *w, const char *name)
{
	uint64_t address[CODE_END - CODE_BEGIN];
	uint32_t i;

	for (i = 0; i < ARRAY_LEN(address); i++)
		address[i] = CODE_BEGIN + i;
	w->wanted = name;
	w->range = (struct location_range){ 0, 0 };
	locations_functions(w->l, address, ARRAY_LEN(address), note_function, w);
	assert_true(w->range.end > w->range.start);
	assert_int_equal(w->entry, w->range.start);
}

static void note_instruction(void *ctx, uint64_t address, uint32_t size_bytes)
{
	struct world *w = ctx;

	assert_int_equal(address, w->range.start + w->bytes);
	w->bytes += size_bytes;
	w->address[w->n++] = address;
}

static void read_code(struct world *w, const char *name)
{
	struct err e;

	find_function(w, name);
	w->bytes = w->n = 0;
	assert_int_equal(
		locations_code(w->l, w->range.start, w->range.end, note_instruction, w, &e), OK);
	assert_int_equal(w->bytes, w->range.end - w->range.start);
}

static void note_stack(void *ctx, uint32_t which, const struct location *stack, uint32_t n)
{
	struct world *w = ctx;
	uint32_t i;

	(void)which;
	w->stacks++;
	assert_string_equal(strtab_str(w->strings, stack[0].function), w->wanted);
	for (i = 1; i < n; i++)
		assert_true(stack[i].line < 64 || stack[i].line > 0xff00);
	if (n == 2 && !strcmp(strtab_str(w->strings, stack[1].function), "kind_of")) {
		assert_int_equal(stack[0].line, 7);
		w->inlined++;
	}
	if (n == 3 && !strcmp(strtab_str(w->strings, stack[1].function), "middle") &&
		!strcmp(strtab_str(w->strings, stack[2].function), "inner")) {
		assert_true(stack[0].line == 3 || stack[0].line == 4);
		assert_int_equal(stack[1].line, 3);
		w->deep++;
	}
}

static void check_stacks(struct world *w)
{
	read_code(w, "main");
	locations_stacks(w->l, w->address, w->n, note_stack, w);
	assert_int_equal(w->stacks, w->n);
	assert_true(w->inlined > 2);
	w->stacks = 0;
	read_code(w, "nested");
	locations_stacks(w->l, w->address, w->n, note_stack, w);
	assert_int_equal(w->stacks, w->n);
	assert_true(w->deep > 8);
}

static void instructions_have_the_functions_that_were_inlined(void **state)
{
	struct world w;

	(void)state;
	open_program(&w, clang, "/app");
	assert_non_null(w.l);
	assert_true(locations_exist(w.files, &w.module));
	check_stacks(&w);
	close_program(&w);
	open_program(&w, gcc, "/app");
	assert_non_null(w.l);
	check_stacks(&w);
	close_program(&w);
}

static void the_order_of_addresses_does_not_matter(void **state)
{
	struct world w;
	uint32_t i, n;

	(void)state;
	open_program(&w, clang, "/app");
	read_code(&w, "nested");
	for (i = 0; i < w.n / 2; i++) {
		uint64_t other = w.address[w.n - 1 - i];

		w.address[w.n - 1 - i] = w.address[i];
		w.address[i] = other;
	}
	locations_stacks(w.l, w.address, w.n, note_stack, &w);
	n = w.n;
	assert_int_equal(w.stacks, n);
	close_program(&w);
}

static void addresses_without_code_are_not_reported(void **state)
{
	uint64_t address[] = { 0, CODE_BEGIN - 1, CODE_END, UINT64_MAX };
	struct world w;
	struct err e;

	(void)state;
	open_program(&w, clang, "/app");
	w.wanted = "none";
	locations_stacks(w.l, address, ARRAY_LEN(address), note_stack, &w);
	locations_functions(w.l, address, ARRAY_LEN(address), note_function, &w);
	locations_stacks(w.l, address, 0, note_stack, &w);
	assert_int_equal(w.stacks, 0);
	assert_int_equal(locations_code(w.l, CODE_END, CODE_BEGIN, note_instruction, &w, &e), OK);
	assert_int_equal(locations_code(w.l, 0x7000000, 0x7000010, note_instruction, &w, &e), OK);
	assert_int_equal(locations_code(w.l, 0, UINT64_MAX, note_instruction, &w, &e), OK);
	assert_int_equal(w.n, 0);
	close_program(&w);
}

static void without_the_file_there_are_none(void **state)
{
	struct world w;

	(void)state;
	open_program(&w, clang, "/not-here");
	assert_null(w.l);
	assert_false(locations_exist(w.files, &w.module));
	close_program(&w);
}

static void replace(struct buf *b, const char *from, const char *to)
{
	char *at = b->p;

	while ((at = memmem(at, (size_t)(b->p + b->n - at), from, strlen(from) + 1)))
		memcpy(at, to, strlen(to));
}

/* The program with other names, at path. */
static void rename_functions(const char *path)
{
	struct buf b = { 0 };
	struct err e;

	assert_int_equal(
		file_read_all("testdata/pgo/clang/root/tmp/perfold/pgo/clang/app", 1 << 20, &b, &e),
		OK);
	replace(&b, "decide", "dec\nde");
	replace(&b, "choose", "cho se");
	replace(&b, "kind_of", "kind\x7fof");
	tmpdir_write(path, buf_span(&b));
	buf_release(&b);
}

static void note_name(void *ctx, uint32_t which, const struct location_function *f)
{
	struct world *w = ctx;
	const char *name = strtab_str(w->strings, f->name);

	(void)which;
	assert_null(strpbrk(name, " \n\x7f"));
	w->n += !strcmp(name, "nested");
}

static void note_words(void *ctx, uint32_t which, const struct location *stack, uint32_t n)
{
	struct world *w = ctx;
	uint32_t i;

	(void)which;
	for (i = 0; i < n; i++)
		assert_null(strpbrk(strtab_str(w->strings, stack[i].function), " \n\x7f"));
	w->stacks++;
}

static void names_that_are_not_one_word_are_left_out(void **state)
{
	const char *const dirs[] = { *state, NULL };
	uint64_t address[CODE_END - CODE_BEGIN];
	struct world w;
	uint32_t i;

	rename_functions(tmpdir_at(state, "app"));
	open_program(&w, dirs, "/app");
	assert_non_null(w.l);
	for (i = 0; i < ARRAY_LEN(address); i++)
		address[i] = CODE_BEGIN + i;
	locations_functions(w.l, address, ARRAY_LEN(address), note_name, &w);
	locations_stacks(w.l, address, ARRAY_LEN(address), note_words, &w);
	assert_true(w.n > 100 && w.stacks > 500);
	close_program(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_the_functions_that_were_inlined),
		cmocka_unit_test(the_order_of_addresses_does_not_matter),
		cmocka_unit_test(addresses_without_code_are_not_reported),
		cmocka_unit_test(without_the_file_there_are_none),
		IN_TMPDIR(names_that_are_not_one_word_are_left_out),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests_name("locations", tests, NULL, NULL);
}
