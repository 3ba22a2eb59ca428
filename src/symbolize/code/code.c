/*
 * How it works. Names come from a symbolize_lookup, which reads the symbols of a module for its
 * first address; bytes from a code_image (code_image.h). Both are kept for the next address of the
 * module. The two count differently where a program was linked at other addresses than offsets:
 * sites and symbols hold offsets in the file, this door has addresses.
 */
#include "symbolize/code/code.h"

#include "base/mem.h"
#include "symbolize/code/code_dump.h"
#include "symbolize/code/code_image.h"
#include "symbolize/code/code_relocations.h"

#include <stdlib.h>

struct code_reader {
	struct recording *r;
	const struct symbolize_opts *o;
	const char *unpacked;
	struct symbolize_lookup *names;
	struct code_image **image; /* by module_id; NULL: not opened yet */
	uint32_t n, cap;
	struct opened_dump {
		str_id path;
		struct code_dump dump;
	} * dumps;
	uint32_t n_dumps, cap_dumps;
};

struct code_reader *code_reader_new(
	struct recording *r, const struct symbolize_opts *o, const char *unpacked)
{
	struct code_reader *c = xcalloc(1, sizeof(*c));

	c->r = r;
	c->o = o;
	c->unpacked = unpacked;
	c->names = symbolize_lookup_new(r, o);
	return c;
}

static void close_images(struct code_reader *c, str_id except)
{
	uint32_t i;

	for (i = 0; i < c->n; i++) {
		if (!c->image[i] || (except && modules_get(c->r->modules, i)->shown == except))
			continue;
		code_image_release(c->image[i]);
		free(c->image[i]);
		c->image[i] = NULL;
	}
}

void code_reader_free(struct code_reader *c)
{
	uint32_t i;

	if (!c)
		return;
	close_images(c, 0);
	for (i = 0; i < c->n_dumps; i++)
		code_dump_close(&c->dumps[i].dump);
	free(c->dumps);
	free(c->image);
	symbolize_lookup_free(c->names);
	free(c);
}

void code_reader_forget(struct code_reader *c, str_id except)
{
	close_images(c, except);
	symbolize_lookup_forget(c->names, except);
}

static struct code_image *open_image(struct code_reader *c, module_id id)
{
	struct code_image *i = xcalloc(1, sizeof(*i));
	struct code_image_request want = {
		.files = c->o->files,
		.module = modules_get(c->r->modules, id),
	};

	if (want.module->kind == MODULE_KERNEL)
		want.vmlinux = symbolize_lookup_has_vmlinux(c->names, id, &want.shift);
	want.same_boot = !want.shift && c->o->kernel_reference_address;
	code_image_open(i, &want);
	if (i->file && want.module->kind == MODULE_KMOD)
		code_image_lay_out(i, symbolize_lookup_kallsyms(c->names),
			strtab_get(c->r->strings, want.module->shown));
	return i;
}

static struct code_image *image_of(struct code_reader *c, module_id id)
{
	ARRAY_RESERVE(c->image, (size_t)id + 1, c->cap);
	while (c->n <= id)
		c->image[c->n++] = NULL;
	if (!c->image[id])
		c->image[id] = open_image(c, id);
	return c->image[id];
}

/* "foo.cold", "foo.cold.12", "foo.part.0.cold": GCC; demanglers make "foo() [clone .cold]" of it.
 */
static bool is_cold(struct span name)
{
	ptrdiff_t at = span_find(name, SPAN(".cold"));
	struct span rest;

	if (at < 0)
		return false;
	rest = span_skip(name, (size_t)at + 5);
	return !rest.n || *rest.p == '.' || *rest.p == ']';
}

static void describe(struct code_reader *c, const struct symbolize_function *f,
	const struct code_image *i, struct code_function *fn)
{
	const struct frame *frame = frames_get(c->r->frames, f->frame);

	fn->name = frame->name;
	fn->cold = is_cold(strtab_get(c->r->strings, frame->name));
	fn->guessed = f->guessed;
	fn->thumb = f->thumb;
	if (code_image_address(i, f->start, &fn->start))
		fn->size_bytes = f->end - f->start;
}

static void read_bytes(const struct code_image *i, struct code_function *fn)
{
	fn->why = CODE_NO_BYTES;
	if (fn->size_bytes > CODE_MAX_BYTES)
		fn->why = CODE_TOO_LARGE;
	else if (fn->size_bytes)
		fn->bytes = code_image_bytes(i, fn->start, &fn->size_bytes, &fn->why);
}

