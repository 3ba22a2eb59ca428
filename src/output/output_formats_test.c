#include "output/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void check_path(const char *path, const char *format, enum sink_compression packing)
{
	enum sink_compression found;
	const struct output_format *f = output_by_path(path, &found);

	if (format)
		assert_string_equal(f->name, format);
	else
		assert_null(f);
	assert_int_equal(found, packing);
}

static void a_suffix_names_the_format(void **state)
{
	(void)state;
	check_path("a.folded", "folded", SINK_PLAIN);
	check_path("a.collapsed", "folded", SINK_PLAIN);
	check_path("dir.svg/a.txt", "folded", SINK_PLAIN);
	check_path("a.b.svg", "svg", SINK_PLAIN);
	check_path("a.cpuprofile", "cpuprofile", SINK_PLAIN);
}

static void a_compression_suffix_is_reported(void **state)
{
	(void)state;
	check_path("a.svg.gz", "svg", SINK_GZIP);
	check_path("a.folded.zst", "folded", SINK_ZSTD);
}

static void an_unknown_suffix_has_no_format(void **state)
{
	(void)state;
	check_path("a.png", NULL, SINK_PLAIN);
	check_path("svg", NULL, SINK_PLAIN);
	check_path("-", NULL, SINK_PLAIN);
	check_path("", NULL, SINK_PLAIN);
	check_path("a.gz", NULL, SINK_GZIP);
	assert_null(output_by_name("png"));
	assert_null(output_by_name(""));
}

static void every_format_is_found_by_its_name_and_its_suffixes(void **state)
{
	const struct output_format *const *f;
	const char *const *suffix;
	enum sink_compression packing;

	(void)state;
	for (f = output_formats; *f; f++) {
		assert_ptr_equal(output_by_name((*f)->name), *f);
		assert_non_null((*f)->about);
		for (suffix = (*f)->suffixes; *suffix; suffix++)
			assert_ptr_equal(output_by_path(*suffix, &packing), *f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_suffix_names_the_format),
		cmocka_unit_test(a_compression_suffix_is_reported),
		cmocka_unit_test(an_unknown_suffix_has_no_format),
		cmocka_unit_test(every_format_is_found_by_its_name_and_its_suffixes),
	};

	return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
