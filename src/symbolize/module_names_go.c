#include "base/mem.h"
#include "base/radix_sort.h"
#include "symbolize/symbolize_run.h"

#include <stdlib.h>

/* Debug information is compressed as a rule, and takes ten times as long. What it tells beside
 * names are facts about source files. */
bool module_names_go_suffices(struct module_names *n, const struct batch *b)
{
	const struct symbolize_opts *o = n->run->o;
	struct go_function f;
	uint64_t address;
	uint32_t i;

	if (o->compat_perf || o->sources || !b->sites || !n->functions.file)
		return false;
	if (!n->go.searched)
		go_program_open(&n->go, n->functions.file);
	for (i = 0; go_program_has_calls(&n->go) && i < b->report->sites; i++) {
		const struct site *s = sites_get(n->run->r->sites, b->sites[i]);

		if (!elf_layout_address(&n->go.layout, module_names_look_up(n, s), &address) ||
			!go_table_find(&n->go.table, address, &f))
			return false; /* C code */
	}
	return go_program_has_calls(&n->go);
}

/* Where sites are looked up, in the order of the file: a walk through a table of values can go on
 * where the one before ended. To be freed. */
static struct radix_key *in_order(const struct module_names *n, const struct batch *b)
{
	struct radix_key *key = xcalloc((size_t)b->report->sites + 1, sizeof(*key));
	uint32_t i;

	for (i = 0; i < b->report->sites; i++)
		key[i] = (struct radix_key){
			module_names_look_up(n, sites_get(n->run->r->sites, b->sites[i])), i
		};
	radix_sort(key, b->report->sites);
	return key;
}

void module_names_go_add(struct module_names *n, const struct batch *b)
{
	struct recording *r = n->run->r;
	struct go_naming naming = { .r = r,
		.o = n->run->o,
		.program = &n->go,
		.style = &n->table.style,
		.inlined = symbolize_wants_inlined(n->run),
		.claim = { .module = b->report->module } };
	const struct elf_file *file = n->functions.file;
	struct go_walks walks = { 0 };
	struct radix_key *key;
	uint32_t i;

	if (n->debug || !file || n->run->o->compat_perf || !symbolize_wants_debug(n->run))
		return;
	if (!n->go.searched)
		go_program_open(&n->go, file);
	if (!n->go.table.n)
		return;
	if (n->run->o->sources)
		source_file_judge_program(n->run->o->files, n->module, file, &naming.claim.built_s,
			&naming.claim.is_local);
	key = in_order(n, b);
	n->go.table.walks = &walks;
	for (i = 0; i < b->report->sites; i++)
		go_frames_set(&naming, b->sites[key[i].number], key[i].key);
	n->go.table.walks = NULL;
	free(key);
	go_frames_release(&naming);
}
