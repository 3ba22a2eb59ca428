/*
 * How it works. Sites are grouped by module into batches, and the workers of the pool share three
 * kinds of work (work.c): reading kallsyms, naming a batch, naming a compilation unit of a batch.
 *
 *	sites ─► batches_make() ─► batch: one module
 *	                            load_names()   a symbol_source fills a symtab
 *	                            name_site()    address ─► symbol ─► frame
 *	                            make_tasks()   debug information: a task for each unit
 *	                              dwarf_name_task()  frames of inlined functions, lines
 * Sources are tried in the order of sources[]; the first that has symbols for a module is the only
 * one. A symbol becomes a frame when it is first hit, so names that were hit are demangled once.
 *
 * The largest batches come first, since the last to finish decides how long all takes; those that
 * need kallsyms last, as one worker reads that meanwhile. Workers that sleep are woken after
 * ALONE_NS, or for debug information: for less, one is faster alone.
 * Result: sites_set_frames() for every site. It does not depend on the number of workers. What
 * follows on one thread: names that hold several functions of a runtime are split (jit_inlines.c),
 * and JavaScript gets the names of its source (sourcemap/).
 * symbolize_lookup.c does the same for one site at a time, by the functions at the end.
 */
#include "symbolize/symbolize_run.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "base/call_code.h"
#include "model/generated_code.h"
#include "model/names/runtime_name.h"
#include "model/names/module_name.h"
#include "model/site_use.h"
#include "symbolize/jit_inlines.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/symbol_source.h"
#include "symbolize/symbolize_cache.h"
#include "symbolize/sourcemap/sourcemap.h"
#include "symbolize/written_names.h"

#include <stdlib.h>
#include <time.h>

enum { ALONE_NS = 4000000 }; /* after this long, sleeping workers are woken */

/* Tried in this order for the kinds of module they know. */
static const struct symbol_source *const sources[] = {
	&symbol_source_recorded,
	&symbol_source_elf,
	&symbol_source_bpf,
	&symbol_source_vmlinux,
	&symbol_source_kallsyms,
	&symbol_source_kmod,
};

/* ---- one module ----------------------------------------------------------------------------- */

static uint32_t find_symbol(struct module_names *n, const struct site *s);

/* Do sites need debug information for their names alone? */
static bool hits_merged(struct module_names *n, const struct batch *b)
{
	const struct symbolize_opts *o = n->run->o;
	uint32_t i, s;

	for (i = 0; b->sites && !o->compat_perf && !o->no_debug && i < b->report->sites; i++) {
		s = find_symbol(n, sites_get(n->run->r->sites, b->sites[i]));
		if (s != SYMTAB_NONE && n->table.sym[s].shared)
			return true;
	}
	return false;
}

static void open_debug(const struct symbol_source *source, struct symbol_request *want,
	struct module_names *n, const struct batch *b)
{
	n->merged_only = !symbolize_wants_debug(n->run);
	want->debug = &n->debug;
	if (source->open_debug &&
		(hits_merged(n, b) || !(n->merged_only || module_names_go_suffices(n, b))))
		source->open_debug(want, &n->table);
}

static enum frame_why load_symbols(const struct symbolize_run *run, struct batch *b,
	struct elf_wanted *wanted, struct module_names *n)
{
	struct symbol_request want = {
		.o = run->o,
		.debug = symbolize_wants_debug(run) ? &n->debug : NULL,
		.functions = &n->functions,
		.layout = &n->layout,
		.go = &n->go,
		.strings = run->r->strings,
		.recorded = &run->r->symbols,
		.module = modules_get(run->r->modules, b->report->module),
		.wanted = wanted,
		.kallsyms = &run->kallsyms,
		.report = b->report,
	};
	enum frame_why why = WHY_NO_FILE;
	size_t i;

	for (i = 0; i < ARRAY_LEN(sources); i++) {
		if (!(sources[i]->kinds & 1u << want.module->kind))
			continue;
		why = sources[i]->load(&want, &n->table);
		if (why == WHY_HAS_NAME)
			break;
		symtab_release(&n->table);
	}
	symtab_freeze(&n->table);
	if (why == WHY_HAS_NAME) {
		n->source = sources[i];
		open_debug(sources[i], &want, n, b);
	}
	return why;
}