/* The function of a module that covers an address. */
static bool function_at(
	struct code_reader *c, module_id module, uint64_t address, struct code_function *fn)
{
	struct symbolize_function f;
	struct code_image *i;
	uint64_t rel;

	*fn = (struct code_function){ .module = module, .why = CODE_NO_MODULE };
	if (!module || module >= modules_count(c->r->modules))
		return false;
	i = image_of(c, module);
	fn->trail = &i->trail;
	fn->why = i->why;
	if (i->file) {
		fn->path = i->file->path;
		fn->machine = i->file->header.e_machine;
		fn->big_endian = i->file->header.e_ident[EI_DATA] == ELFDATA2MSB;
	}
	if (!i->file && i->why != CODE_NO_KERNEL)
		return false;
	if (!code_image_rel(i, address, &rel)) {
		fn->why = CODE_NO_BYTES;
		return false;
	}
	if (!symbolize_lookup_function(c->names, module, rel, &f)) {
		fn->why = i->file ? CODE_NO_FUNCTION : i->why;
		return false;
	}
	describe(c, &f, i, fn);
	if (i->file)
		read_bytes(i, fn);
	return fn->bytes;
}

/* The jitdump that is shown as a module; 0: none is. */
static str_id dump_path(const struct code_reader *c, str_id shown)
{
	struct span name = strtab_get(c->r->strings, shown);
	uint32_t i;

	for (i = 0; name.n && i < c->r->n_processes; i++) {
		str_id path = c->r->processes[i].jitdump;

		if (path && span_eq(span_basename(strtab_get(c->r->strings, path)), name))
			return path;
	}
	return 0;
}

/* Of a pack, "x.perfpack/jit-1.dump" is what users know. */
static void open_dump(const struct code_reader *c, str_id shown, struct code_dump *dump)
{
	struct span path = strtab_get(c->r->strings, shown), pack = span_of(c->r->path);
	struct buf real = { 0 };

	if (c->unpacked && span_starts(path, pack) && path.n > pack.n && path.p[pack.n] == '/') {
		buf_puts(&real, c->unpacked);
		path = span_skip(path, pack.n);
	}
	buf_put_span(&real, path);
	code_dump_open(dump, buf_str(&real));
	buf_release(&real);
}

static struct code_dump *dump_of(struct code_reader *c, str_id path)
{
	struct opened_dump *new;
	uint32_t i;

	for (i = 0; i < c->n_dumps; i++)
		if (c->dumps[i].path == path)
			return &c->dumps[i].dump;
	ARRAY_GROW(c->dumps, c->n_dumps, c->cap_dumps);
	new = &c->dumps[c->n_dumps++];
	new->path = path;
	open_dump(c, path, &new->dump);
	return &new->dump;
}

static bool find_generated(
	struct code_reader *c, str_id path, const struct frame *f, struct code_function *fn)
{
	struct code_dump *d = dump_of(c, path);
	struct code_dump_piece piece;

	*fn = (struct code_function){ .name = f->name, .why = CODE_GENERATED };
	if (!code_dump_read(
		    d, strtab_get(c->r->strings, f->build), f->at_address, CODE_MAX_BYTES, &piece))
		return false;
	fn->why = CODE_FOUND;
	fn->path = d->file.path;
	fn->machine = d->machine;
	fn->big_endian = d->swapped;
	fn->start = piece.start;
	fn->size_bytes = piece.size_bytes;
	fn->bytes = piece.bytes;
	return true;
}

bool code_reader_lacks_kernel(struct code_reader *c, const struct frame *f)
{
	uint32_t n = modules_count(c->r->modules), i;
	bool is_kernel = false;

	for (i = 1; i < n; i++) {
		const struct module *m = modules_get(c->r->modules, i);

		if (m->shown != f->module)
			continue;
		if (m->kind != MODULE_KERNEL || code_image_may_have_kernel(c->o->files, m))
			return false;
		is_kernel = true;
	}
	return is_kernel;
}

/* How well a function fits a frame: its bytes are here, and it has the frame's name. */
static unsigned fitness(const struct code_function *fn, const struct frame *f)
{
	return 1 + 2 * (fn->bytes != NULL) + (fn->size_bytes && fn->name == f->name);
}

