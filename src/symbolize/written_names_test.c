#include "symbolize/written_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct demangle_style plain, full = { .full = true }, off = { .off = true };

static void check_kind(enum frame_kind kind, const char *name, const struct demangle_style *style,
	const char *expected)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("text", strings, frames);
	struct frame f = { .name = strtab_add_str(strings, name), .kind = (uint8_t)kind };
	frame_id written = frames_add(frames, &f);
	frame_id shown = written_names_frame(r, written, style);

	assert_string_equal(strtab_str(strings, frames_get(frames, shown)->name), expected);
	assert_int_equal(shown == written, strcmp(name, expected) == 0);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
}

static void check(const char *name, const char *expected)
{
	check_kind(FRAME_USER, name, &plain, expected);
}

static void mangled_names_are_demangled(void **state)
{
	(void)state;
	check("_RNvCs8K9WJNlS7Dz_5trace17multiply_matrices", "trace::multiply_matrices");
	check("_ZN4core3fmt5write17h1e8d0b9dd5f4d1d8E", "core::fmt::write");
	check("__ZN4core3fmt5write17h1e8d0b9dd5f4d1d8E", "core::fmt::write");
	check("_ZN5shape4areaEd.part.0", "shape::area");
	check("_Znwm@plt", "operator new@plt");
	check_kind(FRAME_USER, "_ZN2ns1fEi", &full, "ns::f(int)");
}

static void half_demangled_names_of_rust_are_finished(void **state)
{
	(void)state;
	check("gc::GcBox$LT$T$GT$::new::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef",
		"gc::GcBox<T>::new::{{closure}}");
	check("_$LT$std..thread..JoinHandle$LT$T$GT$$GT$::join",
		"<std::thread::JoinHandle<T>>::join");
	check("std::rt::lang_start::hd2693a01169d6aa1", "std::rt::lang_start");
	check("do_call::hab896c32750930ec (.llvm.78868)", "do_call");
	check("_$RF$mut$u20$W$C$i32::f::hd2693a01169d6aa1", "&mut W,i32::f");
}

static void names_that_only_look_mangled_stay(void **state)
{
	static const char *const names[] = { "main", "_", "_R", "_Zx", "_ZN", "caml", "read@plt",
		"__read@@GLIBC_2.2.5", "_ZN1a1bE@@V1", "jQuery$LT", "com.Outer$C$Inner.run",
		"scala.Foo$u007b$bar", "::h0123456789abcdef", "a::h0123456789abcdeg", "f::hello",
		"x (.llvm.1)" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		check(names[i], names[i]);
}

static void names_of_generated_code_and_of_c_in_the_kernel_stay(void **state)
{
	(void)state;
	check_kind(FRAME_JIT, "_ZN1a1bE", &plain, "_ZN1a1bE");
	check_kind(FRAME_KERNEL, "_ZN1a1bE", &plain, "_ZN1a1bE");
	check_kind(FRAME_KERNEL, "_RNvC6kernel4init", &plain, "kernel::init");
	check_kind(FRAME_USER, "_ZN1a1bE", &off, "_ZN1a1bE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mangled_names_are_demangled),
		cmocka_unit_test(half_demangled_names_of_rust_are_finished),
		cmocka_unit_test(names_that_only_look_mangled_stay),
		cmocka_unit_test(names_of_generated_code_and_of_c_in_the_kernel_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