static frame_id make_frame(struct module_names *n, const struct symbol *s, enum frame_kind kind)
{
	struct frame f = { .module = n->module->shown, .kind = n->injected ? FRAME_JIT : kind };
	struct v8_name code;

	n->text.n = 0;
	demangle_put(&n->text, s->name, &n->table.style);
	if (s->plt)
		buf_puts(&n->text, "@plt");
	f.name = strtab_add(n->run->r->strings, buf_span(&n->text));
	if (n->injected && runtime_name_parse(buf_span(&n->text), &code))
		runtime_name_describe(&f, n->run->r->strings, &code);
	return frames_add(n->run->r->frames, &f);
}

/* What tells builds of a file apart: without a build-id, a recording counts as one. */
static str_id build_of(const struct symbolize_run *run, const struct module *m)
{
	struct strtab *strings = run->r->strings;
	char hex[41];

	return m->build_id.n ? strtab_add_str(strings, build_id_hex(&m->build_id, hex))
			     : strtab_add_str(strings, run->r->path);
}

static str_id own_build(struct module_names *n)
{
	if (!n->build)
		n->build = build_of(n->run, n->module);
	return n->build;
}

static bool is_pointer_to_function(struct module_names *n, const struct site *s);

/* A symbol without a size may reach beyond its function. */
static uint64_t end_of_symbol(
	struct module_names *n, const struct symbol *symbol, const struct site *site)
{
	uint64_t start = symbol->start - n->table.shift, end = symbol->end - n->table.shift, limit;

	if (!symbol->unsized)
		return end;
	limit = elf_functions_end(&n->functions, start);
	return limit > site->rel && limit < end ? limit : end;
}

/* The function of an FDE. */
static bool find_by_frames(struct module_names *n, uint64_t rel, struct symbolize_function *f)
{
	struct frame_fde code;
	uint64_t address;

	if (!elf_functions_find(&n->functions, rel, &code) ||
		!elf_layout_address(&n->functions.layout, rel, &address))
		return false;
	f->address = code.start;
	f->start = rel - (address - code.start);
	f->end = rel + (code.end - address);
	return true;
}

/* A light pack has to hold the code of what was sampled. start and end: as in sites. */
static void note_function(const struct module_names *n, uint64_t start, uint64_t end)
{
	const struct files *files = n->run->o->files;
	uint64_t offset = start;
	struct elf_layout layout;

	if (!files_opts_of(files)->uses || end <= start)
		return;
	if (n->source == &symbol_source_vmlinux) {
		if (!elf_layout_read(&layout, n->table.held[0]) ||
			!elf_layout_offset(&layout, start + n->table.shift, &offset))
			return;
	} else if (!n->functions.file) {
		return;
	}
	files_note_code(files, n->module, offset, end - start);
}

static frame_id unknown_frame(struct module_names *n, const struct site *s, uint64_t at)
{
	const struct symbolize_opts *o = n->run->o;
	struct frame f = {
		.module = n->module->shown,
		.kind = FRAME_UNKNOWN,
		.why = n->why == WHY_HAS_NAME ? WHY_NO_SYMBOL : n->why,
		.address = o->addresses ? s->rel : 0,
	};
	struct symbolize_function code;

	if (s->fallback)
		return s->fallback;
	if (!o->addresses && !o->no_functions && !o->compat_perf && !is_pointer_to_function(n, s) &&
		find_by_frames(n, at, &code)) {
		f.flags = FRAME_FUNCTION;
		f.address = code.address;
		f.build = own_build(n);
		note_function(n, code.start, code.end);
	}
	return frames_add(n->run->r->frames, &f);
}

static void set_frames(const struct symbolize_run *run, site_id id, frame_id code)
{
	frame_id shown[2];
	uint32_t n = sites_show(sites_get(run->r->sites, id), run->r->frames, code, shown);

	sites_set_frames(run->r->sites, id, shown, n);
}

