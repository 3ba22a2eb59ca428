/*
 * Copies of pipes may fill the memory where the folder they go to is in it.
 */
#include "input/spill.h"

#include "base/tmpdir_for_test.h"

#include <sys/vfs.h>

static const char *folder_for(const char *tmpdir)
{
	char *before = tmpdir_set_env(tmpdir);
	const char *folder = spill_dir_in_memory();

	if (folder) /* it is borrowed from the variable */
		folder = strcmp(folder, tmpdir) == 0 ? tmpdir : "another";
	tmpdir_restore_env(before);
	return folder;
}

static void a_folder_in_memory_is_noticed(void **state)
{
	struct statfs s;

	(void)state;
	if (statfs("/dev/shm", &s) || s.f_type != 0x01021994)
		skip();
	assert_string_equal(folder_for("/dev/shm"), "/dev/shm");
}

static void a_folder_on_a_file_system_that_is_not_in_memory_is_not(void **state)
{
	(void)state;
	assert_null(folder_for("/proc"));
}

static void a_folder_that_is_not_there_is_not_in_memory(void **state)
{
	(void)state;
	assert_null(folder_for("/nowhere/at/all"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_in_memory_is_noticed),
		cmocka_unit_test(a_folder_on_a_file_system_that_is_not_in_memory_is_not),
		cmocka_unit_test(a_folder_that_is_not_there_is_not_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
