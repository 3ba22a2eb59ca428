#include "files/pack.h"

#include "base/tmpdir_for_test.h"
#include "files/files.h"

#include <string.h>

static const struct build_id id = { 3, { 0xab, 0xcd, 0xef } };

static void expect_place(
	const struct build_id *of, const char *path, int32_t container, const char *wanted)
{
	struct buf b = { 0 };

	assert_true(pack_place_binary(&b, of, span_of(path), container));
	assert_string_equal(buf_str(&b), wanted);
	buf_release(&b);
}

static void a_binary_is_placed_by_build_id_else_by_path(void **state)
{
	static const struct build_id none;

	(void)state;
	expect_place(&id, "/usr/bin/x", 7, ".build-id/ab/cdef/elf");
	expect_place(&none, "/usr/bin/x", 0, "root/usr/bin/x");
	expect_place(&none, "/usr/bin/x", 7, "containers/7/usr/bin/x");
}

static void a_binary_without_both_has_no_place(void **state)
{
	static const struct build_id none;
	struct buf b = { 0 };

	(void)state;
	assert_false(pack_place_binary(&b, &none, SPAN("[anon]"), 0));
	assert_false(pack_place_binary(&b, &none, SPAN(""), 0));
	buf_release(&b);
}

static bool add(struct pack_uses *u, const char *place, const char *path)
{
	return pack_uses_add(u, &(struct pack_use){ .place = (char *)place, .path = (char *)path });
}

static void the_first_file_at_a_place_stays(void **state)
{
	struct pack_uses *u = pack_uses_new();
	const struct pack_use *use;
	uint32_t n;

	(void)state;
	assert_true(add(u, "root/b", "/one"));
	assert_true(add(u, "data", "/data"));
	assert_true(add(u, "root/b", "/one"));
	assert_false(add(u, "root/b", "/two"));
	use = pack_uses_sorted(u, &n);
	assert_int_equal(n, 2);
	assert_string_equal(use[0].place, "data");
	assert_string_equal(use[1].path, "/one");
	pack_uses_free(u);
}

static void put(void **state, const char *dir, const char *name)
{
	char *below = tmpdir_path(state, dir), *path = xasprintf("%s/%s", below, name);

	mkdir(below, 0700);
	tmpdir_write(path, SPAN("x"));
	free(below);
	free(path);
}

static void maps_are_found_by_the_process_they_were_used_for(void **state)
{
	static const struct files_opts nothing;
	struct pack_search *s;
	const struct files_opts *o;

	put(state, "maps", "perf-12.map");
	put(state, "maps", "jit-13.dump");
	put(state, "maps", "perf-evil.map");
	put(state, "containers", "14");
	put(state, "containers", "99999999999");
	s = pack_search_new(&nothing, *state);
	o = pack_search_opts(s);
	assert_int_equal(o->n_perf_maps, 1);
	assert_int_equal(o->perf_maps[0].pid, 12);
	assert_int_equal(o->n_jitdumps, 1);
	assert_int_equal(o->jitdumps[0].pid, 13);
	assert_int_equal(o->n_containers, 1);
	assert_int_equal(o->containers[0].pid, 14);
	pack_search_free(s);
}

static void a_pack_is_searched_before_named_directories(void **state)
{
	static const char *const symfs[] = { "/named", NULL };
	const struct files_opts named = { .symfs = symfs, .home = "/home/me" };
	struct pack_search *s = pack_search_new(&named, *state);
	const struct files_opts *o = pack_search_opts(s);
	char *root = tmpdir_path(state, "root");

	assert_string_equal(o->symfs[0], root);
	assert_string_equal(o->symfs[1], "/named");
	assert_null(o->symfs[2]);
	assert_string_equal(o->debug_dirs[0], *state);
	assert_null(o->debug_dirs[1]);
	assert_string_equal(o->recording_dir, *state);
	assert_true(o->no_system);
	assert_null(o->vmlinux);
	free(root);
	pack_search_free(s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

/* Whoever may rename a file could otherwise have another one packed. */
static void a_file_that_was_replaced_since_it_was_used_is_not_packed(void **state)
{
	static const struct pack_form whole;
	char *path = tmpdir_at(state, "program"), *other = tmpdir_at(state, "other");
	struct pack_uses *u = pack_uses_new();
	struct pack_use use = { .reason = PACK_BINARY, .place = (char *)"root/program" };
	struct pack_content *c;
	struct file f;
	struct err e;

	tmpdir_write(path, SPAN("program"));
	tmpdir_write(other, SPAN("secret!"));
	assert_int_equal(file_open(&f, path, &e), OK);
	use.path = path;
	use.identity = file_identity(&f);
	file_close(&f);
	assert_int_equal(pack_content_open(&c, u, &use, &whole, &e), OK);
	pack_content_free(c);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(pack_content_open(&c, u, &use, &whole, &e), ERR_IO);
	assert_non_null(strstr(e.msg, "program: is another file by now"));
	pack_content_free(c);
	pack_uses_free(u);
}

/* Files of /proc say that they are empty. */
static void a_list_of_the_kernel_is_packed_whole(void **state)
{
	static const struct pack_form whole;
	struct pack_use use = {
		.reason = PACK_KERNEL, .path = (char *)"/proc/version", .place = (char *)"kallsyms"
	};
	struct pack_uses *u = pack_uses_new();
	struct buf list = { 0 };
	struct pack_content *c;
	struct err e;
	char got[4096];
	size_t n;

	(void)state;
	assert_int_equal(file_read_all(use.path, sizeof(got), &list, &e), OK);
	assert_int_equal(pack_content_open(&c, u, &use, &whole, &e), OK);
	n = pack_content_size(c);
	assert_in_range(n, 3, sizeof(got));
	assert_int_equal(n, list.n);
	assert_int_equal(pack_content_read(c, got, n - 2, 2, &e), OK);
	assert_memory_equal(got, list.p + 2, n - 2);
	pack_content_free(c);
	pack_uses_free(u);
	buf_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_binary_is_placed_by_build_id_else_by_path),
		cmocka_unit_test(a_binary_without_both_has_no_place),
		cmocka_unit_test(the_first_file_at_a_place_stays),
		IN_TMPDIR(a_file_that_was_replaced_since_it_was_used_is_not_packed),
		cmocka_unit_test(a_list_of_the_kernel_is_packed_whole),
		TEST(maps_are_found_by_the_process_they_were_used_for),
		TEST(a_pack_is_searched_before_named_directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