static bool is_return(const struct module_names *n, const struct site *s)
{
	return s->how == SITE_RETURN && !n->run->o->compat_perf && s->rel;
}

/* As the assembly functions of glibc are. */
static bool is_aligned(uint64_t address)
{
	return address % 16 == 0;
}

/* makecontext() of glibc makes __start_context what a coroutine's first function returns to. */
static bool is_first_of_coroutine(const struct module_names *n, uint64_t address)
{
	uint32_t i = is_aligned(address) ? symtab_find(&n->table, address) : SYMTAB_NONE;

	return i != SYMTAB_NONE && n->table.sym[i].start == address &&
	       span_eq(symtab_get(&n->table, i).name, SPAN("__start_context"));
}

/* The kernel makes this code the caller of a signal handler, so nothing calls it. */
static bool is_first_of_signal_return(const struct module_names *n, uint64_t offset)
{
	return is_aligned(offset) && elf_functions_is_signal_return(&n->functions, offset) &&
	       !elf_functions_is_signal_return(&n->functions, offset - 1);
}

/* Where a site is looked up: for a return address, at the call before it. */
uint64_t module_names_look_up(const struct module_names *n, const struct site *s)
{
	uint64_t address = s->rel + n->table.shift;

	return address - (is_return(n, s) && !is_first_of_coroutine(n, address) &&
				 !is_first_of_signal_return(n, s->rel));
}

/* A light pack has to hold what decides on names. */
static void note_code_before(const struct module_names *n, const struct site *s)
{
	if (n->functions.file && s->rel >= CALL_CODE_BYTES)
		files_note_code(
			n->run->o->files, n->module, s->rel - CALL_CODE_BYTES, CALL_CODE_BYTES);
}

/* Does a function begin here, or at least the one before end? */
static bool is_first_of_function(struct module_names *n, const struct site *s)
{
	uint64_t address = s->rel + n->table.shift;
	uint32_t i;

	if (elf_functions_end(&n->functions, s->rel - 1) == s->rel)
		return true;
	i = is_aligned(address) ? symtab_find(&n->table, address) : SYMTAB_NONE;
	return i != SYMTAB_NONE && n->table.sym[i].start == address;
}

/* Is a return address of user code none, but what a broken frame pointer led to: an entry of a
 * table of virtual functions, or another pointer to a function? A call can be the last of a
 * function, so the one before is meant where a call ends. Else the caller is not known. */
static bool is_pointer_to_function(struct module_names *n, const struct site *s)
{
	if (s->kind != FRAME_USER || !is_return(n, s) ||
		module_names_look_up(n, s) == s->rel + n->table.shift ||
		!is_first_of_function(n, s))
		return false;
	note_code_before(n, s);
	return !elf_functions_may_follow_call(&n->functions, s->rel);
}

/* Is a site that seems to be in a symbol without a size in other code? */
static bool is_beyond(struct module_names *n, const struct symbol *symbol, const struct site *s)
{
	return symbol->unsized &&
	       (elf_functions_end(&n->functions, symbol->start) <= module_names_look_up(n, s) ||
		       (elf_functions_is_signal_return(&n->functions, s->rel) &&
			       !elf_functions_is_signal_return(&n->functions, symbol->start)));
}

static uint32_t find_symbol(struct module_names *n, const struct site *s)
{
	uint32_t i = is_pointer_to_function(n, s)
			     ? SYMTAB_NONE
			     : symtab_find(&n->table, module_names_look_up(n, s));

	return i != SYMTAB_NONE && is_beyond(n, &n->table.sym[i], s) ? SYMTAB_NONE : i;
}

/* i: what find_symbol() says of the site. */
static frame_id name_site(struct module_names *n, const struct site *s, uint32_t i)
{
	frame_id *f;

	if (i == SYMTAB_NONE)
		return unknown_frame(n, s, module_names_look_up(n, s));
	n->shared += n->table.sym[i].shared;
	f = &n->frame[2 * (size_t)i + (s->kind == FRAME_KERNEL)];
	if (!*f) {
		struct symbol symbol = symtab_get(&n->table, i);

		*f = make_frame(n, &symbol, s->kind);
		note_function(n, n->table.sym[i].start - n->table.shift,
			end_of_symbol(n, &n->table.sym[i], s));
	}
	return *f;
}

