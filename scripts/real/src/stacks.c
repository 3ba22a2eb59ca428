/*
 * stacks.c: a program whose stacks are hard to unwind and to name, MILLISECONDS for each part
 *
 * vdso     clock_gettime() and gettimeofday(): code of the vDSO, another one in a 32-bit program
 * big      burn() below an array of 40 KB of which most pages are never touched: a copy of the
 * stack ends there signal   a handler of signals (on the stack, and on an alternate one) that
 * burns, over burn(), memcpy() and nanosleep() context  makecontext() and swapcontext(): stacks
 * that begin at __start_context tail     a tail call, a recursion, setjmp() and longjmp(), a
 * pointer to a static function, qsort()
 *
 * STATIC leaves out context, which musl has not.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifndef NO_CONTEXT
#include <ucontext.h>
#endif

#define NOINLINE __attribute__((noinline, noclone))

static double part_ms = 200;
static volatile unsigned long sink;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

NOINLINE static void burn(double ms)
{
	for (double end = now() + ms; now() < end;)
		for (unsigned long i = 0; i < 20000; i++)
			sink += i * i;
}

NOINLINE static void read_clock(void)
{
	struct timeval tv;
	for (double end = now() + part_ms; now() < end;)
		gettimeofday(&tv, NULL);
	sink += 1;
}

NOINLINE static void big_stack(void)
{
	char never[40 * 1024];
	__asm__ volatile("" ::"r"(never) : "memory");
	burn(part_ms);
	__asm__ volatile("" ::"r"(never) : "memory");
}

NOINLINE static void in_handler(void)
{
	burn(3);
}

static void handler(int sig)
{
	in_handler();
	sink += (unsigned long)sig;
}

static void catch (int sig, int flags)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = flags };
	sigaction(sig, &a, NULL);
}

NOINLINE static void copy_much(void)
{
	static char from[1 << 20], to[1 << 20];
	for (double end = now() + part_ms; now() < end;) {
		memcpy(to, from, sizeof to);
		memset(from, to[7], sizeof from);
	}
}

NOINLINE static void raise_often(void)
{
	for (double end = now() + part_ms; now() < end;)
		raise(SIGUSR1);
	sink += 1;
}

NOINLINE static void with_signals(void)
{
	static char stack[64 * 1024];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct itimerval each = { { 0, 8000 }, { 0, 8000 } }, none = { { 0, 0 }, { 0, 0 } };
	struct timespec nap = { 0, 2000000 };

	sigaltstack(&alternate, NULL);
	catch (SIGALRM, SA_ONSTACK);
	catch (SIGUSR1, SA_RESTART);
	setitimer(ITIMER_REAL, &each, NULL);
	burn(part_ms);
	copy_much();
	for (double end = now() + part_ms; now() < end;)
		nanosleep(&nap, NULL);
	setitimer(ITIMER_REAL, &none, NULL);
	raise_often();
}

#ifndef NO_CONTEXT
static ucontext_t home, routine;

static void in_context(void)
{
	for (;;) {
		burn(3);
		swapcontext(&routine, &home);
	}
}

NOINLINE static void with_contexts(void)
{
	getcontext(&routine);
	routine.uc_stack.ss_size = 256 * 1024;
	routine.uc_stack.ss_sp = calloc(1, routine.uc_stack.ss_size);
	routine.uc_link = &home;
	makecontext(&routine, in_context, 0);
	for (double end = now() + part_ms; now() < end;)
		swapcontext(&home, &routine);
	sink += 1;
}
#endif

NOINLINE static void in_tail(double ms)
{
	burn(ms);
}

static void (*volatile target)(double) = in_tail;

NOINLINE static void calls_tail(void)
{
	target(part_ms / 4);
}

static int compare(const void *a, const void *b)
{
	burn(0.2);
	return *(const int *)a - *(const int *)b;
}

static jmp_buf back;

NOINLINE static void jumps(int depth)
{
	if (depth == 0) {
		burn(1);
		longjmp(back, 1);
	}
	jumps(depth - 1);
	sink += 1;
}

NOINLINE static void odd_calls(void)
{
	int numbers[] = { 5, 3, 9, 1, 7, 2, 8, 4, 6, 0 };

	calls_tail();
	for (double end = now() + part_ms / 4; now() < end;)
		if (setjmp(back) == 0)
			jumps(20);
	for (double end = now() + part_ms / 2; now() < end;) {
		numbers[0] = 5;
		qsort(numbers, 10, sizeof *numbers, compare);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		part_ms = atof(argv[1]);
	read_clock();
	big_stack();
	with_signals();
#ifndef NO_CONTEXT
	with_contexts();
#endif
	odd_calls();
	printf("%lu\n", sink);
	return 0;
}
