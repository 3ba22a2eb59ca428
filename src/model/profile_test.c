#include "model/profile.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct fixture {
	struct profile p;
	struct buf name;
};

static int setup(void **state)
{
	struct fixture *x = xcalloc(1, sizeof(*x));

	x->p.strings = strtab_new();
	x->p.frames = frames_new(x->p.strings);
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;

	frames_free(x->p.frames);
	strtab_free(x->p.strings);
	buf_release(&x->name);
	free(x);
	return 0;
}

static struct frame named(struct fixture *x, const char *name, const char *module)
{
	return (struct frame){ .name = strtab_add_str(x->p.strings, name),
		.module = strtab_add_str(x->p.strings, module),
		.kind = FRAME_USER };
}

static const char *shown(struct fixture *x, const struct frame *f)
{
	x->name.n = 0;
	profile_put_name(&x->p, frames_add(x->p.frames, f), &x->name);
	return buf_str(&x->name);
}

static void a_separator_in_a_name_becomes_a_colon(void **state)
{
	struct frame f = named(*state, "Lorg/X;.m", "");

	assert_string_equal(shown(*state, &f), "Lorg/X:.m");
}

static void line_breaks_and_controls_become_blanks(void **state)
{
	struct frame f = named(*state, "a\nb\rc\td\x1b[31m\x7f", "");
	struct frame unicode = named(*state,
		"a\u2028b\xc2\x85"
		"c\u2029",
		"");
	struct frame cut = named(*state, "a\xe2\x80", "");

	assert_string_equal(shown(*state, &f), "a b c d [31m ");
	assert_string_equal(shown(*state, &unicode), "a b c ");
	assert_string_equal(shown(*state, &cut), "a\xe2\x80");
}

static void a_frame_without_a_name_shows_its_module(void **state)
{
	struct frame libc = named(*state, "", "/usr/lib/libc.so.6");
	struct frame vdso = named(*state, "", "[vdso]");
	struct frame none = named(*state, "", "");
	struct frame odd = named(*state, "", "/tmp/a;b");

	assert_string_equal(shown(*state, &libc), "[libc.so.6]");
	assert_string_equal(shown(*state, &vdso), "[vdso]");
	assert_string_equal(shown(*state, &none), "[unknown]");
	assert_string_equal(shown(*state, &odd), "[a:b]");
}

static void addresses_are_shown_on_request(void **state)
{
	struct fixture *x = *state;
	struct frame libc = named(x, "", "/usr/lib/libc.so.6");
	struct frame main_frame = named(x, "main", "/bin/a");

	libc.address = 0x7f00beef;
	x->p.addresses = true;
	assert_string_equal(shown(x, &libc), "[libc.so.6 <7f00beef>]");
	assert_string_equal(shown(x, &main_frame), "main");
}

static void only_chosen_annotations_are_shown(void **state)
{
	struct fixture *x = *state;
	struct frame kernel = named(x, "do_idle", "[kernel.kallsyms]");
	struct frame jit = named(x, "fib", "/tmp/perf-1.map");

	kernel.kind = FRAME_KERNEL;
	jit.kind = FRAME_JIT;
	assert_string_equal(shown(x, &kernel), "do_idle");
	x->p.annotate = ANNOTATE_KERNEL;
	assert_string_equal(shown(x, &kernel), "do_idle_[k]");
	assert_string_equal(shown(x, &jit), "fib");
	x->p.annotate = ANNOTATE_KERNEL | ANNOTATE_JIT;
	assert_string_equal(shown(x, &jit), "fib_[j]");
}

static void an_inlined_frame_gets_one_annotation_only(void **state)
{
	struct fixture *x = *state;
	struct frame f = named(x, "hlist_add", "[kernel.kallsyms]");

	f.kind = FRAME_KERNEL;
	f.flags = FRAME_INLINED;
	x->p.annotate = ANNOTATE_KERNEL | ANNOTATE_JIT | ANNOTATE_INLINE;
	assert_string_equal(shown(x, &f), "hlist_add_[i]");
	x->p.annotate = ANNOTATE_KERNEL;
	assert_string_equal(shown(x, &f), "hlist_add_[k]");
}

static void an_annotation_that_is_there_is_not_repeated(void **state)
{
	struct fixture *x = *state;
	struct frame f = named(x, "do_idle_[k]", "[kernel.kallsyms]");

	f.kind = FRAME_KERNEL;
	x->p.annotate = ANNOTATE_KERNEL;
	assert_string_equal(shown(x, &f), "do_idle_[k]");
}

static void code_without_a_name_is_annotated_by_its_module(void **state)
{
	struct fixture *x = *state;
	struct frame kernel = named(x, "", "[kernel.kallsyms]");
	struct frame no_list = named(x, "", "[ext4]");
	struct frame jit = named(x, "", "/tmp/perf-12.map");
	struct frame no_map = named(x, "", "//anon");
	struct frame vdso = named(x, "", "[vdso]");

	kernel.kind = no_list.kind = jit.kind = no_map.kind = vdso.kind = FRAME_UNKNOWN;
	kernel.why = jit.why = vdso.why = WHY_IN_TEXT;
	no_list.why = WHY_NO_KALLSYMS;
	no_map.why = WHY_NO_JIT_MAP;
	x->p.annotate = ANNOTATE_KERNEL | ANNOTATE_JIT;
	assert_string_equal(shown(x, &kernel), "[kernel.kallsyms]_[k]");
	assert_string_equal(shown(x, &no_list), "[ext4]_[k]");
	assert_string_equal(shown(x, &jit), "[perf-12.map]_[j]");
	assert_string_equal(shown(x, &no_map), "[anon]_[j]");
	assert_string_equal(shown(x, &vdso), "[vdso]");
}

static void names_are_appended(void **state)
{
	struct fixture *x = *state;
	struct frame f = named(x, "b", "");

	buf_puts(&x->name, "a;");
	profile_put_name(&x->p, frames_add(x->p.frames, &f), &x->name);
	assert_string_equal(buf_str(&x->name), "a;b");
}

static void a_process_is_named_by_its_main_thread_or_by_the_first_with_a_name(void **state)
{
	struct profile_thread threads[] = {
		{ .pid = 7, .tid = 9 },
		{ .pid = 7, .tid = 8, .name = 3 },
		{ .pid = 5, .tid = 6, .name = 1 },
		{ .pid = 5, .tid = 5, .name = 2 },
		{ .pid = 5, .tid = 5, .name = 4 },
		{ .pid = 5, .tid = 5, .name = 5, .recording = 1 },
		{ .pid = 4, .tid = 4 }, /* a main thread without a name */
		{ .pid = 4, .tid = 3, .name = 6 },
	};
	static const str_id expected[] = { 3, 3, 2, 2, 2, 5, 0, 0 };
	struct profile p = { .threads = threads, .n_threads = 8 };
	str_id *names = profile_process_names(&p);

	(void)state;
	assert_memory_equal(names, expected, sizeof(expected));
	free(names);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_named_by_its_main_thread_or_by_the_first_with_a_name),
		TEST(a_separator_in_a_name_becomes_a_colon),
		TEST(line_breaks_and_controls_become_blanks),
		TEST(a_frame_without_a_name_shows_its_module),
		TEST(addresses_are_shown_on_request),
		TEST(only_chosen_annotations_are_shown),
		TEST(an_inlined_frame_gets_one_annotation_only),
		TEST(an_annotation_that_is_there_is_not_repeated),
		TEST(code_without_a_name_is_annotated_by_its_module),
		TEST(names_are_appended),
	};

	return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
