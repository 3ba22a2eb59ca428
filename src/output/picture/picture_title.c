#include "output/picture/picture_title.h"

void picture_title_make(struct picture_title *t, const struct profile *p,
	const struct output_opts *o, size_t columns)
{
	const struct headline_source of = {
		.p = p,
		.recordings = o->recordings,
		.n_recordings = o->n_recordings,
		.before = o->before,
		.n_before = o->n_before,
		.count_name = o->picture.count_name,
	};

	*t = (struct picture_title){ 0 };
	headline_make(&t->headline, &of);
	if (o->picture.title)
		buf_puts(&t->title, o->picture.title);
	else
		buf_put_span(&t->title, buf_span(&t->headline.title));
	if (o->picture.subtitle)
		buf_puts(&t->subtitle, o->picture.subtitle);
	else
		headline_put_subtitle(&t->headline, columns, &t->subtitle);
}

void picture_title_release(struct picture_title *t)
{
	buf_release(&t->title);
	buf_release(&t->subtitle);
	headline_release(&t->headline);
}
