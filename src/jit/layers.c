#include "jit/layers.h"

#include "base/mem.h"
#include "base/search.h"

#include <stdlib.h>

enum { TOTAL_MAX = 1 << 22 }; /* a bound for hostile maps */

void layers_release(struct layers *l)
{
	free(l->piece);
	free(l->first);
	free(l->layer);
	*l = (struct layers){ 0 };
}

/* ---- collecting --------------------------------------------------------------------------- */

void layers_begin(struct layers *l, const struct codemap_range *piece, size_t n)
{
	*l = (struct layers){ .n_pieces = (uint32_t)n };
	l->piece = xmemdup(piece, n * sizeof(*piece));
	l->first = xcalloc(n + 1, sizeof(*l->first));
}

/* The first piece that ends behind the address. */
static uint32_t piece_from(const struct layers *l, uint64_t address)
{
	return search_first(i, 0, l->n_pieces, l->piece[i].end > address);
}

bool layers_want(const struct layers *l, uint64_t start, uint64_t end)
{
	uint32_t i = piece_from(l, start);

	return i < l->n_pieces && l->piece[i].start < end;
}

void layers_take(struct layers *l, uint64_t start, uint64_t end, uint64_t place, uint32_t function)
{
	struct layer layer = { start, end, 0, place, function, 0, 0 };
	uint32_t i;

	for (i = piece_from(l, start); i < l->n_pieces && l->piece[i].start < end; i++) {
		if (l->n == TOTAL_MAX) {
			l->too_many = true;
			return;
		}
		layer.piece = i;
		ARRAY_GROW(l->layer, l->n, l->cap);
		l->layer[l->n++] = layer;
	}
}

/* ---- times -------------------------------------------------------------------------------- */

/* When the code of an entry was there at the latest, by all entries from it on: grows with them. */
static uint64_t *latest_times(const struct codemap_sighting *seen, size_t n)
{
	uint64_t *time_ns = xcalloc(n + 1, sizeof(*time_ns)), latest = UINT64_MAX;

	while (n--) {
		if (seen[n].time_ns < latest)
			latest = seen[n].time_ns;
		time_ns[n] = latest;
	}
	return time_ns;
}

/* The first that was seen from the entry on. */
static size_t seen_from(const struct codemap_sighting *seen, size_t n, uint64_t entry)
{
	return search_first(i, 0, n, seen[i].entry >= entry);
}

static int compare_layers(const void *pa, const void *pb)
{
	const struct layer *a = pa, *b = pb;

	if (a->piece != b->piece)
		return a->piece < b->piece ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

void layers_date(struct layers *l, const struct codemap_sighting *seen, size_t n)
{
	uint64_t *latest = latest_times(seen, n);
	uint32_t i;

	for (i = 0; i < l->n; i++) {
		struct layer *layer = &l->layer[i];
		size_t at = seen_from(seen, n, layer->place);

		/* Seen itself, or some time between the lines seen around it: the earlier. */
		if (at < n && seen[at].entry == layer->place)
			layer->from_ns = latest[at];
		else
			layer->from_ns = at ? latest[at - 1] : 0;
		l->first[layer->piece + 1]++;
	}
	for (i = 0; i < l->n_pieces; i++)
		l->first[i + 1] += l->first[i];
	if (l->n)
		qsort(l->layer, l->n, sizeof(*l->layer), compare_layers);
	free(latest);
}

/* ---- looking up --------------------------------------------------------------------------- */

struct layer *layers_find(
	const struct layers *l, uint64_t address, uint64_t time_ns, struct validity *valid)
{
	uint32_t piece = piece_from(l, address), i;
	struct layer *found = NULL;

	if (l->too_many || piece == l->n_pieces || address < l->piece[piece].start)
		return NULL;
	for (i = l->first[piece]; i < l->first[piece + 1]; i++) {
		struct layer *layer = &l->layer[i];

		if (address < layer->start || address >= layer->end)
			continue;
		if (found && layer->from_ns > time_ns) {
			valid->until.time_ns = layer->from_ns;
			valid->until.position = 0;
			break;
		}
		/* Nothing else has been there before the oldest. */
		if (found)
			valid->from = (struct moment){ layer->from_ns, 0 };
		found = layer;
	}
	return found;
}
