/*
 * Temporary directories and unfinished files are removed at exit() and by a handler of SIGINT,
 * SIGTERM, SIGHUP, SIGXCPU (`ulimit -t`) and SIGABRT (libdw aborts where memory runs out), which
 * may interrupt any thread between any two instructions, and may use neither locks nor malloc().
 * So the paths are in two arrays of atomic pointers:
 *
 *	slots[]       a directory each; who exchanges a path for NULL owns it, handler or caller
 *	unfinished[]  temporary names (SINK_TEMPORARY) that sinks may use in directories of outputs
 *
 * A directory must not exist while it is in no slot: from before it is created until its path is
 * stored, the creating thread blocks the signals, and a handler in another thread waits for
 * `makers` to be 0. The first signal ends the program: the handler removes everything and raises
 * the signal again with its default action; exit() in another thread, mostly for an error about
 * what has just vanished, waits.
 *
 * A terminal that is to be given back comes first, by write() and tcsetattr(), which are allowed in
 * handlers, whatever the program was at. Whoever exchanges terminal.is_changed for false does it.
 * For a fault, which may be a stack that has no room left, the handler has a stack of its own.
 *
 * The lock is for callers among each other: no path is freed while another one compares it.
 */
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
	DIRS_MAX = 256,
	FILES_MAX = 256,
	FILES_EACH = 4, /* in one directory at a time; mostly there is one */
};

/* Directories to remove. A path belongs to the thread or handler that exchanged it for NULL. */
static _Atomic(char *) slots[DIRS_MAX];
/* The names that unfinished files may have, in the directories of outputs; never freed. */
static _Atomic(char *) unfinished[FILES_MAX];
static _Atomic bool are_done;
static pthread_mutex_t callers = PTHREAD_MUTEX_INITIALIZER;
static bool is_installed;
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGABRT };
/* While a terminal is to be given back, also these. */
static const int more_numbers[] = { SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP,
	SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO, SIGPWR, SIGSTKFLT };
static const int faults[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP };

enum { RESTORE_MAX = 512, HANDLER_STACK_BYTES = 64 << 10 };
static struct {
	_Atomic bool is_changed;
	int fd;
	struct termios before;
	char restore[RESTORE_MAX];
	size_t n;
} terminal;

/* The number of threads that are creating a directory, with signals blocked; and whether a signal
 * is ending the program. */
static _Atomic unsigned makers;
static _Atomic bool is_ending;
static _Thread_local sigset_t before_making;

static void remove_all(void)
{
	size_t i;

	for (i = 0; i < FILES_MAX && unfinished[i] && !are_done; i++)
		unlink(unfinished[i]);
	for (i = 0; i < DIRS_MAX; i++) {
		char *path = atomic_exchange(&slots[i], NULL);

		if (path)
			scratch_remove(path); /* free() is not for signal handlers */
	}
}

static void give_terminal_back(void)
{
	size_t done = 0;

	if (!atomic_exchange(&terminal.is_changed, false))
		return;
	while (done < terminal.n) {
		ssize_t n = write(terminal.fd, terminal.restore + done, terminal.n - done);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	tcsetattr(terminal.fd, TCSANOW, &terminal.before);
}

static bool is_fault(int number)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(faults); i++)
		if (faults[i] == number)
			return true;
	return false;
}

/* timeout(1) sends its signal twice, to the program and to its group: the second one, which may
 * reach another thread, must not end the program before everything is removed. */
static void on_signal(int number)
{
	if (atomic_exchange(&is_ending, true))
		return;
	give_terminal_back();
	while (makers &&
		!is_fault(number)) /* a fault cannot be put off: it may be the maker's own */
		sched_yield();
	remove_all();
	signal(number, SIG_DFL);
	raise(number);
}

/* While one thread is about to end the program by a signal, another may end it by returning, mostly
 * because of an error about a file that is gone: the former has to finish. */
static void at_exit(void)
{
	give_terminal_back();
	remove_all();
	while (is_ending)
		pause();
}

