/*
 * dwarf_frames.c - the frames of the sites of one compilation unit
 *
 * How it works. A task is a unit and the addresses in it, in ascending order:
 *
 *	dwarf_walk_chains()     address ─► DIEs: function, inlined, inlined in that, ...
 *	dwarf_names_request()   of all of them, so that one walk finds the scopes they are in
 *	set_frames()            a frame for each DIE; the outermost keeps the name of its symbol,
 *	                        unless functions were merged: merged_name()
 *
 * With lines, a frame is followed by the place at which the next one is called (DW_AT_call_file,
 * DW_AT_call_line), the innermost by the row of the line table.
 *
 * A unit may be a skeleton, whose tree is in a .dwo file or package (dwarf_split.h): then lines
 * are those of the skeleton, all else is that of the .dwo.
 *
 * libdw keeps all it has read of a unit until its handle is closed, so a worker opens its handles
 * anew after some units: that bounds memory. If .debug_info is read by unit (dwarf_image.h), the
 * unit is loaded first and dropped at the end, with its line table.
 */
#include "symbolize/dwarf/dwarf.h"

#include "base/mem.h"
#include "model/names/line_in_name.h"
#include "symbolize/dwarf/dwarf_split.h"

#include <stdlib.h>

/* libdw keeps what it read of a unit (its abbreviations) until the handle is closed.
 * FILE_LIMIT_NS: of all workers together; only a hostile file needs as much. */
enum { UNITS_PER_HANDLE = 128 };
#define FILE_LIMIT_NS 60000000000ull

/* ---- handles of a worker -------------------------------------------------------------------- */

static void close_handles(struct dwarf_worker *w)
{
	dwarf_image_close_handle(&w->main);
	dwarf_image_close_handle(&w->alternate);
	dwarf_names_clear(&w->names);
	dwarf_sources_clear(&w->sources);
	w->units_read = 0;
}

static void leave_debug(struct dwarf_worker *w)
{
	close_handles(w);
	dwarf_debug_release(w->debug);
	w->debug = NULL;
}

static bool open_handles(struct dwarf_worker *w, struct dwarf_debug *d)
{
	if (w->debug != d) {
		leave_debug(w);
		atomic_fetch_add(&d->users, 1);
		w->debug = d;
	}
	if (++w->units_read > UNITS_PER_HANDLE)
		close_handles(w);
	return w->main.dwarf || dwarf_debug_open_handles(d, &w->main, &w->alternate);
}

/* ---- names ---------------------------------------------------------------------------------- */

struct unit_naming {
	struct dwarf_worker *w;
	struct recording *r;
	const struct dwarf_debug *d;
	Dwarf_Die *unit;           /* has the lines */
	const char *dir;           /* of the compiler, for relative paths; NULL: not known */
	Dwarf_Die *tree;           /* the same, or that of the .dwo */
	struct dwarf_split *split; /* NULL: it is the same */
	struct dwarf_budget *budget;
	struct dwarf_lines_wanted wanted; /* with lines: the addresses of the task */
	bool lines, lines_in_names;
	bool as_perf; /* names and inlined functions as addr2line gives them to perf */
};

/* The name of a function, inlined or not. */
static str_id name_of(const struct unit_naming *u, Dwarf_Die *die)
{
	struct dwarf_naming with = {
		.strings = u->r->strings,
		.style = &u->d->style,
		.image = { &u->d->main.image, &u->d->alternate.image,
			u->split ? &u->split->image : NULL },
		.unit = u->tree,
		.plain = u->as_perf || u->d->style.off || u->d->style.kernel,
		.budget = u->budget,
	};

	return dwarf_names_get(&u->w->names, &with, die);
}

/* Requests all names beforehand, so that one walk finds all scopes. */
static void request_names(
	const struct unit_naming *u, const struct dwarf_place *place, uint32_t n_chains)
{
	uint32_t i, k;

	for (i = 0; i < n_chains; i++) {
		const struct dwarf_chain *c = &u->w->chains[i];

		if (c->n && place[i].shared)
			dwarf_names_request(&u->w->names, &c->scope[0]);
		for (k = 1; u->d->inlined && k < c->n; k++)
			dwarf_names_request(&u->w->names, &c->scope[k]);
	}
}

/* ---- lines ---------------------------------------------------------------------------------- */

