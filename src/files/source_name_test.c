#include "files/source_name.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void sources_are_known_by_their_names(void **state)
{
	static const char *const good[] = { "/a/b.c", "b.C", "/x.tar.rs", "/usr/include/c++/12/map",
		"a.h", "/a/sysdeps/x86_64/multiarch/memmove-vec-unaligned-erms.S", "z.zig",
		"/usr/include/qt5/QtCore/QString", "a.c++", "x.f90" };
	static const char *const bad[] = { "/etc/shadow", "/etc/passwd", "/home/a/.ssh/id_rsa",
		"/home/a/.c", "/proc/self/environ", "/a/b.", "", "/", "/a.c/b", "/a/key.pem",
		"/a/b.cx", "/home/a/.bash_history", "/a/b.json" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(good); i++)
		assert_true(source_name_is_known(span_of(good[i])));
	for (i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(source_name_is_known(span_of(bad[i])));
}

static void check_path(const char *dir, const char *path, const char *expected)
{
	struct buf b = { 0 };

	buf_puts(&b, "before");
	source_name_put_path(&b, span_of(dir), span_of(path));
	assert_string_equal(buf_str(&b) + 6, expected);
	buf_release(&b);
}

static void paths_are_joined_and_lose_their_dots(void **state)
{
	(void)state;
	check_path("/build", "src/a.c", "/build/src/a.c");
	check_path("/build/obj", "../src/./a.c", "/build/src/a.c");
	check_path("/build", "/src//a.c", "/src/a.c");
	check_path("", "src/../b/a.c", "b/a.c");
	check_path("rel", "a.c", "rel/a.c");
	check_path("", "/../../etc/shadow", "/etc/shadow");
	check_path("", "../../etc/shadow", "etc/shadow");
	check_path("/b", "../../../etc/shadow", "/etc/shadow");
	check_path("", "", "");
	check_path("", "/", "");
	check_path("", "a", "a");
	check_path("", "..", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources_are_known_by_their_names),
		cmocka_unit_test(paths_are_joined_and_lose_their_dots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
