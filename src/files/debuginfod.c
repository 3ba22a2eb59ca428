#include "files/debuginfod.h"

#include "base/library.h"
#include "base/mem.h"
#include "base/progress.h"
#include "files/files_search.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

typedef struct debuginfod_client debuginfod_client;
typedef int (*progress_fn)(debuginfod_client *, long done, long total);

struct debuginfod_library {
	void *handle;
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *);
	void (*set_progress)(debuginfod_client *, progress_fn);
	void (*set_user_data)(debuginfod_client *, void *);
	int (*find)(debuginfod_client *, const unsigned char *id, int id_bytes, char **path);
};

static bool library_open(struct debuginfod_library *l, enum debuginfod_kind kind)
{
	const char *find = kind == DEBUGINFOD_EXECUTABLE ? "debuginfod_find_executable"
							 : "debuginfod_find_debuginfo";
	const char *why;

	/* NODELETE: the libraries it is built on (curl, gnutls, p11-kit) leak memory when
	 * unloaded. */
	l->handle = library_load(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, &why);
	return l->handle && library_get(l->handle, "debuginfod_begin", &l->begin) &&
	       library_get(l->handle, "debuginfod_end", &l->end) &&
	       library_get(l->handle, "debuginfod_set_progressfn", &l->set_progress) &&
	       library_get(l->handle, "debuginfod_set_user_data", &l->set_user_data) &&
	       library_get(l->handle, find, &l->find);
}

static void library_close(struct debuginfod_library *l)
{
	if (l->handle)
		dlclose(l->handle);
}

/* A callback of the library, whose only argument of ours is attached to the client. */
static int on_progress(debuginfod_client *client, long done, long total)
{
	const char *why;
	void *handle = library_load(LIBRARY, RTLD_NOW | RTLD_NOLOAD, &why);
	void *(*user_data)(debuginfod_client *);
	struct progress *p = NULL;

	if (handle && library_get(handle, "debuginfod_get_user_data", &user_data))
		p = user_data(client);
	if (p && done >= 0) {
		atomic_store_explicit(&p->done, (uint64_t)done, memory_order_relaxed);
		atomic_store_explicit(
			&p->total, total > 0 ? (uint64_t)total : 0, memory_order_relaxed);
	}
	if (handle)
		dlclose(handle);
	return 0;
}

/* The path of the file in the library's cache; NULL: *error, a number of errno(3), says why. */
static char *download(const struct debuginfod_library *l, const struct files *f,
	const struct build_id *id, int *error)
{
	debuginfod_client *client = l->begin();
	char *path = NULL;
	int fd = -ENOMEM;

	if (client) {
		l->set_user_data(client, f->o.progress);
		l->set_progress(client, on_progress);
		fd = l->find(client, id->byte, id->n, &path);
		l->end(client);
	}
	*error = fd < 0 ? -fd : 0;
	if (fd >= 0)
		close(fd);
	return fd < 0 ? NULL : path;
}

static enum files_verdict verdict_of(int error)
{
	switch (error) {
	case ENOSYS: /* DEBUGINFOD_URLS is not set */
		return FILES_NO_SERVER;
	case ENOENT:
		return FILES_ABSENT;
	}
	return FILES_NO_ANSWER;
}

struct elf_file *debuginfod_open(const struct files *f, const struct build_id *id,
	enum debuginfod_kind kind, struct files_trail *t)
{
	enum files_verdict v = FILES_NO_LIBRARY;
	struct elf_file *ef = NULL;
	struct debuginfod_library l;
	char *path = NULL;
	char hex[41];
	int error;

	if (!f->o.debuginfod || !id->n)
		return NULL;
	if (library_open(&l, kind)) {
		path = download(&l, f, id, &error);
		v = verdict_of(error);
	}
	library_close(&l);
	if (path)
		ef = elf_file_open(path, &v);
	if (ef)
		v = build_id_same(id, &ef->build_id) ? FILES_USED : FILES_OTHER_BUILD_ID;
	if (v != FILES_USED) {
		elf_file_close(ef);
		ef = NULL;
	}
	free(path);
	path = xasprintf("debuginfod/buildid/%s/%s", build_id_hex(id, hex),
		kind == DEBUGINFOD_EXECUTABLE ? "executable" : "debuginfo");
	files_trail_add(t, ef ? ef->path : path, v, NULL);
	free(path);
	return ef;
}
