#include "cli/cleanup.h"

#include "base/mem.h"
#include "base/sink.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FOLDERS_MAX = 256,
	FILES_MAX = 256,
	FILES_EACH = 4, /* in one folder at a time; mostly there is one */
};

/* Whoever takes a path out of its slot owns it: a signal may come between any two steps. The lock
 * is for callers, so that no path is freed while another one compares it. */
static _Atomic(char *) slots[FOLDERS_MAX];
/* The names that unfinished files may have, in the folders of outputs. These are never freed. */
static _Atomic(char *) unfinished[FILES_MAX];
static _Atomic bool are_done;
static pthread_mutex_t callers = PTHREAD_MUTEX_INITIALIZER;
static bool is_installed;
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

/* Threads that are making a folder, with signals blocked; and whether a signal has come. */
static _Atomic unsigned makers;
static _Atomic bool is_ending;
static _Thread_local sigset_t before_making;

static void remove_all(void)
{
	size_t i;

	for (i = 0; i < FILES_MAX && unfinished[i] && !are_done; i++)
		unlink(unfinished[i]);
	for (i = 0; i < FOLDERS_MAX; i++) {
		char *path = atomic_exchange(&slots[i], NULL);

		if (path)
			scratch_remove(path); /* free() is not for signal handlers */
	}
}

/* timeout(1) sends its signal twice, to the program and to its group: the second one, which may
 * reach another thread, must not end the program before everything is removed. */
static void on_signal(int number)
{
	if (atomic_exchange(&is_ending, true))
		return;
	while (makers)
		sched_yield();
	remove_all();
	signal(number, SIG_DFL);
	raise(number);
}

/* While one thread is about to end the program by a signal, another may end it by returning, mostly
 * because of an error about what is gone: the former has to finish. */
static void at_exit(void)
{
	remove_all();
	while (is_ending)
		pause();
}

/* What the caller ignores (nohup) stays ignored. */
static void install(void)
{
	struct sigaction before, action = { .sa_handler = on_signal };
	size_t i;

	if (is_installed)
		return;
	is_installed = true;
	for (i = 0; i < ARRAY_LEN(numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	atexit(at_exit);
}

static void remember(const char *folder)
{
	char *path = xstrdup(folder);
	size_t i;

	for (i = 0; i < FOLDERS_MAX; i++) {
		char *none = NULL;

		if (atomic_compare_exchange_strong(&slots[i], &none, path))
			return;
	}
	free(path);
}

static void forget(const char *folder)
{
	size_t i;

	for (i = 0; i < FOLDERS_MAX; i++) {
		char *path = slots[i];

		if (!path || strcmp(path, folder) != 0)
			continue;
		if (atomic_compare_exchange_strong(&slots[i], &path, NULL))
			free(path);
		return;
	}
}

/* The folder that the file really lies in, behind links: its path up to the last slash. */
static char *folder_of(const char *path)
{
	char *real = realpath(path, NULL), *slash;

	if (!real)
		real = xstrdup(path);
	slash = strrchr(real, '/');
	real[slash ? slash + 1 - real : 0] = '\0';
	return real;
}

static void remember_unfinished(const char *folder)
{
	size_t at = 0;
	unsigned i;

	while (at < FILES_MAX && unfinished[at])
		at++;
	for (i = 0; i < FILES_EACH && at < FILES_MAX; i++, at++)
		unfinished[at] = xasprintf("%s" SINK_TEMPORARY, folder, (int)getpid(), i);
}

static bool is_remembered(const char *folder)
{
	char *first = xasprintf("%s" SINK_TEMPORARY, folder, (int)getpid(), 0u);
	bool is = false;
	size_t i;

	for (i = 0; i < FILES_MAX && unfinished[i] && !is; i++)
		is = strcmp(unfinished[i], first) == 0;
	free(first);
	return is;
}

void cleanup_output(const char *path)
{
	char *folder = folder_of(path);

	pthread_mutex_lock(&callers);
	install();
	if (!is_remembered(folder))
		remember_unfinished(folder);
	pthread_mutex_unlock(&callers);
	free(folder);
}

void cleanup_outputs_done(void)
{
	are_done = true;
}

static void begin_making(void)
{
	sigset_t ours;
	size_t i;

	sigemptyset(&ours);
	for (i = 0; i < ARRAY_LEN(numbers); i++)
		sigaddset(&ours, numbers[i]);
	pthread_sigmask(SIG_BLOCK, &ours, &before_making);
	makers++;
	if (!is_ending)
		return;
	makers--;
	for (;;) /* another thread is ending the program */
		pause();
}

static void end_making(void)
{
	makers--;
	pthread_sigmask(SIG_SETMASK, &before_making, NULL);
}

void cleanup_dir(const char *folder, enum scratch_step step)
{
	if (step == SCRATCH_CREATING)
		begin_making();
	pthread_mutex_lock(&callers);
	install();
	if (folder && step == SCRATCH_CREATED)
		remember(folder);
	if (folder && step == SCRATCH_REMOVED)
		forget(folder);
	pthread_mutex_unlock(&callers);
	if (step == SCRATCH_CREATED)
		end_making();
}
