/* One thread waits for a second, that for a third, which computes: pipes carry a byte from each to the one before. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20 };

static int ask[3][2], answer[3][2];

static __attribute__((noinline)) void compute(void)
{
	struct timespec from, now;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < 2000000);
}

static __attribute__((noinline)) void send_to(int fd)
{
	if (write(fd, "", 1) != 1)
		exit(1);
}

static __attribute__((noinline)) void receive_from(int fd)
{
	char c;

	if (read(fd, &c, 1) != 1)
		exit(1);
}

static __attribute__((noinline)) void store(void)
{
	receive_from(ask[2][0]);
	compute();
	send_to(answer[2][1]);
}

static __attribute__((noinline)) void serve(void)
{
	receive_from(ask[1][0]);
	send_to(ask[2][1]);
	receive_from(answer[2][0]);
	send_to(answer[1][1]);
}

static __attribute__((noinline)) void request(void)
{
	send_to(ask[1][1]);
	receive_from(answer[1][0]);
}

static void *run_store(void *unused)
{
	int i;

	pthread_setname_np(pthread_self(), "store");
	for (i = 0; i < ROUNDS; i++)
		store();
	return unused;
}

static void *run_server(void *unused)
{
	int i;

	pthread_setname_np(pthread_self(), "server");
	for (i = 0; i < ROUNDS; i++)
		serve();
	return unused;
}

int main(void)
{
	pthread_t thread[2];
	int i;

	for (i = 1; i < 3; i++)
		if (pipe(ask[i]) || pipe(answer[i]))
			return 1;
	pthread_create(&thread[0], NULL, run_store, NULL);
	pthread_create(&thread[1], NULL, run_server, NULL);
	for (i = 0; i < ROUNDS; i++)
		request();
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
