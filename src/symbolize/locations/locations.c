/*
 * How it works. Addresses become places of struct dwarf_debug, which sorts them into tasks, one for
 * each compilation unit. For a task the unit is loaded, and one walk over its tree finds the chain
 * of DIEs around each address (dwarf_walk_chains()):
 *
 *	chain of 0x1140:  main ─► kind_of			DIEs
 *	locations:        main line 7 ─► kind_of line 2
 *	                  │ DW_AT_call_line of kind_of's DIE, minus DW_AT_decl_line of main
 *	                                  │ row of the line table, minus DW_AT_decl_line of kind_of
 *
 * The outermost DIE is the function, with its ranges.
 */
#include "symbolize/locations/locations.h"

#include "base/mem.h"
#include "symbolize/code/code.h"
#include "symbolize/dwarf/dwarf.h"

#include <stdlib.h>

/* UNITS_PER_HANDLE: libdw keeps the lines of each unit that it read. UNIT_LIMIT_NS: no honest unit
 * needs more. */
enum { UNITS_PER_HANDLE = 8 };
enum { DW_AT_GNU_DISCRIMINATOR = 0x2136 }; /* dwarf.h of elfutils lacks it */
#define UNIT_LIMIT_NS 20000000000ull

struct locations {
	struct strtab *strings;
	const struct files *files;
	const struct module *module;
	struct elf_file *runtime;
	struct elf_layout layout; /* of it */
	struct dwarf_debug *debug;
	struct dwarf_handle main, alternate;
	uint32_t units_read; /* by the handles */
	struct dwarf_chain *chain;
	uint32_t n_chains;
	struct location *stack;
	struct location_range *range;
	uint32_t cap_stack, n_ranges, cap_ranges;
};

/* The file with the debug information: runtime itself, or *other, which is to be closed. */
static const struct elf_file *find_debug(const struct files *files, const struct module *m,
	const struct elf_file *runtime, struct elf_file **other, struct files_trail *trail)
{
	*other = NULL;
	if (!runtime || elf_file_has(runtime, FILES_NEED_DWARF))
		return runtime;
	return *other = files_open_dwarf(files, m, runtime, trail);
}

bool locations_exist(const struct files *files, const struct module *m)
{
	struct files_trail trail = { 0 };
	struct elf_file *runtime = files_open_runtime(files, m, &trail), *other;
	bool found = find_debug(files, m, runtime, &other, &trail);

	elf_file_close(other);
	elf_file_close(runtime);
	files_trail_release(&trail);
	return found;
}

static struct dwarf_debug *open_debug(const struct locations *l)
{
	struct files_trail trail = { 0 };
	struct elf_file *other;
	const struct elf_file *ef = find_debug(l->files, l->module, l->runtime, &other, &trail);
	struct dwarf_debug *d =
		ef ? dwarf_debug_open(l->files, ef, &(struct dwarf_addresses){ .layout = NULL },
			     (struct dwarf_wanted){ .lines = true }, &trail)
		   : NULL;

	if (d)
		dwarf_image_load_lines(&d->main.image); /* libdw reads them */
	elf_file_close(other);
	files_trail_release(&trail);
	return d;
}

struct locations *locations_open(
	const struct files *files, const struct module *m, struct strtab *strings)
{
	struct locations *l = xcalloc(1, sizeof(*l));
	struct files_trail trail = { 0 };

	l->files = files;
	l->module = m;
	l->strings = strings;
	l->runtime = files_open_runtime(files, m, &trail);
	files_trail_release(&trail);
	l->debug = open_debug(l);
	if (l->debug && elf_layout_read(&l->layout, l->runtime))
		return l;
	locations_free(l);
	return NULL;
}

/* The symbol by which LLVM's tools know it. A stripped program has none. */
bool locations_flow_sensitive(const struct locations *l)
{
	GElf_Shdr header;
	Elf_Scn *names = elf_file_section(l->runtime, ".strtab", &header);

	return names &&
	       span_find(elf_file_content(names, &header), SPAN("__llvm_fs_discriminator__")) >= 0;
}

static void close_handles(struct locations *l)
{
	dwarf_image_close_handle(&l->main);
	dwarf_image_close_handle(&l->alternate);
	l->units_read = 0;
}

void locations_free(struct locations *l)
{
	uint32_t i;

	if (!l)
		return;
	close_handles(l);
	dwarf_debug_release(l->debug);
	elf_file_close(l->runtime);
	for (i = 0; i < l->n_chains; i++)
		free(l->chain[i].scope);
	free(l->chain);
	free(l->stack);
	free(l->range);
	free(l);
}

/* ---- what a DIE says ------------------------------------------------------------------------ */

