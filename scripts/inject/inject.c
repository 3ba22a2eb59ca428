/*
 * inject.c - a library for LD_PRELOAD that makes one step of a program fail
 *
 * A step is a call of a function of the C library, by the program or by a library. Steps are of
 * kinds (enum kind); each kind counts its own:
 *
 *	INJECT=KIND:N		the N-th step of that kind fails
 *	INJECT=KIND:N+		and so do all after it
 *	INJECT_COUNT=FD		at the end, a line "KIND COUNT" for each kind goes there
 *	INJECT_TRACE=1		who called the step that fails goes to standard error
 *
 * "short" and "interrupted" do not fail: a call transfers one byte only, or asks to be repeated
 * (EINTR). The program must give the same result then.
 *
 * Calls from a library are a kind of their own, "library-KIND": what becomes of these is the
 * library's doing. What the C library calls within itself is not counted, but for memory: its
 * malloc() is meant to be replaced. The functions behind malloc() go by their other names in
 * glibc, as dlsym() itself allocates. Steps count from the time when this library is set up.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind {
	ALLOC,
	MMAP,
	OPEN,
	READ,
	WRITE,
	STAT,
	NAME, /* giving a file its name */
	CLOSE,
	THREAD,
	SHORT,
	INTERRUPTED,
	KINDS,
};

static struct {
	const char *name;
	int error;
	/* of the program; of libraries */
	_Atomic unsigned long n[2], fail_at[2];
} kinds[KINDS] = {
	[ALLOC] = { "alloc", ENOMEM },
	[MMAP] = { "mmap", ENOMEM },
	[OPEN] = { "open", EMFILE },
	[READ] = { "read", EIO },
	[WRITE] = { "write", ENOSPC },
	[STAT] = { "stat", EIO },
	[NAME] = { "name", ENOSPC },
	[CLOSE] = { "close", EIO },
	[THREAD] = { "thread", EAGAIN },
	[SHORT] = { "short", 0 },
	[INTERRUPTED] = { "interrupted", EINTR },
};
static const char *const prefixes[2] = { "", "library-" };
static bool is_ready, is_lasting, is_traced;
static const char *program_begin, *program_end;

static void trace(void)
{
	void *callers[32];

	is_ready = false; /* what follows allocates */
	backtrace_symbols_fd(callers, backtrace(callers, 32), STDERR_FILENO);
	is_ready = true;
}

static bool fails_for(enum kind k, const char *caller)
{
	bool library = caller < program_begin || caller >= program_end;
	unsigned long n, at = kinds[k].fail_at[library];

	if (!is_ready)
		return false;
	n = ++kinds[k].n[library];
	if (!at || (is_lasting ? n < at : n != at))
		return false;
	if (is_traced)
		trace();
	errno = kinds[k].error;
	return true;
}

#define fails(KIND) fails_for(KIND, __builtin_return_address(0))

/* The program comes first. */
static int find_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
	size_t i;

	(void)size;
	(void)ctx;
	program_begin = (const char *)info->dlpi_addr;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			program_end = program_begin + info->dlpi_phdr[i].p_vaddr +
				      info->dlpi_phdr[i].p_memsz;
	return 1;
}

static void set_up(const char *what)
{
	char name[32];
	size_t i;

	for (i = 0; i < 2 * KINDS; i++) {
		int n = snprintf(name, sizeof(name), "%s%s:", prefixes[i % 2], kinds[i / 2].name);

		if (strncmp(what, name, (size_t)n) == 0)
			kinds[i / 2].fail_at[i % 2] = strtoul(what + n, NULL, 10);
	}
	is_lasting = strchr(what, '+') != NULL;
	is_traced = getenv("INJECT_TRACE") != NULL;
}

__attribute__((constructor)) static void at_start(void)
{
	const char *what = getenv("INJECT");
	void *callers[1];

	backtrace(callers, 1); /* loads a library at its first call */
	dl_iterate_phdr(find_program, NULL);
	if (what)
		set_up(what);
	is_ready = true;
}

__attribute__((destructor)) static void at_end(void)
{
	const char *fd = getenv("INJECT_COUNT");
	size_t i;

	is_ready = false;
	for (i = 0; fd && i < 2 * KINDS; i++)
		dprintf(atoi(fd), "%s%s %lu\n", prefixes[i % 2], kinds[i / 2].name,
			kinds[i / 2].n[i % 2]);
}

#define EXPORT __attribute__((visibility("default")))
/* A function of the C library that takes PARAMETERS; where FAILS is true, it returns FAILURE. Ours
 * has its name for the linker only: open() is declared otherwise. */
#define STEP(FAILS, FAILURE, RESULT, FUNCTION, PARAMETERS, ARGUMENTS)                              \
	EXPORT RESULT step_##FUNCTION PARAMETERS __asm__(#FUNCTION);                               \
	RESULT step_##FUNCTION PARAMETERS                                                          \
	{                                                                                          \
		static RESULT(*next) PARAMETERS;                                                   \
                                                                                                   \
		if (!next)                                                                         \
			next = dlsym(RTLD_NEXT, #FUNCTION);                                        \
		return (FAILS) ? (FAILURE) : next ARGUMENTS;                                       \
	}

/* ---- memory ------------------------------------------------------------------------------- */

void *__libc_malloc(size_t n), *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n), *__libc_memalign(size_t alignment, size_t n);