struct code_line {
	struct dwarf_source source;
	uint32_t line; /* 0: not known */
};

/* A .dwo of gcc has a table of files of its own, one of clang counts in the skeleton's. NULL: it is
 * a unit of a file that is not here. */
static struct dwarf_line_table *table_of(const struct unit_naming *u, Dwarf_CU *unit)
{
	struct dwarf_worker *w = u->w;
	Dwarf *dwarf = dwarf_cu_getdwarf(unit);
	struct dwarf_line_table *t = NULL;

	if (u->split && dwarf == u->split->handle.dwarf) {
		t = dwarf_sources_table(&w->sources, &u->split->image, unit, true);
		if (!t->header.n_files)
			return table_of(u, u->unit->cu);
	} else if (dwarf == w->main.dwarf) {
		t = dwarf_sources_table(&w->sources, &u->d->main.image, unit, false);
	} else if (dwarf == w->alternate.dwarf) {
		t = dwarf_sources_table(&w->sources, &u->d->alternate.image, unit, false);
	}
	if (t && !t->directory)
		t->directory = u->dir;
	return t;
}

static uint32_t line_of(Dwarf_Word number)
{
	return number > INT32_MAX ? 0 : (uint32_t)number;
}

/* The line at which an inlined function is called. */
static struct code_line call_site(const struct unit_naming *u, Dwarf_Die *inlined)
{
	struct code_line at = { 0 };
	Dwarf_Word line;
	Dwarf_Attribute a;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &a), &line))
		return at;
	at.line = line_of(line);
	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &a), &at.source.number))
		at.source.table = table_of(u, u->tree->cu);
	return at;
}

static struct code_line line_at(const struct unit_naming *u, uint64_t address)
{
	struct dwarf_line_table *t = table_of(u, u->unit->cu);
	const struct dwarf_line_row *row = t ? dwarf_line_table_find(t, address, &u->wanted) : NULL;

	return row ? (struct code_line){ { t, row->file }, row->line } : (struct code_line){ 0 };
}

static const char *comp_dir(Dwarf_Die *unit)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
}

static str_id path_of(const struct unit_naming *u, const struct dwarf_source *s)
{
	return s->table ? dwarf_line_table_path(s->table, s->number, u->r->strings) : 0;
}

static void note_source(const struct unit_naming *u, str_id path, const struct code_line *at)
{
	struct source_claim claim = {
		.file = path,
		.module = u->d->report ? u->d->report->module : 0,
		.built_s = u->d->built_s,
		.is_local = u->d->is_local,
	};

	if (u->r->sources)
		dwarf_sources_note(u->r->sources, claim, &at->source);
}

/* What is declared in one file may have its code in another. */
static void add_line(const struct unit_naming *u, struct frame *f, struct code_line at)
{
	str_id path = at.line ? path_of(u, &at.source) : 0;
	struct span file = span_basename(strtab_get(u->r->strings, path));

	if (!file.n)
		return;
	note_source(u, path, &at);
	if (!f->file) {
		f->file = path;
		f->flags |= FRAME_DECLARED;
	}
	f->at_line = at.line;
	f->at_file = path == f->file ? 0 : path;
	if (u->lines_in_names)
		line_in_name(u->r->strings, &u->w->text, f, file);
}

/* Up to version 4, number 0 is no file. In DWARF 5 it is the file that was compiled: clang uses it.
 * The unit of the attribute may be another one than the scope's. */
static str_id declared_in(const struct unit_naming *u, Dwarf_Die *scope)
{
	struct dwarf_source s = { 0 };
	Dwarf_Attribute a;

	if (dwarf_formudata(dwarf_attr_integrate(scope, DW_AT_decl_file, &a), &s.number))
		return 0;
	s.table = table_of(u, a.cu);
	return path_of(u, &s);
}

static struct dwarf_declaration read_declaration(const struct unit_naming *u, Dwarf_Die *scope)
{
	str_id file = declared_in(u, scope);
	int line;

	if (!file || dwarf_decl_line(scope, &line) || line <= 0)
		return (struct dwarf_declaration){ 0 };
	return (struct dwarf_declaration){ file, (uint32_t)line };
}

