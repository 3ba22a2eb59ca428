/* A library whose functions carry its name (-DLIB=alpha): the same code at the same offsets in
 * each. */
#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define NOINLINE    __attribute__((noipa))

NOINLINE void JOIN(LIB, _inner)(unsigned rounds)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
}

/* Found by one name in every library. */
NOINLINE void JOIN(LIB, _work)(unsigned rounds)
{
	for (volatile int i = 0; i < 4; i++)
		JOIN(LIB, _inner)(rounds / 4);
}

void (*const library_work)(unsigned rounds) = JOIN(LIB, _work);
