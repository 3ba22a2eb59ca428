/*
 * Names as writers show them: profile_put_name() writes the clean name of a frame, or for one
 * without a name its module, with an address where that says which function it is; then what
 * --annotate asks for. Those of processes come from a table of (pid, recording), as a recording may
 * have as many processes as samples.
 */
#include "model/profile.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "model/names/module_name.h"

#include <stdlib.h>

void profile_free(struct profile *p)
{
	if (!p)
		return;
	free(p->nodes);
	free(p->samples);
	free(p->rows);
	free(p->threads);
	free(p->cells);
	free(p->keys);
	if (p->before) {
		free(p->before->of);
		free(p->before->after);
	}
	free(p->before);
	free(p);
}

struct process_name {
	uint32_t listed; /* the number of the thread of the process that is listed first */
	bool is_main;    /* of the thread listed first: the name is that of the main thread */
	str_id name;     /* likewise */
};

static uint32_t listed_first(const struct profile *p, struct index *processes, uint32_t i)
{
	const struct profile_thread *t = &p->threads[i];
	uint64_t hash = hash_pair((uint32_t)t->pid, t->recording);
	struct index_cursor c;
	uint32_t k;

	index_for_each (processes, hash, c, k)
		if (p->threads[k].pid == t->pid && p->threads[k].recording == t->recording)
			return k;
	index_add(processes, hash, i);
	return i;
}

str_id *profile_process_names(const struct profile *p)
{
	struct process_name *of = xcalloc((size_t)p->n_threads + 1, sizeof(*of));
	str_id *names = xcalloc((size_t)p->n_threads + 1, sizeof(*names));
	struct index processes = { 0 };
	uint32_t i;

	for (i = 0; i < p->n_threads; i++) {
		const struct profile_thread *t = &p->threads[i];
		uint32_t listed = listed_first(p, &processes, i);
		struct process_name *process = &of[listed];

		of[i].listed = listed;
		if (!process->is_main && (t->tid == t->pid || !process->name))
			process->name = t->name;
		process->is_main |= t->tid == t->pid;
	}
	for (i = 0; i < p->n_threads; i++)
		names[i] = of[of[i].listed].name;
	index_release(&processes);
	free(of);
	return names;
}

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

/* Length of the control character or line break at the front of s, 0 if there is none. The long
 * ones are U+0080 to U+009F (C1), U+2028 and U+2029: readers in Python and JavaScript treat some of
 * them as the end of a line. */
static size_t break_length(struct span s)
{
	const unsigned char *c = (const unsigned char *)s.p;

	if (is_control(c[0]))
		return 1;
	if (c[0] == 0xc2 && s.n > 1 && c[1] >= 0x80 && c[1] <= 0x9f)
		return 2;
	if (c[0] == 0xe2 && s.n > 2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9))
		return 3;
	return 0;
}

/* How many bytes at the front of s stay as they are: most names do as a whole. */
static size_t plain_length(struct span s)
{
	static const bool may_change[256] = {
		[0 ... 0x1f] = true, [0x7f] = true, [';'] = true, [0xc2] = true, [0xe2] = true
	};

	return span_until(s, may_change);
}

static void put_clean(struct buf *b, struct span s, char semicolon)
{
	size_t n = plain_length(s);

	buf_put(b, s.p, n);
	for (s = span_skip(s, n); s.n; s = span_skip(s, n)) {
		n = break_length(s);
		buf_putc(b, n ? ' ' : s.p[0] == ';' ? semicolon : s.p[0]);
		n = n ? n : 1;
	}
}

/* A missing name is replaced by the module's, as [libc.so.6]; [vdso] has its brackets already. */
static void put_unnamed(
	const struct profile *p, const struct frame *f, struct buf *b, char semicolon)
{
	struct span name = span_basename(strtab_get(p->strings, f->module));
	unsigned long long address = f->address;

	if (name.n > 2 && name.p[0] == '[' && name.p[name.n - 1] == ']')
		name = (struct span){ name.p + 1, name.n - 2 };
	if (!name.n)
		name = SPAN("unknown");
	buf_putc(b, '[');
	put_clean(b, name, semicolon);
	if (f->flags & FRAME_FUNCTION)
		buf_printf(b, "+0x%llx", address);
	else if (p->addresses)
		buf_printf(b, " <%llx>", address);
	buf_putc(b, ']');
}

enum frame_kind profile_frame_kind(const struct profile *p, frame_id id)
{
	const struct frame *f = frames_get(p->frames, id);
	enum frame_kind kind;

	if (f->kind != FRAME_UNKNOWN)
		return f->kind;
	if (f->why == WHY_NO_KALLSYMS)
		return FRAME_KERNEL;
	if (f->why == WHY_NO_JIT_MAP || f->why == WHY_NOT_IN_MAP)
		return FRAME_JIT;
	kind = module_name_kind(strtab_get(p->strings, f->module));
	return kind == FRAME_USER ? FRAME_UNKNOWN : kind;
}

static struct span annotation(const struct profile *p, frame_id id)
{
	enum frame_kind kind = profile_frame_kind(p, id);

	if ((p->annotate & ANNOTATE_INLINE) && (frames_get(p->frames, id)->flags & FRAME_INLINED))
		return SPAN("_[i]");
	if ((p->annotate & ANNOTATE_KERNEL) && kind == FRAME_KERNEL)
		return SPAN("_[k]");
	if ((p->annotate & ANNOTATE_JIT) && kind == FRAME_JIT)
		return SPAN("_[j]");
	return SPAN("");
}

static void put_name(const struct profile *p, frame_id id, struct buf *b, char semicolon)
{
	const struct frame *f = frames_get(p->frames, id);
	struct span name = strtab_get(p->strings, f->name);
	struct span suffix = annotation(p, id);

	if (name.n)
		put_clean(b, name, semicolon);
	else
		put_unnamed(p, f, b, semicolon);
	if (!span_ends(name, suffix))
		buf_put_span(b, suffix);
}

void profile_put_name(const struct profile *p, frame_id id, struct buf *b)
{
	put_name(p, id, b, ':');
}

void profile_put_full_name(const struct profile *p, frame_id id, struct buf *b)
{
	put_name(p, id, b, ';');
}
