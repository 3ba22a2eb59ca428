#include "input/script/script_memo.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

static const struct script_memo_line *find(
	const struct script_memo *m, struct span line, uint64_t address, uint64_t hash)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&m->by_line, hash, c, i)
		if (m->lines[i].address == address && span_eq(m->lines[i].line, line))
			return &m->lines[i];
	return NULL;
}

static const struct script_memo_line *add(struct script_memo *m, struct span line, uint64_t hash,
	const struct script_frame_line *frame)
{
	site_id sites[SCRIPT_PIECES_MAX];
	uint32_t n = script_frame_sites(m->recording, m->text_module, frame, sites);
	struct script_memo_line *l;

	ARRAY_GROW(m->lines, m->n_lines, m->cap_lines);
	ARRAY_RESERVE(m->sites, m->n_all_sites + n, m->cap_sites);
	if (n) /* else there may be no array yet */
		memcpy(m->sites + m->n_all_sites, sites, n * sizeof(*sites));
	l = &m->lines[m->n_lines];
	*l = (struct script_memo_line){ .address = frame->address, .n_sites = n };
	l->line.p = arena_string(&m->strings, line.p, line.n);
	l->line.n = line.n;
	l->first_site = m->n_all_sites;
	l->unnamed = n == 1 && sites_get(m->recording->sites, sites[0])->kind == FRAME_UNKNOWN;
	m->n_all_sites += n;
	index_add(&m->by_line, hash, m->n_lines++);
	return l;
}

const struct script_memo_line *script_memo_find(
	struct script_memo *m, struct span ip, struct span text, struct span srcline)
{
	struct span line = srcline.p ? span_range(text.p, srcline.p + srcline.n) : text;
	struct script_frame_line frame = { text, srcline, 0, m->has_modules };
	uint64_t hash = hash_span(line);
	const struct script_memo_line *l = find(m, line, 0, hash);

	if (!l)
		l = add(m, line, hash, &frame);
	if (!l->unnamed || !m->addresses || !span_scan_hex(&ip, &frame.address) || !frame.address)
		return l;
	hash = hash_pair(hash, frame.address);
	l = find(m, line, frame.address, hash);
	return l ? l : add(m, line, hash, &frame);
}

void script_memo_release(struct script_memo *m)
{
	arena_release(&m->strings);
	index_release(&m->by_line);
	free(m->lines);
	free(m->sites);
}
