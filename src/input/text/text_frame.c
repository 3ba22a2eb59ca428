#include "input/text/text_frame.h"

module_id text_frame_module(struct recording *r)
{
	struct module m = { .kind = MODULE_TEXT };

	return modules_add(r->modules, &m);
}

site_id text_frame_site(struct recording *r, module_id module, const struct frame *f)
{
	struct site s = { .module = module, .named = frames_add(r->frames, f) };

	s.kind = f->kind == FRAME_KERNEL || f->kind == FRAME_UNKNOWN ? f->kind : FRAME_USER;
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