/* A signal that the caller ignores (nohup) stays ignored. */
static void handle(const int *number, size_t n, int flags)
{
	struct sigaction before, action = { .sa_handler = on_signal, .sa_flags = flags };
	size_t i;

	for (i = 0; i < n; i++)
		if (sigaction(number[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(number[i], &action, NULL);
}

/* Installs the handlers. */
static void install(void)
{
	if (is_installed)
		return;
	is_installed = true;
	handle(numbers, ARRAY_LEN(numbers), 0);
	atexit(at_exit);
}

static void remember(const char *dir)
{
	char *path = strdup(dir);
	size_t i;

	if (!path)
		scratch_remove(dir); /* before the end, as nobody will know of it */
	xchecked(path);
	for (i = 0; i < DIRS_MAX; i++) {
		char *none = NULL;

		if (atomic_compare_exchange_strong(&slots[i], &none, path))
			return;
	}
	free(path);
}

static void forget(const char *dir)
{
	size_t i;

	for (i = 0; i < DIRS_MAX; i++) {
		char *path = slots[i];

		if (!path || strcmp(path, dir) != 0)
			continue;
		if (atomic_compare_exchange_strong(&slots[i], &path, NULL))
			free(path);
		return;
	}
}

/* The directory that the file really is in, after links: its path up to the last slash. */
static char *dir_of(const char *path)
{
	char *real = realpath(path, NULL), *slash;

	if (!real)
		real = xstrdup(path);
	slash = strrchr(real, '/');
	real[slash ? slash + 1 - real : 0] = '\0';
	return real;
}

static void remember_unfinished(const char *dir)
{
	size_t at = 0;
	unsigned i;

	while (at < FILES_MAX && unfinished[at])
		at++;
	for (i = 0; i < FILES_EACH && at < FILES_MAX; i++, at++)
		unfinished[at] = xasprintf("%s" SINK_TEMPORARY, dir, (int)getpid(), i);
}

static bool is_remembered(const char *dir)
{
	char *first = xasprintf("%s" SINK_TEMPORARY, dir, (int)getpid(), 0u);
	bool is = false;
	size_t i;

	for (i = 0; i < FILES_MAX && unfinished[i] && !is; i++)
		is = strcmp(unfinished[i], first) == 0;
	free(first);
	return is;
}

void cleanup_output(const char *path)
{
	char *dir = dir_of(path);

	pthread_mutex_lock(&callers);
	install();
	if (!is_remembered(dir))
		remember_unfinished(dir);
	pthread_mutex_unlock(&callers);
	free(dir);
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

void cleanup_dir(const char *dir, enum scratch_step step)
{
	if (step == SCRATCH_CREATING)
		begin_making();
	pthread_mutex_lock(&callers);
	install();
	if (dir && step == SCRATCH_CREATED)
		remember(dir);
	if (dir && step == SCRATCH_REMOVED)
		forget(dir);
	pthread_mutex_unlock(&callers);
	if (step == SCRATCH_CREATED)
		end_making();
}

/* A fault may be that the stack has no room left. */
static void install_more(void)
{
	static char stack[HANDLER_STACK_BYTES];
	static bool is_done;
	const stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };

	install();
	if (is_done)
		return;
	is_done = true;
	sigaltstack(&other, NULL);
	handle(more_numbers, ARRAY_LEN(more_numbers), SA_ONSTACK);
}

void cleanup_terminal(int fd, const struct termios *before, struct span restore)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_mutex_lock(&callers);
	install_more();
	terminal.is_changed = false;
	terminal.fd = fd;
	terminal.before = *before;
	terminal.n = restore.n < RESTORE_MAX ? restore.n : 0;
	if (terminal.n)
		memcpy(terminal.restore, restore.p, terminal.n);
	terminal.is_changed = true;
	pthread_mutex_unlock(&callers);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void cleanup_terminal_done(void)
{
	terminal.is_changed = false;
}
