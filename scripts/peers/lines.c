/*
 * lines.c - what perfold says about addresses of a file, in the form of `addr2line -afi`
 *
 *	lines FILE < addresses in hexadecimal, one on each line
 *
 * Prints "0xADDRESS", then for each function, innermost first, its name as the compiler wrote it
 * and "file:line" on one line. Linked with libperfold.a.
 */
#include "base/mem.h"
#include "symbolize/elf/elf.h"
#include "symbolize/symbolize.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct query {
	uint64_t address;
	site_id site; /* 0: nothing is loaded there */
};

static struct query *read_queries(
	struct recording *r, module_id module, const struct elf_layout *layout, size_t *n)
{
	struct query *q = NULL;
	size_t cap = 0;
	char line[64];

	for (*n = 0; fgets(line, sizeof(line), stdin);) {
		struct span s = span_of(line);
		struct site site = { .module = module, .how = SITE_EXACT, .kind = FRAME_USER };
		uint64_t address;

		if (span_starts(s, SPAN("0x")))
			s = span_skip(s, 2);
		if (!span_scan_hex(&s, &address))
			continue;
		ARRAY_GROW(q, *n, cap);
		q[*n] = (struct query){ .address = address };
		if (elf_layout_offset(layout, address, &site.rel))
			q[*n].site = sites_add(r->sites, &site);
		++*n;
	}
	return q;
}

static void print(const struct recording *r, const struct query *q)
{
	uint32_t n;
	const frame_id *f;

	printf("0x%" PRIx64 "\n", q->address);
	if (!q->site) {
		puts("??");
		return;
	}
	f = sites_frames(r->sites, q->site, &n);
	while (n--) {
		struct span name = frames_name(r->frames, f[n]);

		printf("%.*s\n", name.n ? (int)name.n : 2, name.n ? name.p : "??");
	}
}

static int answer(const char *path, const struct elf_file *ef)
{
	static const char *const anywhere[] = { "", NULL };
	struct files_opts fo = { .symfs = anywhere, .no_system = true };
	struct symbolize_opts o = { .lines = true, .lines_in_names = true, .no_demangle = true };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new(path, strings, frames);
	struct module m = { .kind = MODULE_FILE };
	struct symbolize_report report;
	struct elf_layout layout;
	struct pool *pool = pool_new(2);
	struct files *files = files_new(&fo, strings);
	struct err e;
	struct query *q;
	size_t n, i;
	int rc;

	elf_layout_read(&layout, ef);
	m.path = m.shown = strtab_add_str(strings, path);
	q = read_queries(r, modules_add(r->modules, &m), &layout, &n);
	o.files = files;
	rc = symbolize(r, &o, pool, &report, &e);
	for (i = 0; i < n; i++)
		print(r, &q[i]);
	free(q);
	symbolize_report_release(&report);
	files_free(files);
	pool_free(pool);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	return rc;
}

int main(int argc, char **argv)
{
	enum files_verdict why;
	char *path = argc > 1 ? realpath(argv[1], NULL) : NULL;
	struct elf_file *ef;
	int rc;

	elf_version(EV_CURRENT);
	ef = path ? elf_file_open(path, &why) : NULL;
	if (!ef) {
		fprintf(stderr, "usage: lines ELF-FILE < addresses\n");
		return 2;
	}
	rc = answer(path, ef);
	elf_file_close(ef);
	free(path);
	return rc != 0;
}