static uint32_t number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, attribute, &a), &value) || value > UINT32_MAX
		       ? 0
		       : (uint32_t)value;
}

/* Compilers read names up to a blank or the end of a line. */
static bool is_one_word(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}

/* 0: it has none, or none that linkers can have. */
static str_id name_of(struct locations *l, Dwarf_Die *scope)
{
	Dwarf_Attribute a;
	const char *name = dwarf_formstring(dwarf_attr_integrate(scope, DW_AT_linkage_name, &a));

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(scope, DW_AT_MIPS_linkage_name, &a));
	if (!name)
		name = dwarf_diename(scope);
	return name && is_one_word(name) ? strtab_add_str(l->strings, name) : 0;
}

static uint32_t declaration_line(Dwarf_Die *scope)
{
	int line;

	return dwarf_decl_line(scope, &line) || line < 0 ? 0 : (uint32_t)line;
}

/* ---- units ---------------------------------------------------------------------------------- */

/* A unit with its chains. */
struct located_unit {
	struct locations *l;
	const struct dwarf_place *place; /* n of them: site is the number of the address */
	uint32_t n;
	Dwarf_Die *lines;                /* has the line table */
	const struct dwarf_split *split; /* NULL: the tree is in the same file */
};

typedef void (*located_fn)(void *ctx, struct located_unit *u, uint32_t i);

static bool open_handles(struct locations *l)
{
	const struct dwarf_debug *d = l->debug;

	if (l->units_read++ == UNITS_PER_HANDLE)
		close_handles(l);
	return l->main.dwarf || dwarf_debug_open_handles(d, &l->main, &l->alternate);
}

static void begin_chains(struct locations *l, const struct dwarf_place *place, uint32_t n)
{
	uint32_t i;

	if (n > l->n_chains) {
		l->chain = xreallocarray(l->chain, n, sizeof(*l->chain));
		memset(l->chain + l->n_chains, 0, (n - l->n_chains) * sizeof(*l->chain));
		l->n_chains = n;
	}
	for (i = 0; i < n; i++) {
		l->chain[i].address = place[i].address;
		l->chain[i].n = 0;
	}
}

static void walk_tree(struct located_unit *u, Dwarf_Die *tree, const struct dwarf_image *image,
	located_fn fn, void *ctx)
{
	struct dwarf_budget budget;
	uint32_t i;

	dwarf_budget_start(&budget, UNIT_LIMIT_NS);
	begin_chains(u->l, u->place, u->n);
	dwarf_walk_chains(tree, image, u->split, &budget, u->l->chain, u->n);
	for (i = 0; i < u->n; i++)
		if (u->l->chain[i].n)
			fn(ctx, u, i);
}

static void walk_split(struct located_unit *u, located_fn fn, void *ctx)
{
	struct dwarf_debug *d = u->l->debug;
	struct files_dwp_owner beside = {
		.module = u->l->module, .file = d->path, .runtime = u->l->runtime->path
	};
	struct dwarf_split_places places = { u->l->files, &beside, &d->packages };
	struct dwarf_split split;

	dwarf_packages_find(&d->packages, u->l->files, &beside);
	if (!dwarf_split_open(&split, u->lines, &d->main.image, &places))
		return;
	u->split = &split;
	walk_tree(u, &split.unit, &split.image, fn, ctx);
	dwarf_split_close(&split);
}

static void walk_unit(struct locations *l, const struct dwarf_task *task, located_fn fn, void *ctx)
{
	const struct dwarf_image *image = &l->debug->main.image;
	uint64_t after_root = task->unit.start + DWARF_ROOT_BYTES;
	struct located_unit u = { .l = l, .place = l->debug->place + task->first, .n = task->n };
	Dwarf_Die root;

	if (!open_handles(l) || !dwarf_image_load(image, after_root, task->unit.end))
		return;
	u.lines = dwarf_offdie(l->main.dwarf, task->unit.root, &root);
	if (u.lines && dwarf_split_needed(&root))
		walk_split(&u, fn, ctx);
	else if (u.lines)
		walk_tree(&u, &root, image, fn, ctx);
	dwarf_image_drop(image, after_root, task->unit.end);
}

static void each_located(
	struct locations *l, const uint64_t *address, uint32_t n, located_fn fn, void *ctx)
{
	struct dwarf_debug *d = l->debug;
	uint32_t i;

	d->n_places = 0;
	for (i = 0; i < n; i++)
		dwarf_debug_add(d, address[i], NULL, i);
	free(d->task);
	d->task = NULL;
	d->n_tasks = 0;
	dwarf_debug_make_tasks(d);
	for (i = 0; i < d->n_tasks; i++)
		walk_unit(l, &d->task[i], fn, ctx);
}

/* ---- functions ------------------------------------------------------------------------------ */

