#include "symbolize/dwarf/dwarf_range.h"

static uint64_t decode_address(struct cursor *c, uint8_t bytes)
{
	switch (bytes) {
	case 4:
		return cursor_u32(c);
	case 8:
		return cursor_u64(c);
	}
	c->failed = true;
	return 0;
}

/* An address by its number in .debug_addr. */
static uint64_t decode_indexed(struct dwarf_range_list *l)
{
	struct cursor there = {
		.p = (const uint8_t *)l->addr.p, .left = l->addr.n, .swapped = l->rest.swapped
	};
	uint64_t i = cursor_uleb(&l->rest), address;

	cursor_bytes(&there, i > there.left / 8 ? UINT64_MAX : i * l->address_bytes);
	address = decode_address(&there, l->address_bytes);
	l->rest.failed |= there.failed;
	return address;
}

static bool next_entry(struct dwarf_range_list *l, uint64_t *start, uint64_t *end)
{
	struct cursor *c = &l->rest;
	const uint8_t *kind = cursor_bytes(c, 1);

	*start = *end = 0;
	switch (kind ? *kind : DW_RLE_end_of_list) {
	case DW_RLE_base_addressx:
		l->base = decode_indexed(l);
		break;
	case DW_RLE_base_address:
		l->base = decode_address(c, l->address_bytes);
		break;
	case DW_RLE_startx_endx:
		*start = decode_indexed(l);
		*end = decode_indexed(l);
		break;
	case DW_RLE_startx_length:
		*start = decode_indexed(l);
		*end = *start + cursor_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*start = l->base + cursor_uleb(c);
		*end = l->base + cursor_uleb(c);
		break;
	case DW_RLE_start_end:
		*start = decode_address(c, l->address_bytes);
		*end = decode_address(c, l->address_bytes);
		break;
	case DW_RLE_start_length:
		*start = decode_address(c, l->address_bytes);
		*end = *start + cursor_uleb(c);
		break;
	default:
		return false;
	}
	return !c->failed;
}

/* Pairs of offsets, 0 0 at the end, the largest address before a base. */
static bool next_pair(struct dwarf_range_list *l, uint64_t *start, uint64_t *end)
{
	uint64_t largest = l->address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t a = decode_address(&l->rest, l->address_bytes);
	uint64_t b = decode_address(&l->rest, l->address_bytes);

	*start = *end = 0;
	if (a == largest) {
		l->base = b;
		return !l->rest.failed;
	}
	*start = l->base + a;
	*end = l->base + b;
	return !l->rest.failed && (a || b);
}

bool dwarf_range_list_next(struct dwarf_range_list *l, uint64_t *start, uint64_t *end)
{
	return l->version < 5 ? next_pair(l, start, end) : next_entry(l, start, end);
}

void dwarf_range_each(Dwarf_Die *die, struct dwarf_budget *b, dwarf_range_fn fn, void *ctx)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (dwarf_budget_step(b) && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (!dwarf_range_is_dropped(start, end))
			fn(ctx, die, start, end);
}

void dwarf_range_list_each(struct dwarf_range_list list, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx)
{
	uint64_t start, end;

	while (dwarf_budget_step(b) && dwarf_range_list_next(&list, &start, &end))
		if (!dwarf_range_is_dropped(start, end))
			fn(ctx, die, start, end);
}
