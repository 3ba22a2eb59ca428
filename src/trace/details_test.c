#include "trace/details.h"

#include "trace/span_preset.h"
#include "trace/spans_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void run(struct marked *m, const char *preset, struct details *details)
{
	const struct span_preset *p = span_preset_find(preset);
	struct spans_opts o = { .rules = p->rules,
		.n_rules = p->n_rules,
		.fields = &p->fields,
		.describe = details_describe,
		.ctx = details };
	struct err e;

	details->recording = m->r;
	details->fields = &p->fields;
	details->files = p->view == SPAN_VIEW_FILES;
	assert_int_equal(spans_pair(&m->d, m->r, 0, &o, &e), OK);
}

static uint32_t field(const char *preset, const char *name)
{
	const struct mark_fields *f = &span_preset_find(preset)->fields;
	uint32_t i;

	for (i = 0; i < f->n; i++)
		if (strcmp(f->name[i], name) == 0)
			return i;
	fail();
	return 0;
}

static const char *detail(const struct marked *m, size_t i)
{
	assert_true(i < m->d.n);
	return strtab_str(m->strings, m->d.item[i].detail);
}

static str_id path_of(const struct descriptors *d, int32_t fd)
{
	uint32_t i;

	for (i = 0; i < d->n; i++)
		if (d->of[i].pid == DESCRIPTOR_ANY && d->of[i].fd == fd)
			return d->of[i].path;
	return 0;
}

static void the_list_of_ls_and_a_plain_one_are_read(void **state)
{
	struct strtab *strings = strtab_new();
	struct descriptors d = { 0 };
	const struct span text = SPAN("total 0\n"
				      "lrwx------ 1 root root 64 Nov 21 13:00 24 -> /tmp/a b\n"
				      "lr-x------ 1 u u 64 Nov 21 13:00 5 -> socket:[77]\n"
				      "7 /dev/null\n"
				      "nonsense -> x\n99999999999 /x\n");

	(void)state;
	assert_int_equal(details_read_descriptors(&d, text, strings), 3);
	assert_string_equal(strtab_str(strings, path_of(&d, 24)), "/tmp/a b");
	assert_string_equal(strtab_str(strings, path_of(&d, 5)), "socket:[77]");
	assert_string_equal(strtab_str(strings, path_of(&d, 7)), "/dev/null");
	assert_int_equal(path_of(&d, 8), 0);
	details_release_descriptors(&d);
	strtab_free(strings);
}

static const char *const files[] = { "file:open64", "file:open64_ret", "syscalls:sys_enter_write",
	"syscalls:sys_exit_write", "syscalls:sys_enter_close", "syscalls:sys_exit_close",
	"syscalls:sys_enter_dup2", "syscalls:sys_exit_dup2", NULL };

static void call(struct marked *m, uint64_t at, uint16_t event, const char *name, int64_t value,
	int64_t result)
{
	marked_add(m, at, 11, event);
	marked_number(m, field("file-io", name), value);
	marked_add(m, at + 5, 11, event + 1);
	marked_number(m, field("file-io", "ret"), result);
}

static void descriptors_follow_what_opens_duplicates_and_closes(void **state)
{
	struct details details = { 0 };
	struct marked *m = *state;

	marked_init(m, files);
	call(m, 10, 2, "fd", 24, -9);
	marked_add(m, 20, 11, 0);
	marked_text(m, field("file-io", "path"), "/tmp/x");
	marked_add(m, 25, 11, 1);
	marked_number(m, field("file-io", "fd"), 24);
	call(m, 30, 2, "fd", 24, 100);
	marked_add(m, 40, 11, 6);
	marked_number(m, field("file-io", "oldfd"), 24);
	marked_number(m, field("file-io", "newfd"), 30);
	marked_add(m, 45, 11, 7);
	marked_number(m, field("file-io", "ret"), 30);
	call(m, 50, 4, "fd", 24, 0);
	call(m, 60, 2, "fd", 24, 1);
	call(m, 70, 2, "fd", 30, 7);
	run(m, "file-io", &details);
	assert_int_equal(m->d.n, 7);
	assert_string_equal(detail(m, 0), "W         - fd 24 EBADF");
	assert_string_equal(detail(m, 1), "O         - /tmp/x");
	assert_string_equal(detail(m, 2), "W       100 /tmp/x");
	assert_string_equal(detail(m, 3), "-         - /tmp/x");
	assert_string_equal(detail(m, 4), "C         - /tmp/x");
	assert_string_equal(detail(m, 5), "W         1 fd 24");
	assert_string_equal(detail(m, 6), "W         7 /tmp/x");
	details_release_descriptors(&details.descriptors);
}

