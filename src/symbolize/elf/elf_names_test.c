#include "symbolize/elf/elf_names.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* A file with nothing but a string table, large enough for strings to be read one by one. */
enum { TEXTS_BYTES = 3 << 20, TEXTS_SECTION = 1, SHORT_AT = 1, LONG_AT = 1000, HUGE_AT = 100000 };
enum { LONG_CHARS = 5000, HUGE_CHARS = 2 << 20 };

struct texts_file {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[2];
	char texts[TEXTS_BYTES];
};

static struct texts_file *make_texts(void)
{
	struct texts_file *t = xcalloc(1, sizeof(*t));

	t->eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(t->eh),
		.e_shoff = offsetof(struct texts_file, sh),
		.e_shentsize = sizeof(t->sh[0]),
		.e_shnum = 2,
		.e_shstrndx = TEXTS_SECTION,
	};
	t->sh[TEXTS_SECTION] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct texts_file, texts),
		.sh_size = sizeof(t->texts),
	};
	memcpy(t->texts + SHORT_AT, "short", 5);
	memset(t->texts + LONG_AT, 'l', LONG_CHARS);
	memset(t->texts + HUGE_AT, 'h', HUGE_CHARS);
	return t;
}

struct opened {
	char path[64];
	struct elf_file *ef;
	struct arena arena;
	struct elf_names few, all;
};

/* Of the file only the first n bytes are written. */
static void open_texts(struct opened *o, const struct texts_file *t, size_t n)
{
	enum files_verdict why;
	int fd;

	*o = (struct opened){ .path = "/tmp/perfold-names-XXXXXX" };
	fd = mkstemp(o->path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, t, n), n);
	close(fd);
	o->ef = elf_file_open(o->path, &why);
	assert_non_null(o->ef);
	elf_names_open(&o->few, o->ef, TEXTS_SECTION, true, &o->arena);
	elf_names_open(&o->all, o->ef, TEXTS_SECTION, false, &o->arena);
}

static void close_texts(struct opened *o)
{
	elf_names_close(&o->few);
	elf_names_close(&o->all);
	elf_file_close(o->ef);
	arena_release(&o->arena);
	unlink(o->path);
}

/* As libelf has it. */
static struct span string_at(const struct opened *o, uint64_t at)
{
	return span_of(elf_strptr(o->ef->elf, TEXTS_SECTION, at));
}

static void names_read_one_by_one_are_those_of_libelf(void **state)
{
	static const uint64_t at[] = { 0, SHORT_AT, SHORT_AT + 2, LONG_AT, LONG_AT + LONG_CHARS - 1,
		TEXTS_BYTES - 1, TEXTS_BYTES, UINT64_MAX };
	struct texts_file *t = make_texts();
	struct opened o;
	size_t i;

	(void)state;
	open_texts(&o, t, sizeof(*t));
	assert_int_equal(o.few.size_bytes, TEXTS_BYTES);
	assert_int_equal(o.all.size_bytes, 0);
	for (i = 0; i < ARRAY_LEN(at); i++) {
		assert_true(span_eq(elf_names_get(&o.few, at[i]), string_at(&o, at[i])));
		assert_true(span_eq(elf_names_get(&o.all, at[i]), string_at(&o, at[i])));
	}
	assert_true(span_eq(elf_names_get(&o.few, SHORT_AT), SPAN("short")));
	assert_int_equal(elf_names_get(&o.few, LONG_AT).n, LONG_CHARS);
	close_texts(&o);
	free(t);
}

static void a_name_without_end_is_empty(void **state)
{
	struct texts_file *t = make_texts();
	struct opened o;

	(void)state;
	memset(t->texts + TEXTS_BYTES - 10, 'x', 10);
	open_texts(&o, t, sizeof(*t));
	assert_int_equal(elf_names_get(&o.few, TEXTS_BYTES - 10).n, 0);
	assert_int_equal(elf_names_get(&o.few, HUGE_AT).n, 0); /* nobody has such a name */
	assert_int_equal(elf_names_get(&o.all, TEXTS_BYTES - 10).n, 0);
	assert_int_equal(elf_names_get(&o.all, HUGE_AT).n, 0);
	assert_true(span_eq(elf_names_get(&o.all, SHORT_AT), SPAN("short")));
	close_texts(&o);
	free(t);
}

/* Names of a hundred kilobytes that begin a byte apart. */
static void names_that_overlap_end_at_several_times_the_table(void **state)
{
	struct texts_file *t = make_texts();
	struct elf_names *ways[2];
	struct opened o;
	size_t i, k, n;

	(void)state;
	memset(t->texts + HUGE_AT, 'o', 100000);
	t->texts[HUGE_AT + 100000] = 0;
	open_texts(&o, t, sizeof(*t));
	ways[0] = &o.few;
	ways[1] = &o.all;
	for (i = 0; i < 2; i++) {
		uint64_t bytes = 0;

		for (k = 0; k < 10000; k++) {
			n = elf_names_get(ways[i], HUGE_AT + k).n;
			assert_true(!n || n == 100000 - k);
			bytes += n;
		}
		assert_true(bytes > 16 * TEXTS_BYTES && bytes <= 16 * TEXTS_BYTES + (4 << 20));
		assert_int_equal(elf_names_get(ways[i], SHORT_AT).n, 0);
	}
	close_texts(&o);
	free(t);
}

static void a_string_table_beyond_the_file_is_left_to_libelf(void **state)
{
	struct texts_file *t = make_texts();
	struct opened o;

	(void)state;
	open_texts(&o, t, sizeof(*t) - 1);
	assert_int_equal(o.few.size_bytes, 0);
	assert_int_equal(elf_names_get(&o.few, SHORT_AT).n, string_at(&o, SHORT_AT).n);
	assert_int_equal(elf_names_get(&o.all, SHORT_AT).n, string_at(&o, SHORT_AT).n);
	close_texts(&o);
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_read_one_by_one_are_those_of_libelf),
		cmocka_unit_test(a_name_without_end_is_empty),
		cmocka_unit_test(names_that_overlap_end_at_several_times_the_table),
		cmocka_unit_test(a_string_table_beyond_the_file_is_left_to_libelf),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
