#include "symbolize/jit_inlines.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The frames of a site whose only frame has this name, after splitting: "a|b^" (^: inlined). */
static void expect(enum frame_kind kind, const char *name, const char *expected)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("test", strings, frames);
	struct frame f = { .kind = (uint8_t)kind, .name = strtab_add_str(strings, name) };
	struct site s = { .named = frames_add(frames, &f) };
	site_id site = sites_add(r->sites, &s);
	struct buf b = { 0 };
	const frame_id *ids;
	uint32_t i, n;

	sites_set_frames(r->sites, site, &s.named, 1);
	jit_inlines_split(r);
	ids = sites_frames(r->sites, site, &n);
	for (i = 0; i < n; i++) {
		buf_puts(&b, i ? "|" : "");
		buf_put_span(&b, frames_name(frames, ids[i]));
		if (frames_get(frames, ids[i])->flags & FRAME_INLINED)
			buf_putc(&b, '^');
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
}

static void a_chain_becomes_a_frame_for_each_function(void **state)
{
	(void)state;
	expect(FRAME_JIT, "La;::f->Lb;::g->Lc;::h", "La;::f|Lb;::g^|Lc;::h^");
}

static void other_names_stay_whole(void **state)
{
	(void)state;
	expect(FRAME_JIT, "int F.fib(int)", "int F.fib(int)");
	expect(FRAME_JIT, "RegExp:a->b", "RegExp:a->b");
	expect(FRAME_JIT, "JS:*f /a->b.js:1:2", "JS:*f /a->b.js:1:2");
	expect(FRAME_USER, "decltype (a->b)", "decltype (a->b)");
}

static void a_chain_without_end_is_cut_off(void **state)
{
	struct buf name = { 0 }, expected = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		buf_puts(&name, i ? "->f" : "f");
		buf_puts(&expected, !i ? "f" : i < 64 ? "|f" : "->f");
		if (i && i < 63)
			buf_putc(&expected, '^');
	}
	buf_putc(&expected, '^');
	expect(FRAME_JIT, buf_str(&name), buf_str(&expected));
	buf_release(&name);
	buf_release(&expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_becomes_a_frame_for_each_function),
		cmocka_unit_test(other_names_stay_whole),
		cmocka_unit_test(a_chain_without_end_is_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
