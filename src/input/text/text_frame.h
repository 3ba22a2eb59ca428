/*
 * named.h - sites of frames that come with their names
 *
 * A text tells names, so a site is a frame, and nothing has to be looked up: entries of the stack
 * log are numbers of sites.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_INPUT_NAMED_H
#define PERFOLD_INPUT_NAMED_H

#include "model/recording.h"
#include "model/names/runtime_name.h"

/* The module that all sites of a text lie in. */
module_id text_frame_module(struct recording *r);
site_id text_frame_site(struct recording *r, module_id module, const struct frame *f);
/* Put what V8 says in a name into f. */
void text_frame_set_v8(struct recording *r, struct frame *f, const struct v8_name *v8);
/* Names a JavaScript function whose line and column are in f: "NAME URL:LINE:COLUMN", as one from a
 * perf map is named once its tiers are merged. Without url and line: NAME. */
void text_frame_set_name(struct recording *r, struct frame *f, struct span name, struct span url);

#endif
