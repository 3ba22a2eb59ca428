/*
 * cfi.c - the unwind rule for a place in a module, made when it is first needed
 *
 *	cfi_find()   module -> table: (offset, exact) -> rule        lock-free; nearly all calls
 *	             miss: under the module's lock
 *	               rows: ranges of addresses that have a rule        found
 *	               .eh_frame, then .debug_frame (of the file that    a row of CFI is compiled
 *	               ran, or of its debug file, opened only now),
 *	               else the table of a Go program (go_cfi.h), or .ARM.exidx
 *	               the program's entry: it has no caller
 *	               the bytes of the code                             guessed (arch->guess)
 *	               just before code that has no caller               a new thread, perhaps
 *
 * Files are opened when a stack first needs them. A rule never changes once it is in the table, and
 * NULL (there is none) is an entry too. An entry's key is stored last, with release, and read with
 * acquire, so a reader that sees the key sees the rule. The table is replaced when it is half full;
 * older ones are freed with the module.
 *
 * Source: elf(5) for segments; what a light pack must keep of the code is reported by
 * files_note_code().
 */
#include "unwind/cfi.h"

#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "unwind/arm_exidx.h"
#include "unwind/arm_prologue.h"
#include "unwind/cfi_rows.h"
#include "unwind/dynamic_symbol.h"
#include "unwind/go_cfi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A PT_LOAD segment of the runtime file. */
struct cfi_segment {
	uint64_t offset, size_bytes, address;
};

/* Rules by place, with open addressing. A full table is replaced by one twice as large. Readers may
 * still use an older one, so all are kept: together these are no larger than the newest. */
struct cfi_table {
	struct cfi_table *older;
	uint32_t mask, n;
	struct cfi_slot {
		_Atomic uint64_t key; /* see key_of(); 0: free. Stored last. */
		const struct unwind_rule *rule;
	} slot[];
};

struct cfi_module {
	pthread_mutex_t lock;
	bool opened;
	const struct unwind_arch *arch; /* of the file */
	_Atomic bool no_file;
	_Atomic(struct cfi_table *) table;
	bool debug_opened;
	struct elf_file *runtime;
	struct elf_file *debug; /* NULL: none, or runtime itself has the .debug_frame */
	struct frame_info eh_frame, debug_frame;
	struct cfi_segment *segments;
	uint32_t n_segments;
	struct go_program go; /* opened where there is no .debug_frame */
	struct arm_exidx exidx;
	struct cfi_rows exidx_rows; /* of whole functions: not for instructions that were running */
	uint64_t entry;             /* e_entry; UINT64_MAX: none */
	struct cfi_rows rows;       /* of .eh_frame */
	struct cfi_rows more_rows;  /* of .debug_frame, or of go */
	struct unwind_rule no_caller, new_thread;
	bool php_known;
	struct {
		uint64_t execute_ex; /* its address */
		const struct unwind_rule *rule;
	} php; /* rule NULL: it is none */
};

struct cfi {
	const struct unwind_arch *arch;
	const struct files *files;
	const struct modules *modules;
	struct cfi_module *module; /* by module_id */
	uint32_t n;
};

struct cfi *cfi_new(
	const struct unwind_arch *a, const struct files *files, const struct modules *modules)
{
	struct cfi *c = xcalloc(1, sizeof(*c));
	uint32_t i;

	*c = (struct cfi){ .arch = a, .files = files, .modules = modules };
	c->n = modules_count(modules);
	c->module = xcalloc(c->n ? c->n : 1, sizeof(*c->module));
	for (i = 0; i < c->n; i++) {
		lock_init(&c->module[i].lock);
		c->module[i].arch = a;
	}
	return c;
}

static void release_module(struct cfi_module *m)
{
	struct cfi_table *s = m->table, *older;

	for (; s; s = older) {
		older = s->older;
		free(s);
	}
	frame_info_release(&m->eh_frame);
	frame_info_release(&m->debug_frame);
	elf_file_close(m->debug);
	elf_file_close(m->runtime);
	free(m->segments);
	cfi_rows_release(&m->rows);
	cfi_rows_release(&m->more_rows);
	cfi_rows_release(&m->exidx_rows);
	go_program_release(&m->go);
	pthread_mutex_destroy(&m->lock);
}

void cfi_free(struct cfi *c)
{
	uint32_t i;

	if (!c)
		return;
	for (i = 0; i < c->n; i++)
		release_module(&c->module[i]);
	free(c->module);
	free(c);
}

/* ---- the table of places ---- */

