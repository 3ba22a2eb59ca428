#include "cli/progress_line.h"

#include "base/mem.h"
#include "cli/progress_text.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD_MS = 125, QUIET_MS = 1000 };

struct progress_line {
	struct progress *progress;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop, shown;
	struct buf text;
	double share; /* of all inputs, as it was shown last */
};

static void show(struct progress_line *l)
{
	l->text.n = 0;
	progress_text_put(&l->text, l->progress, &l->share);
	if (!l->text.n)
		return;
	fprintf(stderr, "\r%s\033[K", buf_str(&l->text));
	l->shown = true;
}

static void wait_until(struct progress_line *l, long from_now_ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += from_now_ms % 1000 * 1000000;
	t.tv_sec += from_now_ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&l->wake, &l->lock, &t);
}

static void *line_main(void *arg)
{
	struct progress_line *l = arg;

	pthread_mutex_lock(&l->lock);
	if (!l->stop)
		wait_until(l, QUIET_MS);
	while (!l->stop) {
		show(l);
		wait_until(l, PERIOD_MS);
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

struct progress_line *progress_line_start(struct progress *p, enum progress_mode mode)
{
	struct progress_line *l;

	if (mode == PROGRESS_NEVER || (mode == PROGRESS_AUTO && !isatty(STDERR_FILENO)))
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->progress = p;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->wake, NULL);
	if (pthread_create(&l->thread, NULL, line_main, l)) {
		free(l); /* no line is shown, and nothing lost */
		return NULL;
	}
	return l;
}

void progress_line_stop(struct progress_line *l)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->stop = true;
	pthread_cond_signal(&l->wake);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	if (l->shown)
		fputs("\r\033[K", stderr);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->wake);
	buf_release(&l->text);
	free(l);
}
