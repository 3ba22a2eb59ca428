#include "jit/perf_map_layers.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "jit/perf_map_dates.h"

#include <stdlib.h>

enum { TOTAL_MAX = 1 << 22 }; /* a bound for hostile maps */

void perf_map_layers_release(struct perf_map_layers *l)
{
	free(l->piece);
	free(l->first);
	free(l->layer);
	*l = (struct perf_map_layers){ 0 };
}

/* ---- collecting --------------------------------------------------------------------------- */

void perf_map_layers_begin(struct perf_map_layers *l, const struct codemap_range *piece, size_t n)
{
	*l = (struct perf_map_layers){ .n_pieces = (uint32_t)n };
	l->piece = xmemdup(piece, n * sizeof(*piece));
	l->first = xcalloc(n + 1, sizeof(*l->first));
}

/* The first piece that ends after the address. */
static uint32_t piece_from(const struct perf_map_layers *l, uint64_t address)
{
	return bisect(i, 0, l->n_pieces, l->piece[i].end > address);
}

bool perf_map_layers_overlap(const struct perf_map_layers *l, uint64_t start, uint64_t end)
{
	uint32_t i = piece_from(l, start);

	return i < l->n_pieces && l->piece[i].start < end;
}

void perf_map_layers_add(
	struct perf_map_layers *l, uint64_t start, uint64_t end, uint64_t offset, uint32_t function)
{
	struct perf_map_layer layer = { start, end, 0, offset, function, 0, 0 };
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

static int compare_layers(const void *pa, const void *pb)
{
	const struct perf_map_layer *a = pa, *b = pb;

	if (a->piece != b->piece)
		return a->piece < b->piece ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* The part of the piece that the layer covers. */
static struct codemap_range part_of_piece(
	const struct perf_map_layers *l, const struct perf_map_layer *layer)
{
	struct codemap_range part = l->piece[layer->piece];

	if (layer->start > part.start)
		part.start = layer->start;
	if (layer->end < part.end)
		part.end = layer->end;
	return part;
}

/* No code came later than code listed below it, whatever addresses said of either. */
static void keep_order(struct perf_map_layers *l)
{
	uint32_t i = l->n;

	while (i-- > 1)
		if (l->layer[i - 1].piece == l->layer[i].piece &&
			l->layer[i - 1].from_ns > l->layer[i].from_ns)
			l->layer[i - 1].from_ns = l->layer[i].from_ns;
}

void perf_map_layers_date(struct perf_map_layers *l, const struct codemap_seen *seen)
{
	struct perf_map_dates d;
	uint32_t i;

	perf_map_dates_begin(&d, seen);
	for (i = 0; i < l->n; i++) {
		struct perf_map_layer *layer = &l->layer[i];
		struct codemap_range part = part_of_piece(l, layer);

		layer->from_ns = perf_map_dates_find(&d, layer->offset, &part);
		l->first[layer->piece + 1]++;
	}
	for (i = 0; i < l->n_pieces; i++)
		l->first[i + 1] += l->first[i];
	if (l->n)
		qsort(l->layer, l->n, sizeof(*l->layer), compare_layers);
	keep_order(l);
	perf_map_dates_release(&d);
}

/* ---- looking up --------------------------------------------------------------------------- */

struct perf_map_layer *perf_map_layers_find(
	const struct perf_map_layers *l, uint64_t address, uint64_t time_ns, struct validity *valid)
{
	uint32_t piece = piece_from(l, address), i;
	struct perf_map_layer *found = NULL;

	if (l->too_many || piece == l->n_pieces || address < l->piece[piece].start)
		return NULL;
	for (i = l->first[piece]; i < l->first[piece + 1]; i++) {
		struct perf_map_layer *layer = &l->layer[i];

		if (address < layer->start || address >= layer->end)
			continue;
		if (found && layer->from_ns > time_ns) {
			valid->until.time_ns = layer->from_ns;
			valid->until.position = 0;
			break;
		}
		/* Before the oldest there was nothing else. */
		if (found)
			valid->from = (struct moment){ layer->from_ns, 0 };
		found = layer;
	}
	return found;
}
