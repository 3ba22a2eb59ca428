/*
 * kernel_maps.h - the kernel's text, its modules, and its BPF programs, over time
 *
 * Three layers, searched from the top: programs of PERF_RECORD_KSYMBOL, which come and go; modules;
 * kernel text. Unregistering a program uncovers the layer below. The end of a module is not
 * recorded; one loaded later in its place covers it.
 *
 * Owns: the mappings. Threads: build from one, look up from any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_WORLD_KERNEL_MAPS_H
#define PERFOLD_PROCESS_WORLD_KERNEL_MAPS_H

#include "process/world/mapper.h"

enum { KERNEL_LAYER_KSYMBOLS, KERNEL_LAYER_MODULES, KERNEL_LAYER_TEXT, KERNEL_LAYERS };

/* A zeroed struct is empty. */
struct kernel_maps {
	struct overlay layer[KERNEL_LAYERS];
	str_id reference_symbol; /* 0: none */
	uint64_t reference_address;
};

void kernel_maps_release(struct kernel_maps *k);
void kernel_maps_add(struct kernel_maps *k, clock_id from, const struct world_mapper *mapper,
	const struct recorded_mapping *r);
void kernel_maps_register(struct kernel_maps *k, clock_id from, const struct world_mapper *mapper,
	uint64_t start, uint64_t end, str_id name);
void kernel_maps_unregister(struct kernel_maps *k, clock_id from, uint64_t start, uint64_t end);
void kernel_maps_freeze(struct kernel_maps *k);

/* NULL: nothing. This holds from *from until *until. */
const struct mapping *kernel_maps_find(const struct kernel_maps *k, uint64_t address,
	clock_id clock, clock_id *from, clock_id *until);

#endif