/* Sites of a function follow one another. */
static struct dwarf_declaration declaration_of_function(
	const struct unit_naming *u, Dwarf_Die *function)
{
	struct dwarf_worker *w = u->w;

	if (w->declared_die != function->addr) {
		w->declared = read_declaration(u, function);
		w->declared_die = function->addr;
	}
	return w->declared;
}

/* A function that is inlined says its own declaration nowhere, and is inlined in many places. */
static struct dwarf_declaration declaration_of_inlined(
	const struct unit_naming *u, Dwarf_Die *inlined)
{
	struct dwarf_origin *origin = dwarf_names_origin(&u->w->names, inlined);

	if (!origin->has_declaration) {
		origin->declared = read_declaration(u, &origin->die);
		origin->has_declaration = true;
	}
	return origin->declared;
}

static struct dwarf_declaration declaration_of(
	const struct unit_naming *u, Dwarf_Die *scope, bool is_inlined)
{
	return is_inlined ? declaration_of_inlined(u, scope) : declaration_of_function(u, scope);
}

static void add_declaration(struct frame *f, struct dwarf_declaration d)
{
	if (!d.line)
		return;
	f->file = d.file;
	f->line = d.line;
	f->flags |= FRAME_DECLARED;
}

/* Go says the line of a function that is inlined and not its file, which is that of its code: it
 * has no other. The line counts only where a line of the code said the file (add_line()). */
static void add_go_declaration(const struct unit_naming *u, struct frame *f, Dwarf_Die *scope)
{
	int line;

	if (f->line || !f->at_line || f->at_file || dwarf_srclang(u->tree) != DW_LANG_Go)
		return;
	if (!dwarf_decl_line(scope, &line) && line > 0 && (uint32_t)line <= f->at_line)
		f->line = (uint32_t)line;
}

/* ---- frames --------------------------------------------------------------------------------- */

static struct frame inlined(const struct unit_naming *u, uint8_t kind, Dwarf_Die *scope)
{
	return (struct frame){
		.name = name_of(u, scope),
		.module = u->d->module,
		.kind = kind,
		.flags = FRAME_INLINED,
	};
}

static bool starts_at(Dwarf_Die *die, uint64_t address)
{
	Dwarf_Addr base, start, end;

	return dwarf_ranges(die, 0, &base, &start, &end) > 0 && start == address;
}

/* The name of the function that was compiled, where others were merged with it; 0: the symbol's. A
 * mangled name is exact. The name of a function in C is that of its definition, for which libraries
 * have public names: the symbol's is kept if it can be one. Assemblers repeat the symbols. */
static str_id merged_name(const struct unit_naming *u, const struct dwarf_place *place,
	str_id symbol, Dwarf_Die *function)
{
	const struct strtab *strings = u->r->strings;
	str_id name;

	if (!place->shared || u->d->style.compat_perf || !starts_at(function, place->symbol) ||
		dwarf_srclang(u->tree) == DW_LANG_Mips_Assembler)
		return 0;
	name = name_of(u, function);
	if (dwarf_names_linkage(function) && dwarf_names_is_mangled(u->tree))
		return name;
	return symtab_are_related(strtab_get(strings, name), strtab_get(strings, symbol)) ? 0
											  : name;
}

/* The frame that the site has from its symbol, and what code that is. */
static struct frame frame_with_code(struct recording *r, const struct dwarf_place *place)
{
	uint32_t n;
	const frame_id *id = sites_frames(r->sites, place->site, &n);
	struct frame f = *frames_get(r->frames, *id);

	site_code_put(&f, &place->code);
	return f;
}

/* Of a site of which debug information says nothing. */
static void set_frame(struct recording *r, const struct dwarf_place *place)
{
	struct frame f = frame_with_code(r, place);
	frame_id id = frames_add(r->frames, &f);

	sites_set_frames(r->sites, place->site, &id, 1);
}

static void set_frames_of_task(
	struct recording *r, const struct dwarf_debug *d, const struct dwarf_task *task)
{
	uint32_t i;

	for (i = 0; i < task->n; i++)
		set_frame(r, &d->place[task->first + i]);
}

void dwarf_name_nothing(struct recording *r, const struct dwarf_debug *d)
{
	const struct dwarf_task all = { .n = d->n_places };

	set_frames_of_task(r, d, &all);
}

