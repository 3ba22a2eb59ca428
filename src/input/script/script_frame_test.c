#include "input/script/script_frame.h"

#include "base/buf.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>

struct fixture {
	struct strtab *strings;
	struct frames *frames;
	struct recording *recording;
	module_id module;
};

static int set_up(void **state)
{
	struct fixture *x = xcalloc(1, sizeof(*x));

	x->strings = strtab_new();
	x->frames = frames_new(x->strings);
	x->recording = recording_new("text", x->strings, x->frames);
	x->module = 1;
	*state = x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	recording_free(x->recording);
	frames_free(x->frames);
	strtab_free(x->strings);
	free(x);
	return 0;
}

static const char *const kinds[] = { "unknown", "user", "kernel", "jit" };

static void put_frame(const struct fixture *x, const struct frame *f, struct buf *b)
{
	buf_printf(b, "%s '%s' %s", kinds[f->kind], strtab_str(x->strings, f->name),
		strtab_str(x->strings, f->module));
	if (f->flags & FRAME_INLINED)
		buf_puts(b, " inlined");
	if (f->file)
		buf_printf(b, " %s:%u", strtab_str(x->strings, f->file), f->line);
	if (f->tier)
		buf_printf(b, " tier %u", f->tier);
	if (f->address)
		buf_printf(b, " at %llx", (unsigned long long)f->address);
}

