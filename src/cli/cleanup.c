#include "cli/cleanup.h"

#include "base/mem.h"
#include "base/scratch.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static char path[PATH_MAX];
static volatile sig_atomic_t is_there, is_installed;

static void remove_folder(void)
{
	if (is_there)
		scratch_remove(path);
	is_there = 0;
}

/* SA_RESETHAND: the second one ends the program. */
static void on_signal(int number)
{
	remove_folder();
	raise(number);
}

/* What the caller ignores (nohup) stays ignored. */
static void install(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction before,
		action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
	size_t i;

	for (i = 0; i < ARRAY_LEN(numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	atexit(remove_folder);
	is_installed = 1;
}

void cleanup_folder(const char *folder)
{
	is_there = 0;
	if (!folder || strlen(folder) >= sizeof(path))
		return;
	strcpy(path, folder);
	is_there = 1;
	if (!is_installed)
		install();
}