/* Without a symbol, the DIE's name. */
static struct frame symbol_frame(
	const struct unit_naming *u, const struct dwarf_place *place, Dwarf_Die *function)
{
	struct frame f = frame_with_code(u->r, place);
	str_id name = f.why == WHY_NO_SYMBOL ? name_of(u, function)
		      : f.why == WHY_HAS_NAME && f.kind != FRAME_JIT
			      ? merged_name(u, place, f.name, function)
			      : 0;

	if (!name)
		return f;
	if (f.why == WHY_HAS_NAME) {
		f.name = name;
		return f;
	}
	atomic_fetch_add(&u->w->debug->named, 1);
	return (struct frame){
		.name = name,
		.module = u->d->module,
		.kind = sites_get(u->r->sites, place->site)->kind,
		.at_address = f.at_address,
		.at_function = f.at_function,
		.function_bytes = f.function_bytes,
		.build = f.at_address ? f.build : 0,
	};
}

/* perf 6.1 gets all names from addr2line, and shows a function as inlined if its name is not the
 * symbol's. GNU addr2line (bfd/dwarf2.c, _bfd_dwarf2_find_nearest_line_with_alt) calls a function
 * without a linkage name by DW_AT_name, but by its symbol where nothing is inlined into it. The
 * first time it is asked about an innermost function without a linkage name it answers with the
 * symbol instead, and remembers that: this depends on the order of samples and is not imitated
 * (scripts/peers/argued.txt). */
static struct frame perf_frame(const struct unit_naming *u, const struct frame *symbol,
	const struct dwarf_place *place, const struct dwarf_chain *c, uint32_t i)
{
	Dwarf_Die *scope = &c->scope[i];
	bool by_symbol = c->n == 1 && dwarf_names_is_mangled(u->tree) &&
			 !dwarf_names_linkage(scope) && starts_at(scope, place->symbol);
	struct frame f = inlined(u, symbol->kind, scope);

	return by_symbol || !f.name || f.name == symbol->name ? *symbol : f;
}

static struct frame frame_of(const struct unit_naming *u, const struct frame *symbol,
	const struct dwarf_place *place, const struct dwarf_chain *c, uint32_t i)
{
	if (u->as_perf)
		return perf_frame(u, symbol, place, c, i);
	return i ? inlined(u, symbol->kind, &c->scope[i]) : *symbol;
}

/* False for generated code, which may be in memory of a file with debug information. */
static bool has_debug_information(const struct unit_naming *u, const struct frame *f)
{
	return f->why == WHY_HAS_NAME && (f->kind != FRAME_JIT || u->d->injected);
}

/* Without a name: none. */
static frame_id add_frame(const struct unit_naming *u, const struct frame *symbol,
	const struct dwarf_place *place, const struct dwarf_chain *c, uint32_t i)
{
	struct frame f = frame_of(u, symbol, place, c, i);

	if (!f.name)
		return 0;
	if (u->lines) {
		add_declaration(&f, declaration_of(u, &c->scope[i], i > 0));
		add_line(u, &f,
			i + 1 < c->n ? call_site(u, &c->scope[i + 1]) : line_at(u, c->address));
		add_go_declaration(u, &f, &c->scope[i]);
	}
	return frames_add(u->r->frames, &f);
}

static struct dwarf_call *call_at(struct dwarf_worker *w, uint32_t depth)
{
	ARRAY_RESERVE(w->calls, depth + (size_t)1, w->cap_calls);
	while (w->n_calls <= depth)
		w->calls[w->n_calls++] = (struct dwarf_call){ 0 };
	return &w->calls[depth];
}

/* Of a scope that calls the next one. */
static frame_id add_call(const struct unit_naming *u, const struct frame *symbol,
	const struct dwarf_place *place, const struct dwarf_chain *c, uint32_t i)
{
	struct dwarf_call *latest = call_at(u->w, i);
	struct dwarf_call call = { .scope = c->scope[i].addr, .callee = c->scope[i + 1].addr };
	uint32_t n;

	if (!i)
		call.symbol = *sites_frames(u->r->sites, place->site, &n);
	if (latest->scope != call.scope || latest->callee != call.callee ||
		latest->symbol != call.symbol) {
		call.frame = add_frame(u, symbol, place, c, i);
		*latest = call;
	}
	return latest->frame;
}

