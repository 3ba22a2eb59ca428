#include "symbolize/work.h"

void work_init(struct work *w, uint32_t n_batches)
{
	*w = (struct work){ .n_batches = n_batches };
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
}

void work_release(struct work *w)
{
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->changed);
}

static void take_unit(struct work *w, struct work_item *item)
{
	struct dwarf_debug *d = w->open;

	*item = (struct work_item){ .debug = d, .task = &d->task[d->next_task++] };
	/* With the last task the list's own use of it goes over to who takes that. */
	if (d->next_task == d->n_tasks)
		w->open = d->next;
	else
		atomic_fetch_add(&d->users, 1);
}

bool work_take(struct work *w, struct work_item *item)
{
	bool taken = true;

	pthread_mutex_lock(&w->lock);
	while (!w->open && w->next_batch == w->n_batches && w->loading)
		pthread_cond_wait(&w->changed, &w->lock);
	if (w->open) {
		take_unit(w, item);
	} else if (w->next_batch < w->n_batches) {
		*item = (struct work_item){ .batch = w->next_batch++ };
		w->loading++;
	} else {
		taken = false;
	}
	pthread_mutex_unlock(&w->lock);
	return taken;
}

void work_loaded(struct work *w, struct dwarf_debug *debug)
{
	pthread_mutex_lock(&w->lock);
	w->loading--;
	if (debug) {
		debug->next = w->open;
		w->open = debug;
	}
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
}
