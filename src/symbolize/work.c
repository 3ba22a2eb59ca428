#include "symbolize/work.h"

void work_init(struct work *w, uint32_t n_batches, uint32_t n_free, unsigned workers)
{
	*w = (struct work){
		.reads_ahead = workers > 1,
		.n_batches = n_batches,
		.n_free = n_free,
		.kallsyms_wanted = n_free < n_batches,
		.kallsyms_missing = n_free < n_batches,
	};
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
}

void work_release(struct work *w)
{
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->changed);
}

static bool start_unit(struct work *w, struct work_item *item)
{
	struct dwarf_debug *d = w->open;

	if (!d)
		return false;
	*item = (struct work_item){ .debug = d, .task = &d->task[d->next_task++] };
	/* The worker of the last task inherits the list's own reference. */
	if (d->next_task == d->n_tasks)
		w->open = d->next;
	else
		atomic_fetch_add(&d->users, 1);
	return true;
}

static bool start_batch(struct work *w, struct work_item *item)
{
	if (w->next_batch == (w->kallsyms_missing ? w->n_free : w->n_batches))
		return false;
	*item = (struct work_item){ .batch = w->next_batch++ };
	w->loading++;
	return true;
}

static bool start_ahead(struct work *w, struct work_item *item)
{
	bool has_one = w->open && !w->open->next;

	return w->reads_ahead && has_one && !w->loading && start_batch(w, item);
}

static bool start_kallsyms(struct work *w, struct work_item *item)
{
	if (!w->kallsyms_wanted)
		return false;
	*item = (struct work_item){ .kallsyms = true };
	w->kallsyms_wanted = false;
	w->loading++;
	return true;
}

bool work_next(struct work *w, struct work_item *item)
{
	bool found;

	pthread_mutex_lock(&w->lock);
	while (!(found = start_kallsyms(w, item) || start_ahead(w, item) || start_unit(w, item) ||
			 start_batch(w, item)) &&
		w->loading)
		pthread_cond_wait(&w->changed, &w->lock);
	pthread_mutex_unlock(&w->lock);
	return found;
}

void work_batch_done(struct work *w, struct dwarf_debug *debug)
{
	struct dwarf_debug **end = &w->open;

	pthread_mutex_lock(&w->lock);
	w->loading--;
	while (*end)
		end = &(*end)->next;
	*end = debug;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
}

void work_kallsyms_done(struct work *w)
{
	pthread_mutex_lock(&w->lock);
	w->loading--;
	w->kallsyms_missing = false;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
}
