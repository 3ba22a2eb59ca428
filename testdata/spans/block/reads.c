/* Reads a file past the page cache, block by block, while a thread keeps each processor busy: the
 * interrupt that ends a request then comes while this program runs, and is of its recording. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 65536, SMALL = 4096, PROCESSORS = 2 };
static volatile int stop;

static void *keep_busy(void *processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((long)processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
	while (!stop)
		;
	return NULL;
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECT) : -1, n, i;
	pthread_t busy[PROCESSORS];
	void *block;

	if (fd < 0 || posix_memalign(&block, SMALL, BLOCK))
		return fputs("reads FILE BLOCKS\n", stderr), 1;
	for (i = 0; i < PROCESSORS; i++)
		pthread_create(&busy[i], NULL, keep_busy, (void *)(long)i);
	n = atoi(argv[2]);
	for (i = 0; i < n; i++) {
		if (pread(fd, block, i % 4 ? SMALL : BLOCK, (off_t)(i * 37 % n) * BLOCK) < 0)
			perror(argv[1]);
		usleep(500);
	}
	stop = 1;
	for (i = 0; i < PROCESSORS; i++)
		pthread_join(busy[i], NULL);
	return 0;
}
