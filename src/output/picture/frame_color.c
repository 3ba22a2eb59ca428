#include "output/picture/frame_color.h"

#include "output/picture/category.h"

struct color frame_color(const struct frame_coloring *c, frame_id id, struct span name, bool waker)
{
	struct color_subject subject = {
		.name = name,
		.kind = category_kind_letter(c->p, id, name),
		.waker = waker,
		.by_hash = c->by_hash,
	};

	/* In a difference the category of a frame is its class of change: collapse/diff_picture.c.
	 */
	if (c->p->before)
		return category_color(category_of_frame(c->p, id, name));
	return palette_color(c->palette, &subject);
}