struct function_query {
	location_function_fn fn;
	void *ctx;
};

static void add_range(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end)
{
	struct locations *l = ctx;

	(void)die;
	ARRAY_GROW(l->range, l->n_ranges, l->cap_ranges);
	l->range[l->n_ranges++] = (struct location_range){ start, end };
}

static void report_function(void *ctx, struct located_unit *u, uint32_t i)
{
	const struct function_query *q = ctx;
	struct locations *l = u->l;
	Dwarf_Die *scope = &l->chain[i].scope[0];
	struct location_function f = { .name = name_of(l, scope) };
	struct dwarf_budget budget;

	l->n_ranges = 0;
	dwarf_budget_start(&budget, UNIT_LIMIT_NS);
	if (u->split && dwarf_hasattr(scope, DW_AT_ranges))
		dwarf_split_ranges(u->split, scope, &budget, add_range, l);
	else
		dwarf_range_each(scope, &budget, add_range, l);
	if (!f.name || !l->n_ranges)
		return;
	f.range = l->range;
	f.n_ranges = l->n_ranges;
	if (dwarf_entrypc(scope, &f.entry))
		f.entry = l->range[0].start;
	q->fn(q->ctx, u->place[i].site, &f);
}

void locations_functions(struct locations *l, const uint64_t *address, uint32_t n,
	location_function_fn fn, void *ctx)
{
	each_located(l, address, n, report_function, &(struct function_query){ fn, ctx });
}

/* ---- stacks --------------------------------------------------------------------------------- */

struct stack_query {
	location_stack_fn fn;
	void *ctx;
};

/* Compilers keep 16 bits of the distance. */
static uint32_t distance(uint32_t line, Dwarf_Die *scope)
{
	return (line - declaration_line(scope)) & 0xffff;
}

static void locate_innermost(
	struct location *at, Dwarf_Die *scope, Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, address);
	unsigned discriminator;
	int line;

	if (!row || dwarf_lineno(row, &line) || line < 0)
		line = 0;
	at->line = distance((uint32_t)line, scope);
	at->discriminator =
		row && !dwarf_linediscriminator(row, &discriminator) ? discriminator : 0;
}

static void report_stack(void *ctx, struct located_unit *u, uint32_t i)
{
	const struct stack_query *q = ctx;
	struct locations *l = u->l;
	const struct dwarf_chain *c = &l->chain[i];
	uint32_t k;

	ARRAY_RESERVE(l->stack, c->n, l->cap_stack);
	for (k = 0; k < c->n; k++) {
		struct location *at = &l->stack[k];

		at->function = name_of(l, &c->scope[k]);
		if (!at->function)
			break;
		if (k + 1 == c->n) {
			locate_innermost(at, &c->scope[k], u->lines, c->address);
			continue;
		}
		at->line = distance(number_of(&c->scope[k + 1], DW_AT_call_line), &c->scope[k]);
		at->discriminator = number_of(&c->scope[k + 1], DW_AT_GNU_DISCRIMINATOR);
	}
	if (k)
		q->fn(q->ctx, u->place[i].site, l->stack, k);
}

void locations_stacks(
	struct locations *l, const uint64_t *address, uint32_t n, location_stack_fn fn, void *ctx)
{
	each_located(l, address, n, report_stack, &(struct stack_query){ fn, ctx });
}

/* ---- code ----------------------------------------------------------------------------------- */

static const unsigned char *code_bytes(const struct locations *l, uint64_t address, uint64_t n)
{
	uint64_t offset;
	Elf_Data *d;

	if (!elf_layout_offset(&l->layout, address, &offset) ||
		elf_file_lacks_code(l->runtime, offset, n))
		return NULL;
	d = elf_file_chunk(l->runtime, offset, n);
	return d && d->d_size >= n ? d->d_buf : NULL;
}

int locations_code(struct locations *l, uint64_t start, uint64_t end, location_code_fn fn,
	void *ctx, struct err *e)
{
	const GElf_Ehdr *header = &l->runtime->header;
	struct disassembly_code code = {
		.address = start,
		.size_bytes = end - start,
		.machine = header->e_machine,
		.big_endian = header->e_ident[EI_DATA] == ELFDATA2MSB,
	};
	struct disassembly d = { 0 };
	uint32_t i;
	int rc;

	if (end <= start || end - start > CODE_MAX_BYTES)
		return OK;
	code.bytes = code_bytes(l, start, code.size_bytes);
	if (!code.bytes)
		return OK;
	rc = disassembly_make(&d, &code, e);
	for (i = 0; i < d.n && !rc; i++)
		fn(ctx, d.instruction[i].address, d.instruction[i].size_bytes);
	disassembly_release(&d);
	return rc;
}
