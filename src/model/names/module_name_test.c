#include "model/names/module_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_kind(const char *const *modules, enum frame_kind kind)
{
	for (; *modules; modules++)
		if (module_name_kind(span_of(*modules)) != kind)
			fail_msg("%s", *modules);
}

static void the_module_gives_the_kind(void **state)
{
	static const char *const kernel[] = { "[kernel.kallsyms]", "[guest.kernel.kallsyms.12]",
		"[ext4]", "/usr/lib/debug/vmlinux-5.10.0-8-amd64",
		"/lib/modules/6.1/kernel/fs/ext4/ext4.ko.zst",
		"/lib/modules/6.1/kernel/fs/ext4/ext4.ko", "bpf_prog_6deef7357e7b4530_sd_fw_egress",
		NULL };
	static const char *const user[] = { "[vdso]", "[heap]", "[stack]", "[stack:123]",
		"[vsyscall]", "[unknown]", "", "/usr/bin/node", "/tmp/perf-x.map", NULL };
	static const char *const jit[] = { "/tmp/perf-123.mapper", "/tmp/perf-123.map",
		"/proc/1/root/tmp/perf-7.map", "/home/x/.debug/jit/jitted-123-4.so", "//anon",
		"[anon:v8]", "/memfd:jit code (deleted)", NULL };

	(void)state;
	check_kind(kernel, FRAME_KERNEL);
	check_kind(user, FRAME_USER);
	check_kind(jit, FRAME_JIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_module_gives_the_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
