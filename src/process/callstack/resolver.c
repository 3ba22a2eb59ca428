#include "process/callstack/resolver.h"

site_id resolver_mark_site(const struct recording *r, uint64_t mark)
{
	const char *name = mark == CALLCHAIN_TRUNCATED ? "[truncated]" : "[unfinished]";
	struct frame f = { .name = strtab_add_str(r->strings, name), .kind = FRAME_LABEL };

	return sites_add(r->sites,
		&(struct site){ .kind = FRAME_LABEL, .named = frames_add(r->frames, &f) });
}

void resolver_init(struct resolver *r, const struct recording *recording, const struct world *world,
	const struct jit_maps *jit_maps, const struct callchain *chain, bool compat_perf)
{
	*r = (struct resolver){ .recording = recording,
		.sites = recording->sites,
		.modules = recording->modules,
		.world = world,
		.jit_maps = jit_maps,
		.chain = chain,
		.compat_perf = compat_perf };
}

/* The name that a map has for the code of an address; *back is 1 if that is a return address, whose
 * call is looked up. The outermost one may be the first byte of a function instead, which was put
 * there for the first function of a process to return into, as Erlang does; *back becomes 0. */
static frame_id find_jit_frame(const struct resolver *r, int32_t pid, struct callchain_address a,
	struct moment at, struct validity *valid, uint64_t *back)
{
	const struct frames *frames = r->recording->frames;
	struct validity v;
	frame_id before, first;

	before = jit_maps_find(r->jit_maps, pid, a.ip - *back, at, &v);
	validity_narrow(valid, v);
	if (!*back || !a.outermost)
		return before;
	first = jit_maps_find(r->jit_maps, pid, a.ip, at, &v);
	validity_narrow(valid, v);
	if (!first ||
		(before && frames_get(frames, before)->name == frames_get(frames, first)->name))
		return before;
	*back = 0;
	return first;
}

/* A map may name any executable address that no ELF symbol names. perf asks it only for memory
 * without any file, so neither for /memfd: nor for deleted files. */
static void add_jit_frame(const struct resolver *r, const struct world_place *place,
	struct callchain_address a, uint64_t back, struct moment at, struct validity *valid,
	struct site *site)
{
	bool jit_module = modules_get(r->modules, place->module)->kind == MODULE_JIT;
	frame_id frame;

	if (!place->executable || (r->compat_perf && !jit_module))
		return;
	frame = find_jit_frame(r, place->owner_pid, a, at, valid, &back);
	if (!frame)
		return;
	if (jit_module)
		*site = (struct site){
			.module = site->module,
			.how = site->function ? site->how : SITE_EXACT,
			.kind = FRAME_JIT,
			.named = frame,
			.function = site->function,
			.ambiguous =
				jit_maps_is_ambiguous(r->jit_maps, place->owner_pid, a.ip - back),
		};
	else
		site->fallback = frame;
}

/* The site of an address. */
static site_id resolve_address(struct resolver *r, uint32_t space, struct callchain_address a,
	struct moment at, struct validity *valid)
{
	/* The call is before its return address and looked up there, so that a call at the very
	 * end of a function or mapping is found in it. */
	uint64_t back = a.exact || r->compat_perf || !a.ip ? 0 : 1;
	struct world_place place = { 0 };
	struct site site = { .how = a.exact ? SITE_EXACT : SITE_RETURN, .function = a.function };
	site_id id;

	if (a.mode == MODE_KERNEL)
		place = world_find_kernel(r->world, a.ip - back, at, valid);
	else if (a.mode == MODE_USER)
		place = world_find_user(r->world, space, a.ip - back, at, valid);
	site.module = place.module;
	site.kind = !place.module           ? FRAME_UNKNOWN
		    : a.mode == MODE_KERNEL ? FRAME_KERNEL
					    : FRAME_USER;
	site.rel = place.module ? place.rel + back : a.ip;
	site.no_code = a.mode == MODE_USER && !a.exact && !place.ever_executable;
	if (a.mode == MODE_USER && place.module)
		add_jit_frame(r, &place, a, back, at, valid, &site);
	id = sites_add(r->sites, &site);
	if (place.late) {
		sites_mark_late(r->sites, id);
		diag_count(&r->diag, DIAG_LATE_MAP, at.position);
	}
	return id;
}

uint32_t resolver_trim(void *ctx, const site_id *sites, uint32_t n)
{
	const struct resolver *r = ctx;
	uint32_t i;
	enum frame_kind kind;

	for (i = 0; i < n && sites_get(r->sites, sites[i])->no_code; i++)
		;
	if (!i || i == n)
		return 0;
	kind = sites_get(r->sites, sites[i])->kind;
	return kind == FRAME_USER || kind == FRAME_JIT ? i : 0;
}

site_id resolver_resolve(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	struct resolver *r = ctx;

	if (entry == CALLCHAIN_TRUNCATED || entry == CALLCHAIN_UNFINISHED)
		return resolver_mark_site(r->recording, entry);
	return resolve_address(r, space, callchain_decode(r->chain, entry), at, valid);
}
