// threads memory|computing THREADS: threads that share some work, of which each does its own part
// without a look at the others: reading BYTES of memory again and again, or computing with what is
// in registers. How much faster two threads are than one shows what a machine has to give:
// processors that share a core or the way to memory give less than twice as much, and so does a
// busy machine.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 256 << 20, ROUNDS = 40, STEPS = 1 << 30, THREADS_MAX = 256 };

struct part {
	pthread_t thread;
	int threads;
	uint64_t sum;
};

static void *read_part(void *arg)
{
	struct part *p = arg;
	size_t words = BYTES / sizeof(uint64_t) / (size_t)p->threads, i;
	uint64_t *word = malloc(words * sizeof(*word));
	int round;

	if (!word)
		exit(1);
	memset(word, 1, words * sizeof(*word));
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < words; i++)
			p->sum += word[i];
		__asm__ volatile("" : : "r"(word) : "memory");
	}
	free(word);
	return NULL;
}

// Four chains of operations, which a core can have under way together.
static void *compute_part(void *arg)
{
	struct part *p = arg;
	uint64_t a = 1, b = 2, c = 3, d = 4;
	int i, n = STEPS / p->threads;

	for (i = 0; i < n; i++) {
		a = a * 3 + (uint64_t)i;
		b ^= (uint64_t)i + (b >> 3);
		c += (uint64_t)i ^ (c << 1);
		d += (uint64_t)i;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	}
	p->sum = a + b + c + d;
	return NULL;
}

int main(int argc, char **argv)
{
	static struct part part[THREADS_MAX];
	void *(*work)(void *) = NULL;
	int n = argc == 3 ? atoi(argv[2]) : 0, i;
	uint64_t sum = 0;

	if (argc == 3 && !strcmp(argv[1], "memory"))
		work = read_part;
	if (argc == 3 && !strcmp(argv[1], "computing"))
		work = compute_part;
	if (!work || n < 1 || n > THREADS_MAX) {
		fprintf(stderr, "threads memory|computing THREADS\n");
		return 2;
	}
	for (i = 0; i < n; i++) {
		part[i].threads = n;
		if (pthread_create(&part[i].thread, NULL, work, &part[i]))
			return 1;
	}
	for (i = 0; i < n; i++) {
		pthread_join(part[i].thread, NULL);
		sum += part[i].sum;
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
