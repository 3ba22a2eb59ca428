/*
 * text_frame.h - sites of frames that come with their names
 *
 * A text has names, not addresses, so a site is a frame, and nothing has to be symbolized: entries
 * of the stack log are numbers of sites.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_INPUT_TEXT_TEXT_FRAME_H
#define PERFOLD_INPUT_TEXT_TEXT_FRAME_H

#include "model/names/runtime_name.h"
#include "model/recording.h"

/* The module of all sites of a text. */
module_id text_frame_module(struct recording *r);
site_id text_frame_site(struct recording *r, module_id module, const struct frame *f);
/* Copies what V8 put into a name to f. */
void text_frame_set_v8(struct recording *r, struct frame *f, const struct v8_name *v8);
/* Names a JavaScript function whose line and column are in f: "NAME URL:LINE:COLUMN", as one from a
 * perf map is named once its tiers are merged. Without url and line: NAME. */
void text_frame_set_name(struct recording *r, struct frame *f, struct span name, struct span url);

#endif