EXPORT void *malloc(size_t n)
{
	return fails(ALLOC) ? NULL : __libc_malloc(n);
}

EXPORT void *calloc(size_t n, size_t size)
{
	return fails(ALLOC) ? NULL : __libc_calloc(n, size);
}

EXPORT void *realloc(void *p, size_t n)
{
	return fails(ALLOC) ? NULL : __libc_realloc(p, n);
}

EXPORT void *aligned_alloc(size_t alignment, size_t n)
{
	return fails(ALLOC) ? NULL : __libc_memalign(alignment, n);
}

EXPORT int posix_memalign(void **p, size_t alignment, size_t n)
{
	if (fails(ALLOC))
		return ENOMEM;
	*p = __libc_memalign(alignment, n);
	return *p ? 0 : ENOMEM;
}

#define MAP_PARAMETERS (void *at, size_t n, int access, int flags, int fd, off_t offset)
STEP(fails(MMAP), MAP_FAILED, void *, mmap, MAP_PARAMETERS, (at, n, access, flags, fd, offset))
STEP(fails(MMAP), MAP_FAILED, void *, mmap64, MAP_PARAMETERS, (at, n, access, flags, fd, offset))

/* ---- files -------------------------------------------------------------------------------- */

/* The third argument is there only if a file may be created; the C library looks at it only then.
 */
STEP(fails(OPEN), -1, int, open, (const char *path, int flags, mode_t mode), (path, flags, mode))
STEP(fails(OPEN), -1, int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode))
STEP(fails(OPEN), -1, int, openat, (int dir, const char *path, int flags, mode_t mode),
	(dir, path, flags, mode))
STEP(fails(OPEN), -1, int, openat64, (int dir, const char *path, int flags, mode_t mode),
	(dir, path, flags, mode))
STEP(fails(OPEN), NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
STEP(fails(OPEN), NULL, FILE *, fopen64, (const char *path, const char *mode), (path, mode))
STEP(fails(OPEN), NULL, DIR *, opendir, (const char *path), (path))
STEP(fails(OPEN), NULL, DIR *, fdopendir, (int fd), (fd))
STEP(fails(OPEN), -1, int, mkostemp, (char *path, int flags), (path, flags))
STEP(fails(OPEN), NULL, char *, mkdtemp, (char *path), (path))
STEP(fails(OPEN), -1, int, dup, (int fd), (fd))

/* A transfer of n bytes: it can also be short, or interrupted. */
static inline __attribute__((always_inline)) bool transfer_fails(enum kind k, size_t *n)
{
	if (*n > 1 && fails(SHORT))
		*n = 1;
	return fails(INTERRUPTED) || fails(k);
}

STEP(transfer_fails(READ, &n), -1, ssize_t, read, (int fd, void *p, size_t n), (fd, p, n))
STEP(transfer_fails(READ, &n), -1, ssize_t, pread, (int fd, void *p, size_t n, off_t at),
	(fd, p, n, at))
STEP(transfer_fails(READ, &n), -1, ssize_t, pread64, (int fd, void *p, size_t n, off_t at),
	(fd, p, n, at))
STEP(transfer_fails(WRITE, &n), -1, ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))
STEP(fails(READ), 0, size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
STEP(fails(READ), NULL, struct dirent *, readdir, (DIR * d), (d))
STEP(fails(READ), -1, ssize_t, readlink, (const char *path, char *p, size_t n), (path, p, n))
STEP(fails(READ), -1, off_t, lseek, (int fd, off_t to, int from), (fd, to, from))
STEP(fails(WRITE), -1, int, ftruncate, (int fd, off_t n), (fd, n))

STEP(fails(STAT), -1, int, fstat, (int fd, struct stat *to), (fd, to))
STEP(fails(STAT), -1, int, stat, (const char *path, struct stat *to), (path, to))
STEP(fails(STAT), -1, int, lstat, (const char *path, struct stat *to), (path, to))
STEP(fails(STAT), -1, int, access, (const char *path, int mode), (path, mode))
STEP(fails(STAT), NULL, char *, realpath, (const char *path, char *to), (path, to))

STEP(fails(NAME), -1, int, rename, (const char *from, const char *to), (from, to))
STEP(fails(NAME), -1, int, linkat,
	(int from_dir, const char *from, int to_dir, const char *to, int flags),
	(from_dir, from, to_dir, to, flags))

EXPORT int close(int fd)
{
	static int (*next)(int fd);
	int rc;

	if (!next)
		next = dlsym(RTLD_NEXT, "close");
	rc = next(fd);
	return fails(CLOSE) ? -1 : rc;
}

/* ---- threads ------------------------------------------------------------------------------ */

STEP(fails(THREAD), EAGAIN, int, pthread_create,
	(pthread_t * thread, const pthread_attr_t *attr, void *(*fn)(void *), void *ctx),
	(thread, attr, fn, ctx))
