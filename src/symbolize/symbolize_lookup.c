/*
 * Modules are loaded when the first of their addresses is looked up, each with its own symbols, and
 * stay loaded until symbolize_lookup_forget() or the end. The kernel's list of symbols is read
 * once, before the first module of the kernel.
 */
#include "symbolize/symbolize.h"

#include "base/mem.h"
#include "symbolize/kernel/kernel.h"
#include "symbolize/module_names.h"

#include <stdlib.h>

struct symbolize_lookup {
	struct symbolize_opts o;
	struct recording *r;
	struct symbolize_run *run;
	struct loaded_module {
		struct module_names *names;
		struct symbolize_module report;
	} * *of; /* by module_id; NULL: not read */
	uint32_t n, cap;
	const struct kallsyms *kallsyms; /* NULL: not read */
};

struct symbolize_lookup *symbolize_lookup_new(struct recording *r, const struct symbolize_opts *o)
{
	struct symbolize_lookup *s = xcalloc(1, sizeof(*s));

	s->r = r;
	s->o = *o;
	s->o.no_inline = true;
	s->o.lines = s->o.lines_in_names = s->o.code_addresses = false;
	s->run = module_names_run_new(r, &s->o);
	return s;
}

static void free_loaded(struct loaded_module *m)
{
	if (!m)
		return;
	module_names_free(m->names);
	symbolize_report_release_module(&m->report);
	free(m);
}

void symbolize_lookup_free(struct symbolize_lookup *s)
{
	if (!s)
		return;
	while (s->n)
		free_loaded(s->of[--s->n]);
	free(s->of);
	module_names_run_free(s->run);
	free(s);
}

static struct loaded_module *load_module(const struct symbolize_lookup *s, module_id module)
{
	struct loaded_module *m = xcalloc(1, sizeof(*m));

	m->report.module = module;
	m->names = module_names_new(s->run, &m->report);
	return m;
}

static struct loaded_module *loaded(struct symbolize_lookup *s, module_id module)
{
	ARRAY_RESERVE(s->of, (size_t)module + 1, s->cap);
	while (s->n <= module)
		s->of[s->n++] = NULL;
	if (!s->of[module])
		s->of[module] = load_module(s, module);
	return s->of[module];
}

frame_id symbolize_lookup_find(struct symbolize_lookup *s, const struct site *site)
{
	return module_names_frame(loaded(s, site->module)->names, site);
}

const struct kallsyms *symbolize_lookup_kallsyms(struct symbolize_lookup *s)
{
	if (!s->kallsyms)
		s->kallsyms = module_names_read_kallsyms(s->run);
	return s->kallsyms;
}

frame_id symbolize_lookup_find_kernel(struct symbolize_lookup *s, uint64_t address)
{
	struct module m = { .kind = MODULE_KERNEL };
	struct site site = { .kind = FRAME_KERNEL, .how = SITE_EXACT, .rel = address };
	struct span name = { 0 };

	if (kallsyms_module_at(symbolize_lookup_kallsyms(s), address, &name) && name.n) {
		m.kind = MODULE_KMOD;
		m.shown = strtab_add(s->r->strings, name);
	}
	site.module = modules_add(s->r->modules, &m);
	return symbolize_lookup_find(s, &site);
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool is_of_kernel(const struct symbolize_lookup *s, module_id id)
{
	uint8_t kind = id ? modules_get(s->r->modules, id)->kind : MODULE_NONE;

	return kind == MODULE_KERNEL || kind == MODULE_KMOD;
}

static struct loaded_module *loaded_with_list(struct symbolize_lookup *s, module_id module)
{
	if (is_of_kernel(s, module))
		symbolize_lookup_kallsyms(s);
	return loaded(s, module);
}

static struct site exact_site(const struct symbolize_lookup *s, module_id module, uint64_t rel)
{
	return (struct site){ .module = module,
		.rel = rel,
		.how = SITE_EXACT,
		.kind = is_of_kernel(s, module) ? FRAME_KERNEL : FRAME_USER };
}

bool symbolize_lookup_function(
	struct symbolize_lookup *s, module_id module, uint64_t rel, struct symbolize_function *f)
{
	struct site site = exact_site(s, module, rel);

	return module_names_function(loaded_with_list(s, module)->names, &site, f);
}

struct symbolize_bounds symbolize_lookup_bounds(
	struct symbolize_lookup *s, module_id module, uint64_t rel)
{
	struct site site = exact_site(s, module, rel);

	return module_names_bounds(loaded_with_list(s, module)->names, &site);
}

uint64_t symbolize_lookup_address(struct symbolize_lookup *s, module_id module, uint64_t rel)
{
	struct site site = exact_site(s, module, rel);

	return module_names_address(loaded_with_list(s, module)->names, &site);
}

uint64_t symbolize_lookup_first_code(struct symbolize_lookup *s, module_id module)
{
	return module_names_first_code(loaded_with_list(s, module)->names);
}

bool symbolize_lookup_has_vmlinux(struct symbolize_lookup *s, module_id kernel, uint64_t *shift)
{
	return module_names_by_vmlinux(loaded_with_list(s, kernel)->names, shift);
}

str_id symbolize_lookup_build(struct symbolize_lookup *s, module_id module)
{
	return module_names_build(s->run, module);
}

void symbolize_lookup_forget(struct symbolize_lookup *s, str_id except)
{
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		if (!s->of[i] || (except && modules_get(s->r->modules, i)->shown == except))
			continue;
		free_loaded(s->of[i]);
		s->of[i] = NULL;
	}
}
