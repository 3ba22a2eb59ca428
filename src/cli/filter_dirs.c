#include "cli/filter_dirs.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct filter_dirs *d, char *dir)
{
	unsigned n = 0;

	while (d->dir[n])
		n++;
	d->dir[n] = dir;
}

static void add_config(struct filter_dirs *d)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && config[0] == '/')
		add(d, xasprintf("%s/perfold/filters", config));
	else if (home && home[0] == '/')
		add(d, xasprintf("%s/.config/perfold/filters", home));
}

/* The directory of this program itself, whatever link in PATH led to it. */
static void add_beside_program(struct filter_dirs *d)
{
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (n <= 0)
		return;
	program[n] = '\0';
	slash = strrchr(program, '/');
	if (!slash)
		return;
	*slash = '\0';
	add(d, xasprintf("%s/../share/perfold/filters", program));
	add(d, xasprintf("%s/../../filters", program));
}

void filter_dirs_init(struct filter_dirs *d, bool own)
{
	*d = (struct filter_dirs){ { NULL } };
	if (own)
		add_config(d);
	add_beside_program(d);
	add(d, xstrdup(PERFOLD_DATADIR "/filters"));
}

void filter_dirs_release(struct filter_dirs *d)
{
	unsigned i;

	for (i = 0; d->dir[i]; i++)
		free((char *)d->dir[i]);
}
