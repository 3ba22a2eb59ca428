/*
 * How it works. The library is loaded for a request and closed after it. It puts what a server has
 * into its cache and gives the path there, which is then opened like any other file; an ELF file
 * is used only if it has the build-id that was asked for.
 */
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
	int (*find_source)(debuginfod_client *, const unsigned char *id, int id_bytes,
		const char *source, char **path);
};

/* What is asked for. */
struct debuginfod_request {
	const struct build_id *id;
	enum debuginfod_kind kind;
	const char *source; /* its path, of DEBUGINFOD_SOURCE */
};

static bool library_open(struct debuginfod_library *l, enum debuginfod_kind kind)
{
	static const char *const find[] = { "debuginfod_find_executable",
		"debuginfod_find_debuginfo", "debuginfod_find_source" };
	const char *why;

	/* NODELETE: the libraries it is built on (curl, gnutls, p11-kit) leak memory when
	 * unloaded. */
	l->handle = library_load(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, &why);
	return l->handle && library_get(l->handle, "debuginfod_begin", &l->begin) &&
	       library_get(l->handle, "debuginfod_end", &l->end) &&
	       library_get(l->handle, "debuginfod_set_progressfn", &l->set_progress) &&
	       library_get(l->handle, "debuginfod_set_user_data", &l->set_user_data) &&
	       (kind == DEBUGINFOD_SOURCE ? library_get(l->handle, find[kind], &l->find_source)
					  : library_get(l->handle, find[kind], &l->find));
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
	const struct debuginfod_request *q, int *error)
{
	const struct build_id *id = q->id;
	debuginfod_client *client = l->begin();
	char *path = NULL;
	int fd = -ENOMEM;

	if (client) {
		l->set_user_data(client, f->o.progress);
		l->set_progress(client, on_progress);
		fd = q->kind == DEBUGINFOD_SOURCE
			     ? l->find_source(client, id->byte, id->n, q->source, &path)
			     : l->find(client, id->byte, id->n, &path);
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

/* The path of the file here; NULL: *why. */
static char *find(
	const struct files *f, const struct debuginfod_request *q, enum files_verdict *why)
{
	struct debuginfod_library l;
	char *path = NULL;
	int error;

	*why = FILES_NO_LIBRARY;
	if (library_open(&l, q->kind)) {
		path = download(&l, f, q, &error);
		*why = verdict_of(error);
	}
	library_close(&l);
	return path;
}

struct elf_file *debuginfod_open(const struct files *f, const struct build_id *id,
	enum debuginfod_kind kind, struct files_trail *t)
{
	const struct debuginfod_request q = { .id = id, .kind = kind };
	struct elf_file *ef = NULL;
	enum files_verdict v;
	char *path, hex[41];

	if (!f->o.debuginfod || !id->n)
		return NULL;
	path = find(f, &q, &v);
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

bool debuginfod_open_source(const struct files *f, const struct build_id *id, struct span source,
	struct file *file, struct files_trail *t)
{
	struct debuginfod_request q = { .id = id, .kind = DEBUGINFOD_SOURCE };
	bool opened = false;
	enum files_verdict v;
	struct buf name = { 0 };
	char *path, hex[41];

	if (!f->o.debuginfod || !id->n)
		return false;
	buf_put_span(&name, source);
	q.source = buf_str(&name);
	path = find(f, &q, &v);
	if (path)
		opened = files_open_below(NULL, path, file, &v);
	free(path);
	if (!opened) {
		path = xasprintf("debuginfod/buildid/%s/source%s", build_id_hex(id, hex), q.source);
		files_trail_add(t, path, v, NULL);
		free(path);
	}
	buf_release(&name);
	return opened;
}
