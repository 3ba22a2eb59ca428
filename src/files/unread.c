#include "files/files.h"

#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct files_origin {
	struct files_unread *list;
	char *path;
	_Atomic int error; /* of errno(3); 0: none */
};

struct files_unread {
	pthread_mutex_t lock;
	struct files_origin **of;
	uint32_t n, cap;
	char *dir, *shown; /* files_unread_show(), or NULL */
};

struct files_unread *files_unread_new(void)
{
	struct files_unread *u = xcalloc(1, sizeof(*u));

	pthread_mutex_init(&u->lock, NULL);
	return u;
}

void files_unread_free(struct files_unread *u)
{
	uint32_t i;

	if (!u)
		return;
	for (i = 0; i < u->n; i++) {
		free(u->of[i]->path);
		free(u->of[i]);
	}
	free(u->of);
	free(u->dir);
	free(u->shown);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

void files_unread_show(struct files_unread *u, const char *dir, const char *shown)
{
	u->dir = xstrdup(dir);
	u->shown = xstrdup(shown);
}

static struct files_origin *find(const struct files_unread *u, const char *path)
{
	uint32_t i;

	for (i = 0; i < u->n; i++)
		if (strcmp(u->of[i]->path, path) == 0)
			return u->of[i];
	return NULL;
}

const struct files_origin *files_unread_origin(struct files_unread *u, const char *path)
{
	struct files_origin *o;

	if (!u)
		return NULL;
	pthread_mutex_lock(&u->lock);
	o = find(u, path);
	if (!o) {
		o = xcalloc(1, sizeof(*o));
		o->list = u;
		o->path = xstrdup(path);
		ARRAY_GROW(u->of, u->n, u->cap);
		u->of[u->n++] = o;
	}
	pthread_mutex_unlock(&u->lock);
	return o;
}

void files_unread_add(const struct files_origin *from, int error)
{
	if (from)
		((struct files_origin *)from)->error = error;
}

static void visit(const struct files_unread *u, const struct files_origin *o,
	void (*fn)(void *ctx, const char *path, const char *why), void *ctx)
{
	size_t n = u->dir ? strlen(u->dir) : 0;
	bool below = n && strncmp(o->path, u->dir, n) == 0 && o->path[n] == '/';
	char *shown = below ? xasprintf("%s%s", u->shown, o->path + n) : NULL;

	fn(ctx, shown ? shown : o->path, strerror(o->error));
	free(shown);
}

uint32_t files_unread_visit(const struct files_unread *u,
	void (*fn)(void *ctx, const char *path, const char *why), void *ctx)
{
	uint32_t i, n = 0;

	for (i = 0; u && i < u->n; i++) {
		if (!u->of[i]->error)
			continue;
		n++;
		if (fn)
			visit(u, u->of[i], fn, ctx);
	}
	return n;
}

ssize_t files_pread(const struct files_origin *from, int fd, void *p, size_t n, uint64_t at)
{
	ssize_t got = file_pread(fd, p, n, at);

	if (got < 0)
		files_unread_add(from, errno);
	return got;
}