/* Never 0. Offsets in files are signed numbers, so one bit is free. */
static uint64_t key_of(const struct cfi_place *p)
{
	return (p->rel << 1 | p->exact) + 1;
}

static uint32_t slot_of(uint64_t key, uint32_t mask)
{
	return (uint32_t)hash_u64(key) & mask;
}

static bool table_find(const struct cfi_table *s, uint64_t key, const struct unwind_rule **rule)
{
	uint32_t i;
	uint64_t there;

	for (i = slot_of(key, s->mask);; i = (i + 1) & s->mask) {
		there = atomic_load_explicit(&s->slot[i].key, memory_order_acquire);
		if (!there)
			return false;
		if (there == key) {
			*rule = s->slot[i].rule;
			return true;
		}
	}
}

static void table_put(struct cfi_table *s, uint64_t key, const struct unwind_rule *rule)
{
	uint32_t i = slot_of(key, s->mask);

	while (atomic_load_explicit(&s->slot[i].key, memory_order_relaxed))
		i = (i + 1) & s->mask;
	s->slot[i].rule = rule;
	atomic_store_explicit(&s->slot[i].key, key, memory_order_release);
	s->n++;
}

static struct cfi_table *table_grow(struct cfi_table *old)
{
	enum { FIRST_SLOTS = 64 };
	uint32_t slots = old ? 2 * (old->mask + 1) : FIRST_SLOTS, i;
	struct cfi_table *s = xcalloc(1, sizeof(*s) + slots * sizeof(s->slot[0]));

	s->older = old;
	s->mask = slots - 1;
	for (i = 0; old && i <= old->mask; i++)
		if (old->slot[i].key)
			table_put(s, old->slot[i].key, old->slot[i].rule);
	return s;
}

static void add_to_table(struct cfi_module *m, uint64_t key, const struct unwind_rule *rule)
{
	struct cfi_table *s = atomic_load_explicit(&m->table, memory_order_relaxed);

	if (!s || s->n > s->mask / 2) {
		s = table_grow(s);
		table_put(s, key, rule);
		atomic_store_explicit(&m->table, s, memory_order_release);
	} else {
		table_put(s, key, rule);
	}
}

/* ---- files ---- */

static void read_segments(struct cfi_module *m)
{
	size_t n, i;

	if (elf_getphdrnum(m->runtime->elf, &n))
		return;
	m->segments = xcalloc(n ? n : 1, sizeof(*m->segments));
	for (i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(m->runtime->elf, (int)i, &ph) && ph.p_type == PT_LOAD)
			m->segments[m->n_segments++] =
				(struct cfi_segment){ ph.p_offset, ph.p_filesz, ph.p_vaddr };
	}
}

static void init_fixed_rules(struct cfi_module *m)
{
	unwind_rule_init(&m->no_caller);
	unwind_rule_set_saved(&m->no_caller, m->arch->n_saved - 1u, SAVED_UNKNOWN);
	m->new_thread = m->no_caller;
	m->new_thread.changed |= RULE_NEW_THREAD;
}

/* That of a machine's ELF files, NULL: they do not run here. */
static const struct unwind_arch *arch_of(const struct unwind_arch *a, uint16_t machine)
{
	if (machine == a->elf_machine)
		return a;
	return a->narrow && machine == a->narrow->elf_machine ? a->narrow : NULL;
}

static void open_elf(struct cfi *c, struct cfi_module *m)
{
	const struct unwind_arch *a = arch_of(c->arch, m->runtime->header.e_machine);
	uint64_t entry = m->runtime->header.e_entry;

	if (!a)
		return;
	m->arch = a;
	m->entry = entry ? entry & a->address_mask : UINT64_MAX;
	read_segments(m);
	frame_info_read_eh_frame(&m->eh_frame, m->runtime);
	arm_exidx_read(&m->exidx, m->runtime);
}

static void open_module(struct cfi *c, module_id id, struct cfi_module *m)
{
	const struct module *module = modules_get(c->modules, id);
	bool is_file = module->kind == MODULE_FILE || module->kind == MODULE_VDSO;

	if (is_file)
		m->runtime = files_open_runtime(c->files, module, NULL);
	if (is_file && !m->runtime)
		atomic_store(&m->no_file, true);
	if (m->runtime)
		open_elf(c, m);
	init_fixed_rules(m);
	m->opened = true;
}

