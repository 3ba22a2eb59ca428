/* A program with secrets in its arguments, its environment, on its stack and in its registers. It
 * runs for a while below a frame that holds them, and then with a frame pointer that leads to them,
 * as in code without frame pointers: perf record -g takes what it finds there for an address.
 *
 *	KEY=... secrets --password=... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned long sink;

static __attribute__((noinline)) unsigned long spin(const char *text, unsigned long n)
{
	unsigned long sum = 0, i;

	for (i = 0; i < n; i++)
		sum += (unsigned char)text[i % 16] * i;
	return sum;
}

static __attribute__((noinline)) void below(const char *password, const char *key, unsigned long n)
{
	char frame[256];

	snprintf(frame, sizeof(frame), "%s %s %s %s", password, key, key, password);
	sink = spin(frame, n) + (unsigned char)frame[1];
}

#ifdef __x86_64__
static __attribute__((noinline)) void led_astray(const char *password, unsigned long n)
{
	char words[64] __attribute__((aligned(8))) = { 0 };

	memcpy(words + 8, password, 8);
	__asm__ volatile("push %%rbp\n\t"
			 "mov %1, %%rbp\n\t"
			 "1: dec %0\n\t"
			 "jnz 1b\n\t"
			 "pop %%rbp"
			 : "+r"(n)
			 : "r"(words)
			 : "memory");
}
#else
static void led_astray(const char *password, unsigned long n)
{
	below(password, password, n);
}
#endif

int main(int argc, char **argv)
{
	const char *password = argc > 1 ? strchr(argv[1], '=') : NULL, *key = getenv("KEY");

	if (!password || !key || strlen(password) < 9)
		return 2;
	below(password + 1, key, 300000000);
	led_astray(password + 1, 600000000);
	return 0;
}
