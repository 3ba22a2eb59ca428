/*
 * named.h - sites of frames that come with their names
 *
 * A text tells names, so a site is a frame and nothing is left to be looked up: entries of the
 * stack log are numbers of sites.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_INPUT_NAMED_H
#define PERFOLD_INPUT_NAMED_H

#include "model/recording.h"
#include "model/codename.h"

/* The module that all sites of a text lie in. */
module_id named_module(struct recording *r);
site_id named_site(struct recording *r, module_id module, const struct frame *f);
/* Put what V8 says in a name into f. */
void named_set_v8(struct recording *r, struct frame *f, const struct v8_name *v8);
/* A function of JavaScript whose line and column are in f: its name is "NAME URL:LINE:COLUMN", as
 * that of one from a perf map is when its tiers are merged. Without url and line: NAME. */
void named_place(struct recording *r, struct frame *f, struct span name, struct span url);

#endif
