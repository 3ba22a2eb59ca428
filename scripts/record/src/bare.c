/* A program without libc, for 32-bit x86: gcc -m32 -nostdlib -static. */
#define NOINLINE __attribute__((noipa))

NOINLINE static unsigned mix(unsigned n)
{
	for (volatile unsigned i = 0; i < n; i++)
		;
	return n;
}

NOINLINE static unsigned inner(unsigned n)
{
	return mix(n) + mix(n / 2);
}

NOINLINE static unsigned outer(unsigned n)
{
	return inner(n) + 1;
}

void _start(void)
{
	volatile unsigned sum = 0;

	for (int i = 0; i < 1500; i++)
		sum += outer(500000);
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