static void open_debug(struct cfi *c, module_id id, struct cfi_module *m)
{
	const struct module *module = modules_get(c->modules, id);

	m->debug_opened = true;
	if (!m->n_segments || frame_info_read_debug_frame(&m->debug_frame, m->runtime))
		return;
	m->debug = files_open_debug(c->files, module, m->runtime, NULL);
	if (m->debug && frame_info_read_debug_frame(&m->debug_frame, m->debug))
		return;
	if (go_program_open(&m->go, m->runtime))
		go_program_note(&m->go, c->files, module);
}

/* ---- rules ---- */

static const struct cfi_segment *find_segment(const struct cfi_module *m, uint64_t rel)
{
	uint32_t i;

	for (i = 0; i < m->n_segments; i++)
		if (rel - m->segments[i].offset < m->segments[i].size_bytes)
			return &m->segments[i];
	return NULL;
}

/* CODE_BYTES of code around the next instruction; NULL where the file does not have them. Valid
 * until the next call. */
static const uint8_t *read_code(
	struct cfi_module *m, const struct cfi_segment *s, const struct cfi_place *p)
{
	uint64_t next = p->rel + !p->exact, at = next - s->offset;
	Elf_Data *d;

	if (at < CODE_BEFORE || at >= s->size_bytes ||
		s->size_bytes - at < CODE_BYTES - CODE_BEFORE)
		return NULL;
	d = elf_file_chunk(m->runtime, next - CODE_BEFORE, CODE_BYTES);
	return d && d->d_size >= CODE_BYTES ? d->d_buf : NULL;
}

static void note_code(struct cfi *c, const struct cfi_place *p)
{
	files_note_code(c->files, modules_get(c->modules, p->module),
		p->rel + !p->exact - CODE_BEFORE, CODE_BYTES);
}

static const struct unwind_rule *guess_from_code(
	struct cfi *c, struct cfi_module *m, const struct cfi_segment *s, const struct cfi_place *p)
{
	const uint8_t *code = read_code(m, s, p);
	struct unwind_rule r, *out;

	if (!code || !m->arch->guess(code, p->exact, &r))
		return NULL;
	note_code(c, p);
	out = arena_alloc(&m->rows.arena, sizeof(*out));
	*out = r;
	return out;
}

/* The rule of a row in .eh_frame. */
static const struct unwind_rule *find_row(struct cfi_module *m, uint64_t address)
{
	const struct unwind_rule *r = cfi_rows_find(&m->rows, address);

	return r ? r : cfi_rows_make(&m->rows, m->arch, &m->eh_frame, address);
}

/* The rule of a row in .debug_frame, or of what the table of a Go program says. */
static const struct unwind_rule *find_other_row(struct cfi *c, module_id id, uint64_t address)
{
	struct cfi_module *m = &c->module[id];
	const struct unwind_rule *r = cfi_rows_find(&m->more_rows, address);
	struct frame_row row;

	if (r)
		return r;
	if (!m->debug_opened)
		open_debug(c, id, m);
	if (m->debug_frame.n)
		return cfi_rows_make(&m->more_rows, m->arch, &m->debug_frame, address);
	return go_cfi_row(&m->go, m->arch, address, &row)
		       ? cfi_rows_add(&m->more_rows, m->arch, &row)
		       : NULL;
}

/* ---- .ARM.exidx ---- */

/* At most n_bytes of the file from an address on, up to the end of the segment. */
static struct span read_bytes(struct cfi *c, module_id id, const struct cfi_segment *s,
	uint64_t address, uint64_t n_bytes)
{
	uint64_t at = address - s->address, left = at < s->size_bytes ? s->size_bytes - at : 0;
	uint64_t n = n_bytes < left ? n_bytes : left;
	Elf_Data *d = n ? elf_file_chunk(c->module[id].runtime, s->offset + at, n) : NULL;

	if (!d || !d->d_buf)
		return (struct span){ 0 };
	files_note_code(c->files, modules_get(c->modules, id), s->offset + at, n);
	return (struct span){ d->d_buf, d->d_size };
}

/* The row of a function, as it is at an instruction that was running. */
static void narrow_row(struct cfi *c, const struct cfi_place *p, const struct cfi_segment *s,
	uint64_t address, struct frame_row *row)
{
	uint64_t next = address - row->start;
	uint64_t n = next < ARM_PROLOGUE_BYTES ? next : ARM_PROLOGUE_BYTES;
	struct arm_code code = { .before = read_bytes(c, p->module, s, row->start, n),
		.after = read_bytes(c, p->module, s, address, ARM_EPILOGUE_BYTES),
		.next = next };

	arm_prologue_apply(&code, row);
}

