/*
 * tmpdir_for_test.h - an empty directory for each test that writes files
 *
 *	IN_TMPDIR(a_test),
 *
 * Owns: the directory in $TMPDIR with its content, and the paths of tmpdir_at(). Threads: one.
 */
#ifndef PERFOLD_BASE_TMPDIR_FOR_TEST_H
#define PERFOLD_BASE_TMPDIR_FOR_TEST_H

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define IN_TMPDIR(test) cmocka_unit_test_setup_teardown(test, tmpdir_setup, tmpdir_teardown)

/* The state is its path. */
struct tmpdir {
	char *at[16]; /* what tmpdir_at() returned */
	unsigned n;
	char path[];
};

static inline struct tmpdir *tmpdir_of(void **state)
{
	return (struct tmpdir *)((char *)*state - offsetof(struct tmpdir, path));
}

static inline int tmpdir_setup(void **state)
{
	static const char name[] = "/perfold-test-XXXXXX";
	const char *tmp = getenv("TMPDIR");
	struct tmpdir *d;

	tmp = tmp ? tmp : "/tmp";
	d = xcalloc(1, sizeof(*d) + strlen(tmp) + sizeof(name));
	*state = strcat(strcpy(d->path, tmp), name);
	return mkdtemp(d->path) ? 0 : -1;
}

static inline int tmpdir_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline int tmpdir_teardown(void **state)
{
	int rc = nftw(*state, tmpdir_remove, 8, FTW_DEPTH | FTW_PHYS);
	struct tmpdir *d = tmpdir_of(state);

	while (d->n)
		free(d->at[--d->n]);
	free(d);
	return rc;
}

/* The path of a name in the directory; the caller frees it. */
static inline char *tmpdir_path(void **state, const char *name)
{
	return xasprintf("%s/%s", (const char *)*state, name);
}

/* The same, until tmpdir_teardown(). */
static inline char *tmpdir_at(void **state, const char *name)
{
	struct tmpdir *d = tmpdir_of(state);

	assert_true(d->n < sizeof(d->at) / sizeof(*d->at));
	return d->at[d->n++] = tmpdir_path(state, name);
}

static inline void tmpdir_write(const char *path, struct span content)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(content.p, 1, content.n, f), content.n);
	assert_int_equal(fclose(f), 0);
}

static inline void tmpdir_assert_content(const char *path, struct span content)
{
	struct buf b = { 0 };
	struct err e;

	assert_int_equal(file_read_all(path, 1 << 30, &b, &e), OK);
	assert_int_equal(b.n, content.n);
	if (b.n)
		assert_memory_equal(b.p, content.p, b.n);
	buf_release(&b);
}

/* Sets $TMPDIR to another directory (NULL: unset). Returns the one before, which the caller
 * frees or gives to tmpdir_restore_env(). */
static inline char *tmpdir_set_env(const char *path)
{
	const char *before = getenv("TMPDIR");
	char *kept = before ? xstrdup(before) : NULL;

	assert_int_equal(path ? setenv("TMPDIR", path, 1) : unsetenv("TMPDIR"), 0);
	return kept;
}

static inline void tmpdir_restore_env(char *before)
{
	free(tmpdir_set_env(before));
	free(before);
}

/* How many names the directory has. */
static inline unsigned tmpdir_count(void **state)
{
	DIR *d = opendir(*state);
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2; /* . and .. */
}

#endif