static void check_line(struct fixture *x, struct script_frame_line line, const char *want)
{
	site_id sites[SCRIPT_PIECES_MAX];
	uint32_t n = script_frame_sites(x->recording, x->module, &line, sites), i;
	struct buf b = { 0 };

	for (i = 0; i < n; i++) {
		const struct site *s = sites_get(x->recording->sites, sites[i]);

		buf_puts(&b, i ? " | " : "");
		put_frame(x, frames_get(x->frames, s->named), &b);
	}
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

static void check(struct fixture *x, const char *text, const char *want)
{
	check_line(
		x, (struct script_frame_line){ .text = span_of(text), .has_modules = true }, want);
}

static void name_offset_and_module_are_split(void **state)
{
	check(*state, "do_fault+0x2ec ([kernel.kallsyms])", "kernel 'do_fault' [kernel.kallsyms]");
	check(*state, "do_fault ([kernel.kallsyms])", "kernel 'do_fault' [kernel.kallsyms]");
	check(*state, "f(int, char) const+0x0 (/usr/bin/node)",
		"user 'f(int, char) const' /usr/bin/node");
	check(*state, "(anonymous namespace)::f (/x)", "user '(anonymous namespace)::f' /x");
	check(*state, "f+0x1 ([unknown])", "user 'f' ");
	check(*state, "a+0x10+0x3 (/x)", "user 'a+0x10' /x");
	check(*state, "f+0x1 (/usr/bin/node+0x4bd3)", "user 'f' /usr/bin/node");
}

static void modules_may_hold_blanks_and_brackets(void **state)
{
	check(*state, "f+0x10 (/my dir/x)", "user 'f' /my dir/x");
	check(*state, "f (/my dir/x)", "user 'f' /my dir/x");
	check(*state, "f+0x10 (/tmp/gone (deleted))", "user 'f' /tmp/gone (deleted)");
	check(*state, "f(int) (/tmp/gone (deleted))", "user 'f(int)' /tmp/gone (deleted)");
	check(*state, "f+0x1 (/tmp/a(b (deleted))", "user 'f' /tmp/a(b (deleted)");
	check(*state, "[unknown] (/tmp/a(b (deleted))", "unknown '' /tmp/a(b (deleted)");
	check(*state, "f+0x1 ([JIT app cache])", "jit 'f' [JIT app cache]");
}

static void frames_without_a_name_keep_their_module(void **state)
{
	struct script_frame_line addressed = { SPAN("[unknown] (/lib/libfoo.so)"), { 0 }, 0xabc,
		true };

	check(*state, "[unknown] (/lib/libfoo.so)", "unknown '' /lib/libfoo.so");
	check(*state, "[unknown] ([unknown])", "unknown '' ");
	check(*state, "[unknown]", "unknown '' ");
	check(*state, " (/lib/libfoo.so)", "unknown '' /lib/libfoo.so");
	check(*state, "", "unknown '' ");
	check_line(*state, addressed, "unknown '' /lib/libfoo.so at abc");
}

static void inlined_frames_are_marked(void **state)
{
	struct script_frame_line line = { SPAN("f+0x1"), SPAN("a.c:3 (inlined)"), 0, true };

	check(*state, "sort<int>(int*)+0xb0 (inlined)", "user 'sort<int>(int*)'  inlined");
	check_line(*state, line, "user 'f'  inlined a.c:3");
}

static void arrows_split_generated_code_only(void **state)
{
	check(*state, "La;::b->Lc;::d->e+0x8 (/tmp/perf-1.map)",
		"jit 'La;::b' /tmp/perf-1.map | jit 'Lc;::d' /tmp/perf-1.map inlined | "
		"jit 'e' /tmp/perf-1.map inlined");
	check(*state, "f->g+0x8 (/bin/x)", "user 'f->g' /bin/x");
	check(*state, "p::operator->()+0x8 (/tmp/perf-1.map)",
		"jit 'p::operator->()' /tmp/perf-1.map");
	check(*state, "RegExp:a->b+0x8 (/tmp/perf-1.map)", "jit 'RegExp:a->b' /tmp/perf-1.map");
	check(*state, "a->b->+0x8 (/tmp/perf-1.map)",
		"jit 'a' /tmp/perf-1.map | jit 'b' /tmp/perf-1.map inlined");
}

static void a_chain_of_many_arrows_keeps_its_rest(void **state)
{
	struct fixture *x = *state;
	struct script_frame_line line = { .has_modules = true };
	site_id sites[SCRIPT_PIECES_MAX];
	struct buf b = { 0 };
	int i;

	for (i = 0; i < 100; i++)
		buf_puts(&b, "a->");
	buf_puts(&b, "z (/tmp/perf-1.map)");
	line.text = buf_span(&b);
	assert_int_equal(
		script_frame_sites(x->recording, x->module, &line, sites), SCRIPT_PIECES_MAX);
	buf_release(&b);
}

static void v8_names_have_file_and_tier(void **state)
{
	struct script_frame_line bare = { SPAN("JS:^f /a.js:1:2"), { 0 }, 0, false };

	check(*state, "JS:*fib /srv/app.js:5:13+0x1f (/tmp/perf-1.map)",
		"jit 'JS:*fib /srv/app.js:5:13' /tmp/perf-1.map /srv/app.js:5 tier 4");
	check(*state, "JS:*fib /srv/app.js:5:13+0x1f (/bin/x)",
		"user 'JS:*fib /srv/app.js:5:13' /bin/x");
	check_line(*state, bare, "jit 'JS:^f /a.js:1:2'  /a.js:1 tier 2");
}

static void without_modules_brackets_belong_to_the_name(void **state)
{
	struct script_frame_line line = { SPAN("f (int)"), { 0 }, 0, false };

	check_line(*state, line, "user 'f (int)' ");
}

static void check_srcline(struct fixture *x, const char *srcline, const char *want)
{
	check_line(
		x, (struct script_frame_line){ SPAN("f (/x)"), span_of(srcline), 0, true }, want);
}

static void source_lines_are_kept_if_they_name_a_line(void **state)
{
	check_srcline(*state, "queue.h:190", "user 'f' /x queue.h:190");
	check_srcline(*state, "a.c:7 (discriminator 3)", "user 'f' /x a.c:7");
	check_srcline(*state, "??:0", "user 'f' /x");
	check_srcline(*state, "[kernel.kallsyms][ffffffff8158c71a]", "user 'f' /x");
	check_srcline(*state, "main+1d", "user 'f' /x");
}

static void the_placeholder_of_a_deferred_chain_is_no_frame(void **state)
{
	check(*state, "(cookie) ([unknown])", "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(name_offset_and_module_are_split),
		TEST(modules_may_hold_blanks_and_brackets),
		TEST(frames_without_a_name_keep_their_module),
		TEST(inlined_frames_are_marked),
		TEST(arrows_split_generated_code_only),
		TEST(a_chain_of_many_arrows_keeps_its_rest),
		TEST(v8_names_have_file_and_tier),
		TEST(without_modules_brackets_belong_to_the_name),
		TEST(source_lines_are_kept_if_they_name_a_line),
		TEST(the_placeholder_of_a_deferred_chain_is_no_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
