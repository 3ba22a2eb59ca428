#include "base/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void check(const char *url, const char *path)
{
	struct buf b = { 0 };

	url_put_path(&b, span_of(url));
	assert_string_equal(buf_str(&b), path);
	buf_release(&b);
}

static void a_file_url_has_a_path(void **state)
{
	(void)state;
	check("file:///app/a.mjs", "/app/a.mjs");
	check("file:///app/a%20b.mjs?v=1", "/app/a b.mjs");
	check("file:///app/100%", "/app/100%");
	check("file:///app/%zz%4", "/app/%zz%4");
	check("file:///a%00b", "/a%00b");
	check("file://", "");
	check("/app/a%20b.js?v=1", "/app/a%20b.js?v=1");
	check("http://localhost/a.js", "http://localhost/a.js");
	check("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_file_url_has_a_path) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
