// measure TIMEOUT-S COMMAND: runs a command, prints what it took as one line:
//
//	WALL-S USER-S SYSTEM-S RESIDENT-KB ANONYMOUS-KB STATUS
//
// A command of plain words, NAME=VALUE before them, is run as it is; any other one by bash, which
// takes some 2 ms. STATUS is that of the command, "timeout" where it had to be ended, "signal-N"
// where it was killed. RESIDENT-KB is the largest resident set of one process; ANONYMOUS-KB the
// largest sum over all processes of the command of what is resident and no page of a file (RssAnon
// and RssShmem of /proc/PID/status), looked at every 5 ms. Standard output is discarded, standard
// error is that of this program. Times are those of the whole tree of processes, as getrusage(2)
// adds them up.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5, DEPTH_MAX = 8, WORDS_MAX = 64 };

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long anonymous_kb(int pid)
{
	char path[64], line[256];
	long sum = 0, value;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "RssAnon: %ld", &value) == 1 ||
			sscanf(line, "RssShmem: %ld", &value) == 1)
			sum += value;
	if (f)
		fclose(f);
	return sum;
}

static long tree_kb(int pid, int depth)
{
	long sum = anonymous_kb(pid);
	char path[64];
	FILE *f;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	f = depth < DEPTH_MAX ? fopen(path, "r") : NULL;
	while (f && fscanf(f, "%d", &child) == 1)
		sum += tree_kb(child, depth + 1);
	if (f)
		fclose(f);
	return sum;
}

static void run_words(char *command)
{
	char *words[WORDS_MAX + 1], *rest = command, *word;
	int n = 0;

	while ((word = strsep(&rest, " ")) && n < WORDS_MAX)
		if (!n && strchr(word, '='))
			putenv(word);
		else if (*word)
			words[n++] = word;
	words[n] = NULL;
	if (n && !word)
		execvp(words[0], words);
}

static void run(char *command)
{
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	dup2(null, 0);
	dup2(null, 1);
	if (!strpbrk(command, "|&;<>()$`\\\"'*?[]{}#~!\n"))
		run_words(command);
	else
		execl("/bin/bash", "bash", "-o", "pipefail", "-c", command, (char *)NULL);
	_exit(127);
}

int main(int argc, char **argv)
{
	double start_s = now_s(), timeout_s = argc > 2 ? strtod(argv[1], NULL) : 0;
	int status = 0, pid, ended = 0;
	struct pollfd end = { .events = POLLIN };
	struct rusage used;
	long peak_kb = 0;

	if (argc != 3)
		return fputs("measure TIMEOUT-S COMMAND\n", stderr), 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid == 0)
		run(argv[2]);
	end.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	while (poll(&end, 1, LOOK_MS) == 0) {
		long kb = tree_kb(pid, 0);

		peak_kb = kb > peak_kb ? kb : peak_kb;
		if (!ended && now_s() - start_s > timeout_s)
			ended = kill(-pid, SIGKILL) == 0;
	}
	double wall_s = now_s() - start_s;

	waitpid(pid, &status, 0);
	while (wait(NULL) > 0 || errno == EINTR)
		; // what a killed shell left behind, for its times
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%.4f %.4f %.4f %ld %ld ", wall_s,
		(double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6,
		(double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6, used.ru_maxrss,
		peak_kb);
	if (ended)
		puts("timeout");
	else if (WIFSIGNALED(status))
		printf("signal-%d\n", WTERMSIG(status));
	else
		printf("%d\n", WEXITSTATUS(status));
	return 0;
}
