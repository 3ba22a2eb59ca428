/*
 * Lines of /proc/PID/maps (proc(5)), parsed field by field: a line of another form, such as those
 * of smaps, is left out. Mappings do not overlap, so those of files are sorted by start and
 * searched. The file at the path today may be another one; its build-id is used only if device and
 * inode are those of the line.
 */
#include "process/addresses/proc_maps.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "files/files.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { PATH_BYTES_MAX = 4096 };

struct maps_line {
	uint64_t start, end, offset, major, minor, inode;
	struct span path;
};

static bool scan_char(struct span *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = span_skip(*s, 1);
	return true;
}

static bool scan_permissions(struct span *s)
{
	size_t i;

	for (i = 0; i < 4; i++)
		if (i >= s->n || !strchr("rwxsp-", s->p[i]))
			return false;
	*s = span_skip(*s, 4);
	return true;
}

static bool parse_line(struct span s, struct maps_line *l)
{
	s = span_trim(s);
	if (!span_scan_hex(&s, &l->start) || !scan_char(&s, '-') || !span_scan_hex(&s, &l->end) ||
		!scan_char(&s, ' ') || !scan_permissions(&s) || !scan_char(&s, ' '))
		return false;
	if (!span_scan_hex(&s, &l->offset) || !scan_char(&s, ' ') ||
		!span_scan_hex(&s, &l->major) || !scan_char(&s, ':') ||
		!span_scan_hex(&s, &l->minor) || !scan_char(&s, ' ') ||
		!span_scan_u64(&s, &l->inode))
		return false;
	l->path = span_trim(s);
	return l->start < l->end && l->path.n < PATH_BYTES_MAX;
}

/* The build-id of the very file that was mapped, if it is on this machine. */
static struct build_id find_build_id(const struct maps_line *l)
{
	char path[PATH_BYTES_MAX];
	struct build_id id = { 0 };
	enum files_verdict why;
	struct elf_file *ef;

	memcpy(path, l->path.p, l->path.n);
	path[l->path.n] = '\0';
	ef = elf_file_open_below("", path, &why);
	if (ef && ef->identity.ino == l->inode && major(ef->identity.dev) == l->major &&
		minor(ef->identity.dev) == l->minor)
		id = ef->build_id;
	elf_file_close(ef);
	return id;
}

struct proc_maps_reader {
	struct proc_maps *maps;
	struct recording *r;
	int32_t pid;
	bool look_here;
	struct module last; /* a file is mapped in several pieces, one after the other */
};

static void add_mapping(struct proc_maps_reader *to, const struct maps_line *l)
{
	bool vdso = span_eq(l->path, SPAN("[vdso]"));
	struct module m = { .kind = vdso ? MODULE_VDSO : MODULE_FILE };

	if (!vdso && (!l->path.n || l->path.p[0] != '/'))
		return;
	m.path = strtab_add(to->r->strings, l->path);
	m.shown = m.path;
	m.owner_pid = vdso ? 0 : to->pid;
	if (m.path != to->last.path) {
		if (to->look_here && !vdso)
			m.build_id = find_build_id(l);
		to->last = m;
	}
	ARRAY_GROW(to->maps->at, to->maps->n, to->maps->cap);
	to->maps->at[to->maps->n++] = (struct proc_mapping){ l->start, l->end, l->offset,
		modules_add(to->r->modules, &to->last) };
}

static int by_start(const void *pa, const void *pb)
{
	const struct proc_mapping *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

int proc_maps_parse(struct proc_maps *m, struct span text, struct recording *r, int32_t pid,
	bool look_here, struct err *e)
{
	struct proc_maps_reader to = { .maps = m, .r = r, .pid = pid, .look_here = look_here };
	struct span line;
	bool any = false;

	while (span_next_line(&text, &line) && m->n < INT32_MAX) {
		struct maps_line l;

		if (!parse_line(line, &l))
			continue;
		any = true;
		add_mapping(&to, &l);
	}
	if (!any)
		return err_set(e, ERR_FORMAT, "has no line of /proc/PID/maps");
	if (m->n)
		qsort(m->at, m->n, sizeof(*m->at), by_start);
	return OK;
}

void proc_maps_release(struct proc_maps *m)
{
	free(m->at);
	*m = (struct proc_maps){ 0 };
}

const struct proc_mapping *proc_maps_find(const struct proc_maps *m, uint64_t address)
{
	uint32_t first = bisect(i, 0, m->n, m->at[i].end > address);

	return first < m->n && m->at[first].start <= address ? &m->at[first] : NULL;
}

bool proc_maps_may_be_offset(const struct proc_maps *m, module_id module, uint64_t number)
{
	uint32_t i;

	for (i = 0; i < m->n; i++) {
		const struct proc_mapping *p = &m->at[i];

		if (p->module == module && number >= p->offset &&
			number - p->offset < p->end - p->start)
			return true;
	}
	return false;
}