/* Is the frame the same wherever it is called from there? Not where it has an address. */
static bool is_call(const struct unit_naming *u, const struct frame *symbol,
	const struct dwarf_chain *c, uint32_t i)
{
	return i + 1 < c->n && !u->as_perf && (i || !symbol->at_address);
}

static bool set_frames(
	const struct unit_naming *u, const struct dwarf_place *place, const struct dwarf_chain *c)
{
	struct dwarf_worker *w = u->w;
	struct frame symbol = symbol_frame(u, place, &c->scope[0]);
	uint32_t wanted = u->d->inlined ? c->n : 1, i, n = 0;

	if (!has_debug_information(u, &symbol))
		return false;
	ARRAY_RESERVE(w->run, c->n, w->cap_run);
	for (i = 0; i < wanted; i++) {
		frame_id frame = is_call(u, &symbol, c, i) ? add_call(u, &symbol, place, c, i)
							   : add_frame(u, &symbol, place, c, i);

		if (frame)
			w->run[n++] = frame;
	}
	sites_set_frames(u->r->sites, place->site, w->run, n);
	return true;
}

static void make_chains(struct dwarf_worker *w, const struct dwarf_place *p, uint32_t n)
{
	uint32_t i, had = w->n_chains;

	if (n > had) {
		w->chains = xreallocarray(w->chains, n, sizeof(*w->chains));
		memset(w->chains + had, 0, (n - had) * sizeof(*w->chains));
		w->n_chains = n;
	}
	for (i = 0; i < n; i++) {
		w->chains[i].address = p[i].address;
		w->chains[i].n = 0;
	}
}

/* Code in no function of the tree (assembly, functions that gcc merged with equal ones) may still
 * have a line, which the symbol's frame gets. */
static bool set_line(const struct unit_naming *u, const struct dwarf_place *place)
{
	struct frame f = frame_with_code(u->r, place);
	frame_id lined;

	if (!has_debug_information(u, &f))
		return false;
	add_line(u, &f, line_at(u, place->address));
	lined = frames_add(u->r->frames, &f);
	sites_set_frames(u->r->sites, place->site, &lined, 1);
	return true;
}

/* They are in ascending order. */
static struct dwarf_lines_wanted wanted_of(
	struct dwarf_worker *w, const struct dwarf_place *p, uint32_t n)
{
	uint32_t i;

	ARRAY_RESERVE(w->addresses, n, w->cap_addresses);
	for (i = 0; i < n; i++)
		w->addresses[i] = p[i].address;
	return (struct dwarf_lines_wanted){ w->addresses, n, NULL };
}

/* Of the lines of a unit, which has not been read for another task. */
static struct dwarf_line_parts *new_parts(
	const struct dwarf_debug *d, const struct dwarf_task *task)
{
	struct dwarf_line_parts *parts = dwarf_units_parts(&d->main.units, task->unit.root);

	return parts && !parts->part ? parts : NULL;
}

static bool name_place(
	const struct unit_naming *u, const struct dwarf_place *place, const struct dwarf_chain *c)
{
	return c->n ? set_frames(u, place, c) : u->lines && !u->as_perf && set_line(u, place);
}

static void name_unit(struct unit_naming *u, const struct dwarf_task *task)
{
	const struct dwarf_place *place = u->d->place + task->first;
	struct dwarf_budget budget;
	uint64_t start = dwarf_budget_clock_ns(), spent = u->d->spent_ns;
	uint32_t i;

	if (spent >= FILE_LIMIT_NS) {
		set_frames_of_task(u->r, u->d, task);
		return;
	}
	dwarf_budget_start(&budget, FILE_LIMIT_NS - spent);
	u->budget = &budget;
	u->w->declared_die = NULL;
	u->w->n_calls = 0;
	make_chains(u->w, place, task->n);
	dwarf_walk_chains(u->tree, u->split ? &u->split->image : &u->d->main.image, u->split,
		&budget, u->w->chains, task->n);
	request_names(u, place, task->n);
	for (i = 0; i < task->n; i++)
		if (!dwarf_budget_step(&budget) || !name_place(u, &place[i], &u->w->chains[i]))
			set_frame(u->r, &place[i]);
	atomic_fetch_add(&u->w->debug->spent_ns, dwarf_budget_clock_ns() - start);
}