/* What frame.at_address of a site is. */
uint64_t module_names_address(struct module_names *n, const struct site *s)
{
	uint64_t at = module_names_look_up(n, s), recorded = at - n->table.shift, address;

	if (is_pointer_to_function(n, s))
		return 0;
	switch (n->module->kind) {
	case MODULE_FILE:
	case MODULE_VDSO:
		return elf_layout_address(&n->layout, recorded, &address) ? address : 0;
	case MODULE_KERNEL:
		return n->source == &symbol_source_vmlinux ? at : recorded;
	case MODULE_KMOD:
	case MODULE_BPF:
		return recorded;
	default:
		return 0;
	}
}

/* Where the code of the module is, in the terms of module_names_address(). */
static uint32_t code_segments(
	const struct module_names *n, struct module_segment s[ELF_SEGMENTS_MAX])
{
	const uint64_t shift = n->source == &symbol_source_vmlinux ? n->table.shift : 0;

	s[0] = (struct module_segment){ .address = n->module->start + shift,
		.size_bytes = n->module->end - n->module->start };
	return n->module->start < n->module->end ? 1 : elf_layout_code(&n->layout, s);
}

uint64_t module_names_first_code(const struct module_names *n)
{
	struct module_segment s[ELF_SEGMENTS_MAX];

	return code_segments(n, s) ? s[0].address : 0;
}

static void note_segments(const struct module_names *n, module_id id)
{
	struct module_segment s[ELF_SEGMENTS_MAX];
	uint32_t count = code_segments(n, s);

	modules_set_segments(n->run->r->modules, id,
		n->layout.n ? n->layout.segment[0].address : s[0].address, s, count);
}

/* Where the function of f->at_address begins, by its symbol or call frame information. */
static void add_range(struct module_names *n, const struct site *s, uint32_t i, struct frame *f)
{
	const struct symbol *symbol = i == SYMTAB_NONE ? NULL : &n->table.sym[i];
	uint64_t size = symbol && !symbol->unsized ? symbol->end - symbol->start : 0;

	f->at_function = f->flags & FRAME_FUNCTION ? f->address : 0;
	if (symbol && n->module->kind != MODULE_BPF)
		f->at_function = f->at_address - (module_names_look_up(n, s) - symbol->start);
	f->function_bytes = size <= UINT32_MAX ? (uint32_t)size : 0;
}

/* The frame with the address of the code, if that is wanted. Generated code is in the file's memory
 * by accident. */
static struct frame with_address(
	struct module_names *n, const struct site *s, uint32_t i, frame_id frame)
{
	struct frame f = *frames_get(n->run->r->frames, frame);
	bool wanted = n->run->o->code_addresses && (!frame || frame != s->fallback);

	f.at_address = wanted ? module_names_address(n, s) : 0;
	if (!f.at_address)
		return f;
	add_range(n, s, i, &f);
	f.build = own_build(n);
	return f;
}

static void set_style(
	const struct symbolize_run *run, enum module_kind kind, struct demangle_style *style)
{
	*style = (struct demangle_style){
		.off = run->o->no_demangle || kind == MODULE_BPF,
		.full = run->o->full_names,
		.compat_perf = run->o->compat_perf,
		.kernel = kind == MODULE_KERNEL || kind == MODULE_KMOD,
	};
}

/* The addresses of the sites of a batch. NULL if more may come, and under compat_perf, where other
 * symbols decide which one is found. */
static struct elf_wanted *make_wanted(const struct module_names *n, const struct batch *b)
{
	struct elf_wanted *a;
	uint64_t *at;
	uint32_t i, k = 0;

	if (!b->sites || n->run->o->compat_perf)
		return NULL;
	a = xmalloc(sizeof(*a));
	at = xcalloc((size_t)b->report->sites * 2 + 1, sizeof(*at));
	for (i = 0; i < b->report->sites; i++) {
		const struct site *s = sites_get(n->run->r->sites, b->sites[i]);

		if (!is_return(n, s) || is_aligned(s->rel))
			at[k++] = s->rel;
		if (is_return(n, s))
			at[k++] = s->rel - 1;
	}
	elf_wanted_init(a, at, k);
	return a;
}

