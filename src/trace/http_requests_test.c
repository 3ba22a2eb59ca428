#include "trace/span_preset.h"
#include "trace/spans_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Fields of the preset, in its order. */
enum { FD, TYPE, DATA };
enum { PARSE, READ, WRITE, WRITEV };

static const char *const events[] = { "http:llhttp_execute", "syscalls:sys_enter_read",
	"syscalls:sys_enter_write", "syscalls:sys_enter_writev", NULL };

static void call(struct marked *m, uint64_t time_ns, int32_t tid, uint16_t event, int64_t fd)
{
	marked_add(m, time_ns, tid, event);
	marked_number(m, FD, fd);
}

static void parse(struct marked *m, uint64_t time_ns, int32_t tid, int64_t type, const char *data)
{
	marked_add(m, time_ns, tid, PARSE);
	marked_number(m, TYPE, type);
	if (data)
		marked_text(m, DATA, data);
}

static void request(struct marked *m, uint64_t time_ns, int32_t tid, int64_t fd, const char *data)
{
	call(m, time_ns - 1, tid, READ, fd);
	parse(m, time_ns, tid, 1, data);
}

static void pair(struct marked *m)
{
	const struct span_preset *p = span_preset_find("http");
	struct spans_opts o = {
		.rules = p->rules, .n_rules = p->n_rules, .fields = &p->fields, .of = p->of
	};
	struct err e = { 0 };

	assert_true(spans_applies(m->r, &o));
	assert_int_equal(spans_pair(&m->d, m->r, 0, &o, &e), OK);
}

/* "FROM LENGTH DETAIL" of each, with commas between. */
static void check(struct marked *m, const char *expected)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < m->d.n; i++) {
		const struct duration *d = &m->d.item[i];

		buf_printf(&b, "%s%u %u %s", i ? ", " : "", (unsigned)d->from_ns,
			(unsigned)d->duration_ns, strtab_str(m->strings, d->detail));
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void a_request_ends_with_the_last_write_before_the_next(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	request(m, 10, 1, 24, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
	call(m, 15, 1, WRITE, 9); /* to a log */
	call(m, 20, 1, WRITEV, 24);
	call(m, 30, 1, WRITE, 24);
	request(m, 50, 1, 24, "POST /b?c=d HTTP/1.1");
	call(m, 60, 1, WRITEV, 24);
	pair(m);
	check(m, "10 20 GET /a, 50 10 POST /b?c=d");
}

static void requests_of_several_sockets_overlap(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	request(m, 10, 1, 24, "GET /a ");
	request(m, 20, 1, 25, "GET /b ");
	request(m, 30, 21, 24, "GET /other-process ");
	call(m, 40, 1, WRITEV, 25);
	call(m, 50, 1, WRITEV, 24);
	pair(m);
	check(m, "10 40 GET /a, 20 20 GET /b");
	assert_int_equal(m->d.left_out.open, 1);
}

static void answers_to_this_program_are_no_requests(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	call(m, 10, 1, WRITE, 30);
	call(m, 20, 1, READ, 30);
	parse(m, 21, 1, 2, "HTTP/1.1 200 OK");
	call(m, 30, 1, WRITE, 30);
	pair(m);
	check(m, "");
	assert_int_equal(m->d.left_out.open, 0);
}

static void more_of_a_request_does_not_begin_another(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	request(m, 10, 1, 24, "PUT /a HTTP/1.1");
	request(m, 20, 1, 24, "GET x"); /* not answered yet: a body, whatever it looks like */
	call(m, 30, 1, WRITE, 24);      /* 100 Continue */
	request(m, 40, 1, 24, "body");
	call(m, 50, 1, WRITE, 24);
	pair(m);
	check(m, "10 40 PUT /a");
}

static void the_request_itself_need_not_be_recorded(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	request(m, 10, 1, 24, NULL);
	call(m, 20, 1, WRITE, 24);
	request(m, 30, 1, 24, NULL);
	call(m, 40, 1, WRITE, 24);
	pair(m);
	check(m, "10 10 , 30 10 ");
}

static void what_cannot_be_told_is_counted(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	marked_lose(m, 34, 36);
	parse(m, 10, 1, 1, "GET /no-read "); /* its socket is not known */
	call(m, 20, 1, READ, 24);
	marked_add(m, 21, 1, PARSE); /* a probe without the type */
	request(m, 30, 1, 24, "GET /lost ");
	call(m, 40, 1, WRITE, 24);
	request(m, 50, 1, 25, "GET /unanswered ");
	pair(m);
	check(m, "");
	assert_int_equal(m->d.left_out.unkeyed, 2);
	assert_int_equal(m->d.left_out.lost, 1);
	assert_int_equal(m->d.left_out.open, 1);
}

static void without_the_parser_there_is_nothing_to_pair(void **state)
{
	struct marked *m = *state;
	const struct span_preset *p = span_preset_find("http");
	struct spans_opts o = {
		.rules = p->rules, .n_rules = p->n_rules, .fields = &p->fields, .of = p->of
	};

	marked_init(m, events + READ);
	assert_false(spans_applies(m->r, &o));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, marked_setup, marked_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_request_ends_with_the_last_write_before_the_next),
		TEST(requests_of_several_sockets_overlap),
		TEST(answers_to_this_program_are_no_requests),
		TEST(more_of_a_request_does_not_begin_another),
		TEST(the_request_itself_need_not_be_recorded),
		TEST(what_cannot_be_told_is_counted),
		TEST(without_the_parser_there_is_nothing_to_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
