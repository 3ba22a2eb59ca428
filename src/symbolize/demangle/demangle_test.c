#include "symbolize/demangle/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct demangle_style plain, full = { .full = true }, off = { .off = true },
					  perf = { .compat_perf = true },
					  kernel = { .kernel = true };

static void check(const char *name, const struct demangle_style *style, const char *expected)
{
	struct buf out = { 0 };

	buf_puts(&out, "<");
	demangle_put(&out, span_of(name), style);
	assert_string_equal(buf_str(&out) + 1, expected);
	buf_release(&out);
}

static void plain_names_stay(void **state)
{
	(void)state;
	check("main", &plain, "main");
	check("msort_with_tmp.part.0", &plain, "msort_with_tmp.part.0");
	check("", &plain, "");
	check("_Z", &plain, "_Z");
	check("_ZN", &plain, "_ZN");
	check("_Rubbish", &plain, "_Rubbish");
}

static void cpp_names_lose_their_parameters(void **state)
{
	(void)state;
	check("_ZN2ns3FooIiE3barEv", &plain, "ns::Foo<int>::bar");
	check("_ZN2ns3FooIiE3barEv", &full, "ns::Foo<int>::bar()");
	check("_ZN2ns3FooIiE3barEv", &off, "_ZN2ns3FooIiE3barEv");
	check("_ZN3foo3barEi.isra.0", &plain, "foo::bar");
	check("_ZN3foo3barEi.isra.0", &full, "foo::bar(int) [clone .isra.0]");
}

static void rust_names_lose_their_hash(void **state)
{
	(void)state;
	check("_ZN4work4main17h0123456789abcdefE", &plain, "work::main");
	check("_RNvCs1234_7mycrate3foo", &plain, "mycrate::foo");
}

static void go_names_lose_abi_and_shapes(void **state)
{
	(void)state;
	check("runtime.goexit.abi0", &plain, "runtime.goexit");
	check("runtime.memmove.abiinternal", &plain, "runtime.memmove");
	check("main.Map[go.shape.int,go.shape.string]", &plain, "main.Map[...]");
	check("main.Sort[go.shape.[]string].func1.abi0", &plain, "main.Sort[...].func1");
	check("main.F[go.shape.int].main.G[go.shape.[2]int].func1", &plain,
		"main.F[...].main.G[...].func1");
	check("main.F[go.shape.int", &plain, "main.F[...]");
	check("main.(*List[int]).Add", &plain, "main.(*List[int]).Add");
	check("runtime.goexit.abi0", &full, "runtime.goexit.abi0");
	check("main.Map[go.shape.int]", &off, "main.Map[go.shape.int]");
	check("main.Map[go.shape.int]", &perf, "main.Map[go.shape.int]");
	check("strange.abi0", &kernel, "strange.abi0");
}

static void versions_are_dropped_except_under_compat(void **state)
{
	(void)state;
	check("read@@GLIBC_2.2.5", &plain, "read");
	check("cfree@GLIBC_2.2.5", &plain, "cfree");
	check("read@@GLIBC_2.2.5", &perf, "read@@GLIBC_2.2.5");
	check("_ZNSs3endEv@@GLIBCXX_3.4", &plain, "std::string::end");
	check("_ZNSs3endEv@@GLIBCXX_3.4", &perf, "std::string::end");
	check("@strange", &plain, "@strange");
}

static void ocaml_names_get_their_dots(void **state)
{
	(void)state;
	check("camlStdlib__List__map_123", &plain, "Stdlib.List.map_123");
	check("camlFoo__$2b$2b_7", &plain, "Foo.++_7");
	check("camlFoo$4", &plain, "Foo$4");
	check("camlfoo", &plain, "camlfoo");
}

static void d_names_are_read_by_default_only(void **state)
{
	(void)state;
	check("_D3app3runFiZv", &plain, "app.run");
	check("_D3app3runFiZv", &full, "app.run(int)");
	check("_D3app3runFiZv", &perf, "_D3app3runFiZv");
	check("_DYNAMIC", &plain, "_DYNAMIC");
}

static void the_kernel_is_written_in_c_and_rust(void **state)
{
	(void)state;
	check("_Z3foov", &kernel, "_Z3foov");
	check("_RNvCs1234_7mycrate3foo", &kernel, "mycrate::foo");
}

/* Of more than the 1024 bytes that libiberty takes unasked. */
static void long_names_of_templates_are_read(void **state)
{
	struct buf name = { 0 }, out = { 0 };
	int i;

	(void)state;
	buf_puts(&name, "_Z1fI");
	for (i = 0; i < 400; i++)
		buf_puts(&name, "3abc");
	buf_puts(&name, "EvT_");
	demangle_put(&out, buf_span(&name), &plain);
	assert_memory_equal(buf_str(&out), "f<abc, abc, ", 12);
	buf_release(&name);
	buf_release(&out);
}

static void a_name_that_unfolds_to_gigabytes_stays(void **state)
{
	struct buf name = { 0 }, out = { 0 };
	char digit;

	(void)state;
	/* A<int, int>, then A of twice the type before it, again and again: 2^28 times int. */
	buf_puts(&name, "_Z1f1AIiiE");
	for (digit = '0'; digit <= '9'; digit++)
		buf_printf(&name, "S_IS%c_S%c_E", digit, digit);
	for (digit = 'A'; digit < 'R'; digit++)
		buf_printf(&name, "S_IS%c_S%c_E", digit, digit);
	demangle_put(&out, buf_span(&name), &full);
	assert_string_equal(buf_str(&out), buf_str(&name));
	out.n = 0;
	demangle_put(&out, buf_span(&name), &plain);
	assert_string_equal(buf_str(&out), "f");
	buf_release(&name);
	buf_release(&out);
}