/* Does a file hold code that a runtime has generated: one that perf inject wrote for a jitdump, or
 * simpleperf for the JIT of Android's? */
static bool is_generated(const struct recording *r, str_id path)
{
	const struct recorded_file *f = recorded_symbols_find(&r->symbols, path);

	return (f && f->generated) || module_name_is_injected(strtab_get(r->strings, path));
}

static void load_names(struct module_names *n, struct batch *b)
{
	static const struct module nothing_mapped = { .kind = MODULE_NONE };
	struct elf_wanted *wanted = make_wanted(n, b);

	n->module = b->report->module ? modules_get(n->run->r->modules, b->report->module)
				      : &nothing_mapped;
	n->injected = n->module->kind == MODULE_FILE && is_generated(n->run->r, n->module->path);
	set_style(n->run, n->module->kind, &n->table.style);
	if (n->module->kind == MODULE_NONE)
		n->why = WHY_NO_MAPPING;
	else if (n->module->kind == MODULE_JIT)
		n->why = generated_code_why(n->run->r, n->module->owner_pid);
	else
		n->why = load_symbols(n->run, b, wanted, n);
	if (wanted)
		elf_wanted_release(wanted);
	free(wanted);
	n->frame = xcalloc((size_t)n->table.n * 2 + 1, sizeof(*n->frame));
	b->report->why = n->why;
}

/* Will the site be looked up in the debug information? Not that of generated code, which is in the
 * file's memory by accident, and not an interpreter's. i: its symbol; f: its frame. Until then the
 * site has a frame without an address, which is that of many sites. */
static bool add_place(
	struct module_names *n, site_id id, const struct site *s, uint32_t i, const struct frame *f)
{
	const struct symbol *symbol = i == SYMTAB_NONE ? NULL : &n->table.sym[i];
	struct dwarf_place *place;

	if (!n->debug || s->function || (n->merged_only && !(symbol && symbol->shared)) ||
		is_pointer_to_function(n, s))
		return false;
	place = dwarf_debug_add(n->debug, module_names_look_up(n, s), symbol, id);
	if (place)
		place->code = site_code_of(f);
	return place;
}

/* Generated code and interpreters have their frame first, or not at all. */
static void keep_for_later(
	struct module_names *n, site_id id, const struct site *s, struct frame *f)
{
	struct recording *r = n->run->r;

	if (!r->code || f->why != WHY_HAS_NAME || s->function || s->named)
		return;
	r->code[id] = site_code_of(f);
	frames_drop_address(f);
}

static void name_in_batch(struct module_names *n, struct batch *b, site_id id)
{
	const struct symbolize_run *run = n->run;
	const struct site *s = sites_get(run->r->sites, id);
	uint32_t symbol = find_symbol(n, s);
	frame_id name = name_site(n, s, symbol);
	struct frame f = with_address(n, s, symbol, name);

	keep_for_later(n, id, s, &f);
	b->report->named += f.kind != FRAME_UNKNOWN;
	if (!add_place(n, id, s, symbol, &f) && f.at_address)
		name = frames_add(run->r->frames, &f);
	set_frames(run, id, name);
}

static struct dwarf_debug *make_tasks(struct module_names *n, struct batch *b)
{
	struct dwarf_debug *d = n->debug;

	if (!d)
		return NULL;
	d->module = n->module->shown;
	d->style = n->table.style;
	d->report = b->report;
	d->injected = n->injected;
	d->inlined = symbolize_wants_inlined(n->run);
	dwarf_debug_make_tasks(d);
	if (d->n_tasks)
		return d;
	dwarf_name_nothing(n->run->r, d);
	dwarf_debug_release(d);
	return NULL;
}

static void release_names(struct module_names *n)
{
	free(n->frame);
	buf_release(&n->text);
	symtab_release(&n->table);
	go_program_release(&n->go);
}