static const struct unwind_rule *find_exidx_row(
	struct cfi *c, const struct cfi_place *p, const struct cfi_segment *s, uint64_t address)
{
	struct cfi_module *m = &c->module[p->module];
	const struct unwind_rule *r = p->exact ? NULL : cfi_rows_find(&m->exidx_rows, address);
	struct frame_row row;

	if (r || !arm_exidx_row(&m->exidx, address, &row))
		return r;
	if (!p->exact)
		return cfi_rows_add(&m->exidx_rows, m->arch, &row);
	narrow_row(c, p, s, address, &row);
	return unwind_rule_compile(m->arch, &row, &m->exidx_rows.arena);
}

/* Zeros are code that a light pack left out. */
static bool is_left_out(const uint8_t *code)
{
	static const uint8_t zeros[CODE_BEFORE];

	return !code || !memcmp(code, zeros, CODE_BEFORE);
}

/* The rule of a return address, at the byte after p, that is the first byte of a function, and not
 * what follows a call at the end of the function before: somebody has put it on the stack, for the
 * function to be returned into, as makecontext() does with __start_context. NULL: it is not. */
static const struct unwind_rule *find_rule_by_hand(struct cfi *c, struct cfi_module *m,
	const struct cfi_segment *s, const struct cfi_place *p, uint64_t address)
{
	const struct unwind_rule *r;
	struct unwind_rule *copy;
	const uint8_t *code;
	size_t size;

	if (frame_info_next_start(&m->eh_frame, address + 1) != address + 1)
		return NULL;
	code = m->arch->follows_call ? read_code(m, s, p) : NULL;
	if (code)
		note_code(c, p);
	if (is_left_out(code) ? find_row(m, address) != NULL : m->arch->follows_call(code))
		return NULL;
	r = find_row(m, address + 1);
	if (!r || r->changed & RULE_SIGNAL)
		return r;
	size = r->cfa == CFA_FULL ? sizeof(struct full_rule) : sizeof(*r);
	copy = arena_alloc(&m->rows.arena, size);
	memcpy(copy, r, size);
	copy->changed |= RULE_BY_HAND;
	return copy;
}

/* glibc's clone() and clone3() have no CFI where the system call returns, as it does so in two
 * threads, and CFI that says that there is no caller where the new one goes on. */
static bool is_before_new_thread(struct cfi_module *m, uint64_t address)
{
	enum { BETWEEN_BYTES = 32 };
	uint64_t next = frame_info_next_start(&m->eh_frame, address);
	const struct unwind_rule *r = next - address < BETWEEN_BYTES ? find_row(m, next) : NULL;

	return r && r->cfa != CFA_FULL && r->saved[m->arch->n_saved - 1] == SAVED_UNKNOWN;
}

/* The code at the entry of a program. In glibc's dynamic linker it is a few lines of assembly
 * without CFI, which are on every stack until main() is called. */
enum { START_CODE_BYTES = 64 };

static const struct unwind_rule *make_rule(struct cfi *c, const struct cfi_place *p)
{
	struct cfi_module *m = &c->module[p->module];
	const struct cfi_segment *s = find_segment(m, p->rel);
	const struct unwind_rule *r = NULL;
	uint64_t address;

	if (!s)
		return NULL;
	address = p->rel - s->offset + s->address;
	if (!p->exact)
		r = find_rule_by_hand(c, m, s, p, address);
	if (!r)
		r = find_row(m, address);
	if (!r)
		r = find_other_row(c, p->module, address);
	if (!r)
		r = find_exidx_row(c, p, s, address);
	if (!r && address - m->entry < START_CODE_BYTES)
		r = &m->no_caller;
	if (!r)
		r = guess_from_code(c, m, s, p);
	if (!r && p->exact && is_before_new_thread(m, address))
		r = &m->new_thread;
	return r;
}

static struct cfi_module *lock_known_module(struct cfi *c, module_id id)
{
	struct cfi_module *m = &c->module[id];

	pthread_mutex_lock(&m->lock);
	if (!m->opened)
		open_module(c, id, m);
	return m;
}

/* Opened, with its lock; NULL: there is no such module. */
static struct cfi_module *lock_module(struct cfi *c, module_id id)
{
	return id && id < c->n ? lock_known_module(c, id) : NULL;
}

static const struct unwind_rule *find_locked(struct cfi *c, const struct cfi_place *p)
{
	struct cfi_module *m = lock_known_module(c, p->module);
	const struct unwind_rule *rule = NULL;
	struct cfi_table *table;

	table = atomic_load_explicit(&m->table, memory_order_relaxed);
	if (m->runtime && (!table || !table_find(table, key_of(p), &rule))) {
		rule = make_rule(c, p);
		add_to_table(m, key_of(p), rule);
	}
	pthread_mutex_unlock(&m->lock);
	return rule;
}