static void put_d_reference(struct buf *name, size_t to)
{
	size_t distance = name->n - to, at;

	buf_putc(name, 'Q');
	at = name->n;
	buf_putc(name, (char)('a' + distance % 26));
	for (distance /= 26; distance; distance /= 26) {
		buf_putc(name, ' ');
		memmove(name->p + at + 1, name->p + at, name->n - at - 1);
		name->p[at] = (char)('A' + distance % 26);
	}
}

static void check_stays(struct buf *name)
{
	check(buf_str(name), &plain, buf_str(name));
	check(buf_str(name), &full, buf_str(name));
	buf_release(name);
}

/* int[int], then an array of twice the type before it, again and again: 2^40 times int. */
static void a_d_name_that_unfolds_to_gigabytes_stays(void **state)
{
	struct buf name = { 0 };
	size_t before = 5;
	unsigned i;

	(void)state;
	buf_puts(&name, "_D1fFHii");
	for (i = 0; i < 40; i++) {
		size_t at = name.n;

		buf_putc(&name, 'H');
		put_d_reference(&name, before);
		put_d_reference(&name, before);
		before = at;
	}
	buf_puts(&name, "Zv");
	check_stays(&name);
}

/* The parameters of a function, or of one in it, or of one in that ...: of each both is tried. */
static void a_d_name_that_can_be_read_in_many_ways_stays(void **state)
{
	struct buf name = { 0 };
	unsigned i;

	(void)state;
	buf_puts(&name, "_D1fF");
	for (i = 0; i < 60; i++)
		buf_puts(&name, "C1fFM");
	check_stays(&name);
}

static void usual_back_references_in_d_names_are_read(void **state)
{
	(void)state;
	check("_D3std5range__T4takeTAaZQjFNaNbNiNfAamZQe", &plain, "std.range.take!(char[]).take");
	check("_D3app1fFPFNaZAyaQiZv", &full,
		"app.f(immutable(char)[]() pure function, immutable(char)[]() pure function)");
}

/* A path within itself. */
static void a_rust_name_without_end_stays(void **state)
{
	(void)state;
	check("_RNvB_3foo", &plain, "_RNvB_3foo");
	check("_RINvC1a1bRB_E", &plain, "_RINvC1a1bRB_E");
	check("_RNvB_3foo", &kernel, "_RNvB_3foo");
}

/* A function with 1.9e12 lifetimes, in a path that is not printed. */
static void a_rust_name_with_endless_lifetimes_stays(void **state)
{
	(void)state;
	check("_RNvMINvC1a1bFGzzzzzzz_EuEl3foo", &plain, "_RNvMINvC1a1bFGzzzzzzz_EuEl3foo");
	check("_RINvC1a1bFG_RL0_uEuE", &plain, "a::b::<for<'a> fn(&'a ())>");
}

static void a_hostile_name_exhausts_nothing(void **state)
{
	static const char *const heads[] = { "_Z1f", "_RNvC", "_ZN", "_D3app3run" };
	static const char *const bodies[] = { "P", "I", "B", "F", "S_", "T_", "A_" };
	size_t h, b;

	(void)state;
	for (h = 0; h < sizeof(heads) / sizeof(*heads); h++) {
		for (b = 0; b < sizeof(bodies) / sizeof(*bodies); b++) {
			struct buf name = { 0 }, out = { 0 };

			buf_puts(&name, heads[h]);
			while (name.n < 4000)
				buf_puts(&name, bodies[b]);
			demangle_put(&out, buf_span(&name), &plain);
			assert_true(out.n > 0);
			buf_release(&name);
			buf_release(&out);
		}
	}
}

static void a_name_beyond_the_limit_stays(void **state)
{
	struct buf name = { 0 }, out = { 0 };

	(void)state;
	buf_puts(&name, "_Z100000");
	while (name.n < 100008)
		buf_putc(&name, 'a');
	buf_putc(&name, 'v');
	demangle_put(&out, buf_span(&name), &plain);
	assert_int_equal(out.n, name.n);
	buf_release(&name);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_names_stay),
		cmocka_unit_test(cpp_names_lose_their_parameters),
		cmocka_unit_test(rust_names_lose_their_hash),
		cmocka_unit_test(go_names_lose_abi_and_shapes),
		cmocka_unit_test(versions_are_dropped_except_under_compat),
		cmocka_unit_test(ocaml_names_get_their_dots),
		cmocka_unit_test(d_names_are_read_by_default_only),
		cmocka_unit_test(the_kernel_is_written_in_c_and_rust),
		cmocka_unit_test(long_names_of_templates_are_read),
		cmocka_unit_test(a_name_that_unfolds_to_gigabytes_stays),
		cmocka_unit_test(a_d_name_that_unfolds_to_gigabytes_stays),
		cmocka_unit_test(a_d_name_that_can_be_read_in_many_ways_stays),
		cmocka_unit_test(usual_back_references_in_d_names_are_read),
		cmocka_unit_test(a_rust_name_without_end_stays),
		cmocka_unit_test(a_rust_name_with_endless_lifetimes_stays),
		cmocka_unit_test(a_hostile_name_exhausts_nothing),
		cmocka_unit_test(a_name_beyond_the_limit_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