bool code_reader_find(struct code_reader *c, const struct frame *f, struct code_function *fn)
{
	uint32_t n = modules_count(c->r->modules), i;
	unsigned best = 0, fits;
	struct code_function one;
	bool ambiguous = false;
	str_id dump = f->kind == FRAME_JIT ? dump_path(c, f->module) : 0;

	if (dump)
		return find_generated(c, dump, f, fn);
	*fn = (struct code_function){ .why = CODE_NO_MODULE };
	for (i = 1; i < n; i++) {
		if (modules_get(c->r->modules, i)->shown != f->module ||
			(f->build && symbolize_lookup_build(c->names, i) != f->build))
			continue;
		function_at(c, i, f->at_address, &one);
		fits = fitness(&one, f);
		ambiguous = fits == best ? ambiguous || one.bytes : fits < best && ambiguous;
		if (fits > best)
			*fn = one;
		best = fits > best ? fits : best;
	}
	fn->ambiguous = ambiguous;
	return fn->bytes;
}

void code_why_put(struct buf *out, const struct code_reader *c, const struct code_function *fn)
{
	static const char *const texts[CODE_WHY_COUNT] = {
		[CODE_FOUND] = "it is here",
		[CODE_NO_MODULE] = "the recording does not say what code ran there",
		[CODE_NO_FILE] = "the file that ran is not here",
		[CODE_REFUSED] = "the file here is not the recorded one",
		[CODE_NO_FUNCTION] = "no symbol and no .eh_frame has a function there",
		[CODE_NO_KERNEL] =
			("the kernel's code is not here (--vmlinux names a file with it; "
			 "recordings made with --kcore hold it)"),
		[CODE_LEFT_OUT] = "the pack was made with --light, and does not hold this code",
		[CODE_NO_BYTES] = "the file has no code there",
		[CODE_GENERATED] = "it is generated code, and no jitdump has it",
		[CODE_BPF] = "the code of BPF programs is not recorded",
		[CODE_TOO_LARGE] = "the function is larger than 16 MiB",
	};
	const struct files_step *refusal = fn->trail ? files_trail_refusal(fn->trail) : NULL;

	buf_puts(out, texts[fn->why]);
	if (fn->why != CODE_REFUSED || !refusal)
		return;
	buf_puts(out, ": ");
	files_step_put(out, refusal, &modules_get(c->r->modules, fn->module)->build_id);
}

/* ---- instructions --------------------------------------------------------------------------- */

struct namer {
	struct code_reader *c;
	const struct code_function *fn;
	struct code_relocations relocations;
};

static bool relocate(void *ctx, struct instruction *i)
{
	const struct namer *n = ctx;
	const struct code_relocation *r =
		code_relocations_find(&n->relocations, i->address, i->size_bytes);

	if (!r)
		return false;
	i->target = r->target;
	i->target_name = r->name;
	return true;
}

static bool name_target(void *ctx, uint64_t address, struct buf *out)
{
	const struct namer *n = ctx;
	struct code_image *i = image_of(n->c, n->fn->module);
	struct symbolize_function f;
	const struct frame *frame;
	uint64_t rel;

	if (!code_image_rel(i, address, &rel) ||
		!symbolize_lookup_function(n->c->names, n->fn->module, rel, &f))
		return false;
	frame = frames_get(n->c->r->frames, f.frame);
	if (!frame->name)
		return false;
	buf_put_span(out, strtab_get(n->c->r->strings, frame->name));
	if (rel != f.start)
		buf_printf(out, "+0x%llx", (unsigned long long)(rel - f.start));
	return true;
}

int code_reader_disassemble(struct code_reader *c, const struct code_function *fn,
	const struct code_style *style, struct disassembly *d, struct err *e)
{
	const struct code_image *i = fn->module ? image_of(c, fn->module) : NULL;
	struct namer namer = { .c = c, .fn = fn };
	struct disassembly_code code = {
		.bytes = fn->bytes,
		.size_bytes = fn->bytes ? fn->size_bytes : 0,
		.address = fn->start,
		.machine = fn->machine,
		.big_endian = fn->big_endian,
		.thumb = fn->thumb,
		.syntax = style->syntax,
		.texts = style->texts,
		.name = i ? name_target : NULL, /* generated code is known one by one */
		.relocated = relocate,
		.ctx = &namer,
	};
	int rc;

	if (i && i->file && fn->bytes)
		code_relocations_read(
			&namer.relocations, i->file, &i->places, fn->start, fn->size_bytes);
	rc = disassembly_make(d, &code, e);
	code_relocations_release(&namer.relocations);
	return rc;
}
