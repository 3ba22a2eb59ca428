/*
 * sites.h - distinct places in code, each symbolized once
 *
 * A site is (module, address within it, how it was reached). All processes share the sites of a
 * file. Reading makes sites; symbolize/ finds the frames of each: one, or several where functions
 * were inlined, the outermost first. A site from a text input, or in generated code that has a
 * map, has its frame from the start (named).
 *
 * Owns: the table owns the sites. Threads: any thread may intern (a lock inside) and read a
 * number that it was given; setting frames is done by one thread for each site.
 */
#ifndef PERFOLD_MODEL_SITES_H
#define PERFOLD_MODEL_SITES_H

#include "model/frames.h"
#include "model/modules.h"

typedef uint32_t site_id; /* 0: none */

enum site_how {
	SITE_EXACT,  /* rel is an instruction that was running */
	SITE_RETURN, /* rel is a return address: the call is before it, look up rel - 1 */
};

struct site {
	module_id module;
	uint8_t how;
	uint8_t kind;   /* FRAME_USER, FRAME_KERNEL or FRAME_UNKNOWN (nothing mapped) */
	uint64_t rel;   /* see enum module_kind */
	frame_id named; /* the frame, known while reading (text, generated code); rel is 0 then */
	frame_id fallback; /* the frame if the module has no symbol here (generated code), or 0 */
	frame_id function; /* what runs here if the code turns out to be an interpreter's, or 0 */
	bool ambiguous;    /* several functions were here in turn, and the map has no times */
	bool no_code;      /* memory that was never executable: the address is a mistake */
};

/* The frames of a site whose code has a name: that of the code or, if that is an interpreter's
 * (model/names/v8_name.h), the function that runs there with the code on top, if any. */
uint32_t sites_show(
	const struct site *s, const struct frames *frames, frame_id code, frame_id shown[2]);

struct sites;

struct sites *sites_new(void);
void sites_free(struct sites *t);
site_id sites_add(struct sites *t, const struct site *s);
const struct site *sites_get(const struct sites *t, site_id id);
uint32_t sites_count(const struct sites *t);

/* A sample hit the site before its mapping was recorded. Any thread, any number of times. */
void sites_mark_late(struct sites *t, site_id id);
/* How many sites are marked; not while others mark. */
uint32_t sites_count_late(const struct sites *t);

/* The frames of a site, outermost first. Set once, before collapse/ reads them. */
void sites_set_frames(struct sites *t, site_id id, const frame_id *frames, uint32_t n);
/* The outermost of them becomes another one. */
void sites_change_first(struct sites *t, site_id id, frame_id frame);
const frame_id *sites_frames(const struct sites *t, site_id id, uint32_t *n);
/* Prefetches what sites_frames() reads. */
void sites_prefetch_frames(const struct sites *t, site_id id);
/* For all sites at once, from one thread: frame i becomes to[i], if i < n and to[i] is not 0. */
void sites_change_frames(struct sites *t, const frame_id *to, uint32_t n);

#endif
