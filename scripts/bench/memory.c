// memory THREADS: threads that do nothing but read memory, BYTES of it ROUNDS times in all, each
// its own part. How much faster two threads are than one shows what a machine has to give:
// processors that share a core or the way to memory give less than twice as much, and so does a
// busy machine.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 256 << 20, ROUNDS = 40, THREADS_MAX = 256 };

struct part {
	pthread_t thread;
	size_t words;
	uint64_t sum;
};

static void *read_part(void *arg)
{
	struct part *p = arg;
	uint64_t *word = malloc(p->words * sizeof(*word));
	size_t i;
	int round;

	if (!word)
		exit(1);
	memset(word, 1, p->words * sizeof(*word));
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < p->words; i++)
			p->sum += word[i];
		__asm__ volatile("" : : "r"(word) : "memory");
	}
	free(word);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct part part[THREADS_MAX];
	int n = argc == 2 ? atoi(argv[1]) : 0, i;
	uint64_t sum = 0;

	if (n < 1 || n > THREADS_MAX) {
		fprintf(stderr, "memory THREADS\n");
		return 2;
	}
	for (i = 0; i < n; i++) {
		part[i].words = BYTES / sizeof(uint64_t) / (size_t)n;
		if (pthread_create(&part[i].thread, NULL, read_part, &part[i]))
			return 1;
	}
	for (i = 0; i < n; i++) {
		pthread_join(part[i].thread, NULL);
		sum += part[i].sum;
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