static struct dwarf_debug *name_batch(struct symbolize_run *run, struct batch *b)
{
	struct module_names n = { .run = run };
	struct dwarf_debug *debug;
	uint32_t i;

	load_names(&n, b);
	if (run->o->code_addresses && b->report->module)
		note_segments(&n, b->report->module);
	for (i = 0; i < b->report->sites; i++)
		name_in_batch(&n, b, b->sites[i]);
	b->report->shared = n.debug ? 0 : n.shared;
	module_names_go_add(&n, b);
	go_program_note(&n.go, run->o->files, n.module);
	debug = make_tasks(&n, b);
	release_names(&n);
	return debug;
}

/* The list of the kernel's symbols is read once, for the kernel and all its modules. */
static void read_kallsyms(struct symbolize_run *run)
{
	const struct module *kernel = NULL, any = { 0 };
	struct files_kallsyms_want want = { 0 };
	struct files_kallsyms text = { 0 };
	uint32_t i;

	if (batches_want_kernel(&run->batches, run->r, run->o, &want))
		text.want = &want;
	for (i = 1; i < modules_count(run->r->modules) && !kernel; i++)
		if (modules_get(run->r->modules, i)->kind == MODULE_KERNEL)
			kernel = modules_get(run->r->modules, i);
	if (files_read_kallsyms(run->o->files, kernel ? kernel : &any, &text, &run->kallsyms.trail))
		symbolize_cache_read_kallsyms(
			run->o->cache, &run->kallsyms, &text, run->o->compat_perf);
	buf_release(&text.own);
	free(want.address);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Whether there is work for others is known once the files have been read. */
static struct dwarf_debug *name_then_wake(struct symbolize_run *run, struct batch *b)
{
	struct dwarf_debug *debug = name_batch(run, b);

	if (debug || now_ns() - run->begun_ns > ALONE_NS)
		pool_wake(run->pool);
	return debug;
}

/* Who needs the weights of sites to choose code asks for them once names are found. They are
 * counted and kept by the worker that would have nothing to do yet. */
static void weigh_sites(const struct symbolize_run *run, unsigned worker)
{
	if (run->r->code && worker + 1 == pool_workers(run->pool))
		site_use_prepare(run->r);
}

static int work(void *ctx, unsigned worker, struct err *e)
{
	struct symbolize_run *run = ctx;
	struct dwarf_worker dwarf = { 0 };
	struct work_item item;

	(void)e;
	weigh_sites(run, worker);
	while (work_next(&run->work, &item)) {
		if (item.kallsyms) {
			read_kallsyms(run);
			work_kallsyms_done(&run->work);
		} else if (item.debug) {
			dwarf_name_task(&dwarf, run->r, run->o, item.debug, item.task);
			dwarf_debug_release(item.debug);
		} else {
			work_batch_done(
				&run->work, name_then_wake(run, &run->batches.batch[item.batch]));
		}
	}
	dwarf_worker_release(&dwarf);
	return OK;
}

/* ---- all modules ---------------------------------------------------------------------------- */

/* The frame of a site that has had its name from the start. perf does not demangle texts. */
static frame_id named_frame(const struct symbolize_run *run, const struct site *s)
{
	const struct symbolize_opts *o = run->o;
	const struct demangle_style style = {
		.off = o->no_demangle || o->compat_perf,
		.full = o->full_names,
	};

	if (!s->module || modules_get(run->r->modules, s->module)->kind != MODULE_TEXT)
		return s->named;
	return written_names_frame(run->r, s->named, &style);
}

static void name_named_sites(struct symbolize_run *run)
{
	uint32_t n = sites_count(run->r->sites), i;

	for (i = 1; i < n; i++) {
		const struct site *s = sites_get(run->r->sites, i);

		if (s->named)
			set_frames(run, i, named_frame(run, s));
	}
}

int symbolize(struct recording *r, const struct symbolize_opts *o, struct pool *pool,
	struct symbolize_report *rep, struct err *e)
{
	struct symbolize_run run = { .r = r, .o = o, .pool = pool, .begun_ns = now_ns() };
	int rc;

	*rep = (struct symbolize_report){ .unread = files_opts_of(o->files)->unread };
	if (o->sources && !r->sources)
		r->sources = source_files_new();
	name_named_sites(&run);
	batches_make(&run.batches, r, rep);
	if (o->code_later && run.batches.n) {
		r->n_code = sites_count(r->sites);
		r->code = xcalloc(r->n_code, sizeof(*r->code));
	}
	work_init(&run.work, run.batches.n, run.batches.n_free, pool_workers(pool));
	/* Names on this machine take long: its debug information, and its kernel's list. */
	if (!files_opts_of(o->files)->no_system)
		pool_wake(pool);
	rc = pool_run(pool, work, &run, e);
	work_release(&run.work);
	symbolize_report_count_refusals(rep, &r->diag);
	if (!o->compat_perf && !rc)
		jit_inlines_split(r);
	if (o->source_maps && !rc)
		sourcemap_apply(r, o->source_maps, o->files);
	kallsyms_release(&run.kallsyms);
	batches_release(&run.batches);
	return rc;
}

/* ---- module_names.h ------------------------------------------------------------------------- */

struct symbolize_run *module_names_run_new(struct recording *r, const struct symbolize_opts *o)
{
	struct symbolize_run *run = xcalloc(1, sizeof(*run));

	*run = (struct symbolize_run){ .r = r, .o = o };
	return run;
}

void module_names_run_free(struct symbolize_run *run)
{
	kallsyms_release(&run->kallsyms);
	free(run);
}

const struct kallsyms *module_names_read_kallsyms(struct symbolize_run *run)
{
	read_kallsyms(run);
	return &run->kallsyms;
}

struct module_names *module_names_new(
	const struct symbolize_run *run, struct symbolize_module *report)
{
	struct module_names *n = xcalloc(1, sizeof(*n));
	struct batch b = { .report = report };

	n->run = run;
	load_names(n, &b);
	return n;
}

void module_names_free(struct module_names *n)
{
	release_names(n);
	free(n);
}

frame_id module_names_frame(struct module_names *n, const struct site *s)
{
	return name_site(n, s, find_symbol(n, s));
}

/* i: its symbol; SYMTAB_NONE if only an FDE has it, or nothing: then it has no end. */
static void find_range(
	struct module_names *n, const struct site *s, uint32_t i, struct symbolize_function *f)
{
	if (i != SYMTAB_NONE) {
		f->start = n->table.sym[i].start - n->table.shift;
		f->end = end_of_symbol(n, &n->table.sym[i], s);
	} else {
		(void)find_by_frames(n, s->rel, f);
	}
}

bool module_names_function(
	struct module_names *n, const struct site *s, struct symbolize_function *f)
{
	uint32_t i = find_symbol(n, s);

	*f = (struct symbolize_function){ .frame = name_site(n, s, i) };
	find_range(n, s, i, f);
	if (i != SYMTAB_NONE) {
		f->guessed = n->table.sym[i].unsized;
		f->stub = n->table.sym[i].plt;
		f->thumb = n->table.sym[i].thumb;
	}
	return f->end > s->rel;
}

/* The first 16 bytes of the stubs, which call the linker, have no symbol. GNU ld gives all stubs
 * one FDE, lld none. */
struct symbolize_bounds module_names_bounds(struct module_names *n, const struct site *s)
{
	struct symbolize_function f = { 0 };
	uint32_t i = find_symbol(n, s);
	uint64_t stub;

	find_range(n, s, i, &f);
	stub = f.end ? f.end - 1 : s->rel + 16;
	if (i == SYMTAB_NONE)
		i = symtab_find(&n->table, stub + n->table.shift);
	return (struct symbolize_bounds){ f.start, f.end, i != SYMTAB_NONE && n->table.sym[i].plt };
}

bool module_names_by_vmlinux(const struct module_names *n, uint64_t *shift)
{
	*shift = n->table.shift;
	return n->source == &symbol_source_vmlinux;
}

str_id module_names_build(const struct symbolize_run *run, module_id module)
{
	return build_of(run, modules_get(run->r->modules, module));
}