/* A skeleton without its .dwo has lines and nothing else. */
static void name_skeleton(const struct unit_naming *u, const struct dwarf_task *task)
{
	const struct dwarf_place *place = u->d->place + task->first;
	uint32_t i;

	atomic_store(&u->w->debug->lacks_dwo, true);
	for (i = 0; i < task->n; i++)
		if (!u->lines || !set_line(u, &place[i]))
			set_frame(u->r, &place[i]);
}

static bool open_split(
	const struct unit_naming *u, const struct symbolize_opts *o, struct dwarf_split *split)
{
	const struct symbolize_module *report = u->d->report;
	struct files_dwp_owner beside = {
		.module = report ? modules_get(u->r->modules, report->module) : NULL,
		.file = u->d->path,
		.runtime = report ? report->runtime_path : NULL,
	};
	struct dwarf_packages *packages = &u->w->debug->packages;
	struct dwarf_split_places places = { o->files, &beside, packages };
	uint64_t start = dwarf_budget_clock_ns();
	bool opened;

	if (u->d->spent_ns >= FILE_LIMIT_NS)
		return false;
	dwarf_packages_find(packages, o->files, &beside);
	opened = dwarf_split_open(split, u->unit, &u->d->main.image, &places);
	atomic_fetch_add(&u->w->debug->spent_ns, dwarf_budget_clock_ns() - start);
	return opened;
}

static void name_split(
	struct unit_naming *u, const struct symbolize_opts *o, const struct dwarf_task *task)
{
	struct dwarf_split split;

	if (!open_split(u, o, &split)) {
		name_skeleton(u, task);
		return;
	}
	u->tree = &split.unit;
	u->split = &split;
	dwarf_names_clear(&u->w->names);
	name_unit(u, task);
	dwarf_names_clear(&u->w->names);
	dwarf_sources_clear(&u->w->sources);
	dwarf_split_close(&split);
}

/* Where tables are read by unit, units do not refer to the files of others. */
static void drop_tables(struct dwarf_worker *w, const struct dwarf_debug *d)
{
	if (d->main.image.lines_by_unit)
		dwarf_sources_clear(&w->sources);
	else
		dwarf_sources_drop_lines(&w->sources);
}

static bool name_task(struct dwarf_worker *w, struct recording *r, const struct symbolize_opts *o,
	const struct dwarf_debug *d, const struct dwarf_task *task)
{
	struct unit_naming u = {
		.w = w,
		.r = r,
		.d = d,
		.lines = o->lines,
		.lines_in_names = o->lines_in_names,
		.as_perf = d->style.compat_perf && d->inlined,
	};
	Dwarf_Die unit;

	if (!dwarf_offdie(w->main.dwarf, task->unit.root, &unit))
		return false;
	u.unit = u.tree = &unit;
	u.dir = u.lines ? comp_dir(&unit) : NULL;
	if (u.lines)
		u.wanted = wanted_of(w, d->place + task->first, task->n);
	u.wanted.parts = u.lines ? new_parts(d, task) : NULL;
	if (dwarf_split_needed(&unit))
		name_split(&u, o, task);
	else
		name_unit(&u, task);
	drop_tables(w, d);
	return true;
}

void dwarf_name_task(struct dwarf_worker *w, struct recording *r, const struct symbolize_opts *o,
	struct dwarf_debug *d, const struct dwarf_task *task)
{
	uint64_t after_root = task->unit.start + DWARF_ROOT_BYTES;

	if (!open_handles(w, d) || !dwarf_image_load(&d->main.image, after_root, task->unit.end)) {
		set_frames_of_task(r, d, task);
		return;
	}
	if (!name_task(w, r, o, d, task))
		set_frames_of_task(r, d, task);
	if (d->main.image.by_unit)
		dwarf_names_clear(&w->names);
	dwarf_image_drop(&d->main.image, after_root, task->unit.end);
}

void dwarf_worker_release(struct dwarf_worker *w)
{
	uint32_t i;

	leave_debug(w);
	dwarf_sources_release(&w->sources);
	for (i = 0; i < w->n_chains; i++)
		free(w->chains[i].scope);
	free(w->chains);
	dwarf_names_release(&w->names);
	free(w->run);
	free(w->calls);
	free(w->addresses);
	buf_release(&w->text);
	*w = (struct dwarf_worker){ 0 };
}
