/*
 * picture_title.h - the title of a picture or page, and the line below it
 *
 * As the user says (--title, --subtitle), else what the profile is (model/headline.h).
 *
 * Owns: its texts. Threads: one.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_PICTURE_TITLE_H
#define PERFOLD_OUTPUT_PICTURE_PICTURE_TITLE_H

#include "model/headline.h"
#include "output/output.h"

struct picture_title {
	struct buf title, subtitle;
	struct headline headline;
};

/* columns: room for the subtitle, 0: any. */
void picture_title_make(struct picture_title *t, const struct profile *p,
	const struct output_opts *o, size_t columns);
void picture_title_release(struct picture_title *t);

#endif
