#include "model/names/mapped_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_spelling_says_what_is_mapped(void **state)
{
	static const struct {
		const char *path;
		enum mapped_path kind;
	} is[] = {
		{ "/usr/bin/ls", MAPPED_FILE },
		{ "/dev/zeros", MAPPED_NAMELESS },
		{ "/dev/shm/x", MAPPED_DETACHED_FILE },
		{ "/usr/bin/ls (deleted)", MAPPED_DETACHED_FILE },
		{ "/memfd:x (deleted)", MAPPED_DETACHED_FILE },
		{ "//anon", MAPPED_NAMELESS },
		{ "//anon2", MAPPED_FILE },
		{ "", MAPPED_NAMELESS },
		{ "[heap]", MAPPED_NAMELESS },
		{ "[stack:7]", MAPPED_NAMELESS },
		{ "[anon:v8]", MAPPED_NAMED_MEMORY },
		{ "[vdso]", MAPPED_VDSO },
		{ "[vsyscall]", MAPPED_SPECIAL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++)
		if (mapped_path_kind(span_of(is[i].path)) != is[i].kind)
			fail_msg("%s", is[i].path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_spelling_says_what_is_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
