/* changed since */
extern volatile unsigned sink;

__attribute__((noinline)) void changed(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink ^= i;
}
