#include "symbolize/go/go.h"

#include "model/names/line_in_name.h"

/* -trimpath and the standard library have paths of packages: they are shown, and not looked for. */
static void add_line(struct go_naming *g, struct frame *f, const struct go_call *call)
{
	if (!g->o->lines || !call->line)
		return;
	f->file = strtab_add(g->r->strings, call->file);
	f->line = call->declared_line;
	f->flags |= FRAME_DECLARED;
	f->at_line = call->line;
	if (g->r->sources) {
		g->claim.file = f->file;
		source_files_add(g->r->sources, &g->claim);
	}
	if (g->o->lines_in_names)
		line_in_name(g->r->strings, &g->text, f, span_basename(call->file));
}

static struct frame inlined(struct go_naming *g, const struct frame *symbol, struct span name)
{
	g->text.n = 0;
	demangle_put(&g->text, name, g->style);
	return (struct frame){
		.name = strtab_add(g->r->strings, buf_span(&g->text)),
		.module = symbol->module,
		.kind = symbol->kind,
		.flags = FRAME_INLINED,
	};
}

void go_frames_set(struct go_naming *g, site_id site, uint64_t rel)
{
	struct go_call call[GO_CALLS_MAX];
	frame_id frame[GO_CALLS_MAX];
	struct go_function function;
	uint64_t address;
	uint32_t n, i;
	struct frame symbol = *frames_get(g->r->frames, *sites_frames(g->r->sites, site, &n));

	if (symbol.why != WHY_HAS_NAME || symbol.kind == FRAME_JIT ||
		!elf_layout_address(&g->program->layout, rel, &address) ||
		!go_table_find(&g->program->table, address, &function))
		return;
	n = go_table_calls(&g->program->table, &function, address, g->o->lines, call);
	for (i = 0; i < (g->inlined ? n : 1); i++) {
		struct frame f = i ? inlined(g, &symbol, call[n - 1 - i].name) : symbol;

		add_line(g, &f, &call[n - 1 - i]);
		frame[i] = frames_add(g->r->frames, &f);
	}
	sites_set_frames(g->r->sites, site, frame, i);
}

void go_frames_release(struct go_naming *g)
{
	buf_release(&g->text);
}
