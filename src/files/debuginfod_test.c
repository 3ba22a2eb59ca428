#include "files/debuginfod.h"

#include "base/tmpdir_for_test.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>

/* testdata/elf/cet has this one. */
static const struct build_id cet_id = { 20,
	{ 0x6d, 0x8d, 0xd7, 0x05, 0x1d, 0x70, 0xe0, 0x3d, 0xed, 0x8c, 0x72, 0x2a, 0x19, 0x72, 0x0b,
		0xde, 0x65, 0xd2, 0xf6, 0x57 } };

/* A server that gives one file for any request. */
struct server {
	int fd;
	unsigned port;
	const char *path;
	_Atomic unsigned requests;
	pthread_t thread;
};

static void answer(struct server *s, int client)
{
	struct buf content = { 0 }, reply = { 0 };
	char request[4096];
	struct err e;

	if (read(client, request, sizeof(request)) > 0) {
		s->requests++;
		assert_int_equal(file_read_all(s->path, 1 << 20, &content, &e), OK);
		buf_printf(&reply, "HTTP/1.0 200 OK\r\nContent-Length: %zu\r\n\r\n", content.n);
		buf_put_span(&reply, buf_span(&content));
		assert_int_equal(write(client, reply.p, reply.n), reply.n);
	}
	buf_release(&content);
	buf_release(&reply);
	close(client);
}

static void *serve(void *ctx)
{
	struct server *s = ctx;
	int client;

	while ((client = accept(s->fd, NULL, NULL)) >= 0)
		answer(s, client);
	return NULL;
}

static void server_start(struct server *s, const char *path)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at);

	*s = (struct server){ .path = path, .fd = socket(AF_INET, SOCK_STREAM, 0) };
	assert_int_equal(bind(s->fd, (struct sockaddr *)&at, n), 0);
	assert_int_equal(listen(s->fd, 4), 0);
	assert_int_equal(getsockname(s->fd, (struct sockaddr *)&at, &n), 0);
	s->port = ntohs(at.sin_port);
	pthread_create(&s->thread, NULL, serve, s);
}

static void server_stop(struct server *s)
{
	shutdown(s->fd, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->fd);
}

/* What is found for cet's build-id when the server has the file; the trail is left. */
static struct elf_file *ask(
	void **state, const char *served, bool option, unsigned *requests, struct files_trail *t)
{
	struct files_opts o = { .no_system = true, .debuginfod = option };
	struct strtab *strings = strtab_new();
	struct module m = { .kind = MODULE_FILE, .build_id = cet_id };
	struct files *f;
	struct elf_file *ef;
	struct server s;
	char url[64];

	server_start(&s, served);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", s.port);
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", *state, 1);
	m.path = strtab_add_str(strings, "/nowhere/cet");
	f = files_new(&o, strings);
	ef = files_open_runtime(f, &m, t);
	server_stop(&s);
	*requests = s.requests;
	files_free(f);
	strtab_free(strings);
	return ef;
}

static void skip_without_library(void)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	if (!library)
		skip();
	dlclose(library);
}

static void without_the_option_no_server_is_contacted(void **state)
{
	struct files_trail t = { 0 };
	unsigned requests;

	assert_null(ask(state, "testdata/elf/cet", false, &requests, &t));
	assert_int_equal(requests, 0);
	files_trail_release(&t);
}

static void a_file_is_requested_by_build_id(void **state)
{
	struct files_trail t = { 0 };
	struct elf_file *ef;
	unsigned requests;

	skip_without_library();
	ef = ask(state, "testdata/elf/cet", true, &requests, &t);
	assert_non_null(ef);
	assert_int_equal(requests, 1);
	assert_true(build_id_same(&ef->build_id, &cet_id));
	assert_int_equal(t.step[t.n - 1].verdict, FILES_USED);
	elf_file_close(ef);
	files_trail_release(&t);
}

static unsigned count_descriptors(void)
{
	unsigned n = 0;
	int fd;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* The library gives a descriptor beside the path. */
static void no_descriptor_is_left_open(void **state)
{
	char *other_cache = tmpdir_at(state, "other");
	struct files_trail t = { 0 };
	unsigned requests;
	unsigned open;

	skip_without_library();
	elf_file_close(ask(state, "testdata/elf/cet", true, &requests, &t));
	open = count_descriptors(); /* after a first call, which may open some for good */
	elf_file_close(ask((void **)&other_cache, "testdata/elf/cet", true, &requests, &t));
	assert_int_equal(requests, 1);
	assert_int_equal(count_descriptors(), open);
	files_trail_release(&t);
}

static void a_file_from_a_server_must_have_the_build_id(void **state)
{
	struct files_trail t = { 0 };
	unsigned requests;

	skip_without_library();
	assert_null(ask(state, "testdata/elf/program", true, &requests, &t));
	assert_int_equal(requests, 1);
	assert_int_equal(t.step[t.n - 1].verdict, FILES_OTHER_BUILD_ID);
	files_trail_release(&t);
}

static void a_missing_server_is_reported(void **state)
{
	struct files_opts o = { .no_system = true, .debuginfod = true };
	struct files_trail t = { 0 };
	struct strtab *strings;
	struct files *f;

	skip_without_library();
	strings = strtab_new();
	f = files_new(&o, strings);
	unsetenv("DEBUGINFOD_URLS");
	setenv("DEBUGINFOD_CACHE_PATH", *state, 1);
	assert_null(debuginfod_open(f, &cet_id, DEBUGINFOD_DEBUGINFO, &t));
	assert_int_equal(t.n, 1);
	assert_int_equal(t.step[0].verdict, FILES_NO_SERVER);
	assert_null(files_trail_refusal(&t));
	files_trail_release(&t);
	files_free(f);
	strtab_free(strings);
}

static void a_source_is_requested_by_build_id_and_path(void **state)
{
	struct files_opts o = { .no_system = true, .debuginfod = true };
	char *served = tmpdir_at(state, "served");
	struct files_trail t = { 0 };
	struct files *f;
	struct file file;
	struct server s;
	char url[64];

	skip_without_library();
	tmpdir_write(served, SPAN("int x;\n"));
	server_start(&s, served);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", s.port);
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", *state, 1);
	f = files_new(&o, NULL);
	assert_true(debuginfod_open_source(f, &cet_id, SPAN("/src/a.c"), &file, &t));
	tmpdir_assert_content(file.path, SPAN("int x;\n"));
	file_close(&file);
	server_stop(&s);
	assert_int_equal(s.requests, 1);
	assert_false(debuginfod_open_source(f, &cet_id, SPAN("/src/b.c"), &file, &t));
	assert_int_equal(t.n, 1);
	assert_string_equal(t.step[0].path,
		"debuginfod/buildid/6d8dd7051d70e03ded8c722a19720bde65d2f657/source/src/b.c");
	assert_int_equal(t.step[0].verdict, FILES_NO_ANSWER);
	files_trail_release(&t);
	files_free(f);
	o.debuginfod = false;
	f = files_new(&o, NULL);
	assert_false(debuginfod_open_source(f, &cet_id, SPAN("/src/a.c"), &file, &t));
	assert_int_equal(t.n, 0);
	files_free(f);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)
	const struct CMUnitTest tests[] = {
		TEST(without_the_option_no_server_is_contacted),
		TEST(a_file_is_requested_by_build_id),
		TEST(no_descriptor_is_left_open),
		TEST(a_file_from_a_server_must_have_the_build_id),
		TEST(a_missing_server_is_reported),
		TEST(a_source_is_requested_by_build_id_and_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
