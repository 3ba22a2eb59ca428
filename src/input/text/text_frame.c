#include "input/text/text_frame.h"

module_id text_frame_module(struct recording *r)
{
	struct module m = { .kind = MODULE_TEXT };

	return modules_add(r->modules, &m);
}

/* Splits "[libx.so+0x6d110]", as profile_put_name() shows a function without a name. */
static bool split_function(struct span s, struct span *module, uint64_t *address)
{
	static const struct span plus = { "+0x", 3 };
	struct span rest = span_skip(s, 1);
	ptrdiff_t at = span_find(rest, plus), next;

	if (!s.n || s.p[0] != '[' || at <= 0)
		return false;
	*module = (struct span){ rest.p, (size_t)at };
	for (rest = span_skip(rest, at + plus.n); (next = span_find(rest, plus)) >= 0;) {
		module->n += plus.n + (size_t)next;
		rest = span_skip(rest, (size_t)next + plus.n);
	}
	return span_scan_hex(&rest, address) && span_eq(rest, SPAN("]"));
}

site_id text_frame_site(struct recording *r, module_id module, const struct frame *f)
{
	struct site s = { .module = module };
	struct frame frame = *f;
	struct span name;

	if (split_function(strtab_get(r->strings, f->name), &name, &frame.address)) {
		frame.name = 0;
		frame.module = f->module ? f->module : strtab_add(r->strings, name);
		frame.kind = FRAME_UNKNOWN;
		frame.why = WHY_IN_TEXT;
		frame.flags |= FRAME_FUNCTION;
		frame.build = strtab_add_str(r->strings, r->path);
	}
	s.kind =
		frame.kind == FRAME_KERNEL || frame.kind == FRAME_UNKNOWN ? frame.kind : FRAME_USER;
	s.named = frames_add(r->frames, &frame);
	return sites_add(r->sites, &s);
}

void text_frame_set_v8(struct recording *r, struct frame *f, const struct v8_name *v8)
{
	f->kind = FRAME_JIT;
	runtime_name_describe(f, r->strings, v8);
}

void text_frame_set_name(struct recording *r, struct frame *f, struct span name, struct span url)
{
	struct buf b = { 0 };

	buf_put_span(&b, name);
	if (url.n || f->line) {
		f->kind = FRAME_JIT;
		f->file = strtab_add(r->strings, url);
		buf_putc(&b, ' ');
		buf_put_span(&b, url);
	}
	if (f->line)
		buf_printf(&b, ":%u", f->line);
	if (f->column)
		buf_printf(&b, ":%u", f->column);
	f->name = strtab_add(r->strings, buf_span(&b));
	buf_release(&b);
}