const struct unwind_rule *cfi_find(
	struct cfi *c, const struct unwind_arch *a, struct cfi_place p, bool *no_file)
{
	const struct unwind_rule *rule;
	struct cfi_module *m;
	struct cfi_table *table;

	*no_file = false;
	if (!p.module || p.module >= c->n || p.rel >= INT64_MAX)
		return NULL;
	m = &c->module[p.module];
	table = atomic_load_explicit(&m->table, memory_order_acquire);
	if (!table || !table_find(table, key_of(&p), &rule))
		rule = find_locked(c, &p);
	*no_file = atomic_load_explicit(&m->no_file, memory_order_relaxed);
	return m->arch == a ? rule : NULL;
}

const struct unwind_rule *cfi_find_in_eh_frame(
	struct cfi *c, struct cfi_place p, const struct unwind_arch **a)
{
	struct cfi_module *m = lock_module(c, p.module);
	const struct unwind_rule *rule = NULL;
	const struct cfi_segment *s;

	if (!m)
		return NULL;
	s = m->runtime ? find_segment(m, p.rel) : NULL;
	if (s)
		rule = find_row(m, p.rel - s->offset + s->address);
	*a = m->arch;
	pthread_mutex_unlock(&m->lock);
	return rule;
}

/* The code around the byte after p, and the address of that; also for packs. NULL: the file does
 * not have it. */
static const uint8_t *read_after(
	struct cfi *c, struct cfi_module *m, const struct cfi_place *p, uint64_t *address)
{
	const struct cfi_segment *s =
		m->runtime && p->rel < INT64_MAX ? find_segment(m, p->rel) : NULL;
	const uint8_t *code = s ? read_code(m, s, p) : NULL;

	if (!code)
		return NULL;
	note_code(c, p);
	*address = p->rel + 1 - s->offset + s->address;
	return code;
}

bool cfi_may_follow_call(struct cfi *c, struct cfi_place p)
{
	struct cfi_module *m = lock_module(c, p.module);
	const uint8_t *code;
	uint64_t address;
	bool may;

	if (!m)
		return true;
	code = m->arch->follows_call ? read_after(c, m, &p, &address) : NULL;
	may = is_left_out(code) || m->arch->follows_call(code);
	pthread_mutex_unlock(&m->lock);
	return may;
}

/* ---- PHP's interpreter ---- */

/* Is a rule that of nearly all of a function? Its quarters have it. */
static void read_php(struct cfi_module *m)
{
	const struct unwind_rule *r;
	uint64_t start, size;

	m->php_known = true;
	if (!dynamic_symbol_find(m->runtime, "execute_ex", &start, &size))
		return;
	r = find_row(m, start + size / 2);
	if (!r || r->cfa != CFA_OFFSET || find_row(m, start + size / 4) != r ||
		find_row(m, start + size / 4 * 3) != r)
		return;
	m->php.execute_ex = start;
	m->php.rule = r;
}

const struct unwind_rule *cfi_find_execute_ex(
	struct cfi *c, const struct unwind_arch *a, module_id id)
{
	struct cfi_module *m = lock_module(c, id);
	const struct unwind_rule *r;

	if (!m)
		return NULL;
	if (m->runtime && !m->php_known)
		read_php(m);
	r = m->arch == a ? m->php.rule : NULL;
	pthread_mutex_unlock(&m->lock);
	return r;
}

bool cfi_may_call_execute_ex(struct cfi *c, struct cfi_place p)
{
	struct cfi_module *m = lock_module(c, p.module);
	const uint8_t *code;
	uint64_t address;
	bool may;

	if (!m)
		return false;
	code = m->php.rule && m->arch->may_call ? read_after(c, m, &p, &address) : NULL;
	may = code && m->arch->may_call(code, address, m->php.execute_ex);
	pthread_mutex_unlock(&m->lock);
	return may;
}

/* ---- what is called ---- */

const struct unwind_rule *cfi_find_called(
	struct cfi *c, const struct unwind_arch *a, struct cfi_place p)
{
	struct cfi_module *m = lock_module(c, p.module);
	const struct unwind_rule *r = NULL;
	uint64_t address, function;
	const uint8_t *code;

	if (!m)
		return NULL;
	code = m->arch == a && a->called ? read_after(c, m, &p, &address) : NULL;
	if (code && a->called(code, address, &function))
		r = find_row(m, function);
	pthread_mutex_unlock(&m->lock);
	return r;
}
