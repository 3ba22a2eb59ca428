/*
 * Copies of pipes may fill the memory where their directory is in it.
 */
#include "input/spill.h"

#include "base/tmpdir_for_test.h"

#include <sys/vfs.h>

static const char *spill_dir_for(const char *tmpdir)
{
	char *before = tmpdir_set_env(tmpdir);
	const char *dir = spill_dir_in_memory();

	if (dir) /* it is borrowed from the variable */
		dir = strcmp(dir, tmpdir) == 0 ? tmpdir : "another";
	tmpdir_restore_env(before);
	return dir;
}

static void a_directory_in_memory_is_detected(void **state)
{
	struct statfs s;

	(void)state;
	if (statfs("/dev/shm", &s) || s.f_type != 0x01021994)
		skip();
	assert_string_equal(spill_dir_for("/dev/shm"), "/dev/shm");
}

static void a_directory_on_disk_is_not_in_memory(void **state)
{
	(void)state;
	assert_null(spill_dir_for("/proc"));
}

static void a_missing_directory_is_not_in_memory(void **state)
{
	(void)state;
	assert_null(spill_dir_for("/nowhere/at/all"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_directory_in_memory_is_detected),
		cmocka_unit_test(a_directory_on_disk_is_not_in_memory),
		cmocka_unit_test(a_missing_directory_is_not_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
