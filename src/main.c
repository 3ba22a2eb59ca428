/* perfold - perf recordings to flame graphs, CPU profiles and answers: argv to exit status */
#include "base/thread.h"
#include "cli/cli.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>

static int status_of(const struct err *e)
{
	switch (e->code) {
	case ERR_USAGE:
		return EXIT_USAGE;
	case ERR_QUALITY:
		return EXIT_QUALITY;
	default:
		return err_is_temporary(e) ? EXIT_AGAIN : EXIT_FAILED;
	}
}

/* Left alone, malloc() of glibc keeps ever larger pieces in its heap once a large one was freed:
 * growing arrays leave holes there, an eighth of the memory at the peak. */
static void set_up_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

struct program {
	int argc, status;
	char **argv;
};

static void *run(void *ctx)
{
	struct program *p = ctx;
	const struct command *c = commands_find(p->argc, p->argv);
	int shift = c->name ? 1 : 0;
	struct err e = { 0 };

	if (c->run(p->argc - shift, p->argv + shift, &p->status, &e)) {
		if (e.errno_value != EPIPE) /* "perfold | head" has had enough */
			message("%s", e.msg);
		p->status = status_of(&e);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct program p = { .argc = argc, .status = EXIT_DONE, .argv = argv };

	set_up_memory();
	signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of the output and does not kill */
	signal(SIGXFSZ, SIG_IGN); /* so is a file that becomes larger than `ulimit -f` allows */
	thread_run_main(run, &p);
	return p.status;
}