static void connections_have_address_port_and_error(void **state)
{
	static const char *const events[] = { "net:connect", "net:connect_ret", NULL };
	struct details details = { 0 };
	struct marked *m = *state;

	marked_init(m, events);
	marked_add(m, 10, 11, 0);
	marked_number(m, field("connect", "family"), 2);
	marked_number(m, field("connect", "ip"), 0x0100007f);
	marked_number(m, field("connect", "port"), 0x901f);
	marked_add(m, 15, 11, 1);
	marked_number(m, field("connect", "ret"), -115);
	run(m, "connect", &details);
	assert_string_equal(detail(m, 0), "family=2 ip=127.0.0.1 port=8080 ret=-115 EINPROGRESS");
}

static void request(struct marked *m, uint64_t at, int32_t tid, uint16_t event, int64_t sector)
{
	marked_add(m, at, tid, event);
	marked_number(m, field("block", "dev"), 259 << 20 | 3);
	marked_number(m, field("block", "sector"), sector);
}

static void requests_have_their_device_and_end_in_any_thread(void **state)
{
	static const char *const events[] = { "block:block_rq_issue", "block:block_rq_complete",
		NULL };
	struct details details = { 0 };
	struct marked *m = *state;

	marked_init(m, events);
	request(m, 10, 11, 0, 2048);
	request(m, 12, 11, 0, 4096);
	request(m, 15, 12, 1, 4096);
	request(m, 17, 12, 1, 2048);
	run(m, "block", &details);
	assert_int_equal(m->d.n, 2);
	assert_string_equal(detail(m, 0), "dev=259,3 sector=4096");
	assert_int_equal(m->d.item[0].duration_ns, 3);
	assert_string_equal(detail(m, 1), "dev=259,3 sector=2048");
	assert_int_equal(m->d.item[1].duration_ns, 7);
}

static void check_raw_call(const char *arch, const char *name)
{
	static const char *const events[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit",
		NULL };
	struct details details = { 0 };
	struct marked m;

	marked_init(&m, events);
	m.r->facts.arch = strtab_add_str(m.strings, arch);
	marked_add(&m, 10, 11, 0);
	marked_number(&m, field("syscalls", "id"), 257);
	marked_add(&m, 15, 11, 1);
	marked_number(&m, field("syscalls", "id"), 257);
	marked_number(&m, field("syscalls", "ret"), 3);
	run(&m, "syscalls", &details);
	assert_int_equal(m.d.n, 1);
	assert_string_equal(strtab_str(m.strings, m.d.kinds[m.d.item[0].kind].name), name);
	marked_release(&m);
}

static void raw_calls_are_named_by_their_number(void **state)
{
	(void)state;
	check_raw_call("x86_64", "openat");
	check_raw_call("aarch64", "nr257");
	check_raw_call("", "nr257");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, marked_setup, marked_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_of_ls_and_a_plain_one_are_read),
		TEST(descriptors_follow_what_opens_duplicates_and_closes),
		TEST(connections_have_address_port_and_error),
		TEST(requests_have_their_device_and_end_in_any_thread),
		cmocka_unit_test(raw_calls_are_named_by_their_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
