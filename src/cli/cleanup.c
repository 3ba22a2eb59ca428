#include "cli/cleanup.h"

#include "base/mem.h"
#include "base/scratch.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDERS_MAX = 256 };

/* Who takes a path out of its slot owns it: a signal may come between any two steps. The lock is
 * for those who call, so that no path is freed while another one compares it. */
static _Atomic(char *) slots[FOLDERS_MAX];
static pthread_mutex_t callers = PTHREAD_MUTEX_INITIALIZER;
static bool is_installed;

static void remove_folders(void)
{
	size_t i;

	for (i = 0; i < FOLDERS_MAX; i++) {
		char *path = atomic_exchange(&slots[i], NULL);

		if (path)
			scratch_remove(path); /* free() is not for signal handlers */
	}
}

/* SA_RESETHAND: the second one ends the program. */
static void on_signal(int number)
{
	remove_folders();
	raise(number);
}

/* What the caller ignores (nohup) stays ignored. */
static void install(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction before,
		action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
	size_t i;

	if (is_installed)
		return;
	is_installed = true;
	for (i = 0; i < ARRAY_LEN(numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	atexit(remove_folders);
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

void cleanup_folder(const char *folder, bool is_there)
{
	pthread_mutex_lock(&callers);
	if (is_there) {
		install();
		remember(folder);
	} else {
		forget(folder);
	}
	pthread_mutex_unlock(&callers);
}
