volatile unsigned sink;

__attribute__((noinline)) void good(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}
