/*
 * How it works. A file for each entry:
 *
 *	head | key | XXH3 of each block | content, in blocks of 16 KiB
 *
 * The head has a hash of all before the content, and a block is hashed when it is read, so little
 * of a large entry has to be. Numbers are those of the machine: another byte order is another
 * magic number.
 *
 * A new entry is written under a temporary name that is locked (flock) as long as its process
 * lives, and renamed when it is whole. Whoever opens the directory deletes temporary files that are
 * not locked: their processes were killed. The time of change of an entry is that of its last use.
 *
 * Only files with names of our own are deleted, in case the directory has others.
 */
#include "base/cache_dir.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { BLOCK_BYTES = 16 << 10 };

#define PREFIX    "perfold-cache-"
#define TEMPORARY PREFIX "tmp-"

static const uint64_t magic = 0x3165686361436650; /* "PfCache1" */

struct cache_dir {
	char *path;
	int fd;
	uint64_t limit_bytes;
	pthread_mutex_t lock; /* of problem */
	struct err problem;   /* msg empty: none */
};

struct cache_dir_head {
	uint64_t magic, check, key_bytes, content_bytes;
};

/* ---- the directory -------------------------------------------------------------------------- */

static bool is_ours(const char *name)
{
	return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

static bool is_temporary(const char *name)
{
	return strncmp(name, TEMPORARY, strlen(TEMPORARY)) == 0;
}

/* Regular files of this user with names of ours. The path ends before the name. */
static void each_file(struct cache_dir *c,
	void (*use)(void *ctx, struct cache_dir *c, const char *name, const struct stat *st),
	void *ctx)
{
	int fd = openat(c->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;

	if (!d && fd >= 0)
		close(fd);
	while (d && (entry = readdir(d)))
		if (is_ours(entry->d_name) &&
			!fstatat(c->fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
			S_ISREG(st.st_mode) && st.st_uid == geteuid())
			use(ctx, c, entry->d_name, &st);
	if (d)
		closedir(d);
}

static int open_file(struct cache_dir *c, const char *name)
{
	return openat(c->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static void remove_abandoned(
	void *ctx, struct cache_dir *c, const char *name, const struct stat *st)
{
	int fd = is_temporary(name) ? open_file(c, name) : -1;

	(void)ctx;
	(void)st;
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(c->fd, name, 0);
	close(fd);
}

static int check_directory(const struct cache_dir *c, struct err *e)
{
	struct stat st;

	if (fstat(c->fd, &st))
		return err_errno(e, "%.300s", c->path);
	if (st.st_uid != geteuid())
		return err_set(e, ERR_USAGE,
			"%.300s: belongs to another user, who decides what would be read from it",
			c->path);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return err_set(e, ERR_USAGE,
			"%.300s: others may write to it, and would decide what is read from it "
			"(chmod go-w)",
			c->path);
	return OK;
}

int cache_dir_open(struct cache_dir **out, const char *path, uint64_t limit_bytes, struct err *e)
{
	struct cache_dir *c = xcalloc(1, sizeof(*c));
	int rc = OK;

	*out = NULL;
	c->path = xstrdup(path);
	c->limit_bytes = limit_bytes;
	pthread_mutex_init(&c->lock, NULL);
	c->fd = mkdir(path, 0700) && errno != EEXIST
			? -1
			: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->fd < 0)
		rc = err_errno(e, "%.300s: no cache", path);
	else
		rc = check_directory(c, e);
	if (rc) {
		cache_dir_close(c);
		return rc;
	}
	each_file(c, remove_abandoned, NULL);
	*out = c;
	return OK;
}

void cache_dir_close(struct cache_dir *c)
{
	if (!c)
		return;
	if (c->fd >= 0)
		close(c->fd);
	pthread_mutex_destroy(&c->lock);
	free(c->path);
	free(c);
}

const char *cache_dir_problem(struct cache_dir *c)
{
	return c->problem.msg[0] ? c->problem.msg : NULL;
}

static void note_problem(struct cache_dir *c)
{
	pthread_mutex_lock(&c->lock);
	if (!c->problem.msg[0])
		err_errno(&c->problem, "%.300s", c->path);
	pthread_mutex_unlock(&c->lock);
}

/* ---- entries -------------------------------------------------------------------------------- */

static uint64_t blocks_of(uint64_t content_bytes)
{
	return content_bytes / BLOCK_BYTES + (content_bytes % BLOCK_BYTES > 0);
}

/* Of head, key and table, which are in one piece; the head's is taken as 0. */
static uint64_t check_of(char *front, size_t n)
{
	struct cache_dir_head *head = (struct cache_dir_head *)front;
	uint64_t was = head->check, check;

	head->check = 0;
	check = hash_bytes(front, n);
	head->check = was;
	return check;
}

static size_t front_bytes(const struct cache_dir_head *head)
{
	return sizeof(*head) + head->key_bytes + blocks_of(head->content_bytes) * sizeof(uint64_t);
}

/* Does a head fit the file? Then sizes can be relied on. */
static bool is_head(const struct cache_dir_head *head, uint64_t file_bytes)
{
	return head->magic == magic && head->key_bytes <= CACHE_DIR_KEY_MAX &&
	       head->content_bytes <= file_bytes &&
	       front_bytes(head) + head->content_bytes == file_bytes;
}

static bool read_front(struct cache_entry *entry, uint64_t file_bytes, struct span key)
{
	struct cache_dir_head head;
	size_t n;
	char *front;
	bool good;

	if (file_pread(entry->fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
		!is_head(&head, file_bytes) || head.key_bytes != key.n)
		return false;
	n = front_bytes(&head);
	front = xmalloc(n);
	good = file_pread(entry->fd, front, n, 0) == (ssize_t)n &&
	       !memcmp(front, &head, sizeof(head)) && check_of(front, n) == head.check &&
	       !memcmp(front + sizeof(head), key.p, key.n);
	if (good) {
		entry->size_bytes = head.content_bytes;
		entry->at = n;
		entry->check = xcalloc(blocks_of(head.content_bytes) + 1, sizeof(*entry->check));
		memcpy(entry->check, front + sizeof(head) + key.n, n - sizeof(head) - key.n);
	}
	free(front);
	return good;
}

bool cache_dir_find(
	struct cache_dir *c, const char *name, struct span key, struct cache_entry *entry)
{
	struct stat st;
	char *file = xasprintf(PREFIX "%s", name);

	*entry = (struct cache_entry){ .in_block = UINT64_MAX };
	entry->fd = open_file(c, file);
	free(file);
	if (entry->fd < 0)
		return false;
	if (fstat(entry->fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
		!read_front(entry, (uint64_t)st.st_size, key)) {
		cache_dir_close_entry(entry);
		return false;
	}
	futimens(entry->fd, NULL); /* it was used */
	return true;
}

void cache_dir_close_entry(struct cache_entry *entry)
{
	if (entry->fd >= 0)
		close(entry->fd);
	free(entry->check);
	free(entry->block);
	*entry = (struct cache_entry){ .fd = -1 };
}

static bool read_block(struct cache_entry *entry, uint64_t number, void *to, size_t n)
{
	return file_pread(entry->fd, to, n, entry->at + number * BLOCK_BYTES) == (ssize_t)n &&
	       hash_bytes(to, n) == entry->check[number];
}

/* A block of which only a part is wanted. */
static bool keep_block(struct cache_entry *entry, uint64_t number, size_t n)
{
	if (!entry->block)
		entry->block = xmalloc(BLOCK_BYTES);
	if (entry->in_block != number) {
		entry->in_block = UINT64_MAX;
		if (!read_block(entry, number, entry->block, n))
			return false;
		entry->in_block = number;
	}
	return true;
}

bool cache_dir_read(struct cache_entry *entry, void *p, size_t n, uint64_t at)
{
	char *to = p;

	if (at > entry->size_bytes || n > entry->size_bytes - at)
		return false;
	while (n) {
		uint64_t number = at / BLOCK_BYTES, start = number * BLOCK_BYTES;
		size_t size = entry->size_bytes - start < BLOCK_BYTES
				      ? (size_t)(entry->size_bytes - start)
				      : BLOCK_BYTES;
		size_t skip = (size_t)(at - start), part = size - skip < n ? size - skip : n;

		if (part == size ? !read_block(entry, number, to, size)
				 : !keep_block(entry, number, size))
			return false;
		if (part < size)
			memcpy(to, entry->block + skip, part);
		to += part;
		at += part;
		n -= part;
	}
	return true;
}

/* ---- limit ---------------------------------------------------------------------------------- */

struct listed {
	char *name;
	struct timespec used;
	uint64_t size_bytes;
};

struct list {
	struct listed *item;
	uint32_t n, cap;
	uint64_t size_bytes;
};

static void add_to_list(void *ctx, struct cache_dir *c, const char *name, const struct stat *st)
{
	struct list *l = ctx;

	(void)c;
	if (is_temporary(name))
		return;
	ARRAY_GROW(l->item, l->n, l->cap);
	l->item[l->n++] = (struct listed){ xstrdup(name), st->st_mtim, (uint64_t)st->st_size };
	l->size_bytes += (uint64_t)st->st_size;
}

static int oldest_first(const void *pa, const void *pb)
{
	const struct listed *a = pa, *b = pb;

	if (a->used.tv_sec != b->used.tv_sec)
		return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
	return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

static void keep_limit(struct cache_dir *c)
{
	struct list l = { 0 };
	uint32_t i;

	each_file(c, add_to_list, &l);
	if (l.n)
		qsort(l.item, l.n, sizeof(*l.item), oldest_first);
	for (i = 0; i < l.n; i++) {
		if (l.size_bytes > c->limit_bytes && !unlinkat(c->fd, l.item[i].name, 0))
			l.size_bytes -= l.item[i].size_bytes;
		free(l.item[i].name);
	}
	free(l.item);
}

/* ---- writing -------------------------------------------------------------------------------- */

struct cache_dir_writer {
	int fd;
	const struct span *part;
	unsigned next;
	size_t done; /* of the next part */
};

/* The next n bytes of the parts. */
static void gather(struct cache_dir_writer *w, char *to, size_t n)
{
	while (n) {
		struct span rest = span_skip(w->part[w->next], w->done);
		size_t k = rest.n < n ? rest.n : n;

		if (k)
			memcpy(to, rest.p, k);
		to += k;
		n -= k;
		w->done += k;
		if (w->done == w->part[w->next].n) {
			w->next++;
			w->done = 0;
		}
	}
}

static bool write_at(int fd, const char *p, size_t n, uint64_t at)
{
	while (n) {
		ssize_t k = pwrite(fd, p, n, (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
		at += (uint64_t)k;
	}
	return true;
}

static bool write_content(
	struct cache_dir_writer *w, const struct cache_dir_head *head, uint64_t *check)
{
	char *block = xmalloc(BLOCK_BYTES);
	uint64_t at = 0, first = front_bytes(head);
	bool good = true;

	while (good && at < head->content_bytes) {
		uint64_t left = head->content_bytes - at;
		size_t n = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;

		gather(w, block, n);
		check[at / BLOCK_BYTES] = hash_bytes(block, n);
		good = write_at(w->fd, block, n, first + at);
		at += n;
	}
	free(block);
	return good;
}

/* head: its sizes. */
static bool write_entry(
	struct cache_dir_writer *w, const struct cache_dir_head *head, struct span key)
{
	size_t n = front_bytes(head);
	char *front = xcalloc(1, n);
	uint64_t *check = xcalloc(blocks_of(head->content_bytes) + 1, sizeof(*check)), whole;
	bool good = write_content(w, head, check);

	memcpy(front, head, sizeof(*head));
	memcpy(front + sizeof(*head), key.p, key.n);
	memcpy(front + sizeof(*head) + key.n, check, n - sizeof(*head) - key.n);
	whole = check_of(front, n);
	memcpy(front + offsetof(struct cache_dir_head, check), &whole, sizeof(whole));
	good = good && write_at(w->fd, front, n, 0);
	free(check);
	free(front);
	return good;
}

/* A locked file; -1: there is none. */
static int open_temporary(struct cache_dir *c, char **path)
{
	int fd;

	*path = xasprintf("%s/" TEMPORARY "XXXXXX", c->path);
	fd = mkostemp(*path, O_CLOEXEC);
	if (fd < 0)
		note_problem(c);
	/* If somebody else locks it first, they delete it. */
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void cache_dir_put(struct cache_dir *c, const char *name, struct span key, const struct span *parts,
	unsigned n_parts)
{
	struct cache_dir_head head = { .magic = magic, .key_bytes = key.n };
	struct cache_dir_writer w = { .part = parts };
	char *path;
	unsigned i;

	for (i = 0; i < n_parts; i++)
		head.content_bytes += parts[i].n;
	if (key.n > CACHE_DIR_KEY_MAX || front_bytes(&head) + head.content_bytes > c->limit_bytes)
		return;
	w.fd = open_temporary(c, &path);
	if (w.fd >= 0) {
		char *file = xasprintf("%s/" PREFIX "%s", c->path, name);

		if (!write_entry(&w, &head, key) || rename(path, file)) {
			note_problem(c);
			unlink(path);
		}
		free(file);
		close(w.fd);
		keep_limit(c);
	}
	free(path);
}
